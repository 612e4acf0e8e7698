"""The configuration that holds for all brokers of a cluster, and is not one broker's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from millrace.client.address import Address
from millrace.client.admin_connection import AdminConnection
from millrace.client.errors import ClientError
from millrace.kafka import codes, messages

RESOURCE_BROKER: Final = 4
OF_ALL_BROKERS: Final = ""
SET: Final = 0
DELETE: Final = 1


def describe(addresses: tuple[Address, ...]) -> list[tuple[str, str | None, bool]]:
    """(name, value, is it sensitive) of each value that was set for all brokers."""
    request = messages.DescribeConfigsRequest
    asked = request.DescribeConfigsResource(resource_type=RESOURCE_BROKER, resource_name=OF_ALL_BROKERS)
    with AdminConnection(addresses) as connection:
        response = connection.ask(request(resources=[asked]))
    (result,) = response.results
    _check(result.error_code, result.error_message)
    return [(each.name, each.value, each.is_sensitive) for each in sorted(result.configs, key=lambda each: each.name)]


def alter(addresses: tuple[Address, ...], new: Mapping[str, str], unset: Iterable[str] = ()) -> None:
    request = messages.IncrementalAlterConfigsRequest
    configs = [request.AlterableConfig(name=name, config_operation=SET, value=value) for name, value in new.items()]
    configs += [request.AlterableConfig(name=name, config_operation=DELETE, value=None) for name in unset]
    resource = request.AlterConfigsResource(
        resource_type=RESOURCE_BROKER, resource_name=OF_ALL_BROKERS, configs=configs
    )
    with AdminConnection(addresses) as connection:
        response = connection.ask(request(resources=[resource]))
    (result,) = response.responses
    _check(result.error_code, result.error_message)


def _check(code: int, message: str | None) -> None:
    if code:
        found = codes.code_of(code)
        raise ClientError(f"all brokers: {message or found.message}", found.name)
