"""Whether things stand so to each other."""

from __future__ import annotations

from lvlmbench.scene.claims import Claim, Feature
from lvlmbench.scene.relations import CONVERSE
from lvlmbench.stages.judge.kinds.lexical.matching.found import UNVERIFIABLE, Found
from lvlmbench.stages.judge.kinds.lexical.matching.picture import Picture, names
from lvlmbench.stages.judge.kinds.lexical.matching.things import Things

#: ``next_to`` says less than these.
_BESIDE = ("left_of", "right_of", "above", "below", "in_front_of", "behind")


def relation(claim: Claim, a: Feature, b: Feature, things: Things) -> Found:
    """Return whether two things stand so, or three, of which the last is named by a word."""
    name, picture = claim.relation or "", things.picture
    if name == "between":
        return _between(claim, a, b, things)
    listed = _listed(name, a, b, picture)
    if listed is not None:
        return Found("matched", "word", listed)
    opposite = CONVERSE.get(name)
    if opposite not in (None, name):
        contrary = _listed(opposite or "", a, b, picture)
        if contrary is not None:
            return Found("contradicted", "word", contrary)
    if name == "next_to":
        return _next_to(a, b, picture)
    return _measured(name, a, b, picture)


def _listed(name: str, a: Feature, b: Feature, picture: Picture) -> Feature | None:
    """The feature that two things stand so, either way round."""
    keys = [(name, one, other) for one in names(a) for other in names(b)]
    if name in CONVERSE:
        keys += [(CONVERSE[name], other, one) for _, one, other in keys]
    return next((each for key in keys for each in picture.relations.get(key, ())), None)


def _holds(name: str, a: Feature, b: Feature, picture: Picture) -> bool | None:
    """What was measured of two things."""
    if picture.geometry is None:
        return None
    return picture.geometry.holds(name, names(a)[-1], names(b)[-1])


def _measured(name: str, a: Feature, b: Feature, picture: Picture) -> Found:
    holds = _holds(name, a, b, picture)
    if holds is None:
        return UNVERIFIABLE
    return Found("matched" if holds else "contradicted", "geometry")


def _next_to(a: Feature, b: Feature, picture: Picture) -> Found:
    """Beside is true of what is measured so, and says less where the side is known."""
    measured = _measured("next_to", a, b, picture)
    if measured.verdict == "matched":
        return measured
    for name in _BESIDE:
        listed = _listed(name, a, b, picture)
        if listed is not None:
            return Found("broader", "ancestor", listed)
    if any(_holds(name, a, b, picture) for name in _BESIDE):
        return Found("broader", "geometry")
    return measured


def _between(claim: Claim, a: Feature, b: Feature, things: Things) -> Found:
    """Whether a thing stands between two, in either order."""
    picture, word = things.picture, claim.value or ""
    thirds = [each.feature for each in things.named(word)]
    if not thirds:
        return things.missing(word)
    for name in names(a):
        for third in thirds:
            for one, other in ((b, third), (third, b)):
                for each in picture.relations.get(("between", name, one.feature), ()):
                    if each.value == other.subject:
                        return Found("matched", "word", each)
    if picture.geometry is None:
        return UNVERIFIABLE
    known = [
        picture.geometry.holds("between", names(a)[-1], names(b)[-1], names(third)[-1])
        for third in thirds
        if third.feature != b.feature
    ]
    if any(known):
        return Found("matched", "geometry")
    return UNVERIFIABLE if None in known or not known else Found("contradicted", "geometry")
