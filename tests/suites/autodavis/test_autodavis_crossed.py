"""Levels of pictures crossed with levels of questions."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.props import PROP
from lvlmbench.suites.autodavis.check_plan import check_plan
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.autodavis.wishes import understood
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.suite import suite_of
from support.exam.made import Exam, drawn, params_of
from support.render_scenes import vocabulary

LEVELS = ("easy", "medium", "hard")
ASPECTS = ["left_and_right", "covered_thing", "nearest_neighbor", "in_a_row"]
#: Those whose plans begin with a number.
NUMBERS = ("sums", "what_would_be_left", "either_property", "both_properties")


def params(crossed: bool, rounds: int = 1, **own: Any) -> Params:
    n = rounds * len(ASPECTS) * (9 if crossed else 3)
    return params_of(
        requests=("spatial_understanding",),
        scenes=n,
        only=ASPECTS,
        crossed=crossed,
        size=256,
        **own,
    )


@cache
def made(crossed: bool) -> Exam:
    return drawn(params(crossed, rounds=2))


def rows(table: Any, key: str, *without: str) -> dict[str, dict[str, Any]]:
    return {r[key]: {k: v for k, v in r.items() if k not in without} for r in table.to_pylist()}


def test_where_both_are_of_one_level_all_is_as_without_it() -> None:
    plain, crossed = made(False), made(True)
    for name, key in (
        ("descriptions", "scene_id"), ("scenes", "scene_id"), ("images", "image_id"),
        ("questions", "question_id"), ("validation", "check_id"),
    ):  # fmt: skip
        few = rows(getattr(plain, name), key, "ordinal")
        many = rows(getattr(crossed, name), key, "ordinal")
        assert few and {k: many[k] for k in few} == few, name


def test_each_aspect_is_planned_at_all_pairs_and_each_item_has_a_status() -> None:
    told = made(True).descriptions.to_pylist()
    places = Counter((d["aspect"], d["level"], d["number"]) for d in told)
    names = {p if p == q else f"{p}_{q}" for p in LEVELS for q in LEVELS}
    assert {level for _, level, _ in places} == names
    assert len(told) == len(places) == 2 * 9 * len(ASPECTS)
    lost = {(d["aspect"], d["level"]) for d in told if d["status"] != "made"}
    assert ("covered_thing", "easy_hard") in lost  # six things at least, where three are shown
    assert {d["status"] for d in told} == {"made", "not_drawable"}


def test_pictures_are_of_the_one_level_and_questions_of_the_other() -> None:
    levels, found = Examining().levels, made(True)
    scenes = {s["scene_id"]: s for s in found.scenes.to_pylist()}
    asked, behind = Counter[str](), Counter[tuple[bool, bool]]()
    for question in found.questions.to_pylist():
        first, _, second = question["level"].partition("_")
        picture, steps = levels[first], levels[second or first].hops
        graph = Graph.of(scenes[question["scene_id"]])
        things = [thing for thing in graph.objects if thing.list != PROP]
        assert sum(thing.instances for thing in things) <= picture.instances
        assert all(thing.span <= picture.span[1] for thing in things)
        # Where a thing is named by its place alone, no background has things of its own.
        assert picture.background or graph.setting.background is None
        behind[picture.background, graph.setting.background is not None] += 1
        assert question["factors"]["hops"] <= max(steps, 1)
        asked[question["level"]] += 1
    assert behind[True, True] > 3 * behind[True, False]
    assert min(asked["hard_easy"], asked["hard"]) >= 2 * len(ASPECTS) - 2  # some are given up
    hops = {
        level: [
            q["factors"]["hops"] for q in found.questions.to_pylist()
            if q["level"] == level and "left_and_right" in q["key"]
        ]
        for level in ("medium_easy", "medium_hard", "hard_easy", "hard")
    }  # fmt: skip
    few, many = hops["medium_easy"] + hops["hard_easy"], hops["medium_hard"] + hops["hard"]
    # What no place names alone is named by its label, a step less.
    assert max(few) <= min(many) and min(few) < max(many) and sum(few) < sum(many)


def test_levels_that_are_asked_at_are_crossed_among_themselves() -> None:
    own = Examining(crossed=True, at=("hard", "easy"))  # type: ignore[call-arg]
    assert own.asked == ("hard", "hard_easy", "easy_hard", "easy")
    assert own.crossing()["easy_hard"] == ("easy", "hard")
    assert suite_of(params(False)).crossed(params(False)) == {}
    assert suite_of(params(True)).crossed(params(True))["hard"] == ("hard", "hard")


def test_a_wish_for_two_levels_counts_four_pairs() -> None:
    wanted = understood(params(True), "left and right, easy, hard")
    corpus = wanted.corpus(params(True).corpus.own(Examining), 8)
    assert corpus["scenes_per_subtask"] == 8 and corpus["autodavis"]["at"] == ["easy", "hard"]


def test_a_pair_that_is_called_as_a_level_is_one_line() -> None:
    hard = Examining().levels["hard"].model_dump()
    levels = {"easy": Examining().levels["easy"].model_dump(), "hard": hard, "easy_hard": hard}
    one = params(True, levels=levels)
    with pytest.raises(UserError, match=r"crossed: the pair of 'easy' and 'hard'"):
        check_plan(one, "params.yaml")


def test_the_number_of_scenes_goes_by_pairs() -> None:
    one = params(True).model_copy()
    check_plan(one, "params.yaml")
    counts = one.corpus.model_copy(update={"scenes": {"spatial_understanding": 12}})
    with pytest.raises(UserError, match="at 9 levels take 36 scenes"):
        check_plan(one.model_copy(update={"corpus": counts}), "params.yaml")


def test_more_pictures_leave_the_first_as_they_were() -> None:
    suite, one = suite_of(params(True)), params(True)
    again = suite.scenes(one, vocabulary(), 0, one.corpus.n_scenes)
    first = rows(again, "scene_id", "ordinal")
    many = rows(made(True).scenes, "scene_id", "ordinal")
    assert {key: many[key] for key in first} == first  # more pictures change none


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 9))]
)
def test_every_aspect_can_be_planned_at_every_pair_or_says_that_it_cannot(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Questions of a hard level may want more than an easy picture has room for."""
    within = Draws.within

    def checked(draws: Draws, low: int, high: int) -> int:
        assert low <= high, "drawn from nothing"
        return within(draws, low, high)

    monkeypatch.setattr(Draws, "within", checked)
    planner = Planner(params_of(seed=seed, crossed=True, scenes=24 * 9), vocabulary())
    tried = 0
    for aspect in (each for aspects in planner.aspects.values() for each in aspects):
        family = planner.family(aspect)
        for level in planner.levels if family else ():
            assert family is not None
            for attempt in range(8 if aspect.fine.name in NUMBERS else 1):
                family.plan(planner.kit(level, "plan", f"{aspect.fine.name}{level}", attempt))
                tried += 1
    assert tried > 9 * 90


def test_a_number_for_which_there_is_no_room_is_not_drawable() -> None:
    levels = {name: level.model_dump() for name, level in Examining().levels.items()}
    one = params_of(
        requests=("reasoning_capacity",), scenes=2 * 9, crossed=True, only=["both_properties"],
        levels={**levels, "easy": {**levels["easy"], "instances": 2}},
    )  # fmt: skip
    told = suite_of(one).described(one, vocabulary(), 0, 2 * 9).to_pylist()
    for level, status in (("easy_hard", "not_drawable"), ("hard", "made")):
        assert {d["status"] for d in told if d["level"] == level} == {status}
