"""DescribeLogDirs (35): the log folders of this broker, the replicas in each with their sizes, and the room on disk.

Versions: 1 to 5.
Behaviour: KIP-113. Null topics ask for all replicas, an empty list for none; what is not here is left out. A folder
that is offline is listed with KAFKA_STORAGE_ERROR and no replicas. The cluster's metadata log is not listed, as in
Kafka. The leader's lag is 0, and no replica moves between folders, so none is a future one.
Version notes: 2 flexible, 3 a code of the whole, 4 total and usable bytes (KIP-827), 5 cordoned folders (KIP-1066: none
can be cordoned here).
"""

from __future__ import annotations

from typing import Any

from millrace.base.errors import StorageFault
from millrace.broker.api import CLUSTER_NAME, Api, Context, Resource
from millrace.kafka import codes, messages

Response = messages.DescribeLogDirsResponse
Result = messages.DescribeLogDirsResponse.DescribeLogDirsResult
Topic = messages.DescribeLogDirsResponse.DescribeLogDirsTopic
Partition = messages.DescribeLogDirsResponse.DescribeLogDirsPartition


def handle(context: Context, request: Any) -> Any:
    broker = context.broker
    by_folder: dict[Any, dict[str, list[Any]]] = {folder: {} for folder in broker.folders}
    for name, index in _wanted(context, request):
        partition = broker.partitions[name, index]
        folder = broker.topic_logs.folder_of.get(partition)
        if folder is not None:
            described = Partition(partition_index=index, partition_size=partition.log.size_bytes)
            by_folder[folder].setdefault(name, []).append(described)
    return Response(results=[_described(folder, topics) for folder, topics in by_folder.items()])


def _wanted(context: Context, request: Any) -> list[tuple[str, int]]:
    """The partitions here that the request asks for, each once."""
    partitions = context.broker.partitions
    if request.topics is None:
        return list(partitions)
    asked = dict.fromkeys((topic.topic, index) for topic in request.topics for index in topic.partitions)
    return [key for key in asked if key in partitions]


def _described(folder: Any, topics: dict[str, list[Any]]) -> Any:
    disk = folder.disk
    result = Result(log_dir=disk.full_path(""))
    if folder.failed is not None:
        result.error_code = codes.KAFKA_STORAGE_ERROR
        return result
    try:
        result.total_bytes, result.usable_bytes = disk.total_bytes(), disk.free_bytes()
    except StorageFault:
        result.error_code = codes.KAFKA_STORAGE_ERROR
        return result
    result.topics = [Topic(name=name, partitions=described) for name, described in topics.items()]
    return result


def resources(request: Any) -> list[Resource]:
    return [Resource("describe", "cluster", CLUSTER_NAME)]


def fail(context: Context, request: Any, code: int, message: str) -> Any:
    """Versions without a code of the whole say nothing, as in Kafka."""
    return Response(error_code=code)


API = Api(35, "DescribeLogDirs", (1, 5), handle, resources=resources, fail=fail)
