"""A package beside the project adds a kind of each sort, and no tracked file changes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from e2e.clone import WITHOUT_CLUSTERS, Clone
from lvlmbench import tables
from lvlmbench.stages.scenario.pixels import decode

pytestmark = [pytest.mark.e2e, pytest.mark.long]

#: Modules, and the metadata with their entry points: what installing would put on the path.
PACKAGE = Path(__file__).resolve().parents[1] / "support" / "outside"

DARK = {"name": "dark", "kind": "corruption", "corruption": {"kinds": ["negative"]}}
CONFIG = {
    "suites": {
        "dysca": {
            "corpus": {
                "subtasks": ["vehicle"],
                "scenes_per_subtask": 4,
                "dysca": {"restyled": {"scenes_per_subtask": 0}},
            },
            "scenarios": {"names": ["clean", "dark"], "noisy": [DARK]},
        },
        "tour": {
            "kind": "sights",
            "corpus": {
                "subtasks": ["vehicle"],
                "scenes_per_subtask": 3,
                "drawable_by": "pictograph",
                "sights": {"asks_for": "rocket"},
            },
            "scenarios": {"names": ["clean"], "noisy": []},
        },
    },
    "render": {"size": 128},
    "filter": {"filters": [{"name": "light", "kind": "bright", "bright": {"least": 5}}]},
    "answer": {"models": [{"name": "polly", "engine": "parrot", "parrot": {"says": "(B)"}}]},
    "figures": {"names": ["question_lengths"]},
    "exports": {"formats": ["lines"]},
}
SUITES = ("dysca", "tour")


class Beside(Clone):
    """A clone that runs with the package on its path."""

    @property
    def package(self) -> Path:
        """Where the package lies."""
        return self.path.parent / "package"

    @property
    def environment(self) -> dict[str, str]:
        """With the package, as if it were installed."""
        path = os.pathsep.join([str(self.package), WITHOUT_CLUSTERS])
        return super().environment | {"PYTHONPATH": path}

    def ran(self, *arguments: str) -> dict[str, int]:
        """Run Snakemake with the configuration; returns the jobs of each rule."""
        return self.snakemake("--configfile", str(self.path.parent / "outside.yaml"), *arguments)


@pytest.fixture(scope="module")
def clone(origin: Clone, tmp_path_factory: pytest.TempPathFactory) -> Beside:
    """A clone in which both suites were run to a report."""
    folder = tmp_path_factory.mktemp("outside")
    shutil.copytree(origin.path / "data/vocabulary", folder / "vocabulary")
    shutil.copy(PACKAGE / "outside_kinds/vehicle.yaml", folder / "vocabulary")
    config = CONFIG | {
        "vocabulary": {"folder": str(folder / "vocabulary")},
        "templates": {"folder": str(folder / "package/outside_kinds/templates")},
    }
    (folder / "outside.yaml").write_text(yaml.safe_dump(config))
    shutil.copytree(PACKAGE, folder / "package")
    clone = Beside(origin.fresh(folder / "clone").path, origin.home)
    assert clone.ran("--cores", "2")["report"] == 1
    return clone


def read(clone: Clone, path: str, schema: tables.Table) -> pa.Table:
    found = tables.read(clone.path / "data" / path, schema)
    assert found.num_rows > 0
    return found


def test_no_tracked_file_changes(clone: Beside) -> None:
    assert clone.run("git", "status", "--porcelain") == ""


def test_subtask(clone: Beside) -> None:
    scenes = read(clone, "dysca/scenes", tables.SCENES)
    assert scenes["foreground_list"].to_pylist() == ["vehicle"] * 4
    asked = read(clone, "dysca/questions", tables.QUESTIONS)
    assert "Which vehicle is shown in this image?" in asked["question"].to_pylist()
    assert len(read(clone, "dysca/images/clean", tables.IMAGES)) == 4


def test_corruption(clone: Beside) -> None:
    clean, dark = (
        {
            row["scene_id"]: row
            for row in read(clone, f"dysca/images/{name}", tables.IMAGES).to_pylist()
        }
        for name in ("clean", "dark")
    )
    assert {row["perturbation"]["kind"] for row in dark.values()} == {"negative"}
    for scene_id, row in dark.items():
        before, after = decode(clean[scene_id]), decode(row)
        assert before is not None and after is not None
        assert ((before < 64) <= (after >= before)).all() and (before != after).any()


@pytest.mark.parametrize("suite", SUITES)
def test_filter(clone: Beside, suite: str) -> None:
    verdicts = read(clone, f"{suite}/verdicts/light", tables.VERDICTS)
    assert set(verdicts["threshold"].to_pylist()) == {5.0}
    assert all(score > 5 for score in verdicts["score"].to_pylist())
    assert all(verdicts["keep"].to_pylist())


@pytest.mark.parametrize("suite", SUITES)
def test_engine_is_sent_what_its_suite_says(clone: Beside, suite: str) -> None:
    answers = read(clone, f"{suite}/answers/polly/clean", tables.ANSWERS)
    assert set(answers["text"].to_pylist()) == {"(B)"}
    prompts = answers["prompt"].to_pylist()
    assert all(prompt.startswith("Sights!\n") == (suite == "tour") for prompt in prompts)


@pytest.mark.parametrize("suite", SUITES)
def test_metric(clone: Beside, suite: str) -> None:
    rows = pq.read_table(clone.path / "results" / suite / "metrics.parquet").to_pylist()
    (found,) = (
        row["value"]
        for row in rows
        if (row["metric"], row["scenario"], row["questions"]) == ("n_wrong", "clean", "all")
    )
    scores = read(clone, f"{suite}/scores/polly/clean", tables.SCORES).to_pylist()
    assert found == sum(row["scored"] and not row["correct"] for row in scores)


@pytest.mark.parametrize("suite", SUITES)
def test_figure_and_export(clone: Beside, suite: str) -> None:
    results, asked = clone.path / "results" / suite, 0
    drawn = {path.name for path in (results / "figures").glob("question_lengths.*")}
    assert {f"question_lengths.{end}" for end in ("csv", "pdf", "svg")} <= drawn
    asked = len(read(clone, f"{suite}/answers/polly/clean", tables.ANSWERS))
    assert len((results / "exports/lines/clean.txt").read_text().splitlines()) == asked


def test_suite(clone: Beside) -> None:
    questions = read(clone, "tour/questions", tables.QUESTIONS)["question"].to_pylist()
    assert questions == ["What is there to see?", "There is a rocket."] * 3
    assert len(read(clone, "tour/layouts/clean", tables.LAYOUTS)) == 3


def test_report_has_a_part_for_each_suite_with_the_section(clone: Beside) -> None:
    report = (clone.path / "results/report.html").read_text()
    parts = {p.split('"')[0]: p for p in report.split('<section id="suite-')[1:]}
    assert parts.keys() == set(SUITES)
    for suite, question in zip(SUITES, ("Which vehicle is", "What is there to see?"), strict=True):
        section = parts[suite].split("class=&#34;sayings&#34;")[1].split("/ul")[0]
        assert question in section


@pytest.mark.long
def test_an_edit_of_the_package_is_seen(clone: Beside) -> None:
    assert clone.ran("-n") == {}
    module = clone.package / "outside_kinds/parrot.py"
    module.write_text(module.read_text().replace("text=self.says", "text=self.says.lower()"))
    assert clone.ran("-n")["answer"] == 3
