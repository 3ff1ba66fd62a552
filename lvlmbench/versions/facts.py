"""What the artifacts of a snapshot are: hashes of files, and of the rows of tables."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.engine.hashing import digest, files_below
from lvlmbench.tables import hash_folder, open_shard
from lvlmbench.versions.manifest import FileFacts, TableFacts

#: Files that are read at once, where there are so many cores.
_THREADS = 8


def file_facts(path: Path) -> FileFacts:
    """Size and hash of a file, from its bytes: nothing is taken from memory."""
    with path.open("rb") as f:
        found = hashlib.file_digest(f, lambda: hashlib.blake2b(digest_size=16))
        return FileFacts(size=f.tell(), blake2b=found.hexdigest())


def hash_files(paths: Iterable[Path]) -> dict[str, FileFacts]:
    """:func:`file_facts` of each, by path; several are read at once, none is held in memory."""
    named = sorted(paths)
    with ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1)) as pool:
        return dict(zip(map(str, named), pool.map(file_facts, named), strict=True))


def artifacts(outs: Iterable[str]) -> list[Path]:
    """All files of these outs, relative, sorted."""
    return sorted(Path(out, name) for out in outs for name in files_below(Path(out)))


def check_sealed(outs: Mapping[str, str | None], files: Mapping[str, FileFacts]) -> None:
    """The bytes of the files are those that a stage's seal names.

    Hashes that a run compares are remembered by inode, size and time. Bytes that turned on the disk
    show here.

    Raises
    ------
    UserError
        An out holds other bytes.
    """
    for out, sealed in outs.items():
        path = Path(out)
        found = [[name, files[str(path / name)].blake2b] for name in files_below(path)]
        if digest(found) != sealed:
            raise UserError(
                out,
                "holds other bytes than the run that made it has left",
                "remove it and run 'make report', which makes it again",
            )


def left_out(names: Iterable[str]) -> frozenset[str]:
    """Columns that the hash of a table's rows leaves out, of those that it has.

    ``latency_s``, which no two runs share, and pictures where their ``sha256`` stands beside them.
    """
    columns = set(names)
    found = {"latency_s"} & columns
    return frozenset(found | {"image"} if {"image", "sha256"} <= columns else found)


def table_folders(files: Iterable[str]) -> list[str]:
    """Folders among those of the files that hold a table (``part-*.parquet``), sorted."""
    paths = map(Path, files)
    return sorted({str(path.parent) for path in paths if path.match("part-*.parquet")})


def table_facts(folder: Path) -> TableFacts:
    """Rows of a table and the hash of their content, without what :func:`left_out` names.

    Raises
    ------
    UserError
        A shard is damaged.
    """
    first = min(folder.glob("part-*.parquet"), default=None)
    if first is None:
        raise UserError(str(folder), "holds no part-*.parquet", "name the folder of a table")
    with open_shard(first) as shard:
        without = left_out(shard.schema_arrow.names)
    content, rows = hash_folder(folder, without)
    return TableFacts(rows=rows, content=content)
