"""The claims and matches of a labelled caption, read from their short form.

A claim is ``[not] [maybe] subject[*][#2] [relation words] ["quote"[#2]] [mark [feature]]``:
``dog``, ``dog#2 color white "snowy"``, ``man wears hat, black``, ``girl does ride bicycle``,
``cup between plate, fork``, ``bird at top left``, ``house rank -1``, ``scene background beach``.
``#2`` after a thing means the second claimed object of that word, after a quote its second place.

Marks: ``=`` matched, ``<`` broader, ``>`` narrower, ``x`` hallucinated, ``!`` contradicted,
``~`` false denial, ``-`` true denial, ``?`` unverifiable. A claim without a mark is matched, or
hallucinated where what it speaks of is. A mark without a feature takes the one that fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import Claim, Feature, Match, Verdict
from support.caption_features import KIND_OF, SCENE
from support.caption_fits import fitting
from support.caption_words import PEOPLE, places, where_said

MARKS: dict[str, Verdict] = {
    "=": "matched", "<": "broader", ">": "narrower", "x": "hallucinated", "!": "contradicted",
    "~": "false_denial", "-": "true_denial", "?": "unverifiable",
}  # fmt: skip
_TOKEN = re.compile(r'"[^"]*"(?:#\d+)?|,|[^\s",]+')


@dataclass
class Reading:
    """Claims of one caption as they are read, with what they were held against."""

    text: str
    features: dict[str, Feature]
    claims: list[Claim] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    used: set[tuple[str, str | None, int]] = field(default_factory=set)

    def object_claim(self, where: str, thing: str) -> Claim:
        """Return the claim of kind object that a word, or its ``#2``, stands for."""
        word, _, number = thing.partition("#")
        same = [c for c in self.claims if c.kind == "object" and c.subject == word]
        if len(same) < int(number or 1):
            raise UserError(where, f"no claim of the object '{thing}' above", "claim it first")
        return same[int(number or 1) - 1]

    def feature_of(self, claim: int | None) -> str | None:
        """Return the feature that a claim was held against."""
        return None if claim is None else self.matches[claim].feature

    def absent(self, claim: int | None) -> bool:
        """Return whether a claim speaks of what is not there."""
        return claim is not None and self.matches[claim].verdict == "hallucinated"


def read_claims(
    text: str, features: list[Feature], pieces: list[tuple[str, str]]
) -> tuple[list[Claim], list[Match]]:
    """Return the claims and matches of (file:line, short form) pairs.

    Raises
    ------
    UserError
        Where one does not read, is not in the text, or is marked against the features.
    """
    reading = Reading(text, {feature.feature: feature for feature in features})
    for where, piece in pieces:
        _read(where, piece, reading)
    return reading.claims, reading.matches


def _read(where: str, piece: str, reading: Reading) -> None:
    tokens = _TOKEN.findall(piece)
    flags = []
    while tokens and tokens[0] in ("not", "maybe"):
        flags.append(tokens.pop(0))
    mark, feature = _mark(where, tokens, reading)
    quotes = [tokens.pop() for token in tokens[-1:] if token.startswith('"')]
    if not tokens or any(token.startswith('"') for token in tokens):
        raise UserError(where, f"'{piece}' does not read as a claim", "see the module's docstring")
    star = tokens[-1].endswith("*") or "*#" in tokens[-1]
    tokens = [token.replace("*", "") for token in tokens]
    claim = _claim(where, tokens, reading)
    claim = replace(claim, negated="not" in flags, hedged="maybe" in flags)
    start, end = _span(where, claim, quotes, reading)
    claim = replace(claim, number=len(reading.claims), start=start, end=end)
    _add(where, claim, mark, feature, reading)
    if star:
        _add_people(where, claim, reading)


def _mark(where: str, tokens: list[str], reading: Reading) -> tuple[str | None, str | None]:
    """Take the mark and the feature from the end of the tokens."""
    feature = None
    if len(tokens) > 2 and tokens[-2] in MARKS:
        feature = tokens.pop()
        if feature not in reading.features:
            raise UserError(where, f"unknown feature '{feature}'", "list it among the features")
    mark = tokens.pop() if len(tokens) > 1 and tokens[-1] in MARKS else None
    return mark, feature


