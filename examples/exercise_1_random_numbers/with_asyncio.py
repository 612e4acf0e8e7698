"""Two producers send random numbers at different intervals, each a task; one consumer receives them (aiokafka).

python -m examples.exercise_1_random_numbers.with_asyncio [--bootstrap HOST:PORT]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from millrace import Broker

TOPIC = "random-numbers"
INTERVALS_S = {"fast": 0.03, "slow": 0.07}  # the producers, and how long each waits between two numbers
NUMBERS = 20


async def produce(bootstrap_servers: str, name: str, interval_s: float) -> list[int]:
    """Send numbers under the producer's name, then one record that says that there are no more; what was sent."""
    sent = []
    async with AIOKafkaProducer(bootstrap_servers=bootstrap_servers) as producer:
        for _ in range(NUMBERS):
            number = random.randrange(1_000)
            await producer.send_and_wait(TOPIC, key=name.encode(), value=json.dumps({"number": number}).encode())
            sent.append(number)
            await asyncio.sleep(interval_s)
        await producer.send_and_wait(TOPIC, key=name.encode(), value=json.dumps({"end": True}).encode())
    return sent


async def consume(bootstrap_servers: str, names: set[str]) -> dict[str, list[int]]:
    """The numbers of each producer, in the order of their arrival, until all producers have said that they are done."""
    received: dict[str, list[int]] = {name: [] for name in names}
    missing = set(names)
    async with AIOKafkaConsumer(TOPIC, bootstrap_servers=bootstrap_servers, auto_offset_reset="earliest") as consumer:
        async for message in consumer:
            name, content = message.key.decode(), json.loads(message.value)
            if "end" in content:
                missing.discard(name)
                if not missing:
                    break
                continue
            received[name].append(content["number"])
            print(f"{message.offset:4} {name:4} {content['number']:4}")
    return received


async def run(bootstrap_servers: str) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """(what was sent, what was received), by producer."""
    received, *sent = await asyncio.gather(
        consume(bootstrap_servers, set(INTERVALS_S)),
        *(produce(bootstrap_servers, name, interval_s) for name, interval_s in INTERVALS_S.items()),
    )
    return dict(zip(INTERVALS_S, sent, strict=True)), received


def main() -> None:
    parser = argparse.ArgumentParser(description="Exercise 1, with asyncio.")
    parser.add_argument("--bootstrap", help="HOST:PORT of a broker; one is started if not said")
    bootstrap = parser.parse_args().bootstrap
    if bootstrap:
        sent, received = asyncio.run(run(bootstrap))
    else:
        with Broker() as broker:
            sent, received = asyncio.run(run(broker.bootstrap_servers))
    for name, numbers in sent.items():
        print(f"{name}: sent {len(numbers)}, received {len(received[name])}, equal: {received[name] == numbers}")


if __name__ == "__main__":
    main()
