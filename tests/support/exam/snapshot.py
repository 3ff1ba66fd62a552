"""A small exam on disk, as the pipeline leaves it, for what reads snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from lvlmbench import tables
from lvlmbench.config.project import project_of
from lvlmbench.snapshot.reader import Snapshot
from support.exam.made import KIND, Exam, drawn, params_of

#: Two aspects at three levels.
_ASPECTS = ["left_and_right", "topmost_thing"]


def small_exam() -> Exam:
    """Return an exam of six pictures in the scenario clean, all of which the filters keep."""
    params = params_of(requests=("spatial_understanding",), scenes=6, only=_ASPECTS)
    clean = params.scenarios.model_copy(update={"names": ("clean",), "noisy": ()})
    return drawn(params.model_copy(update={"scenarios": clean}))


def written(exam: Exam, root: Path, labels: Path) -> Snapshot:
    """Write an exam to ``root`` and return it; labels of people are kept in ``labels``."""
    data = root / "data" / KIND

    def write(rows: Iterable[Mapping[str, Any]], table: tables.Table, folder: str) -> None:
        tables.write_rows([*rows], data / folder / tables.part_name(0), table, "0" * 16)

    write(exam.scenes.to_pylist(), tables.SCENES, "scenes")
    write(exam.questions.to_pylist(), tables.QUESTIONS, "questions")
    base = {row["scene_id"]: row["base"] for row in exam.scenes.to_pylist()}
    for scenario in exam.params.scenarios.names:
        again = scenario != exam.params.scenarios.first
        images = [
            row for row in exam.images.to_pylist() if (base[row["scene_id"]] is None) != again
        ]
        write(images, tables.IMAGES, f"images/{scenario}")
    write(exam.attempts.to_pylist(), tables.ATTEMPTS, "attempts")
    write(exam.descriptions.to_pylist(), tables.DESCRIPTIONS, "descriptions")
    write(exam.validation.to_pylist(), tables.VALIDATION, "validation")
    verdicts = exam.verdicts.to_pylist()
    for name in ("render", *exam.params.filter.names):
        write([row | {"filter": name} for row in verdicts], tables.VERDICTS, f"verdicts/{name}")
    project = project_of(exam.params).model_dump(mode="json", exclude_unset=True)
    text = yaml.safe_dump(project | {"labels": {"folder": str(labels)}})
    (root / "params.yaml").write_text(text)
    return Snapshot(exam.params, data, root / "results" / KIND)
