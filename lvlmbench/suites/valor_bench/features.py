"""Annotation as features (docs/claims.md): what answers about a picture may say and owe."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.relations import CONVERSE
from lvlmbench.scene.truth.lexicon import CALLED, lists
from lvlmbench.scene.truth.lexicon import read as lexicon
from lvlmbench.scene.truth.names import distinct
from lvlmbench.suites import claimed
from lvlmbench.suites.valor_bench import words
from lvlmbench.suites.valor_bench.formats import Entry, Pair, Somebody
from lvlmbench.suites.valor_bench.statements import Stated
from lvlmbench.suites.valor_bench.statements import read as read_statement

#: What of a head is worn by nobody: an attribute of the same name.
_HEAD = {"hair": "hair", "beard": "beard", "moustache": "beard", "mustache": "beard"}


class _Things:
    """The objects of a picture, each once by its lemma."""

    def __init__(self) -> None:
        self._forms: dict[str, tuple[str, ...]] = {}
        self._names: dict[str, str] = {}

    def name(self, *called: str) -> str:
        """Return the name of the feature of a thing that is called so."""
        forms = words.forms(*called)
        own = forms[0]
        self._names.setdefault(own, f"o{len(self._names) + 1}")
        self._forms[own] = distinct(*self._forms.get(own, ()), *forms)
        return self._names[own]

    def features(self) -> Iterator[Feature]:
        """Yield a feature a thing."""
        for own, name in self._names.items():
            yield Feature(name, "object", own, forms=self._forms[own])


def _objects(entry: Entry) -> Iterator[Feature]:
    things = _Things()
    for label in entry.items:
        things.name(label)
    yield from things.features()


def _attributes(entry: Entry) -> Iterator[Feature]:
    """An instance a pair: what differs in its alternatives are forms of one feature."""
    for at, pairs in enumerate(entry.items, 1):
        nouns = words.forms(*(pair.noun for pair in pairs))
        yield Feature(f"o{at}", "object", nouns[0], forms=nouns)
        values = distinct(*(v for pair in pairs for v in words.values_of(pair.value)))
        if values:
            yield Feature(
                *(f"o{at}.is", "attribute", nouns[0], words.attribute_of(pairs[0].value)),
                value=values[0],
                about=f"o{at}",
                forms=values,
            )


def _people(entry: Entry) -> Iterator[Feature]:
    for at, somebody in enumerate(entry.items, 1):
        yield from _person(f"o{at}", somebody)


def _person(name: str, somebody: Somebody) -> Iterator[Feature]:
    said = _said(somebody.person)
    noun = words.lemma(somebody.person)
    people = lexicon(CALLED)[PERSON]
    ages = [said["age"]] if "age" in said else ["child", "teenager", "adult", "elderly"]
    genders = [said["gender"]] if "gender" in said else ["male", "female"]
    more = (w for age in ages for gender in genders for w in people.get(f"{gender} {age}", ()))
    forms = distinct(PERSON, noun, noun.split()[-1], *people.get(PERSON, ()), *more)
    yield Feature(name, "object", PERSON, forms=forms)
    for relation, value in said.items():
        yield _own(name, relation, "attribute", relation, value, words.values_of(value))
    for at, pair in enumerate(somebody.garments, 1):
        yield from _worn(name, at, pair)
    forms = _actions(somebody.action)
    if forms:
        yield _own(name, "does", "action", "does", forms[0], forms)


def _own(
    person: str, suffix: str, kind: str, relation: str, value: str, forms: tuple[str, ...]
) -> Feature:
    feature = f"{person}.{suffix}"
    return Feature(feature, kind, PERSON, relation, value=value, about=person, forms=forms)


def _said(person: str) -> dict[str, str]:
    """What the words for a person say: gender, age and the like, by what they are of."""
    known, found = lists("people"), dict[str, str]()
    *before, noun = words.lemma(person).split() or [PERSON]
    for values, nouns in known["says"].items():
        if noun in nouns:
            for value in values.split():
                found["gender" if value in known["genders"] else "age"] = value
    for word in before:
        age = next((age for age, held in known["ages"].items() if word in held), None)
        gender = next((g for g, held in known["genders"].items() if word in held), None)
        if age is not None:
            found["age"] = age
        elif gender is not None:
            found["gender"] = gender
        elif word in known["race"]:
            found["race"] = word
        else:
            found.setdefault(words.attribute_of(word), word)
    return found


def _worn(person: str, at: int, pair: Pair) -> Iterator[Feature]:
    """A garment with its color; what is no color is an attribute of its own that may be said."""
    noun = words.forms(pair.noun)
    part = _HEAD.get(noun[0].split()[-1])
    values = words.values_of(pair.value)
    if part is not None:
        value = values or noun
        yield _own(person, f"{part}.{at}", "attribute", part, value[0], distinct(*value, noun[0]))
        return
    color = words.attribute_of(pair.value) == "color" if values else False
    name = f"{person}.wears.{at}"
    yield Feature(
        *(name, "garment", PERSON, "wears", noun[0], values[0] if color else None, person),
        forms=noun,
    )
    if values and not color:
        yield Feature(
            *(f"{name}.is", "attribute", noun[0], words.attribute_of(pair.value)),
            value=values[0],
            about=name,
            forms=values,
            optional=True,
        )


#: Verbs that are no actions (docs/claims.md).
_NONE = frozenset(("stand", "be", "have", "wear", "hold", "carry", "show", "appear"))


def _actions(text: str) -> tuple[str, ...]:
    """Forms of an action, the likeliest first: "riding a bicycle" -> "ride bicycle"."""
    said = words.tokens(text)
    while said and said[0] in ("is", "are", "and"):
        said.pop(0)
    if not said:
        return ()
    plain = words.verbs(said[0])
    if _NONE.intersection(plain):
        return ()
    noun = _object_of(said[1:])
    return tuple(f"{verb} {noun}".strip() for verb in plain)


def _object_of(said: Sequence[str]) -> str:
    """The one noun behind a verb: the words up to the next preposition, without articles."""
    found: list[str] = []
    for word in said:
        if word in _BREAKS and found:
            break
        if word not in _BREAKS and word not in _DROPPED:
            found.append(word)
    return words.lemma(found[-1]) if found else ""


_BREAKS = frozenset(
    ("on", "in", "at", "with", "to", "for", "from", "into", "onto", "over", "under", "down", "up",
     "along", "across", "through", "by", "near", "and", "while", "of", "around", "behind", "beside")
)  # fmt: skip
_DROPPED = frozenset(("a", "an", "the", "his", "her", "their", "its", "some", "something", "away"))


def _positions(entry: Entry) -> Iterator[Feature]:
    """A relation, its paraphrases and what says the same are one: they share a group."""
    things, found = _Things(), list[Feature]()
    groups: dict[tuple[str | None, ...], str] = {}
    for at, said in enumerate(entry.items, 1):
        stated = [read_statement(text) for text in said]
        group = next(
            (groups[key] for one in stated for key in _keys(one) if key in groups), f"r{at}"
        )
        for also, (one, text) in enumerate(zip(stated, said, strict=True)):
            name = f"r{at}" if not also else f"r{at}.{also}"
            found.append(_stated(name, group, one, text, things))
            groups |= dict.fromkeys(_keys(one), group)
    yield from things.features()
    yield from found


def _keys(stated: Stated) -> list[tuple[str | None, ...]]:
    """What statements share that say the same, either way round."""
    subject, relation, other = stated.subject, stated.relation, stated.object
    if relation is None:
        return [(relation, subject, other)]
    if relation == "between":
        other = " and ".join(sorted(map(words.lemma, other.split(" and "))))
    turned = [(CONVERSE[relation], other, subject)] if relation in CONVERSE else []
    return [(relation, subject, other), *turned]


def _stated(name: str, group: str, stated: Stated, text: str, things: _Things) -> Feature:
    relation = stated.relation
    if relation is None or not (stated.subject and stated.object):
        return Feature(name, "relation", text.lower(), forms=(text.lower(),), group=group)
    about = things.name(stated.subject)
    subject = words.lemma(stated.subject)
    if relation == "at":
        forms = distinct(stated.object)
        return Feature(
            name, "place", subject, "at", value=stated.object, about=about, forms=forms, group=group
        )
    first, _, third = stated.object.partition(" and ")
    one = first if relation == "between" and third else stated.object
    if one is first and third:
        things.name(third)
    return Feature(
        *(name, "relation", subject, relation, words.lemma(one)),
        value=words.lemma(third) if relation == "between" and third else None,
        about=about,
        other=things.name(one),
        forms=distinct(text),
        group=group,
    )


def _sizes(entry: Entry) -> Iterator[Feature]:
    """Ranks from the largest; that one thing is larger than those behind it may be said."""
    names = [words.forms(*called) for called in entry.items]
    for at, forms in enumerate(names, 1):
        yield Feature(f"o{at}", "object", forms[0], forms=forms)
        yield Feature(
            *(f"o{at}.rank", "rank", forms[0], "rank"), value=str(at), about=f"o{at}", forms=forms
        )
    for one in range(1, len(names) + 1):
        for other in range(one + 1, len(names) + 1):
            yield Feature(
                *(f"o{one}.larger.o{other}", "relation", names[one - 1][0], "larger"),
                object=names[other - 1][0],
                about=f"o{one}",
                other=f"o{other}",
                forms=names[other - 1],
                optional=True,
            )


_OF: Mapping[str, Callable[[Entry], Iterator[Feature]]] = {
    claimed.OBJECTS: _objects,
    claimed.ATTRIBUTES: _attributes,
    claimed.PEOPLE: _people,
    claimed.POSITIONS: _positions,
    claimed.SIZES: _sizes,
}


def features_of(entry: Entry) -> tuple[Feature, ...]:
    """Return what an entry says of its picture.

    Things and relations that say the same stand there once or count once, attributes and garments
    as often as they are listed.
    """
    return tuple(_OF[entry.subset](entry))
