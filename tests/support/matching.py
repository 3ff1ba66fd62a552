"""Claims and features in few words, and what becomes of them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lvlmbench.scene.claims import Claim, Feature, Geometry, Match, Truth
from lvlmbench.stages.judge.kinds.lexical.matching import Lexicon, hold, packaged


@cache
def lexicon() -> Lexicon:
    """The packaged words."""
    return packaged()


def thing(
    name: str, word: str, *forms: str, group: str | None = None, optional: bool = False,
    source: str = "given",
) -> Feature:  # fmt: skip
    """An object."""
    return Feature(
        name, "object", word, forms=(word, *forms), group=group, optional=optional, source=source
    )


def has(of: Feature, relation: str, value: str, *forms: str, kind: str = "attribute") -> Feature:
    """An attribute, count, place, rank or action of a thing."""
    name = f"{of.feature}.{relation}"
    return Feature(
        name, kind, of.subject, relation, value=value, about=of.feature, forms=(value, *forms)
    )


def wears(of: Feature, word: str, color: str | None = None, *forms: str) -> Feature:
    """A garment of somebody."""
    return Feature(
        *(f"{of.feature}.wears.{word}", "garment", of.subject, "wears", word, color),
        about=of.feature,
        forms=(word, *forms),
    )


def stands(a: Feature, relation: str, b: Feature, third: str | None = None) -> Feature:
    """A relation between things."""
    return Feature(
        *(f"{a.feature}.{relation}.{b.feature}", "relation", a.subject, relation, b.subject, third),
        about=a.feature,
        other=b.feature,
        forms=(relation,),
    )


def said(*rows: tuple[object, ...] | str) -> list[Claim]:
    """Claims: an object as its word; others as kind, about, relation, object or other, value.

    ``about`` is the number of a claim, or a word where the answer does not say which; so is what
    stands for the object of a relation. A word with ``no`` before it is denied, as is a row that
    ends with ``no``.
    """
    claims: list[Claim] = []
    for number, row in enumerate(rows):
        if isinstance(row, str):
            word = row.removeprefix("no ")
            claims.append(Claim(number, "object", word, negated=word != row))
            continue
        negated = row[-1] == "no"
        kind, about, relation, to, value = (*row[: len(row) - negated], None, None)[:5]
        claim = Claim(number, str(kind), _word(claims, about), _text(relation), negated=negated)
        claim = replace(claim, about=about if isinstance(about, int) else None)
        if kind in ("relation", "garment"):
            other = to if isinstance(to, int) else None
            claim = replace(claim, object=_word(claims, to), other=other, value=_text(value))
        else:
            claim = replace(claim, value=_text(to))
        claims.append(claim)
    return claims


def _word(claims: list[Claim], part: object) -> str:
    return claims[part].subject if isinstance(part, int) else str(part)


def _text(part: object) -> str | None:
    return None if part is None else str(part)


def matches(
    features: tuple[Feature, ...] | list[Feature],
    *rows: tuple[object, ...] | str,
    closed: bool = True,
    geometry: Geometry | None = None,
) -> tuple[Match, ...]:
    """What becomes of claims."""
    return hold(said(*rows), Truth(tuple(features), closed, geometry), lexicon())


def verdicts(
    features: tuple[Feature, ...] | list[Feature],
    *rows: tuple[object, ...] | str,
    closed: bool = True,
    geometry: Geometry | None = None,
) -> list[tuple[str, str | None]]:
    """Verdict and feature of each claim."""
    found = matches(features, *rows, closed=closed, geometry=geometry)
    return [(each.verdict, each.feature) for each in found]
