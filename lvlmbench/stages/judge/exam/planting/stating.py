"""From what a picture shows to an outline that says all of it that is owed."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.claims import Feature, Truth
from lvlmbench.scene.truth.counting import number_forms
from lvlmbench.stages.judge.exam.outline import Fact, Link, Outline, Slot, Thing
from lvlmbench.stages.judge.exam.planting.nouns import Lexis
from lvlmbench.stages.judge.exam.planting.people import PERSON, fact_of, name_of, noun_of


def perfect(truth: Truth, lexis: Lexis) -> Outline:
    """Return an outline that says all that is owed, and names what that is said of."""
    owed = [feature for feature in truth.features if not feature.optional]
    named = {name for each in owed for name in (each.feature, each.about, each.other)}
    things = tuple(
        thing_of(each, truth, lexis) for each in truth.of_kind("object") if each.feature in named
    )
    keys = {thing.key for thing in things}
    links = tuple(
        link
        for each in owed
        if each.kind == "relation" and (link := link_of(each, truth)) and keys.issuperset(link.ends)
    )
    setting = tuple(setting_of(each, lexis) for each in owed if each.kind == "scene")
    return Outline(things, links, setting)


def thing_of(feature: Feature, truth: Truth, lexis: Lexis) -> Thing:
    """Return a thing with all that is owed of it."""
    own = [each for each in truth.features if each.about == feature.feature]
    owed = [each for each in own if not each.optional]
    if feature.subject == PERSON:
        return _person(feature, own, owed)
    thing = Thing(feature.feature, lexis.noun(feature.subject), (), "matched", feature.feature)
    facts = [fact for each in owed if (fact := fact_about(each)) is not None]
    if not thing.noun.countable or thing.noun.article == "the":
        facts = [each for each in facts if each.slot != "number"]
    return replace(thing, facts=tuple(facts), same=feature.forms)


def _person(feature: Feature, own: list[Feature], owed: list[Feature]) -> Thing:
    told = {each.relation: each.value for each in own if each.kind == "attribute"}
    gender = told.get("gender")
    name = name_of(told.get("age"), gender)
    noun = noun_of(name, gender)
    counts = [fact for each in owed if each.kind == "count" and (fact := fact_about(each))]
    said = [each for each in owed if each.kind in ("attribute", "garment", "action")]
    facts = [fact_of(each, name, gender) for each in said]
    named = [each for each in own if each.optional and each.relation in name.says]
    facts += [fact_of(each, name, gender) for each in named]
    return Thing(
        *(feature.feature, noun, (*counts, *facts), "matched", feature.feature), feature.forms
    )


def fact_about(feature: Feature) -> Fact | None:
    """Return an attribute, count, place, rank or action of a thing; None for any other feature."""
    slots: dict[str, Slot] = {
        "attribute": "written" if feature.relation == "text" else "before",
        "count": "number",
        "place": "apart",
        "rank": "apart",
        "action": "doing",
    }
    if feature.kind not in slots or feature.value is None:
        return None
    words = feature.forms[-1] if feature.kind == "action" else feature.value
    if feature.relation == "text":
        words = f'"{words}"'
    same = number_forms(int(words)) if feature.kind == "count" else feature.forms
    return Fact(
        *(feature.kind, feature.relation or "", feature.value, words, slots[feature.kind]),
        feature=feature.feature,
        same=same,
    )


def link_of(feature: Feature, truth: Truth) -> Link | None:
    """Return how two things stand; None where the feature does not say which."""
    if feature.about is None or feature.other is None or feature.relation is None:
        return None
    third = None
    if feature.relation == "between":
        third = feature.feature.rpartition(".")[2]
        if all(each.feature != third for each in truth.features):
            return None
    return Link(feature.relation, feature.about, feature.other, third, "matched", feature.feature)


def setting_of(feature: Feature, lexis: Lexis) -> Fact:
    """Return a background, style, weather or light."""
    relation = feature.relation or ""
    words = lexis.setting_words(relation, feature.subject)
    return Fact(
        *("scene", relation, feature.value, words, "apart"),
        feature=feature.feature,
        same=feature.forms,
    )
