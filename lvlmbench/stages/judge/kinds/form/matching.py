"""What becomes of the claims of a structured description, exactly.

Entries are assigned to the things and people of the picture one to one, so that most of what they
say fits (the Hungarian method over names and all other fields). Then each field is compared by
itself: names by the lexicon of names, colors by the lexicon of colors, relations by what was
measured, all else by equality. A word that no lexicon has is ``unverifiable``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from lvlmbench.scene.claims import STATES, WRONG, Claim, Feature, Match, Truth, Verdict
from lvlmbench.scene.figures.labels import ACTIONS
from lvlmbench.scene.relations import CONVERSE
from lvlmbench.scene.truth.colors import colors
from lvlmbench.scene.truth.names import Names as NameLexicon

name_lexicon = None

#: What an entry gains by its name: more than by all of its fields.
_NAME: Mapping[str, int] = {"same": 10**12, "broader": 10**10}
#: What it gains by a field that is stated, by one that is true and says less, by a wrong one. Of
#: two assignments the one with more stated fields wins, then the one with fewer wrong ones.
_STATED, _TRUE, _WRONG = 10**6, 10**3, -1
_PARTS = ("attribute", "garment", "action", "rank", "place")
#: ``next_to`` says less than these.
_BESIDE = ("left_of", "right_of", "above", "below", "in_front_of", "behind")


class _Found(NamedTuple):
    """A verdict, what it was found by, and the feature that it rests on."""

    verdict: Verdict
    how: str = "word"
    feature: Feature | None = None


_UNKNOWN = _Found("unverifiable")
_ABSENT = _Found("hallucinated", "closed_world")


def matches_of(claims: Sequence[Claim], truth: Truth) -> tuple[Match, ...]:
    """Return one match a claim, in the claims' order."""
    answer = _Answer(claims, truth)
    matches = []
    for claim in claims:
        found = answer.found(claim)
        feature = None if found.feature is None else found.feature.feature
        matches.append(Match(claim.number, feature, found.verdict, found.how))
    return tuple(matches)


