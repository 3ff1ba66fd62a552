"""Pictures that were paid for, so that nothing is asked twice.

One SQLite file beside the answer cache holds what came, by the hash of the request: the picture's
file as the server sent it, and what is known of it. A row is written at once, whole or not at all,
and is on the disk before anything else is done with the picture. Several processes of one machine
may use the file at once.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from lvlmbench.core.cache import default_folder, mendable, open_shared
from lvlmbench.stages.render.kinds.openai_images.client import FINAL, Picture

_CREATE = """
CREATE TABLE IF NOT EXISTS pictures_v1 (
    request_sha256 TEXT PRIMARY KEY, facts TEXT NOT NULL, picture BLOB
)
"""
_NAME, _LOST = "the store of pictures", "its pictures will be asked for again"


def default_path() -> Path:
    """Return ``pictures.sqlite`` in :func:`lvlmbench.core.cache.default_folder`."""
    return default_folder() / "pictures.sqlite"


class Pictures:
    """Pictures and refusals by request hash. Use as a context manager.

    Raises
    ------
    UserError
        The file cannot be used.
    """

    def __init__(self, path: Path, busy_s: float = 60.0) -> None:
        self.path = path
        with mendable(path, _NAME, _LOST):
            self._db = open_shared(path, _CREATE, busy_s)
            self._db.execute("PRAGMA synchronous=FULL")

    def __enter__(self) -> Pictures:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def get(self, request: str) -> Picture | None:
        """Return what came of a request; None where nothing is kept."""
        query = "SELECT facts, picture FROM pictures_v1 WHERE request_sha256 = ?"
        with mendable(self.path, _NAME, _LOST):
            row = self._db.execute(query, (request,)).fetchone()
        return None if row is None else Picture(**json.loads(row[0]), file=row[1])

    def put(self, request: str, picture: Picture) -> None:
        """Keep what came of a request; what failed is not kept, so that the next run asks again."""
        if picture.status not in FINAL:
            return
        facts = {f.name: getattr(picture, f.name) for f in dataclasses.fields(picture)}
        file = facts.pop("file")
        insert = "INSERT OR REPLACE INTO pictures_v1 VALUES (?, ?, ?)"
        with mendable(self.path, _NAME, _LOST):
            self._db.execute(insert, (request, json.dumps(facts), file))
