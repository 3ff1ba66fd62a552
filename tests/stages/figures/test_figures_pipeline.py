"""The pipeline, one scene on its way, and the snapshot among other benchmarks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pytest

from lvlmbench.analysis import walkthrough
from lvlmbench.core.errors import UserError
from lvlmbench.stages.figures import published_benchmarks
from lvlmbench.stages.figures.figure import NotApplicable, Sources
from lvlmbench.stages.figures.run import draw as write
from support import figure_pages
from support.figure_pages import draw, misplaced, rows, words

NAMES = ("pipeline_overview", "scene_to_questions", "table1_benchmarks")
PUBLISHED = Path(__file__).parents[3] / "data" / "published"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return figure_pages.noisy(tmp_path_factory)


@pytest.fixture
def sources(root: Path) -> Sources:
    return replace(figure_pages.sources(root), published=PUBLISHED)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", NAMES)
def test_same_bytes_and_nothing_overlaps_the_edge(
    sources: Sources, root: Path, tmp_path: Path, name: str
) -> None:
    again = replace(figure_pages.sources(root), published=PUBLISHED)
    assert write(name, sources, tmp_path / "a").why_not is None
    write(name, again, tmp_path / "b")
    for suffix in ("pdf", "svg", "csv", "tex"):
        one, two = (tmp_path / x / f"{name}.{suffix}" for x in "ab")
        assert one.read_bytes() == two.read_bytes()
    assert not misplaced(draw(name, sources).figure)


def test_counts_of_the_overview_are_those_of_the_tables(sources: Sources) -> None:
    snapshot = sources.snapshot
    drawn = draw("pipeline_overview", sources)
    counts = {(r["part"], r["item"]): r["count"] for r in rows(drawn)}
    assert counts["generate", "scenes"] == len(snapshot.scenes)
    first = {*snapshot.scenes["scene_id"].to_pylist()}  # none that is shown again
    assert counts["generate", "images kept"] == len(first & {*snapshot.kept_scenes.to_pylist()})
    assert counts["generate", "questions planned"] == len(snapshot.questions)
    for name in snapshot.params.scenarios.names:
        if name not in snapshot.curves:
            assert counts["scenario", name] == len(snapshot.asked[name])
    kept = pc.sum(snapshot.rendered["keep"]).as_py()
    assert counts["filter", "Renderer"] == kept
    assert f"keeps {kept:,} of {len(snapshot.rendered):,}" in words(drawn.figure)


def test_each_question_type_has_a_scene_with_all_its_steps(sources: Sources) -> None:
    asked = sources.snapshot.asked[sources.snapshot.first_scenario]
    kinds = set(pc.unique(asked["question_type"]).to_pylist())
    found = rows(draw("scene_to_questions", sources))
    assert {r["part"] for r in found} == kinds
    questions = set(asked["question"].to_pylist())
    for kind in kinds:
        steps = {r["item"]: r["sample"] for r in found if r["part"] == kind}
        assert list(steps) == ["metadata", "prompt", "image", "question", "answer"]
        assert steps["question"] in questions and steps["answer"]


def test_which_scene_depends_on_no_order(sources: Sources) -> None:
    snapshot = sources.snapshot
    first = [a.scene["scene_id"] for a in walkthrough.chosen(snapshot)]
    scenes = snapshot.scenes
    turned = replace(snapshot)
    turned.__dict__["scenes"] = scenes.take(list(range(len(scenes)))[::-1])
    assert [a.scene["scene_id"] for a in walkthrough.chosen(turned)] == first
    types = {len(a.questions) for a in walkthrough.chosen(snapshot)[:1]}
    assert types == {max(_types(sources).values())}


def _types(sources: Sources) -> dict[str, int]:
    found: dict[str, set[str]] = {}
    asked = sources.snapshot.asked[sources.snapshot.first_scenario]
    for row in asked.to_pylist():
        found.setdefault(row["scene_id"], set()).add(row["question_type"])
    return {scene: len(kinds) for scene, kinds in found.items()}


def test_table1_has_the_papers_rows_and_ours_last(sources: Sources) -> None:
    found = rows(draw("table1_benchmarks", sources))
    assert [r["source"] for r in found] == ["published"] * 15 + ["snapshot"]
    by = {r["benchmark"]: r for r in found}
    assert (by["MME"]["questions"], by["MME"]["tasks"], by["MME"]["types"]) == (
        2300, 10, "true_false",
    )  # fmt: skip
    assert by["JourneyDB"]["types"] == "multiple_choice;free_form"
    assert by["Dysca"]["types"] == "multiple_choice;true_false;free_form"
    assert by["LLaVA-Bench"]["tasks"] is None and by["LVLM-eHub"]["questions"] is None
    asked = [sources.snapshot.asked[name] for name in sources.snapshot.params.scenarios.conditions]
    assert found[-1]["questions"] == sum(map(len, asked))
    subtasks = {s for table in asked for s in table["subtask"].to_pylist()}
    assert found[-1]["tasks"] == len(subtasks)


def test_nothing_asked_is_one_sentence(sources: Sources) -> None:
    empty = replace(sources.snapshot)
    empty.__dict__["asked"] = {k: t.slice(0, 0) for k, t in sources.snapshot.asked.items()}
    for name in NAMES:
        with pytest.raises(NotApplicable, match="No question was asked"):
            draw(name, replace(sources, snapshot=empty))


def test_a_run_of_severity_curves_alone_has_no_box_for_them(sources: Sources) -> None:
    given = figure_pages.with_scenarios(sources, "corruption_curve")
    drawn = draw("pipeline_overview", given)
    assert not misplaced(drawn.figure)
    assert "scenario" not in {r["part"] for r in rows(drawn)}
    assert "severity curves alone" in words(drawn.figure)


def test_scenes_that_are_shown_again_alone_are_one_sentence(sources: Sources) -> None:
    again = replace(sources.snapshot)
    again.__dict__["scenes"] = sources.snapshot.scenes.slice(0, 0)
    assert len(again.asked[again.first_scenario])
    for name in NAMES[:2]:
        with pytest.raises(NotApplicable, match="but about scenes that are shown again"):
            draw(name, replace(sources, snapshot=again))


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "benchmark,scale\nA,1\n",
        "HEAD\nA,1K,x,,0,1,free_form,1\n",
        "HEAD\nA,1K,1,,2,1,free_form,1\n",
        "HEAD\nA,1K,1,,0,1,odd,1\n",
    ],
)
def test_a_damaged_table_is_one_line(tmp_path: Path, text: str | None) -> None:
    head = (PUBLISHED / published_benchmarks.FILE).read_text().splitlines()[0]
    if text is not None:
        (tmp_path / published_benchmarks.FILE).write_text(text.replace("HEAD", head))
    with pytest.raises(UserError, match="restore the file from the repository"):
        published_benchmarks.read(tmp_path)