class _Answer:
    """The claims of an answer beside the truth."""

    def __init__(self, claims: Sequence[Claim], truth: Truth) -> None:
        self._truth, self._names = truth, name_lexicon()
        objects = truth.of_kind("object")
        self._things = [each for each in objects if each.source != "listed"]
        self._listed = [each for each in objects if each.source == "listed"]
        self._parts: dict[str, list[Feature]] = defaultdict(list)
        self._relations: dict[tuple[str | None, str | None, str | None], Feature] = {}
        for each in truth.features:
            if each.kind == "relation":
                self._relations[each.relation, each.about, each.other] = each
            elif each.about is not None:
                self._parts[each.about].append(each)
        said: dict[int, list[Claim]] = defaultdict(list)
        for claim in claims:
            if claim.kind in _PARTS and claim.about is not None:
                said[claim.about].append(claim)
        self._objects = [claim for claim in claims if claim.kind == "object"]
        self._of = self._assigned(said)
        self._fields: dict[int, _Found] = {}
        for number, thing in self._of.items():
            self._fields |= self._compared(said[number], thing)
        self._seen = {each.number: self._object(each) for each in self._objects}

    def found(self, claim: Claim) -> _Found:
        """Return what becomes of a claim."""
        if claim.kind == "object":
            return self._seen[claim.number]
        if claim.kind == "count":
            return self._count(claim)
        if claim.kind == "relation":
            return self._relation(claim)
        return self._fields.get(claim.number) or self._without(claim.about)

    def _assigned(self, said: Mapping[int, Sequence[Claim]]) -> dict[int, Feature]:
        """Entries, by their claims, and the things that they are."""
        gains: dict[tuple[int, int], int] = {}
        for row, claim in enumerate(self._objects):
            for column, thing in enumerate(self._things):
                worth = _NAME.get(_named(self._names, claim.subject, thing) or "")
                if worth is not None:
                    found = self._compared(said.get(claim.number, ()), thing)
                    gains[row, column] = worth + sum(_worth(each) for each in found.values())
        return {
            self._objects[row].number: self._things[column]
            for row, column in _assignment(gains).items()
        }

    def _compared(self, said: Iterable[Claim], thing: Feature) -> dict[int, _Found]:
        """What becomes of the fields of an entry, by claim, if it is this thing."""
        parts, worn = self._parts[thing.feature], list[Claim]()
        found = {}
        for claim in said:
            if claim.kind == "garment":
                worn.append(claim)
            else:
                found[claim.number] = _field(claim, parts)
        return found | self._worn(worn, [each for each in parts if each.kind == "garment"])

    def _worn(self, said: Sequence[Claim], worn: Sequence[Feature]) -> dict[int, _Found]:
        """What becomes of garments: each is one that is worn, one to one."""
        options: dict[tuple[int, int], _Found] = {}
        known: dict[int, list[str | None]] = defaultdict(list)
        for row, claim in enumerate(said):
            for column, feature in enumerate(worn):
                how = _named(self._names, claim.object or "", feature)
                known[row].append(how)
                if how in _NAME:
                    options[row, column] = _garment(claim, feature, how == "same")
        gains = {
            key: _NAME["broader" if found.verdict == "broader" else "same"] + _worth(found)
            for key, found in options.items()
        }
        chosen = _assignment(gains)
        return {
            claim.number: options[row, chosen[row]]
            if row in chosen
            else self._missing(claim.object or "", known[row])
            for row, claim in enumerate(said)
        }

    def _object(self, claim: Claim) -> _Found:
        """What becomes of a name.

        Where another entry is the thing, what is said twice is there all the same; and what the
        backdrop shows, and the parts of things, may be said.
        """
        own = self._of.get(claim.number)
        places = [own] if own is not None else [*self._things, *self._listed]
        known = [_named(self._names, claim.subject, each) for each in places]
        for wanted, verdict in (("same", "matched"), ("broader", "broader")):
            if wanted in known:
                return _Found(verdict, "word", places[known.index(wanted)])  # type: ignore[arg-type]
        return self._missing(claim.subject, known)

    def _missing(self, word: str, known: Iterable[str | None]) -> _Found:
        """What becomes of a name that nothing here has; an unknown word may mean what is there."""
        unknown = None in [*known] or self._names.relation(word, word) is None
        return _UNKNOWN if unknown or not self._truth.closed else _ABSENT

    def _without(self, about: int | None) -> _Found:
        """What becomes of what is said of an entry that is no thing by itself: wrong where it is
        not there, and where another entry is the only one that there is."""
        seen = _UNKNOWN if about is None else self._seen[about]
        further = seen.feature is not None and seen.feature.source != "listed"
        return _ABSENT if seen.verdict in WRONG or further else _UNKNOWN

    def _count(self, claim: Claim) -> _Found:
        """What becomes of a number: it is that of all things that are called so."""
        said = int(claim.value or 0)
        named = [each for each in self._things
                 if _named(self._names, claim.subject, each) in _NAME]  # fmt: skip
        if not named:
            return self._without(claim.about)
        numbers = [_number(self._parts[each.feature]) for each in named]
        right = said == sum(numbers)
        if not right and (not self._truth.closed or any(each.optional for each in named)):
            return _UNKNOWN
        stated = (
            each
            for each in self._truth.of_kind("count")
            if _named(self._names, claim.subject, each) == "same"
        )
        return _Found("matched" if right else "contradicted", "word", next(stated, named[0]))

    def _relation(self, claim: Claim) -> _Found:
        """What becomes of how one thing stands to another."""
        a, b = (self._of.get(-1 if at is None else at) for at in (claim.about, claim.other))
        if a is None or b is None:
            named = zip((claim.about, claim.other), (a, b), strict=True)
            gone = [self._without(at) for at, thing in named if thing is None]
            return _ABSENT if _ABSENT in gone else _UNKNOWN
        name = claim.relation or ""
        listed = self._stands(name, a, b)
        if listed is not None:
            return _Found("matched", "word", listed)
        contrary = (
            self._stands(CONVERSE.get(name, ""), a, b) if CONVERSE.get(name) != name else None
        )
        if contrary is not None:
            return _Found("contradicted", "word", contrary)
        holds = self._holds(name, a, b)
        if name == "next_to" and not holds:
            beside = (self._stands(each, a, b) or self._holds(each, a, b) for each in _BESIDE)
            if any(beside):
                return _Found("broader", "geometry")
        if holds is None:
            return _UNKNOWN
        return _Found("matched" if holds else "contradicted", "geometry")

    def _stands(self, name: str, a: Feature, b: Feature) -> Feature | None:
        """The feature that two things stand so, either way round."""
        keys = [(name, a.feature, b.feature)]
        if name in CONVERSE:
            keys.append((CONVERSE[name], b.feature, a.feature))
        return next((self._relations[key] for key in keys if key in self._relations), None)

    def _holds(self, name: str, a: Feature, b: Feature) -> bool | None:
        geometry = self._truth.geometry
        return None if geometry is None else geometry.holds(name, a.feature, b.feature)


