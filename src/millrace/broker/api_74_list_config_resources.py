"""ListConfigResources (74): which resources may have configs; version 0 those of client metrics only.

Versions: 0 to 1.
Behaviour: KIP-1142. Topics and brokers are listed with or without configs of their own, groups and client-metrics
subscriptions only when they have some. An empty list of types asks for all of them.
Version notes: 0 was called ListClientMetricsResources (KIP-1000), 1 all types.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from millrace.base.errors import Refused
from millrace.broker.api import CLUSTER_NAME, Api, Context, Resource
from millrace.kafka import codes, messages
from millrace.state.cluster_image import (
    RESOURCE_BROKER,
    RESOURCE_BROKER_LOGGER,
    RESOURCE_CLIENT_METRICS,
    RESOURCE_GROUP,
    RESOURCE_TOPIC,
    ClusterImage,
)

Response = messages.ListConfigResourcesResponse
ConfigResource = messages.ListConfigResourcesResponse.ConfigResource

ALL_TYPES = (RESOURCE_TOPIC, RESOURCE_BROKER, RESOURCE_BROKER_LOGGER, RESOURCE_CLIENT_METRICS, RESOURCE_GROUP)


def handle(context: Context, request: Any) -> Any:
    kinds = [RESOURCE_CLIENT_METRICS] if context.api_version == 0 else list(dict.fromkeys(request.resource_types))
    for kind in kinds:
        if kind not in ALL_TYPES:
            raise Refused(codes.UNSUPPORTED_VERSION, f"there is no resource type {kind}")
    image = context.broker.image
    return Response(
        config_resources=[
            ConfigResource(resource_name=name, resource_type=kind)
            for kind in kinds or ALL_TYPES
            for name in _names(image, kind)
        ]
    )


def _names(image: ClusterImage, kind: int) -> Iterable[str]:
    if kind == RESOURCE_TOPIC:
        return sorted(image.topics)
    if kind in (RESOURCE_BROKER, RESOURCE_BROKER_LOGGER):
        return [str(broker_id) for broker_id in sorted(image.brokers)]
    return image.configured(kind)


def resources(request: Any) -> list[Resource]:
    return [Resource("describe_configs", "cluster", CLUSTER_NAME)]


API = Api(74, "ListConfigResources", (0, 1), handle, resources=resources)
