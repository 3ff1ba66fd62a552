"""A guesser without a picture: it finds what gives answers away, and finds nothing in the suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.guessing import FAIR, TYPES, best_rule, guessed, questions_of, summary
from benchmarks.harness.composing import (
    Drawn,
    asked,
    kin_of,
    parameters,
    skills,
    vocabulary_of,
)
from benchmarks.harness.guesser import Kin, Question
from lvlmbench.scene.graph import Graph
from lvlmbench.suites.composed.scenes import Planner, sample
from lvlmbench.suites.composed.skill import Skill
from lvlmbench.suites.graphs.ask import exchanged
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.kit import Kit

_LABELS = [f"{what} {which}" for what in ("red", "old", "big") for which in "abcdefghij"]
_PAIRS = {label: (_LABELS[at ^ 1],) for at, label in enumerate(_LABELS)}
_KIN = Kin(dict.fromkeys(_LABELS, "thing"), _PAIRS, {})
_SIDE = 512


def _choice(values: list[str], at: int) -> Question:
    return {
        "question": "Which of these is in the picture?",
        "options": values,
        "answer": values[at],
        "answer_index": at,
        "question_type": "multiple_choice",
        "level": "hard",
        "chance": 1 / len(values),
    }


def _fair(draws: Draws) -> Question:
    return _choice(draws.some(_LABELS, 4), draws.below(4))


def _always_first(draws: Draws) -> Question:
    return _choice(draws.some(_LABELS, 4), 0)


def _always_largest(draws: Draws) -> Question:
    numbers = draws.some(range(1, 9), 4)
    return _choice(list(map(str, numbers)), numbers.index(max(numbers)))


def _often_red(draws: Draws) -> Question:
    values = draws.some(_LABELS, 4)
    red = [at for at, value in enumerate(values) if value.startswith("red")]
    return _choice(values, draws.pick(red or [0, 1, 2, 3]))


def _with_a_double(draws: Draws) -> Question:
    """One of the wrong options looks like the right one, no other two do."""
    right, *rest = draws.some(range(0, len(_LABELS), 2), 3)
    values = draws.shuffled([_LABELS[right], _LABELS[right + 1], *(_LABELS[at] for at in rest)])
    return _choice(values, values.index(_LABELS[right]))


def _untrue_of_red(draws: Draws) -> Question:
    label, options = draws.pick(_LABELS), draws.shuffled(["True", "False"])
    answer = "False" if label.startswith("red") else draws.pick(options)
    return _choice(options, options.index(answer)) | {
        "question": f"True or false? There is a {label} in the picture.",
        "question_type": "true_false",
    }


def _gain(make: Callable[[Draws], Question], question_type: str = "multiple_choice") -> float:
    by_seed = [[make(Draws(seed, "test", str(at))) for at in range(250)] for seed in range(3)]
    return float(summary(guessed(by_seed, question_type, _KIN))["gain"])


def test_a_guesser_gains_nothing_where_nothing_is_given_away() -> None:
    """Accuracy stays near chance."""
    assert abs(_gain(_fair)) < 0.06


@pytest.mark.sampled(1)
@pytest.mark.parametrize("leak", [_always_first, _always_largest, _often_red, _with_a_double])
def test_a_guesser_finds_planted_leaks(leak: Callable[[Draws], Question]) -> None:
    """A place, a number, a word, a look-alike that gives the answer away."""
    assert _gain(leak) > 0.15


def test_a_guesser_finds_a_word_that_makes_statements_false() -> None:
    """A third of the statements can be told."""
    assert _gain(_untrue_of_red, "true_false") > 0.1


def _mostly_two(draws: Draws) -> Question:
    """Of cars there are mostly two; of anything else any number up to nine."""
    thing = draws.pick(["cars", "cups", "dogs"])
    answer = 2 if thing == "cars" and draws.below(10) else 1 + draws.below(9)
    return {
        "question": f"How many {thing} are there?",
        "answer": str(answer),
        "question_type": "short_answer",
        "level": "hard",
        "chance": None,
    }


def test_short_answers_are_guessed_from_what_is_asked() -> None:
    """Ninety of a hundred of a third of the questions, and a ninth of the others."""
    assert 0.3 < _gain(_mostly_two, "short_answer") < 0.46


def test_a_rule_finds_what_is_always_first() -> None:
    """The best of the simple rules is always right."""
    by_seed = [[_always_first(Draws(seed, "t", str(at))) for at in range(40)] for seed in range(2)]
    assert best_rule(by_seed)[1] == pytest.approx(0.75)


def _grid(scene: dict[str, Any]) -> Drawn:
    """A layout as if each instance had a cell of its own in its panel, wholly visible."""
    rows, n, graph = [], 0, Graph.of(scene)
    side = 480 // (1 if graph.panels == 1 else 2)
    for thing in graph.objects:
        panel = thing.panel or 0
        before = sum(row["panel"] == panel for row in rows)
        for copy in range(thing.instances):
            across, down = (side // 3 * at for at in divmod(before + copy, 3))
            left, top = 10 + panel % 2 * 250 + across, 10 + panel // 2 * 250 + down
            box = {"left": left, "top": top, "right": left + side // 4, "bottom": top + side // 4}
            rows.append(
                {
                    "instance": n, "object": thing.id, "copy": copy, "panel": panel, "part": None,
                    "box": box, "pixels": 9000, "visible": 1.0, "hides": [], "relations": [],
                }
            )  # fmt: skip
            n += 1
    return Drawn(scene, rows)


def _unseen(name: str, scenes: int) -> tuple[list[list[Question]], Kin]:
    """Questions of a skill about scenes that nobody drew."""
    by_seed = []
    for seed in (1, 2):
        params = parameters(seed, [name], scenes, _SIDE)
        vocabulary = vocabulary_of(params)
        planner = Planner(params, vocabulary)
        found = sample(params, vocabulary, 0, scenes).to_pylist()
        by_seed.append(list[Question](asked(planner, [_grid(each) for each in found], _SIDE)))
    return by_seed, kin_of(planner)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["existence", "counting", "comparison"])
def test_skills_that_need_no_places_give_nothing_away(name: str) -> None:
    """A few hundred questions about plans; the long test has more, about pictures."""
    by_seed, kin = _unseen(name, 300)
    told = summary(guessed(by_seed, "multiple_choice", kin))
    assert told["n"] > 550
    assert abs(told["gain"]) < 0.07


def _one_more(kit: Kit, graph: Graph) -> Graph:
    """A twin of a comparison that hardly ever has as many of both."""
    first, second = graph.objects[:2]
    if first.instances != second.instances:
        return exchanged(graph, 0, 1, "count")
    changed = replace(first, count=first.instances + 1)
    return replace(graph, objects=(changed, second, *graph.objects[2:]))


def test_twins_that_favor_an_answer_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fair plans with twins that are not: the guesser gains."""
    honest = Planner.skill

    def unfair(self: Planner, name: str) -> Skill:
        return replace(honest(self, name), twin=_one_more)

    monkeypatch.setattr(Planner, "skill", unfair)
    by_seed, kin = _unseen("comparison", 300)
    assert summary(guessed(by_seed, "multiple_choice", kin))["gain"] > 0.08


@pytest.mark.long
@pytest.mark.parametrize("name", skills())
def test_no_skill_gives_answers_away(name: str) -> None:
    """Within two points of chance at 5,000 questions, drawn and measured."""
    told = questions_of(name, range(11, 16), 540, _SIDE, None)
    guesses = [guess for each in TYPES for guess in guessed(told.by_seed, each, told.kin)]
    found = summary(guesses)
    assert found["n"] >= 5000
    assert abs(found["gain"]) <= FAIR
