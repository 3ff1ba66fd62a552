"""Which option an answer names by its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from lvlmbench.stages.score.cleaning import CLOSE, OPEN, sentences
from lvlmbench.stages.score.stems import digits, numeral, stems
from lvlmbench.stages.score.wording import CONCLUSION, ruled_out

#: Largest edit distance, as a share of the longer text, at which an answer still means an option.
#: Texts below five letters may differ in one letter of four at most: "bat" is not "cat".
LARGEST_DISTANCE = 1 / 3

#: Labels that are also everyday words (film titles such as "It" or "Her") count only as the
#: whole answer, in quotes, or where the answer ends with "is It".
_EVERYDAY = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by can do for from has have he her him his how i if in is it "
        "its me my no not of on one or our out she so that the them there they this to up us was "
        "we what which who will with you your image picture photo answer option question style "
        "none",
    )
)
_MEASURE = r"(?:pair|cup|glass|bowl|plate|piece|slice|bunch|bottle)s? of"
_LEAD_IN = re.compile(
    r"^(?:(?:it|this|that|there|he|she|they|the (?:image|picture|photo|answer|statement)"
    r"|i (?:think|believe|see)|the (?:main )?\w+ (?:in|of) (?:the|this) (?:image|picture|photo))\s*"
    r"(?:'s|'re|is|are|shows|depicts|looks like|contains|that)?\s+(?:it's |it is )?)?"
    r"(?:(?:(?:done|made|drawn|painted|set|taken)\s+)?(?:in|on|at|inside)\s+)?"
    r"(?:(?:an?|the|some|probably|most likely)\s+)?"
    r"(?:(?:mr|mrs|ms|dr|prof|professor|president)\b\.?\s*"
    rf"|{_MEASURE}\s+)?",
    re.I,
)

_MEASURED = re.compile(rf"^(?:an?\s+)?{_MEASURE}\s+(?=\w)", re.I)
_NO_WORD = re.compile(r"[^\w\s]")
_BOX = re.compile(rf"{OPEN}([^{CLOSE}]*){CLOSE}")
_WORD_BEFORE = re.compile(r"(\w+) $")
#: Compounds that are something else than their last word.
_COMPOUNDS = frozenset(
    f"{first} {second}{plural}"
    for first, second in (
        ("hot", "dog"),
        ("corn", "dog"),
        ("prairie", "dog"),
        ("teddy", "bear"),
        ("koala", "bear"),
        ("guinea", "pig"),
        ("sea", "horse"),
        ("sea", "lion"),
        ("rocking", "horse"),
    )
    for plural in ("", "s")
)
#: Before a color of which another option is a shade, these make a third one.
_SHADES = frozenset(
    ["dark", "light", "pale", "deep", "bright", "sky", "navy", "baby", "royal", "hot", "neon"]
)
_OPPOSITES = frozenset(["un", "in", "im", "non", "dis", "ir", "il", "not"])
_LISTED = re.compile(r"[\s,]*(?:(?:or|and|nor)\s+)?(?:(?:an?|the)\s+)?", re.I)
_CLAUSE_END = re.compile(
    r"(?<=[,.;:!?])\s+|\n+|(?=\b(?:but|while|whereas|although|though|unlike)\b)", re.I
)
#: Before a label: something is said to be it.
_ASSERTED = re.compile(
    r"\b(?:(?:it|this|that|he|she|they|(?:the|this) \w+(?: \w+){0,3}) (?:is|are|must be|can only be"
    r"|appears to be|seems to be|shows|depicts|features)|(?:it|that|he|she)'s)"
    r"(?: (?:clearly|definitely|indeed|actually|most likely|probably|likely|in fact|of))?"
    r"(?: (?:an?|the|some))?[ \"']*$",
    re.I,
)


_EITHER = re.compile(r"\beither\b([^.;!?\n]{1,60}?)\bor\b([^.,;!?\n]{1,60})", re.I)


class _Label(NamedTuple):
    """A label at a place of the text; ``option`` is its index among the options."""

    start: int
    end: int
    option: int


@lru_cache(maxsize=16_384)
def _plain(text: str) -> str:
    return " ".join(_NO_WORD.sub(" ", text.casefold()).split())


def _core(text: str) -> str:
    """An answer without "It is a" and punctuation."""
    bare = _NO_WORD.sub(" ", _LEAD_IN.sub("", text.strip(" \n\"'"), count=1).casefold())
    return " ".join(bare.split())


@lru_cache(maxsize=65_536)
def _pattern(option: str) -> re.Pattern[str]:
    """An option's words, hyphens for spaces allowed, an inner article free to be left out."""
    first, *rest = _MEASURED.sub("", option).split() or [""]
    parts = [
        rf"(?:[\s-]+{word})?" if word in ("a", "an", "the") else rf"[\s-]+{re.escape(word)}"
        for word in rest
    ]
    if first in ("a", "an", "the") and rest:
        first, parts = rest[0], parts[1:]
    body = re.escape(first) + "".join(parts)
    # A name of one word ("Friends", "It") is written with its capital.
    flags = 0 if option[:1].isupper() and " " not in option else re.I
    if _plain(option) in _EVERYDAY:
        closing = "|".join(rf"(?<=\b{verb} )" for verb in ("is", "says", "reads", "called"))
        return re.compile(rf"[\"']{body}[\"']|(?:{closing}){body}(?=[.!\"']*$)", flags)
    return re.compile(rf"(?<!\w){body}(?:e?s)?(?!\w)", flags)


