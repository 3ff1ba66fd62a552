"""Which styles scenes of a subtask are drawn in, by who draws them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Params
from lvlmbench.scene.hiding import Hiding
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.scene.vocabulary.entries import photographic
from lvlmbench.stages.render.kinds.pictograph import styles
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.suites.dysca.plan import Plan
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import SCENES
from support.corpus_sample import params_for

ROOT = Path(__file__).parents[3]
PICTOGRAPH = "pictograph"


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(ROOT / "data" / "vocabulary")


def styles_of(vocabulary: Vocabulary, renderer: str | None) -> dict[str, set[str]]:
    """Subtask -> the styles that scenes of its first variant are drawn in."""
    plan = Plan(vocabulary, renderer, subtasks_of("dysca"))
    return {
        subtask: {*plan.label_index.pools[variant.pools["style"]].labels}
        for (subtask, number), variant in plan.variants.items()
        if number == 0
    }


def test_docs_say_how_many_styles_each_subtask_gets(vocabulary: Vocabulary) -> None:
    text = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    table = text.split("<!-- styles by subtask", 1)[1].split("\n#", 1)[0]
    rows = re.findall(r"^\| ([a-z_, ]+) \| (\d+) \| (\d+) \|$", table, re.MULTILINE)
    said = {
        subtask: (int(prompts), int(drawn))
        for subtasks, prompts, drawn in rows
        for subtask in subtasks.split(", ")
    }
    prompts, drawn = (styles_of(vocabulary, r) for r in (None, PICTOGRAPH))
    assert said == {name: (len(prompts[name]), len(drawn[name])) for name in prompts}


def test_docs_say_which_styles_are_drawn_and_why_others_are_not(vocabulary: Vocabulary) -> None:
    text = (ROOT / "docs" / "scenes.md").read_text(encoding="utf-8")
    head, tables = text.split("<!-- styles drawn", 1)
    tables = tables.split("\n#", 1)[0]
    cells = [
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in tables.splitlines()
        if line.startswith("| ") and not line.startswith("| family ")
    ]
    drawn = {(row[0], label) for row in cells if len(row) == 2 for label in row[1].split(", ")}
    others = [row for row in cells if len(row) == 3]
    entries = vocabulary.lists["style"].entries
    all_of_it = {(str(entry.extra["family"]), entry.label) for entry in entries}
    assert drawn == {(family, label) for family, label in all_of_it if label in styles.LABELS}
    assert sorted(row[:2] for row in others) == sorted(all_of_it - drawn)
    assert all(why for *_, why in others)
    counts = rf"{len(entries)} styles the pictograph renderer draws {len(drawn)}\."
    assert re.search(counts, head.rsplit("\n#", 1)[1])


def test_a_drawn_style_is_a_wrong_option_of_drawn_ones_alone(vocabulary: Vocabulary) -> None:
    plan = Plan(vocabulary, PICTOGRAPH, subtasks_of("dysca"))
    offered = {
        label
        for variant in plan.variants.values()
        for label in plan.label_index.pools[variant.pools["style"]].labels
    }
    assert offered == set(styles.LABELS)


def test_no_renderer_named_is_the_one_that_reads_prompts(vocabulary: Vocabulary) -> None:
    assert styles_of(vocabulary, None) == styles_of(vocabulary, photographic())


def scenes(vocabulary: Vocabulary, drawable_by: str | None) -> tuple[Params, list[dict[str, Any]]]:
    """Scenes of subtasks that pictographs show, planned for a renderer."""
    params = params_for(
        5,
        subtasks=["animal", "color", "landmark", "text"],
        scenes_per_subtask=150,
        drawable_by=drawable_by,
    )
    return params, suite_of(params).scenes(params, vocabulary, 0, 600).to_pylist()


def test_a_fallback_does_not_draw_what_its_own_way_hides(vocabulary: Vocabulary) -> None:
    params, planned = scenes(vocabulary, None)
    hiding, renderer = Hiding(vocabulary, PICTOGRAPH), PictographRenderer(params, vocabulary)
    drawn = vocabulary.lists["style"].for_renderer(PICTOGRAPH).by_label
    drawable = [scene for scene in planned if renderer.refuses(scene) is None]
    reasons = [(scene, hiding.reason(scene)) for scene in drawable]
    assert sum(reason is not None for _, reason in reasons) > 20
    for scene, reason in reasons:
        shown = {scene["foreground_list"], scene["subtask"], "foreground"}
        shown |= {"background"} if scene["background"] else set()
        shown |= {"number"} if scene["attributes"]["number"] else set()
        assert (reason is None) == (not shown & drawn[scene["style"]].hidden)
    scene = next(s for s in planned if s["subtask"] == "animal")
    assert (
        hiding.reason({**scene, "style": "pencil sketch"})
        == "pictograph's 'pencil sketch' hides background"
    )


@pytest.mark.parametrize("renderer", [PICTOGRAPH, None])
def test_what_was_planned_for_a_renderer_shows_what_it_is_about(
    vocabulary: Vocabulary, renderer: str | None
) -> None:
    hiding = Hiding(vocabulary, renderer or photographic())
    assert not [s for s in scenes(vocabulary, renderer)[1] if hiding.reason(s)]


def test_the_render_stage_says_why_it_drew_no_image(vocabulary: Vocabulary) -> None:
    params, planned = scenes(vocabulary, None)
    hiding = Hiding(vocabulary, PICTOGRAPH)
    some = [scene for scene in planned if scene["style"] in ("pencil sketch", "blueprint")][:6]
    table = SCENES.of(some)
    small = params.model_copy(update={"render": params.render.model_copy(update={"size": 64})})
    _, verdicts, *_ = render_shard(small, vocabulary, table)
    for scene, verdict in zip(some, verdicts.to_pylist(), strict=True):
        reason = hiding.reason(scene)
        assert reason is None or verdict["reason"] is not None
    said = {verdict["reason"] for verdict in verdicts.to_pylist()}
    assert any("hides background" in (reason or "") for reason in said)


def test_a_small_thing_is_held_against_what_is_hidden_of_small_ones() -> None:
    """Planned for photographs, drawn as pictographs: a style that hides small shapes is refused."""
    vocabulary = load_vocabulary(ROOT / "data" / "vocabulary")
    styles = vocabulary.lists["style"].for_renderer(PICTOGRAPH).entries
    only_small = next(s.label for s in styles if "shape" in s.hidden_small - s.hidden)
    scene = {"subtask": "animal", "foreground_list": "animal", "style": only_small}
    hiding = Hiding(vocabulary, PICTOGRAPH)
    assert hiding.reason(scene | {"objects": [{"span": None}]}) is None
    assert "hides shape" in (hiding.reason(scene | {"objects": [{"span": 120}]}) or "")
