"""Hallucinations of each kind, added to an answer that is otherwise right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from lvlmbench.scene.claims import Feature, Truth
from lvlmbench.scene.truth.counting import number_forms
from lvlmbench.stages.judge.exam.outline import Fact, Link, Outline, Thing
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.people import worn

#: Relation -> what is not so where it is.
OPPOSITE: Mapping[str, str] = {
    "left_of": "right_of", "right_of": "left_of", "above": "below", "below": "above",
    "in_front_of": "behind", "behind": "in_front_of", "larger": "smaller", "smaller": "larger",
    "nearer": "farther", "farther": "nearer",
}  # fmt: skip

#: Part of the picture -> one that is clearly another.
ACROSS: Mapping[str, str] = {
    "left": "right", "right": "left", "top": "bottom", "bottom": "top", "center": "top left",
    "top left": "bottom right", "top right": "bottom left", "bottom left": "top right",
    "bottom right": "top left",
}  # fmt: skip

#: The largest number of things that is planted.
_MOST = 9


#: Makes an outline with up to ``k`` plants of a kind from one that is right; says how many.
Wrong = Callable[[Ground, Outline, np.random.Generator, int], tuple[Outline, int]]


def _drawn(rng: np.random.Generator, found: list[Feature], k: int) -> Iterator[Feature]:
    for at in rng.permutation(len(found))[:k]:
        yield found[int(at)]


def objects(
    ground: Ground, outline: Outline, rng: np.random.Generator, k: int
) -> tuple[Outline, int]:
    """Add things that are not there."""
    entries = ground.absent.things
    for at in rng.permutation(len(entries))[:k]:
        name, entry = entries[int(at)]
        called = ground.lexis.called(name, entry.label)
        noun = ground.lexis.noun(entry.label.lower())
        outline = outline.with_thing(
            Thing(f"plant.{called.label}", noun, verdict="hallucinated", same=called.forms)
        )
    return outline, min(k, len(entries))


def attributes(
    ground: Ground, outline: Outline, rng: np.random.Generator, k: int
) -> tuple[Outline, int]:
    """Give things other colors, texts and expressions than they have."""
    said = {fact.feature: (thing, fact) for thing, fact in outline.facts() if thing is not None}
    found = [
        each
        for each in ground.said("attribute")
        if each.feature in said and each.relation in ("color", "text", "expression")
    ]
    planted = 0
    for feature in _drawn(rng, found, k):
        thing, fact = said[feature.feature]
        value = _other_value(ground, feature, rng)
        if value is not None:
            planted += 1
            words = f'"{value}"' if feature.relation == "text" else value
            same = _forms(ground, feature.relation or "", value)
            wrong = Fact(
                "attribute", fact.relation, value, words, fact.slot, "contradicted",
                feature.feature, same=same,
            )  # fmt: skip
            outline = outline.with_fact(thing.key, wrong)
    return outline, planted


#: Words to be written on things that say something else.
_SIGNS = ("open", "for sale", "welcome", "danger", "quiet please", "platform nine", "fresh bread")
_EXPRESSIONS = ("happy", "sad", "angry")


def _other_value(ground: Ground, feature: Feature, rng: np.random.Generator) -> str | None:
    if feature.relation == "text":
        said = {
            word
            for each in ground.truth.features
            if each.relation == "text"
            for word in (each.value or "").split()
        }
        choices = [sign for sign in _SIGNS if not said.intersection(sign.split())]
    elif feature.relation == "expression":
        choices = [
            each for each in _EXPRESSIONS
            if not {*_forms(ground, "expression", each)}.intersection(feature.forms)
        ]  # fmt: skip
    else:
        choices = ground.absent.colors(feature.value or "", *feature.forms)
    return choices[int(rng.integers(len(choices)))] if choices else None


def _forms(ground: Ground, relation: str, value: str) -> tuple[str, ...]:
    return (value,) if relation == "text" else ground.lexis.called(relation, value).forms


def garments(
    ground: Ground, outline: Outline, rng: np.random.Generator, k: int
) -> tuple[Outline, int]:
    """Dress people in garments that nobody wears; only of those whose garments are known."""
    wearing = {each.about for each in ground.truth.of_kind("garment") if each.source == "graph"}
    people = [thing.key for thing in outline.things if thing.feature in wearing]
    labels = list(ground.absent.garments()) if people else []
    colors = ground.lexis.colors
    for at in rng.permutation(len(labels))[:k]:
        label, color = labels[int(at)], colors[int(rng.integers(len(colors)))]
        thing = outline.thing(people[int(rng.integers(len(people)))])
        fact = Fact(
            "garment", "wears", color, worn(label, color), "wearing", "hallucinated",
            object=label, same=ground.lexis.called("garment", label).forms,
        )  # fmt: skip
        outline = outline.with_fact(thing.key, fact)
    return outline, min(k, len(labels))


def counts(
    ground: Ground, outline: Outline, rng: np.random.Generator, k: int
) -> tuple[Outline, int]:
    """Say other numbers of things than there are."""
    found = [
        each
        for each in ground.said("count")
        if each.feature == f"{each.about}.count"
        and outline.thing(each.about or "").noun.countable
        and outline.thing(each.about or "").noun.article != "the"
    ]
    planted = 0
    for feature in _drawn(rng, found, k):
        so = {
            each.value
            for each in ground.truth.of_kind("count")
            if each.about == feature.about or each.subject == feature.subject
        }
        choices = [n for n in range(2, _MOST + 1) if str(n) not in so]
        number = choices[int(rng.integers(min(len(choices), 4)))]
        wrong = Fact(
            "count", "count", str(number), str(number), "number", "contradicted",
            feature.feature, same=number_forms(number),
        )  # fmt: skip
        outline = outline.with_fact(feature.about or "", wrong)
        planted += 1
    return outline, planted


def relations(
    ground: Ground, outline: Outline, rng: np.random.Generator, k: int
) -> tuple[Outline, int]:
    """Turn round how things stand to each other."""
    found, pairs = [], set[frozenset[str | None]]()
    candidates = [each for each in ground.said("relation") if each.relation in OPPOSITE]
    for feature in _drawn(rng, candidates, len(candidates)):
        pair = frozenset((feature.about, feature.other))
        if pair not in pairs and told_apart(feature, outline) and turned(ground.truth, feature):
            pairs.add(pair)
            found.append(feature)
    for feature in found[:k]:
        outline = outline.without([feature.feature])
        link = Link(
            OPPOSITE[feature.relation or ""], feature.about or "", feature.other or "",
            verdict="contradicted", feature=feature.feature,
        )  # fmt: skip
        outline = replace(outline, links=(*outline.links, link))
    return outline, min(k, len(found))


def told_apart(feature: Feature, outline: Outline) -> bool:
    """Return whether an answer names what a feature is about by words that name no other."""
    words = [thing.noun.lemma for thing in outline.things]
    ends = [key for key in (feature.about, feature.other) if key is not None]
    return all(words.count(outline.thing(key).noun.lemma) == 1 for key in ends)


def turned(truth: Truth, feature: Feature) -> bool:
    """Return whether the opposite of a relation is clearly not so."""
    opposite = OPPOSITE.get(feature.relation or "")
    if opposite is None or feature.about is None or feature.other is None:
        return False
    if truth.geometry is None:
        return True
    return truth.geometry.holds(opposite, feature.about, feature.other) is False


def places(
    ground: Ground, outline: Outline, rng: np.random.Generator, k: int
) -> tuple[Outline, int]:
    """Put things on the other side of the picture."""
    found = [each for each in ground.said("place") if each.value in ACROSS]
    for feature in _drawn(rng, found, k):
        value = ACROSS[feature.value or ""]
        wrong = Fact(
            "place", "at", value, value, "apart", "contradicted", feature.feature, same=(value,)
        )
        outline = outline.with_fact(feature.about or "", wrong)
    return outline, min(k, len(found))


def ranks(
    ground: Ground, outline: Outline, rng: np.random.Generator, k: int
) -> tuple[Outline, int]:
    """Call the largest the smallest, and all others the largest."""
    found = [each for each in ground.said("rank") if each.value is not None]
    planted = 0
    for feature in _drawn(rng, found, 1 if k else 0):
        value = "-1" if feature.value == "1" else "1"
        wrong = Fact(
            "rank", "rank", value, value, "apart", "contradicted", feature.feature, same=(value,)
        )
        facts = [f.feature for each, f in outline.facts() if f.kind == "rank" and each]
        outline = outline.without([name for name in facts if name])
        outline = outline.with_fact(feature.about or "", wrong)
        planted += 1
    return outline, planted


def settings(
    ground: Ground, outline: Outline, rng: np.random.Generator, k: int
) -> tuple[Outline, int]:
    """Give the picture another background or style."""
    planted = 0
    so = {each.relation: each.feature for each in ground.truth.of_kind("scene")}
    for relation in ("background", "style")[:k]:
        entries = list(ground.absent.settings(relation))
        if not entries:
            continue
        entry = entries[int(rng.integers(len(entries)))]
        lemma = entry.label.lower()
        wrong = Fact(
            "scene", relation, lemma, ground.lexis.setting_words(relation, lemma), "apart",
            "contradicted" if relation in so else "hallucinated", so.get(relation),
            same=ground.lexis.called(relation, entry.label).forms,
        )  # fmt: skip
        kept = tuple(each for each in outline.setting if each.relation != relation)
        outline = replace(outline, setting=(*kept, wrong))
        planted += 1
    return outline, planted


#: Kind of claim -> how such plants are made.
WRONG: Mapping[str, Wrong] = {
    "object": objects, "attribute": attributes, "garment": garments, "count": counts,
    "relation": relations, "place": places, "rank": ranks, "scene": settings,
}  # fmt: skip
