"""Plans of an exam: what they depend on, what they keep when more is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.loading import validate_project
from lvlmbench.core.errors import UserError
from lvlmbench.suites.autodavis.check_plan import check_plan
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.suite import suite_of
from support.exam.made import REQUESTS, ROUND, params_of
from support.render_scenes import vocabulary

ROOT = Path(__file__).resolve().parents[3]
FEW = ("left_and_right", "counting", "animals")


def planned(params: Params) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scenes and descriptions by scene id."""
    suite, n = suite_of(params), params.corpus.n_scenes
    scenes = suite.scenes(params, vocabulary(), 0, n).to_pylist()
    told = suite.described(params, vocabulary(), 0, n).to_pylist()
    return {s["scene_id"]: s for s in scenes}, {d["scene_id"]: d for d in told}


def test_every_item_that_is_asked_for_is_a_scene_with_one_description() -> None:
    scenes, told = planned(params_of())
    assert len(scenes) == len(told) == len(REQUESTS) * ROUND == 360
    assert scenes.keys() == told.keys()
    places = Counter(
        (d["subtask"], d["general_no"], d["fine_no"], d["level"]) for d in told.values()
    )
    assert {*places.values()} == {1}
    made = {d["scene_id"] for d in told.values() if d["status"] == "made"}
    assert {s["scene_id"] for s in scenes.values() if s["foreground_list"] != "aspect"} == made
    assert {d["status"] for d in told.values()} <= {"made", "needs_endpoint", "not_drawable"}


@pytest.mark.parametrize(("path", "pictures"), [("params.yaml", 2), ("profiles/autodavis.yaml", 3)])
def test_runs_of_the_project_have_pictures_enough_to_ban_words(path: str, pictures: int) -> None:
    """The default has two pictures of each aspect and level, `make exam` three."""
    given = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    params = validate_project({"suites": {"autodavis": given["suites"]["autodavis"]}})
    _, told = planned(params.suite("autodavis"))
    chains = Counter((d["aspect"], d["level"]) for d in told.values())
    assert {*chains.values()} == {pictures} and len(chains) == len(REQUESTS) * ROUND
    banned = Counter((d["aspect"], d["level"]) for d in told.values() if d["banned"])
    made = {(d["aspect"], d["level"]) for d in told.values() if d["status"] == "made"}
    assert banned == dict.fromkeys(made, pictures - 1)


@pytest.mark.parametrize("own", [{}, {"only": [*FEW, "color_of_things"][:3]}, {"at": ["hard"]}])
def test_few_scenes_are_spread_over_aspects_and_then_levels(own: dict[str, Any]) -> None:
    """As a scenario that shows some scenes alone takes them; more hold fewer."""
    planner = Planner(params_of(2, **own), vocabulary())
    turn = suite_of(params_of(2, **own)).turns(params_of(2, **own))
    for request in REQUESTS:
        aspects, levels = len(planner.aspects[request]), len(planner.levels)
        n = 2 * aspects * levels
        of = {turn(request, ordinal): planner.item(request, ordinal) for ordinal in range(n)}
        assert sorted(of) == [*range(n)]
        items = [of[at] for at in range(n)]
        for start in range(0, n, max(aspects, 1)):
            part = items[start : start + aspects]
            assert len({item.aspect.fine.name for item in part}) == aspects
            by_level = Counter(item.level for item in part)
            assert max(by_level.values()) - min(by_level.values()) <= 1 or levels == 1
        whole = items[: aspects * levels]
        assert {item.number for item in whole} <= {0}
        general = [item.aspect.general_no for item in items[: min(4, aspects)]]
        if not own:
            assert general == [0, 1, 2, 3] and aspects == 24


def test_few_scenes_with_twins_are_pairs_of_as_many_aspects() -> None:
    one, plain = params_of(4, twins=True), params_of(2)
    planner, turn = Planner(one, vocabulary()), suite_of(one).turns(one)
    before, alone = suite_of(plain).turns(plain), Planner(plain, vocabulary())
    for request in REQUESTS:
        n = ROUND * 2
        pictures = {before(request, at): alone.item(request, at) for at in range(n)}
        of = {turn(request, at): planner.item(request, at) for at in range(2 * n)}
        for at in range(n):
            assert of[2 * at] == pictures[at] and of[2 * at + 1] == pictures[at]._replace(twin=True)


def test_more_pictures_of_an_aspect_leave_the_first_as_they_were() -> None:
    own = {"only": list(FEW)}
    requests = ("basic_understanding", "spatial_understanding")
    counts = {"basic_understanding": 6, "spatial_understanding": 3}
    few = planned(with_counts(requests, {k: 2 * n for k, n in counts.items()}, own))
    many = planned(with_counts(requests, {k: 4 * n for k, n in counts.items()}, own))
    for first, more in zip(few, many, strict=True):
        assert len(more) == 2 * len(first)
        assert {key: more[key] for key in first} == first


