"""Every random choice of the pipeline comes from here.

A draw depends on (snapshot seed, stage, item id) alone, so that order, shard size, cores, batch
size and resume change no byte. Two forms of the same idea:

* :func:`generator` gives one item a NumPy generator (for stages that work item by item);
* :func:`uniform_columns` draws for a whole column of items at once
  with the counter-based generator Philox4x32-10 (Salmon et al., "Parallel random numbers: as
  easy as 1, 2, 3", SC 2011): the item id is the counter, (seed, stage) is the key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

U32 = npt.NDArray[np.uint32]

_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = 0x9E3779B9, 0xBB67AE85
_MASK = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)


def digest(*parts: object, size: int = 16) -> bytes:
    """Return BLAKE2b of the parts, each prefixed with its length; ``size`` bytes long."""
    h = hashlib.blake2b(digest_size=size)
    for part in parts:
        raw = part if isinstance(part, bytes) else str(part).encode()
        h.update(len(raw).to_bytes(8, "little"))
        h.update(raw)
    return h.digest()


def item_id(*parts: object) -> str:
    """Return the parts' hash as 32 hexadecimal digits: the form of every id in the tables."""
    return digest(*parts).hex()


def request_hash(*parts: object) -> str:
    """Return 64 hexadecimal digits: the identity of a request that consists of these parts."""
    return hashlib.sha256(digest(*parts, size=64)).hexdigest()


def seed_of(snapshot_seed: int, stage: str, item: str) -> int:
    """Return a 63-bit seed of one item at one stage, for generators that take one (torch)."""
    return int.from_bytes(digest(snapshot_seed, stage, item, size=8), "little") >> 1


def generator(snapshot_seed: int, stage: str, item: str) -> np.random.Generator:
    """Return the NumPy generator (Philox) of one item at one stage."""
    entropy = int.from_bytes(digest(snapshot_seed, stage, item), "little")
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(entropy)))


def philox4x32(counter: U32, key: tuple[int, int]) -> U32:
    """Return Philox4x32-10 of each row of ``counter``; both have shape (n, 4)."""
    c0, c1, c2, c3 = (counter[:, i].astype(np.uint64) for i in range(4))
    k0, k1 = key
    for _ in range(10):
        p0, p1 = c0 * _M0, c2 * _M1
        c0, c1, c2, c3 = (
            (p1 >> _SHIFT) ^ c1 ^ np.uint64(k0),
            p1 & _MASK,
            (p0 >> _SHIFT) ^ c3 ^ np.uint64(k1),
            p0 & _MASK,
        )
        k0, k1 = (k0 + _W0) & 0xFFFFFFFF, (k1 + _W1) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=1).astype(np.uint32)


def id_counters(ids: Sequence[str] | Sequence[bytes]) -> U32:
    """Return counters, shape (n, 4), of ids given as 32 hexadecimal digits or as 16 raw bytes."""
    raw = b"".join(bytes.fromhex(i) if isinstance(i, str) else i for i in ids)
    return np.frombuffer(raw, dtype="<u4").reshape(-1, 4).astype(np.uint32)


def _blocks(snapshot_seed: int, stage: str, counters: U32, columns: int) -> U32:
    """``columns`` 32-bit words a row; block j of a row uses the key of (seed, stage, j)."""
    out = []
    for block in range(-(-columns // 4)):
        raw = digest(snapshot_seed, stage, block, size=8)
        key = (int.from_bytes(raw[:4], "little"), int.from_bytes(raw[4:], "little"))
        out.append(philox4x32(counters, key))
    return np.concatenate(out, axis=1)[:, :columns]


def uniform_columns(
    snapshot_seed: int, stage: str, counters: U32, columns: int
) -> npt.NDArray[np.float64]:
    """Return uniform draws in [0, 1), shape (n, columns), of the items with these counters."""
    return _blocks(snapshot_seed, stage, counters, columns) / 4294967296.0
