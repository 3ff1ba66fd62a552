"""How many there are."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing

_ONE = frozenset({"single", "lone", "solitary"})
_MEASURES = frozenset({"pair", "couple", "dozen", "trio", "quartet"})


def counts(sight: Sight) -> Iterator[Draft]:
    """Yield the number of each thing that has one."""
    for thing in sight.things.all:
        if thing.role in SETTING or thing.wearer is not None or thing.negated:
            continue
        found = _number(sight, thing)
        if found is not None:
            value, word = found
            if value == "0":
                continue
            if thing.same is not None and (value == "1" or not thing.plural):
                continue
            yield Draft(
                "count", thing.root, word, thing.last, "count", None, value,
                negated=thing.negated, hedged=thing.hedged,
            )  # fmt: skip


def digits(sight: Sight, word: Token) -> str | None:
    """Return the digits of a number word; None where it is none."""
    if word.low.isdecimal():
        return word.low.lstrip("0")[:6] or "0"
    return sight.text.lexicon.maps["lemmas.numbers"].get(word.low)


def _number(sight: Sight, thing: Thing) -> tuple[str, Token] | None:
    for each in thing.head.below:
        if each.i > thing.head.i and each.dep != "nummod":
            continue
        if each.dep in ("nummod", "det", "amod", "compound") and (
            each.tag == "CD" or each.low in _ONE or each.dep == "nummod"
        ):
            value = digits(sight, each)
            if each.low == "dozen" and "half" in sight.text.low[max(0, each.i - 2) : each.i]:
                value = "6"
            if value is not None:
                return value, each
    before = sight.text.tokens[thing.first.i - 1] if thing.first.i else None
    for _ in range(3):
        colored = before is not None and sight.text.lexicon.kinds.get(before.low) == "color"
        if before is None or not (colored or before.tag in ("JJ", "VBN")) or not before.i:
            break
        before = sight.text.tokens[before.i - 1]
    if before is not None and before.low == "dozen":
        half = "half" in sight.text.low[max(0, before.i - 2) : before.i]
        return ("6" if half else "12"), before
    if (
        before is not None
        and before.tag == "CD"
        and before.sentence == thing.first.sentence
        and before.head.i in range(before.i, thing.last.i + 1)
    ):
        value = digits(sight, before)
        if value is not None:
            return value, before
    return _measured(sight, thing)


def _measured(sight: Sight, thing: Thing) -> tuple[str, Token] | None:
    """ "A pair of dogs", "a group of" with a number before: "two slices of pizza"."""
    prep = thing.head.head
    if thing.head.dep != "pobj" or prep.low != "of":
        return None
    measure = prep.head
    if measure.lemma in _MEASURES:
        if (
            thing.head.low in sight.text.lexicon.lists["clothes.plural"]
            or thing.name in sight.text.lexicon.lists["clothes.plural"]
        ):
            return None
        return digits(sight, measure) or sight.text.lexicon.maps["lemmas.numbers"][
            measure.lemma
        ], measure
    if not sight.text.has("nouns.measures", measure.lemma) or measure.lemma in (
        "group",
        "row",
        "set",
        "crowd",
        "line",
        "number",
    ):
        return None
    for each in measure.children("nummod"):
        value = digits(sight, each)
        if value is not None:
            return value, each
    return None
