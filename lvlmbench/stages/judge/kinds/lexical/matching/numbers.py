"""Whether counts, places and ranks are those of a thing."""

from __future__ import annotations

from lvlmbench.scene.claims import Claim, Feature
from lvlmbench.stages.judge.kinds.lexical.matching.found import UNVERIFIABLE, Found, best
from lvlmbench.stages.judge.kinds.lexical.matching.things import Things

_CENTER = "center"


def count(claim: Claim, thing: Feature, things: Things) -> Found:
    """Return whether there are so many of a thing, or of all that are called so.

    Where no feature says it and everything is listed, the instances are counted.
    """
    said = int(claim.value) if claim.value and claim.value.isdecimal() else None
    if said is None:
        return UNVERIFIABLE
    picture = things.picture
    same = {each.feature.feature for each in things.named(claim.subject)}
    totals = [each for each in picture.by_kind["count"] if each.about is None]
    of_all = [each.feature for each in things.among(claim.subject, totals)]
    of_one = [*picture.parts("count", thing)]
    for each in (*of_one, *of_all):
        if each.value == str(said):
            return Found("matched", "word", each)
    instances = [each for each in picture.instances() if each.feature in same]
    if of_all or (of_one and len(instances) <= 1):
        return Found("contradicted", "word", (*of_all, *of_one)[0])
    if not (picture.closed and instances and not any(each.optional for each in instances)):
        return UNVERIFIABLE
    single = all(picture.alone(each) for each in instances)
    if said == len(instances) and single:
        return Found("matched", "closed_world", thing)
    return Found("contradicted", "closed_world", thing) if single else UNVERIFIABLE


def place(claim: Claim, thing: Feature, things: Things) -> Found:
    """Return whether a thing is in a part of the picture."""
    said = _parts(claim.value or "")

    def one(true: Feature) -> Found:
        parts = _parts(true.value or "")
        if said == parts:
            return Found("matched", "word", true)
        if said & _DEPTH != parts & _DEPTH:
            return UNVERIFIABLE
        if said < parts:
            return Found("broader", "word", true)
        wrong = any({*pair} <= said ^ parts for pair in _OPPOSED)
        return Found("contradicted", "word", true) if wrong else UNVERIFIABLE

    return best(one(each) for each in things.picture.parts("place", thing))


#: Sides of which a thing is at one alone; between others there is no sharp line.
_OPPOSED = (("left", "right"), ("top", "bottom"))
#: Places that say how near, not where.
_DEPTH = frozenset(("foreground", "background"))


def _parts(value: str) -> frozenset[str]:
    """The sides that a place names; the middle of one is not named."""
    words = frozenset(value.replace("middle", _CENTER).split())
    return words if words == {_CENTER} else words - {_CENTER}


def rank(claim: Claim, thing: Feature, things: Things) -> Found:
    """Return whether a thing has a place by size, from the largest or from the smallest."""
    ranked = len(things.picture.by_kind["rank"])

    def one(true: Feature) -> Found:
        from_smallest = str(int(true.value or 0) - ranked - 1)
        right = claim.value in (true.value, from_smallest)
        return Found("matched" if right else "contradicted", "word", true)

    return best(one(each) for each in things.picture.parts("rank", thing))
