"""Checks of a picture against its description, and the validator that asks them of a layout.

From a description six closed questions are made whose answers it gives (AutoDavis, section 2.3,
after TIFA). The share that a picture answers as described is its alignment. Checks are about what
was described; the layout says what was drawn, so that a thing that is missing, moved, of another
kind, color or number shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from lvlmbench.core.seeding import item_id
from lvlmbench.scene.grammar import NUMBERS as FEW
from lvlmbench.scene.graph import Graph, Object, Relation
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.programs import holds, text_of
from lvlmbench.scene.props import PROP
from lvlmbench.scene.relations import CELLS, CONVERSE, CORNERS
from lvlmbench.scene.sets import Program, Value, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.plan import Item, Planner
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import RELATIONS

_OF_LIST = {"animal": "animal", "food": "food", PERSON: "human"}
#: Relations that a person can be asked about with yes or no.
_ASKED = frozenset({*RELATIONS, *CORNERS, "between", *CELLS})
_YES_NO: tuple[Value, Value] = ("yes", "no")


class Check(NamedTuple):
    """A closed question about a picture, with the answer that the description gives.

    Attributes
    ----------
    element_type, element
        What it is about: one of :data:`lvlmbench.tables.validation.ELEMENTS`, and the words of
        the description.
    program
        A statement with a hole for each of ``values``; without a hole it is asked yes or no.
    labels
        What it is about, by the labels of things.
    """

    element_type: str
    element: str
    question: str
    values: tuple[Value, ...]
    answer: Value
    program: Program
    labels: tuple[str, ...] = ()

    @property
    def options(self) -> list[str]:
        """The options in words."""
        return [str(value) for value in self.values]

    def answered(self, world: World) -> Value | None:
        """Return the option that holds of a picture; None where none does, or it is not clear."""
        if self.values == _YES_NO:
            found = holds(self.program, world)
            return None if found is None else _YES_NO[not found]
        right = [value for value in self.values if holds(self.program, world, value)]
        return right[0] if len(right) == 1 else None

    def row(self, scene_id: str, number: int) -> dict[str, Any]:
        """Return the row of the table ``validation``."""
        return {
            "check_id": item_id(scene_id, "check", number),
            "scene_id": scene_id,
            "number": number,
            "element_type": self.element_type,
            "element": self.element,
            "question": self.question,
            "options": self.options,
            "answer_index": self.values.index(self.answer),
            "program": text_of(self.program),
        }


def checks_of(planner: Planner, item: Item, graph: Graph) -> list[Check]:
    """Return the checks of a described picture: of all kinds in turn, as many as are wanted."""
    scene_id = planner.scene_id(item)
    kit = planner.kit(item.level, "check", scene_id)
    by_type: dict[str, list[Check]] = {}
    for check in kit.draws.shuffled([*all_checks(kit, graph)]):
        by_type.setdefault(check.element_type, []).append(check)
    found: list[Check] = []
    while by_type and len(found) < planner.own.checks:
        for name in list(by_type):
            found.append(by_type[name].pop())
            if not by_type[name]:
                del by_type[name]
    return found[: planner.own.checks]


def all_checks(kit: Kit, graph: Graph) -> Iterator[Check]:
    """Yield all checks that a description gives rise to."""
    things = [thing for thing in graph.objects if thing.list != PROP]
    for label in dict.fromkeys(thing.label for thing in things):
        yield from _of_kind(kit, label, [thing for thing in things if thing.label == label])
    labels = [thing.label for thing in graph.objects]
    names = {t.id: t.label for t in graph.objects if labels.count(t.label) == 1}
    for relation in graph.relations:
        yield from _of_relation(relation, names)
    words = [thing for thing in things if thing.text is not None]
    for thing in words if len(words) > 1 else ():
        others = [str(other.text) for other in words if other.text != thing.text]
        yield _text(kit.draws, thing, others)


def _of_kind(kit: Kit, label: str, things: Sequence[Object]) -> Iterator[Check]:
    """What there is to check of all things of a kind: that it is there, how many, its color."""
    number, kind = sum(thing.instances for thing in things), things[0].list
    of = labelled(label)
    one = "a person" if kind == PERSON else kit.words.a(label)
    many = "people" if kind == PERSON else kit.words.plural(label)
    yield Check(
        _OF_LIST.get(kind, "object"), label, f"Is there {one} in the picture?",
        _YES_NO, "yes", ["exists", of], (label,),
    )  # fmt: skip
    start = max(number - kit.draws.below(4), 1)
    row = tuple(range(start, start + 4))
    said = one if number == 1 else f"{FEW.get(number, number)} {many}"
    yield Check(
        "counting", said, f"How many {many} are in the picture?",
        row, number, ["count", of, "?"], (label,),
    )  # fmt: skip
    for thing in things:
        if thing.color is not None:
            yield _color(kit, thing, number)


def _color(kit: Kit, thing: Object, alike: int) -> Check:
    element = f"{thing.color} {thing.label}"
    of = labelled(thing.label)
    if alike > 1:
        program: Program = ["exists", ["with", "color", thing.color, of]]
        question = f"Is there {kit.words.colored(str(thing.color), thing.label)} in the picture?"
        return Check("color", element, question, _YES_NO, "yes", program, (thing.label,))
    others = [color for color in kit.stock.colors if color != thing.color]
    values = tuple(kit.draws.shuffled([str(thing.color), *kit.draws.some(others, 3)]))
    program = ["is", "color", of, "?"]
    question = f"What color is the {thing.label}?"
    return Check("color", element, question, values, str(thing.color), program, (thing.label,))


def _of_relation(relation: Relation, names: Mapping[str, str]) -> Iterator[Check]:
    """Whether a thing stands as was planned, where all are named without doubt."""
    ids = [each for each in (relation.subject, relation.object, relation.other) if each]
    if relation.predicate not in _ASKED or not {*ids} <= {*names}:
        return
    first, *others = (names[each] for each in ids)
    if relation.predicate == "between":
        where = f"between the {others[0]} and the {others[1]}"
    elif others:
        where = f"{_words(relation.predicate)} the {others[0]}"
    else:
        where = f"in the {relation.predicate} part of the picture"
    program: Program = ["stands", relation.predicate, *map(labelled, (first, *others))]
    question = f"Is the {first} {where}?"
    labels = (first, *others)
    yield Check("spatial", f"{first} {where}", question, _YES_NO, "yes", program, labels)


def _words(predicate: str) -> str:
    return " and ".join(RELATIONS[each] for each in predicate.split("+"))


def turned(check: Check) -> Check | None:
    """Return a check of how things stand, the other way round: as if that had been described.

    None for other checks, and where what stands so stands the same the other way round.
    """
    head, *rest = check.program
    before = str(rest[0])
    after = CONVERSE.get(before, before) if head == "stands" else before
    if after == before:
        return None
    words = _words(before), _words(after)
    return check._replace(
        element=check.element.replace(*words),
        question=check.question.replace(*words),
        program=[head, after, *rest[1:]],
    )


def _text(draws: Draws, thing: Object, others: Sequence[str]) -> Check:
    values = tuple(draws.shuffled([str(thing.text), *others[:3]]))
    question = f"Which word is written on the {thing.label}?"
    program: Program = ["is", "text", labelled(thing.label), "?"]
    return Check(
        "other", f'"{thing.text}"', question, values, str(thing.text), program, (thing.label,)
    )
