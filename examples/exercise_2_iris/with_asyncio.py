"""N producers each send attributes of the Iris data, a task each; one consumer merges them again (aiokafka).

python -m examples.exercise_2_iris.with_asyncio [--producers N] [--bootstrap HOST:PORT]
"""

from __future__ import annotations

import argparse
import asyncio
import json

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from examples.exercise_2_iris.with_threads import TOPIC, Row, deal, read_iris
from millrace import Broker


async def produce(bootstrap_servers: str, attributes: list[str]) -> None:
    """Send one record for each cell of these attributes; its key is the number of the row."""
    async with AIOKafkaProducer(bootstrap_servers=bootstrap_servers, linger_ms=5) as producer:
        for number, row in enumerate(read_iris()):
            for attribute in attributes:
                value = {"attribute": attribute, "value": row[attribute]}
                await producer.send(TOPIC, key=str(number).encode(), value=json.dumps(value).encode())
        await producer.flush()


async def merge(bootstrap_servers: str, attributes: list[str], rows: int) -> list[Row]:
    """The rows, whole again: a cell may come from any producer at any time, its key says where it belongs."""
    merged: dict[int, Row] = {}
    complete = 0
    async with AIOKafkaConsumer(TOPIC, bootstrap_servers=bootstrap_servers, auto_offset_reset="earliest") as consumer:
        async for message in consumer:
            cell = json.loads(message.value)
            row = merged.setdefault(int(message.key), {})
            if cell["attribute"] in row:
                continue  # a producer may send a record twice when an answer was lost
            row[cell["attribute"]] = cell["value"]
            complete += len(row) == len(attributes)
            if complete == rows:
                break
    return [{attribute: merged[number][attribute] for attribute in attributes} for number in sorted(merged)]


async def run(bootstrap_servers: str, producers: int = 5) -> list[Row]:
    """The merged rows."""
    iris = read_iris()
    attributes = list(iris[0])
    merged, *_ = await asyncio.gather(
        merge(bootstrap_servers, attributes, len(iris)),
        *(produce(bootstrap_servers, share) for share in deal(attributes, producers)),
    )
    return merged


def main() -> None:
    parser = argparse.ArgumentParser(description="Exercise 2, with asyncio.")
    parser.add_argument("--bootstrap", help="HOST:PORT of a broker; one is started if not said")
    parser.add_argument("--producers", type=int, default=5, help="how many producers (default 5, one an attribute)")
    options = parser.parse_args()
    if options.bootstrap:
        merged = asyncio.run(run(options.bootstrap, options.producers))
    else:
        with Broker() as broker:
            merged = asyncio.run(run(broker.bootstrap_servers, options.producers))
    for row in merged[:3]:
        print(", ".join(row.values()))
    print(f"... {len(merged)} rows, equal to the file: {merged == read_iris()}")


if __name__ == "__main__":
    main()
