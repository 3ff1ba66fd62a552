"""Option letters that occur in an answer.

Letters count in brackets or bold, after "option", before or behind their own option's text, and as
capitals that stand alone. A letter inside a word, an article ("A nice cat"), a letter that is ruled
out ("not (A)") and a list of options that is merely repeated do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lvlmbench.stages.score.cleaning import sentences
from lvlmbench.stages.score.near import merged, occurrences
from lvlmbench.stages.score.wording import CONCLUSION, ruled_out

#: A letter that stands for an option: bracketed, quoted, a lone capital, or a lone small letter
#: before punctuation. "A" and "I" are words too: they need something after them that a word
#: would not have.
LETTER = (
    r"(?:[(\[{<]\s?(?P<b>[A-Za-z])\s?[)\]}>]"
    r"|[\"'「](?P<q>[A-Za-z])[).]?[\"'」]"
    r"|(?P<c>[B-HJ-Z])(?![A-Za-z0-9_\u00c0-\u024f&+]|-\w|'(?![dt][i\u0131uü]r))"
    r"|(?P<a>[AI])(?=[\u3040-\u9fff\uac00-\ud7af]|\s*(?:[.,:;!?)\]*\"]|$|\n"
    r"| (?:because|since|as|which|based|for|given)\b))"
    r"|(?P<s>[a-z])(?=\s*(?:[.):;!?](?!\w)|$|\n)))"
)
#: Any letter that no other stands beside, but for articles and pronouns before a word.
_LONE = re.compile(
    r"\b(?:[B-HJ-Zb-hj-z](?<!\w'[a-z])|[AIai](?! [a-z]{2})"
    r"|[AIai](?= (?:is|seems|looks|appears|would|must|or|and|because|since|as|which|based|for|given"
    r"|matches|fits|describes|it)\b))\b",
    re.A,
)
#: How far before and behind a letter lies what makes it an answer.
_REACH = 160
BRACKETED = re.compile(r"[(\[{]\s?([A-Z])\s?[)\]}]|[(\[]\s?([a-z])\s?[)\]](?!\w)")
_NAMED = re.compile(
    r"(?:\b|(?<![A-Za-z]))"
    r"(?:option|choice|letter|opci[oó]n|opç[aã]o|вариант|选项|選項|選択肢)\s*[:#]?\s*[\"'(]?"
    r"(?:([B-Zb-z])(?![A-Za-z0-9_\u00c0-\u024f])"
    r"|([Aa])(?=\s*(?:[.,:;!?)\"']|$|\n|\s(?:is|because|since|as|matches)\b)))",
    re.I,
)
_CAPITAL = re.compile(
    r"(?<![\w'&+-])(?:([B-HJ-Z])|([AI])(?=\s*(?:[.,:;!?)/]|$)|\s+(?:or|and)\s+\(?[B-HJ-Z]\b))"
    r"(?![A-Za-z0-9_\u00c0-\u024f'&+]|-\w)",
    re.M,
)
_LETTER_BEFORE = re.compile(
    r"(?<![\w'])[(\[]?(?:([A-Z])([)\].:,]*)|([a-z])[)\].:]+)\s*[-:]?\s*[\"']?$"
)
_LETTER_BEHIND = re.compile(r"[\"']?\s*[(\[]([A-Z])[)\]]")
_SEPARATOR = re.compile(r"[\s,;/|.&)\]]*(?:\b(?:or|and|ou|oder|y|vs)\b|或|和)?[\s(\[]*")
#: Words after which a capital is no option: vitamin C, plan B.
_NAMESAKE = re.compile(
    r"\b(?:vitamins?|plan|class|grade|type|hepatitis|figure|section|group|team|size|appendix|part"
    r"|terminal|gate|exhibit|row|channel|in|key of|note|mr\.?|mrs\.?|dr\.?)\s*$",
    re.I,
)


@dataclass(frozen=True)
class Found:
    """A letter at a place of the text; ``index`` None where it is no option's letter."""

    start: int
    end: int
    index: int | None
    strong: bool = False


def letter_index(letter: str, n: int) -> int | None:
    """Return index of the option with a letter; None where none of the ``n`` has it."""
    index = ord(letter.upper()) - ord("A")
    return index if 0 <= index < n else None


