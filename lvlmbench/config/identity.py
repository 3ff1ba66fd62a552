"""What a snapshot is: the hash of what decides its scenes, questions and how they are drawn."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from lvlmbench.config.project import Project
from lvlmbench.config.section import Section
from lvlmbench.config.sections import Params, Shared
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import digest, file_digest
from lvlmbench.scene.templates import Templates, load_templates

#: The folder that holds params.yaml, the Snakefile and data/ of the installed checkout.
PROJECT_ROOT = Path(__file__).resolve().parents[2]

#: Keys that split tables into shards or batches and so change no row.
_LAYOUT_KEYS = {"shard_scenes", "shard_images"}

#: Keys by their names when ids were first made: a new name of a key makes no other snapshot.
_FIRST_NAMES = {"retries": "rework"}


def vocabulary_dir(params: Shared) -> Path:
    """Folder of the vocabulary; a relative path is taken from the project's root.

    Raises
    ------
    UserError
        The folder does not exist.
    """
    folder = PROJECT_ROOT / params.vocabulary.folder
    if not folder.is_dir():
        raise UserError(
            f"params.yaml: vocabulary.folder: {params.vocabulary.folder}",
            "is not a folder",
            "name the folder that holds animal.yaml, object.yaml and the other lists",
        )
    return folder


def templates_of(params: Shared) -> Templates:
    """Return the sentences that questions are put in: those of the folder over the default ones.

    Raises
    ------
    UserError
        The folder does not exist, or the first mistake in a file of it.
    """
    folder = PROJECT_ROOT / params.templates.folder
    if not folder.is_dir():
        raise UserError(
            f"params.yaml: templates.folder: {params.templates.folder}",
            "is not a folder",
            "name one that holds templates; docs/scenes.md tells of them",
        )
    return load_templates(folder)


_YAML = "*.yaml"


@cache
def _folder_digest(folder: Path, *forms: str) -> bytes:
    """Hash of the files of a folder that have these forms, or of a single file."""
    found = {path for form in forms for path in folder.glob(form)} if folder.is_dir() else {folder}
    parts: list[bytes] = []
    for path in sorted(found):
        parts += [path.name.encode(), path.read_bytes() if path.is_file() else b""]
    return digest(*parts)


#: Endings of files that decide what a suite holds, where its settings do not say which do.
_DATA = (".json", ".jsonl", ".txt", ".jpg", ".jpeg", ".png", ".webp")


def _data_digests(folder: Path) -> list[bytes]:
    """Return one hash of all such files below a folder; none where there are none."""
    found = sorted(p for p in folder.rglob("*") if p.suffix.lower() in _DATA and p.is_file())
    return [_digest_of(folder, _stamps(found))] if found else []


def _stamps(paths: Iterable[Path]) -> tuple[tuple[Path, int, int], ...]:
    """Of each file its time and its size."""
    stats = ((path, path.stat()) for path in paths)
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)


def _read_digests(own: Section) -> list[bytes]:
    """Return hashes of what settings of a suite read, each once a process."""
    folders = [PROJECT_ROOT / folder for folder in own.folders()]
    decisive = own.decisive(PROJECT_ROOT)
    found: list[bytes] = []
    for folder in folders:
        if decisive is None:
            found.append(_folder_digest(folder, _YAML, "*.csv"))
            found += _data_digests(folder)
        else:
            inside = [path for path in decisive if path.is_relative_to(folder)]
            found.append(_digest_of(folder, _stamps(inside)))
    return found


@lru_cache(maxsize=8)
def _digest_of(folder: Path, stamps: tuple[tuple[Path, int, int], ...]) -> bytes:
    parts: list[bytes] = []
    for path, *_ in stamps:
        parts += [path.relative_to(folder).as_posix().encode(), file_digest(path)]
    return digest(*parts)


def snapshot_id(params: Params) -> str:
    """16 hexadecimal digits; the same for the same snapshot whatever the shard sizes."""
    kept = {
        section: {
            _FIRST_NAMES.get(key, key): value
            for key, value in params.model_dump(mode="json")[section].items()
            if key not in _LAYOUT_KEYS
        }
        for section in ("snapshot", "corpus", "render")
    }
    if params.examiner.examiners:
        kept["examiner"] = params.examiner.model_dump(mode="json")
    text = json.dumps(kept, sort_keys=True)
    said = [_folder_digest(vocabulary_dir(params), _YAML), templates_of(params).digest]
    for own in params.corpus.settings(params.kind):
        said += _read_digests(own)
    return digest("snapshot", text, *said, size=8).hex()


def project_id(project: Project) -> str:
    """Return 16 hexadecimal digits: the id of the one suite, or a hash of the ids of several."""
    ids = {name: snapshot_id(project.suite(name)) for name in project.suites}
    if len(ids) == 1:
        return next(iter(ids.values()))
    return digest("project", json.dumps(ids, sort_keys=True), size=8).hex()
