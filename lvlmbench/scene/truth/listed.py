"""What a picture shows besides, as the vocabulary and our lexicon list it: it may be named.

Backgrounds, styles and weather say what they depict, things of which parts they are; people,
carriers, landmarks, professions, actions, props and charts stand in ``data/lexicon/parts.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.figures.people import figure_of
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.truth.lexicon import PARTS, read
from lvlmbench.scene.truth.names import Names, bare
from lvlmbench.scene.vocabulary import Entry

#: Keys of an entry that say what its picture shows beside it.
_KEYS = ("depicts", "sometimes", "shows", "parts")

#: Label in the lexicon of what holds of all labels of a list.
ANY = "any"


def _of_entry(entry: Entry | None) -> Iterator[str]:
    if entry is not None:
        for key in _KEYS:
            yield from entry.extra.get(key, ())


def _of_setting(graph: Graph, names: Names) -> Iterator[str]:
    for name in ("background", "style", "weather"):
        label = getattr(graph.setting, name)
        entry = names.entry(name, label)
        yield from _of_entry(entry)
        if label is not None:
            yield from read(PARTS).get(name, {}).get(label, ())
            yield label
        if name == "style" and entry is not None:
            yield bare(str(entry.extra["caption"]).replace(" of {subject}", ""))


def _of_thing(thing: Object, names: Names) -> Iterator[str]:
    more = read(PARTS)
    yield from _of_entry(names.entry(thing.list, thing.label))
    labels = [ANY, thing.label]
    if thing.list == PERSON and thing.person is not None and figure_of(thing.person):
        labels.append("figure")
    for label in labels:
        yield from more.get(thing.list, {}).get(label, ())


def listed(graph: Graph, shown: Iterable[Object], names: Names) -> list[Feature]:
    """Return optional objects: what setting and things that are ``shown`` let a person name."""
    words = [*_of_setting(graph, names)]
    for thing in shown:
        words += _of_thing(thing, names)
    return [
        Feature(
            f"listed.{word}",
            "object",
            word,
            forms=(word, *names.more("listed", word)),
            optional=True,
            source="listed",
        )
        for word in dict.fromkeys(each.lower() for each in words)
        if "{" not in word
    ]