def _claim(where: str, tokens: list[str], reading: Reading) -> Claim:
    """The claim of tokens, without number, span and flags."""
    if tokens[0] == "scene":
        if len(tokens) < 3 or tokens[1] not in SCENE:
            raise UserError(where, f"'{' '.join(tokens)}' is no claim of a scene", "see claims.md")
        word = " ".join(tokens[2:])
        return Claim(0, "scene", word, tokens[1], None, word)
    at = next((i for i, token in enumerate(tokens) if i and token in KIND_OF), None)
    if at is None:
        if any(not re.fullmatch(r"[a-z][a-z'-]*", token) for token in tokens):
            raise UserError(where, f"'{' '.join(tokens)}' is no lemma", "write lower case words")
        return Claim(0, "object", " ".join(tokens))
    about = reading.object_claim(where, " ".join(tokens[:at]))
    relation, rest = tokens[at], " ".join(tokens[at + 1 :])
    kind = KIND_OF[relation]
    if not rest:
        raise UserError(where, f"'{' '.join(tokens)}' says nothing", "add the value")
    if kind == "relation":
        things = [thing.strip() for thing in rest.split(" , ")]
        if len(things) != (2 if relation == "between" else 1):
            raise UserError(where, f"'{rest}' is {len(things)} things", "name as many as it takes")
        others = [reading.object_claim(where, thing) for thing in things]
        value = others[1].subject if len(others) > 1 else None
        return Claim(0, kind, about.subject, relation, others[0].subject, value, about.number,
                     others[0].number)  # fmt: skip
    thing, _, color = rest.partition(" , ")
    if kind == "garment":
        return Claim(0, kind, about.subject, relation, thing, color or None, about.number)
    return Claim(0, kind, about.subject, relation, None, rest, about.number)


def _span(where: str, claim: Claim, quotes: list[str], reading: Reading) -> tuple[int, int]:
    """Where the text says a claim: at its quote, or at fitting words, near or not yet taken."""
    if quotes:
        quote, _, number = quotes[0].rpartition('"')
        found = places(reading.text, re.escape(quote.removeprefix('"')))
        wanted = int(number.removeprefix("#") or 1)
        if len(found) < wanted:
            raise UserError(where, f"the text has no {quotes[0]}", "quote it as it is written")
        return found[wanted - 1]
    parts = (claim.relation, claim.object, claim.value)
    found = where_said(reading.text, claim.kind, claim.subject, parts)
    if not found:
        words = " ".join(part for part in (claim.subject, *parts) if part)
        raise UserError(where, f"the text does not say '{words}'", "quote what says it")
    free = [span for span in found if (claim.kind, claim.relation, span[0]) not in reading.used]
    start, end = (free or found)[0]
    if claim.kind in ("attribute", "count", "place", "relation"):
        near = [reading.claims[n].start for n in (claim.about, claim.other) if n is not None]
        start, end = min(found, key=lambda span: (sum(abs(span[0] - n) for n in near), span))
    reading.used.add((claim.kind, claim.relation, start))
    return start, end


def _add(where: str, claim: Claim, mark: str | None, feature: str | None, reading: Reading) -> None:
    """Find the verdict, refuse what the features speak against, and keep claim and match."""
    words = " ".join(p for p in (claim.subject, claim.relation, claim.object, claim.value) if p)
    fits = fitting(claim, reading.features, reading.feature_of, reading.matches)
    if mark is None:
        if claim.negated:
            raise UserError(where, f"'not {words}' has no mark", "add - or ~")
        absent = reading.absent(claim.about) or reading.absent(claim.other)
        mark = "x" if absent else "="
    if claim.negated != (mark in "-~") and mark != "?":
        raise UserError(where, f"'{words}' cannot be '{mark}'", "- and ~ are for what is denied")
    if mark in "=~" and feature is None:
        if fits.equal is None:
            raise UserError(where, f"no feature says '{words}'", "mark it, or name the feature")
        feature = fits.equal
    elif mark in "x!-?" and fits.equal is not None and feature is None:
        raise UserError(where, f"'{words}' is so: {fits.equal}", "mark it otherwise")
    elif mark in "<>!" and feature is None:
        feature = fits.alike
        if feature is None and mark != "!":
            raise UserError(where, f"which feature is '{words}'?", "name it after the mark")
    if mark in "x-?" and feature is not None:
        raise UserError(where, f"'{mark}' names no feature", f"leave out '{feature}'")
    reading.claims.append(claim)
    reading.matches.append(Match(claim.number, feature, MARKS[mark], "label"))


def _add_people(where: str, noun: Claim, reading: Reading) -> None:
    """Add what a word of people says of somebody: matched, contradicted or unverifiable."""
    if noun.kind != "object" or noun.subject not in PEOPLE:
        raise UserError(where, f"'{noun.subject}' is no word of people", "leave out the *")
    for relation, value in PEOPLE[noun.subject].items():
        claim = replace(noun, number=len(reading.claims), kind="attribute", relation=relation,
                        value=value, about=noun.number)  # fmt: skip
        fits = fitting(claim, reading.features, reading.feature_of, reading.matches)
        known = fits.equal or fits.alike
        mark = "=" if fits.equal else "!" if known else "?"
        mark = "x" if reading.absent(noun.number) else mark
        _add(where, claim, mark, known, reading)
