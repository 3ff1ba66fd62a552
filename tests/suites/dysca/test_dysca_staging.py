"""Small subjects and partly hidden ones: drawn so, measured so, and asked as before."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import pyarrow as pa
import pytest

from lvlmbench.config import Params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.props import PROP, SCREENS
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.layout import Instance
from lvlmbench.suites.dysca.staging import LEAST, VISIBLE
from lvlmbench.suites.suite import build_shard, suite_of
from lvlmbench.tables import LAYOUTS
from support.composed_scenes import layout_rows
from support.render_scenes import vocabulary

THINGS = ("animal", "object", "plant", "food", "style", "background")
SUBTASKS = (*THINGS, "color", "clothes", "text")
SCENES = 8
SIDE = 512


def params(**harder: Any) -> Params:
    corpus = {"drawable_by": "pictograph", "scenes_per_subtask": SCENES, "subtasks": [*SUBTASKS]}
    corpus |= {"questions_per_scene": 4, "dysca": harder}
    given = {"snapshot": {"seed": 5}, "render": {"size": SIDE}, "corpus": corpus}
    return validate(given)


class Drawn(NamedTuple):
    """What a setting gave."""

    scenes: pa.Table
    questions: pa.Table
    layouts: dict[str, tuple[Instance, ...]]


@cache
def drawn(subjects: str) -> Drawn:
    settings = params(subjects=subjects)
    scenes, questions = build_shard(settings, vocabulary(), 0, SCENES * len(SUBTASKS))
    renderer, found = PictographRenderer(settings, vocabulary()), {}
    for scene in scenes.to_pylist():
        if renderer.refuses(scene) is None:
            found[scene["scene_id"]] = renderer.draw(scene).layout or ()
    assert len(found) >= 0.9 * len(scenes)
    return Drawn(scenes, questions, found)


def rows(table: pa.Table, *subtasks: str) -> list[dict[str, Any]]:
    return [row for row in table.to_pylist() if row["subtask"] in subtasks]


@pytest.mark.long
@pytest.mark.parametrize(("subjects", "those"), [("small", (*THINGS, "color")), ("hidden", THINGS)])
def test_only_what_is_told_by_its_shape_is_staged(subjects: str, those: tuple[str, ...]) -> None:
    usual = {row["scene_id"]: row for row in drawn("any").scenes.to_pylist()}
    for row in drawn(subjects).scenes.to_pylist():
        assert (row["objects"][0]["span"] is not None) == (row["subtask"] in those)
        if row["subtask"] not in those:
            assert row == usual[row["scene_id"]]


def test_small_things_are_small_and_can_be_seen() -> None:
    found = drawn("small")
    spans = []
    for row in rows(found.scenes, *THINGS, "color"):
        for one in found.layouts[row["scene_id"]]:
            assert one.box is not None
            spans.append(max(one.box[2] - one.box[0], one.box[3] - one.box[1]) / SIDE)
            assert one.visible > 0.75
    assert len(spans) > 60 and min(spans) >= LEAST and max(spans) < 0.2
    # A usual one of three is larger than the largest of these.
    usual = drawn("any")
    for row in rows(usual.scenes, *THINGS, "color"):
        for one in usual.layouts[row["scene_id"]]:
            if one.panel == 0 and one.box is not None and row["style"] != "pop art":
                assert max(one.box[2] - one.box[0], one.box[3] - one.box[1]) / SIDE > 0.16


def test_hidden_things_are_partly_behind_what_is_no_option() -> None:
    found, measured = drawn("hidden"), []
    for row in rows(found.scenes, *THINGS):
        graph = Graph.of(row)
        main, before = graph.objects
        assert before.list == PROP and before.label in SCREENS and before.role == "secondary"
        assert f" partly behind a {before.label} " in row["caption"]
        assert f" partly behind a {before.label} " in row["prompt"]
        layout = found.layouts.get(row["scene_id"])
        if layout is None:
            continue  # the solver gave up
        things = [one for one in layout if one.object == main.id]
        assert len(things) == main.instances
        screen = next(one for one in layout if one.object == before.id)
        assert screen.visible > 0.75  # a style may take the edge of a picture
        (hidden,) = (one for one in things if one.copy == 0)
        measured.append(hidden.visible)
        assert 0.55 < hidden.visible < 0.86
        # The share is counted from the pixels of the fence or crate that cover the thing.
        assert screen.hides[0][1] == pytest.approx(1 - hidden.visible, abs=0.05)
        assert all(one.visible > 0.75 for one in things if one.copy > 0)
    assert len(measured) > 30 and sum(share >= VISIBLE for share in measured) > 0.9 * len(measured)
    named = {o for row in found.questions.to_pylist() for o in (*row["options"], row["claim"])}
    labels = {entry.label for each in vocabulary().lists.values() for entry in each.entries}
    assert not {*SCREENS} & (named | labels)


@pytest.mark.parametrize("subjects", ["small", "hidden"])
def test_questions_ask_what_the_scene_shows(subjects: str) -> None:
    found = drawn(subjects)
    scenes = {row["scene_id"]: row for row in found.scenes.to_pylist()}
    styles = vocabulary().lists["style"].for_renderer("pictograph").by_label
    asked = 0
    for row in found.questions.to_pylist():
        scene = scenes[row["scene_id"]]
        if scene["objects"][0]["span"] is None or row["question_type"] == "free_form":
            continue
        held = {**scene, **scene["attributes"], scene["foreground_list"]: scene["foreground"]}
        truth = held[row["subtask"]]
        if row["question_type"] == "multiple_choice":
            assert row["answer"] == truth and row["options"].count(truth) == 1
        else:
            assert (row["answer"] == "True") == (row["claim"] == truth)
        need = {"shape", "color"} if scene["subtask"] == "color" else {"shape"}
        assert not need & styles[scene["style"]].hidden_small
        asked += 1
    assert asked > 100


@pytest.mark.parametrize("subjects", ["small", "hidden"])
def test_what_was_measured_out_of_bounds_is_not_asked(subjects: str) -> None:
    found, settings = drawn(subjects), params(subjects=subjects)
    staged = [row for row in rows(found.scenes, *THINGS) if row["scene_id"] in found.layouts]
    measured = LAYOUTS.of(
        [one for row in staged for one in layout_rows(row, found.layouts[row["scene_id"]])]
    )
    worse = measured.to_pylist()
    first = next(one for one in worse if one["scene_id"] == staged[0]["scene_id"])
    assert first["object"] == "o1"
    if subjects == "hidden":
        first["visible"] = VISIBLE - 0.01
    else:
        box = first["box"]
        box |= {"right": box["left"] + 43, "bottom": box["top"] + 43}

    def asked(layouts: pa.Table) -> set[str]:
        suite = suite_of(settings)
        told = suite.questions(settings, vocabulary(), found.scenes, layouts)
        return {*told["scene_id"].to_pylist()}

    usual, less = asked(measured), asked(LAYOUTS.of(worse))
    assert usual - less == {staged[0]["scene_id"]} and less < usual
    assert usual <= asked(LAYOUTS.empty_table())


def test_by_default_nothing_is_staged() -> None:
    plain = build_shard(params(), vocabulary(), 0, SCENES * len(SUBTASKS))
    assert plain[0].equals(drawn("any").scenes) and plain[1].equals(drawn("any").questions)


@pytest.mark.parametrize("wrong", ["tiny", True, ["small"]])
def test_a_bad_value_is_one_line(wrong: object) -> None:
    with pytest.raises(UserError, match=r"corpus\.dysca\.subjects") as caught:
        params(subjects=wrong)
    assert "\n" not in str(caught.value)
