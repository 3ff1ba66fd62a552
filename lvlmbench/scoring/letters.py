"""Which option letter an answer states.

Evidence comes in two ranks. *Statements* say that a letter is the answer (a boxed letter, "the
answer is (B)", "I choose B", a line that is nothing but a letter). Without any, *mentions* count:
letters in brackets or bold, "option B", a letter followed by its own option's text, capitals that
stand alone. A letter inside a word, an article ("A nice cat"), a letter that is ruled out ("not
(A)") and a list of options that is merely repeated are neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.scoring.cleaning import CLOSE, OPEN, sentences
from lvlmbench.scoring.wording import (
    ANNOUNCE,
    CALLED_RIGHT,
    CHOOSE,
    CONCLUDED,
    CONCLUSION,
    CORRECTION,
    LINK,
    NEGATED_AFTER,
    NEGATED_BEFORE,
    RETRACTION,
)

#: A letter that stands for an option: bracketed, quoted, a lone capital, or a lone small letter
#: before punctuation. "A" and "I" are words too: they need something after them that a word
#: would not have.
_LETTER = (
    r"(?:[(\[{<]\s?(?P<b>[A-Za-z])\s?[)\]}>]"
    r"|[\"'「](?P<q>[A-Za-z])[).]?[\"'」]"
    r"|(?P<c>[B-HJ-Z])(?![A-Za-z0-9_\u00c0-\u024f&+]|-\w|'(?![dt][i\u0131uü]r))"
    r"|(?P<a>[AI])(?=[\u3040-\u9fff\uac00-\ud7af]|\s*(?:[.,:;!?)\]*\"]|$|\n"
    r"| (?:because|since|as|which|based|for|given)\b))"
    r"|(?P<s>[a-z])(?=\s*(?:[.):;!?](?!\w)|$|\n)))"
)
_STATED = re.compile(
    r"(?P<strong>\b[Ff](?i:inal)[ \t]+)?"
    rf"(?i:(?:\b|(?<=\W)|(?<![A-Za-z])){ANNOUNCE}{LINK}|{CHOOSE})[ \t\[]*{_LETTER}"
)
_CONCLUDED = re.compile(rf"(?i:{CONCLUDED}){_LETTER}(?=\W*(?:$|\n)| it is\b)", re.M)
_BARE = re.compile(r"\W*(?:([A-Z])[\])]?\.|\(([A-Z])\)\.?)\s+(?=\S)|([A-Z]):\s+(?=\W*[A-Z]\W*$)")
_ENUMERATED = re.compile(r"^[^\w\n]{0,6}([A-Z])(?:[).:\]]|\s?-\s)", re.M)
_ALSO = re.compile(rf"\s*(?:,|/|&|\+|\bor\b|\band\b|或|和|\bou\b|\boder\b|\by\b)\s*{_LETTER}", re.I)
_ALONE = re.compile(r"^\W*(?:(?:option|choice|letter|answer)\b\W*)?([A-Za-z])\W*$", re.I)
_OPENING = re.compile(
    r"^\s*[\"'(\[]?(?:([A-Z])[\])]?(?:[.):]|\s?-|,)(?=\s|$)|([a-z])[\])][.:]?(?=\s|$))"
)
_BRACKETED = re.compile(r"[(\[{]\s?([A-Z])\s?[)\]}]|[(\[]\s?([a-z])\s?[)\]](?!\w)")
_NAMED = re.compile(
    r"(?:\b|(?<![A-Za-z]))(?:option|choice|letter|opci[oó]n|opç[aã]o|вариант|选项|選項|選択肢)\s*[:#]?\s*[\"'(]?"
    r"(?:([B-Zb-z])(?![A-Za-z0-9_\u00c0-\u024f])|([Aa])(?=\s*(?:[.,:;!?)\"']|$|\n|\s(?:is|because|since|as|matches)\b)))",
    re.I,
)
_CAPITAL = re.compile(
    r"(?<![\w'&+-])(?:([B-HJ-Z])|([AI])(?=\s*(?:[.,:;!?)/]|$)|\s+(?:or|and)\s+\(?[B-HJ-Z]\b))"
    r"(?![A-Za-z0-9_\u00c0-\u024f'&+]|-\w)",
    re.M,
)
_SEPARATOR = re.compile(r"[\s,;/|.&)\]]*(?:\b(?:or|and|ou|oder|y|vs)\b|或|和)?[\s(\[]*")
#: Words after which a capital is no option: vitamin C, plan B.
_NAMESAKE = re.compile(
    r"\b(?:vitamins?|plan|class|grade|type|hepatitis|figure|section|group|team|size|appendix|part"
    r"|terminal|gate|exhibit|row|channel|in|key of|note|mr\.?|mrs\.?|dr\.?)\s*$",
    re.I,
)


@dataclass(frozen=True)
class _Found:
    """A letter at a place of the text; ``index`` None where it is no option's letter."""

    start: int
    end: int
    index: int | None
    strong: bool = False


