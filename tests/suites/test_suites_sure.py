"""What is asked and owed is beyond doubt: main directions, one meaning, little hidden.

Read again from boxes of layouts, programs and words of questions, by arithmetic of its own.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.suites.suite import suite_of
from support.composed_scenes import layout_rows
from support.render_scenes import vocabulary

Row = dict[str, Any]

#: Suite -> scenes of each subtask, and which.
SMALL: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "dysca": (3, ()),
    "composed": (18, ("spatial", "color_binding", "attribute_binding", "depth")),
    "autodavis": (36, ("spatial_understanding", "semantic_understanding", "basic_understanding")),
    "valor": (60, ("valor_positions",)),
    "touchstone": (8, ("touchstone_attributes", "touchstone_reasoning", "touchstone_species")),
}
#: Side -> axis, and which way along it.
SIDES = {"left_of": (0, -1), "right_of": (0, 1), "above": (1, -1), "below": (1, 1)}
SAID = {
    "to the left of": "left_of", "to the right of": "right_of", "above": "above", "below": "below",
}  # fmt: skip
#: A person sees of a thing this share at least.
LEAST_SEEN = 0.6
#: Backgrounds that show nothing but themselves.
BARE = (None, "brick wall")


class Made(NamedTuple):
    """Scenes by id, with what is seen of their things by label and id, truths and questions."""

    scenes: dict[str, Row]
    drawn: dict[str, list[Row]]
    truth: list[Row]
    questions: list[Row]

    def labelled(self, scene: str, label: str) -> list[Row]:
        """The instances of a label."""
        return [row for row in self.drawn[scene] if row["called"] == label]


@cache
def made(kind: str) -> Made:
    """All of a small suite."""
    number, subtasks = SMALL[kind]
    corpus: Row = {"drawable_by": "pictograph", "scenes_per_subtask": number}
    corpus |= {"subtasks": list(subtasks)} if subtasks else {}
    given = {"suite": kind, "kind": kind, "snapshot": {"seed": 9}, "corpus": corpus}
    params, known = validate(given), vocabulary()
    suite, renderer = suite_of(params), PictographRenderer(params, known)
    scenes = suite.scenes(params, known, 0, params.corpus.n_scenes)
    rows: list[Row] = []
    for scene in scenes.to_pylist():
        if renderer.refuses(scene) is None:
            rows += layout_rows(scene, renderer.draw(scene).layout or ())
    layouts = tables.LAYOUTS.of(rows)
    by_scene = {scene["scene_id"]: scene for scene in scenes.to_pylist()}
    drawn: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["part"] is None:
            things = {thing["id"]: thing for thing in by_scene[row["scene_id"]]["objects"]}
            called = row["label"] or things[row["object"]]["label"]
            drawn[row["scene_id"]].append({**row, "called": called})
    truth = suite.truth(params, known, scenes, layouts).to_pylist()
    questions = suite.questions(params, known, scenes, layouts).to_pylist()
    return Made(by_scene, dict(drawn), truth, questions)


def away(a: Row, b: Row, side: str) -> tuple[float, float]:
    """How far a lies to a side of b, and how far along the other axis, in pixels."""
    centers = [
        ((row["box"]["left"] + row["box"]["right"]) / 2,
         (row["box"]["top"] + row["box"]["bottom"]) / 2)
        for row in (a, b)
    ]  # fmt: skip
    axis, sign = SIDES[side]
    by = [one - other for one, other in zip(*centers, strict=True)]
    return sign * by[axis], abs(by[1 - axis])


def mainly(a: Row, b: Row, side: str) -> bool:
    """Whether a lies to that side of b rather than along the other axis."""
    along, aside = away(a, b, side)
    return along > 1.2 * aside


def nearly(a: Row, b: Row, side: str) -> bool:
    """Whether somebody could say so who looks less strictly."""
    along, aside = away(a, b, side)
    return along > 25 and along > 0.3 * aside


def test_owed_sides_lie_along_the_main_direction() -> None:
    of, owed = made("valor"), 0
    for row in of.truth:
        there = {one["object"]: one for one in of.drawn.get(row["scene_id"], ())}
        if row["kind"] == "relation" and row["relation"] in SIDES and not row["optional"] and there:
            owed += 1
            assert mainly(there[row["about"]], there[row["other"]], row["relation"])
    assert len(of.drawn) >= 58 and owed >= 100


def test_weaker_directions_may_be_stated() -> None:
    """Not one of them is owed, and there are many."""
    weak = 0
    for row in made("valor").truth:
        there = {one["object"]: one for one in made("valor").drawn.get(row["scene_id"], ())}
        if row["kind"] == "relation" and row["relation"] in SIDES and there:
            weak += not mainly(there[row["about"]], there[row["other"]], row["relation"])
    assert weak > 50


@pytest.mark.parametrize("kind", ["valor", "composed"])
def test_things_are_on_and_inside_of_what_holds_them(kind: str) -> None:
    of = made(kind)
    for row in of.truth:
        if row["relation"] in ("on", "inside"):
            planned = of.scenes[row["scene_id"]]["relations"]
            ids = {(one["predicate"], one["subject"], one["object"]) for one in planned}
            assert (row["relation"], row["about"], row["other"]) in ids


def label_of(part: Any) -> str | None:
    """The label of a set that has all things of one."""
    named = isinstance(part, list) and part[:2] == ["with", "label"] and part[3] == ["all"]
    return part[2] if named else None


def sides_of(program: Any, wanted: bool = True) -> Iterator[tuple[list[Any], bool]]:
    """Yield parts of a program that place one thing from another, and whether that is to hold."""
    if not isinstance(program, list) or not program or program[0] == "or":
        return
    if program[0] in ("stands", "standing", "direction"):
        yield program, wanted
    for part in program[:3] if program[0] == "standing" else program:
        yield from sides_of(part, wanted != (program[0] == "not"))


def filled(program: Any, value: str) -> Any:
    """A program with a label in its hole."""
    if isinstance(program, list):
        return [filled(part, value) for part in program]
    return value if program == "?" else program


@pytest.mark.parametrize("kind", ["composed", "autodavis"])
def test_asked_sides_lie_along_the_main_direction(kind: str) -> None:
    of, told = made(kind), 0
    for row in of.questions:
        if not row["program"] or row["answer"] in ("False", "no") or "panel" in row["program"]:
            continue
        program = json.loads(row["program"])
        said = [side for words, side in SAID.items() if words in row["answer"]]
        label = re.sub(r"^(?:the|an?) ", "", row["answer"])
        for part, wanted in sides_of(filled(program, "+".join(said) or label)):
            if part[0] == "standing" or not wanted:
                continue
            ways = (part[1] if part[0] == "stands" else part[3]).split("+")
            sides = [way for way in ways if way in SIDES]
            if not sides:
                continue
            ends = part[2:4] if part[0] == "stands" else part[1:3]
            one, other = (of.labelled(row["scene_id"], label_of(end) or "") for end in ends)
            if len(one) == len(other) == 1:
                told += 1
                by = [away(one[0], other[0], side)[0] for side in sides]
                assert min(by) > 15, row["question"]
                main = len(sides) > 1 or mainly(one[0], other[0], sides[0])
                assert main and max(by) < 2.2 * min(by), row["question"]
    assert told > 5


def test_what_is_named_by_its_place_is_one_thing_and_no_other_nearly_is() -> None:
    of, told = made("autodavis"), 0
    for row in of.questions:
        for part, _ in sides_of(json.loads(row["program"]) if row["program"] else []):
            label = label_of(part[2]) if part[0] == "standing" else None
            if label is None or part[1] not in SIDES:
                continue
            things, inner = of.drawn[row["scene_id"]], part[3]
            while inner[0] == "standing":  # what stands so to another thing as well
                (to,) = of.labelled(row["scene_id"], label_of(inner[2]) or "")
                things = [one for one in things if nearly(one, to, inner[1])]
                inner = inner[3]
            if inner != ["all"]:
                things = [one for one in things if one["called"] == label_of(inner)]
            (to,) = of.labelled(row["scene_id"], label)
            told += 1
            assert sum(mainly(one, to, part[1]) for one in things if one is not to) == 1
            assert sum(nearly(one, to, part[1]) for one in things if one is not to) == 1
    assert told > 10


def test_what_has_no_name_stands_before_nothing_that_could_be_meant() -> None:
    of, told = made("autodavis"), 0
    for row in of.questions:
        if '["standing",' in (row["program"] or "") and "person" not in row["program"]:
            told += 1
            assert of.scenes[row["scene_id"]]["background"] in BARE, row["question"]
    assert told > 10


@pytest.mark.parametrize("kind", ["composed", "autodavis", "touchstone"])
def test_people_stand_before_no_crowd(kind: str) -> None:
    of = made(kind)
    for scene in of.scenes.values():
        if any(thing["list"] == "person" for thing in scene["objects"]):
            assert scene["background"] not in ("soccer field", "basketball court")


def test_things_on_a_side_are_counted_where_none_is_in_doubt() -> None:
    of, told = made("touchstone"), 0
    pattern = re.compile(rf"how many .* ({'|'.join(SAID)}) the (.+?)[?,]", re.I)
    for row in of.questions:
        found = pattern.search(row["question"])
        if found is None or not row["accepted"][0].isdigit():
            continue
        (to,) = of.labelled(row["scene_id"], found[2])
        side = SAID[found[1].lower()]
        rest = [one for one in of.drawn[row["scene_id"]] if one is not to]
        clear = [one for one in rest if mainly(one, to, side)]
        told += 1
        assert len(clear) >= int(row["accepted"][0])
        if "things" in found[0]:
            assert len(clear) == int(row["accepted"][0])
            assert [one for one in rest if nearly(one, to, side)] == clear
    assert told > 0


@pytest.mark.parametrize("kind", SMALL)
def test_what_a_question_names_is_never_hidden_by_more_than_two_fifths(kind: str) -> None:
    of, named = made(kind), 0
    for row in of.questions:
        words = " ".join((row["question"], *row["options"], row["answer"] or "")).lower()
        for one in of.drawn.get(row["scene_id"], ()):
            if re.search(rf"\b{re.escape(one['called'].lower())}\b", words):
                named += 1
                assert one["visible"] >= LEAST_SEEN, row["question"]
    assert named > 10
