"""Option letters that occur in an answer.

Letters count in brackets or bold, after "option", before or behind their own option's text, and as
capitals that stand alone. A letter inside a word, an article ("A nice cat"), a letter that is ruled
out ("not (A)") and a list of options that is merely repeated do not.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from lvlmbench.stages.score.cleaning import sentences
from lvlmbench.stages.score.near import merged, occurrences
from lvlmbench.stages.score.wording import AT_FIRST, CONCLUSION, CORRECTION, HEDGES, ruled_out

#: Words between two letters that are both meant, or one of them.
AND_OR = (
    r"(?:\b(?:n?or|and|as well as|along with|together with|plus|also|und|oder|sowie|et|ou|y|o|u|e"
    r"|ed|of|en|och|eller|og|tai|ja|vagy|és|sau|și|atau|dan|hoặc"
    r"|и|или|oraz|lub|ve|veya|và)\b(?: also\b| auch\b)?"
    r"|或者|或|和|以及|及|と|または|また|그리고|또는|와|과)"
)
#: A letter that stands for an option: bracketed, quoted, a lone capital, or a lone small letter
#: before punctuation. "A" and "I" are words too: they need something after them that a word
#: would not have.
LETTER = (
    r"(?:[(\[{<]\s?(?P<b>[A-Za-z])\s?[)\]}>]"
    r"|[\"'「](?P<q>[A-Za-z])[).]?[\"'」]"
    r"|(?P<c>[B-HJ-Z])(?![A-Za-z0-9_\u00c0-\u024f&+]|-\w|'(?![dt][i\u0131uü]r))"
    r"|(?P<a>[AI])(?=[\u3001\u3002\u3040-\u9fff\uac00-\ud7af]|\s*(?:[.,:;!?)\]*\"]|$|\n"
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
    r"|([Aa])(?=\s*(?:[.,:;!?)\"']|$|\n|\s(?:is|because|since|as|matches|n?or|and)\b)))",
    re.I,
)
_CAPITAL = re.compile(
    r"(?<![A-Za-z0-9_\u00c0-\u04ff'&+-])(?:([B-HJ-Z])|([AI])(?=\s*(?:[.,:;!?)/]|$)|\s*"
    rf"(?:{AND_OR}|[&+/])"
    r"\s*\(?[B-HJ-Z](?![A-Za-z0-9])))"
    r"(?![A-Za-z0-9_\u00c0-\u024f'&+]|-\w)",
    re.M,
)
_LETTER_BEFORE = re.compile(
    r"(?<![\w'])[(\[]?(?:([A-Z])([)\].:,]*)|([a-z])[)\].:]+)\s*[-:]?\s*[\"']?$"
)
_LETTER_BEHIND = re.compile(r"[\"']?\s*[(\[]([A-Z])[)\]]")
_SEPARATOR = re.compile(rf"[\s,;/|.&)\]、]*(?P<last>{AND_OR}|\bvs\b)?[\s(\[]*", re.I)
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
    ended = False
    for item in found:
        gap = _SEPARATOR.fullmatch(text, run[-1].end, item.start) if run else None
        # What a full stop parts from an enumeration that "or" has ended is no part of it.
        parted = "." in gap.group() if gap else False
        if gap and not (parted and (ended or ruled_out(text, run[-1].start, run[-1].end))):
            run.append(item)
            ended = ended or gap.group("last") is not None
            continue
        ended = False
        if len({f.index for f in run}) == 1:
            kept += run
        run = [item]
    if len({f.index for f in run}) == 1:
        kept += run
    return kept


_LISTED = re.compile(r"\W*(?:\d{1,2}[.)]\s*)?[(\[]?([A-Z])[)\]]?[.:]?(?=\W|$)")
_ASSIGNED = re.compile(r"(?<![\w'])\(?([A-Z])\)?\s?[:=]")


def lists_several(text: str, options: Sequence[str]) -> bool:
    """Return whether a text is a list of several options, but not of all, one a line: each with
    its letter, and its text or nothing; or of all letters. A line with a colon may introduce it."""
    if text[:9].isupper() and "".join(filter(str.isalnum, text)) in string.ascii_uppercase:
        return len({*filter(str.isalnum, text)}) == len(options) > 1
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and lines[0].rstrip().endswith(":"):
        del lines[0]
    letters = set()
    for line in lines[:27]:
        match = _LISTED.match(line)
        index = match and letter_index(match.group(1), len(options))
        rest = line[match.end() :].strip(" .,:;-") if match else line
        if index is None or rest.lower() not in ("", options[index].lower()):
            return False
        letters.add(index)
    return 1 < len(letters) == len(lines) and (len(letters) < len(options) or len(options) == 2)


def goes_through(text: str, options: Sequence[str]) -> bool:
    """Return whether most lines of a text begin with letters of different options, or letters of
    different options stand before a colon or an equals sign.

    What such a list says of each option could not be read, so that no letter in it is a choice.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    found = [_LISTED.match(line) for line in lines] if 1 < len(lines) <= 40 else []
    letters = [m[1] for m in found if m and letter_index(m[1], len(options)) is not None]
    if len(set(letters)) > 1 and 2 * len(letters) > len(lines):
        return True
    return len(set(_ASSIGNED.findall(text)) & {chr(65 + n) for n in range(len(options))}) > 1


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


