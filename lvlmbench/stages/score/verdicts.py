# ruff: noqa: RUF001 - signs and letters of other scripts are meant
"""Lists of the options in an answer: repeated, or each with a verdict.

Verdicts are ticks and crosses, boxes, words, shares, scores, stars, and the order of a ranking.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from lvlmbench.stages.score.truth import is_truth

_ARROWS = "→⇒➡►▶👉"
_YES_SIGNS = "✅✔☑✓√🗹🗸◉●⦿🔘👍🟢🟩"
_NO_SIGNS = "❌✗✘✖✕×☒🗙👎🚫🔴🟥○◯⚪⭘⭕"
_EMPTY = "☐□⬜▢"
_BOX = r"[\[(][ \u00a0]?(?:[xX*•●✓✔√][ \u00a0]?)?[\])](?![(\[])"
_SIGN = re.compile(rf"{_BOX}|[{_YES_SIGNS}{_NO_SIGNS}{_EMPTY}]\ufe0f?|(?:<[-=]+|[←⬅]\ufe0f?)")
#: A sign in front of an option's letter, with nothing but a bullet between; an arrow opens a line.
_BEFORE = re.compile(
    rf"(?:{_BOX}|[{_YES_SIGNS}{_NO_SIGNS}{_EMPTY}]\ufe0f?|^\W*(?:[{_ARROWS}]\ufe0f?|[-=]+>))"
    r"[\s\u00a0*\u2022-]*[(\[]?$"
)
_TICKED = re.compile(r"[xX*•●✓✔√]")
_STARS = re.compile(r"[★⭐*]+(?=[\s☆|,;\n]|\ufe0f|$)")
_YES_WORDS = (
    r"(?:very |highly |most )?(?:likely|probable)"
    r"|(?:very )?high|yes|true|correct|right|fits?|match(?:es)?|chosen|selected|ja|richtig|korrekt"
    r"|wahr|stimmt|s[ií]|doğru|prawda|juist|goed|cert[oa]|rätt|đúng|benar|صحيح|सही"
    r"|correct[ao]|corret[ao]|verdader[oa]|oui|vrai|juste|vero|giust[ao]|да|верно|правильно|tak"
    r"|正确|正確|对|對|是|正しい|はい|예|맞음|맞습니다"
)
_NO_WORDS = (
    r"(?:very |highly )?(?:unlikely|improbable)|impossible|excluded|ruled out|(?:very )?low"
    r"|no|not|n't|false|wrong|incorrect|nein|falsch|nicht|incorrect[ao]|incorret[ao]|fals[oa]|non"
    r"|faux|errad[ao]|sbagliat[ao]|нет|неверно|неправильно|nie|错误|錯誤|不对|不對|不正确|错|否|いいえ"
    r"|誤り|아니요|틀림|오답|yanlış|fałsz|onjuist|fout|fel|sai|salah|خطأ|गलत"
)
#: Names that a table of verdicts or JSON puts before one.
_NAMED = (
    r"(?:(?:verdict|status|is_?correct|correct|fits?|match|score|prob(?:ability)?|confidence"
    r"|likelihood|rating|value|result|share|p)[\"']?\s*[:=]\s*[\"']?)?"
)
_BETWEEN = r"[\s:|,(\"'=.)\]}\u2013\u2014\u2192\uff1a-]*"
_WORD = re.compile(
    rf"{_BETWEEN}{_NAMED}(?:(?:is|ist|es|est|was) )?(?:(?P<no>{_NO_WORDS})|(?P<yes>{_YES_WORDS}))"
    r"(?![A-Za-z\u00c0-\u024f\u0400-\u04ff])(?! one)",
    re.I,
)
#: Circle and cross, as schools in Korea and Japan mark.
_O_OR_X = re.compile(r"\W*(?:(?P<yes>[oO])|(?P<no>[xX]))\W*$")
_NUMBER = re.compile(
    rf"{_BETWEEN}?{_NAMED}(?:[\d.+ ]+=\s*)?(?:(?:about|approx\.?|around|ca\.?|is|~|≈)\s*)?"
    r"(?P<number>(?:(?<=[\s:=,(\[])[-\u2212])?\d+(?:[.,]\d+)?)\s*(?P<unit>%|percent|Prozent|/\s*\d+|points?|Punkte?)?",
    re.I,
)
_SHARE_BEFORE = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>%)[^.;,\n\d]{0,30}$")
_OR = re.compile(r"\b(?:or|oder|ou|o)\b", re.I)
_SHARES = re.compile(r"\b(?:prob|confiden|likel|scor|rating|share|weight|Wahrscheinlich)", re.I)
_LETTER = re.compile(
    r"(?<![\w'&+.-])(?:\(([A-Z])\)|\[([A-Z])\]|([A-Z]))(?![A-Za-z0-9_'\u00c0-\u024f&+])"
)
#: "A" and "I" are words as well: these follow them where they are letters.
_WORDLIKE = re.compile(r"\s+[a-z]{2,}")


class _Entry(NamedTuple):
    """An option's letter or text in a list: its index, where it stands."""

    option: int
    start: int
    end: int


