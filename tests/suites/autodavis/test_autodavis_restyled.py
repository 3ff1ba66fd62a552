"""The same pictures in other styles: same places, same questions, nothing that a style hides."""

from __future__ import annotations

from typing import Any

import pytest

from lvlmbench.config import Params
from lvlmbench.scene.graph import Graph
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.autodavis.restyled import needed, shown_again
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import LAYOUTS, PROPOSALS, SCENES, behind_bases
from support.exam.made import params_of
from support.render_scenes import vocabulary

Row = dict[str, Any]
STYLES = ["comic book", "watercolor painting"]
ONLY = ["left_and_right", "nearest_neighbor", "foremost_thing"]


@pytest.fixture(scope="module")
def params() -> Params:
    return params_of(
        requests=("spatial_understanding",), scenes=18, only=ONLY,
        restyled={"pictures": 2, "styles": STYLES},
    )  # fmt: skip


@pytest.fixture(scope="module")
def made(params: Params) -> tuple[list[Row], list[Row], list[Row]]:
    """Scenes with those shown again, their layouts, and the questions."""
    import pyarrow as pa

    suite, known = suite_of(params), vocabulary()
    scenes = suite.scenes(params, known, 0, params.corpus.n_scenes)
    both = behind_bases(pa.concat_tables([scenes, suite.restyled(params, known, scenes)]))
    layouts = render_shard(params, known, both)[3]
    asked = suite.questions(params, known, both, layouts)
    return both.to_pylist(), layouts.to_pylist(), asked.to_pylist()


def test_a_validator_is_asked_of_them_no_more_than_is_told(
    made: tuple[list[Row], list[Row], list[Row]], params: Params
) -> None:
    suite, scenes, layouts = suite_of(params), SCENES.of(made[0]), LAYOUTS.of(made[1])
    for planted in (0, 1):
        told = suite.posing(params, planted)
        posed = [*suite.posed(params, vocabulary(), scenes, layouts, planted)]
        assert told == 6 * (18 + 12) + 18 * planted
        assert 0.8 * told < len(posed) <= told


def test_the_first_pictures_of_each_level_are_shown_again_in_each_style(
    made: tuple[list[Row], list[Row], list[Row]], params: Params
) -> None:
    scenes = {s["scene_id"]: s for s in made[0]}
    again = [s for s in scenes.values() if s["base"]]
    planner = Planner(params, vocabulary())
    bases = {s["base"] for s in again}
    assert len(bases) == 6 and len(again) > 6
    # Told before anything is drawn: two pictures at each of three levels, in two styles, at most.
    assert len(again) <= shown_again(params) == 2 * 3 * len(STYLES)
    every = params_of(requests=("spatial_understanding",), restyled={"pictures": 100, "each": 3})
    assert shown_again(every) == every.corpus.n_scenes * 3 == 216
    for one in again:
        base = scenes[one["base"]]
        assert one["setting"]["style"] in STYLES and base["setting"]["style"] not in STYLES
        kept = {"scene_id", "base", "setting", "style"}
        assert {k: v for k, v in one.items() if k not in kept} == {
            k: v for k, v in base.items() if k not in kept
        }
        assert planner.turn(planner.item(base["subtask"], base["ordinal"])) < 2


def test_the_questions_are_the_same_word_for_word(
    made: tuple[list[Row], list[Row], list[Row]],
) -> None:
    asked = {q["scene_id"]: q for q in made[2]}
    again = [q for q in asked.values() if q["base"]]
    assert len(again) >= 6
    places = set()
    for one in again:
        first = asked[one["base"]]
        for name in ("question", "answer", "program", "key"):
            assert one[name] == first[name], name
        assert one["options"][one["answer_index"]] == one["answer"]
        others, before = ([o for o in q["options"] if o != q["answer"]] for q in (one, first))
        assert others == before
        places.add(one["answer_index"] - first["answer_index"])
        assert one["question_id"] != first["question_id"]
    assert len(places) > 1  # the right option stands elsewhere


def test_what_an_examiner_proposed_is_asked_in_each_style_that_shows_its_evidence(
    made: tuple[list[Row], list[Row], list[Row]], params: Params
) -> None:
    scenes, layouts, by_rules = made
    bases = sorted({scene["base"] for scene in scenes if scene["base"]})
    seen = {"subject": "o1", "predicate": "count", "object": "1", "holds": True}
    style = next(s["setting"]["style"] for s in scenes if s["scene_id"] == bases[1])
    only_there = {"subject": "scene", "predicate": "style", "object": style, "holds": True}
    proposals = PROPOSALS.of(
        {
            "examiner": "gpt", "scene_id": base, "subtask": "spatial_understanding",
            "aspect": "left_and_right", "level": "easy", "status": status,
            "question": "What is there?", "options": list("pqrs"), "answer_index": 2,
            "spare": ["t"], "evidence": evidence,
        }
        for base, status, evidence in (
            (bases[0], "made", [seen]), (bases[1], "made", [seen, only_there]),
            (bases[2], "unsupported", [seen]),
        )
    )  # fmt: skip
    asked = suite_of(params).proposed(
        params, vocabulary(), SCENES.of(scenes), LAYOUTS.of(layouts), proposals
    )
    found = [(q["base"] or q["scene_id"], q) for q in asked.to_pylist()]
    again = {base: [q for name, q in found if name == base] for base in bases}
    assert len(again[bases[0]]) == sum(s["base"] == bases[0] for s in scenes) + 1
    assert len({q["question_id"] for q in again[bases[0]]}) == len(again[bases[0]])
    for one in again[bases[0]]:
        assert one["answer"] == "r" == one["options"][one["answer_index"]]
        assert one["examiner"] == "gpt" and "t" in one["replaced"]
        assert one["key"].endswith("/gpt/left_and_right")  # as keys of embedded examiners
        assert [o for o in one["options"] if o != "r"] == ["p", "q", "s"]
    assert [q["base"] for q in again[bases[1]]] == [None]  # elsewhere its evidence does not hold
    assert not again[bases[2]]
    # Scenes without a proposal are asked by rules, as before.
    rest = [q for q in asked.to_pylist() if q["examiner"] != "gpt"]
    assert rest == [q for q in by_rules if (q["base"] or q["scene_id"]) not in bases[:3]]


def test_no_style_hides_what_things_are_told_by(
    made: tuple[list[Row], list[Row], list[Row]],
) -> None:
    hidden = {
        e.label: e.hidden_small
        for e in vocabulary().lists["style"].for_renderer("pictograph").entries
    }
    for scene in made[0]:
        if scene["base"]:
            assert not hidden[scene["setting"]["style"]] & needed(Graph.of(scene))


def test_by_default_nothing_is_shown_again() -> None:
    params = params_of(requests=("spatial_understanding",), scenes=9, only=ONLY)
    suite, known = suite_of(params), vocabulary()
    scenes = suite.scenes(params, known, 0, 9)
    assert suite.restyled(params, known, scenes).num_rows == 0
