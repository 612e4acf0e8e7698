"""N producers each send attributes of the Iris data, a thread each; one consumer merges them again (kafka-python).

python -m examples.exercise_2_iris.with_threads [--producers N] [--bootstrap HOST:PORT]
"""

from __future__ import annotations

import argparse
import csv
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

from kafka import KafkaConsumer, KafkaProducer

from millrace import Broker

TOPIC = "iris"
IRIS = Path(__file__).parent / "iris.csv"

Row = dict[str, str]
Tell = Callable[[str, int], None]  # who did something, and how many rows or cells that makes


def read_iris() -> list[Row]:
    """The 150 flowers."""
    with IRIS.open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file))


def deal(attributes: list[str], producers: int) -> list[list[str]]:
    """Which attributes each producer sends; no more producers than attributes."""
    return [attributes[first::producers] for first in range(min(producers, len(attributes)))]


def produce(bootstrap_servers: str, attributes: list[str], tell: Tell, pause_s: float) -> None:
    """Send one record for each cell of these attributes; its key is the number of the row. ``pause_s`` after each row
    lets people watch."""
    producer = KafkaProducer(bootstrap_servers=bootstrap_servers, linger_ms=5)
    try:
        for number, row in enumerate(read_iris()):
            for attribute in attributes:
                value = {"attribute": attribute, "value": row[attribute]}
                producer.send(TOPIC, key=str(number).encode(), value=json.dumps(value).encode())
            tell("+".join(attributes), number + 1)
            time.sleep(pause_s)
        producer.flush()
    finally:
        producer.close()


def merge(bootstrap_servers: str, attributes: list[str], rows: int, tell: Tell) -> list[Row]:
    """The rows, whole again: a cell may come from any producer at any time, its key says where it belongs."""
    consumer = KafkaConsumer(TOPIC, bootstrap_servers=bootstrap_servers, auto_offset_reset="earliest")
    merged: dict[int, Row] = {}
    complete = 0
    try:
        for message in consumer:
            cell = json.loads(message.value)
            row = merged.setdefault(int(message.key), {})
            if cell["attribute"] in row:
                continue  # a producer may send a record twice when an answer was lost
            row[cell["attribute"]] = cell["value"]
            if len(row) == len(attributes):
                complete += 1
                tell("merged", complete)
                if complete == rows:
                    break
    finally:
        consumer.close()
    return [{attribute: merged[number][attribute] for attribute in attributes} for number in sorted(merged)]


def run(
    bootstrap_servers: str, producers: int = 5, tell: Tell = lambda who, count: None, pause_s: float = 0.0
) -> list[Row]:
    """The merged rows."""
    iris = read_iris()
    attributes = list(iris[0])
    threads = [
        threading.Thread(target=produce, args=(bootstrap_servers, share, tell, pause_s))
        for share in deal(attributes, producers)
    ]
    for thread in threads:
        thread.start()
    merged = merge(bootstrap_servers, attributes, len(iris), tell)
    for thread in threads:
        thread.join()
    return merged


def main() -> None:
    parser = argparse.ArgumentParser(description="Exercise 2, with threads.")
    parser.add_argument("--bootstrap", help="HOST:PORT of a broker; one is started if not said")
    parser.add_argument("--producers", type=int, default=5, help="how many producers (default 5, one an attribute)")
    options = parser.parse_args()
    if options.bootstrap:
        merged = run(options.bootstrap, options.producers)
    else:
        with Broker() as broker:
            merged = run(broker.bootstrap_servers, options.producers)
    for row in merged[:3]:
        print(", ".join(row.values()))
    print(f"... {len(merged)} rows, equal to the file: {merged == read_iris()}")


if __name__ == "__main__":
    main()
