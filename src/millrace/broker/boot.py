"""How a broker comes up and goes down, as steps: each yields a ticket that must be done before it goes on.

The order (design section 4): the root, ``__cluster_metadata-0``, the image, then all other partitions. Sockets open
when the steps are through, and close before those of the shutdown begin; that is the runtime's part.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from millrace.base.errors import Refused, StorageFault
from millrace.base.ports import Ticket, all_done
from millrace.broker.machine_host import MachineHost
from millrace.broker.partition import Partition
from millrace.broker.topic_logs import METADATA_TOPIC
from millrace.kafka import messages
from millrace.state.cluster_image import RESOURCE_BROKER
from millrace.state.cluster_partitions import RaiseLeaderEpochs
from millrace.state.machine import Call

if TYPE_CHECKING:
    from millrace.broker.broker import Broker
    from millrace.storage.folder import LogFolder
    from millrace.storage.log import Log

log = logging.getLogger("millrace.boot")

METADATA_TOPIC_ID = bytes(15) + b"\x01"  # Kafka's fixed id of the metadata topic
METADATA_PATH = "/metadata"
Steps = Generator[Ticket[Any], None, None]


def start(broker: Broker) -> Steps:
    """From folders on disk to a broker whose partitions can be used."""
    epoch = yield from _take_metadata_epoch(broker)
    yield from _load_metadata(broker, epoch)
    _apply_dynamic_config(broker)
    now_ms = broker.wall_ms()
    found: dict[tuple[str, int], tuple[LogFolder, Log]] = {}
    for folder in broker.folders:
        logs = folder.load(lambda topic, index, topic_id: broker.topic_logs.config_of(topic), now_ms)
        for key, each in logs.items():
            if key[0] != METADATA_TOPIC:
                found[key] = (folder, each)
    _check_nothing_is_missing(broker, found)
    unclean = [key for key, (folder, each) in found.items() if not folder.was_clean and each.log_end_offset]
    broker.topic_logs.adopt(found)
    yield from _begin_new_epochs(broker, unclean)
    for topic in list(broker.image.topics.values()):
        while not broker.topic_logs.is_ready(topic.id):
            ready: Ticket[None] = Ticket()
            outcome = broker.when_ready([topic.id], 1 << 40, lambda timed_out: None)
            if outcome is None:
                break
            broker.waiting.add(outcome, lambda waiting, timed_out, ready=ready: ready.complete())  # type: ignore[misc]
            yield ready


def _check_nothing_is_missing(broker: Broker, found: dict[tuple[str, int], tuple[LogFolder, Log]]) -> None:
    """Refuse to start on less than there was: what is missing would be made anew and empty, what is unknown removed."""
    controller = broker.controller
    assert controller is not None
    if not controller.partition.log.log_end_offset and found:
        topic, index = min(found)
        raise Refused(
            0,
            f"the first of log.dirs has no cluster metadata, but there are logs, {topic}-{index} of {len(found)}: "
            "it must be the folder that it was before",
        )
    known = broker.image.brokers.get(broker.node_id)
    here = {folder.directory_id for folder in broker.folders}
    lost = [each for each in known.directories if each not in here] if known is not None else []
    missing = [
        f"{topic.name}-{index}"
        for topic, index, partition in broker.image.partitions()
        if broker.node_id in partition.replicas and (topic.name, index) not in found
    ]
    if lost and missing:
        raise Refused(
            0,
            f"log.dirs lacks {len(lost)} of the folders that it had, and {len(missing)} partitions are missing, "
            f"{missing[0]} for example: name all folders again",
        )


def _begin_new_epochs(broker: Broker, unclean: list[tuple[str, int]]) -> Steps:
    """After an unclean start every log that has records gets a new leader epoch before anything is appended to it."""
    partitions = [broker.partitions[key] for key in unclean if key in broker.partitions]
    if not partitions:
        return
    controller = broker.controller
    assert controller is not None
    controller.tell(RaiseLeaderEpochs(broker.node_id, [(each.topic_id, each.index) for each in partitions]))
    committed: Ticket[None] = Ticket()
    controller.when_committed(lambda: committed.complete())
    yield committed
    for each in partitions:
        image = broker.image.partition(each.topic, each.index)
        if image is not None:
            each.leader_epoch = max(image.leader_epoch, each.leader_epoch)


def register(broker: Broker, listeners: list[tuple[str, str, int, int]], rack: str | None, incarnation: bytes) -> Steps:
    """Tell the cluster where this broker is reached: (name, host, port, security protocol) a listener."""
    listener = messages.BrokerRegistrationRequest.Listener
    request = messages.BrokerRegistrationRequest(
        broker_id=broker.node_id,
        cluster_id=broker.cluster_id,
        incarnation_id=incarnation,
        listeners=[
            listener(name=name, host=host, port=port, security_protocol=kind) for name, host, port, kind in listeners
        ],
        rack=rack,
        log_dirs=[folder.directory_id for folder in broker.folders],
    )
    broker.endpoints = {name: (host, port) for name, host, port, _ in listeners}
    controller = broker.controller
    assert controller is not None
    controller.tell(Call(request, 4))
    committed: Ticket[None] = Ticket()
    controller.when_committed(lambda: committed.complete())
    yield committed


def _take_metadata_epoch(broker: Broker) -> Generator[Ticket[Any], None, int]:
    """Become leader of the metadata log in the root; the new leader epoch."""
    root = broker.root
    name = str(broker.node_id).encode()
    ticket: Ticket[Any] = root.get(METADATA_PATH)
    yield ticket
    known = ticket.result()
    if known is None:
        epoch = 1
        ticket = root.create(METADATA_PATH, _metadata_node(broker, epoch))
    else:
        epoch = int(known[0].split(b" ")[0]) + 1
        ticket = root.set(METADATA_PATH, _metadata_node(broker, epoch), known[1])
    yield ticket
    ticket.result()
    for path in (f"/brokers/ids/{broker.node_id}", "/controller"):
        ticket = root.create(path, name, ephemeral=True)
        yield ticket
        ticket.result()
    return epoch


def _metadata_node(broker: Broker, epoch: int) -> bytes:
    """Epoch, leader and ISR of ``__cluster_metadata-0``, as the root keeps them."""
    return f"{epoch} {broker.node_id} {broker.node_id}".encode()


def _load_metadata(broker: Broker, epoch: int) -> Steps:
    folder = broker.folders[0]
    if folder.failed is not None:
        raise folder.failed
    opened, ticket = folder.open_log(
        METADATA_TOPIC, 0, METADATA_TOPIC_ID, broker.topic_logs.metadata_config(), broker.wall_ms()
    )
    yield ticket
    ticket.result()
    partition = Partition(
        METADATA_TOPIC,
        METADATA_TOPIC_ID,
        0,
        opened,
        broker.topic_logs.metadata_config(),
        leader_id=broker.node_id,
        leader_epoch=epoch,
        flusher=broker.flusher,
        check=broker.check,
    )
    folder.watch_faults(opened, partition.on_failed)
    broker.topic_logs.folder_of[partition] = folder
    host = broker.controller = MachineHost(broker, broker.cluster, partition, broker.on_metadata_committed)
    while True:
        done = host.load_slice()
        if isinstance(done, Ticket):
            yield done
        elif done:
            break
    broker.cluster.commit(partition.high_watermark.offset)


def _apply_dynamic_config(broker: Broker) -> None:
    image = broker.image
    if image.configs(RESOURCE_BROKER, "") or image.configs(RESOURCE_BROKER, str(broker.node_id)):
        broker.reconfigure()


def stop(broker: Broker) -> Steps:
    """A controlled shutdown: everything is flushed, closed and marked clean."""
    broker.is_serving = False
    now_ms = broker.wall_ms()
    yield all_done(
        [partition.log.close(now_ms, True) for partition in broker.topic_logs.folder_of if partition.failed is None]
    )
    for partition in broker.topic_logs.folder_of:
        partition.close_down()
    for folder in broker.folders:
        if folder.failed is None:
            try:
                ticket = folder.close(now_ms)
            except (StorageFault, Refused) as error:
                log.error("%s", error)
                continue
            yield ticket
