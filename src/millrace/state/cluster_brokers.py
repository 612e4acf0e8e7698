"""What the cluster machine decides about brokers: their registration, the features in force, blocks of producer ids."""

from __future__ import annotations

from typing import Final

from millrace.base.errors import Refused
from millrace.kafka import codes, messages, records
from millrace.state import cluster_records
from millrace.state.cluster_image import ClusterImage
from millrace.state.machine import Record

PRODUCER_ID_BLOCK: Final = 1_000
PRODUCER_ID_MAX: Final = (1 << 63) - 1

# Written when the cluster is founded. The level tells Kafka's tools how to read the records (4.3-IV0 in their words);
# other features are named once what they stand for is built.
FOUNDING_FEATURES: Final = {"metadata.version": 30}


def register(
    image: ClusterImage, request: messages.BrokerRegistrationRequest
) -> tuple[list[Record], messages.BrokerRegistrationResponse]:
    """A broker starts: its listeners, features and directories are recorded, and it gets the next epoch. The first
    one founds the cluster. It is registered unfenced: who lives is told by the root, not by heartbeats."""
    decided = [] if image.features else [cluster_records.feature(*item) for item in FOUNDING_FEATURES.items()]
    known = image.brokers.get(request.broker_id)
    epoch = 1 if known is None else known.epoch + 1
    decided.append(
        cluster_records.broker(
            records.RegisterBrokerRecord(
                broker_id=request.broker_id,
                incarnation_id=request.incarnation_id,
                broker_epoch=epoch,
                end_points=[
                    records.RegisterBrokerRecord.BrokerEndpoint(
                        name=listener.name,
                        host=listener.host,
                        port=listener.port,
                        security_protocol=listener.security_protocol,
                    )
                    for listener in request.listeners
                ],
                features=[
                    records.RegisterBrokerRecord.BrokerFeature(
                        name=feature.name,
                        min_supported_version=feature.min_supported_version,
                        max_supported_version=feature.max_supported_version,
                    )
                    for feature in request.features
                ],
                rack=request.rack,
                fenced=False,
                log_dirs=list(request.log_dirs),
            )
        )
    )
    return decided, messages.BrokerRegistrationResponse(broker_epoch=epoch)


def allocate_producer_ids(
    image: ClusterImage, request: messages.AllocateProducerIdsRequest
) -> tuple[list[Record], messages.AllocateProducerIdsResponse]:
    """The next block of producer ids for a broker; a block that a broker does not use up is lost, never given again."""
    broker = image.brokers.get(request.broker_id)
    if broker is None:
        raise Refused(codes.BROKER_ID_NOT_REGISTERED, f"broker {request.broker_id} is not registered")
    if broker.epoch != request.broker_epoch:
        raise Refused(
            codes.STALE_BROKER_EPOCH,
            f"broker {request.broker_id} asks with epoch {request.broker_epoch}, expected {broker.epoch}",
        )
    first = image.next_producer_id
    if first > PRODUCER_ID_MAX - PRODUCER_ID_BLOCK:
        raise Refused(codes.UNKNOWN_SERVER_ERROR, "all producer ids have been given out")
    decided = [cluster_records.producer_ids(request.broker_id, request.broker_epoch, first + PRODUCER_ID_BLOCK)]
    return decided, messages.AllocateProducerIdsResponse(producer_id_start=first, producer_id_len=PRODUCER_ID_BLOCK)
