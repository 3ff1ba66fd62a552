"""Features in plain words, for prompts of judges and for reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.grammar import indefinite

#: Relations as a sentence says them, between subject and object.
_STANDS = {
    "left_of": "is to the left of",
    "right_of": "is to the right of",
    "in_front_of": "is in front of",
    "next_to": "is next to",
    "larger": "is larger than",
    "smaller": "is smaller than",
    "same_size": "is as large as",
    "nearer": "is nearer than",
    "farther": "is farther away than",
    "holds": "holds",
}

#: What is said of an attribute: of those that are not here, that the thing is so.
_ATTRIBUTES = {
    "text": '{thing} says "{value}"',
    "race": "the skin tone or race of {thing} is {value}",
    "hair": "the hair of {thing} is {value}",
    "beard": "the beard of {thing}: {value}",
    "age": "the age of {thing} is {value}",
    "gender": "{thing} is {value}",
    "expression": "{thing} looks {value}",
    "size": "the size of {thing} is {value}",
    "material": "{thing} is made of {value}",
    "pattern": "the pattern of {thing} is {value}",
    "shape": "the shape of {thing} is {value}",
}

_SCENE = {
    "background": "the background is: {}",
    "style": "the picture's style is: {}",
    "weather": "the weather is: {}",
    "light": "the light is: {}",
}

#: What people are called, by age and gender; None where that is not told.
_PEOPLE: dict[tuple[str | None, str | None], str] = {
    ("child", "male"): "boy",
    ("child", "female"): "girl",
    ("child", None): "child",
    ("teenager", "male"): "teenage boy",
    ("teenager", "female"): "teenage girl",
    ("teenager", None): "teenager",
    ("adult", "male"): "man",
    ("adult", "female"): "woman",
    ("elderly", "male"): "elderly man",
    ("elderly", "female"): "elderly woman",
    ("elderly", None): "elderly person",
    (None, "male"): "man",
    (None, "female"): "woman",
}

#: What tells things of one name apart, the first that does: kind, relation, and how it is said.
_APART = (
    ("attribute", "color", "{value} {name}"),
    ("attribute", "text", '{name} that says "{value}"'),
    ("garment", "wears", "{name} who wears {value}"),
    ("place", "at", "{name} at the {value}"),
)


def phrase(feature: Feature, features: Sequence[Feature]) -> str:
    """Return a feature in plain words: "the dog is brown", "the cup is on the table".

    Parameters
    ----------
    features
        All of the picture's: things of one name are told apart by what else they are.
    """
    return _SAID[feature.kind](feature, _Known(features))


def phrases(features: Sequence[Feature]) -> list[str]:
    """Return all features of a picture in plain words, each as :func:`phrase` has it."""
    known = _Known(features)
    return [_SAID[each.kind](each, known) for each in features]


class _Known:
    """What is known of the things of a picture, to name one so that it is no other."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self._about: dict[str, list[Feature]] = defaultdict(list)
        for each in features:
            if each.about is not None:
                self._about[each.about].append(each)
        self._nouns = {
            each.feature: self._noun(each)
            for each in features
            if each.kind == "object" and each.source != "listed"
        }

    def _noun(self, thing: Feature) -> str:
        """What a thing is called; a person by age and gender, where they are told."""
        if thing.subject != "person":
            return thing.subject
        mine = self._about[thing.feature]
        said = {each.relation: each.value for each in mine if each.kind == "attribute"}
        return _PEOPLE.get((said.get("age"), said.get("gender")), "person")

    def called(self, name: str | None, feature: str | None, without: str | None = None) -> str:
        """Return "dog", "brown dog", "elderly man", or "dog (o1)" as a last resort.

        Parameters
        ----------
        without
            The feature that is to be told of the thing, which does not name it.
        """
        own = self._nouns.get(feature or "")
        if own is None or feature is None:
            return name or "thing"
        alike = [thing for thing, noun in self._nouns.items() if noun == own]
        if len(alike) < 2:
            return own
        for kind, relation, said in _APART:
            values = {thing: self._told(thing, kind, relation, without) for thing in alike}
            mine = values[feature]
            if mine and list(values.values()).count(mine) == 1:
                return said.format(name=own, value=" and ".join(mine))
        return f"{own} ({feature})"

    def _told(self, thing: str, kind: str, relation: str, without: str | None) -> tuple[str, ...]:
        """Values of what is told of a thing; one garment, with its color."""
        found = [
            each
            for each in self._about[thing]
            if (each.kind, each.relation) == (kind, relation) and each.feature != without
        ]
        if kind == "garment":
            worn = [_a(f"{each.value} {each.object}") for each in found if each.value]
            return tuple(worn[:1])
        return tuple(each.value for each in found if each.value)


