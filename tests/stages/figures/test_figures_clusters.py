"""Clusters of subtasks and of vocabulary entries, and their figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from lvlmbench.analysis import tasks
from lvlmbench.analysis.clustering import cluster, distances
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.project import check_files
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures.check import check_intra_task
from lvlmbench.stages.figures.figure import NotApplicable, Sources
from lvlmbench.stages.figures.kinds import clusters
from lvlmbench.stats.estimate import wilson
from support import many_models

MODELS = ["m1", "m2", "m3"]


def grid_of(scores: Mapping[str, list[float | None]]) -> tasks.Grid:
    """Cells of 40 answers; None is one that was asked and not scored."""
    values: dict[str, dict[str, Value]] = {m: {} for m in MODELS}
    for group, row in scores.items():
        for model, v in zip(MODELS, row, strict=True):
            ends = (None, None) if v is None else (max(v - 10, 0.0), min(v + 10, 100.0))
            values[model][group] = Value(v, *ends, 0 if v is None else 40, 0)
    return tasks.Grid(list(scores), values, dict.fromkeys(scores, 25.0), {})


def test_distances_are_those_of_the_definition() -> None:
    rng = np.random.default_rng(1)
    scores = rng.uniform(0, 100, (6, 5))
    scores[1, 2] = scores[4, 0] = math.nan
    found = distances(scores)
    for i in range(6):
        for j in range(6):
            pairs = [(a, b) for a, b in zip(scores[i], scores[j], strict=True)
                     if math.isfinite(a) and math.isfinite(b)]  # fmt: skip
            direct = math.sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs))
            assert found[i, j] == pytest.approx(direct, abs=1e-8)
    assert (found == found.T).all() and not np.diag(found).any()


def test_two_groups_of_two_are_found_and_the_better_stands_above() -> None:
    scores = {"bad": [10, 20, 30], "good": [90, 80, 99], "worse": [9, 19, 28], "best": [91, 82, 99]}
    made = cluster(grid_of(scores), MODELS, list(scores))
    assert made.groups == ["best", "good", "bad", "worse"]
    first, second, last = made.merges
    assert {(first.upper, first.lower), (second.upper, second.lower)} == {(0, 1), (2, 3)}
    # Average linkage: the mean distance between the members.
    pairs = [(a, b) for a in ("best", "good") for b in ("bad", "worse")]
    mean = sum(
        math.sqrt(sum((x - y) ** 2 for x, y in zip(scores[a], scores[b], strict=True)) / 3)
        for a, b in pairs
    ) / len(pairs)
    assert last.height == pytest.approx(mean, abs=1e-8)
    assert made.joins_at()["best"] == made.joins_at()["good"] < 2


def test_equal_rows_merge_at_zero_in_the_order_given() -> None:
    scores: dict[str, list[float | None]] = {name: [50, 60, 70] for name in "cab"}
    made = cluster(grid_of(scores), MODELS, list(scores))
    assert made.groups == ["c", "a", "b"]
    assert [m.height for m in made.merges] == [0, 0]


def test_what_most_models_lack_is_left_out_and_the_rest_share_a_model() -> None:
    scores: dict[str, list[float | None]] = {
        "a": [1, 2, None], "b": [None, 3, 4], "c": [5, None, 6], "d": [7, None, None],
    }  # fmt: skip
    made = cluster(grid_of(scores), MODELS, list(scores))
    assert made.left_out == ["d"] and sorted(made.groups) == ["a", "b", "c"]
    assert made.unknown == 3
    assert all(math.isfinite(m.height) for m in made.merges)


def test_groups_of_equal_difficulty_lie_as_far_apart_as_sampling_says() -> None:
    rng = np.random.default_rng(7)
    n, names = 100, [f"g{i}" for i in range(30)]
    models = [f"m{i}" for i in range(12)]
    values = {}
    for i, model in enumerate(models):
        cells = {}
        for name in names:
            p = float(rng.binomial(n, 0.4 + 0.03 * i)) / n
            low, high = wilson(p, n)
            cells[name] = Value(100 * p, 100 * low, 100 * high, n, 0)
        values[model] = cells
    grid = tasks.Grid(names, values, {}, {})
    scores = np.array([[grid.value(m, g) for m in models] for g in names], dtype=np.float64)
    found = distances(scores)[np.triu_indices(len(names), 1)]
    seen = math.sqrt(float((found * found).mean()))
    assert cluster(grid, models, names).noise == pytest.approx(seen, rel=0.1)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return many_models.build(tmp_path_factory.mktemp("many"), each=30, intra_task_n=4)


def texts(snapshot: Snapshot, draw: object) -> list[str]:
    with plotting.settings():
        made = draw(Sources(snapshot, None, Path("none"))).figure  # type: ignore[operator]
    return [t.get_text() for t in made.axes[0].texts]


def changed(snapshot: Snapshot, **figures: object) -> Snapshot:
    params = snapshot.params
    other = params.figures.model_copy(update=figures)
    return Snapshot(params.model_copy(update={"figures": other}), snapshot.data, snapshot.results)


def test_subtasks_are_in_the_order_of_the_tree(snapshot: Snapshot) -> None:
    found = clusters.task_clusters(Sources(snapshot, None, Path("none"))).table.to_pylist()
    assert [r["order"] for r in found] == sorted(r["order"] for r in found)
    assert "chance" not in {r["model"] for r in found}
    assert {r["order"] for r in found} == set(range(1, 21))
    said = texts(snapshot, clusters.task_clusters)
    assert "Without a score: 2 cells; distances are over the others." in said
    assert any("Models that guess are left out." in text for text in said)


def test_entries_with_few_answers_are_counted_and_stand_in_the_table(snapshot: Snapshot) -> None:
    # 30 images over 20 animals: ten have two images and four answers, ten have two answers.
    drawn = clusters.animal_clusters(Sources(snapshot, None, Path("none")))
    rows = drawn.table.to_pylist()
    assert {r["entry"] for r in rows} == set(many_models.ANIMALS)
    assert {r["entry"] for r in rows if r["order"] is not None} == set(many_models.ANIMALS[:10])
    assert {r["n"] for r in rows if r["order"] is None} == {2}
    said = texts(snapshot, clusters.animal_clusters)
    assert "Left out, with fewer than 4 scored answers: 10." in said
    assert "Left out" not in " ".join(texts(changed(snapshot, intra_task_n=2),
                                            clusters.animal_clusters))  # fmt: skip


def test_most_answered_entries_are_drawn_where_there_are_many(
    snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "MAX_ENTRIES", 5)
    all_of_them = changed(snapshot, intra_task_n=1)
    said = texts(all_of_them, clusters.animal_clusters)
    assert "Shown are those with the most answers; 15 more are in the table." in said
    assert "Animal 00" in said and "Animal 19" not in said


def test_entries_of_a_list_without_a_subtask_take_all_questions(snapshot: Snapshot) -> None:
    names = many_models.names(6)
    grid = tasks.by_entry(snapshot, names, "clean", "carrier")
    assert grid.groups == []
    # Styles are a subtask: only questions about the style count, not all on images of it.
    styles = tasks.by_entry(snapshot, names, "clean", "style")
    assert sum(styles.asked.values()) == 60
    assert tasks.by_entry(snapshot, names, "clean", "race").groups == ["dark"]


@pytest.mark.parametrize("name", ["plant", "race", "carrier"])
def test_too_few_entries_are_no_figure(snapshot: Snapshot, name: str) -> None:
    with pytest.raises(NotApplicable, match=f"three entries of the list '{name}'"):
        clusters.animal_clusters(Sources(changed(snapshot, intra_task=name), None, Path("none")))


def test_one_model_is_no_figure(tmp_path: Path) -> None:
    two = many_models.build(tmp_path, models=2, each=2)
    for draw in (clusters.task_clusters, clusters.animal_clusters):
        with pytest.raises(NotApplicable, match="need two models that do not guess; only one is"):
            draw(Sources(two, None, Path("none")))


def test_an_unknown_list_is_one_line_at_the_start(tmp_path: Path, root: Path) -> None:
    lists = {"animal", "food", "text"}
    check_intra_task(validate({}), lists, "p")
    with pytest.raises(UserError) as problem:
        check_intra_task(validate({"figures": {"intra_task": "animals"}}), lists, "p")
    assert str(problem.value) == (
        "p: figures.intra_task: 'animals' is not a list of the vocabulary; did you mean 'animal'?"
    )
    file = tmp_path / "mine.yaml"
    file.write_text("figures: {intra_task: zzz}\n")
    with pytest.raises(UserError, match=r"figures\.intra_task: 'zzz' is not a list .* use one of"):
        check_files([root / "params.yaml", file])


def test_the_suite_beside_is_one_of_the_run() -> None:
    from lvlmbench.config import validate_project
    from lvlmbench.stages.figures.check import check_beside
    from lvlmbench.stages.figures.stage import STAGE

    given = {"suites": {name: {"kind": "composed"} for name in ("exam", "exam_again")}}
    check_beside(validate_project(given, "p"), "p")
    project = validate_project(given | {"figures": {"beside": "exam"}}, "p")
    check_beside(project, "p")
    found = [STAGE.other(project.suite(name), {"suite": name}) for name in project.suites]
    assert found == [None, {"suite": "exam"}]
    wrong = validate_project(given | {"figures": {"beside": "exma"}}, "p")
    with pytest.raises(UserError, match=r"figures\.beside: 'exma' is no suite of this run; did"):
        check_beside(wrong, "p")
