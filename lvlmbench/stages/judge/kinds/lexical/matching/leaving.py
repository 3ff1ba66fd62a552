"""Which owed features an answer may state where no claim of it does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.scene.claims import STATES, WRONG, Claim, Feature, Match, Truth
from lvlmbench.stages.judge.kinds.lexical.matching.words import Lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import base

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def unsure(
    claims: Sequence[Claim],
    matches: Sequence[Match],
    truth: Truth,
    lexicon: Lexicon,
    text: str,
    unread: Sequence[tuple[int, int]],
) -> tuple[str, ...]:
    """Return the names of owed features that no claim states and that may be said all the same.

    So it is where words that nobody could read may say it, where something that nobody knows may be
    its thing, and where what is said of its thing can be neither right nor wrong.
    """
    answer = _Answer(claims, matches, truth, lexicon, text, unread)
    return tuple(
        feature.feature
        for feature in truth.features
        if not feature.optional and feature.feature not in answer.stated and answer.may_say(feature)
    )


#: Words that stand for what the sentence before names.
_AGAIN = frozenset(("it", "them", "they", "its", "their", "both", "one", "other", "two", "latter"))


class _Answer:
    """An answer with what became of its claims."""

    def __init__(
        self,
        claims: Sequence[Claim],
        matches: Sequence[Match],
        truth: Truth,
        lexicon: Lexicon,
        text: str,
        unread: Sequence[tuple[int, int]],
    ) -> None:
        self.lexicon = lexicon
        self.by_name = {feature.feature: feature for feature in truth.features}
        self.found = {match.claim: match for match in matches}
        self.claims = [claim for claim in claims if not claim.negated]
        self.stated = {m.feature for m in matches if m.feature is not None and m.verdict in STATES}
        self.broader = {m.feature for m in matches if m.verdict == "broader"}
        self.named = {
            claim.number: self.found[claim.number].feature
            for claim in self.claims
            if claim.kind == "object" and self.found[claim.number].feature is not None
        }
        self.listed = {f.feature for f in truth.features if f.source == "listed"}
        self.open = [c for c in self.claims if self.found[c.number].verdict == "unverifiable"]
        self.several = {
            c.about for c in self.claims if c.kind == "count" and c.value not in ("0", "1")
        }
        self.sentences = list[set[str]]()
        for part in re.split(r"[.;!?\n]+", text.lower()):
            said = {lexicon.fold(word) for word in _WORD.findall(part)}
            if said & _AGAIN and self.sentences:
                said |= self.sentences[-1]
            self.sentences.append(said)
        self.text = frozenset().union(*self.sentences)
        words = _WORD.findall(" ".join(text[start:end] for start, end in unread).lower())
        self.unread = {each for word in words for each in (lexicon.fold(word), base(word, "verb"))}

    def may_say(self, feature: Feature) -> bool:
        """Return whether the answer may state a feature."""
        if feature.feature in self.broader or feature.about in self.broader:
            return True
        if self._unread(feature):
            return True
        if self._strange(feature):
            return True
        if feature.kind == "rank" and feature.about in self.named.values():
            return True
        if feature.kind == "relation" and self._together(feature):
            return True
        return any(self._says(claim, feature) for claim in self.open)

    def _together(self, feature: Feature) -> bool:
        """Whether both things of a relation are named in one sentence, or each has a place."""
        wrong = (m for m in self.found.values() if m.verdict in WRONG)
        if any(match.feature == feature.feature for match in wrong):
            return False
        things = [self.by_name.get(name or "") for name in (feature.about, feature.other)]
        if None in things:
            return False
        if all(self._placed(thing) for thing in things if thing is not None):
            return True
        names = [self._names(thing) for thing in things if thing is not None]
        return any(all(words & each for each in names) for words in self.sentences)

    def _placed(self, thing: Feature) -> bool:
        return any(
            c.kind == "place" and self._feature(c.about) == thing.feature for c in self.claims
        )

    def _names(self, thing: Feature) -> set[str]:
        """The last words of a thing's names, and those that the answer has for it."""
        said = [c.subject for c in self.claims if self.named.get(c.number) == thing.feature]
        names = map(self.lexicon.fold, (thing.subject, *thing.forms, *said))
        return {name.rpartition(" ")[2] for name in names}

    def _unread(self, feature: Feature) -> bool:
        """Whether words that were not read name what the feature adds."""
        own = [feature.object, feature.value, *feature.forms]
        if feature.kind == "action":
            own = [word for form in own if form for word in form.split()]
        if feature.kind in ("object", "rank", "relation"):
            about = [
                feature,
                self.by_name.get(feature.about or ""),
                self.by_name.get(feature.other or ""),
            ]
            own = [
                name
                for each in about
                if each is not None and each.kind == "object"
                for name in (each.subject, *each.forms)
            ]
        return any(word is not None and self.lexicon.fold(word) in self.unread for word in own)

    def _strange(self, feature: Feature) -> bool:
        """Whether the feature's thing is not named, and something is that nobody knows."""
        things = [feature.feature] if feature.kind == "object" else [feature.about, feature.other]
        missing = [name for name in things if name and name not in self.named.values()]
        if not missing:
            return False
        unnamed = (self.by_name.get(name) for name in missing)
        if any(each is not None and self.text & self._names(each) for each in unnamed):
            return True
        return any(each.kind == "object" and self._unknown(each) for each in self.open)

    def _unknown(self, claim: Claim) -> bool:
        return claim.number not in self.named

    def _says(self, claim: Claim, feature: Feature) -> bool:
        """Whether what is neither right nor wrong is said of the feature's thing, in its kind."""
        if claim.kind != feature.kind:
            return (
                claim.kind == "object"
                and feature.kind == "garment"
                and (self.lexicon.meet(claim.subject, feature) is not None)
            )
        if feature.kind == "relation":
            both = {self._feature(claim.about), self._feature(claim.other)}
            return {feature.about, feature.other} <= both
        if feature.kind == "attribute" and claim.relation != feature.relation:
            return False
        if feature.kind == "garment":
            return self.lexicon.meet(claim.object or "", feature) is not None
        about = self._feature(claim.about)
        return about == feature.about or (about is None and self._fits(claim, feature))

    def _fits(self, claim: Claim, feature: Feature) -> bool:
        """Whether what is said of something that nobody knows is what the feature says."""
        if claim.relation == "color":
            return self.lexicon.colors.compared(claim.value or "", feature.value or "") in (
                *STATES, "broader"
            )  # fmt: skip
        return self.lexicon.fold(claim.value or "") in map(self.lexicon.fold, feature.forms)

    def _feature(self, number: int | None) -> str | None:
        found = None if number is None else self.named.get(number)
        return None if found in self.listed else found
