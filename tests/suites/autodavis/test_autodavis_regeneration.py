"""Regenerations: other pictures and questions of the same plan; 0 is what there was before."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lvlmbench.config import Params
from lvlmbench.core.seeding import item_id, seed_of
from lvlmbench.suites.suite import suite_of
from support.exam.made import KIND, drawn, params_of
from support.render_scenes import vocabulary

REQUEST = "spatial_understanding"


def again(number: int, **own: Any) -> Params:
    return params_of(requests=(REQUEST,), seed=9, regeneration=number, **own)


def planned(params: Params) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    suite, n = suite_of(params), params.corpus.n_scenes
    scenes = suite.scenes(params, vocabulary(), 0, n).to_pylist()
    return scenes, suite.described(params, vocabulary(), 0, n).to_pylist()


def test_regeneration_0_has_the_ids_and_seeds_that_there_were_before_there_was_one() -> None:
    written, unwritten = planned(again(0)), planned(params_of(requests=(REQUEST,), seed=9))
    assert written == unwritten
    for scene, told in zip(*written, strict=True):
        place = (told["subtask"], told["aspect"], told["level"], told["number"])
        assert scene["scene_id"] == item_id(9, KIND, *place)
        assert scene["seed"] == seed_of(9, KIND, scene["scene_id"])


def test_another_one_has_the_same_plan_and_other_pictures() -> None:
    first, second, third = (planned(again(number)) for number in range(3))
    same = ("subtask", "general", "aspect", "level", "number", "family", "truth")
    for other in (second, third):
        assert [[d[k] for k in same] for d in first[1]] == [[d[k] for k in same] for d in other[1]]
    ids = [{scene["scene_id"] for scene in each[0]} for each in (first, second, third)]
    assert len(ids[0] | ids[1] | ids[2]) == 3 * len(ids[0])
    described = [[d["description"] for d in each[1]] for each in (first, second)]
    equal = sum(a == b for a, b in zip(*described, strict=True))
    assert equal < 0.1 * len(described[0])


def test_no_picture_is_another_ones_and_letters_stay_balanced() -> None:
    few = {"only": ["left_and_right", "nearest_neighbor"], "scenes": 12, "size": 192}
    one, two = drawn(again(0, **few)), drawn(again(1, **few))
    assert len(one.questions) and len(two.questions)
    hashes = [{*each.images["sha256"].to_pylist()} for each in (one, two)]
    assert not hashes[0] & hashes[1]
    places = [
        [row["answer_index"] for row in planner.questions.to_pylist()] for planner in (one, two)
    ]
    assert places[0] != places[1]
    assert max(Counter(places[1]).values()) <= 6


def test_suites_of_one_plan_know_each_other() -> None:
    suite = suite_of(again(0))
    found = [suite.drawing(again(number)) for number in (0, 3)]
    assert [each and each.number for each in found] == [0, 3]
    assert found[0] and found[1] and found[0].plan == found[1].plan
    unwritten = suite.drawing(params_of(requests=(REQUEST,), seed=9))
    assert unwritten is not None and unwritten.plan == found[0].plan
    shards = again(1).corpus.model_copy(update={"shard_scenes": 3})
    split = suite.drawing(again(1).model_copy(update={"corpus": shards}))
    assert split is not None and split.plan == found[0].plan
    for other in (again(1, at=["hard"]), again(1, scenes=144)):
        drawing = suite.drawing(other)
        assert drawing is not None and drawing.plan != found[0].plan
