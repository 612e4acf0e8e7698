"""Measures the codecs of the messages on the hot path: microseconds to encode and decode, and what first use costs.

    python -m tools.measure_codecs

The best of many short runs is shown, so that what else the machine does shows little. The numbers that led to compiled
codecs stand in docs/decisions.
"""

from __future__ import annotations

import os
import subprocess
import sys
import timeit
from collections.abc import Callable
from typing import Any

from millrace.kafka import messages
from millrace.kafka.messages import decode, decoder, encode, encoder
from millrace.schema.classes import Body

RUN_S = 0.01
RUNS = 60
TOPIC_ID = bytes(range(16))
BATCH = bytes(1000)

FIRST_USE = """
import sys, time
started = time.perf_counter()
{before}
before = time.perf_counter()
{measured}
print((time.perf_counter() - before) * 1000)
"""


def produce_request(partitions: int) -> Body:
    cls = messages.ProduceRequest
    batches = [cls.PartitionProduceData(index=index, records=BATCH) for index in range(partitions)]
    topic = cls.TopicProduceData(name="orders-of-today", topic_id=TOPIC_ID, partition_data=batches)
    return cls(acks=-1, timeout_ms=30_000, topic_data=[topic])


def produce_response(partitions: int) -> Body:
    cls = messages.ProduceResponse
    answers = [cls.PartitionProduceResponse(index=index, base_offset=10**9) for index in range(partitions)]
    return cls(responses=[cls.TopicProduceResponse(topic_id=TOPIC_ID, partition_responses=answers)])


def fetch_request(partitions: int) -> Body:
    cls = messages.FetchRequest
    wanted = [
        cls.FetchPartition(partition=index, fetch_offset=10**9, partition_max_bytes=1 << 20, current_leader_epoch=4)
        for index in range(partitions)
    ]
    topics = [cls.FetchTopic(topic_id=TOPIC_ID, partitions=wanted)] if wanted else []
    return cls(max_wait_ms=500, min_bytes=1, session_id=1, session_epoch=1, topics=topics)


def fetch_response(partitions: int) -> Body:
    cls = messages.FetchResponse
    found = [
        cls.PartitionData(partition_index=index, high_watermark=10**9, last_stable_offset=10**9, records=BATCH)
        for index in range(partitions)
    ]
    return cls(session_id=1, responses=[cls.FetchableTopicResponse(topic_id=TOPIC_ID, partitions=found)])


def metadata_response(topics: int, partitions: int) -> Body:
    cls = messages.MetadataResponse
    brokers = [cls.MetadataResponseBroker(node_id=node, host=f"broker-{node}.example", port=9092) for node in range(3)]
    shown = [
        cls.MetadataResponsePartition(
            partition_index=index, leader_id=1, leader_epoch=5, replica_nodes=[1, 2, 3], isr_nodes=[1, 2, 3]
        )
        for index in range(partitions)
    ]
    each = [cls.MetadataResponseTopic(name=f"topic-{n}", topic_id=TOPIC_ID, partitions=shown) for n in range(topics)]
    return cls(brokers=brokers, cluster_id="mill", controller_id=1, topics=each)


CASES: list[tuple[str, Body, int]] = [
    ("Produce request 13, 1 partition", produce_request(1), 13),
    ("Produce request 13, 10 partitions", produce_request(10), 13),
    ("Produce response 13, 1 partition", produce_response(1), 13),
    ("Fetch request 18, nothing new in the session", fetch_request(0), 18),
    ("Fetch request 18, 100 partitions", fetch_request(100), 18),
    ("Fetch response 18, 1 partition", fetch_response(1), 18),
    ("Fetch response 18, 100 partitions", fetch_response(100), 18),
    ("Metadata response 13, 1 partition", metadata_response(1, 1), 13),
    ("Metadata response 13, 1,000 partitions", metadata_response(100, 10), 13),
    ("Metadata response 8, 1,000 partitions", metadata_response(100, 10), 8),
]


def micros(work: Callable[[], Any]) -> float:
    """The best time of one call."""
    timer = timeit.Timer(work)
    count = 1
    while timer.timeit(count) < RUN_S:
        count *= 2
    return min(timer.repeat(RUNS, count)) / count * 1e6


def first_use_ms(before: str, measured: str) -> float:
    """Milliseconds in a fresh interpreter, the best of five."""
    program = FIRST_USE.format(before=before, measured=measured)
    runs = (subprocess.run([sys.executable, "-c", program], capture_output=True, check=True) for _ in range(5))
    return min(float(run.stdout) for run in runs)


def main() -> None:
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores; microseconds, decoded from a memoryview\n")
    print(f"| {'message and version':46} | {'bytes':>7} | {'encode':>7} | {'decode':>7} |")
    print(f"|{'-' * 48}|{'-' * 8}:|{'-' * 8}:|{'-' * 8}:|")
    for title, message, version in CASES:
        content = memoryview(encode(message, version))
        assert encode(decode(type(message), version, content)[0], version) == content
        write, read = encoder(type(message), version), decoder(type(message), version)
        took = micros(lambda w=write, m=message: w(m)), micros(lambda r=read, c=content: r(c))  # type: ignore[misc]
        print(f"| {title:46} | {len(content):7,} | {took[0]:7,.1f} | {took[1]:7,.1f} |")
    module = "from millrace.kafka import messages as m"
    print()
    for title, before, measured in (
        ("import of the module", "import re, typing, linecache", module),
        ("versions of all APIs, from the headers alone", module, "for key in m.API_KEYS: m.versions(key)"),
        ("one API's classes (Fetch)", module, "m.FetchRequest"),
        ("one decoder (Fetch request 18)", f"{module}; m.FetchRequest", "m.decoder(m.FetchRequest, 18)"),
        ("one encoder (Fetch response 18)", f"{module}; m.FetchRequest", "m.encoder(m.FetchResponse, 18)"),
        ("all classes of all APIs", module, "for key in m.API_KEYS: m.request_type(key)"),
    ):
        print(f"{title}: {first_use_ms(before, measured):.1f} ms")


if __name__ == "__main__":
    main()
