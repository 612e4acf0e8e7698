"""N producers send random words, M consumers count those with fewer and with more than three vowels (kafka-python).

python -m examples.exercise_3_vowels.with_threads [--producers N] [--consumers M] [--bootstrap HOST:PORT]
"""

from __future__ import annotations

import argparse
import random
import threading
import time
from collections import Counter
from collections.abc import Callable

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.admin import NewTopic

from millrace import Broker

TOPIC = "random-words"
GROUP = "vowel-counters"
WORDS = 100  # a producer
VOWELS = "aeiou"
CONSONANTS = "bcdfghklmnprstvwz"
FEWER, EXACTLY, MORE = "fewer than 3", "exactly 3", "more than 3"
PATIENCE_S = 60.0

Tell = Callable[[str, int], None]  # who did something, and how many words that makes


def random_word() -> str:
    """One to six syllables that can be spoken."""
    return "".join(random.choice(CONSONANTS) + random.choice(VOWELS) for _ in range(random.randint(1, 6)))


def kind_of(word: str) -> str:
    vowels = sum(letter in VOWELS for letter in word)
    return FEWER if vowels < 3 else MORE if vowels > 3 else EXACTLY


def make_topic(bootstrap_servers: str, partitions: int) -> None:
    """With a partition for each consumer, or some of them would have nothing to do."""
    admin = KafkaAdminClient(bootstrap_servers=bootstrap_servers)
    try:
        admin.create_topics([NewTopic(TOPIC, num_partitions=partitions, replication_factor=1)])
    finally:
        admin.close()


def produce(bootstrap_servers: str, name: str, sent: Counter[str], tell: Tell, pause_s: float) -> None:
    """Send the words of one producer. ``pause_s`` after each lets people watch."""
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers, linger_ms=5)
    try:
        for number in range(WORDS):
            word = random_word()
            producer.send(TOPIC, key=f"{name}-{number}".encode(), value=word.encode())
            sent[kind_of(word)] += 1
            tell(name, number + 1)
            time.sleep(pause_s)
        producer.flush()
    finally:
        producer.close()


class Counting:
    """What the consumers know together."""

    def __init__(self, consumers: int, words: int) -> None:
        self.all_ready = threading.Event()
        self.all_counted = threading.Event()
        self._lock = threading.Lock()
        self._missing = consumers
        self._left = words

    def on_ready(self) -> None:
        with self._lock:
            self._missing -= 1
            if not self._missing:
                self.all_ready.set()

    def on_counted(self, count: int) -> None:
        with self._lock:
            self._left -= count
            if self._left <= 0:
                self.all_counted.set()


def count(bootstrap_servers: str, name: str, counting: Counting, counted: Counter[str], tell: Tell) -> None:
    """One member of the group: it counts the words of its partitions."""
    consumer = KafkaConsumer(
        bootstrap_servers=bootstrap_servers, group_id=GROUP, auto_offset_reset="earliest", fetch_max_wait_ms=100
    )
    # The member that deals the partitions must know of them: on a busy machine kafka-python may join before it does,
    # and then deals nothing.
    while not consumer.partitions_for_topic(TOPIC):
        pass
    consumer.subscribe([TOPIC])
    is_ready = False
    try:
        while not counting.all_counted.is_set():
            batches = consumer.poll(timeout_ms=100)
            # A member that joins later takes partitions from those that were there: ready is who has just its share.
            if not is_ready and len(consumer.assignment()) == 1:
                is_ready = True
                counting.on_ready()
            for messages in batches.values():
                for message in messages:
                    counted[kind_of(message.value.decode())] += 1
                tell(name, sum(counted.values()))
                counting.on_counted(len(messages))
    finally:
        consumer.close()


def run(
    bootstrap_servers: str,
    producers: int = 4,
    consumers: int = 3,
    tell: Tell = lambda who, count: None,
    pause_s: float = 0.0,
) -> tuple[Counter[str], list[Counter[str]]]:
    """(kinds of words sent, kinds of words counted by each consumer)."""
    make_topic(bootstrap_servers, consumers)
    counting = Counting(consumers, producers * WORDS)
    sent: list[Counter[str]] = [Counter() for _ in range(producers)]
    counted: list[Counter[str]] = [Counter() for _ in range(consumers)]
    counters = [
        threading.Thread(target=count, args=(bootstrap_servers, f"consumer {number}", counting, own, tell))
        for number, own in enumerate(counted, start=1)
    ]
    senders = [
        threading.Thread(target=produce, args=(bootstrap_servers, f"producer {number}", own, tell, pause_s))
        for number, own in enumerate(sent, start=1)
    ]
    for thread in counters:
        thread.start()
    counting.all_ready.wait(PATIENCE_S)  # each has its partition: nothing is dealt anew from here on
    for thread in senders:
        thread.start()
    if not counting.all_counted.wait(PATIENCE_S):
        counting.all_counted.set()
    for thread in (*senders, *counters):
        thread.join()
    return sum(sent, Counter()), counted


def main() -> None:
    parser = argparse.ArgumentParser(description="Exercise 3, with threads.")
    parser.add_argument("--bootstrap", help="HOST:PORT of a broker; one is started if not said")
    parser.add_argument("--producers", type=int, default=4, help="how many producers (default 4)")
    parser.add_argument("--consumers", type=int, default=3, help="how many consumers (default 3)")
    options = parser.parse_args()
    if options.bootstrap:
        sent, counted = run(options.bootstrap, options.producers, options.consumers)
    else:
        with Broker() as broker:
            sent, counted = run(broker.bootstrap_servers, options.producers, options.consumers)
    for number, each in enumerate(counted, start=1):
        print(f"consumer {number}: " + ", ".join(f"{kind}: {each[kind]}" for kind in (FEWER, EXACTLY, MORE)))
    total = sum(counted, Counter())
    print("together:   " + ", ".join(f"{kind}: {total[kind]}" for kind in (FEWER, EXACTLY, MORE)))
    print(f"equal to what was sent: {total == sent}")


if __name__ == "__main__":
    main()
