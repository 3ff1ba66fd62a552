"""What makes questions of a level difficult: conditions choose, sizes are close, forms vary."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise

import pytest

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import idle, redundant
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.stock import stock_of
from support.composed_sample import Row, Sample, drawn, params_of, vocabulary

#: Three pairs of twins of each level and skill, so that all forms have their turn.
_SCENES = 24
#: At a hard level a thing is at most so many times as large as the next smaller one.
_CLOSE = 1.45
#: Others are of the size of the smallest.
_SAME = 1.05
_LEVELS = ("easy", "medium", "hard")


@cache
def _sample() -> Sample:
    return drawn(params_of(_SCENES, seed=4))


@cache
def _asked() -> list[Row]:
    found: list[Row] = _sample().asked()
    return found


@cache
def _worlds() -> dict[str, World]:
    clash, side = stock_of(vocabulary(), "pictograph").clash, _sample().params.render.size
    return {
        scene["scene_id"]: World(Graph.of(scene), layout, side, clash)
        for scene, layout in _sample().rows()
    }


def _form(program: Program) -> str:
    """How something is asked, whatever of what."""
    head, *rest = program
    if head != "panels" and '["with","panel",' in json.dumps(program, separators=(",", ":")):
        return "one of four pictures"
    return f"{head} {rest[0]}" if head in ("is", "stands", "chart", "exactly") else str(head)


def test_every_condition_leaves_out_something() -> None:
    assert len(_asked()) > 500
    for row in _asked():
        program, world = json.loads(row["program"]), _worlds()[row["scene_id"]]
        assert not idle(program, world) and not redundant(program, world), row["question"]


def test_a_condition_that_leaves_out_nothing_is_found() -> None:
    """As "all red things", where all are red: once, twice, or one of two."""
    hard = [row for row in _asked() if row["subtask"] == "color_binding" and row["level"] == "deep"]
    world = _worlds()[hard[0]["scene_id"]]
    label = world.graph.main.label  # there are two of these, in two colors
    color = ["with", "color", world.graph.main.color, labelled(label)]
    assert not idle(["count", color, "?"], world)
    twice = ["with", "color", world.graph.main.color, color]
    assert idle(["is", "facing", twice, "left"], world)
    assert not idle(["count", twice, "?"], world), "so many of those is what is asked"
    assert not idle(["count", labelled(label), "?"], world), "a name is no condition"
    others = [["with", "color", one.color, labelled(label)] for one in world.graph.objects[:2]]
    assert idle(["count", ["either", *others], "?"], world)
    assert not idle(["exists", twice], world)
    assert not idle(["is", "color", ["with", "color", "?", labelled(label)], "red"], world)


def test_a_statement_beside_which_another_is_enough_is_found() -> None:
    deep = [row for row in _asked() if row["subtask"] == "spatial" and row["level"] == "deep"]
    worlds = [_worlds()[row["scene_id"]] for row in deep]
    world = next(each for each in worlds if len(each.things) > 5)
    one: Program = ["stands", "left_of", labelled("?"), labelled(world.things[0].object.label)]
    assert redundant(["and", one, one], world)
    assert not redundant(one, world)


@pytest.mark.parametrize("level", ["hard", "deep"])
def test_sizes_that_are_compared_at_a_hard_level_are_close(level: str) -> None:
    """Each of what is asked about is clearly larger than the next smaller one, and not by far."""
    seen = 0
    for row in _asked():
        if row["subtask"] != "size" or row["level"] != level:
            continue
        world = _worlds()[row["scene_id"]]
        by_panel: dict[int | None, list[float]] = defaultdict(list)
        for one in world.things:
            if one.seen is not None:
                by_panel[one.object.panel].append(one.seen.span)
        for spans in by_panel.values():
            ratios = [large / small for small, large in pairwise(sorted(spans))]
            assert len(spans) >= 3
            assert all(1.25 < ratio < _CLOSE or ratio < _SAME for ratio in ratios)
        seen += 1
    assert seen >= 8


@pytest.mark.parametrize("level", _LEVELS)
def test_no_level_has_more_than_a_third_of_one_form(level: str) -> None:
    forms = Counter(_form(json.loads(row["program"])) for row in _asked() if row["level"] == level)
    (form, most), *_ = forms.most_common(1)
    assert len(forms) > 12 and 3 * most <= forms.total(), form


def test_four_pictures_are_asked_about_in_all_forms() -> None:
    """Each skill that makes claims of four pictures: in how many, in which, and of a single one."""
    found = defaultdict(set)
    for row in _asked():
        if row["level"] == "hard":
            form = _form(json.loads(row["program"]))
            known = ("panels", "one of four pictures")
            found[row["subtask"]].add(form if form in known else "other")
    assert "one of four pictures" in found["counting"]
    claims = [forms for forms in found.values() if "panels" in forms]
    assert len(claims) == 7 and all("other" in forms for forms in claims)
    assert sum("one of four pictures" in forms for forms in claims) >= 5  # some are not clear
