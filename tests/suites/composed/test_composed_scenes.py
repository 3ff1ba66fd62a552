"""Scenes of the suite composed: the same whatever stands beside them; mistakes are one line."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import LAYOUTS
from support.composed_scenes import composed, layout_rows, made
from support.render_scenes import vocabulary


def planned(seed: int = 5, start: int = 0, stop: int | None = None, **corpus: Any) -> pa.Table:
    params = composed(seed, **corpus)
    stop = params.corpus.n_scenes if stop is None else stop
    return suite_of(params).scenes(params, vocabulary(), start, stop)


def by_id(table: pa.Table) -> dict[str, Any]:
    return {row["scene_id"]: row for row in table.to_pylist()}


def test_there_are_twelve_skills_at_three_levels() -> None:
    found = made().questions.to_pylist()
    asked = {(row["subtask"], row["level"], row["question_type"]) for row in found}
    skills = subtasks_of("composed")
    assert len(skills) == 12
    missing = {
        (name, level, kind)
        for name in skills
        for level in ("easy", "medium", "hard")
        for kind in ("multiple_choice", "true_false")
    } - asked
    assert len(missing) <= 4, missing  # few scenes: some have nothing sound to ask


def test_a_scene_depends_on_nothing_beside_it() -> None:
    whole = by_id(planned())
    parts: dict[str, Any] = {}
    for start in range(0, 72, 10):
        parts |= by_id(planned(start=start, stop=min(start + 10, 72)))
    assert parts == whole
    more = by_id(planned(scenes_per_subtask=8))
    assert {key: more[key] for key in whole} == whole
    alone = by_id(planned(subtasks=["spatial"]))
    assert alone == {key: row for key, row in whole.items() if row["subtask"] == "spatial"}
    assert not by_id(planned(seed=6)).keys() & whole.keys()


def test_questions_depend_on_nothing_beside_them() -> None:
    all_of = made()
    suite, params, known = suite_of(all_of.params), all_of.params, vocabulary()
    whole = {row["question_id"]: row for row in all_of.questions.to_pylist()}
    parts = []
    for start in range(0, 72, 8):
        scenes = all_of.scenes.slice(start, 8)
        ids = set(scenes["scene_id"].to_pylist())
        rows = [row for row in all_of.layouts.to_pylist() if row["scene_id"] in ids]
        layouts = pa.Table.from_pylist(rows[::-1][::-1], all_of.layouts.schema)
        parts += suite.questions(params, known, scenes, layouts).to_pylist()
    assert {row["question_id"]: row for row in parts} == whole


def test_twins_are_asked_the_same_and_answer_otherwise() -> None:
    found: dict[str, list[dict[str, Any]]] = {}
    rows = made().questions.to_pylist()
    for row in rows:
        if row["pair"] is not None:
            found.setdefault(row["pair"], []).append(row)
    assert 2 * len(found) > 0.7 * len(rows)
    for one, other in found.values():
        same = ("question", "options", "question_type", "subtask", "level", "program", "chance")
        assert [one[name] for name in same] == [other[name] for name in same]
        assert one["answer"] != other["answer"] and one["scene_id"] != other["scene_id"]


def test_an_answer_is_one_of_options_that_differ() -> None:
    for row in made().questions.to_pylist():
        if row["question_type"] == "short_answer":
            continue
        assert row["options"][row["answer_index"]] == row["answer"]
        assert len({*row["options"]}) == len(row["options"]) >= 2
        assert row["chance"] == 1 / len(row["options"])


def test_factors_satisfy_the_level() -> None:
    of = {row["scene_id"]: row for row in made().scenes.to_pylist()}
    for row in made().questions.to_pylist():
        factors, scene = row["factors"], of[row["scene_id"]]
        assert factors["smallest"] >= 0.085 and factors["hidden"] <= 0.45
        assert factors["instances"] <= 8 * (1 + max(o["panel"] or 0 for o in scene["objects"]))
        if row["level"] == "easy":
            assert scene["setting"]["background"] is None and factors["hops"] <= 1


@pytest.mark.parametrize(
    ("corpus", "part"),
    [
        ({"scenes_per_subtask": 5}, "corpus.scenes_per_subtask: is 5, but each scene has a twin"),
        ({"subtasks": ["animal"]}, "'animal' is not a subtask of composed"),
    ],
)
def test_mistakes_are_one_line(corpus: dict[str, Any], part: str) -> None:
    with pytest.raises(UserError) as caught:
        planned(**corpus)
    assert part in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("level", "part"),
    [
        ({"things": [1, 9]}, "a picture shows 1 to 8"),
        ({"things": [5, 2]}, "5 is more than 2"),
        ({"things": [8, 8], "span": [400, 500]}, "8 things of 400 thousandths do not fit"),
        ({"span": [20, 30]}, "span"),
        ({"span": [90, 120], "panels": 4}, "clear from 110 on"),
        ({"span": [150, 160], "panels": 4}, "7 things of 150 thousandths do not fit into one of 4"),
        ({"hops": 7}, "hops"),
    ],
)
def test_a_level_that_cannot_be_is_one_line(level: dict[str, Any], part: str) -> None:
    good = {"things": [1, 3], "span": [230, 340], "background": False, "style": False,
            "weather": False, "hops": 0, "near": 0}  # fmt: skip
    with pytest.raises(UserError) as caught:
        validate(
            {"kind": "composed", "corpus": {"composed": {"levels": {"odd": {**good, **level}}}}}
        )
    assert part in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("panels", [1, 4])
@pytest.mark.parametrize("hops", [0, 2])
def test_every_skill_makes_do_with_a_level_of_one_thing(panels: int, hops: int) -> None:
    level = {"things": [1, 1], "span": [115, 150], "background": False, "style": False,
             "weather": False, "hops": hops, "near": 0, "panels": panels}  # fmt: skip
    params = composed(size=128, scenes_per_subtask=2, composed={"levels": {"small": level}})
    scenes = suite_of(params).scenes(params, vocabulary(), 0, params.corpus.n_scenes)
    drawn = [row for row in scenes.to_pylist() if Graph.of(row).objects]
    assert len({row["subtask"] for row in drawn}) == 12
    renderer = PictographRenderer(params, vocabulary())
    rows = [
        row
        for scene in drawn
        if renderer.refuses(scene) is None
        for row in layout_rows(scene, renderer.draw(scene).layout or ())
    ]
    assert len({row["scene_id"] for row in rows}) >= 20
    suite_of(params).questions(params, vocabulary(), scenes, LAYOUTS.of(rows))


def test_a_twin_of_four_pictures_differs_in_one_or_two_have_changed_places() -> None:
    """In one where it is asked in how many a claim holds, in two where it is asked in which."""
    params = composed(scenes_per_subtask=36, subtasks=["existence", "color_binding", "spatial"])
    renderer, changed = PictographRenderer(params, vocabulary()), set[tuple[int, int]]()
    scenes = suite_of(params).scenes(params, vocabulary(), 0, params.corpus.n_scenes).to_pylist()
    for one, twin in zip(scenes[::2], scenes[1::2], strict=True):
        turn = one["ordinal"] // 6 % 3
        if one["level"] == "hard" and turn < 2:
            assert not (renderer.refuses(one) or renderer.refuses(twin))
            first, second = (renderer.compose(each).image for each in (one, twin))
            parts = [(x, y, x + 250, y + 250) for y in (0, 262) for x in (0, 262)]
            unlike = sum(first.crop(p).tobytes() != second.crop(p).tobytes() for p in parts)
            changed.add((turn, unlike))
    assert changed == {(0, 1), (1, 2)}


def test_a_section_of_another_kind_is_one_line() -> None:
    with pytest.raises(UserError) as caught:
        validate({"kind": "dysca", "corpus": {"composed": {"twins": False}}})
    assert "'composed' is of no use to a suite of the kind 'dysca'" in str(caught.value)
