"""Making the logs of new partitions: a few in each turn of the loop, so that ten thousand do not hold up the others.

A topic is *ready* when all its partitions here can be used. A topic that is deleted meanwhile is not made any further;
one of the same name that comes after it waits until what was on its way under that name has arrived and is gone. A log
that cannot be made (the disk is full, the old files are broken) is tried again every few seconds; until then its
partition is refused and the topic is not ready.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from millrace.base.errors import StorageFault
from millrace.base.ports import Ticket, all_done
from millrace.state.cluster_image import TopicImage

if TYPE_CHECKING:
    from millrace.broker.broker import Broker
    from millrace.broker.partition import Partition
    from millrace.storage.folder import LogFolder
    from millrace.storage.log import Log

log = logging.getLogger("millrace.log_making")

LOGS_A_TURN: Final = 20  # about a millisecond each
RETRY_MS: Final = 5_000

Key = tuple[str, int]


class _Made(NamedTuple):
    """A log that is there; ``ticket`` tells when it would survive a crash."""

    topic: TopicImage
    partition_index: int
    folder: LogFolder
    log: Log
    ticket: Ticket[None]


class LogMaking:
    """See the module. ``add`` makes a partition of a log."""

    __slots__ = (
        "_add",
        "_blocked",
        "_broker",
        "_is_turn_counted",
        "_left_in_turn",
        "_missing",
        "_on_the_way",
        "_ready",
        "_unmade",
        "_wanted",
    )

    def __init__(self, broker: Broker, add: Callable[[TopicImage, int, LogFolder, Log], Partition]) -> None:
        self._broker = broker
        self._add = add
        self._ready: set[bytes] = set()
        self._missing: dict[bytes, int] = {}  # partitions that cannot be used yet, by topic
        self._wanted: deque[tuple[TopicImage, int]] = deque()
        self._on_the_way: set[Key] = set()
        self._blocked: dict[Key, TopicImage] = {}  # wanted under a name that is on its way for a deleted topic
        self._unmade: list[tuple[TopicImage, int]] = []  # to be tried again
        self._left_in_turn = LOGS_A_TURN
        self._is_turn_counted = False

    def is_ready(self, topic_id: bytes) -> bool:
        return topic_id in self._ready

    def make(self, topic: TopicImage, indexes: Iterable[int]) -> None:
        """Make these partitions' logs; with none to make the topic is ready."""
        wanted = [(topic, index) for index in indexes]
        if not wanted:
            if topic.id not in self._missing:
                self._become_ready(topic)
            return
        self._ready.discard(topic.id)
        self._missing[topic.id] = self._missing.get(topic.id, 0) + len(wanted)
        self._want(wanted)

    def forget(self, topic: TopicImage) -> None:
        """The topic was deleted."""
        self._ready.discard(topic.id)
        self._missing.pop(topic.id, None)

    def expire(self) -> None:
        """It is time to try again what could not be made."""
        unmade, self._unmade = self._unmade, []
        self._want(unmade)

    def _want(self, wanted: Iterable[tuple[TopicImage, int]]) -> None:
        self._wanted.extend(wanted)
        self._make_some()

    def _next_turn(self) -> None:
        self._is_turn_counted = False
        self._left_in_turn = LOGS_A_TURN
        self._make_some()

    def _make_some(self) -> None:
        made: list[_Made] = []
        while self._wanted and self._left_in_turn:
            topic, index = self._wanted.popleft()
            if not self._is_living(topic):
                continue
            key = (topic.name, index)
            if key in self._on_the_way:
                self._blocked[key] = topic
                continue
            self._left_in_turn -= 1
            each = self._make_one(topic, index)
            if each is None:
                self._unmade.append((topic, index))
                self._broker.deadlines.set(self, self._broker.mono_ms() + RETRY_MS)
                continue
            self._on_the_way.add(key)
            made.append(each)
        if self._left_in_turn < LOGS_A_TURN and not self._is_turn_counted:
            self._is_turn_counted = True
            self._broker.defer(self._next_turn)
        if made:
            all_done([each.ticket for each in made]).then(lambda _: self._on_made(made))

    def _make_one(self, topic: TopicImage, index: int) -> _Made | None:
        online = [folder for folder in self._broker.folders if folder.failed is None]
        folder = min(online, key=lambda each: each.log_count, default=None)
        if folder is None:
            return None
        config = self._broker.topic_logs.config_of(topic.name)
        try:
            made, ticket = folder.create_log(topic.name, index, topic.id, config, self._broker.wall_ms())
        except StorageFault as fault:
            log.error("%s-%d cannot be made: %s", topic.name, index, fault)
            return None
        return _Made(topic, index, folder, made, ticket)

    def _on_made(self, made: list[_Made]) -> None:
        unblocked = []
        for each in made:
            key = (each.topic.name, each.partition_index)
            self._on_the_way.discard(key)
            if self._is_living(each.topic):
                partition = self._add(each.topic, each.partition_index, each.folder, each.log)
                error = each.ticket.error
                if error is not None:
                    partition.on_failed(error if isinstance(error, StorageFault) else StorageFault("?", str(error)))
                self._arrived(each.topic)
            else:
                each.folder.delete_log(each.log)
            successor = self._blocked.pop(key, None)
            if successor is not None:
                unblocked.append((successor, each.partition_index))
        self._want(unblocked)

    def _is_living(self, topic: TopicImage) -> bool:
        return self._broker.image.topic_by_id(topic.id) is topic

    def _arrived(self, topic: TopicImage) -> None:
        self._missing[topic.id] -= 1
        if not self._missing[topic.id]:
            del self._missing[topic.id]
            self._become_ready(topic)

    def _become_ready(self, topic: TopicImage) -> None:
        self._ready.add(topic.id)
        self._broker.waiting.wake(("topic ready", topic.id))
