"""What tables are made with: the id of the parameters, the vocabulary's folder, the templates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from lvlmbench.config.section import Section
from lvlmbench.config.sections import Params, Shared
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import digest
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


def _deciding(section: object, dumped: Any) -> Any:
    """What of a section decides rows; whatever is no section does."""
    if not isinstance(section, Section):
        return dumped
    return {key: value for key, value in dumped.items() if key not in section.changes_no_row}


def params_id(params: Params) -> str:
    """16 hexadecimal digits of the suite's kind and of what is planned and how it is drawn.

    That is the sections ``snapshot``, ``corpus``, ``render`` and, with examiners, ``examiner``.
    Whatever the shard sizes are, it is the same. It stands in every table and says nothing of the
    vocabulary, of templates or of files that settings name: where one of these changes, tables
    whose rows stay keep their bytes. :mod:`lvlmbench.snapshot.identity` tells snapshots apart.
    """
    kept = {
        section: {
            _FIRST_NAMES.get(key, key): _deciding(getattr(getattr(params, section), key), value)
            for key, value in params.model_dump(mode="json")[section].items()
            if key not in _LAYOUT_KEYS
        }
        for section in ("snapshot", "corpus", "render")
    }
    kept["kind"] = {"kind": params.kind}
    if params.examiner.examiners:
        kept["examiner"] = params.examiner.model_dump(mode="json")
    return digest("params", json.dumps(kept, sort_keys=True), size=8).hex()
