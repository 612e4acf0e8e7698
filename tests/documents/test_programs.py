"""Every Python program of the decks runs against the broker, with kafka-python, as printed.

The programs are in ``programs/``, with their typing errors mended and named. What a run changes: the address, the
topics and the group (a fresh name for each test), and how long ``sleep`` sleeps; a consumer that never ends is left
when it has printed what was to come. The programs themselves know of none of it: they see a ``time`` and a ``print`` of
their own, nothing outside of them is touched.
"""

from __future__ import annotations

import builtins
import re
import types
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from millrace import Broker

PROGRAMS = Path(__file__).parent / "programs"


class Enough(BaseException):
    """The program has printed what was to come."""


class Program:
    """One run of a program."""

    def __init__(self, name: str, broker: Broker, **renamed: str) -> None:
        self.source = (PROGRAMS / f"{name}.txt").read_text(encoding="utf8")
        for old, new in {"localhost:9092": broker.bootstrap_servers, **renamed}.items():
            assert old in self.source or old == "'my-group'", f"{name} does not contain {old}"
            self.source = self.source.replace(old, new)
        self.name = name
        self.printed: list[str] = []
        self.slept: list[float] = []
        self.names: dict[str, Any] = {}

    def run(self, *, lines_max: int | None = None, sleeps_max: int | None = None) -> Program:
        """To its end, or until it has printed so many lines or slept so many times."""

        def short_sleep(seconds: float) -> None:
            self.slept.append(seconds)
            if len(self.slept) == sleeps_max:
                raise Enough

        def keep(*words: object) -> None:
            self.printed.append(" ".join(map(str, words)))
            if len(self.printed) == lines_max:
                raise Enough

        own_time = types.SimpleNamespace(sleep=short_sleep)
        own_builtins = {**vars(builtins), "__import__": _import_with(own_time), "print": keep}
        self.names = {"__name__": "__main__", "__builtins__": own_builtins}
        try:
            exec(compile(self.source, f"{self.name}.txt", "exec"), self.names)
        except Enough:
            pass
        finally:
            for each in self.names.values():
                if type(each).__name__ in ("KafkaProducer", "KafkaConsumer"):
                    each.close()
        return self


def _import_with(own_time: Any) -> Callable[..., Any]:
    """``import`` that gives the program, and nobody else, another ``time``."""

    def own_import(name: str, *where: Any, **more: Any) -> Any:
        return own_time if name == "time" else builtins.__import__(name, *where, **more)

    return own_import


@pytest.fixture
def renamed(millrace_topic: str) -> dict[str, str]:
    return {"'test'": f"'{millrace_topic}'", "'my-group'": f"'{millrace_topic}'"}


def test_numtest(millrace_broker: Broker, millrace_topic: str) -> None:
    """Row S241: a thousand numbers, five seconds apart, are printed by the consumer."""
    producer = Program("numtest_producer", millrace_broker, numtest=millrace_topic).run()
    assert producer.slept == [5] * 1000
    assert producer.printed == [str({"number": e}) for e in range(1000)]
    group = {"'my-group'": f"'{millrace_topic}'"}
    consumer = Program("numtest_consumer", millrace_broker, numtest=millrace_topic, **group).run(lines_max=1000)
    assert consumer.printed == producer.printed


def test_sample3(millrace_broker: Broker, millrace_topic: str) -> None:
    """Row S242. The consumer ends by itself when nothing has come for a second."""
    Program("sample3_producer", millrace_broker, sample3=millrace_topic).run()
    consumer = Program("sample3_consumer", millrace_broker, sample3=millrace_topic).run()
    assert consumer.printed == [f"{millrace_topic}:0:0: key=None value=b'a_value'"]


def test_simple_producer_and_consumer(millrace_broker: Broker, renamed: dict[str, str], millrace_topic: str) -> None:
    """Rows S148 to S150 and S242."""
    topic = {"'test'": renamed["'test'"]}
    Program("producer_default", millrace_broker, **topic).run()
    Program("producer_strings_and_numbers", millrace_broker, **topic).run()
    consumer = Program("consumer_simple", millrace_broker, **renamed).run(lines_max=4)
    assert consumer.printed == [
        f"{millrace_topic}:0:0: key=None value=b'a_value'",
        f"{millrace_topic}:0:1: key=b'a_key' value=b'a_value'",
        f"{millrace_topic}:0:2: key=None value=b'a_string_value'",
        f"{millrace_topic}:0:3: key=None value=b'\\x00\\x00\\x00\\x00\\x00'",
    ]


