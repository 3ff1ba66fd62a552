"""What readers of relations share: a phrase that was found, the claim, what follows."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing


@dataclass(frozen=True)
class Found:
    """Words that say a relation: the first, the last; ``own`` where they name one of the two."""

    first: Token
    last: Token
    relation: str
    own: bool = False


def draft(
    one: Thing,
    relation: str,
    other: Thing,
    first: Token,
    last: Token,
    denied: bool,
    doubted: bool,
) -> Draft:
    """Return a relation of two things; denied or left open where one of them is."""
    return Draft(
        "relation", one, first, last, relation, other, None,
        negated=denied or one.negated or other.negated,
        hedged=doubted or one.hedged or other.hedged,
    )  # fmt: skip


def worn(subject: Thing, other: Thing) -> bool:
    """Return whether one is a garment that somebody wears."""
    return any(each.role == "clothes" and each.wearer is not None for each in (subject, other))


def following(sight: Sight, target: Token, direct: bool = False) -> list[Thing]:
    """Return what the sentence goes on to name after the object of a phrase."""
    own = {id(thing) for thing in sight.mentions.resolve_all(target)}
    ahead = next(iter(sight.after(target, 1)), None)
    seen_verb = direct and ahead is not None and ahead.tag in ("DT", "CD", "PRP")
    for each in sight.after(target, 16):
        seen_verb = seen_verb or each.verb or each.low in (",", ":", "there")
        thing = sight.things.by_token.get(each.i)
        if direct and each is ahead and each.tag == "PRP":
            return sight.mentions.resolve(each)
        if (
            thing is not None
            and seen_verb
            and id(thing.root) not in own
            and thing.role not in SETTING
        ):
            return sight.mentions.resolve_all(thing.head)
    return []
