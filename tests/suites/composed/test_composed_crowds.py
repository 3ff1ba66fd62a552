"""Crowds and families of words: numbers as planned, twins one off, near misses beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from lvlmbench.scene.graph import Graph, Person
from lvlmbench.suites.composed import crowds
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.word_families import SIZE, families
from lvlmbench.suites.suite import suite_of
from support.composed_scenes import composed
from support.render_scenes import vocabulary

_SCENES = 240


def _hard(name: str, scenes: int = _SCENES) -> Iterator[tuple[Graph, Graph]]:
    params = composed(scenes_per_subtask=scenes, subtasks=[name])
    rows = suite_of(params).scenes(params, vocabulary(), 0, scenes).to_pylist()
    hard = [Graph.of(row) for row in rows if row["level"] == "hard"]
    return zip(hard[::2], hard[1::2], strict=True)


def _people(graph: Graph) -> list[Person]:
    return [one.person for one in graph.objects if one.person is not None]


@pytest.mark.parametrize("number", crowds.NUMBERS)
def test_a_partner_has_the_number_as_its_partner(number: int) -> None:
    assert abs(partner(number) - number) == 1 and partner(partner(number)) == number


def test_a_crowd_has_the_number_that_was_planned_and_its_twin_one_more_or_fewer() -> None:
    found = Counter[int]()
    for one, twin in _hard("people"):
        numbers = [crowds.number_of(_people(each)) for each in (one, twin)]
        assert numbers[0] in crowds.NUMBERS and numbers[1] == partner(numbers[0])
        changed = [a != b for a, b in zip(_people(one), _people(twin), strict=True)]
        assert changed.count(True) == 1 and not changed[0]
        found[numbers[0]] += 1
    assert {*found} == {*crowds.NUMBERS} and max(found.values()) < 2.5 * min(found.values())


def test_some_miss_what_is_asked_about_by_little() -> None:
    misses = Counter[tuple[bool | None, ...]]()
    for graph, _ in _hard("people"):
        own = [fact for fact in crowds.facts(_people(graph)[0]) if fact is not None]
        misses.update(tuple(fact.of(each) for fact in own) for each in _people(graph))
    assert not any(None in each for each in misses)
    assert min(misses[True, False], misses[False, True], misses[False,]) > 10


def test_words_of_a_family_differ_in_one_letter_at_one_place() -> None:
    known = families(vocabulary().words)
    assert len(known) > 40
    for family in known:
        assert len(family) >= SIZE
        places = {
            tuple(a != b for a, b in zip(*two, strict=True)) for two in combinations(family, 2)
        }
        assert len(places) == 1 and sum(*places) == 1


@pytest.mark.parametrize(("alike", "beside"), [("mn", "k"), ("ef", "k"), ("il", "k"), ("oc", "k")])
def test_letters_that_look_alike_are_in_no_family(alike: str, beside: str) -> None:
    words = tuple(f"{letter}xxx" for letter in (*alike, *"bzvt", beside))
    assert all(not {f"{each}xxx" for each in alike} <= {*family} for family in families(words))
    assert families(words)


def test_a_word_stands_on_as_many_things_as_planned_and_on_one_more_or_fewer_in_the_twin() -> None:
    found = Counter[int]()
    for one, twin in _hard("reading", 3 * _SCENES):
        word = one.main.text
        numbers = [sum(o.text == word for o in each.objects) for each in (one, twin)]
        assert numbers[1] == partner(numbers[0])
        assert {o.text for o in (*one.objects, *twin.objects)} > {word}
        found[numbers[0]] += 1
    assert {*found} == {1, 2, 3, 4} and max(found.values()) < 2.5 * min(found.values())
