"""A drawn exam on disk, and a validator that is a server of the tests' own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.stages.check import run
from lvlmbench.suites.posed import Posed
from lvlmbench.suites.suite import suite_of
from support.answer_tables import SERVER
from support.exam.made import Exam
from support.render_scenes import vocabulary
from support.validator_replies import key_of

VALIDATOR_SERVER = SERVER.with_name("validator_server.py")
Row = dict[str, Any]


def with_validator(params: Params, section: Mapping[str, Any], **keys: Any) -> Params:
    """The same parameters with a validator ``eye`` at an endpoint.

    ``family`` and ``models`` go where they belong, the others to its section.
    """
    one = {"name": "eye", "engine": "openai_chat", "endpoint": dict(section)}
    one |= {"family": keys.pop("family")} if "family" in keys else {}
    given = params.model_dump(mode="json", exclude_unset=True)
    given |= {"answer": {"models": keys.pop("models")}} if "models" in keys else {}
    return validate({**given, "validator": {"validators": [one], **keys}})


def posed(exam: Exam, planted: int = 1) -> list[Posed]:
    """All checks of an exam."""
    suite = suite_of(exam.params)
    return [*suite.posed(exam.params, vocabulary(), exam.scenes, exam.layouts, planted)]


def keyed(exam: Exam, planted: int = 1) -> dict[str, Posed]:
    """The checks of an exam by what the server knows them by."""
    image = {row["scene_id"]: row["image"]["bytes"] for row in exam.images.to_pylist()}
    return {key_of(image[c.shown_id], c.question, c.options): c for c in posed(exam, planted)}


def known(check: Posed) -> list[str]:
    """The option that the description gives, and the one that the picture shows; the same where
    that is not clear."""
    shown = check.answer_index if check.shown_index is None else check.shown_index
    return [check.options[check.answer_index], check.options[shown]]


def truth(exam: Exam, folder: Path, planted: int = 1) -> Path:
    """What the server would see in the pictures of an exam."""
    found = {key: known(check) for key, check in keyed(exam, planted).items()}
    path = folder / "truth.json"
    path.write_text(json.dumps(found))
    return path


def on_disk(exam: Exam, folder: Path) -> run.Files:
    """Write what a validator reads, pictures in two shards."""
    half = len(exam.images) // 2
    images = [folder / f"images-{n}.parquet" for n in range(2)]
    for path, rows in zip(images, (exam.images[:half], exam.images[half:]), strict=True):
        tables.write(rows, path, tables.IMAGES, "s")
    scenes, layouts = folder / "scenes.parquet", folder / "layouts.parquet"
    tables.write(exam.scenes, scenes, tables.SCENES, "s")
    tables.write(exam.layouts, layouts, tables.LAYOUTS, "s")
    return run.Files([scenes], [layouts], images)


def checked(params: Params, files: run.Files, folder: Path) -> tuple[list[Row], list[Row]]:
    """Have the validator look; returns the rows of both tables."""
    outs = run.Outs(folder / "check_answers.parquet", folder / "check_requests.parquet")
    run.check_files(params, "eye", files, outs, folder / "answers.sqlite")
    return (
        tables.read([outs.answers], tables.CHECK_ANSWERS).to_pylist(),
        tables.read([outs.requests], tables.CHECK_REQUESTS).to_pylist(),
    )
