"""Annotation in sentences of ours: the reference that says all that an answer owes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lvlmbench.scene.grammar import capitalized, enumeration, indefinite
from lvlmbench.scene.truth.names import distinct
from lvlmbench.suites import claimed
from lvlmbench.suites.valor_bench import words
from lvlmbench.suites.valor_bench.formats import Entry, Pair, Somebody
from lvlmbench.suites.valor_bench.statements import read

#: Relations between subject and object.
_STANDS = {
    "left_of": "to the left of",
    "right_of": "to the right of",
    "in_front_of": "in front of",
    "next_to": "next to",
    "larger": "larger than",
    "smaller": "smaller than",
    "same_size": "the same size as",
    "nearer": "nearer than",
    "farther": "farther away than",
    "holds": "holding",
}


def _a(thing: str) -> str:
    """A thing with its article; what looks like a plural has none."""
    plural = thing.endswith("s") and not thing.endswith(("ss", "us", "is"))
    return thing if plural else indefinite(thing)


def _objects(entry: Entry) -> str:
    things = distinct(*(words.lemma(label) for label in entry.items))
    return f"The picture shows {enumeration([_a(thing) for thing in things])}."


def _attributes(entry: Entry) -> str:
    things = [_a(f"{pair.value} {pair.noun}".strip()) for pair, *_ in entry.items]
    return f"From left to right and from top to bottom, there are {enumeration(things)}."


def _people(entry: Entry) -> str:
    return " ".join(_person(somebody) for somebody in entry.items)


def _person(somebody: Somebody) -> str:
    worn = enumeration([_a(_garment(pair)) for pair in somebody.garments])
    said = capitalized(_a(somebody.person))
    acts = f"{said} is {somebody.action}" if somebody.action else said
    if not worn:
        return f"{acts}." if somebody.action else f"There is {_a(somebody.person)}."
    return f"{acts}, wearing {worn}." if somebody.action else f"{acts} is wearing {worn}."


def _garment(pair: Pair) -> str:
    return f"{pair.value} {pair.noun}".strip()


def _positions(entry: Entry) -> str:
    return " ".join(_stated(said[0]) for said in entry.items)


def _stated(text: str) -> str:
    one = read(text)
    if one.relation is None or not one.object:
        return f"{capitalized(text.strip().strip('()').replace(',', ''))}."
    if one.relation == "at":
        ground = one.object in ("foreground", "background", "center")
        where = f"in the {one.object}" if ground else f"at the {one.object}"
        return f"The {one.subject} is {where} of the picture."
    how = _STANDS.get(one.relation, one.relation)
    other = " and the ".join(one.object.split(" and "))
    return f"The {one.subject} is {how} the {other}."


def _sizes(entry: Entry) -> str:
    things = [_a(names[0]) for names in entry.items]
    return f"From the largest to the smallest, there are {enumeration(things)}."


_OF: Mapping[str, Callable[[Entry], str]] = {
    claimed.OBJECTS: _objects,
    claimed.ATTRIBUTES: _attributes,
    claimed.PEOPLE: _people,
    claimed.POSITIONS: _positions,
    claimed.SIZES: _sizes,
}


def description(entry: Entry) -> str:
    """Return a description of an entry's picture that says what is annotated, and no more."""
    return _OF[entry.subset](entry)
