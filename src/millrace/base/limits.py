"""Every limit that is not a configuration key, in one place; each says what happens when it is reached."""

from __future__ import annotations

from typing import Final

MIB: Final = 1 << 20

# How much a connection reads at a time, shared by all connections of a loop; a larger frame gets a buffer of its own.
RECEIVE_BUFFER_BYTES: Final = 256 * 1024
# A request that carries no records; a larger one closes its connection. (``socket.request.max.bytes`` is Produce's.)
REQUEST_BYTES_MAX_WITHOUT_RECORDS: Final = 16 * MIB
# Answers that wait in a link's transport; above it the connection's requests are not read until the peer has read.
LINK_WRITE_BYTES_HIGH: Final = MIB
LINK_WRITE_BYTES_LOW: Final = 256 * 1024
# A file slice is read and written in pieces of this size.
SLICE_PIECE_BYTES: Final = 512 * 1024
# The same where the kernel sends it; a socket rarely takes more at once.
SENDFILE_BYTES: Final = 2 * MIB
# Produce requests of one connection that wait for their acknowledgement; the next one waits in the socket.
PRODUCE_IN_FLIGHT_MAX: Final = 64
# Files that are flushed at the same time; the others of the round follow as these end.
FLUSHES_AT_ONCE: Final = 8
# Flushes and folder syncs of one folder that are done one by one; those beyond gather and share one sync of all.
SYNCS_ALONE_MAX: Final = 64
# Requests that name more partitions, topics or groups than this are refused as a whole.
REQUEST_ENTRIES_MAX: Final = 200_000
# A machine's log is replayed in slices of about this long, so that the loop goes on.
REPLAY_SLICE_RECORDS: Final = 2_000
# What a broker decompresses of one batch at the most, when it must look inside.
DECOMPRESSED_BYTES_MAX: Final = 256 * MIB
# Threads of one log folder that do what may block: flushes, cold reads, renames, removals.
DISK_THREADS: Final = 8
# Open descriptors of one log folder, and never more than a quarter of what the process may have; files are handles.
DESCRIPTORS_MAX: Final = 1024
# Bytes of one file, and of all files of a folder, that are written and not flushed; above, flushes begin early.
UNFLUSHED_FILE_BYTES_MAX: Final = 8 * MIB
UNFLUSHED_BYTES_MAX: Final = 64 * MIB
# Bytes appended behind a log's recovery point; above, the point is moved up: a restart after a crash scans so much.
RECOVERY_BYTES_MAX: Final = 16 * MIB
# The same for all logs of a folder together; each log's share is not less than the minimum.
RECOVERY_FOLDER_BYTES_MAX: Final = 64 * MIB
RECOVERY_BYTES_MIN: Final = MIB
# Logs of a folder whose checkpoints move at the same time in the folder's own rounds.
CHECKPOINTS_AT_ONCE: Final = 2
# The same when logs ask for it themselves, and at the end; the others wait for their turn.
CHECKPOINTS_AT_ONCE_MAX: Final = 100
# Parts of closed segments' indexes that a folder keeps in memory; the least recently used are read again when needed.
INDEX_BYTES_MAX: Final = 24 * MIB
# A walk over batch headers reads pieces of this size: at first, and when it goes on.
WALK_FIRST_BYTES: Final = 8 * 1024
WALK_NEXT_BYTES: Final = 64 * 1024
# Recovery scans a log in pieces of this size.
SCAN_BYTES: Final = MIB
# How full the cleaner's table of keys may become; what does not fit is left for the next pass.
CLEANER_TABLE_LOAD: Final = 0.9
# Logs of our own machines are closed and cleaned in pieces of this size, so that little is replayed at a start.
EAGER_SEGMENT_BYTES: Final = 128 * 1024
