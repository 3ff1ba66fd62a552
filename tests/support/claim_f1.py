"""How well claims that were read out of texts agree with those that people labelled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lvlmbench.core.seeding import generator
from lvlmbench.scene.claims import Claim
from support.caption_words import PEOPLE

#: Groups of claims that an F1 is given for.
GROUPS = ("objects", "attributes", "people", "relations", "scene")
#: Words of people beside those that say a gender or an age.
_OTHERS = (
    "angler", "assistant", "audience", "aunt", "baker", "batsman", "beekeeper", "bouncer",
    "bowler", "bridesmaid", "brother", "butler", "chap", "clown", "coach", "colleague",
    "conductor", "cook", "customer", "cyclist", "damsel", "dancer", "daughter", "diver", "doctor",
    "driver", "farmer", "firefighter", "gent", "goalkeeper", "groom", "guard", "instructor",
    "jockey", "jogger", "judge", "kitchen boy", "knight", "lad", "lass", "lollipop lady", "maid",
    "mechanic", "model", "mum", "musician", "nanny", "nobleman", "nun", "nurse", "opponent",
    "paddler", "page", "page boy", "passenger", "patient", "person", "pirate", "porter", "postman",
    "punk", "pupil", "queen", "ranger", "referee", "runner", "sailor", "schoolchild", "scout",
    "security guard", "servant", "shepherd", "teacher", "tipster", "umpire", "vicar", "violinist",
    "visitor", "worker", "youngster",
)  # fmt: skip
PERSONS = frozenset(PEOPLE) | frozenset(_OTHERS)
_OF_PEOPLE = ("age", "gender", "expression", "race", "hair", "beard")
_FLIPPED = {
    "right_of": "left_of", "below": "above", "behind": "in_front_of", "smaller": "larger",
    "farther": "nearer",
}  # fmt: skip

#: Spellings that are one, and types of attributes that docs/claims.md does not tell apart.
_SPELLED = {
    "grey": "gray", "aluminium": "aluminum", "moustache": "mustache", "chequered": "checkered",
    "tyre": "tire", "woollen": "woolen", "jewellery": "jewelry", "pyjamas": "pajamas",
    "traveller": "traveler", "cosy": "cozy", "armour": "armor", "harbour": "harbor",
    "neighbour": "neighbor", "kerb": "curb",
}  # fmt: skip
_ONE = {"state": "other"}

Key = tuple[str, str, str | None, str | None, str | None, bool]


@dataclass(frozen=True)
class Agreement:
    """Claims that both sides have, that only one found, that only one expected."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, more: Agreement) -> Agreement:
        """Return the sums."""
        return Agreement(self.tp + more.tp, self.fp + more.fp, self.fn + more.fn)

    @property
    def f1(self) -> float | None:
        """2 tp / (2 tp + fp + fn); None where there is nothing."""
        all_of_them = 2 * self.tp + self.fp + self.fn
        return 2 * self.tp / all_of_them if all_of_them else None


@dataclass(frozen=True)
class Interval:
    """An F1 with its 95 % interval; None where there is nothing."""

    f1: float | None
    low: float | None
    high: float | None


def key(claim: Claim) -> Key:
    """Return what two claims share that say the same: hedges and places in the text do not count.

    Converse relations are one: ``right_of(b, a)`` is ``left_of(a, b)``.
    """
    subject = _spelled(claim.subject)
    thing = claim.object and _spelled(claim.object)
    value = claim.value and _spelled(claim.value)
    relation = _ONE.get(claim.relation or "", claim.relation)
    if claim.kind == "relation" and thing is not None:
        if relation in _FLIPPED:
            subject, relation, thing = thing, _FLIPPED[relation], subject
        elif relation in ("next_to", "same_size"):
            subject, thing = sorted((subject, thing))
        elif relation == "between" and value is not None:
            thing, value = sorted((thing, value))
    return (claim.kind, subject, relation, thing, value, claim.negated)


def _spelled(text: str) -> str:
    words = (_SPELLED.get(word, word) for word in text.split())
    return " ".join(words).replace("-coloured", "-colored")


def group_of(claim: Key) -> str:
    """Return the group of a claim's key."""
    kind, subject, relation = claim[:3]
    if kind in ("object", "scene"):
        return {"object": "objects", "scene": "scene"}[kind]
    if kind in ("relation", "place", "rank"):
        return "relations"
    of_people = kind in ("garment", "action") or relation in _OF_PEOPLE or subject in PERSONS
    return "people" if of_people else "attributes"


def score(expected: Sequence[Claim], found: Sequence[Claim]) -> dict[str, Agreement]:
    """Return how the claims of one text agree, by group; equal claims count as often as said."""
    wanted, got = Counter(map(key, expected)), Counter(map(key, found))
    out = dict.fromkeys(GROUPS, Agreement())
    for each in wanted | got:
        both = min(wanted[each], got[each])
        more = Agreement(both, got[each] - both, wanted[each] - both)
        out[group_of(each)] += more
    return out


def f1_interval(
    texts: Sequence[Mapping[str, Agreement]], group: str, draws: int = 2000, seed: int = 0
) -> Interval:
    """Return a group's F1 over texts with its 95 % interval, by a bootstrap that draws texts."""
    counts = np.array([(t[group].tp, t[group].fp, t[group].fn) for t in texts]).reshape(-1, 3)
    whole = sum((text[group] for text in texts), Agreement())
    if whole.f1 is None:
        return Interval(None, None, None)
    drawn = generator(seed, "claim_f1", group).integers(len(counts), size=(draws, len(counts)))
    tp, fp, fn = counts[drawn].sum(axis=1).T
    said = 2 * tp + fp + fn
    shares = 2 * tp[said > 0] / said[said > 0]
    low, high = np.percentile(shares, [2.5, 97.5])
    return Interval(whole.f1, float(low), float(high))