def verdict(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """Return (decided, index) of the option that verdicts on several options mark.

    An option's entry is its letter, with its text or without, or its text alone. Signs and boxes
    stand before or behind it, words and shares behind it. Signs and words: the only option with a
    yes, if the others have a no or nothing. Shares, scores and stars: the option with the largest.
    ``decided`` with index None: two have a yes, all have a no, or two share the largest number.
    """
    text = _from_json(text) or _turned_table(text)
    if len(tagged := _TAGGED.findall(text)) > 1:
        text = "\n".join(f"{letter}: {said}" for letter, said in tagged)
    entries = _letters(text, options)
    if len(entries) < 2:
        # Without letters only signs and numbers tell a list of verdicts from a sentence.
        listed = _SIGN.search(text) or re.search(r"\d|:[ \t]*\w+[ \t]*$", text, re.M)
        entries = _labels(text, options) if listed else []
    if len(entries) < 2:
        return False, None
    spans = _spans(text, entries)
    if (ranked := _by_rank(text, entries)) is not None:
        return True, ranked
    said = {re.sub(r"\W+", " ", behind).strip().casefold() for _, behind in spans}
    if len(said) == 1 and said != {""}:
        return True, None  # the same of each
    for read in (_by_sign, _by_number, _by_word):
        decided, index, end = read(text, options, entries, spans)
        if decided:
            return True, _unless_denied(text[end:], index)
    return False, None


_TAGGED = re.compile(
    r"<\w+[^<>]*?[\"']([A-Z])[\"'][^<>]*?[\"'](true|false|yes|no|correct|incorrect)[\"'][^<>]*>"
)
_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.M)


def _turned_table(text: str) -> str:
    """A text whose table has letters as its columns and one row of verdicts: a letter a line."""
    rows = [[cell.strip() for cell in row.strip()[1:-1].split("|")] for row in _ROW.findall(text)]
    rows = [row for row in rows if not all(re.fullmatch(r":?-*:?", cell) for cell in row)]
    if len(rows) != 2 or len({*map(len, rows)}) > 1:
        return text
    pairs = [(a, b) for a, b in zip(*rows, strict=True) if re.match(r"\(?[A-Z]\)?(?!\w)", a)]
    return "\n".join(f"{letter}: {said}" for letter, said in pairs) if len(pairs) > 1 else text


#: Keys of JSON that name an option, and those of its verdict.
_OPTION_KEYS = ("letter", "option", "choice", "label", "id", "key", "name")
_VERDICT_KEYS = (
    "correct", "is_correct", "selected", "chosen", "answer", "verdict", "match", "fits", "status",
    "judgement", "judgment", "value", "probability", "prob", "confidence", "score", "likelihood",
    "share", "p", "rating",
)  # fmt: skip


