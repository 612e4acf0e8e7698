"""Two producers send random numbers at different intervals, a thread each; one consumer receives them (kafka-python).

python -m examples.exercise_1_random_numbers.with_threads [--bootstrap HOST:PORT]
"""

from __future__ import annotations

import argparse
import json
import random
import threading
import time

from kafka import KafkaConsumer, KafkaProducer

from millrace import Broker

TOPIC = "random-numbers"
INTERVALS_S = {"fast": 0.03, "slow": 0.07}  # the producers, and how long each waits between two numbers
NUMBERS = 20


def produce(bootstrap_servers: str, name: str, interval_s: float, sent: dict[str, list[int]]) -> None:
    """Send numbers under the producer's name, then one record that says that there are no more."""
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers)
    try:
        for _ in range(NUMBERS):
            number = random.randrange(1_000)
            producer.send(TOPIC, key=name.encode(), value=json.dumps({"number": number}).encode())
            producer.flush()
            sent[name].append(number)
            time.sleep(interval_s)
        producer.send(TOPIC, key=name.encode(), value=json.dumps({"end": True}).encode())
    finally:
        producer.close()


def consume(bootstrap_servers: str, names: set[str]) -> dict[str, list[int]]:
    """The numbers of each producer, in the order of their arrival, until all producers have said that they are done."""
    consumer = KafkaConsumer(TOPIC, bootstrap_servers=bootstrap_servers, auto_offset_reset="earliest")
    received: dict[str, list[int]] = {name: [] for name in names}
    missing = set(names)
    try:
        for message in consumer:
            name, content = message.key.decode(), json.loads(message.value)
            if "end" in content:
                missing.discard(name)
                if not missing:
                    break
                continue
            received[name].append(content["number"])
            print(f"{message.offset:4} {name:4} {content['number']:4}")
    finally:
        consumer.close()
    return received


def run(bootstrap_servers: str) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """(what was sent, what was received), by producer."""
    sent: dict[str, list[int]] = {name: [] for name in INTERVALS_S}
    threads = [
        threading.Thread(target=produce, args=(bootstrap_servers, name, interval_s, sent))
        for name, interval_s in INTERVALS_S.items()
    ]
    for thread in threads:
        thread.start()
    received = consume(bootstrap_servers, set(INTERVALS_S))
    for thread in threads:
        thread.join()
    return sent, received


def main() -> None:
    parser = argparse.ArgumentParser(description="Exercise 1, with threads.")
    parser.add_argument("--bootstrap", help="HOST:PORT of a broker; one is started if not said")
    bootstrap = parser.parse_args().bootstrap
    if bootstrap:
        sent, received = run(bootstrap)
    else:
        with Broker() as broker:
            sent, received = run(broker.bootstrap_servers)
    for name, numbers in sent.items():
        print(f"{name}: sent {len(numbers)}, received {len(received[name])}, equal: {received[name] == numbers}")


if __name__ == "__main__":
    main()