@lru_cache(maxsize=65_536)
def _first_word(option: str) -> str:
    words = [
        w for w in _MEASURED.sub("", option.lower()).split() if w not in ("a", "an", "the")
    ] or [option.lower()]
    return words[0] if words[0].isascii() else ""


def _mentions(text: str, options: Sequence[str]) -> list[_Label]:
    """Labels in the text; one inside a longer one, or in a compound that means something else, does
    not count."""
    lower = text.lower()
    taken: list[_Label] = []
    covered = bytearray(len(text))
    for index in sorted(range(len(options)), key=lambda i: (-len(options[i]), i)):
        if _first_word(options[index]) not in lower:
            continue
        shaded = any(o.endswith(f" {options[index]}") for o in options)
        for match in _pattern(options[index]).finditer(text):
            start, end = match.span()
            if any(covered[start:end]):
                continue
            covered[start:end] = b"\1" * (end - start)
            before = _WORD_BEFORE.search(text, max(0, start - 20), start)
            word = before.group(1).lower() if before else ""
            if f"{word} {match.group().lower()}" in _COMPOUNDS or (shaded and word in _SHADES):
                continue
            taken.append(_Label(start, end, index))
    return sorted(taken)


def _ruled_out(text: str, found: Sequence[_Label]) -> list[bool]:
    """For each label whether it is ruled out, itself or as part of a list that is ("not a, b or
    c")."""
    out: list[bool] = []
    for at, label in enumerate(found):
        ruled = ruled_out(text, label.start, label.end)
        if not ruled and at and out[-1]:
            between = text[found[at - 1].end : label.start]
            ruled = bool(_LISTED.fullmatch(between))
        out.append(ruled)
    return out


