"""What a picture shows besides, as the vocabulary and our lexicon list it: it may be named.

Backgrounds, styles and weather say what they depict, things of which parts they are. What else
drawings show stands in ``data/lexicon/parts.yaml``: parts of people, animals, landmarks, carriers,
what people of a profession wear and hold, what an action is done with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth.counting import number_forms
from lvlmbench.scene.truth.lexicon import CALLED, PARTS, read
from lvlmbench.scene.truth.names import Names, bare
from lvlmbench.scene.vocabulary import Entry

#: Keys of an entry that say what its picture shows beside it.
_KEYS = ("depicts", "sometimes", "shows", "parts")

#: Label in the lexicon of what holds of all labels of a list.
_ANY = "any"

#: Lists of people of whom a scene does not say what they wear.
_DRESSED = ("action", "profession")


def _parts(name: str, *labels: str) -> Iterator[str]:
    words = read(PARTS).get(name, {})
    for label in labels:
        yield from words.get(label, ())


def _of_entry(entry: Entry | None) -> Iterator[str]:
    if entry is not None:
        for key in _KEYS:
            yield from (str(label).lower() for label in entry.extra.get(key, ()))


def _of_setting(graph: Graph, names: Names) -> Iterator[str]:
    for name in ("background", "style", "weather"):
        label = getattr(graph.setting, name)
        entry = names.entry(name, label)
        yield from _of_entry(entry)
        if label is not None:
            yield from (label.lower(), *_parts(name, label))
        if name == "style" and entry is not None:
            yield bare(str(entry.extra["caption"]).replace(" of {subject}", "")).lower()


def _of_thing(thing: Object, names: Names) -> Iterator[str]:
    yield from _of_entry(names.entry(thing.list, thing.label))
    yield from _parts(thing.list, _ANY, thing.label)
    if thing.list == PERSON and thing.person is not None:
        yield from _parts(PERSON, "figure" if figure_of(thing.person) else "bust")
    yield from _worn(thing)


def _worn(thing: Object) -> Iterator[str]:
    """What somebody wears of whom the scene does not say it."""
    person = thing.person
    if person is not None and figure_of(person) is None:
        yield from _parts("wears", f"{person.gender} {person.age}")
    elif thing.list in _DRESSED:
        yield from _parts("wears", _ANY, thing.label)


def listed(graph: Graph, shown: Iterable[Object], names: Names, drawn: bool) -> list[Feature]:
    """Return what setting and things that are ``shown`` let a person name, all of it optional.

    Parameters
    ----------
    drawn
        Whether the picture is a drawing of ours, as what was measured is.
    """
    words, found = [*_of_setting(graph, names)], list[Feature]()
    if drawn:
        words += _parts("drawing", _ANY, *(["panels"] if graph.panels > 1 else []))
    for thing in shown:
        words += _of_thing(thing, names)
        found += _of_people(thing)
    if drawn and graph.setting.background is None:
        found.append(_backdrop(names))
    found += map(_named, dict.fromkeys(words))
    return found


@cache
def _named(word: str) -> Feature:
    return Feature(
        *(f"listed.{word}", "object", word),
        forms=(word, *read(CALLED)["thing"].get(word, ())),
        optional=True,
        source="listed",
    )


def _of_people(thing: Object) -> Iterator[Feature]:
    """What somebody wears; of how many people the drawing of an action is."""
    for label in dict.fromkeys(_worn(thing)):
        yield Feature(
            *(f"{thing.id}.wears.{label}", "garment", PERSON, "wears", label),
            about=thing.id,
            forms=(label,),
            optional=True,
            source="listed",
        )
    for number in _parts("people", thing.label) if thing.list == "action" else ():
        yield Feature(
            *(f"{thing.id}.count", "count", PERSON, "count"),
            value=number,
            about=thing.id,
            forms=number_forms(int(number)),
            optional=True,
            source="listed",
        )


def _backdrop(names: Names) -> Feature:
    """That there is nothing behind, which may be said."""
    forms = ("plain", *names.more("backdrop", "plain"))
    return Feature(
        *("scene.backdrop", "scene", forms[0], "background"),
        value=forms[0],
        forms=forms,
        optional=True,
        source="listed",
    )
