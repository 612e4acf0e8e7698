"""CRC-32C, the checksum of record batches."""

from __future__ import annotations

from fastcrc import crc32

from millrace.base.ports import Buffer


def crc32c(buffer: Buffer) -> int:
    """CRC-32C (Castagnoli, reflected) of the buffer, as an unsigned number."""
    return crc32.iscsi(buffer)


__all__ = ["crc32c"]