def named_option(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """Return (decided, index) by labels in a cleaned text.

    The only one that is named and not ruled out; or the only one that is not ruled out, where all
    others are; or the only one in a closing sentence or clause that concludes; or the only one that
    something is said to be ("this is a ..."), where the others stand in other clauses. Several
    labels without any of these decide for none.
    """
    if OPEN in text:
        for match in reversed(list(_BOX.finditer(text))):
            boxed = [i for i, o in enumerate(options) if _plain(o) == _core(match.group(1))]
            if len(boxed) == 1:
                return True, boxed[0]
        text = text.replace(OPEN, " ").replace(CLOSE, " ")
    if all(numeral(option) for option in options):
        text, options = digits(text), [digits(option) for option in options]
    if len(text) <= 3 * max(map(len, options)) + 60:
        plain, core = _plain(text), _core(text)
        exact = [i for i, o in enumerate(options) if _plain(o) in (plain, core)]
        if len(exact) == 1:
            return True, exact[0]
    every = _mentions(text, options)
    ruled = _ruled_out(text, every)
    found = [label for label, out in zip(every, ruled, strict=True) if not out]
    named = {label.option for label in found}
    if len(named) == 1:
        return True, None if _hedged(text, options, found[0].option) else found[0].option
    if not named:
        left = set(range(len(options))) - {label.option for label in every}
        return bool(every), left.pop() if every and len(left) == 1 else None
    for spans in (sentences(text), _clauses(text)):
        start, stop = next(s for s in spans if s[1] >= found[-1].end)
        here = {label.option for label in found if start <= label.start < stop}
        if len(here) == 1 and CONCLUSION.search(text, start, stop):
            return True, found[-1].option
    asserted = [f for f in found if _ASSERTED.search(text[max(0, f.start - 60) : f.start])]
    if len({f.option for f in asserted}) == 1:
        start, stop = next(s for s in _clauses(text) if s[1] >= asserted[-1].end)
        if {f.option for f in found if start <= f.start < stop} == {asserted[-1].option}:
            return True, asserted[-1].option
    return True, None


def _hedged(text: str, options: Sequence[str], named: int) -> bool:
    """Whether "either ... or" offers another option than the named one, if by a part of it."""
    offered = _EITHER.search(text)
    said = stems(offered.group(1)) | stems(offered.group(2)) if offered else frozenset()
    return any(
        stems(option) & said - stems(options[named])
        for index, option in enumerate(options)
        if index != named
    )


def _clauses(text: str) -> list[tuple[int, int]]:
    """Spans between commas, stops and words of contrast."""
    cuts = [match.end() for match in _CLAUSE_END.finditer(text)]
    return list(zip([0, *cuts], [*cuts, len(text)], strict=True))


def nearest_option(text: str, options: Sequence[str]) -> int | None:
    """Return the index of the option that a short answer means without naming it exactly.

    An answer that is a part of one option's words only ("fox" where the options are "red fox",
    "owl" ...), or the opening of one of its words, is that option. So is one with all the words of
    one option in another order or form ("walks his dog"). Otherwise the option with the smallest
    Levenshtein distance: none if two are equally near, or if even the nearest is farther than
    :data:`LARGEST_DISTANCE`, as a whole or word by word.
    """
    if all(numeral(option) for option in options):
        return None
    longest = max(map(len, options), default=0)
    if len(text) > 3 * longest + 80:
        return None
    core = _core(text)
    plain = [_plain(option) for option in options]
    if not core:
        return None
    joined = [i for i, o in enumerate(plain) if o and o.replace(" ", "") == core.replace(" ", "")]
    if len(joined) == 1:
        return joined[0]
    parts = [i for i, option in enumerate(plain) if f" {core} " in f" {option} "]
    if len(parts) == 1 and len(core) > 2:
        return parts[0]
    opened = [i for i, option in enumerate(plain) if len(core) > 3 and f" {core}" in f" {option}"]
    if len(opened) == 1:
        return opened[0]
    said = stems(core)
    worded = [i for i, option in enumerate(plain) if stems(option) and stems(option) <= said]
    if worded:
        most = max(worded, key=lambda i: len(stems(plain[i])))
        # One stem may be said in passing ("a dog house"), unless nothing else is.
        single = len(stems(plain[most])) == 1 and len(said) > 1
        nested = all(stems(plain[i]) <= stems(plain[most]) for i in worded)
        return most if nested and not single else None
    if len(core) > 2 * longest + 10:
        return None
    distances = [Levenshtein.distance(core, option) for option in plain]
    best = min(distances)
    nearest = [i for i, distance in enumerate(distances) if distance == best]
    if len(nearest) > 1 or not _near(core, plain[nearest[0]]):
        return None
    return nearest[0]


def _near(core: str, option: str) -> bool:
    """Whether two plain texts can be one, misspelt: as a whole and, if they have as many words,
    word by word. An opposite ("unhappy", "happy") cannot."""
    if core.endswith(option) and core[: -len(option)].strip() in _OPPOSITES:
        return False
    pairs = [(core, option)]
    if core.count(" ") == option.count(" ") > 0 and 4 * Levenshtein.distance(*pairs[0]) > len(core):
        pairs += zip(core.split(), option.split(), strict=True)
    for one, other in pairs:
        longest = max(len(one), len(other))
        allowed = LARGEST_DISTANCE if longest >= 5 else 1 / 4
        if Levenshtein.distance(one, other) > allowed * longest:
            return False
    return True
