"""Holds what an answer says against what is so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product

from lvlmbench.scene.claims import WRONG, Claim, Feature, Match, Truth
from lvlmbench.stages.judge.kinds.lexical.matching import numbers, parts
from lvlmbench.stages.judge.kinds.lexical.matching.assigning import Assigning
from lvlmbench.stages.judge.kinds.lexical.matching.found import UNVERIFIABLE, Found, best
from lvlmbench.stages.judge.kinds.lexical.matching.picture import Picture
from lvlmbench.stages.judge.kinds.lexical.matching.relations import relation
from lvlmbench.stages.judge.kinds.lexical.matching.setting import setting
from lvlmbench.stages.judge.kinds.lexical.matching.things import Candidate, Things
from lvlmbench.stages.judge.kinds.lexical.matching.words import SOMEBODY, Lexicon

_COLOR = "color"
#: Kind -> judges a claim of one thing.
_OF_ONE: Mapping[str, Callable[[Claim, Feature, Things], Found]] = {
    "attribute": parts.attribute,
    "garment": parts.garment,
    "action": parts.action,
    "count": numbers.count,
    "place": numbers.place,
    "rank": numbers.rank,
}


def hold(
    claims: Sequence[Claim],
    truth: Truth,
    lexicon: Lexicon,
    unread: Sequence[tuple[int, int]] = (),
) -> tuple[Match, ...]:
    """Return what becomes of each claim of one answer, in their order.

    The order of features does not matter. What is denied is judged as if it were said: if it is
    so, the denial is false. What stands in unread characters is never wrong.

    Parameters
    ----------
    lexicon
        What is known of words (:func:`.words.packaged`).
    """
    loose = frozenset(
        claim.number
        for claim in claims
        if any(start < claim.end and claim.start < end for start, end in unread)
    )
    answer = _Answer(claims, Things(Picture(truth), lexicon), loose)
    return tuple(_match(claim, answer.found(claim), claim.number not in loose) for claim in claims)


def _is_wrong(found: Found) -> bool:
    return found.verdict in WRONG


def _match(claim: Claim, found: Found, sure: bool) -> Match:
    if not sure and (found.true if claim.negated else found.verdict in WRONG):
        return Match(claim.number, None, "unverifiable", found.how)
    feature = None if found.feature is None else found.feature.feature
    if not claim.negated:
        return Match(claim.number, feature, found.verdict, found.how, found.score)
    if found.true:
        return Match(claim.number, feature, "false_denial", found.how, found.score)
    return Match(claim.number, None, "true_denial", found.how)


class _Answer:
    """All claims of one answer, and which features its objects are."""

    def __init__(self, claims: Sequence[Claim], things: Things, loose: frozenset[int]) -> None:
        self._things = things
        self._known: dict[int, Found] = {}
        self._said: dict[int, list[Claim]] = {}
        for each in claims:
            if each.kind in _OF_ONE and each.kind != "count" and each.about is not None:
                self._said.setdefault(each.about, []).append(each)
        self._objects = {each.number: each for each in claims if each.kind == "object"}
        stated = [each for each in self._objects.values() if not each.negated]
        found = {each.number: things.named(each.subject) for each in stated}
        self._named = {number: named for number, named in found.items() if named}
        self._several = frozenset(
            each.about
            for each in claims
            if each.kind == "count" and each.about is not None and each.value not in ("0", "1")
        )
        self._assigning = Assigning(
            self._named,
            [each for each in claims if each.kind != "scene"],
            self._of_one,
            self._of_two,
            things.picture.alone,
            self._several | loose,
        )
        self._chosen = self._settled(self._assigning.chosen())

    def _settled(self, chosen: dict[int, Candidate]) -> dict[int, Candidate]:
        """Leave out people who are named as another who is there: a woman where all are men."""
        taken: dict[str, set[str]] = {}
        for number, one in chosen.items():
            if one.met is not SOMEBODY:
                words = taken.setdefault(one.feature.feature, set())
                words.add(self._objects[number].subject)
        return {
            number: one
            for number, one in chosen.items()
            if one.met is not SOMEBODY
            or not taken.get(one.feature.feature, set()) - {self._objects[number].subject}
        }

    def found(self, claim: Claim) -> Found:
        """Return the verdict of a claim as if it were not denied."""
        if claim.kind == "object":
            return self._object(claim)
        if claim.kind == "scene":
            return setting(claim, self._things)
        about = self._stand_for(claim.about, claim.subject)
        if isinstance(about, Found):
            return about
        if claim.kind != "relation":
            found = self._raw(claim)
            return found if found.true else self._doubted(claim, found)
        other = self._stand_for(claim.other, claim.object or "")
        if isinstance(other, Found):
            return UNVERIFIABLE if claim.relation == "holds" else other
        found = best(self._of_two(claim, a, b) for a, b in product(about, other))
        wrong = any(_is_wrong(self._raw(each)) for each in self._said.get(claim.about or 0, ()))
        return UNVERIFIABLE if claim.relation == "holds" and wrong and not found.true else found

    def _doubted(self, claim: Claim, found: Found) -> Found:
        """What is not so, unless the thing may as well be another of which it is so."""
        if claim.about is None:
            return found
        chosen, alone = self._chosen.get(claim.about), claim.kind == "action"
        beside = [(c, self._raw(c)) for c in self._said.get(claim.about, ()) if c is not claim]
        wrong = sum(_is_wrong(each) for _, each in beside)
        true = sum(each.true * (1 + (c.kind == "garment" and bool(c.value))) for c, each in beside)
        said = [
            e for c, e in beside if e.true and (c.kind, c.relation) == (claim.kind, claim.relation)
        ]
        alone |= claim.relation == _COLOR  # of two colors one is that of a part, of poses one is so
        same = claim.kind == "garment" and any(each.feature == found.feature for each in said)
        somebody_else = len(beside) > 1 and 2 * wrong >= max(true, 1)
        if somebody_else or (alone and said) or (same and found.feature is not None):
            return UNVERIFIABLE
        if chosen is not None and chosen.met.verdict == "broader":
            others = [one.feature for one in self._named[claim.about]]
            if any(self._of_one(claim, thing).true for thing in others):
                return UNVERIFIABLE
        others = self._assigning.rivals(claim.about)
        if any(self._of_one(claim, thing).true for thing in others):
            return UNVERIFIABLE
        return found

    def _raw(self, claim: Claim) -> Found:
        """What becomes of a claim of the one thing that it is about."""
        if claim.number not in self._known:
            about = self._stand_for(claim.about, claim.subject)
            found = (
                about
                if isinstance(about, Found)
                else (best(self._of_one(claim, thing) for thing in about))
            )
            self._known[claim.number] = found
        return self._known[claim.number]

    def _object(self, claim: Claim) -> Found:
        if claim.number in self._chosen:
            return self._chosen[claim.number].found
        named = self._things.named(claim.subject) if claim.negated else ()
        return named[0].found if named else self._things.missing(claim.subject)

    def _stand_for(self, number: int | None, word: str) -> Iterable[Feature] | Found:
        """The features that are meant, or what becomes of claims of what is not there."""
        if number in self._chosen and number not in self._several:
            return [self._chosen[number].feature]
        if number is not None and number in self._objects:
            word = self._objects[number].subject
            if number not in self._chosen and number in self._named:
                return self._things.missing(word)
        named = self._things.named(word)
        return [each.feature for each in named] if named else self._things.missing(word)

    def _of_one(self, claim: Claim, thing: Feature) -> Found:
        return _OF_ONE[claim.kind](claim, thing, self._things)

    def _of_two(self, claim: Claim, a: Feature, b: Feature) -> Found:
        return relation(claim, a, b, self._things)
