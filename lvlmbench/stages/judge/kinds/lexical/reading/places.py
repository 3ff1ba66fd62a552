"""Where in the picture things are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lvlmbench.stages.judge.kinds.lexical.reading.drafts import Draft, Sight
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token
from lvlmbench.stages.judge.kinds.lexical.reading.things import SETTING, Thing

_PICTURE = frozenset((
    "image", "picture", "photo", "photograph", "scene", "frame", "view", "shot", "composition",
    "painting", "drawing", "illustration", "canvas", "screen", "page",
))  # fmt: skip
_LEADS = frozenset(
    {"in", "on", "at", "to", "toward", "towards", "near", "along", "from", "across", "into"}
)
#: Verbs of which the subject is at the place that follows.
_OCCUPY = frozenset(("occupy", "occupies", "occupied", "occupying", "dominates", "fills"))
_ORDER = ("top", "bottom", "center", "left", "right")
_ROWS = {"top": "top", "upper": "top", "bottom": "bottom", "lower": "bottom"}
#: Words of "in the middle"; sides that it may be said of.
_MIDDLE, _SIDES = 3, ("top", "bottom", "left", "right")
_SKIPPED = frozenset(
    {"the", "of", "-", "very", "far", "extreme", "immediate", "and", "hand", "this", ","}
)


@dataclass(frozen=True)
class Phrase:
    """Words that name a place of the picture: from the preposition to the last noun."""

    first: Token
    last: Token
    place: str


def phrases(text: Text) -> dict[int, Phrase]:
    """Return the phrases that name a place, by the number of their first word."""
    out: dict[int, Phrase] = {}
    parts = text.lexicon.lists["relations.parts"]
    places = text.lexicon.places
    i, n = 0, len(text.low)
    while i < n:
        ahead = text.low[i + (text.low[i] == "from") :]
        ordered = ahead[:3] in (["left", "to", "right"], ["right", "to", "left"])
        atop = text.low[i : i + 2] == ["on", "top"] and text.low[i + 2 : i + 3] != ["of"]
        if ordered or atop or of_what_was_named(text, i):
            i += 3 + (text.low[i] == "from") if ordered else 2
            continue
        if text.low[i] not in _LEADS and text.low[i] not in _OCCUPY:
            if (bare := _bare(text, i) or _telegram(text, i)) is not None:
                out[i] = bare
            i += 1
            continue
        j, found, last = i + 1, [], None
        while j < n and j < i + 9:
            low = text.low[j]
            named = [places[piece] for piece in low.split("-") if piece in places]
            if named and (low in places or "-" in low):
                found += named
                last = j
            elif low in parts:
                last = j if found else last
                if not found:
                    break
            elif low not in _SKIPPED or (low in ("of", "and", ",") and last is None):
                break
            if low == "and" and text.low[j + 1 : j + 2] and text.low[j + 1] not in places:
                break
            j += 1
        if last is None or not found:
            i += 1
            continue
        end = _of_picture(text, last)
        if end is not None:
            place = _joined(found)
            if place:
                end += _MIDDLE if _in_the_middle(text, end) and place in _SIDES else 0
                out[i] = Phrase(text.tokens[i], text.tokens[end], place)
            i = end
        i += 1
    return out


def _in_the_middle(text: Text, end: int) -> bool:
    """Whether "in the middle" follows a side and is said of it: "at the top in the middle"."""
    behind = text.low[end + 1 : end + 2 + _MIDDLE]
    middle = behind[:_MIDDLE] in (["in", "the", "middle"], ["in", "the", "center"])
    return middle and behind[_MIDDLE:] != ["of"]


def of_what_was_named(text: Text, i: int) -> bool:
    """Return whether a side is of a thing: "to the left of it a hedge, to the right a cart"."""
    if not beside(text, i):
        return False
    sentence = text.tokens[i].sentence
    for at in range(i - 1, max(-1, i - 40), -1):
        if text.tokens[at].sentence < sentence - 1:
            return False
        if beside(text, at, of=True):
            return True
    return False


def beside(text: Text, i: int, of: bool = False) -> bool:
    """Return whether words are "to the left", with "of" behind them or without."""
    low = text.low[i : i + 4]
    side = low[:2] in (["to", "the"], ["on", "the"]) and low[2:3] in (["left"], ["right"])
    return side and (low[3:] == ["of"]) is of


def _bare(text: Text, i: int) -> Phrase | None:
    """A corner without a preposition: "bird top left"."""
    low = text.low[i : i + 3]
    if len(low) < 2 or low[0] not in _ROWS or low[1] not in ("left", "right", "center"):
        return None
    ends = len(low) == 2 or low[2] in (".", ",", ";", ")")
    if not i or not ends or text.low[i - 1] in (*_LEADS, "the"):
        return None
    return Phrase(text.tokens[i], text.tokens[i + 1], f"{_ROWS[low[0]]} {low[1]}")


def _telegram(text: Text, i: int) -> Phrase | None:
    """A side after a noun in words without a verb: "harp far left; piano right"."""
    ends = text.low[i + 1 : i + 2] in ([], ["."], [";"], [","], [")"])
    sides = text.low[i] in ("left", "right", "center", "foreground", "background")
    first = i - 1 if i and text.low[i - 1] in ("far", "dead", "top", "bottom") else i
    token = text.tokens[i]
    if not sides or not ends or not first or any(e.verb for e in text.sentence(token)):
        return None
    before = text.tokens[first - 1]
    begins = (each.i for each in reversed(text.tokens[:i]) if each.low in (".", ";", ":"))
    short = i - next(begins, text.sentence(token)[0].i - 1) <= 5
    if first > 1 and (before.low == "(" or (before.low == "," and short)):
        before = text.tokens[first - 2]
    if not before.noun or before.sentence != token.sentence:
        return None
    return Phrase(text.tokens[first], token, text.lexicon.places[text.low[i]])


def _of_picture(text: Text, last: int) -> int | None:
    """Where the phrase ends; None where it is a place of another thing and not of the picture."""
    j = last + 1
    if text.tokens[last].tag in ("JJ", "JJS") and j < len(text.low) and text.tokens[j].noun:
        if text.tokens[j].lemma not in _PICTURE and text.tokens[last].dep in (
            "amod",
            "compound",
            "nmod",
        ):
            return None
        if text.tokens[j].lemma in _PICTURE:
            return j
    if j < len(text.low) and text.low[j] in ("of", "from", "in", "within"):
        k = j + 1
        while k < len(text.low) and text.low[k] in ("the", "this", "entire", "whole", "our"):
            k += 1
        if k < len(text.low) and text.tokens[k].lemma in _PICTURE:
            return k
        return None if text.low[j] in ("of", "from") else last
    return last


def _joined(found: list[str]) -> str:
    """One place of the words: "top left"; far ground counts before sides."""
    for ground in ("foreground", "background"):
        if ground in found:
            return ground
    named = [each for each in _ORDER if each in found]
    if "center" in named and len(named) == 2:
        return " ".join(sorted(named, key=lambda each: each in ("left", "right", "center")))
    if len(named) > 2 or named in (["top", "bottom"], ["left", "right"]):
        return ""
    return " ".join(named)


def drafts(sight: Sight, found: dict[int, Phrase]) -> Iterator[Draft]:
    """Yield a claim for each thing that is said to be at a place of the picture."""
    for phrase in found.values():
        for thing in _placed(sight, phrase):
            if thing.role in SETTING or thing.role == "clothes":
                continue
            yield Draft(
                "place", thing, phrase.first, phrase.last, "at", None, phrase.place,
                negated=thing.negated, hedged=thing.hedged,
            )  # fmt: skip

    for noun, place in sight.text.sited:
        for thing in sight.mentions.resolve_all(noun):
            if thing.role not in (*SETTING, "clothes"):
                yield Draft(
                    "place", thing, thing.first, thing.last, "at", None, place,
                    negated=thing.negated, hedged=thing.hedged,
                )  # fmt: skip


def _placed(sight: Sight, phrase: Phrase) -> list[Thing]:
    """What is there: what the phrase hangs on, or what its sentence goes on to name."""
    tokens = sight.text.tokens
    first = phrase.first
    leads = (
        first.i == 0
        or tokens[first.i - 1].sentence != first.sentence
        or tokens[first.i - 1].low in ("and", ";", ",", "while", ":")
    )
    named = any(
        each.i in sight.things.by_token
        for each in tokens[: first.i]
        if each.sentence == first.sentence
    )
    if leads and (not named or _opens(sight, phrase)):
        return _following(sight, phrase)
    if first.low in _OCCUPY:
        return sight.frames.subjects(first)
    if first.low in _ROWS or first.low not in _LEADS:
        return sight.frames.before(first)
    found = sight.frames.governors(first)
    return found or _following(sight, phrase)


def _opens(sight: Sight, phrase: Phrase) -> bool:
    """Whether a clause begins with the phrase: "..., and on the left is a cup"."""
    rest = sight.after(phrase.last, 3)
    low = [each.low for each in rest]
    return bool(low) and (
        low[0] in ("is", "are", "there", "stands", "sits", "we", "you", "lies")
        or (
            low[0] in ("a", "an", "two", "three", "one", "another")
            and phrase.first.i > 0
            and sight.text.low[phrase.first.i - 1] in ("while", "and", ",", ";")
        )
        or (
            low[0] == ","
            and low[1:2] != ["and"]
            and bool(set(low[1:]) & {"there", "a", "an", "we", "two"})
        )
    )


def _following(sight: Sight, phrase: Phrase) -> list[Thing]:
    for each in sight.after(phrase.last, 14):
        thing = sight.things.by_token.get(each.i)
        if thing is not None and thing.role not in SETTING:
            top = thing.head
            return sight.mentions.resolve_all(top) or [thing.root]
    return []
