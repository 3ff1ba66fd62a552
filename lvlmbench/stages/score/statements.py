"""Which option letter an answer states to be its choice: a boxed letter, "the answer is (B)", "I
choose B", "(B) is correct", a line that is nothing but a letter, an answer that opens with "B."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lvlmbench.stages.score.cleaning import CLOSE, OPEN
from lvlmbench.stages.score.letters import (
    AND_OR,
    AT_END,
    BRACKETED,
    LETTER,
    Found,
    letter_index,
    letter_spans,
    matches,
    mentions,
    without_lists,
)
from lvlmbench.stages.score.near import near_words
from lvlmbench.stages.score.wording import (
    ANNOUNCE,
    ANNOUNCING,
    AT_FIRST,
    CALLED_RIGHT,
    CHOOSE,
    CONCLUDED,
    CORRECTION,
    LINK,
    NONE_FITS,
    RETRACTION,
    ruled_out,
)

_BOX = re.compile(rf"{OPEN}([^{CLOSE}]*){CLOSE}")
_BOXED_LETTER = re.compile(r"^\W*([A-Za-z])(?:\W.*)?$", re.S)
_BOXED_LETTERS = re.compile(r"^\W*[A-Za-z]\s*[,/&]\s*[A-Za-z]\W*$")
_STATED = re.compile(
    rf"(?<![A-Za-z])(?P<strong>[Ff](?i:inal)[ \t]+)?(?i:{ANNOUNCE}{LINK}|{CHOOSE})"
    rf"[ \t\[]*{LETTER}"
)
_CONCLUDED = re.compile(
    rf"(?<![A-Za-z])(?i:{CONCLUDED}){LETTER}(?=\W*(?:$|\n)| it is\b|\s?(?:です|だ|である|입니다))",
    re.M,
)
#: "B. The answer is", "(B). The", "B: C".
_BARE = re.compile(
    r"\W*(?:([A-Z])[\])]?\.|\(([A-Z])\)\.)\s+(?=[\"'(]*[A-Z])|([A-Z]):\s+(?=\W*[A-Z]\W*$)"
)
_ENUMERATED = re.compile(r"[^\w\n]{0,6}([A-Z])(?:[).:\]]|\s?-\s)")
_ALSO = re.compile(rf"(?:[\])]?\s*(?:[,;/&+、]|\n\s*[-*\u2022]|{AND_OR})){{1,2}}\s*{LETTER}", re.I)
_AS_WELL = re.compile(r"\b(?:also|too|equally|as well|likewise)\b", re.I)
_IF = re.compile(r"\s+(?:if|only if|were|wenn|si|se|если)\b", re.I)
_JOINED = re.compile(r"(?:\band\b|\bund\b|\bet\b|\by\b|\bи\b|[和与])\s*[(\[]?$", re.I)
_ALONE = re.compile(r"^\W*(?:(?:option|choice|letter|answer)\b\W*)?([A-Za-z])\W*$", re.I)
_OPENING = re.compile(
    r"^\s*[\"'(\[]?(?:([A-Z])[\])]?(?:[.):]|\s?-|,)(?=\s|$)|([a-z])[\])][.:]?(?=\s|$))"
)
_CAPITAL = re.compile(r"(?<![\w'])([A-Z])(?![\w'])")
_WORD = re.compile(r"[A-Za-z]{2}")
_SENTENCE_END = re.compile(r"[.!?]\s")
_ONE_LETTER = re.compile(r"\W*[A-Z]\W*")


def announced(text: str, options: Sequence[str]) -> set[int]:
    """Return the options whose letters are announced, concluded with, boxed or the last word."""
    if not letter_spans(text):
        return set()
    n = len(options)
    said = [match for match in _announcements(text) if "\n" not in match.group()]
    found = [letter_index(_letter(match), n) for match in said]
    found += [letter_index(_letter(match), n) for match in matches(_CONCLUDED, text)]
    boxes = (_BOXED_LETTER.match(match.group(1)) for match in _BOX.finditer(text))
    found += [letter_index(inner.group(1), n) for inner in boxes if inner]
    found += [closing.index for closing in _closing(text, n)]
    return {index for index in found if index is not None}


def _letter(match: re.Match[str], names: str = "bqcas") -> str:
    return next(found for name in names if (found := match.group(name)))


#: The end that prompts ask for: the letter in parentheses, a sentence of its own or behind a colon.
_CLOSING = re.compile(
    r"(?:^|[.!?:\u2026]\s*|\n\s*)(?:[^\W\d]{2,12}[\s,]+){0,2}\(([A-Z])\)[.\s\"']*$"
)


def _closing(text: str, n: int) -> list[Found]:
    """The letter that a text ends with, if it is not the last of a numbered list."""
    match = _CLOSING.search(text)
    if not match or not match.start() or text[match.start() - 1].isdigit():
        return []
    if ruled_out(text, *match.span(1)):
        return []
    return [Found(match.start(1), match.end(), letter_index(match.group(1), n))]


def _statements(text: str, options: Sequence[str]) -> list[Found]:
    n = len(options)
    found = []
    for match in _BOX.finditer(text) if OPEN in text else ():
        inner = _BOXED_LETTER.match(match.group(1))
        if inner:
            several = _BOXED_LETTERS.match(match.group(1))
            index = None if several else letter_index(inner.group(1), n)
            found.append(Found(match.start(), match.end(), index, strong=True))
    for match in _announcements(text):
        index = letter_index(_letter(match), n)
        also = _ALSO.match(text, match.end())
        if also and letter_index(_letter(also), n) not in (None, index):
            index = None
        strong = bool(match.group("strong"))
        found.append(Found(match.start(), match.end(), index, strong))
    for match in matches(_CONCLUDED, text):
        found.append(Found(match.start(), match.end(), letter_index(_letter(match), n)))
    for pattern in (BRACKETED, _CAPITAL):
        for match in matches(pattern, text):
            called = CALLED_RIGHT.match(text, match.end())
            if called and not ruled_out(text, *match.span()) and not _unreal(text, called):
                letter = next(group for group in match.groups() if group)
                index = None if _AS_WELL.search(called.group()) else letter_index(letter, n)
                found.append(Found(*match.span(), index))
    found += _closing(text, n)
    listed = _enumeration(text, n)
    found = [f for f in found if not listed & set(range(f.end - 2, f.end + 1))]
    found += _lone_lines(text, n)
    if not found and not listed:
        found += _opening(text, options)
    elif found and not listed and not _explained(text, found):
        found += _bare_opening(text, options)
    return sorted(found, key=lambda f: (f.end, f.start))


def _unreal(text: str, called: re.Match[str]) -> bool:
    """Whether a letter is called right under a condition, or none is."""
    start = max(text.rfind(". ", 0, called.start()), text.rfind("\n", 0, called.start())) + 1
    return _IF.match(text, called.end()) is not None or NONE_FITS.search(
        text[start : called.start()]
    )


def _announcements(text: str) -> Iterator[re.Match[str]]:
    """Matches of what announces a letter: near lone letters or near its own words, wherever there
    is less to search."""
    spans: Sequence[tuple[int, int]] = letter_spans(text)
    if text.isascii() and len(text) > 500:
        announcing = near_words(text, ANNOUNCING, before=40, after=160)
        spans = min(spans, announcing, key=lambda those: sum(end - start for start, end in those))
    for start, end in spans:
        yield from _STATED.finditer(text, start, end)


def _lone_lines(text: str, n: int) -> list[Found]:
    """The first and the last line, where they are nothing but a letter; the last is final."""
    first = text.partition("\n")[0]
    at = text.rfind("\n") + 1
    found = []
    for start, line in ((0, first), (at, text[at:]))[: 2 if at else 1]:
        alone = _ALONE.match(line)
        if alone:
            final = start > 0 and not _WORD.search(line)
            index = letter_index(alone.group(1), n)
            before = _ALONE.match(text[:start].rstrip("\n").rpartition("\n")[2]) if start else None
            if before and before.group(1).upper() != alone.group(1).upper():
                index = None  # the last of a list
            found.append(Found(start, start + len(line), index, strong=final))
    return found


def _enumeration(text: str, n: int) -> set[int]:
    """Places of the letters that open lines, if two options or more are gone through so."""
    if "\n" not in text:
        return set()
    opens: dict[int, str] = {}
    start = 0
    for line in text.split("\n"):
        match = _ENUMERATED.match(line)
        if match and letter_index(match.group(1), n) is not None:
            opens[start + match.start(1)] = match.group(1)
        start += len(line) + 1
    return set(opens) if len(set(opens.values())) > 1 else set()


def _explained(text: str, found: Sequence[Found]) -> bool:
    """Whether what is stated stands behind a sentence that explains."""
    opening = _BARE.match(text)
    first = min(each.start for each in found)
    return opening is not None and _SENTENCE_END.search(text, opening.end(), first) is not None


def _bare_opening(text: str, options: Sequence[str]) -> list[Found]:
    """The letter of "B. The answer is ...", which the rest must bear out."""
    match = _BARE.match(text)
    if not match:
        return []
    index = letter_index(next(letter for letter in match.groups() if letter), len(options))
    if index is None or text[match.end() :].lower().startswith(options[index].lower()):
        return []
    return [Found(0, match.end(), index)]


def _opening(text: str, options: Sequence[str]) -> list[Found]:
    """A letter that opens the answer ("B. because ..."), unless a list of letters follows."""
    match = _OPENING.match(text)
    if not match or ruled_out(text, *match.span()):
        return []
    said = mentions(text, options)
    if any(f.start <= match.end() for f in set(said) - set(without_lists(text, said))):
        return []
    index = letter_index(match.group(1) or match.group(2), len(options))
    also = _ALSO.match(text, match.end() - (text[match.end() - 1] == ","))
    if also and letter_index(_letter(also), len(options)) not in (None, index):
        index = None
    rest = text[match.end() :].strip()
    if any(f.index != index and _joined(text, f) for f in said):
        index = None
    # What opens an answer is not what it comes to, if another letter is what it turns to.
    later = [f for f in said if f.start > match.end() and f.index != index]
    later = [f for f in later if f.index is not None and not ruled_out(text, f.start, f.end)]
    if later and CORRECTION.search(text, match.end(), later[-1].start):
        ends = len(text) - later[-1].end <= AT_END
        return [Found(later[-1].start, later[-1].end, later[-1].index if ends else None)]
    own = index is not None and rest.lower().startswith(options[index].lower())
    same = index is not None and rest.strip(" ()[].") == chr(ord("A") + index)
    if not own and not same and _ONE_LETTER.fullmatch(rest):
        index = None
    return [Found(0, match.end(), index)]


def _joined(text: str, found: Found) -> bool:
    """Whether "and" stands before a letter that nothing denies: it is said to be right, too."""
    if text[found.start].islower():  # its text first, then its letter: a remark
        return False
    joined = _JOINED.search(text, max(0, found.start - 20), found.start)
    return joined is not None and not ruled_out(text, found.start, found.end)


def _final(text: str, found: Sequence[Found]) -> tuple[bool, int | None]:
    """(decided, index) of statements: the last one counts if it agrees with those before, takes
    them back, or is marked as final while they are not."""
    if not found:
        return False, None
    valid = [f for f in found if f.index is not None]
    if not valid:
        return True, None
    last = found[-1]
    if last.index is None:
        return True, None
    others = [f for f in valid if f.index != last.index]
    if not others:
        return True, last.index
    if last.strong and not any(f.strong for f in others):
        alone = all(len(line.strip(" ().*")) < 2 for line in text.split("\n"))
        return True, None if alone else last.index
    if last.strong and last.index != others[-1].index and others[-1].strong:
        taken_back = RETRACTION.search(text[others[-1].end : last.end])
        return True, last.index if taken_back else None
    if CORRECTION.search(text, others[-1].end, last.end) or AT_FIRST.search(text[: others[-1].end]):
        return True, last.index
    return True, None


def stated_letter(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """Return (decided, index) by explicit statements in a cleaned text.

    ``decided`` with index None: letters are stated, but they contradict each other or are no
    option's.
    """
    if not letter_spans(text):
        return False, None
    return _final(text, _statements(text, options))