def test_the_consumer_goes_on_where_its_group_was(millrace_broker: Broker, renamed: dict[str, str]) -> None:
    """Trap T1: `earliest` is for a group that has committed nothing; one that has goes on from there."""
    topic = {"'test'": renamed["'test'"]}
    for value in ("first", "second"):
        Program("producer_default", millrace_broker, **topic, **{"b'a_value'": f"b'{value}'"}).run()
        consumer = Program("consumer_simple", millrace_broker, **renamed).run(lines_max=2)
        assert [line.rpartition("=")[2] for line in consumer.printed] == [f"b'{value}'"] * 2


def test_json_producer_and_consumer(millrace_broker: Broker, renamed: dict[str, str]) -> None:
    """Row S243."""
    Program("producer_json", millrace_broker, **{"'test'": renamed["'test'"]}).run()
    consumer = Program("consumer_json", millrace_broker, **renamed).run(lines_max=1000)
    assert consumer.printed == [str({"number": e}) for e in range(1000)]


def test_synchronous_send(millrace_broker: Broker, renamed: dict[str, str], millrace_topic: str) -> None:
    """Rows S149 and S243: the answer has topic, partition and offset."""
    topic = {"'test'": renamed["'test'"]}
    for offset in range(2):
        producer = Program("producer_synchronous", millrace_broker, **topic).run()
        assert producer.printed == [millrace_topic, "0", str(offset)]


def test_synchronous_send_that_fails(millrace_topic: str) -> None:
    """Row S149: a refused request is a KafkaError where the program waits for it."""
    from kafka.errors import KafkaError

    with Broker() as broker:
        program = Program("producer_synchronous", broker, **{"'test'": f"'{millrace_topic}'"})
        program.source = program.source.replace("print (record_metadata", "print (future.exception")
        broker.fail("Produce", "INVALID_TOPIC_EXCEPTION")
        with pytest.raises(AttributeError):  # the deck goes on to use an answer that never came
            program.run()
        assert isinstance(program.names["future"].exception, KafkaError)


def test_connect_and_publish(millrace_broker: Broker, millrace_topic: str) -> None:
    """Row S154: the deck's two functions, used as their names say."""
    program = Program("producer_connect", millrace_broker).run()
    producer = program.names["connect_kafka_producer"]()
    try:
        program.names["publish_message"](producer, millrace_topic, "a key", "a value")
        program.names["publish_message"](producer, millrace_topic, "a key", None)
    finally:
        producer.close()
    assert program.printed == [
        "Message published successfully.",
        "Exception in publishing message",
        "encoding without a string argument",
    ]


def test_the_requests_of_the_decks_are_seen_at_the_broker(millrace_topic: str) -> None:
    """Row S153: Metadata, Produce, Fetch, FindCoordinator (the decks' ConsumerMetadata), Heartbeat; the error
    NotLeaderForPartition makes the producer ask for metadata again and send once more."""
    with Broker(config={"millrace.metrics.listener": "127.0.0.1:0"}) as broker:
        group = {"'my-group'": f"'{millrace_topic}'"}
        topic = {"'test'": f"'{millrace_topic}'"}
        broker.fail("Produce", "NOT_LEADER_OR_FOLLOWER")
        Program("producer_default", broker, **topic).run()
        consumer = Program("consumer_simple", broker, **topic, **group).run(lines_max=2)
        assert len(consumer.printed) == 2
        with urllib.request.urlopen(f"http://{broker.metrics_address}/metrics") as answer:
            page = answer.read().decode()
    counts = dict(re.findall(r'request_seconds_count\{api="(\w+)"\} (\d+)', page))
    for api in ("Metadata", "Produce", "Fetch", "FindCoordinator", "JoinGroup", "SyncGroup", "OffsetCommit"):
        assert int(counts[api]) > 0, f"{api} was not seen"
    assert 'request_errors_total{api="Produce",error="NOT_LEADER_OR_FOLLOWER"} 1' in page