@lru_cache(maxsize=4)
def letter_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the stretches in which letters stand alone; the patterns look nowhere else."""
    places = (match.start() for match in _LONE.finditer(text))
    return tuple(merged(places, len(text), _REACH, _REACH))


def matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield a pattern's matches where letters stand alone."""
    for start, end in letter_spans(text):
        yield from pattern.finditer(text, start, end)


def _pairs(text: str, options: Sequence[str]) -> list[Found]:
    """Letters with their own option's text: "(B) red fox", "B. red fox", "B red fox", "red fox
    (B)"."""
    lower = text.lower()
    if len(lower) != len(text):  # a few capitals have small forms of two characters
        lower = text
    found = []
    for index, option in enumerate(options):
        letter = chr(ord("A") + index)
        for at in occurrences(lower, option.lower()):
            end = at + len(option)
            if text[end : end + 1].isalnum() or (len(option) < 3 and text[at:end] != option):
                continue
            before = _LETTER_BEFORE.search(text, max(0, at - 12), at)
            own = before and (before.group(1) or before.group(3)).upper() == letter
            # "A red car" does not choose A, red.
            if before and own and (letter not in "AI" or before.group(2) or before.group(3)):
                found.append(Found(before.start(), end, index))
            behind = _LETTER_BEHIND.match(text, end)
            if behind and behind.group(1) == letter and not text[at - 1 : at].isalnum():
                found.append(Found(at, behind.end(), index))
    return sorted(found, key=lambda f: f.start)


def without_lists(text: str, found: list[Found]) -> list[Found]:
    """Drop letters of an enumeration: two or more different ones with only separators between."""
    kept: list[Found] = []
    run: list[Found] = []
    for item in found:
        between = text[run[-1].end : item.start] if run else ""
        if run and _SEPARATOR.fullmatch(between):
            run.append(item)
            continue
        if len({f.index for f in run}) == 1:
            kept += run
        run = [item]
    if len({f.index for f in run}) == 1:
        kept += run
    return kept


def mentions(text: str, options: Sequence[str]) -> list[Found]:
    """Return letters in brackets, after "option" or with their option's text, by place."""
    n = len(options)
    found = _pairs(text, options)
    covered = bytearray(len(text))
    for pair in found:
        covered[pair.start : pair.end] = b"\1" * (pair.end - pair.start)

    def add(match: re.Match[str], letter: str) -> None:
        start, end = match.span()
        index = letter_index(letter, n)
        if index is None or any(covered[start:end]):
            return
        covered[start:end] = b"\1" * (end - start)
        found.append(Found(start, end, index))

    for match in matches(BRACKETED, text):
        add(match, match.group(1) or match.group(2))
    for match in matches(_NAMED, text):
        add(match, match.group(1) or match.group(2))
    return sorted(found, key=lambda f: f.start)


def _capitals(text: str, n: int) -> list[Found]:
    found = []
    for match in matches(_CAPITAL, text):
        index = letter_index(match.group(1) or match.group(2), n)
        before = text[max(0, match.start() - 20) : match.start()]
        if index is not None and not _NAMESAKE.search(before):
            found.append(Found(*match.span(), index))
    return found


def _decide(text: str, found: list[Found]) -> tuple[bool, int | None]:
    """(decided, index) of mentions: a single letter, or the one that a closing sentence names."""
    if not found:
        return False, None
    listed = without_lists(text, found)
    valid = [f for f in listed if not ruled_out(text, f.start, f.end)]
    if not valid:
        return bool(listed != found or listed), None
    if len({f.index for f in valid}) == 1:
        return True, valid[0].index
    last = valid[-1]
    start, stop = next(s for s in sentences(text) if s[1] >= last.end)
    here = {f.index for f in valid if start <= f.start < stop}
    closing = not text[stop:].strip() and stop - start <= last.end - last.start + 12
    if len(here) == 1 and (closing or CONCLUSION.search(text, start, stop)):
        return True, last.index
    return True, None


def mentioned_letter(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """Return (decided, index) by letters that merely occur in a cleaned text."""
    if not letter_spans(text):
        return False, None
    decided, index = _decide(text, mentions(text, options))
    if decided:
        return decided, index
    return _decide(text, _capitals(text, len(options)))
