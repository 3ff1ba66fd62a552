"""Features in plain words, for prompts of judges and for reports."""

from __future__ import annotations

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

#: What tells things of one name apart, the first that does.
_APART = ("color", "gender", "age", "text", "race", "expression", "hair")


def phrase(feature: Feature, features: Sequence[Feature]) -> str:
    """Return a feature in plain words: "the dog is brown", "the cup is on the table".

    Parameters
    ----------
    features
        All of the picture's: things of one name are told apart by what else they are.
    """
    return _SAID[feature.kind](feature, features)


def _thing(name: str | None, feature: str | None, features: Sequence[Feature]) -> str:
    """ "the dog", "the brown dog", or "dog o1" where nothing else tells it apart."""
    alike = [f for f in features if f.kind == "object" and f.subject == name]
    if feature is None or len(alike) < 2:
        return f"the {name}"
    for attribute in _APART:
        values = {
            each.feature: tuple(
                f.value for f in features if f.about == each.feature and f.relation == attribute
            )
            for each in alike
        }
        own = values.get(feature)
        if own and list(values.values()).count(own) == 1:
            return f"the {' and '.join(filter(None, own))} {name}"
    return f"the {name} ({feature})"


def _object(f: Feature, features: Sequence[Feature]) -> str:
    alike = sum(1 for each in features if each.kind == "object" and each.subject == f.subject)
    known = f"{_thing(f.subject, f.feature, features)}".removeprefix("the ")
    return f"there {'may' if f.optional else 'is'}{' be' * f.optional} {_a(known, alike)}"


def _a(words: str, alike: int = 1) -> str:
    """With an article, but for what looks like a plural."""
    last = words.split(" (")[0]
    plural = last.endswith("s") and not last.endswith(("ss", "us", "is"))
    return words if plural else indefinite(words)


def _attribute(f: Feature, features: Sequence[Feature]) -> str:
    thing = _thing(f.subject, f.about, [x for x in features if x.feature != f.feature])
    said = _ATTRIBUTES.get(f.relation or "", "{thing} is {value}")
    return said.format(thing=thing, value=f.value)


def _garment(f: Feature, features: Sequence[Feature]) -> str:
    worn = f"{f.value} {f.object}" if f.value else f"{f.object}"
    return f"{_thing(f.subject, f.about, features)} wears {_a(worn)}"


def _action(f: Feature, features: Sequence[Feature]) -> str:
    verb, *rest = (f.value or "").split()
    return " ".join([_thing(f.subject, f.about, features), _third(verb), *rest])


def _third(verb: str) -> str:
    """ "play" -> "plays", "wash" -> "washes", "carry" -> "carries"."""
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"


def _count(f: Feature, features: Sequence[Feature]) -> str:
    if f.about is None:
        return f"the number of things called {f.subject} is {f.value}"
    others = [x for x in features if x.feature != f.feature]
    return f"the number of {_thing(f.subject, f.about, others).removeprefix('the ')} is {f.value}"


def _relation(f: Feature, features: Sequence[Feature]) -> str:
    one, other = _thing(f.subject, f.about, features), _thing(f.object, f.other, features)
    if f.relation == "holds":
        other = _a(other.removeprefix("the "))
    if f.relation == "between":
        other = f"{other} and the {f.value}"
    return f"{one} {_STANDS.get(f.relation or '', f'is {f.relation}')} {other}"


def _place(f: Feature, features: Sequence[Feature]) -> str:
    where = f"in the {f.value}" if f.value in ("foreground", "background", "center") else ""
    return f"{_thing(f.subject, f.about, features)} is {where or f'at the {f.value}'}"


def _rank(f: Feature, features: Sequence[Feature]) -> str:
    number = int(f.value or 1)
    kind = "largest" if number > 0 else "smallest"
    place = kind if abs(number) == 1 else f"number {abs(number)} from the {kind}"
    return f"{_thing(f.subject, f.about, features)} is the {place}".replace("the number", "number")


def _scene(f: Feature, features: Sequence[Feature]) -> str:
    return _SCENE.get(f.relation or "", "the scene is: {}").format(f.value)


_SAID: dict[str, Callable[[Feature, Sequence[Feature]], str]] = {
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
