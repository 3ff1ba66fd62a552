"""Which questions our side of a correlation counts: ``statistics.questions``."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config.project import project_of
from support.report_snapshot import build, params

NAMES = {"model-a": "A", "reference_a": "R", "chance": "C"}
STATISTICS = {"resamples": 100}
RANKINGS = (
    "benchmark,model,score,subtask,question_type,measure\n"
    "B,A,3,,,accuracy\nB,R,2,,,accuracy\nB,C,1,,,accuracy\n"
    "B,A,3,style,true_false,accuracy\nB,R,2,style,true_false,accuracy\n"
    "B,C,1,style,true_false,accuracy\n"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("validity-counted")
    (folder / "rankings").mkdir()
    (folder / "rankings" / "b.csv").write_text(RANKINGS)
    build(folder, params(statistics=STATISTICS))
    return folder


def ours(made: Path, which: str, run: Callable[..., subprocess.CompletedProcess[str]],
         script: Path) -> dict[tuple[str, str], float]:  # fmt: skip
    """(Basis, model) -> our side, as the script writes it."""
    validity = {"rankings": str(made / "rankings"), "names": NAMES, "resamples": 99}
    p = params(statistics=STATISTICS | {"questions": which}, validity=validity)
    config, out = made / f"{which}.json", made / f"{which}.csv"
    config.write_text(project_of(p).model_dump_json())
    data = made / "data" / "dysca"
    done = run(
        script, "--config", config, "--metrics", made / "results/dysca/metrics.parquet",
        "--scores", *sorted((data / "scores").glob("*/clean/*.parquet")),
        "--consensus", *sorted((data / "consensus").iterdir()),
        "--rendered", *sorted((data / "images/clean").iterdir()),
        "--correlations-out", made / "correlations.csv", "--rankings-out", out,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with out.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["styles"] == "all"]
    return {(row["basis"], row["model"]): float(row["ours"]) for row in rows}


def known(made: Path, which: str, metric: str, **key: str) -> dict[str, float]:
    """Model -> one number of the metrics table."""
    columns = ("question_type", "subtask", "style", "perturbation", "severity", "level")
    wanted: dict[str, Any] = dict.fromkeys(columns, "all") | {"scenario": "clean"} | key
    found = tables.read([made / "results/dysca/metrics.parquet"], tables.METRICS).to_pylist()
    return {
        row["model"]: row["value"]
        for row in found
        if row["metric"] == metric and row["questions"] == which and row["model"] in NAMES
        and all(row[name] == value for name, value in wanted.items())
    }  # fmt: skip


@pytest.mark.long
def test_our_side_is_of_the_questions_that_count(
    made: Path, run_python: Callable[..., subprocess.CompletedProcess[str]], root: Path
) -> None:
    seen = []
    for which in ("all", "consensus"):
        found = ours(made, which, run_python, root / "scripts/validity.py")
        total = known(made, which, "headline")
        task = known(made, which, "accuracy", question_type="true_false", subtask="style")
        assert {m: found["whole", m] for m in NAMES} == pytest.approx(total, abs=1e-5)
        assert {m: found["tasks", m] for m in NAMES} == pytest.approx(task, abs=1e-5)
        seen.append(found)
    assert all(seen[1]["whole", m] > seen[0]["whole", m] for m in ("model-a", "reference_a"))
    assert seen[1]["tasks", "model-a"] > seen[0]["tasks", "model-a"]