def _index(letter: str, n: int) -> int | None:
    index = ord(letter.upper()) - ord("A")
    return index if 0 <= index < n else None


def _groups(match: re.Match[str], names: str = "bqcas") -> str:
    return next(found for name in names if (found := match.group(name)))


def _negated(text: str, start: int, end: int) -> bool:
    return bool(
        NEGATED_BEFORE.search(text[max(0, start - 60) : start]) or NEGATED_AFTER.match(text, end)
    )


def _statements(text: str, options: Sequence[str]) -> list[_Found]:
    n = len(options)
    found = []
    for match in re.finditer(rf"{OPEN}([^{CLOSE}]*){CLOSE}", text):
        inner = re.match(r"^\W*([A-Za-z])(?:\W.*)?$", match.group(1), re.S)
        if inner:
            several = re.match(r"^\W*[A-Za-z]\s*[,/&]\s*[A-Za-z]\W*$", match.group(1))
            index = None if several else _index(inner.group(1), n)
            found.append(_Found(match.start(), match.end(), index, strong=True))
    for match in _STATED.finditer(text):
        index = _index(_groups(match), n)
        also = _ALSO.match(text, match.end())
        if also and _index(_groups(also), n) not in (None, index):
            index = None
        strong = bool(match.group("strong"))
        found.append(_Found(match.start(), match.end(), index, strong))
    for match in _CONCLUDED.finditer(text):
        found.append(_Found(match.start(), match.end(), _index(_groups(match), n)))
    for match in _BRACKETED.finditer(text):
        if CALLED_RIGHT.match(text, match.end()) and not _negated(text, *match.span()):
            found.append(_Found(*match.span(), _index(match.group(1) or match.group(2), n)))
    for match in re.finditer(r"(?<![\w'])([A-Z])(?![\w'])", text):
        if CALLED_RIGHT.match(text, match.end()) and not _negated(text, *match.span()):
            found.append(_Found(*match.span(), _index(match.group(1), n)))
    listed = _enumeration(text, n)
    found = [f for f in found if not listed & set(range(f.end - 2, f.end + 1))]
    found += _lone_lines(text, n)
    if not found and not listed:
        found += _opening(text, options)
    elif found and not listed:
        found += _bare_opening(text, options)
    return sorted(found, key=lambda f: (f.end, f.start))


def _lone_lines(text: str, n: int) -> list[_Found]:
    """The first and the last line, where they are nothing but a letter; the last is final."""
    lines = [(m.start(), m.group()) for m in re.finditer(r"[^\n]*\S[^\n]*", text)]
    found = []
    for start, line in dict.fromkeys((lines[0], lines[-1])) if lines else ():
        alone = _ALONE.match(line)
        if alone:
            plain = not re.search(r"[A-Za-z]{2}", line)
            final = plain and start == lines[-1][0] and len(lines) > 1
            index = _index(alone.group(1), n)
            found.append(_Found(start, start + len(line), index, strong=final))
    return found


def _enumeration(text: str, n: int) -> set[int]:
    """Places of the letters that open lines, if two options or more are gone through so."""
    opens = [m for m in _ENUMERATED.finditer(text) if _index(m.group(1), n) is not None]
    return {m.start(1) for m in opens} if len({m.group(1) for m in opens}) > 1 else set()


def _bare_opening(text: str, options: Sequence[str]) -> list[_Found]:
    """The letter of "B. The answer is ...", which the rest must bear out."""
    match = _BARE.match(text)
    if not match:
        return []
    index = _index(next(letter for letter in match.groups() if letter), len(options))
    if index is None or text[match.end() :].lower().startswith(options[index].lower()):
        return []
    return [_Found(0, match.end(), index)]


