"""Memory and time by stage of a finished snapshot, as its jobs were measured."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.config import load_project
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.engine.builds import STATE
from lvlmbench.stages.report.timings import MEASURED, OUTS, Spent, spent


@dataclass(frozen=True)
class Row:
    """A stage of one suite, or those of all scenarios of one model together."""

    name: str
    spent: Spent


def _outs(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _about_what_lies_there(root: Path, folder: Path, stage: str) -> bool:
    """Whether the measurements are of the making of the stage's files as they are."""
    seal = _outs(root / "data" / "seals" / f"{stage}.json") or {}
    now = seal.get("outs")
    return now is not None and _outs(folder / OUTS) == now


def measured(root: Path) -> list[Row]:
    """Every stage of the snapshot in ``root`` that was measured, in the order of the pipeline.

    The last row is of all. A stage whose files came from elsewhere, as by ``dvc pull``, has none.
    """
    top = root / STATE / MEASURED
    found: dict[str, Spent] = {}
    for about in sorted(top.rglob(OUTS)):
        folder = about.parent
        stage = folder.relative_to(top).as_posix()
        if not _about_what_lies_there(root, folder, stage):
            continue
        took = spent(sorted(folder.glob("*.tsv")))
        if took is not None:
            name = "/".join(stage.split("/")[:3])
            found[name] = found.get(name, Spent()) + took
    stages = yaml.safe_load((PROJECT_ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    order = {name: i for i, name in enumerate(stages)}
    names = sorted(found, key=lambda name: (order.get(name.partition("/")[0], len(order)), name))
    rows = [Row(name, found[name]) for name in names]
    return [*rows, Row("all", sum(found.values(), Spent()))] if rows else []


def about(root: Path) -> str:
    """Which snapshot lies in ``root``, in a few words."""
    try:
        project = load_project(root / "params.yaml")
    except UserError:
        return "A snapshot"
    suites = [project.suite(name) for name in project.suites]
    scenarios = {name for suite in suites for name in suite.scenarios.names}
    return (
        f"The snapshot {project.snapshot.name}: "
        f"{sum(suite.corpus.n_scenes for suite in suites):,} scenes, "
        f"{len(scenarios)} scenarios, {len(project.answer.models)} models, "
        f"images of {project.render.size} px"
    )
