"""What a topic asks of the records inside a produced batch, and the recompression it may ask for (design D2).

Batches are opaque: by default records are not read. ``millrace.validate.records`` says how far they are looked into,
a compacted topic needs every key, and ``compression.type`` may differ from what the producer chose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from millrace.base.errors import Refused
from millrace.base.limits import DECOMPRESSED_BYTES_MAX
from millrace.kafka import compression
from millrace.kafka.batch import Batch
from millrace.kafka.codes import UNSUPPORTED_COMPRESSION_TYPE
from millrace.kafka.record import check_lengths, check_records, recompress

if TYPE_CHECKING:
    from millrace.base.config import TopicConfig


class RecordsCheck:
    """See the module; stateless but for counts."""

    __slots__ = ("batches_recompressed",)

    def __init__(self) -> None:
        self.batches_recompressed = 0

    def records(self, batch: Batch, config: TopicConfig) -> None:
        """Refuse a batch whose records are not as the topic wants them."""
        if config.is_compacted:
            check_records(batch, DECOMPRESSED_BYTES_MAX, keys_required=True)
        elif config.validate_records == "lengths":
            check_lengths(batch)
        elif config.validate_records == "full":
            check_records(batch, DECOMPRESSED_BYTES_MAX)

    def recompressed(self, batch: Batch, config: TopicConfig) -> Batch:
        """The batch in the topic's own codec; the same batch where that is the producer's."""
        wanted = config.compression_type
        if wanted == "producer":
            return batch
        codec = compression.CODECS.get(wanted)
        if codec is None:
            raise Refused(UNSUPPORTED_COMPRESSION_TYPE, f"compression.type {wanted} is not known")
        if codec == batch.codec:
            return batch
        self.batches_recompressed += 1
        level = None
        if codec == compression.GZIP:
            level = config.compression_gzip_level
        elif codec == compression.LZ4:
            level = config.compression_lz4_level
        elif codec == compression.ZSTD:
            level = config.compression_zstd_level
        return Batch(recompress(batch, codec, DECOMPRESSED_BYTES_MAX, level))
