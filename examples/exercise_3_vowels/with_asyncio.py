"""N producers send random words, M consumers count those with fewer and with more than three vowels (aiokafka).

python -m examples.exercise_3_vowels.with_asyncio [--producers N] [--consumers M] [--bootstrap HOST:PORT]
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from examples.exercise_3_vowels.with_threads import (
    EXACTLY,
    FEWER,
    GROUP,
    MORE,
    PATIENCE_S,
    TOPIC,
    WORDS,
    kind_of,
    random_word,
)
from millrace import Broker


async def make_topic(bootstrap_servers: str, partitions: int) -> None:
    """With a partition for each consumer, or some of them would have nothing to do."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap_servers)
    await admin.start()
    try:
        await admin.create_topics([NewTopic(TOPIC, num_partitions=partitions, replication_factor=1)])
    finally:
        await admin.close()


async def produce(bootstrap_servers: str, name: str) -> Counter[str]:
    sent: Counter[str] = Counter()
    async with AIOKafkaProducer(bootstrap_servers=bootstrap_servers, linger_ms=5) as producer:
        for number in range(WORDS):
            word = random_word()
            await producer.send(TOPIC, key=f"{name}-{number}".encode(), value=word.encode())
            sent[kind_of(word)] += 1
        await producer.flush()
    return sent


class Counting:
    """What the consumers know together."""

    def __init__(self, consumers: int, words: int) -> None:
        self.all_ready = asyncio.Event()
        self.all_counted = asyncio.Event()
        self._missing = consumers
        self._left = words

    def on_ready(self) -> None:
        self._missing -= 1
        if not self._missing:
            self.all_ready.set()

    def on_counted(self, count: int) -> None:
        self._left -= count
        if self._left <= 0:
            self.all_counted.set()


async def count(bootstrap_servers: str, counting: Counting) -> Counter[str]:
    """One member of the group: it counts the words of its partitions."""
    counted: Counter[str] = Counter()
    is_ready = False
    async with AIOKafkaConsumer(
        TOPIC, bootstrap_servers=bootstrap_servers, group_id=GROUP, auto_offset_reset="earliest"
    ) as consumer:
        while not counting.all_counted.is_set():
            batches = await consumer.getmany(timeout_ms=100)
            # A member that joins later takes partitions from those that were there: ready is who has just its share.
            if not is_ready and len(consumer.assignment()) == 1:
                is_ready = True
                counting.on_ready()
            for messages in batches.values():
                for message in messages:
                    counted[kind_of(message.value.decode())] += 1
                counting.on_counted(len(messages))
    return counted


async def run(
    bootstrap_servers: str, producers: int = 4, consumers: int = 3
) -> tuple[Counter[str], list[Counter[str]]]:
    """(kinds of words sent, kinds of words counted by each consumer)."""
    await make_topic(bootstrap_servers, consumers)
    counting = Counting(consumers, producers * WORDS)
    counters = [asyncio.create_task(count(bootstrap_servers, counting)) for _ in range(consumers)]
    await asyncio.wait_for(counting.all_ready.wait(), PATIENCE_S)
    sent = await asyncio.gather(*(produce(bootstrap_servers, f"producer {number}") for number in range(producers)))
    counted = await asyncio.wait_for(asyncio.gather(*counters), PATIENCE_S)
    return sum(sent, Counter()), counted


def main() -> None:
    parser = argparse.ArgumentParser(description="Exercise 3, with asyncio.")
    parser.add_argument("--bootstrap", help="HOST:PORT of a broker; one is started if not said")
    parser.add_argument("--producers", type=int, default=4, help="how many producers (default 4)")
    parser.add_argument("--consumers", type=int, default=3, help="how many consumers (default 3)")
    options = parser.parse_args()
    if options.bootstrap:
        sent, counted = asyncio.run(run(options.bootstrap, options.producers, options.consumers))
    else:
        with Broker() as broker:
            sent, counted = asyncio.run(run(broker.bootstrap_servers, options.producers, options.consumers))
    for number, each in enumerate(counted, start=1):
        print(f"consumer {number}: " + ", ".join(f"{kind}: {each[kind]}" for kind in (FEWER, EXACTLY, MORE)))
    total = sum(counted, Counter())
    print("together:   " + ", ".join(f"{kind}: {total[kind]}" for kind in (FEWER, EXACTLY, MORE)))
    print(f"equal to what was sent: {total == sent}")


if __name__ == "__main__":
    main()
