"""Treatments that make an answer worse, in a way that is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.truth.names import Called
from lvlmbench.stages.judge.exam.outline import Fact, Link, Outline, Thing
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.sentences import VACUOUS
from lvlmbench.stages.judge.exam.planting.treatment import Draw, Made
from lvlmbench.stages.judge.exam.planting.wrong import ACROSS, OPPOSITE, WRONG, told_apart, turned

#: Plants of one answer, at most; features left out of one.
_PLANTS, _OMITTED = 5, 3
#: Other scenes that are tried.
_TRIED = 12


def hallucinate(draw: Draw) -> Made | None:
    """Add one to five plants of a kind."""
    ground = draw.ground
    wanted = 1 + int(draw.rng.integers(_PLANTS))
    outline, plants = WRONG[draw.kind](ground, ground.perfect, draw.rng, wanted)
    return Made(outline, plants) if plants else None


def omit(draw: Draw) -> Made | None:
    """Leave out one to three features that nothing else hangs on."""
    found = list(omissible(draw.ground.perfect))
    wanted = min(1 + int(draw.rng.integers(_OMITTED)), len(found) - 1)
    if wanted < 1:
        return None
    chosen = [found[int(at)] for at in draw.rng.permutation(len(found))[:wanted]]
    return Made(draw.ground.perfect.without(chosen), omitted=wanted)


def omissible(outline: Outline) -> Iterator[str]:
    """Yield the features that an answer states once and that nothing else hangs on."""
    linked = {key for link in outline.links for key in link.ends}
    words = Counter(thing.noun.lemma for thing in outline.things)
    for thing in outline.things:
        single = words[thing.noun.lemma] == 1 and len(outline.things) > 1
        if thing.feature and single and not thing.facts and thing.key not in linked:
            yield thing.feature
    yield from (f.feature for _, f in outline.facts() if f.feature and f.slot != "noun")
    yield from (link.feature for link in outline.links if link.feature)


def deny_present(draw: Draw) -> Made | None:
    """Deny a thing that is there."""
    outline = draw.ground.perfect
    words = Counter(thing.noun.lemma for thing in outline.things)
    found = [thing for thing in outline.things if words[thing.noun.lemma] == 1 and thing.feature]
    if not found:
        return None
    thing = found[int(draw.rng.integers(len(found)))]
    denied = replace(thing, facts=(), negated=True, verdict="false_denial")
    return Made(replace(outline.without([thing.feature or ""]), denied=(denied,)), 1)


def mirror(draw: Draw) -> Made | None:
    """Exchange left and right in all that could be said of them."""
    ground, outline = draw.ground, draw.ground.perfect
    sides = [each for each in ground.said("relation") if each.relation in ("left_of", "right_of")]
    sides = [each for each in sides if told_apart(each, outline) and turned(ground.truth, each)]
    outline = outline.without([each.feature for each in sides])
    outline = replace(outline, links=(*outline.links, *map(_turned, sides)))
    places = [e for e in ground.said("place") if _side(e) and told_apart(e, outline)]
    for each in places:
        value = _exchanged(each.value or "")
        outline = outline.with_fact(each.about or "", _placed(each, value))
    plants = len(sides) + len(places)
    return Made(outline, plants) if plants else None


def _turned(feature: Feature) -> Link:
    return Link(
        OPPOSITE[feature.relation or ""], feature.about or "", feature.other or "",
        verdict="contradicted", feature=feature.feature,
    )  # fmt: skip


def _side(feature: Feature) -> bool:
    return any(word in ("left", "right") for word in (feature.value or "").split())


def _exchanged(value: str) -> str:
    return " ".join(ACROSS[word] if word in ("left", "right") else word for word in value.split())


def _placed(feature: Feature, value: str) -> Fact:
    return Fact(
        "place", "at", value, value, "apart", "contradicted", feature.feature, same=(value,)
    )


def reverse(draw: Draw) -> Made | None:
    """Turn the order of sizes round."""
    ground, outline = draw.ground, draw.ground.perfect
    found = [each for each in ground.said("rank") if (each.value or "").isdigit()]
    found = [each for each in found if told_apart(each, outline)]
    if len(found) < 2 or len(found) != len(ground.truth.of_kind("rank")):
        return None
    plants = 0
    for each in found:
        value = str(len(found) + 1 - int(each.value or 0))
        wrong = value != each.value
        plants += wrong
        fact = Fact(
            "rank", "rank", value, value, "apart", "contradicted" if wrong else "matched",
            each.feature, same=(value, str(int(value) - 1 - len(found))),
        )  # fmt: skip
        outline = outline.with_fact(each.about or "", fact)
    return Made(outline, plants)


def exchange(draw: Draw) -> Made | None:
    """Give two things each other's color."""
    outline = draw.ground.perfect
    words = Counter(thing.noun.lemma for thing in outline.things)
    found = [
        (thing, fact)
        for thing, fact in outline.facts()
        if thing is not None and fact.relation == "color" and words[thing.noun.lemma] == 1
    ]
    pairs = [
        (one, other)
        for at, one in enumerate(found)
        for other in found[:at]
        if not {*one[1].same}.intersection(other[1].same)
    ]
    if not pairs:
        return None
    one, other = pairs[int(draw.rng.integers(len(pairs)))]
    for (thing, own), (_, wrong) in ((one, other), (other, one)):
        fact = replace(wrong, verdict="contradicted", feature=own.feature)
        outline = outline.with_fact(thing.key, fact)
    return Made(outline, 2)


