"""The manifest of a pinned version: what its bytes are, what made them, and how exactly.

It lies in git, in ``data/snapshots/NAME.json``, beside the ``dvc.lock`` of the same commit.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness
from lvlmbench.core.files import atomic_bytes
from lvlmbench.snapshot.place import Place

#: 1 was before projects held suites: its tables lie elsewhere, under names without a suite.
FORMAT = 2

#: Folder of the manifests in the project, kept by git.
FOLDER = Path("data/snapshots")

#: Files whose bytes say which packages, stages and data a version has.
LOCKS = ("requirements.lock", "dvc.yaml", "dvc.lock")


def _inside(path: str) -> str:
    """A path that stays in the project and is no option of a command."""
    if path.startswith(("/", "-")) or ".." in path.split("/") or not path.isprintable():
        raise ValueError(f"{path!r} is no path in the project")
    return path


InProject = Annotated[str, AfterValidator(_inside)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SnapshotFacts(_Part):
    """Which snapshot it is: ``project_id`` of :mod:`lvlmbench.snapshot.identity`."""

    name: str
    seed: int
    id: str


class StageFacts(_Part):
    """A stage: how exactly it can be made again, and the hashes of its seal."""

    exact: Exactness
    why: str
    code: dict[InProject, str]
    inputs: dict[InProject, str | None]
    outs: dict[InProject, str | None]


class FileFacts(_Part):
    """A file: bytes, and BLAKE2b (128 bits) of them."""

    size: int
    blake2b: str


class TableFacts(_Part):
    """A table's folder: rows, and a hash over them that does not see how they lie in shards."""

    rows: int
    content: str


class Environment(_Part):
    """Where the version was pinned. Names no machine and no time."""

    python: str
    platform: str
    processor: str
    gpus: list[str]
    packages: dict[str, str]


class Manifest(_Part):
    """All that is known of a pinned version.

    ``locks`` has the hash of each of :data:`LOCKS`; ``vocabulary`` that
    of its folder. ``files`` are all artifacts, ``tables`` those of them that are tables. No path
    leaves the project: files are removed and made by them.
    """

    format: int
    name: str
    snapshot: SnapshotFacts
    params: dict[str, Any]
    vocabulary: str
    locks: dict[InProject, str]
    environment: Environment
    stages: dict[InProject, StageFacts]
    files: dict[InProject, FileFacts]
    tables: dict[InProject, TableFacts]


def manifest_path(name: str) -> Path:
    """Where the manifest of a version lies, below the project."""
    return FOLDER / f"{name}.json"


class OldManifest(UserError):
    """A version that only the code of its own tag reads."""


def _before_suites(where: str) -> OldManifest:
    """Say which version reads a manifest of format 1: the one that its own tag holds."""
    tag = Path(where).stem
    what = "was pinned before projects held suites; the lvlmbench of its own tag reads it"
    fix = f"run 'git worktree add ../{tag} {tag}', and there 'make install' and its lvlmbench"
    return OldManifest(where, what, fix)


def parse_manifest(data: bytes, where: str) -> Manifest:
    """A manifest from the bytes of its file.

    Raises
    ------
    OldManifest
        They are one of a version that was pinned before projects held suites.
    UserError
        They are not a manifest, or one of another format.
    """
    fix = "restore it with git, or use the version of lvlmbench that wrote it"
    try:
        found = json.loads(data)
        if isinstance(found, dict) and found.get("format") == 1:
            raise _before_suites(where)
        if isinstance(found, dict) and found.get("format") not in (None, FORMAT):
            raise UserError(where, f"is of format {found['format']}, not {FORMAT}", fix)
        return Manifest.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "it"
        raise UserError(where, f"is no manifest: {place}: {first['msg'].lower()}", fix) from None
    except (ValueError, RecursionError) as error:
        raise UserError(where, f"is no manifest ({error})", fix) from None


def read_manifest(path: Path) -> Manifest:
    """The manifest at ``path``; see :func:`parse_manifest`.

    Raises
    ------
    UserError
        It is not there, or is no manifest.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise UserError(
            str(path), "is missing", "name a version that 'lvlmbench snapshot' has pinned"
        ) from None
    return parse_manifest(data, str(path))


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest atomically, in one form for equal manifests."""
    text = json.dumps(manifest.model_dump(mode="json"), indent=1, sort_keys=True)
    atomic_bytes(path, f"{text}\n".encode())


def manifest_at(place: Place) -> Manifest | None:
    """Return the manifest of the version that has this name; None where none was pinned.

    Raises
    ------
    UserError
        It cannot be read.
    """
    if place.folder is not None:
        return None
    path = str(manifest_path(place.name.rpartition("@")[2] or place.name))
    return parse_manifest(place.read(path), path) if place.exists(path) else None
