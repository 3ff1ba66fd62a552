"""Ids of whole columns: the same as :mod:`lvlmbench.core.seeding` gives one by one."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lvlmbench.core.seeding import U32

Digests = npt.NDArray[np.uint8]


def _framed(part: object) -> bytes:
    raw = str(part).encode()
    return len(raw).to_bytes(8, "little") + raw


def digests(
    before: tuple[object, ...], values: Iterable[bytes], after: tuple[object, ...], size: int = 16
) -> Digests:
    """``seeding.digest(*before, value, *after)`` of each value; shape (n, size)."""
    head = b"".join(map(_framed, before))
    tail = b"".join(map(_framed, after))
    # Values of a column share few lengths: their frames are looked up, not built.
    frames = [head + n.to_bytes(8, "little") for n in range(64)]
    raw = b"".join([blake2b(frames[len(v)] + v + tail, digest_size=size).digest() for v in values])
    return np.frombuffer(raw, dtype=np.uint8).reshape(-1, size)


def counters(found: Digests) -> U32:
    """``seeding.id_counters`` of digests of 16 bytes; shape (n, 4)."""
    return np.ascontiguousarray(found).view("<u4").astype(np.uint32)


def hex_rows(found: Digests) -> list[bytes]:
    """Digests as hexadecimal digits, row by row."""
    text, width = found.tobytes().hex().encode(), 2 * found.shape[1]
    return [text[i : i + width] for i in range(0, len(text), width)]


def hex_column(found: Digests) -> pa.StringArray:
    """Digests as a column of ids."""
    text, width = found.tobytes().hex().encode(), 2 * found.shape[1]
    offsets = np.arange(len(found) + 1, dtype=np.int32) * width
    return pa.StringArray.from_buffers(len(found), pa.py_buffer(offsets), pa.py_buffer(text))


def seeds(snapshot_seed: int, stage: str, ids: Iterable[bytes]) -> npt.NDArray[np.int64]:
    """``seeding.seed_of`` of each id; shape (n,)."""
    found = digests((snapshot_seed, stage), ids, (), size=8)
    return (found.view("<u8")[:, 0] >> np.uint64(1)).astype(np.int64)
