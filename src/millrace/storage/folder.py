"""One entry of ``log.dirs``: the logs in it, the checkpoint files for all of them, and whether it was closed cleanly.

The files are Kafka's. ``recovery-point-offset-checkpoint`` says for each log from where a restart must scan; it is
written after what is below was flushed, and lowered before anything is appended below it. ``.kafka_cleanshutdown`` is
written last at the end and removed, for good, before anything else is done at the start. After a flush that failed the
whole folder is offline until the next start, because the disk may have forgotten anything.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable

from millrace.base.errors import Refused, StorageFault
from millrace.base.limits import (
    CHECKPOINTS_AT_ONCE,
    CHECKPOINTS_AT_ONCE_MAX,
    RECOVERY_BYTES_MAX,
    RECOVERY_BYTES_MIN,
    RECOVERY_FOLDER_BYTES_MAX,
)
from millrace.base.ports import Disk, Ticket, all_done, done
from millrace.kafka.codes import INVALID_CONFIG
from millrace.storage import names
from millrace.storage.checkpoint import TopicPartition, encode_offsets, parse_offsets
from millrace.storage.identity import (
    UUID_BYTES,
    FolderIdentity,
    encode_partition_metadata,
    parse_folder_identity,
    parse_partition_metadata,
)
from millrace.storage.log import Log
from millrace.storage.segment import Segment
from millrace.storage.settings import LogConfig
from millrace.storage.sparse_index import IndexCache
from millrace.storage.steps import Steps, run_ticket

PARTED_DELAY_MS = 60_000  # as file.delete.delay.ms; a deleted topic has no configuration any more

ConfigFor = Callable[[str, int, bytes | None], LogConfig]
OnFault = Callable[[StorageFault], None]


class _Parted:
    """The folder of a deleted log. ``due_ms`` is when it may go; None until the next look at the clock."""

    __slots__ = ("due_ms", "name", "segments")

    def __init__(self, name: str, segments: list[Segment]) -> None:
        self.name = name
        self.segments = segments
        self.due_ms: int | None = None


class LogFolder:
    """See the module. ``broken``: logs that could not be opened, and why; their files are left as they are."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.cluster_id: str | None = None
        self.node_id: int | None = None
        self.directory_id = b""
        self.was_clean: bool | None = None  # whether the last process closed everything; None until the start
        self.broken: dict[TopicPartition, StorageFault] = {}
        self.recovery_bytes = RECOVERY_BYTES_MAX  # what one log may append before its checkpoint moves
        self.on_fault: OnFault | None = None
        self._logs: dict[TopicPartition, Log] = {}
        self._cache = IndexCache()
        self._watchers: dict[Log, OnFault] = {}
        self._recovery_points: dict[TopicPartition, int] = {}  # as the files had them at the start
        self._start_offsets: dict[TopicPartition, int] = {}
        self._kept: set[TopicPartition] = set()  # partitions that the files on disk may name
        self._is_keeping = False
        self._keep_waiting: list[Ticket[None]] = []
        self._parted: list[_Parted] = []
        self._deletions = 0
        self._checkpoints_running = 0
        self._is_beginning = False
        self._checkpoints_waiting: deque[Callable[[], Ticket[None]]] = deque()
        disk.on_fault = self._on_disk_fault
        if disk.exists(names.META_PROPERTIES):
            identity = parse_folder_identity(names.META_PROPERTIES, disk.read_whole(names.META_PROPERTIES))
            self.cluster_id, self.node_id = identity.cluster_id, identity.node_id
            self.directory_id = identity.directory_id

    # -- whose it is, and whether it works ---------------------------------------------------------------------------

    def identify(self, node_id: int, cluster_id: str, directory_id: bytes) -> Ticket[None]:
        """Make the folder this node's; refused when it is another's. An id that it has already stays."""
        if self.cluster_id is not None:
            if (self.node_id, self.cluster_id) != (node_id, cluster_id):
                raise Refused(
                    INVALID_CONFIG,
                    f"the log folder belongs to node {self.node_id} of cluster {self.cluster_id}, "
                    f"expected node {node_id} of {cluster_id}",
                )
            return done()
        self.node_id, self.cluster_id, self.directory_id = node_id, cluster_id, directory_id
        return self.disk.replace(names.META_PROPERTIES, FolderIdentity(node_id, cluster_id, directory_id).encode())

    @property
    def failed(self) -> StorageFault | None:
        """Why the folder is offline; None while it works."""
        return self.disk.fault

    @property
    def log_count(self) -> int:
        return len(self._logs)

    def watch_faults(self, log: Log, callback: OnFault) -> None:
        """Call ``callback`` when the folder goes offline while ``log`` is in it."""
        self._watchers[log] = callback

    def _on_disk_fault(self, fault: StorageFault) -> None:
        for callback in list(self._watchers.values()):
            callback(fault)
        if self.on_fault is not None:
            self.on_fault(fault)

    # -- start -------------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        """What comes before everything else: the checkpoints, and the mark of a clean end, which is taken away."""
        if self.was_clean is not None:
            return
        disk = self.disk
        self._recovery_points = self._read_offsets(names.RECOVERY_POINTS)
        self._start_offsets = self._read_offsets(names.LOG_START_OFFSETS)
        self._kept = set(self._recovery_points) | set(self._start_offsets)
        self.was_clean = disk.exists(names.CLEAN_SHUTDOWN)
        if self.was_clean:
            disk.finish(disk.remove(names.CLEAN_SHUTDOWN))
            disk.finish(disk.sync_folder())

    def _read_offsets(self, name: str) -> dict[TopicPartition, int]:
        """A checkpoint file; one that is damaged counts as empty, which costs a longer scan and nothing else."""
        if not self.disk.exists(name):
            return {}
        try:
            return parse_offsets(name, self.disk.read_whole(name))
        except StorageFault:
            return {}

    def load(
        self, config_for: ConfigFor, now_ms: int, progress: Callable[[int, int], None] | None = None
    ) -> dict[TopicPartition, Log]:
        """Open all logs of the folder, waiting for the disk; ``progress(opened, of)`` is called after each.

        A log that cannot be opened goes to ``broken``, and the others are opened all the same.
        """
        self._begin()
        disk = self.disk
        found: list[tuple[TopicPartition, str]] = []
        for name in disk.folders():
            if names.parted_folder_kind(name) == "delete":
                disk.finish(disk.remove(name))
                continue
            parsed = names.parse_partition_folder(name)
            if parsed is not None and parsed not in self._logs:
                found.append((parsed, name))
        flushes: list[Ticket[int]] = []
        for count, (key, name) in enumerate(found, 1):
            try:
                topic_id = self._read_topic_id(name)
                log = self._open(key, name, topic_id, config_for(*key, topic_id), now_ms, flushes)
            except StorageFault as fault:
                if disk.fault is not None:
                    raise
                self.broken[key] = fault
                continue
            self._logs[key] = log
            if progress is not None:
                progress(count, len(found))
        disk.finish(all_done(flushes))
        self._share_recovery_bytes()
        if not self.was_clean and found:
            disk.finish(self._keep())
        return dict(self._logs)

    def _open(
        self,
        key: TopicPartition,
        name: str,
        topic_id: bytes | None,
        config: LogConfig,
        now_ms: int,
        flushes: list[Ticket[int]],
    ) -> Log:
        return Log.open(
            self.disk,
            name,
            config,
            now_ms=now_ms,
            recovery_point=self._recovery_points.get(key, 0),
            clean=bool(self.was_clean),
            log_start_offset=self._start_offsets.get(key, 0),
            topic_id=topic_id,
            owner=self,
            cache=self._cache,
            flushes=flushes,
        )

    def _read_topic_id(self, name: str) -> bytes | None:
        path = f"{name}/{names.PARTITION_METADATA}"
        if not self.disk.exists(path):
            return None
        return parse_partition_metadata(path, self.disk.read_whole(path))

    def open_log(
        self, topic: str, partition: int, topic_id: bytes, config: LogConfig, now_ms: int
    ) -> tuple[Log, Ticket[None]]:
        """One log, created if it is not there: for what must be open before the others are loaded."""
        self._begin()
        name = names.partition_folder(topic, partition)
        if not self.disk.is_folder(name):
            return self.create_log(topic, partition, topic_id, config, now_ms)
        flushes: list[Ticket[int]] = []
        log = self._open((topic, partition), name, self._read_topic_id(name) or topic_id, config, now_ms, flushes)
        self._logs[topic, partition] = log
        return log, all_done(flushes)

    def create_log(
        self, topic: str, partition: int, topic_id: bytes, config: LogConfig, now_ms: int
    ) -> tuple[Log, Ticket[None]]:
        """A new, empty log; the ticket is done when it would survive a crash."""
        self._begin()
        key = (topic, partition)
        if key in self.broken:
            raise self.broken[key]
        assert key not in self._logs, f"{topic}-{partition} is there already"
        name = names.partition_folder(topic, partition)
        # After a crash the folder may be there without its topic's id, or even without a file: it is empty then, or
        # what is in it belongs to nobody, because nothing is appended before the ticket is done.
        was_there = self.disk.is_folder(name)
        if was_there:
            self._part(name, topic_id)
        log = Log.open(
            self.disk, name, config, now_ms=now_ms, clean=True, topic_id=topic_id, owner=self, cache=self._cache
        )
        self._logs[key] = log
        return log, run_ticket(self._make_safe(log, key))

    def _make_safe(self, log: Log, key: TopicPartition) -> Steps[None]:
        """The new log's id and name on stable storage, and what checkpoints say of an older one of its name gone."""
        assert log.topic_id is not None
        tickets = [
            self.disk.replace(f"{log.folder}/{names.PARTITION_METADATA}", encode_partition_metadata(log.topic_id)),
            self.disk.sync_folder(),
        ]
        names_changed = log.names_changed
        if key in self._kept:
            tickets.append(self._keep())
        yield all_done(tickets)
        log.names_safe = max(log.names_safe, names_changed)

    # -- end of a log ------------------------------------------------------------------------------------------------

    def delete_log(self, log: Log) -> Ticket[None]:
        """Drop a log: its folder gets another name at once, and is removed a minute later."""
        key = names.parse_partition_folder(log.folder)
        assert key is not None
        assert self._logs.get(key) is log, f"{log.folder} is not a log of this folder"
        del self._logs[key]
        self._watchers.pop(log, None)
        log.is_closed = log.is_deleted = True
        for segment in log.segments:
            segment.on_cut(0)
            segment.offsets.drop()
            segment.times.drop()
        return self._part(log.folder, log.topic_id or b"", log)

    def _part(self, name: str, topic_id: bytes, log: Log | None = None) -> Ticket[None]:
        """Rename a partition's folder out of the way."""
        unique = topic_id.hex() if len(topic_id) == UUID_BYTES else f"{self._deletions:032x}"
        while self.disk.exists(parted := names.deleted_folder(name, unique)):
            self._deletions += 1
            unique = f"{self._deletions:032x}"
        segments = [] if log is None else [*log.segments, *(each.segment for each in log.doomed or ())]
        self.disk.rename(name, parted, [segment.file for segment in segments])
        for segment in segments:
            segment.offsets.path = parted + segment.offsets.path[len(name) :]
            segment.times.path = parted + segment.times.path[len(name) :]
        self._parted.append(_Parted(parted, segments))
        return self.disk.sync_folder()

    def _remove_parted(self, now_ms: int) -> None:
        remaining: list[_Parted] = []
        for each in self._parted:
            if each.due_ms is None:
                each.due_ms = now_ms + PARTED_DELAY_MS
            if now_ms < each.due_ms or any(segment.is_pinned for segment in each.segments):
                remaining.append(each)
                continue
            for segment in each.segments:
                segment.file.close()  # else the disk would keep the bytes for the descriptor's sake
            self.disk.remove(each.name)
        self._parted = remaining

    # -- checkpoints -------------------------------------------------------------------------------------------------

    def when_free(self, begin: Callable[[], Ticket[None]]) -> None:
        """For a log: it has a checkpoint to write. Only so many at once, for each keeps some files open."""
        self._checkpoints_waiting.append(begin)
        self._begin_checkpoints()

    def _begin_checkpoints(self) -> None:
        if self._is_beginning:  # one that was over at once: the loop below goes on
            return
        self._is_beginning = True
        while self._checkpoints_waiting and self._checkpoints_running < CHECKPOINTS_AT_ONCE_MAX:
            self._checkpoints_running += 1
            self._checkpoints_waiting.popleft()().then(self._on_checkpoint_over)
        self._is_beginning = False

    def _on_checkpoint_over(self, _: Ticket[None]) -> None:
        self._checkpoints_running -= 1
        self._begin_checkpoints()

    def keep_offsets(self, log: Log) -> Ticket[None]:
        """For a log: its offsets go to the checkpoint files; many that ask at the same time share one write."""
        return self._keep()

    def _keep(self) -> Ticket[None]:
        ticket: Ticket[None] = Ticket()
        self._keep_waiting.append(ticket)
        if not self._is_keeping:
            self._is_keeping = True
            self._write_offsets()
        return ticket

    def _write_offsets(self) -> None:
        """Write both files; those who ask meanwhile wait for the next time."""
        served, self._keep_waiting = self._keep_waiting, []
        kept = set(self._logs)
        points = {key: log.checkpointed_offset for key, log in self._logs.items()}
        starts = {key: log.log_start_offset for key, log in self._logs.items() if log.log_start_offset}
        written = all_done(
            [
                self.disk.replace(names.RECOVERY_POINTS, encode_offsets(points)),
                self.disk.replace(names.LOG_START_OFFSETS, encode_offsets(starts)),
            ]
        )

        def finish(ticket: Ticket[None]) -> None:
            if ticket.error is None:
                self._kept = kept
            if self._keep_waiting:
                self._write_offsets()
            else:
                self._is_keeping = False
            for each in served:
                if ticket.error is not None:
                    each.fail(ticket.error)
                else:
                    each.complete()

        written.then(finish)

    def checkpoint(self, now_ms: int) -> Ticket[None]:
        """At intervals: keep short what a restart would scan, and write the checkpoint files."""
        self._remove_parted(now_ms)
        self._share_recovery_bytes()
        due = [log for log in self._logs.values() if log.unchecked_bytes >= self.recovery_bytes]
        return run_ticket(self._checkpoint(due))

    def _checkpoint(self, due: list[Log]) -> Steps[None]:
        for begin in range(0, len(due), CHECKPOINTS_AT_ONCE):
            yield all_done([log.advance_checkpoint() for log in due[begin : begin + CHECKPOINTS_AT_ONCE]])
        yield self._keep_high_watermarks()

    def _share_recovery_bytes(self) -> None:
        """Each log's part of what all may leave to a restart."""
        busy = sum(1 for log in self._logs.values() if log.unchecked_bytes)
        share = RECOVERY_FOLDER_BYTES_MAX // max(busy, 1)
        self.recovery_bytes = max(RECOVERY_BYTES_MIN, min(share, RECOVERY_BYTES_MAX))

    def _keep_high_watermarks(self) -> Ticket[None]:
        """Alone on its log a leader's high watermark is the end of what is safe."""
        offsets = {key: log.recovery_point for key, log in self._logs.items()}
        return self.disk.replace(names.HIGH_WATERMARKS, encode_offsets(offsets))

    # -- end ---------------------------------------------------------------------------------------------------------

    def close(self, now_ms: int) -> Ticket[None]:
        """Close all logs, and say at last that everything was closed. Fails, and says nothing, if something did not."""
        return run_ticket(self._close(now_ms))

    def _close(self, now_ms: int) -> Steps[None]:
        yield all_done([log.close(now_ms) for log in self._logs.values()])
        yield self._keep()
        yield self._keep_high_watermarks()
        if self.broken:
            return  # what could not be opened must be looked at again
        mark = json.dumps({"version": 0, "brokerEpoch": -1}, separators=(",", ":")).encode()
        yield self.disk.replace(names.CLEAN_SHUTDOWN, mark)
