"""What people are called, by age and gender, and how their attributes are put into words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.grammar import indefinite
from lvlmbench.stages.judge.exam.outline import Fact, Noun, Slot
from lvlmbench.stages.judge.exam.planting.nouns import plain

PERSON = "person"


class Name(NamedTuple):
    """A noun, which attributes it says itself, and what stands before it for another."""

    noun: str
    says: tuple[str, ...] = ()
    before: tuple[str, str] | None = None


#: By age and gender; None where it is not known.
_NAMES: Mapping[tuple[str | None, str | None], Name] = {
    ("child", "male"): Name("boy", ("age", "gender")),
    ("child", "female"): Name("girl", ("age", "gender")),
    ("child", None): Name("child", ("age",)),
    ("teenager", "male"): Name("boy", ("gender",), ("age", "teenage")),
    ("teenager", "female"): Name("girl", ("gender",), ("age", "teenage")),
    ("teenager", None): Name("teenager", ("age",)),
    ("adult", "male"): Name("man", ("gender",)),
    ("adult", "female"): Name("woman", ("gender",)),
    ("adult", None): Name("adult", ("age",)),
    ("elderly", "male"): Name("man", ("gender",), ("age", "elderly")),
    ("elderly", "female"): Name("woman", ("gender",), ("age", "elderly")),
    ("elderly", None): Name("person", (), ("age", "elderly")),
    (None, "male"): Name("man", ("gender",)),
    (None, "female"): Name("woman", ("gender",)),
}
_PRONOUNS = {"male": "he", "female": "she"}

#: Ways to wear one's hair, as text has them after "with".
_HAIR = {
    "bald": "a bald head",
    "bob": "a bob",
    "bun": "a bun",
    "ponytail": "a ponytail",
    "pigtails": "pigtails",
    "mohawk": "a mohawk",
}

_POSSESSIVES = {"male": "his", "female": "her"}

#: What figures do, where the verb's -ing form is not all there is to say.
_DOING = {
    "raise arm": "raising {own} arms",
    "stretch arm": "stretching out {own} arms",
    "put hand on hip": "putting {own} hands on {own} hips",
    "cross arm": "crossing {own} arms",
    "stand on leg": "balancing on one leg",
}
_DOUBLED = frozenset(("run", "sit", "jog", "swim", "hug"))


def name_of(age: str | None, gender: str | None) -> Name:
    """Return what somebody is called."""
    return _NAMES.get((age, gender), Name(PERSON))


def noun_of(name: Name, gender: str | None) -> Noun:
    """Return the noun of a person."""
    return plain(name.noun, _PRONOUNS.get(gender or "", "they"))


def fact_of(feature: Feature, name: Name, gender: str | None) -> Fact:
    """Return an attribute, garment or action of a person as a fact, put into words."""
    words, slot = _words(feature, name, _POSSESSIVES.get(gender or "", "their"))
    return Fact(
        *(feature.kind, feature.relation or "", feature.value, words, slot),
        feature=feature.feature,
        object=feature.object,
        same=feature.forms,
    )


def _words(feature: Feature, name: Name, own: str) -> tuple[str, Slot]:
    value = feature.value or ""
    if feature.kind == "garment":
        return worn(feature.object or "", feature.value), "wearing"
    if feature.kind == "action":
        said = [form for form in feature.forms if form.partition(" ")[0].endswith("ing")]
        return said[-1] if said else doing(value, own), "doing"
    if feature.relation in name.says:
        return name.noun, "noun"
    if name.before is not None and feature.relation == name.before[0]:
        return name.before[1], "before"
    if feature.relation == "race":
        return "a medium skin tone" if value == "medium" else f"{value} skin", "with"
    if feature.relation == "hair":
        return _HAIR.get(value, f"{value} hair"), "with"
    if feature.relation == "beard":
        return "no beard" if value == "none" else indefinite(value), "with"
    return value, "before"


def worn(garment: str, color: str | None) -> str:
    """Return "a black coat", "sunglasses"."""
    words = f"{color} {garment}" if color else garment
    plural = garment.endswith("s") and not garment.endswith("ss")
    return words if plural else indefinite(words)


def doing(action: str, own: str) -> str:
    """Return what a verb and its object are while they are done: "run" -> "running".

    ``own`` is "her", "his" or "their".
    """
    if action in _DOING:
        return _DOING[action].format(own=own)
    verb, _, rest = action.partition(" ")
    return f"{ing(verb)} {_the(rest)}" if rest else ing(verb)


def _the(words: str) -> str:
    start, _, rest = words.partition(" ")
    return f"{start} {_the(rest)}" if start in ("on", "in", "down", "up") else f"the {words}"


def ing(verb: str) -> str:
    """Return the present participle of a verb: "ride" -> "riding"."""
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return f"{verb[:-1]}ing"
    return f"{verb}ing"
