"""Content hashes of files and folders, with a memory of files that have not changed since."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes, linked_below

#: A file changed this recently may change again without a new time stamp: not remembered.
_RACY_NS = 50_000_000
#: Bytes of files that are read rather than looked up.
_SMALL = 1 << 14


def digest(value: object, size: int = 16) -> str:
    """BLAKE2b of a JSON value, whatever the order of its keys; ``2 * size`` hex digits."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=size).hexdigest()


def files_below(path: Path) -> list[str]:
    """Files of a folder, relative and sorted; ``["."]`` for a file, nothing where nothing is."""
    if path.is_file():
        return ["."]
    found: list[str] = []
    for folder, _, names in os.walk(path):
        below = os.path.relpath(folder, path)
        found += names if below == "." else [f"{below}{os.sep}{name}" for name in names]
    return sorted(found)


def _file_digest(path: str | Path) -> str:
    with open(path, "rb", buffering=0) as f:  # noqa: PTH123  hundreds of files, twice a job
        if len(start := f.read(_SMALL)) < _SMALL:
            return hashlib.blake2b(start, digest_size=16).hexdigest()
        f.seek(0)
        return hashlib.file_digest(f, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _check(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=8).hexdigest().encode()


def remembered(memory: Path) -> dict[str, list[Any]]:
    """Return what a memory holds; nothing where it is damaged: a wrong hash would be believed."""
    try:
        check, _, text = memory.read_bytes().partition(b"\n")
    except OSError:
        return {}
    known: dict[str, list[Any]] = json.loads(text) if check == _check(text) else {}
    return known


def remember(memory: Path, known: dict[str, list[Any]]) -> None:
    """Have a memory hold what is known."""
    text = json.dumps(known).encode()
    atomic_bytes(memory, _check(text) + b"\n" + text)


class Hashes:
    """Hashes of files, remembered by inode, size and time in a file of the working directory.

    The memory only saves reading: a file whose inode, size or time is not the remembered one is
    read again. Hard links share their inode, so what was hashed where it was built is known where
    it is published. Without such a file (None) all is read.
    """

    def __init__(self, memory: Path | None) -> None:
        self.memory = memory
        self._changed = False
        self._known = {} if memory is None else remembered(memory)

    def file(self, path: Path) -> str:
        """Hash of a file's bytes."""
        stat = path.stat()
        # Not by the device: its number is another on each machine that mounts a shared disk.
        inode, now = str(stat.st_ino), [stat.st_size, stat.st_mtime_ns]
        known = self._known.get(inode)
        if known is not None and known[:2] == now:
            if known[3] != str(path):
                known[3], self._changed = str(path), True
            return str(known[2])
        value = _file_digest(path)
        if time.time_ns() - stat.st_mtime_ns > _RACY_NS:
            self._known[inode] = [*now, value, str(path)]
            self._changed = True
        return value

    def large(self, path: str | Path) -> str:
        """:meth:`file`, but small files are read again: that takes no longer than to remember."""
        large = os.stat(path).st_size > _SMALL  # noqa: PTH116  hundreds of files, twice a job
        return self.file(Path(path)) if large else _file_digest(path)

    def tree(self, path: Path) -> str | None:
        """Hash of a file, or of a folder's relative names and contents; None where nothing is."""
        names = files_below(path)
        if not names:
            return None
        return digest([[name, self.file(path / name)] for name in names])

    def save(self) -> None:
        """Keep what was learnt, of files that still exist."""
        if self._changed and self.memory is not None:
            kept = {inode: known for inode, known in self._known.items() if Path(known[3]).exists()}
            remember(self.memory, kept)
            self._changed = False


def _read_all(
    places: Mapping[str, str | Path], read: Callable[[str | Path], str]
) -> Iterator[list[str]]:
    """Each name with its hash; not where nothing is, as where a link leads nowhere.

    Editors lock files by such links. Who reads one that is meant says what is wrong with it.
    """
    for name, place in places.items():
        try:
            yield [name, read(place)]
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
                raise


def source_digests(
    root: Path, paths: Iterable[str], hashes: Hashes | None = None
) -> dict[str, str]:
    """Hash of each source file or folder below ``root``; compiled files do not count.

    Parameters
    ----------
    hashes
        Remembers the large files among them, such as images that the user gives.

    Raises
    ------
    UserError
        One of them does not exist.
    """
    found = {}
    for name in paths:
        path = root / name
        files = [path] if path.is_file() else linked_below(path)
        below = sorted(str(file.relative_to(path)) for file in files)
        names = [name for name in below if "__pycache__" not in name]
        if not names:
            raise UserError(
                name, "a stage reads it, and there is no such file or folder", "restore it"
            )
        places = {n: path if n == "." else f"{path}{os.sep}{n}" for n in names}
        found[name] = digest(list(_read_all(places, (hashes or Hashes(None)).large)))
    return found