def other_scene(draw: Draw) -> Made | None:
    """Answer about another scene, of which nothing is in this one."""
    absent = draw.ground.absent
    tried = draw.rng.permutation(len(draw.others))[:_TRIED]
    for at in tried:
        other = draw.others[int(at)]
        outline = other.perfect
        if other.scene != draw.ground.scene and outline.things and all(
            absent.apart(Called(thing.noun.lemma, (thing.noun.lemma, *thing.same)))
            for thing in outline.things
        ):  # fmt: skip
            return _elsewhere(draw.ground, outline)
    return None


def _elsewhere(ground: Ground, outline: Outline) -> Made:
    """Another scene's answer, all of it wrong; what may be so here of the whole is left out."""
    things = tuple(
        replace(
            thing,
            key=f"plant.{thing.key}",
            verdict="hallucinated",
            feature=None,
            facts=tuple(replace(f, verdict="hallucinated", feature=None) for f in thing.facts),
        )
        for thing in outline.things
    )
    links = tuple(
        Link(link.relation, f"plant.{link.one}", f"plant.{link.other}", None, "hallucinated")
        for link in outline.links
        if link.third is None
    )
    so = {each.relation: each.feature for each in ground.truth.of_kind("scene")}
    setting = tuple(
        replace(fact, verdict="contradicted", feature=so[fact.relation])
        for fact in outline.setting
        if fact.relation in ("background", "style") and fact.relation in so
        and ground.absent.apart(Called(fact.value or "", fact.same))
    )  # fmt: skip
    plants = len(things) + len(links) + len(setting) + sum(len(each.facts) for each in things)
    return Made(Outline(things, links, setting), plants)


def vocabulary(draw: Draw) -> Made | None:
    """Name everything that there is a word for."""
    ground, things, plants = draw.ground, [], 0
    there = {
        f: each for each in ground.truth.of_kind("object") for f in (each.subject, *each.forms)
    }
    absent = {entry.label for _, entry in ground.absent.things}
    for name, entry in ground.lexis.things:
        called = ground.lexis.called(name, entry.label)
        feature = there.get(called.label)
        wrong = feature is None and entry.label in absent
        plants += wrong
        things.append(
            Thing(
                *(f"word.{name}.{entry.label}", ground.lexis.noun(called.label)),
                verdict="matched" if feature else "hallucinated" if wrong else None,
                feature=feature.feature if feature else None,
                same=called.forms,
            )
        )
    return Made(Outline(tuple(things)), plants)


def things(draw: Draw) -> Made | None:
    """Speak of things and objects, and name none."""
    return Made(Outline(padding=VACUOUS))
