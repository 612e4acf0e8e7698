"""The table of error codes: complete, named, and usable as numbers."""

from __future__ import annotations

from struct import pack

from millrace.kafka import codes


def test_the_table_is_dense_and_named() -> None:
    assert sorted(codes.CODES) == list(range(-1, 134))
    for number, code in codes.CODES.items():
        assert code == number
        assert getattr(codes, code.name) is code
        assert code.message
    assert len({code.message for code in codes.CODES.values()}) == len(codes.CODES)


def test_a_code_goes_on_the_wire_and_into_the_log_as_it_is() -> None:
    assert pack(">h", codes.NOT_LEADER_OR_FOLLOWER) == b"\x00\x06"
    assert f"{codes.NOT_LEADER_OR_FOLLOWER}" == "NOT_LEADER_OR_FOLLOWER(6)"
    assert codes.NOT_LEADER_OR_FOLLOWER.retriable
    assert not codes.NONE.retriable


def test_an_unknown_number_is_an_unknown_error() -> None:
    assert codes.code_of(3) is codes.UNKNOWN_TOPIC_OR_PARTITION
    assert codes.code_of(9999) is codes.UNKNOWN_SERVER_ERROR
