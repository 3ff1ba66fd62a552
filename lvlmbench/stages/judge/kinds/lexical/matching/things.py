"""Which features an object that is claimed may be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from lvlmbench.scene.claims import Feature
from lvlmbench.stages.judge.kinds.lexical.matching.found import UNVERIFIABLE, Found
from lvlmbench.stages.judge.kinds.lexical.matching.picture import Picture
from lvlmbench.stages.judge.kinds.lexical.matching.words import SOMEBODY, Lexicon, Met

#: Words that stand for anything.
VACUOUS = frozenset((
    "thing", "object", "item", "image", "picture", "photo", "photograph", "scene", "illustration",
    "drawing", "view", "side", "background", "foreground", "something", "stuff", "element",
    "detail", "part", "area", "subject", "figure",
))  # fmt: skip


class Candidate(NamedTuple):
    """A feature that an object may be, and how the word names it."""

    feature: Feature
    met: Met

    @property
    def found(self) -> Found:
        """The verdict of an object that is this one."""
        return Found(self.met.verdict, self.met.how, self.feature)


@dataclass
class Things:
    """Finds what words name in a picture."""

    picture: Picture
    lexicon: Lexicon

    @cached_property
    def _found(self) -> dict[str, list[Candidate]]:
        return {}

    def named(self, word: str) -> list[Candidate]:
        """Return the features that a word may stand for, those that it names best.

        Beside objects these are garments, and where there is no such object, the setting. Of
        people it may be any, the named ones first: gender and age are judged apart.
        """
        found = self._found.get(word)
        if found is None:
            found = self._found[word] = self._named(word)
        return found

    def _named(self, word: str) -> list[Candidate]:
        for kind in ("object", "garment", "scene"):
            found = self.among(word, self.picture.by_kind[kind])
            if found:
                return self._rather(word, found) or found
        return []

    def _rather(self, word: str, found: list[Candidate]) -> list[Candidate]:
        """Return what is drawn or worn that is called so too, beside things that are listed.

        Of what is listed no color is known. So a *pink bag* is the backpack, a *red ball* the
        beach ball.
        """
        sure = [one for one in found if one.feature.source != "listed"]
        if sure or found[0].feature.kind != "object":
            return sure
        drawn = [f for f in self.picture.by_kind["object"] if f.source != "listed"]
        for features in (drawn, self.picture.by_kind["garment"]):
            others = self.among(word, features)
            if others and others[0].met.verdict == "matched":
                return others
        return []

    def among(self, word: str, features: list[Feature]) -> list[Candidate]:
        """Return those of some features that a word names best, of people all that it may."""
        found = []
        for each in features:
            met = self.lexicon.meet(word, each)
            if met is not None:
                found.append(Candidate(each, met))
        top = max((one.met.level for one in found), default=0)
        kept = [one for one in found if one.met.level == top]
        if top > SOMEBODY.level:
            kept += [one for one in found if one.met is SOMEBODY]
        return kept

    def _made_up(self, word: str) -> bool:
        """Whether a word that names nothing that is there can mean nothing that is."""
        if not self.lexicon.stands_alone(word):
            return False
        there = (*self.picture.by_kind["object"], *self.picture.by_kind["garment"])
        return all(self.lexicon.wrong(word, f) for f in there if f.source != "listed")

    def missing(self, word: str, kind: str = "object") -> Found:
        """Return the verdict of a word that names nothing that is there."""
        if self.lexicon.fold(word) in VACUOUS:
            return UNVERIFIABLE
        if self.picture.closed:
            return Found("hallucinated", "closed_world") if self._made_up(word) else UNVERIFIABLE
        return Found("hallucinated", "word") if self.picture.by_kind[kind] else UNVERIFIABLE