#: Characters behind the last letter of an answer that ends with it.
AT_END = 24
_JOINED = re.compile(
    r"[\s,()\[\]]*(?:(?P<or>\b(?:or|and|nor|neither|ni|weder|noch)\b|和|或)[\s,(\[]*)?", re.I
)


def _all_ruled_out(text: str, found: Sequence[Found]) -> bool:
    """Whether all letters are ruled out, by themselves or within a list ("neither A nor B")."""
    out = _ruled_out(text, found)
    for at, (one, other) in reversed(list(enumerate(pairwise(found)))):
        out[at] |= out[at + 1] and _JOINED.fullmatch(text[one.end : other.start]) is not None
    return all(out)


def _ruled_out(text: str, found: Sequence[Found]) -> list[bool]:
    """For each letter whether it is ruled out, by itself or as part of a list that is ("not A, B
    or C")."""
    out = [ruled_out(text, each.start, each.end) for each in found]
    gaps = [_JOINED.fullmatch(text[a.end : b.start]) for a, b in pairwise(found)]
    for at, gap in enumerate(gaps):
        # A bare comma goes on with a list only if "or" or "and" ends it.
        rest = (each for each in gaps[at:] if each is None or each.group("or"))
        if gap is not None and next(rest, None) is not None:
            out[at + 1] |= out[at]
    return out


#: Behind a letter: it is asked about.
_ASKED = re.compile(r"[)\]\"']*\s?\?")


def _decide(text: str, found: list[Found]) -> tuple[bool, int | None]:
    """(decided, index) of mentions: a single letter, or the one that a closing sentence names."""
    if not found:
        return False, None
    found = [each for each in found if not _ASKED.match(text, each.end)]
    listed = without_lists(text, found)
    valid = [f for f, out in zip(listed, _ruled_out(text, listed), strict=True) if not out]
    if not valid:
        return bool(listed != found or listed or not found), None
    if len({f.index for f in valid}) == 1:
        return True, valid[0].index
    last = valid[-1]
    start, stop = next(s for s in sentences(text) if s[1] >= last.end)
    if AT_FIRST.search(text, 0, valid[0].end) and CORRECTION.search(text, valid[0].end, last.start):
        return True, last.index
    others = [f for f in valid if f.index != last.index]
    gap = text[others[-1].end : last.start]
    turns = CORRECTION.search(gap) or CONCLUSION.search(gap)
    if len(text) - last.end <= AT_END and turns and not HEDGES.search(gap):
        return True, last.index
    here = {f.index for f in valid if start <= f.start < stop}
    closing = not text[stop:].strip() and stop - start <= last.end - last.start + 12
    if len(here) == 1 and (closing or CONCLUSION.search(text, start, stop)):
        return True, last.index
    return True, None


_MAY_RULE_OUT = re.compile(
    r"\bno[rt]\b|n't\b|neither|wrong|incorrect|rul(?:e|ing)|elimin|exclud|dismiss|[^\x00-\x7f]",
    re.I,
)


def left_over(text: str, options: Sequence[str]) -> int | None:
    """Return the only option whose letter is not ruled out, where all others are and no letter is
    chosen: "neither A nor B nor D" of four."""
    if len(options) < 3 or not letter_spans(text) or not _MAY_RULE_OUT.search(text):
        return None
    found = mentions(text, options)
    inside = {at for each in found for at in range(each.start, each.end)}
    found += [each for each in _capitals(text, len(options)) if each.start not in inside]
    found.sort(key=lambda each: each.start)
    left = {*range(len(options))} - {each.index for each in found}
    return left.pop() if len(left) == 1 and _all_ruled_out(text, found) else None


def mentioned_letter(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """Return (decided, index) by letters that merely occur in a cleaned text."""
    if not letter_spans(text):
        return False, None
    found = mentions(text, options)
    decided, index = _decide(text, found)
    if decided and index is None and {f.index for f in found} == {*range(len(options))}:
        # All are gone through; what follows may name one.
        end = found[-1].end
        rest = [f for f in _capitals(text, len(options)) if f.start >= end]
        if len({f.index for f in rest}) == 1 and not ruled_out(text, rest[0].start, rest[0].end):
            return True, rest[0].index
    if decided:
        return decided, index
    return _decide(text, _capitals(text, len(options)))
