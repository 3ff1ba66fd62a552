"""Table 4 as Dysca makes it: only the subtasks, question types and models that both have."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.stages.figures import published_rankings
from lvlmbench.stages.figures.figure import NotApplicable, Sources
from lvlmbench.stages.figures.kinds.correlations import table4_correlations
from lvlmbench.stages.figures.run import draw
from lvlmbench.stages.validity.correlations import correlation_tables
from lvlmbench.stages.validity.files import encode
from lvlmbench.stages.validity.rankings import Ranking, Task, read_rankings
from lvlmbench.stages.validity.totals import Cells, Images, cells, metric_totals

ROOT = Path(__file__).parents[3]
HEAD = "benchmark,model,score,subtask,question_type\n"
MC, TF = "multiple_choice", "true_false"
ANIMAL = Task(("animal",), (MC,))
PEOPLE = Task(("age", "gender"), (MC,))
FOOD = Task(("food",), (TF,))


def params(asked: str = "abcd", **validity: Any) -> Params:
    endpoint = {"base_url": "https://models.example/v1", "model": "m"}
    models = [{"name": n, "engine": "openai_chat", "endpoint": endpoint} for n in asked]
    return validate({"answer": {"models": models}, "validity": {"resamples": 99} | validity})


def own(animal: float, age: float, gender: float, style: float) -> dict[tuple[str, str], float]:
    found = {"animal": animal, "age": age, "gender": gender, "style": style}
    return {(name, MC): value for name, value in found.items()}


OURS: dict[str, Cells] = {
    "a": own(90, 10, 20, 1), "b": own(80, 40, 40, 99), "c": own(10, 60, 70, 50),
    "d": own(50, 50, 50, 50),
}  # fmt: skip
TOTALS = {"a": 40.0, "b": 60.0, "c": 50.0, "d": 55.0}
THEIRS = {
    ANIMAL: {"a": 70.0, "b": 60.0, "c": 20.0, "d": 30.0},
    PEOPLE: {"a": 10.0, "b": 30.0, "c": 50.0},
    FOOD: {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0},
}


def compared(
    ours: Mapping[str, Cells], theirs: Mapping[Task, dict[str, float]], **scores: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    ranking = Ranking("B", scores, theirs, "accuracy")
    made = correlation_tables(
        params(), {"accuracy": {"all": TOTALS}}, [ranking], lambda styles: ours
    )
    return made[0].to_pylist(), made[1].to_pylist()


def test_both_sides_are_means_over_what_both_have() -> None:
    (row,), models = compared(OURS, THEIRS)
    # d has no score of theirs on people; nobody asks about food here; style is not theirs.
    assert (row["basis"], row["models"], row["left_out"]) == ("tasks", 3, 1)
    assert (row["subtasks"], row["types"]) == ("animal;age;gender", MC)
    ours = {m["model"]: m["ours"] for m in models}
    assert ours == {"a": (90 + 15) / 2, "b": (80 + 40) / 2, "c": (10 + 65) / 2}
    assert {m["model"]: m["theirs"] for m in models} == {"a": 40.0, "b": 45.0, "c": 35.0}
    assert (row["spearman"], row["kendall"], row["why_not"]) == (1.0, 1.0, "")
    assert row["spearman_p"] == pytest.approx(2 / 6)


def test_totals_stand_beside_tasks_and_are_what_they_were() -> None:
    scores = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    (total, tasks), models = compared(OURS, THEIRS, **scores)
    assert (total["basis"], total["models"], tasks["basis"]) == ("whole", 4, "tasks")
    alone = correlation_tables(
        params(), {"accuracy": {"all": TOTALS}}, [Ranking("B", scores, {}, "accuracy")]
    )
    assert alone[0].to_pylist() == [total]
    assert alone[1].to_pylist() == [m for m in models if m["basis"] == "whole"]


@pytest.mark.parametrize(
    ("theirs", "ours", "why"),
    [
        ({FOOD: THEIRS[FOOD]}, OURS, "no task in common: they ask food as true_false"),
        ({PEOPLE: THEIRS[PEOPLE]}, {k: own(1, 2, 3, 4) for k in "ab"}, "2 models in common"),
        ({ANIMAL: THEIRS[ANIMAL]}, {k: own(5, 2, 3, 4) for k in "abcd"}, "all scores of one side"),
        # Half a task is not that task.
        ({PEOPLE: THEIRS[PEOPLE]}, {k: {("age", MC): 1.0} for k in "abc"}, "no task in common"),
        # A model without a scored answer has no score to compare.
        ({ANIMAL: THEIRS[ANIMAL]}, OURS | {k: {("animal", MC): None} for k in "ab"},
         "2 models in common"),
    ],
)  # fmt: skip
def test_a_missing_intersection_is_a_row_that_says_why(
    theirs: Mapping[Task, dict[str, float]], ours: Mapping[str, Cells], why: str
) -> None:
    (row,), _ = compared(ours, theirs)
    assert why in row["why_not"]
    assert row["spearman"] is None and row["kendall_p"] is None


def test_tasks_are_read_in_our_names(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text(
        HEAD + "B,x,1,,\nB,x,2,gender; age,multiple_choice\nB,y,3,age;gender,multiple_choice\n"
        "B,y,4,,true_false\n"
    )
    (found,) = read_rankings(tmp_path)
    assert found.scores == {"x": 1.0}
    assert found.tasks == {
        PEOPLE: {"x": 2.0, "y": 3.0}, Task((), (TF,)): {"y": 4.0},
    }  # fmt: skip
    assert found.models == {"x", "y"}


@pytest.mark.parametrize(
    ("rows", "line", "what"),
    [
        ("B,x,1,animals,\n", 2, "there is no subtask 'animals'; did you mean 'animal'?"),
        ("B,x,1,animal,choice\n", 2, "there is no question_type 'choice'"),
        ("B,x,1,age;gender,\nB,X,2,gender;age,\n", 3, "for the same subtask and question type"),
    ],
)
def test_a_mistake_in_a_task_is_one_line(tmp_path: Path, rows: str, line: int, what: str) -> None:
    path = tmp_path / "b.csv"
    path.write_text(HEAD + rows)
    with pytest.raises(UserError) as caught:
        read_rankings(tmp_path)
    assert str(caught.value).startswith(f"{path}:{line}:") and what in str(caught.value)
    assert "\n" not in str(caught.value)


def _score(i: int, model: str, subtask: str, kind: str, style: str, right: bool) -> dict[str, Any]:
    row = dict.fromkeys(tables.SCORES.names)
    return row | {
        "model": model, "scenario": "clean", "question_id": f"q{i}", "image_id": f"i{i}",
        "scene_id": f"s{i}", "subtask": subtask, "question_type": kind, "style": style,
        "status": "answered", "parsed_index": 0, "parse_method": "letter", "correct": right,
        "scored": True,
    }  # fmt: skip


def test_cells_are_what_a_total_is_the_mean_of(tmp_path: Path) -> None:
    given = [
        ("animal", MC, "photo", True), ("animal", MC, "sketch", False), ("food", MC, "photo", True),
        ("food", TF, "photo", False), ("food", TF, "sketch", True), ("food", TF, "sketch", True),
    ]  # fmt: skip
    rows = [_score(i, m, *each) for m in "ab" for i, each in enumerate(given)]
    path = tmp_path / "part-00000.parquet"
    tables.write_rows(rows, path, tables.SCORES, "0" * 16)
    third = pytest.approx(200 / 3, abs=1e-6)
    expected = {("animal", MC): 50.0, ("food", MC): 100.0, ("food", TF): third}
    assert cells([path], None) == {"a": expected, "b": expected}
    photo = {("animal", MC): 100.0, ("food", MC): 100.0, ("food", TF): 0.0}
    scenes = {row["scene_id"] for row in rows}
    assert cells([path], Images({"photo"}, scenes))["b"] == photo
    assert cells([path], Images({"none"}, scenes))["a"] == {}
    assert cells([path], Images({"photo"}, ()))["a"] == {}
    assert metric_totals(tables.METRICS.empty_table()) == {}


def _sources(folder: Path, shown: bool) -> Sources:
    params = SimpleNamespace(figures=SimpleNamespace(published=shown))
    asked = SimpleNamespace(params=params, without="")
    return Sources(asked, folder, ROOT / "data" / "published")  # type: ignore[arg-type]


def test_table4_says_why_and_shows_what_was_published(tmp_path: Path) -> None:
    theirs = [
        Ranking("B", {"a": 1.0, "z": 2.0}, THEIRS, "accuracy"),
        Ranking("None", {}, {FOOD: {"a": 1.0}}, "accuracy"),
    ]
    made = correlation_tables(params(), {"accuracy": {"all": TOTALS}}, theirs, lambda styles: OURS)
    (tmp_path / "correlations.csv").write_bytes(encode("correlations.csv", made[0]))
    drawn = table4_correlations(_sources(tmp_path, True))
    rows = drawn.table.to_pylist()
    assert [(r["benchmark"], r["basis"], r["source"]) for r in rows[:3]] == [
        ("B", "whole", "snapshot"), ("B", "tasks", "snapshot"), ("None", "tasks", "snapshot"),
    ]  # fmt: skip
    with (ROOT / "data/published/dysca_table4.csv").open() as file:
        printed = {(r["style"], r["statistic"]): r for r in csv.DictReader(file)}
    names = {"MMBench": "mmbench", "OCRBench": "ocrbench", "SeedBench-2": "seedbench2"}
    assert len(rows) == 9
    for row in rows[3:]:
        column = names[row["benchmark"]]
        assert row["source"] == "published" and row["models"] is None
        assert row["spearman"] == float(printed[row["styles"], "spearman_rho"][column])
        assert row["kendall"] == float(printed[row["styles"], "kendall_tau"][column])
    assert drawn.tex is not None and "no task in common" in drawn.tex and "animal, age" in drawn.tex
    assert table4_correlations(_sources(tmp_path, False)).table.num_rows == 3
    about = [draw("table4_correlations", _sources(tmp_path, True), tmp_path / x) for x in "xy"]
    assert about[0].why_not is None
    for suffix in ("pdf", "svg", "csv", "tex"):
        one, two = (tmp_path / x / f"table4_correlations.{suffix}" for x in "xy")
        assert one.read_bytes() == two.read_bytes()
    with pytest.raises(NotApplicable):
        table4_correlations(replace(_sources(tmp_path, True), validity=None))


@pytest.mark.parametrize("text", [None, "", "style,statistic\n", "HEAD\nall,spearman_rho,2,1,x\n"])
def test_a_damaged_table_is_one_line(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        head = "style,statistic,mmbench,ocrbench,seedbench2"
        (tmp_path / published_rankings.FILE).write_text(text.replace("HEAD", head))
    with pytest.raises(UserError, match="restore the file from the repository"):
        published_rankings.read(tmp_path)


def test_no_table_needs_the_tasks_of_ours_in_vain() -> None:
    def never(styles: str) -> Mapping[str, Cells]:
        raise AssertionError("read for nothing")

    made = correlation_tables(
        params(),
        {"accuracy": {"all": TOTALS}},
        [Ranking("B", {"a": 1, "b": 2}, {}, "accuracy")],
        never,
    )
    assert isinstance(made[0], pa.Table)
