"""Weights on disk: which folder is meant, and hashes of what decides what a model gives."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from lvlmbench.core.cache import default_folder, mendable, open_shared
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import linked_below

#: What can decide what a model gives: weights, configurations, vocabularies, templates.
_SUFFIXES = (".json", ".jinja", ".model", ".safetensors", ".tiktoken", ".txt")

#: Files from this size on are hashed once as long as their size and time stamp stay.
_LARGE = 2**20

_CREATE = """
CREATE TABLE IF NOT EXISTS files_v1 (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, sha256 TEXT NOT NULL
) WITHOUT ROWID
"""


def folder_of(model: str) -> Path | None:
    """The folder that ``model`` means, whether it is there or not; None for a hub id.

    ``weights/sdxl`` could be either; where there is a folder ``weights``, it is meant.
    """
    path = Path(model).expanduser()
    named = model.startswith(("/", "./", "../", "~"))
    return path if named or path.is_dir() or Path(path.parts[0]).is_dir() else None


def _deciding(folder: Path) -> list[Path]:
    """Files below a folder that can decide what a model gives, in the order of their names."""
    return [
        path
        for path in linked_below(folder)
        if path.suffix in _SUFFIXES
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256s(folder: Path, files: Iterable[Path] | None = None) -> dict[str, str]:
    """Hashes of files below a folder, by their names, in the order of these.

    Large files of a known size and time stamp are not read again: their hashes are kept in
    ``weights.sqlite`` in :func:`lvlmbench.core.cache.default_folder`.

    Parameters
    ----------
    files
        Which; by default all that can decide what a model gives.

    Raises
    ------
    UserError
        The file that keeps the hashes cannot be used.
    """
    found: dict[str, str] = {}
    kept = default_folder() / "weights.sqlite"
    query = "SELECT sha256 FROM files_v1 WHERE path = ? AND size = ? AND mtime_ns = ?"
    change = "INSERT OR REPLACE INTO files_v1 VALUES (?, ?, ?, ?)"
    with (
        mendable(kept, "the hashes of weights", "they will be taken again"),
        closing(open_shared(kept, _CREATE)) as db,
    ):
        for path in _deciding(folder) if files is None else sorted(files):
            stat = path.stat()
            large = stat.st_size >= _LARGE
            seen = (str(path.resolve()), stat.st_size, stat.st_mtime_ns)
            row = db.execute(query, seen).fetchone() if large else None
            sha256 = row[0] if row else _sha256(path)
            if large and row is None:
                db.execute(change, (*seen, sha256))
            found[path.relative_to(folder).as_posix()] = sha256
    return found


def combined(hashes: Mapping[str, str]) -> str:
    """One hash of several files: the SHA-256 of what ``sha256sum`` prints of them, in order."""
    lines = [f"{sha256}  {name}\n" for name, sha256 in hashes.items()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def folder_sha256(folder: Path) -> str:
    """Hash of the names and bytes of all files of a folder that can decide what a model gives.

    Raises
    ------
    UserError
        The file that keeps the hashes cannot be used.
    """
    return combined(sha256s(folder))


def hub_error(model: str, where: str, error: Exception, give: str) -> UserError:
    """One line about what the hub's client says of a model.

    Parameters
    ----------
    where
        The section that holds ``model``.
    give
        What the user can give in its place.
    """
    from lvlmbench.core.checkpoints import reason

    kinds, place = _causes(error), f"{where}: model"
    what = f"'{model}' could not be loaded ({reason(error)})"
    if "RevisionNotFoundError" in kinds:
        what = f"'{model}' has no such revision"
        return UserError(f"{where}: revision", what, "write a commit that it has, or leave it out")
    if "GatedRepoError" not in kinds and "RepositoryNotFoundError" in kinds:
        what = f"the hub shows no '{model}'"
        fix = "look at how it is written; for a private one export HF_TOKEN=<your token>"
        return UserError(place, what, fix)
    if "GatedRepoError" in kinds or "gated" in str(error).lower():
        fix = "accept its terms on the hub's page and export HF_TOKEN=<your token>"
        return UserError(place, what, fix)
    return UserError(place, what, "fetch it where the hub can be reached, and " + give)


def _causes(error: BaseException) -> set[str]:
    """Names of the classes of an error and of what it came from."""
    found: set[str] = set()
    each: BaseException | None = error
    while each is not None:
        found.add(type(each).__name__)
        each = each.__cause__ or each.__context__
    return found


def check_folder(folder: str | None, where: str) -> None:
    """Check that a folder of weights is there now, and not only once it is needed.

    Raises
    ------
    UserError
        It is not.
    """
    if folder is not None and not Path(folder).is_dir():
        fix = "give the path of one, from the project's root or absolute"
        raise UserError(where, f"there is no folder '{folder}'", fix)
