"""What a foreign runner needs, in one folder: questions, images, how to give answers back."""

from __future__ import annotations

import hashlib
import shutil
import uuid
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Literal, TypeAlias

from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.stages.answer.asked import Asked, item_id
from lvlmbench.stages.answer.engine import Item
from lvlmbench.submissions.guide import guide
from lvlmbench.submissions.questions_file import Form, QuestionsFile, Row

#: Files beside the questions, the images in the questions' file, or no images at all.
Images: TypeAlias = Literal["files", "embedded", "none"]


def _check_out(snapshot: Asked, out: Path, form: Form, images: Images) -> None:
    if form == "csv" and images == "embedded":
        raise UserError(
            "--images embedded",
            "most programs read no image from a cell of CSV",
            "use --format parquet or jsonl, or --images files",
        )
    for folder in (snapshot.data.parent, snapshot.results.parent):  # of all suites
        if out.resolve().is_relative_to(folder.resolve()):
            raise UserError(
                f"--out {out}", f"lies in {folder}, which is the snapshot's", "name another folder"
            )
    if out.resolve() == Path.cwd():  # it would be replaced, and the shell stay in the old one
        raise UserError(f"--out {out}", "is the folder you are in", "name a new folder")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"--out {out}", "is there and not empty", "name a new folder")


def _row(scenario: str, item: Item, image: str | bytes | None) -> Row:
    return {
        "item_id": item_id(scenario, item),
        "scenario": scenario,
        "question_id": item.question_id,
        "image_id": item.image_id,
        "subtask": item.subtask,
        "question_type": item.question_type,
        "question": item.question,
        "options": list(item.options),
        "prompt": item.prompt,
        "image": image,
        "image_sha256": item.image_sha256,
        "turns": [turn._asdict() for turn in item.turns],
        "panels": [panel._asdict() for panel in item.panels],
    }


def _checked(item: Item, scenario: str) -> bytes | None:
    """The image's bytes, which are what their hash says."""
    if item.image is not None and hashlib.sha256(item.image).hexdigest() != item.image_sha256:
        raise UserError(
            f"images of scenario '{scenario}'",
            f"image {item.image_id} is not what its SHA-256 says",
            "restore the shards with 'dvc checkout'",
        )
    return item.image


def _fill(
    snapshot: Asked, folder: Path, scenarios: Sequence[str], form: Form, images: Images
) -> tuple[Counter[str], int]:
    """Write questions and images; gives the questions by scenario and the number of images."""
    asked: Counter[str] = Counter()
    written: set[str] = set()
    with QuestionsFile(folder / f"questions.{form}", form, images == "embedded") as out:
        for scenario in scenarios:
            for item in snapshot.items(scenario, pictures=images != "none"):
                image: str | bytes | None = None
                sha256 = item.image_sha256
                if sha256 is not None:
                    image = f"images/{sha256}.png"
                data = _checked(item, scenario)
                if data is not None and sha256 is not None:
                    if images == "embedded":
                        image = data
                    elif sha256 not in written:
                        atomic_bytes(folder / f"images/{sha256}.png", data)
                    written.add(sha256)
                out.write(_row(scenario, item, image))
                asked[scenario] += 1
    return asked, len(written)


def _check_fair(snapshot: Asked, scenarios: Sequence[str]) -> None:
    """No scenario asks a question with other options: side by side they tell the right one."""
    for spec in snapshot.params.scenarios.noisy:
        kind = spec.made_by()
        if spec.name in scenarios and (spec.drafts or getattr(kind, "moves", False)):
            what = "asks questions with other options, which side by side give the right one away"
            raise UserError(f"--scenario: {spec.name}", what, "leave it out")


def export_questions(
    snapshot: Asked, out: Path, scenarios: Sequence[str], form: Form, images: Images
) -> str:
    """Write everything into ``out``, which is there whole at the end or not at all.

    No row holds its right answer, or anything that only the answer decides; what was said before it
    goes with it. Memory is that of one shard of images.

    Parameters
    ----------
    out
        A folder that does not exist or is empty.
    scenarios
        Conditions to export, each once.
    form
        Format of the questions' file.
    images
        ``files``: ``images/<sha256>.png``, each once; ``embedded``: in the questions' file, as
        bytes (Parquet) or data URL (JSON lines); ``none``: not at all, rows keep the names.

    Returns
    -------
    str
        What was written, in one line.

    Raises
    ------
    UserError
        The folder is not empty, a scenario is unknown, or a table is missing or damaged.
    """
    _check_out(snapshot, out, form, images)  # first: it takes no time
    scenarios = list(dict.fromkeys(scenarios))
    snapshot.check_scenarios(scenarios, "--scenario")
    _check_fair(snapshot, scenarios)
    out.parent.mkdir(parents=True, exist_ok=True)
    folder = out.with_name(f".{out.name}.{uuid.uuid4().hex}.unfinished")
    folder.mkdir()
    try:
        asked, n_images = _fill(snapshot, folder, scenarios, form, images)
        runner = files("lvlmbench.submissions").joinpath("example_runner.py").read_bytes()
        text = guide(snapshot, asked, form, images)
        atomic_bytes(folder / "run.py", runner)
        atomic_bytes(folder / "README.md", text.encode())
        folder.replace(out)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    counts = ", ".join(f"{name} {count:,}" for name, count in asked.items())
    said = f"{amount(asked.total(), 'question')} ({counts}) with {amount(n_images, 'image')}"
    return f"{out}: {said}; see README.md"