def _from_json(text: str) -> str | None:
    """Verdicts that JSON gives the options by their letters: a letter a line; None for others."""
    start = min((at for at in map(text.find, "[{") if at >= 0), default=-1)
    end = max(text.rfind("]"), text.rfind("}"))
    try:
        found = json.loads(text[start : end + 1]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    if isinstance(found, dict):
        lists = [value for value in found.values() if isinstance(value, list | dict)]
        found = lists[0] if len(lists) == 1 and len(found) <= 3 else found
    pairs: list[tuple[object, object]] = []
    if isinstance(found, dict):
        pairs = list(found.items())
    elif isinstance(found, list) and all(isinstance(each, dict) for each in found):
        named = (next((e[k] for k in _OPTION_KEYS if k in e), None) for e in found)
        pairs = list(zip(named, found, strict=True))
    lines = []
    for name, said in pairs:
        if isinstance(said, dict):
            said = next((said[key] for key in _VERDICT_KEYS if key in said), None)
        if not isinstance(name, str) or not re.fullmatch(r"\(?[A-Z]\)?", name.strip()):
            return None
        lines.append(f"{name.strip()}: {said}")
    return "\n".join(lines) if len(lines) > 1 else None


def _letters(text: str, options: Sequence[str]) -> list[_Entry]:
    """The options' letters with their texts, up to the first that comes again."""
    found: list[_Entry] = []
    matches = list(_LETTER.finditer(text))
    bracketed = [match for match in matches if not match.group(3)]
    for match in bracketed if len({m.group() for m in bracketed}) > 1 else matches:
        bare = match.group(3)
        index = ord(match.group(1) or match.group(2) or bare) - ord("A")
        own = options[index].lower() if index < len(options) else ""
        rest = text[match.end() :].lstrip(" ).:]|-\"'=")
        labelled = bool(own) and rest.lower().startswith(own)
        if index >= len(options) or (
            bare in ("A", "I") and _WORDLIKE.match(text, match.end()) and not labelled
            and not _WORD.match(text, match.end())
        ):  # fmt: skip
            continue
        end = match.end()
        if labelled:
            end = text.lower().find(own, end) + len(own)
        if found and index == found[-1].option:
            continue
        if any(index == entry.option for entry in found):
            break
        found.append(_Entry(index, match.start(), end))
    return found


def _labels(text: str, options: Sequence[str]) -> list[_Entry]:
    """The options' texts, if all stand there, one after the other."""
    lower, at = text.lower(), 0
    found = []
    for index, option in enumerate(options):
        start = lower.find(option.lower(), at) if option else -1
        if start < 0:
            return []
        at = start + len(option)
        found.append(_Entry(index, start, at))
    return found


def _spans(text: str, entries: Sequence[_Entry]) -> list[tuple[str, str]]:
    """What stands before and behind each entry, up to its neighbours and the ends of paragraphs."""
    out = []
    for at, entry in enumerate(entries):
        before = text[entries[at - 1].end if at else 0 : entry.start]
        behind = text[entry.end : entries[at + 1].start if at + 1 < len(entries) else len(text)]
        out.append((before.rsplit("\n", 1)[-1], behind.split("\n\n")[0]))
    return out


_RANKS = re.compile(
    r"\brank|\bmost (?:to least )?(?:likely|probable)|\bdescending|\blikelihood", re.I
)
_NUMBERED = re.compile(r"\W*\d{1,2}[.)]\s*[(\[]?")


def _by_rank(text: str, entries: Sequence[_Entry]) -> int | None:
    """The likeliest option of "D > B > A"."""
    pairs = pairwise(entries)
    lines = [text[text.rfind("\n", 0, e.start) + 1 : e.start] for e in entries]
    if _RANKS.search(text, 0, entries[0].start) and all(map(_NUMBERED.fullmatch, lines)):
        return entries[0].option
    gaps = {text[one.end : other.start].strip(" ()[]\n") for one, other in pairs}
    if gaps in ({">"}, {"\u226b"}):
        return entries[0].option
    return entries[-1].option if gaps == {"<"} else None


def _by_sign(
    text: str, options: Sequence[str], entries: Sequence[_Entry], spans: Sequence[tuple[str, str]]
) -> tuple[bool, int | None, int]:
    """By ticks, crosses, boxes and arrows."""
    boxes = _filled(text)
    before = {e.option: _BEFORE.search(span[0]) for e, span in zip(entries, spans, strict=True)}
    behind = {
        e.option: _SIGN.search(_line(span[1])) for e, span in zip(entries, spans, strict=True)
    }
    first, last = entries[0].option, entries[-1].option
    lines = any(
        sign is not None and not sign.string[: sign.start()].strip() for sign in before.values()
    )
    in_front = before[first] is not None or (behind[last] is None and lines)
    signs = before if in_front else behind
    said = {n: _is_yes(sign.group().lstrip(), boxes) for n, sign in signs.items() if sign}
    if not said:
        return False, None, 0
    return _only(said, entries, len(options))


def _line(text: str) -> str:
    """The rest of an entry's line; of YAML the indented line below it."""
    first, _, rest = text.partition("\n")
    return rest.split("\n")[0] if not first.strip() and rest[:1] in (" ", "\t") else first


def _filled(text: str) -> str:
    """Signs that mean yes beside the others of the text: a crossed box among empty ones, and a
    circle among crosses, as in Japan."""
    crossed = any(sign in text for sign in _EMPTY) and not any(s in text for s in "☑✔✓✅")
    circled = any(sign in text for sign in "×✕✗❌") and not any(s in text for s in "●◉✔✓✅")
    return "☒" * crossed + "○◯⭕" * circled


def _is_yes(sign: str, boxes: str) -> bool:
    if sign[0] in "[(":
        return _TICKED.search(sign) is not None
    if boxes and sign[0] in boxes:
        return True
    return sign[0] not in _NO_SIGNS + _EMPTY


def _only(said: dict[int, bool], entries: Sequence[_Entry], n: int) -> tuple[bool, int | None, int]:
    """The only one of ``n`` options with a yes, or without a no where all others have one."""
    chosen = [index for index, yes in said.items() if yes]
    every = {entry.option for entry in entries}
    left = every - set(said)
    if not chosen and len(left) == 1 and every == {*range(n)} and n > 2:
        chosen = [*left]  # all others are ruled out
    if not chosen and not left and len(every) == n - 1 and n > 2:
        chosen = [*({*range(n)} - every)]
    if not chosen and left:
        return False, None, 0
    end = entries[-1].end
    return True, chosen[0] if len(chosen) == 1 else None, end


def _by_word(
    text: str, options: Sequence[str], entries: Sequence[_Entry], spans: Sequence[tuple[str, str]]
) -> tuple[bool, int | None, int]:
    """By a word of verdict that follows at once; at least two options must have one."""
    signs = all(_O_OR_X.match(_line(behind)) for _, behind in spans)
    word = _O_OR_X if signs else _WORD
    own = set() if is_truth(options) else {option.casefold() for option in options}
    said: dict[int, bool] = {}
    for entry, (_, behind) in zip(entries, spans, strict=True):
        match = word.match(_line(behind))
        if match and match.group().strip(" \t:.=-").casefold() not in own:
            said[entry.option] = match.group("yes") is not None
    unsaid = (behind for e, (_, behind) in zip(entries, spans, strict=True) if e.option not in said)
    alone = {e.option for e in entries} == {*range(len(options))} and not any(
        map(str.strip, unsaid)
    )
    if len(said) < 2 and not (alone and any(said.values())):
        return False, None, 0
    if is_truth(options) and _bare_truth(text, entries):
        return False, None, 0
    return _only(said, entries, len(options))


def _bare_truth(text: str, entries: Sequence[_Entry]) -> bool:
    """Whether letters have no texts of their own, so that True and False may be these."""
    return all(entry.end - entry.start <= 3 for entry in entries)


def _by_number(
    text: str, options: Sequence[str], entries: Sequence[_Entry], spans: Sequence[tuple[str, str]]
) -> tuple[bool, int | None, int]:
    """By shares, scores or stars: all entries must have one, of one form."""
    stars = [_STARS.search(_line(behind)) for _, behind in spans]
    if sum(star is not None for star in stars) > 1:
        counts = {
            e.option: float(len(s.group())) if s else 0.0
            for e, s in zip(entries, stars, strict=True)
        }
        return _largest(counts, entries)
    found = [_SHARE_BEFORE.search(before) for before, _ in spans]
    if not all(found):
        found = [_NUMBER.match(behind) for _, behind in spans]
    matches = [match for match in found if match is not None]
    if len(matches) < len(entries):
        return False, None, 0
    said = (match.group("number").replace(",", ".").replace("\u2212", "-") for match in matches)
    values = [float(number) for number in said]
    if any(m.group("number") in options[e.option] for m, e in zip(matches, entries, strict=True)):
        return False, None, 0  # the options' own numbers
    units = {re.sub(r"\s", "", match.group("unit") or "").lower().rstrip("s") for match in matches}
    shares = all(value <= 1 for value in values) and any(value % 1 for value in values)
    shares |= sorted(values)[-2:] == [0, 1] and min(values) == 0
    linked = any(_OR.search(behind[-12:]) for _, behind in spans[:-1])
    if linked or len(units) > 1 or not (units != {""} or shares or _SHARES.search(text)):
        return False, None, 0
    return _largest({e.option: v for e, v in zip(entries, values, strict=True)}, entries)


def _largest(values: dict[int, float], entries: Sequence[_Entry]) -> tuple[bool, int | None, int]:
    most = max(values.values())
    best = [index for index, value in values.items() if value == most]
    return True, best[0] if len(best) == 1 else None, entries[-1].end


_CONCLUDES = re.compile(
    r"(?:answer|final|so|therefore|choose|pick)\b[^.\n]{0,30}?(?<![\w'])\(?([A-Z])\)?(?![\w'])",
    re.I,
)


def _unless_denied(rest: str, index: int | None) -> int | None:
    """The option, unless what follows the list concludes with another."""
    found = _CONCLUDES.search(rest)
    other = None if found is None else ord(found.group(1).upper()) - ord("A")
    return index if index is None or other is None or other == index else None


_LIST_SEPARATOR = r"[\s,;/|.&)\](\[\"'-]*(?:(?:or|and)\s+)?"


def without_repeated_list(text: str, options: Sequence[str]) -> str:
    """Return a cleaned text without the first full list of the options with their letters.

    The text as it is, if it holds no such list or nothing else.
    """
    lower = text.lower()
    if len(options) < 2 or not all(option.lower() in lower for option in options):
        return text
    start = end = -1
    for index, option in enumerate(options):
        letter = chr(ord("A") + index)
        entry = re.compile(
            rf"[(\[]?{letter}[)\].:]*\s*[-:]?\s*[\"']?{re.escape(option)}(?!\w)", re.I
        )
        if index == 0:
            found = entry.search(text)
        else:
            gap = re.compile(_LIST_SEPARATOR).match(text, end)
            found = entry.match(text, gap.end() if gap else end)
        if not found:
            return text
        start, end = found.start() if index == 0 else start, found.end()
    rest = f"{text[:start]}\n{text[end:].lstrip(' ,.;)')}".strip()
    return rest if re.search(r"\w", rest) else text
