"""Weights of a vision-language model on disk or on a hub: where they are, and which ones."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path

from lvlmbench.cache import default_folder, mendable, open_shared
from lvlmbench.config.models import LocalWeights
from lvlmbench.errors import UserError

GIVE = (
    "give a folder that holds config.json, safetensors and the processor's files, as "
    "'hf download ID --local-dir FOLDER' leaves it"
)

#: What can decide a reply: weights, configurations, vocabularies, templates.
_SUFFIXES = (".json", ".jinja", ".model", ".safetensors", ".tiktoken", ".txt")

#: Weights that are read by running what is in them.
_PICKLES = (".bin", ".pt", ".pth", ".ckpt")

#: Files from this size on are hashed once as long as their size and time stamp stay.
_LARGE = 2**20

_CREATE = """
CREATE TABLE IF NOT EXISTS files_v1 (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, sha256 TEXT NOT NULL
) WITHOUT ROWID
"""


def folder_of(settings: LocalWeights) -> Path | None:
    """The folder that is meant; None for a hub id."""
    path = Path(settings.model).expanduser()
    named = settings.model.startswith(("/", "./", "../", "~"))
    return path if named or path.is_dir() else None


def check_place(settings: LocalWeights, where: str) -> None:
    """What can be seen of the weights without reading them.

    Raises
    ------
    UserError
        ``model`` is neither a folder nor like a hub id, or the folder holds no model that could
        be loaded.
    """
    place, model = f"{where}: model", settings.model
    folder = folder_of(settings)
    if folder is None:
        if model.count("/") != 1:
            what = f"'{model}' is neither a folder nor a hub id of the form owner/name"
            raise UserError(place, what, GIVE)
        return
    if not folder.is_dir():
        raise UserError(place, f"there is no folder '{model}'", GIVE)
    if settings.revision is not None:
        what = "is of no use to a folder, which is as it is"
        raise UserError(f"{where}: revision", what, "leave it out")
    if not (folder / "config.json").is_file():
        raise UserError(place, f"'{model}' has no config.json", GIVE)
    if not any(folder.glob("*.safetensors")):
        pickles = sorted(f.name for f in folder.iterdir() if f.suffix in _PICKLES)
        if pickles:
            raise UserError(
                place,
                f"'{model}' holds its weights as {pickles[0]}, which could run code when read",
                "save them as safetensors where you trust them (save_pretrained does)",
            )
        raise UserError(place, f"'{model}' holds no safetensors", GIVE)


def _deciding(folder: Path) -> list[Path]:
    """Files below a folder that can decide a reply, in the order of their names."""
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in _SUFFIXES
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def folder_sha256(folder: Path) -> str:
    """Hash of the names and bytes of all files that can decide a reply.

    It is the SHA-256 of what ``sha256sum`` prints of them, in the order of their names. Large files
    of a known size and time stamp are not read again: their hashes are kept in ``weights.sqlite``
    in :func:`lvlmbench.cache.default_folder`.

    Raises
    ------
    UserError
        The file that keeps the hashes cannot be used.
    """
    lines: list[str] = []
    kept = default_folder() / "weights.sqlite"
    query = "SELECT sha256 FROM files_v1 WHERE path = ? AND size = ? AND mtime_ns = ?"
    change = "INSERT OR REPLACE INTO files_v1 VALUES (?, ?, ?, ?)"
    with (
        mendable(kept, "the hashes of weights", "they will be taken again"),
        closing(open_shared(kept, _CREATE)) as db,
    ):
        for path in _deciding(folder):
            stat = path.stat()
            large = stat.st_size >= _LARGE
            seen = (str(path.resolve()), stat.st_size, stat.st_mtime_ns)
            row = db.execute(query, seen).fetchone() if large else None
            sha256 = row[0] if row else _sha256(path)
            if large and row is None:
                db.execute(change, (*seen, sha256))
            lines.append(f"{sha256}  {path.relative_to(folder).as_posix()}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def hub_commit(settings: LocalWeights, where: str) -> str:
    """Commit of a hub's repository that ``revision`` means now, 40 hexadecimal digits.

    Where the hub cannot be reached it is the one that was fetched last.

    Raises
    ------
    UserError
        The hub cannot be reached and nothing was fetched before, or knows no such model.
    """
    from transformers.utils.hub import cached_file, extract_commit_hash

    from lvlmbench.reference.quiet import quiet_transformers

    try:
        with quiet_transformers():
            file = cached_file(settings.model, "config.json", revision=settings.revision)
            commit: str | None = extract_commit_hash(file, None)
    except Exception as error:  # the hub's client has exceptions of many kinds
        raise hub_error(settings, where, error) from None
    if commit is None:
        what = f"the commit of '{settings.model}' is not known"
        raise UserError(f"{where}: model", what, GIVE)
    return commit


def hub_error(settings: LocalWeights, where: str, error: Exception) -> UserError:
    """One line about what the hub's client says."""
    from lvlmbench.reference.checkpoint import reason

    what = f"'{settings.model}' could not be loaded ({reason(error)})"
    if "gated" in str(error).lower():
        fix = "accept its terms on the hub's page and export HF_TOKEN=<your token>"
    else:
        fix = "fetch it where the hub can be reached, and " + GIVE
    return UserError(f"{where}: model", what, fix)
