"""Atomic checks: each fact that a question rests on, as a closed question of its own.

One option is right and the others are clearly false, by the same programs as all questions; what
is not so sure is not asked. No fact is asked with yes and no: who always says yes would see all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, singledispatchmethod
from typing import Any, NamedTuple

from lvlmbench.scene.figures import phrases
from lvlmbench.scene.figures.telling import COLOR_OF
from lvlmbench.scene.grammar import indefinite
from lvlmbench.scene.graph import Object
from lvlmbench.scene.programs import filled, holds
from lvlmbench.scene.props import PROP, WAYS
from lvlmbench.scene.relations import CELLS
from lvlmbench.scene.sets import Program, Value, labelled, size
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.atom_words import (
    BESIDE,
    BY_SIZE,
    OPPOSITES,
    SETTING,
    SOMEBODY,
    TRAITS,
    many,
)
from lvlmbench.suites.autodavis.atoms import (
    Among,
    Fact,
    Has,
    In,
    Nearer,
    Number,
    Present,
    Scenery,
    Stands,
    Trait,
    facts_of,
)
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.autodavis.persons import SHOWS, VALUES
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.making import choice
from lvlmbench.suites.graphs.wording import RELATIONS

Row = dict[str, Any]
#: Checks of a question, at most, and options of a check.
MOST, _OPTIONS = 8, 4
#: Checks of a question, on average: 704 of 267 in the five requests at their defaults.
EACH = 2.6
_OF_LIST = {"animal": "animal", "food": "food"}
_ALL: Program = ["all"]


class Atom(NamedTuple):
    """An atomic check: the kind of element that it is about, and the fields of its question."""

    element: str
    row: Row


def atoms(kit: ExamKit, world: World, ask: Ask) -> Iterator[Atom]:
    """Yield the atomic checks of a question, in their order, as far as they can surely be asked.

    Parameters
    ----------
    kit
        With draws of their own, so that questions are the same with and without checks.
    ask
        What is asked, with its right answer and what was offered beside it.
    """
    asking = _Asking(kit, world, ask)
    facts = facts_of(filled(ask.program, ask.answer), world)
    if not facts:  # what is right is not there: what is wrong is to be seen
        values = ask.wrong[: ask.options - 1]
        facts = [each for value in values for each in facts_of(filled(ask.program, value), world)]
    left = MOST
    for fact in facts:
        made = asking.of(fact)
        row = made and _row(kit, world, made[1])
        if made and row and left:
            left -= 1
            yield Atom(made[0], row)


def _row(kit: ExamKit, world: World, one: Ask) -> Row | None:
    """The question of a fact, with as many wrong options as are clearly false, three at most."""
    shown = {one.show(one.answer)}
    wrong: list[Value] = []
    for value in dict.fromkeys(one.wrong):
        fits = len(wrong) < _OPTIONS - 1 and one.show(value) not in shown
        if fits and holds(one.program, world, value) is False:
            shown.add(one.show(value))
            wrong.append(value)
    if not wrong or holds(one.program, world, one.answer) is not True:
        return None
    sure = Ask(**{**vars(one), "wrong": wrong, "options": 1 + len(wrong)})
    made = choice(sure, kit.draws, [world], [one.answer])
    return made[0] if made else None


def _way(ways: Mapping[str, str], to: str, way: Value) -> str:
    """How one of some ways to stand to a thing is written."""
    return ways[str(way)].format(to)


#: What is made of a fact: its element and its question; None where it cannot be asked.
_Made = tuple[str, Ask] | None


class _Asking:
    """Asks for single facts of a picture."""

    def __init__(self, kit: ExamKit, world: World, ask: Ask) -> None:
        self._kit, self._world, self._ask = kit, world, ask

    def _made(
        self, element: str, program: Program, question: str, answer: Value, wrong: Sequence[Value],
        show: Callable[[Value], str] = str,
    ) -> _Made:  # fmt: skip
        ask = Ask(
            family="atom", program=program, questions=(question,), show=show, answer=answer,
            wrong=wrong,
        )  # fmt: skip
        return element, ask

    def _named(self, number: int) -> tuple[str, Program] | None:
        """How a thing is called, in words and as a set of one: by its kind, else with its color."""
        every = [one.object for one in self._world.instances]
        own = every[[one.number for one in self._world.instances].index(number)]
        if [each.label for each in every].count(own.label) == 1:
            return f"the {own.label}", labelled(own.label)
        alike = [(each.label, each.color) for each in every]
        if own.color is None or alike.count((own.label, own.color)) > 1:
            return None
        return f"the {own.color} {own.label}", ["with", "color", own.color, labelled(own.label)]

    def _labels(self) -> list[str]:
        """Labels of all things, but for people and props."""
        held = (one.object for one in self._world.instances)
        return [each.label for each in held if each.person is None and each.list != PROP]

    def _absent(self, n: int) -> list[str]:
        """Labels of kinds that are not there."""
        setting = self._world.graph.setting
        known = [each for each in self._labels() if each in self._kit.stock.by_label]
        return self._kit.strangers(known, setting, n)

    @singledispatchmethod
    def of(self, fact: Fact) -> _Made:
        """Return the element and the question of a fact; None where it cannot be asked."""
        raise TypeError(fact)

    @of.register
    def _(self, fact: Present) -> _Made:
        thing = self._first(fact.label)
        if fact.color is not None:
            colors = self._kit.draws.shuffled(self._kit.stock.colors)
            program: Program = ["exists", ["with", "color", "?", labelled(fact.label)]]
            question = f"The picture shows {self._a(fact.label)} in one of these colors. Which one?"
            return self._made("color", program, question, fact.color, colors)
        program = ["exists", labelled("?")]
        if thing.list == PROP:
            props = self._kit.draws.shuffled([each for each in WAYS if each != fact.label])
            question = "Which of these can be found in the picture?"
            return self._made("object", program, question, fact.label, props, self._a)
        if fact.label not in self._kit.stock.by_label:
            return None
        question = "Which of these is shown in the picture?"
        element = _OF_LIST.get(thing.list, "object")
        return self._made(element, program, question, fact.label, self._absent(3), self._a)

    def _first(self, label: str) -> Object:
        return next(o.object for o in self._world.instances if o.object.label == label)

    def _a(self, label: Value) -> str:
        known = label in self._kit.stock.by_label
        return self._kit.words.a(str(label)) if known else indefinite(str(label))

    @of.register
    def _(self, fact: Among) -> _Made:
        one, to = self._world.instances[fact.one].object, self._named(fact.to)
        where = {**RELATIONS, **BY_SIZE}.get(fact.relation)
        if to is None or where is None or self._labels().count(one.label) != 1:
            return None
        labels = self._labels()
        other = self._world.instances[fact.to].object.label
        single = [k for k in labels if labels.count(k) == 1 and k not in (one.label, other)]
        wrong = [*self._kit.draws.shuffled(single), *self._absent(3)]
        program: Program = ["stands", fact.relation, labelled("?"), to[1]]
        question = f"Which of these is {where} {to[0]}?"
        return self._made("spatial", program, question, one.label, wrong, lambda k: f"the {k}")

    @of.register
    def _(self, fact: Stands) -> _Made:
        one, to = self._named(fact.one), self._named(fact.to)
        if one is None or to is None:
            return None
        if fact.relation in ("on", "inside"):
            return self._on(fact, one)
        if fact.relation == "hides":
            return self._over(fact, (one, to))
        ways = next((each for each in OPPOSITES if fact.relation in each), None)
        if ways is None and fact.relation != "between":
            return None
        program: Program = ["direction", one[1], to[1], "?"]
        for found in [ways] if ways else OPPOSITES[:2]:
            right = [each for each in found if holds(program, self._world, each)]
            if len(right) == 1:
                question = f"Where is {one[0]} in relation to {to[0]}?"
                if not {*found} & {*BESIDE}:
                    question = f"Which of these describes {one[0]}?"
                wrong = [way for way in found if way not in right]
                show = partial(_way, found, to[0])
                return self._made("spatial", program, question, right[0], wrong, show)
        return None

    def _on(self, fact: Stands, one: tuple[str, Program]) -> _Made:
        """On or inside of what something is."""
        prop = self._world.instances[fact.to].object.label
        if prop not in WAYS:
            return None
        places = [f"{way}+{label}" for label, way in WAYS.items()]
        right = f"{fact.relation}+{prop}"
        question = f"Where is {one[0]}?"
        return self._made(
            "spatial", ["place", one[1], "?"], question, right, self._kit.draws.shuffled(places),
            lambda place: "{} the {}".format(*str(place).split("+")),
        )  # fmt: skip

    def _over(self, fact: Stands, both: Sequence[tuple[str, Program]]) -> _Made:
        """Which of two things covers a part of the other."""
        labels = [self._world.instances[n].object.label for n in (fact.one, fact.to)]
        if len({*labels}) < 2:
            return None
        (a, of_a), (b, of_b) = both
        hole = labelled("?")
        program: Program = [
            "or",
            ["and", ["is", "label", hole, labels[0]], ["stands", "hides", of_a, of_b]],
            ["and", ["is", "label", hole, labels[1]], ["stands", "hides", of_b, of_a]],
        ]
        question = f"Which one covers part of the other: {a} or {b}?"
        right = [label for label in labels if holds(program, self._world, label)]
        if len(right) != 1:
            return None
        wrong = [label for label in labels if label not in right]
        return self._made("spatial", program, question, right[0], wrong, lambda k: f"the {k}")

    @of.register
    def _(self, fact: In) -> _Made:
        from lvlmbench.suites.autodavis.families.cells import said

        one = self._named(fact.one)
        if one is None:
            return None
        program: Program = ["stands", "?", one[1]]
        right = [cell for cell in CELLS if holds(program, self._world, cell)]
        if len(right) != 1:
            return None
        question = f"Where in the picture is {one[0]}?"
        cells = self._kit.draws.shuffled(CELLS)
        return self._made("spatial", program, question, right[0], cells, said)

    @of.register
    def _(self, fact: Nearer) -> _Made:
        named = [self._named(n) for n in (fact.one, fact.other, fact.to)]
        labels = [self._world.instances[n].object.label for n in (fact.one, fact.other)]
        if None in named or len({*labels}) < 2:
            return None
        one, other, to = (each for each in named if each)
        program: Program = [fact.head, labelled("?"), to[1], ["either", one[1], other[1]]]
        how = "nearer to" if fact.head == "nearest" else "farther from"
        first, second = self._kit.draws.shuffled([one[0], other[0]])
        question = f"Which one is {how} {to[0]}: {first} or {second}?"
        return self._made(
            "spatial", program, question, labels[0], labels[1:], lambda k: f"the {k}"
        )  # fmt: skip

    @of.register
    def _(self, fact: Has) -> _Made:
        one = self._named(fact.one)
        if one is None:
            return None
        offered = [*self._ask.wrong] if fact.value == self._ask.answer else []
        program: Program = ["is", fact.attribute, one[1], "?"]
        draws, stock = self._kit.draws, self._kit.stock
        if fact.attribute == "color":
            wrong = [*draws.shuffled(offered), *draws.shuffled(stock.colors)]
            return self._made("color", program, f"What color is {one[0]}?", fact.value, wrong)
        if fact.attribute == "text":
            wrong = [*draws.shuffled(offered), *self._kit.words_apart(3, [str(fact.value)])]
            return self._made(
                "other", program, f"Which word is written on {one[0]}?", fact.value, wrong
            )
        if fact.attribute == "facing":
            question = f"Which way is {one[0]} facing?"
            ways = ["left", "right"]
            return self._made(
                "attribute", program, question, fact.value, ways, lambda way: f"to the {way}"
            )
        return None

    @of.register
    def _(self, fact: Trait) -> _Made:
        offered = self._kit.draws.shuffled(
            self._ask.wrong if fact.value == self._ask.answer else ()
        )
        program: Program = ["exists", ["with", fact.attribute, "?", _ALL]]
        kind = fact.attribute.removeprefix(COLOR_OF)
        colored = kind != fact.attribute
        known = () if colored else self._kit.draws.shuffled(VALUES[TRAITS[fact.attribute]])
        wrong = [each for each in (*offered, *known) if holds(program, self._world, each) is False]
        if not wrong:  # others have all that could be offered
            worn = ["with", "wears colored", f"{fact.value} {kind}", _ALL]
            return self.of(Number(worn if colored else ["with", fact.attribute, fact.value, _ALL]))
        if colored:
            question = f"What color {phrases.called(kind)} is someone in the picture wearing?"
            return self._made("color", program, question, fact.value, wrong)
        element = "activity" if fact.attribute == "action" else "attribute"
        question, show = SOMEBODY[fact.attribute], SHOWS[TRAITS[fact.attribute]]
        return self._made(element, program, question, fact.value, wrong, show)

    @of.register
    def _(self, fact: Number) -> _Made:
        number, said = size(fact.of, self._world), many(self._kit, self._world, fact.of)
        if number is None or said is None:
            return None
        start = max(number - self._kit.draws.below(_OPTIONS), min(number, 1))
        row = [n for n in range(start, start + _OPTIONS) if n != number]
        return self._made("counting", ["count", fact.of, "?"], said, number, row)

    @of.register
    def _(self, fact: Scenery) -> _Made:
        from lvlmbench.suites.autodavis.families.setting import said

        at = self._ask.program[1].split("+").index(fact.key)
        wrong = self._kit.draws.shuffled([str(each).split("+")[at] for each in self._ask.wrong])
        program: Program = ["setting", fact.key, "?"]
        element = "location" if fact.key == "background" else "other"
        return self._made(
            element, program, SETTING[fact.key], fact.value, wrong,
            lambda value: said(self._kit.stock, (fact.key,), value),
        )  # fmt: skip
