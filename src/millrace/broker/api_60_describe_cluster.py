"""DescribeCluster (60): the brokers of the cluster as a client reaches them, and the controller.

Versions: 0 to 2.
Behaviour: KIP-700. Asked for controllers, a broker's listener answers MISMATCHED_ENDPOINT_TYPE (KIP-919). As in Kafka,
``controller_id`` names a broker that will do for requests to the controller.
Version notes: 1 endpoint types, 2 fenced brokers (KIP-1073).
"""

from __future__ import annotations

from typing import Any

from millrace.base.errors import Refused
from millrace.broker.api import CLUSTER_NAME, Api, Context, Resource
from millrace.broker.authorized_operations import cluster_operations
from millrace.broker.listings import reachable_brokers
from millrace.kafka import codes, messages

Response = messages.DescribeClusterResponse
Broker = messages.DescribeClusterResponse.DescribeClusterBroker

ENDPOINT_BROKER, ENDPOINT_CONTROLLER = 1, 2


def handle(context: Context, request: Any) -> Any:
    if request.endpoint_type == ENDPOINT_CONTROLLER:
        raise Refused(codes.MISMATCHED_ENDPOINT_TYPE, "this endpoint is a broker's, asked for was a controller's")
    if request.endpoint_type != ENDPOINT_BROKER:
        raise Refused(codes.UNSUPPORTED_ENDPOINT_TYPE, f"endpoint type {request.endpoint_type}: expected 1 or 2")
    reachable = reachable_brokers(context, fenced=request.include_fenced_brokers)
    response = Response(
        cluster_id=context.broker.cluster_id,
        controller_id=next((each.id for each in reachable.values() if not each.is_fenced), -1),
        brokers=[
            Broker(broker_id=each.id, host=each.host, port=each.port, rack=each.rack, is_fenced=each.is_fenced)
            for each in reachable.values()
        ],
    )
    if request.include_cluster_authorized_operations:
        response.cluster_authorized_operations = cluster_operations(context)
    return response


def resources(request: Any) -> list[Resource]:
    return [Resource("describe", "cluster", CLUSTER_NAME)]


API = Api(60, "DescribeCluster", (0, 2), handle, resources=resources)
