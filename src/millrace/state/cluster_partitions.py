"""What the cluster machine decides about leadership of partitions: so far, that a leader begins a new epoch."""

from __future__ import annotations

from collections.abc import Iterable

from millrace.state import cluster_records
from millrace.state.cluster_image import ClusterImage
from millrace.state.machine import Record


class RaiseLeaderEpochs:
    """Asked by a broker after an unclean start, for the partitions it leads: (topic id, index) of each.

    What its logs lost in the crash may have been read by somebody. Under a new epoch a reader that is ahead is told
    where the log now ends, instead of reading other records at offsets it has seen (KIP-320).
    """

    __slots__ = ("broker_id", "partitions")

    def __init__(self, broker_id: int, partitions: Iterable[tuple[bytes, int]]) -> None:
        self.broker_id = broker_id
        self.partitions = tuple(partitions)


def raise_leader_epochs(image: ClusterImage, request: RaiseLeaderEpochs) -> list[Record]:
    """The whole state of each partition, one epoch later; those that another broker leads are left alone."""
    decided = []
    for topic_id, index in request.partitions:
        topic = image.topic_by_id(topic_id)
        if topic is None or index >= topic.partition_count:
            continue
        partition = topic.partitions[index]
        if partition.leader != request.broker_id:
            continue
        decided.append(
            cluster_records.partition(
                topic_id,
                index,
                list(partition.replicas),
                list(partition.isr),
                partition.leader,
                partition.leader_epoch + 1,
                partition.partition_epoch + 1,
                list(partition.directories),
            )
        )
    return decided
