"""Error codes and facts about APIs against Kafka's own tables."""

from __future__ import annotations

import jpype
import pytest

from millrace.kafka import messages
from millrace.kafka.codes import CODES
from tests.kafka.java_records import java_class

pytestmark = pytest.mark.oracle


def test_every_error_code_has_kafkas_number_name_and_retriability() -> None:
    retriable = java_class("org.apache.kafka.common.errors.RetriableException").class_
    theirs = {
        int(error.code()): (
            str(error.name()),
            error.exception() is not None and retriable.isInstance(error.exception()),
        )
        for error in java_class("org.apache.kafka.common.protocol.Errors").values()
    }
    assert {number: (code.name, code.retriable) for number, code in CODES.items()} == theirs


def test_every_api_has_kafkas_name_versions_headers_and_listeners() -> None:
    api_keys = java_class("org.apache.kafka.common.protocol.ApiKeys")
    listener_types = {
        name: getattr(java_class("org.apache.kafka.common.message.ApiMessageType").ListenerType, name.upper())
        for name in ("broker", "controller")
    }
    with_versions = [api for api in api_keys.values() if api.hasValidVersion()]
    assert [int(api.id) for api in with_versions] == list(messages.API_KEYS)
    for api in with_versions:
        key = int(api.id)
        assert messages.api_name(key) == str(api.name)
        low, high = messages.versions(key)
        assert (low, high) == (int(api.oldestVersion()), int(api.latestVersion()))
        assert messages.stable_versions(key) == (low, int(api.latestVersion(False)))
        served_by = {name for name, kind in listener_types.items() if api.inScope(kind)}
        assert set(messages.listeners(key)) == served_by
        for version in range(low, high + 1):
            short = jpype.JShort(version)
            assert messages.header_version(key, version) == int(api.requestHeaderVersion(short))
            assert messages.header_version(key, version, response=True) == int(api.responseHeaderVersion(short))
