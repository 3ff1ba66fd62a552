"""Which snapshot it is: an id of what is shown and asked, by what was made and not by what from.

The vocabulary, templates and a user's files count by the scenes, questions, pictures and truth that
came of them, and by the instructions that stand behind a question: a word that no scene shows makes
no other snapshot. Parameters count as they are (:func:`lvlmbench.config.identity.params_id`).
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import Params, Project
from lvlmbench.config.identity import params_id, templates_of
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.seeding import digest

#: Of the pictures, what tells them apart without reading them.
_PICTURES = ["image_id", "scene_id", "sha256"]


def snapshot_id(params: Params, data: Path) -> str:
    """Return 16 hexadecimal digits, the same for the same content whatever the shard sizes.

    Parameters
    ----------
    data
        Folder of the suite's tables. A table that is not there counts as an empty one.

    Raises
    ------
    UserError
        A table is damaged.
    """
    read = {
        "scenes": tables.read(tables.SCENES.shards(data), tables.SCENES),
        "questions": tables.read(tables.QUESTIONS.shards(data), tables.QUESTIONS),
        "truth": tables.read(tables.TRUTH.shards(data), tables.TRUTH),
        "pictures": tables.read(
            tables.IMAGES.shards(data, scenario=CLEAN), tables.IMAGES, _PICTURES
        ),
    }
    found = {name: tables.hash_batches([table])[0] for name, table in read.items()}
    said = dataclasses.asdict(templates_of(params).instructions)
    text = json.dumps([found, said], sort_keys=True)
    return digest("snapshot", params_id(params), text, size=8).hex()


def project_id(project: Project, data: Path) -> str:
    """Return 16 hexadecimal digits: the id of the one suite, or a hash of the ids of several.

    Parameters
    ----------
    data
        Folder that holds those of the suites.

    Raises
    ------
    UserError
        A table is damaged.
    """
    ids = {name: snapshot_id(project.suite(name), data / name) for name in project.suites}
    if len(ids) == 1:
        return next(iter(ids.values()))
    return digest("project", json.dumps(ids, sort_keys=True), size=8).hex()
