"""Write files so that each is either absent, as before, or whole."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

#: How the name of a file ends that is still being written: ``.NAME.<32 hex digits>.tmp``.
UNFINISHED = ".tmp"


@contextmanager
def atomic(path: Path) -> Iterator[BinaryIO]:
    """Give a file to write that becomes ``path`` when the block ends well.

    It is written beside ``path``, synced and renamed. An error leaves ``path`` as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}{UNFINISHED}")
    try:
        with temporary.open("wb") as f:
            yield f
            f.flush()
            os.fsync(f.fileno())
        temporary.replace(path)
    except OSError as error:
        if error.filename in (None, str(temporary)):  # a full disk names no file by itself
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        temporary.unlink(missing_ok=True)


def atomic_bytes(path: Path, data: bytes) -> None:
    """Write ``data`` so that ``path`` is either absent, as before, or whole."""
    with atomic(path) as f:
        f.write(data)


def linked_below(folder: Path) -> list[Path]:
    """Return the files below a folder in order of their paths, those of linked folders, too.

    ``Path.rglob`` and ``os.walk`` pass over linked folders, and inputs of a job are such. A folder
    that several names lead to is read once, so that links in a circle end.
    """
    found: list[Path] = []
    walked: set[tuple[int, int]] = set()
    ahead = [str(folder)]
    for start in ahead:  # grows by the links that are found
        for top, folders, names in os.walk(start):
            about = os.stat(top)  # noqa: PTH116  hundreds of folders, twice a job
            if (about.st_dev, about.st_ino) in walked:
                folders.clear()
                continue
            walked.add((about.st_dev, about.st_ino))
            found += [Path(top, name) for name in names]
            paths = (f"{top}{os.sep}{name}" for name in sorted(folders))
            ahead += [path for path in paths if os.path.islink(path)]  # noqa: PTH114
    return sorted(found)