def with_counts(
    requests: tuple[str, ...], counts: dict[str, int], own: dict[str, Any], **more: Any
) -> Params:
    params = params_of(requests=requests, **more, **own)
    return params.model_copy(update={"corpus": params.corpus.model_copy(update={"scenes": counts})})


def test_fewer_aspects_and_levels_leave_the_others_as_they_were() -> None:
    whole = planned(params_of(requests=("spatial_understanding",)))
    part = planned(
        params_of(requests=("spatial_understanding",), scenes=2, at=["hard"],
                  only=["left_and_right", "nearest_neighbor"])
    )  # fmt: skip
    for all_of_it, some in zip(whole, part, strict=True):
        assert len(some) == 2
        for key, row in some.items():
            same = {**all_of_it[key], "ordinal": row.get("ordinal")} if "ordinal" in row else row
            assert row == same


def test_ranges_give_the_rows_of_the_whole() -> None:
    params = params_of(requests=("spatial_understanding", "reasoning_capacity"))
    suite, n = suite_of(params), params.corpus.n_scenes
    whole = suite.scenes(params, vocabulary(), 0, n)
    parts = [suite.scenes(params, vocabulary(), at, min(at + 50, n)) for at in range(0, n, 50)]
    assert [row for part in parts for row in part.to_pylist()] == whole.to_pylist()


def test_no_description_uses_a_word_that_is_banned() -> None:
    params = with_counts(
        ("spatial_understanding",), {"spatial_understanding": 2 * 3 * 10},
        {"only": ["left_and_right", "nearest_neighbor"]},
    )  # fmt: skip
    _, told = planned(params)
    late = [d for d in told.values() if d["number"] == 9]
    assert late and all(len(d["banned"]) == 9 for d in late)
    assert all(d["repeated"] == [] for d in told.values())
    for row in told.values():
        assert not {row["topic_word"], *row["key_words"]} & {*row["banned"]}


def test_the_hash_seed_of_the_process_changes_no_row() -> None:
    code = (
        "import sys; sys.path[:0] = ['tests']\n"
        "from support.exam.made import params_of\n"
        "from support.render_scenes import vocabulary\n"
        "from lvlmbench.suites.suite import suite_of\n"
        "from lvlmbench.tables import hash_batches\n"
        "p = params_of(scenes=48, general=4, fine=4, seed=3)\n"
        "s, n = suite_of(p), p.corpus.n_scenes\n"
        "a = [s.scenes(p, vocabulary(), 0, n), s.described(p, vocabulary(), 0, n)]\n"
        "print([hash_batches([t])[0] for t in a])\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ({"scenes": 70}, ["scenes_per_subtask", "is 70", "take 72 scenes", "write 72"]),
        ({"scenes": 200}, ["is 200", "write 216"]),
        ({"at": ["extreme"]}, ["autodavis.at", "'extreme' is not a level", "easy, medium, hard"]),
        ({"only": ["left_and_rigth"]}, ["autodavis.only", "did you mean 'left_and_right'?"]),
        ({"only": ["counting"], "scenes": 3}, ["names no aspect of 'spatial_understanding'"]),
        ({"general": 5}, ["autodavis.general", "is 5, but", "has 4", "write 4"]),
    ],
)
def test_what_cannot_be_planned_is_told_in_one_line(own: dict[str, Any], says: list[str]) -> None:
    requests = ("basic_understanding", "spatial_understanding")
    params = params_of(
        requests=requests if own.get("only") == ["counting"] else requests[1:], **own
    )
    with pytest.raises(UserError) as caught:
        check_plan(params, "my.yaml")
    message = str(caught.value)
    assert message.startswith("my.yaml: suites.autodavis.corpus.") and "\n" not in message
    assert all(each in message for each in says), message


def test_who_measures_nothing_draws_no_exam() -> None:
    params = params_of(requests=REQUESTS[:1])
    render = params.render.model_copy(update={"renderer": "diffusion"})
    with pytest.raises(UserError, match="'diffusion' measures nothing"):
        check_plan(params.model_copy(update={"render": render}), "my.yaml")


def test_a_style_that_is_none_is_told_with_the_nearest() -> None:
    params = params_of(requests=REQUESTS[:1], restyled={"pictures": 1, "styles": ["comic bok"]})
    with pytest.raises(UserError, match="did you mean 'comic book'"):
        check_plan(params, "my.yaml")


@pytest.mark.parametrize(
    ("level", "says"),
    [({"instances": 2}, "instances: 5 kinds"), ({"panels": 4}, "panels: an exam")],
)
def test_levels_that_cannot_be_drawn_are_told(level: dict[str, Any], says: str) -> None:
    hard = Examining().levels["hard"].model_dump()
    with pytest.raises(UserError, match=says):
        params_of(levels={"hard": {**hard, **level}})


def test_what_is_well_formed_passes() -> None:
    check_plan(params_of(2), "my.yaml")
    check_plan(params_of(requests=REQUESTS[:1], at=["hard"], scenes=24 * 10), "my.yaml")
    assert Examining().asked == ("easy", "medium", "hard")
    assert tables.DESCRIPTIONS.key == ("scene_id",)
