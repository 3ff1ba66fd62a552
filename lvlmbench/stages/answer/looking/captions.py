"""Sentences about several things: which there are, in which colors, who, where, how large."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from lvlmbench.scene.figures import phrases
from lvlmbench.scene.grammar import capitalized, enumeration, indefinite
from lvlmbench.scene.relations import Box
from lvlmbench.scene.structured import Form
from lvlmbench.stages.answer.looking.topics import PEOPLE, PLACES, SIZES

#: Things of which is told how they stand to each other.
_MOST = 5
#: From this much apart one thing is told to be beside the other: of the picture's side, and of what
#: the two measure.
_APART, _OF_EXTENT = 0.06, 0.25
_SIDES = (("to the left of", "to the right of"), ("above", "below"))
_ORDINALS = ("", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ")
#: What somebody does, as a sentence has it -> as a form has it.
_ACTIONS = {said: name for name, said in phrases.ACTIONS.items()}
#: What a person is called, by age and gender.
_CALLED = {
    ("child", "female"): "girl",
    ("child", "male"): "boy",
    ("elderly", "female"): "elderly woman",
    ("elderly", "male"): "elderly man",
    ("adult", "female"): "woman",
    ("adult", "male"): "man",
}


@dataclass(frozen=True)
class Thing:
    """A thing to be told of.

    Attributes
    ----------
    label, article
        As the vocabulary has them; an empty article for what has none.
    box
        Where it is.
    color
        Its color, where one can be told.
    """

    label: str
    article: str
    box: Box
    color: str | None = None

    @property
    def introduced(self) -> str:
        """The thing with its color and its article: "a red fox", "jeans"."""
        if self.color is None or self.label.startswith(self.color):
            return f"{self.article} {self.label}".strip()
        colored = f"{self.color} {self.label}"
        return indefinite(colored) if self.article in ("a", "an") else colored


@dataclass(frozen=True)
class Someone:
    """A person to be told of.

    Attributes
    ----------
    age, gender, race, expression
        Labels of the vocabulary; None where one cannot be told.
    worn
        Garments.
    action
        What is done, as "running".
    """

    age: str | None = None
    gender: str | None = None
    race: str | None = None
    expression: str | None = None
    worn: tuple[Thing, ...] = ()
    action: str | None = None

    @property
    def introduced(self) -> str:
        """Who it is: "a happy dark-skinned elderly woman"."""
        who = _CALLED.get((self.age or "adult", self.gender or ""), "person")
        skin = f"{self.race}-skinned" if self.race else ""
        return indefinite(" ".join(filter(None, (self.expression, skin, who))))


def told(topics: Sequence[str], things: Sequence[Thing], people: Sequence[Someone]) -> str:
    """Return what is told of some topics (:mod:`.topics`), the surest things first."""
    if not (people if PEOPLE in topics else things):
        return "The image shows nothing that I know."
    sentences = _people(people) if PEOPLE in topics else _things(topics, things)
    return " ".join(f"{capitalized(each)}." for each in sentences)


def filled(form: Form, things: Sequence[Thing], people: Sequence[Someone]) -> str:
    """Return a description in a form, as JSON; of two sides of a thing it tells the first."""
    sizes = sorted(things, key=lambda each: -max(each.box.width, each.box.height))
    entries = [
        {
            "id": at,
            "name": each.label,
            "count": 1,
            "color": each.color,
            "place": _place(each.box),
            "size_rank": 1 + next(at for at, one in enumerate(sizes) if one is each),
        }
        for at, each in enumerate(things, 1)
    ]
    who = [
        {
            "age": each.age,
            "gender": each.gender,
            "garments": [{"name": worn.label, "color": worn.color} for worn in each.worn],
            "action": _ACTIONS.get(each.action or ""),
            "holding": None,
        }
        for each in people
    ]
    found: dict[str, list[dict[str, object]]] = {}
    if form.things:
        found["things"] = [{key: each[key] for key in form.things} for each in entries]
    if form.people:
        found["people"] = [{key: each[key] for key in form.people} for each in who]
    if form.relations:
        numbers = {id(each): at for at, each in enumerate(things, 1)}
        sides = {(numbers[id(a)], numbers[id(b)]): side for a, b, side in [*_sides(things)][::-1]}
        found["relations"] = [
            {"from": a, "is": side.removeprefix("to the "), "to": b}
            for (a, b), side in sorted(sides.items())
        ]
    return json.dumps(found)


def _place(box: Box) -> str:
    """The part of the picture that a box's middle lies in."""
    x, y = box.center
    down, across = (
        ends[0] if at < 1 / 3 else ends[1] if at > 2 / 3 else ""
        for at, ends in ((y, ("top", "bottom")), (x, ("left", "right")))
    )
    return f"{down} {across}".strip() or "center"


def _things(topics: Sequence[str], things: Sequence[Thing]) -> Iterator[str]:
    named = [*dict.fromkeys(each.introduced for each in things)]
    yield f"the image shows {enumeration(named)}"
    single = [*{each.label: each for each in reversed(things)}.values()][::-1]
    if PLACES in topics:
        yield from _places(single[:_MOST])
    if SIZES in topics:
        yield from _sizes(single[: len(_ORDINALS)])


def _places(things: Sequence[Thing]) -> Iterator[str]:
    for one, other, side in _sides(things):
        yield f"the {one.label} {_is(one)} {side} the {other.label}"


def _sides(things: Sequence[Thing]) -> Iterator[tuple[Thing, Thing, str]]:
    """Pairs of things, and on which side of the second the first is, if that is clear."""
    for one, other in combinations(things, 2):
        for axis, (less, more) in enumerate(_SIDES):
            away = other.box.center[axis] - one.box.center[axis]
            extents = [(each.box.width, each.box.height)[axis] for each in (one, other)]
            if abs(away) >= max(_APART, _OF_EXTENT * sum(extents) / 2):
                yield one, other, less if away > 0 else more


def _is(thing: Thing) -> str:
    return "is" if thing.article or not thing.label.endswith("s") else "are"


def _sizes(things: Sequence[Thing]) -> Iterator[str]:
    order = sorted(things, key=lambda each: -max(each.box.width, each.box.height))
    if len(order) < 2:
        return
    parts = [
        f"the {each.label} {_is(each)} the {_ORDINALS[at]}largest"
        for at, each in enumerate(order[:-1])
    ]
    parts.append(f"the {order[-1].label} {_is(order[-1])} the smallest")
    yield enumeration(parts)
    for one, other in pairwise(order):
        yield f"the {one.label} {_is(one)} larger than the {other.label}"


def _people(people: Sequence[Someone]) -> Iterator[str]:
    for each in people:
        worn = enumeration([garment.introduced for garment in each.worn])
        does = [f"wearing {worn}"] if worn else []
        does += [each.action] if each.action else []
        yield " ".join(("there is", each.introduced, " and ".join(does))).strip()