def _thing(name: str | None, feature: str | None, known: _Known, without: str = "") -> str:
    return f"the {known.called(name, feature, without)}"


def _a(words: str) -> str:
    """Words with an article, but for what looks like a plural."""
    noun = words
    for end in (" (", " at the ", " that says ", " who "):
        noun = noun.split(end)[0]
    plural = noun.endswith("s") and not noun.endswith(("ss", "us", "is", "os"))
    return words if plural else indefinite(words)


def _object(f: Feature, known: _Known) -> str:
    if f.optional:
        return f"there may be {_a(f.subject)}"
    called = known.called(f.subject, f.feature)
    return f"there {'are' if _a(called) == called else 'is'} {_a(called)}"


def _attribute(f: Feature, known: _Known) -> str:
    thing = _thing(f.subject, f.about, known, f.feature)
    said = _ATTRIBUTES.get(f.relation or "", "{thing} is {value}")
    return said.format(thing=thing, value=f.value)


def _garment(f: Feature, known: _Known) -> str:
    worn = f"{f.value} {f.object}" if f.value else f"{f.object}"
    return f"{_thing(f.subject, f.about, known, f.feature)} wears {_a(worn)}"


def _action(f: Feature, known: _Known) -> str:
    verb, *rest = (f.value or "").split()
    return " ".join([_thing(f.subject, f.about, known), _third(verb), *rest])


def _third(verb: str) -> str:
    """ "play" -> "plays", "wash" -> "washes", "carry" -> "carries"."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"


def _count(f: Feature, known: _Known) -> str:
    if f.about is None:
        return f"the number of things called {f.subject} is {f.value}"
    return f"the number of {known.called(f.subject, f.about)} is {f.value}"


def _relation(f: Feature, known: _Known) -> str:
    one, other = _thing(f.subject, f.about, known), _thing(f.object, f.other, known)
    if f.relation == "holds":
        other = _a(other.removeprefix("the "))
    if f.relation == "between":
        other = f"{other} and the {f.value}"
    return f"{one} {_STANDS.get(f.relation or '', f'is {f.relation}')} {other}"


def _place(f: Feature, known: _Known) -> str:
    where = f"in the {f.value}" if f.value in ("foreground", "background", "center") else ""
    return f"{_thing(f.subject, f.about, known, f.feature)} is {where or f'at the {f.value}'}"


def _rank(f: Feature, known: _Known) -> str:
    number = int(f.value or 1)
    kind = "largest" if number > 0 else "smallest"
    place = kind if abs(number) == 1 else f"number {abs(number)} from the {kind}"
    return f"{_thing(f.subject, f.about, known)} is the {place}".replace("the number", "number")


def _scene(f: Feature, known: _Known) -> str:
    return _SCENE.get(f.relation or "", "the scene is: {}").format(f.value)


_SAID: dict[str, Callable[[Feature, _Known], str]] = {
    "object": _object,
    "attribute": _attribute,
    "garment": _garment,
    "action": _action,
    "count": _count,
    "relation": _relation,
    "place": _place,
    "rank": _rank,
    "scene": _scene,
}
