"""Which option an answer names by its text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from lvlmbench.scoring.cleaning import CLOSE, OPEN, sentences
from lvlmbench.scoring.wording import (
    CONCLUSION,
    NEGATED_AFTER,
    NEGATED_BEFORE,
)

#: Largest edit distance, as a share of the longer text, at which an answer still means an option.
#: Texts below five letters may differ in one letter of four at most: "bat" is not "cat".
LARGEST_DISTANCE = 1 / 3

#: Labels that are also everyday words (film titles such as "It" or "Her") count only as the
#: whole answer or in quotes.
_EVERYDAY = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by can do for from has have he her him his how i if in is it "
        "its me my no not of on one or our out she so that the them there they this to up us was "
        "we what which who will with you your image picture photo answer option question style "
        "none",
    )
)
_LEAD_IN = re.compile(
    r"^(?:(?:it|this|that|there|he|she|the (?:image|picture|photo|answer|statement)"
    r"|i (?:think|believe|see)|the (?:main )?\w+ (?:in|of) the (?:image|picture|photo))\s*"
    r"(?:'s|is|shows|depicts|looks like|contains|that)?\s+(?:it's |it is )?)?"
    r"(?:an?|the|some|probably|most likely)?\s*",
    re.I,
)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s]", " ", text.casefold())).strip()


def _core(text: str) -> str:
    """An answer without "It is a" and punctuation."""
    return _plain(_LEAD_IN.sub("", text.strip(" \n\"'"), count=1))


def _pattern(option: str) -> str:
    """An option's words, hyphens for spaces allowed, an inner article free to be left out."""
    first, *rest = option.split() or [""]
    parts = [
        rf"(?:[\s-]+{word})?" if word in ("a", "an", "the") else rf"[\s-]+{re.escape(word)}"
        for word in rest
    ]
    return re.escape(first) + "".join(parts)


def _mentions(text: str, options: Sequence[str]) -> list[tuple[int, int, int]]:
    """(start, end, option) of labels in the text; a label inside a longer one does not count."""
    taken: list[tuple[int, int, int]] = []
    covered = bytearray(len(text))
    for index in sorted(range(len(options)), key=lambda i: (-len(options[i]), i)):
        option = options[index]
        body = _pattern(option)
        quoted = _plain(option) in _EVERYDAY
        pattern = rf"[\"']{body}[\"']" if quoted else rf"(?<!\w){body}(?:e?s)?(?!\w)"
        # A name of one word ("Friends", "It") is written with its capital.
        flags = 0 if option[:1].isupper() and " " not in option else re.I
        for match in re.finditer(pattern, text, flags):
            start, end = match.span()
            if not any(covered[start:end]):
                covered[start:end] = b"\1" * (end - start)
                taken.append((start, end, index))
    return sorted(taken)


def named_option(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """(decided, index) by labels in a cleaned text: the only one that is named and not ruled
    out, or the only one in a closing sentence. Several without a conclusion decide for none."""
    for match in reversed(list(re.finditer(rf"{OPEN}([^{CLOSE}]*){CLOSE}", text))):
        boxed = [i for i, o in enumerate(options) if _plain(o) == _core(match.group(1))]
        if len(boxed) == 1:
            return True, boxed[0]
    text = text.replace(OPEN, " ").replace(CLOSE, " ")
    exact = [i for i, o in enumerate(options) if _plain(o) in (_plain(text), _core(text))]
    if len(exact) == 1:
        return True, exact[0]
    found = [
        (start, end, index)
        for start, end, index in _mentions(text, options)
        if not NEGATED_BEFORE.search(text[max(0, start - 60) : start])
        and not NEGATED_AFTER.match(text, end)
    ]
    named = {index for _, _, index in found}
    if len(named) == 1:
        return True, found[0][2]
    if len(named) > 1:
        start, stop = next(s for s in sentences(text) if s[1] >= found[-1][1])
        here = {index for s, _, index in found if start <= s < stop}
        if len(here) == 1 and CONCLUSION.search(text, start, stop):
            return True, found[-1][2]
        return True, None
    return False, None


def nearest_option(text: str, options: Sequence[str]) -> int | None:
    """Index of the option with the smallest Levenshtein distance to a short answer.

    None if two are equally near, or if even the nearest is farther than
    :data:`LARGEST_DISTANCE`. An answer that is a part of one option's words only ("fox" where
    the options are "red fox", "owl" ...) is that option.
    """
    core = _core(text)
    plain = [_plain(option) for option in options]
    if not core or len(core) > 2 * max(map(len, plain), default=0) + 10:
        return None
    parts = [i for i, option in enumerate(plain) if f" {core} " in f" {option} "]
    if len(parts) == 1 and len(core) > 2:
        return parts[0]
    distances = [Levenshtein.distance(core, option) for option in plain]
    best = min(distances)
    nearest = [i for i, distance in enumerate(distances) if distance == best]
    longest = max(len(core), len(plain[nearest[0]]))
    allowed = LARGEST_DISTANCE if longest >= 5 else 1 / 4
    return nearest[0] if len(nearest) == 1 and best <= allowed * longest else None