def _named(names: NameLexicon, word: str, feature: Feature) -> str | None:
    """How a word names what a feature does: by the feature's own words, else by the lexicon."""
    own = feature.object or feature.subject
    folded = names.fold(word)
    if any(names.fold(form) == folded for form in (own, *feature.forms)):
        return "same"
    return names.relation(word, own)


def _garment(claim: Claim, worn: Feature, same: bool) -> _Found:
    """What becomes of a garment that is worn; a color is told of one whose color can be told."""
    if worn.value is None and claim.value is not None and worn.optional:
        return _UNKNOWN
    if worn.value is None or claim.value is None:
        return _Found("matched" if same and worn.value is None else "broader", "word", worn)
    verdict = colors().compared(claim.value, worn.value)
    if verdict == "contradicted":
        return _Found("contradicted", "word", worn)
    stated = same and verdict in STATES
    return _Found("matched" if stated else "broader", "word", worn)


def _field(claim: Claim, parts: Iterable[Feature]) -> _Found:
    """What becomes of one field of an entry that is this thing."""
    true = next((e for e in parts if (e.kind, e.relation) == (claim.kind, claim.relation)), None)
    value = claim.value or ""
    if claim.kind == "action":
        if true is not None and value in true.forms:
            return _Found("matched", "word", true)
        if value not in ACTIONS:
            return _UNKNOWN
        return _ABSENT if true is None else _Found("contradicted", "word", true)
    if true is None:
        return _UNKNOWN
    if value in (true.value, *true.forms):
        return _Found("matched", "word", true)
    if claim.kind == "place":
        less = {*value.split()} < {*(true.value or "").split()}
        return _Found("broader" if less else "contradicted", "word", true)
    if claim.relation == "color":
        verdict = colors().compared(value, true.value or "")
        return _UNKNOWN if verdict is None else _Found(verdict, "synonym", true)
    return _Found("contradicted", "word", true)


def _number(parts: Iterable[Feature]) -> int:
    """How many things one feature stands for."""
    return next((int(e.value or 1) for e in parts if e.kind == "count"), 1)


def _worth(found: _Found) -> int:
    if found.verdict in STATES:
        return _STATED
    return _TRUE if found.verdict == "broader" else _WRONG if found.verdict in WRONG else 0


def _assignment(gains: Mapping[tuple[int, int], int]) -> dict[int, int]:
    """Rows and columns that gain most together, each at most once (Kuhn, 1955)."""
    rows, columns = ({key[at] for key in gains} for at in (0, 1))
    if len(rows) == len(gains) == len(columns):
        return dict(gains)
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    down, across = sorted(rows), sorted(columns)
    table = np.zeros((len(down), len(across)))
    for (row, column), gain in gains.items():
        table[down.index(row), across.index(column)] = gain
    found = zip(*linear_sum_assignment(table, maximize=True), strict=True)
    pairs = ((down[row], across[column]) for row, column in found)
    return {row: column for row, column in pairs if (row, column) in gains}