def _opening(text: str, options: Sequence[str]) -> list[_Found]:
    """A letter that opens the answer ("B. because ..."), unless a list of letters follows."""
    match = _OPENING.match(text)
    if not match:
        return []
    mentions = _mentions(text, options)
    if any(f.start <= match.end() for f in set(mentions) - set(_without_lists(text, mentions))):
        return []
    index = _index(match.group(1) or match.group(2), len(options))
    also = _ALSO.match(text, match.end() - (text[match.end() - 1] == ","))
    if also and _index(_groups(also), len(options)) not in (None, index):
        index = None
    rest = text[match.end() :].strip()
    own = index is not None and rest.lower().startswith(options[index].lower())
    if not own and re.fullmatch(r"\W*[A-Z]\W*", rest):
        index = None
    return [_Found(0, match.end(), index)]


def _final(text: str, found: Sequence[_Found]) -> tuple[bool, int | None]:
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
        taken_back = RETRACTION.search(text, others[-1].end, last.end)
        return True, last.index if taken_back else None
    if CORRECTION.search(text, others[-1].end, last.end) or re.search(
        r"\b(?:initially|at first|first glance|my first)\b", text[: others[-1].end], re.I
    ):
        return True, last.index
    return True, None


def _pairs(text: str, options: Sequence[str]) -> list[_Found]:
    """Letters followed by their own option's text: "(B) red fox", "B. red fox", "B red fox"."""
    found = []
    for index, option in enumerate(options):
        letter = chr(ord("A") + index)
        marks = "+" if letter in "AI" else "*"  # "A red car" does not choose A, red
        pattern = (
            rf"(?<![\w'])[(\[]?(?:{letter}[)\].:,]{marks}|{letter.lower()}[)\].:]+)"
            rf"\s*[-:]?\s*[\"']?{re.escape(option)}(?!\w)"
        )
        for match in re.finditer(pattern, text, re.I if len(option) > 2 else 0):
            written = match.group().lstrip(" ([")
            if written[0] == letter or (written[0].islower() and written[1] in ")].:"):
                found.append(_Found(*match.span(), index))
        behind = rf"(?<!\w){re.escape(option)}[\"']?\s*[(\[]{letter}[)\]]"
        found += [_Found(*m.span(), index) for m in re.finditer(behind, text, re.I)]
    return sorted(found, key=lambda f: f.start)


def _without_lists(text: str, found: list[_Found]) -> list[_Found]:
    """Drop letters of an enumeration: two or more different ones with only separators between."""
    kept: list[_Found] = []
    run: list[_Found] = []
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


def _mentions(text: str, options: Sequence[str]) -> list[_Found]:
    n = len(options)
    found = _pairs(text, options)
    covered = bytearray(len(text))
    for pair in found:
        covered[pair.start : pair.end] = b"\1" * (pair.end - pair.start)

    def add(match: re.Match[str], letter: str) -> None:
        start, end = match.span()
        index = _index(letter, n)
        if index is None or any(covered[start:end]):
            return
        covered[start:end] = b"\1" * (end - start)
        found.append(_Found(start, end, index))

    for match in _BRACKETED.finditer(text):
        add(match, match.group(1) or match.group(2))
    for match in _NAMED.finditer(text):
        add(match, match.group(1) or match.group(2))
    return sorted(found, key=lambda f: f.start)


def _capitals(text: str, n: int) -> list[_Found]:
    found = []
    for match in _CAPITAL.finditer(text):
        index = _index(match.group(1) or match.group(2), n)
        before = text[max(0, match.start() - 20) : match.start()]
        if index is not None and not _NAMESAKE.search(before):
            found.append(_Found(*match.span(), index))
    return found


def _decide(text: str, found: list[_Found]) -> tuple[bool, int | None]:
    """(decided, index) of mentions: a single letter, or the one that a closing sentence names."""
    if not found:
        return False, None
    listed = _without_lists(text, found)
    valid = [f for f in listed if not _negated(text, f.start, f.end)]
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


def stated_letter(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """(decided, index) by explicit statements in a cleaned text.

    ``decided`` with index None: letters are stated, but they contradict each other or are no
    option's.
    """
    return _final(text, _statements(text, options))


def mentioned_letter(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """(decided, index) by letters that merely occur in a cleaned text."""
    decided, index = _decide(text, _mentions(text, options))
    if decided:
        return decided, index
    return _decide(text, _capitals(text, len(options)))
