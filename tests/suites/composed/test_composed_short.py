"""Questions for short answers: asked of both of a pair, of one value alone, in clear words."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import Any

import pytest

from lvlmbench.scene.answers import COLOR_WORDS, accepted, wanted
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.composed import questions
from lvlmbench.suites.graphs.ask import NUMBERS, Ask, Short
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.tables import QUESTIONS
from support.composed_sample import Sample, drawn, params_of, vocabulary

#: Skills that are asked for numbers, colors or written words; all others only of four pictures.
_HELD = ("counting", "color_binding", "reading", "people", "charts")


@pytest.fixture(scope="module")
def sample() -> Sample:
    return drawn(params_of(12, seed=3))


@pytest.fixture(scope="module")
def short(sample: Sample) -> list[dict[str, Any]]:
    return [q for q in sample.asked(range(3)) if q["question_type"] == "short_answer"]


def test_every_skill_has_some_where_answers_can_be_held(
    sample: Sample, short: list[dict[str, Any]]
) -> None:
    found = {(q["subtask"], q["level"]) for q in short}
    skills = {scene["subtask"] for scene, _ in sample.rows()}
    hard = {skill for skill, level in found if level == "hard"}
    assert len(skills - hard) < 4, "of four small pictures some leave it unclear what is there"
    assert {(skill, level) for skill in _HELD for level in ("easy", "deep")} <= found
    assert {skill for skill, level in found if level == "easy"} == {*_HELD}
    once = Counter(q["scene_id"] for q in sample.asked() if q["question_type"] == "short_answer")
    assert max(once.values()) == 1


def test_rows_offer_nothing_and_say_what_is_accepted(short: list[dict[str, Any]]) -> None:
    for q in short:
        assert (q["options"], q["answer_index"], q["chance"], q["claim"]) == ([], None, 0, None)
        assert q["accepted"] == accepted(q["answer"])
        kind = "number" if q["answer"].removeprefix("-").isdigit() else "text"
        kind = "color" if q["answer"] in COLOR_WORDS else kind
        assert wanted(q["question"]) == kind, q["question"]


def test_twins_are_asked_the_same_with_other_answers(short: list[dict[str, Any]]) -> None:
    pairs = defaultdict(list)
    for q in short:
        pairs[q["pair"], q["program"]].append(q)
    together = [both for (pair, _), both in pairs.items() if pair]
    assert sum(map(len, together)) > 0.7 * len(short)
    by_seed = [(both[i], both[i + 1]) for both in together for i in range(0, len(both), 2)]
    for one, other in by_seed:
        assert one["scene_id"] != other["scene_id"]
        assert not {*one["accepted"]} & {*other["accepted"]}


def test_the_other_types_are_asked_as_without_them(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [q for q in sample.asked() if q["question_type"] != "short_answer"]
    monkeypatch.setattr(questions, "short", lambda *given: None)
    assert sample.asked() == rows
    assert QUESTIONS.of(rows)["accepted"].null_count == len(rows)


def _asked(sample: Sample, *values: int) -> list[dict[str, Any]] | None:
    """How many things of a kind there are, of which at least one is there."""
    scene, layout = next((s, rows) for s, rows in sample.rows() if s["subtask"] == "counting")
    world = World(questions.Graph.of(scene), layout, sample.params.render.size, str.__eq__)
    label = world.graph.main.label
    number = sum(one.object.label == label for one in world.things)
    one = Ask(
        family="number", program=["count", labelled(label), "?"], questions=("How many?",),
        show=str, answer=number, wrong=[], short=Short(values or NUMBERS),
    )  # fmt: skip
    if values:  # "there are any" holds whatever number is said
        one = replace(one, program=["exists", labelled(label)])
    return questions.short(one, Draws(0, "question", "x"), [world], [number])


def test_an_answer_beside_which_another_holds_is_not_asked_for(sample: Sample) -> None:
    assert vocabulary() is not None
    (row,) = _asked(sample) or [None]
    assert row is not None and row["accepted"][0] == row["answer"]
    assert _asked(sample, *range(10)) is None
