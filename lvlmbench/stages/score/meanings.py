"""What words of replies mean: options that are called by other words, or by their place.

The words stand in ``data/replies/meanings.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from lvlmbench.stages.replies.data import meanings
from lvlmbench.stages.score.near import near_words

_NO_WORD, _WORD = re.compile(r"[^\w\s]"), re.compile(r"\w+")


@lru_cache(maxsize=16_384)
def plain(text: str) -> str:
    """Return a text in small letters, without punctuation."""
    return " ".join(_NO_WORD.sub(" ", text.casefold()).split())


def any_of(words: Iterable[str]) -> str:
    """Return an expression for any of these words, longer ones first.

    Words of scripts that put no spaces between words may stand within others.
    """
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    spaced = [re.escape(word) for word in ordered if not unspaced(word)]
    other = [re.escape(word) for word in ordered if unspaced(word)]
    parts = [rf"(?<![\w-])(?:{'|'.join(spaced)})(?![\w-])"] if spaced else []
    return "|".join([*parts, *other])


def unspaced(word: str) -> bool:
    """Return whether a word is of a script that puts no spaces between words, or of Korean."""
    return any("\u3040" <= sign <= "\u9fff" or "\uac00" <= sign <= "\ud7af" for sign in word)


@cache
def _synonyms() -> tuple[dict[str, tuple[str, ...]], int]:
    """Words by the word that they mean, and of how many words these are at most."""
    words = {plain(key): tuple(map(str, called)) for key, called in meanings()["synonyms"].items()}
    return words, max(len(key.split()) for key in words)


@cache
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile(any_of(words), re.I)


@lru_cache(maxsize=16_384)
def called(options: tuple[str, ...]) -> tuple[re.Pattern[str] | None, ...]:
    """Return for each option an expression for other words that mean it, and no other option."""
    synonyms, longest = _synonyms()
    texts = [plain(option) for option in options]
    holders: dict[str, set[int]] = {}
    for index, text in enumerate(texts):
        words = text.split()
        for size in range(1, longest + 1):
            for at in range(len(words) - size + 1):
                key = " ".join(words[at : at + size])
                if key in synonyms:
                    holders.setdefault(key, set()).add(index)
    meant: dict[str, set[int]] = {}
    for key, where in holders.items():
        for word in synonyms[key] if len(where) == 1 else ():
            meant.setdefault(word, set()).update(where)
    for index, word in enumerate(_apart(texts)):
        meant.setdefault(word, set()).add(index)
    owned = " ".join(f" {text} " for text in texts)
    found: list[set[str]] = [set() for _ in options]
    for word, where in meant.items():
        if len(where) == 1 and (f" {plain(word)} " not in owned or word in _apart(texts)):
            found[min(where)].add(word)
    return tuple(_pattern(frozenset(words)) if words else None for words in found)


def _apart(texts: Sequence[str]) -> list[str]:
    """What tells options apart that end with the same noun: red and striped of "the red mug" and
    "the striped mug"."""
    words = [re.sub(r"^(?:an?|the) ", "", text).split() for text in texts]
    alike = len({each[-1] if each else "" for each in words}) == 1
    return [" ".join(each[:-1]) for each in words] if alike and min(map(len, words)) == 2 else []


#: Nouns for an option, and what may follow where it stands in the list.
_NOUN = (
    r"(?:option|choice|alternative|possibility|antwort|antwortmöglichkeit|opción|réponse|choix"
    r"|opzione|risposta|opção|вариант)"
)
_LISTED = (
    r"(?: (?:that is |that's )?(?:listed|given|offered|above|below|here)\b"
    r"| (?:on|in|from|of) (?:the |this |these |your )?(?:list|options|choices|four|three)\b)?"
)
_SAID = (
    r"(?:(?:my |the )?(?:final |correct |right )?(?:answer|choice|pick)(?: is|:)?|it(?:'s| is)"
    r"|i(?:'d| would)? (?:choose|pick|go with|say|select|take)|so|therefore|clearly|probably)"
)
_SIGNS = "一二三四五六"
_DIGITS = {str(n): n - 1 for n in range(1, 7)}
_DIGITS |= dict(zip(("one", "two", "three", "four", "five", "six"), range(6), strict=True))
#: Characters of an answer that may tell an option by its place alone.
_SHORT = 100
#: One of them stands in a text that has an option's number.
_NOUNS = (
    *("option", "choice", "answer", "alternative", "opci", "antwort", "réponse", "risposta"),
    *("选项", "選"),
)


class _Places(NamedTuple):
    """Places in a list by their words, and expressions for these: within a text, with the number
    of an option, and as the whole of an answer."""

    at: dict[str, int]
    ordinals: frozenset[str]
    within: re.Pattern[str]
    numbered: re.Pattern[str]
    whole: re.Pattern[str]


@cache
def _places() -> _Places:
    lists = meanings()
    at = {word: place for place, words in enumerate(lists["ordinals"]) for word in words}
    at |= dict.fromkeys(lists["last"], -1)
    ordinals = tuple(at)
    at |= {word: place for word, place in _DIGITS.items() if word not in at}
    at |= {sign: place for place, sign in enumerate(_SIGNS)}
    ordinal, number = any_of(ordinals), "|".join(_DIGITS)
    within = (
        rf"(?<!my )(?<!your )(?:\bthe )?(?P<a>{ordinal})(?: (?:listed|given|answer))? {_NOUN}\b"
        rf"{_LISTED}|(?:\bthe )?(?P<one>{ordinal})(?P<and> (?:or|and|nor) )(?:the )?"
        rf"(?P<two>{ordinal}) {_NOUN}s?\b"
        rf"|(?P<lead>^\W*|\b(?:but|not|is|it's|with|pick|choose) )the (?P<e>{ordinal})"
        rf"(?: one)?(?=[.,;!]|$)"
        rf"|第(?P<b>[{_SIGNS}1-6])(?:个|個|项|項|つ)?(?:的)?(?:选项|選項|答案|選択肢|个|個|项|項)"
        rf"|(?P<d>[{_SIGNS}1-6])番目(?:の選択肢)?"
        r"|(?P<last>最后一个|最後一個|最後の)(?:选项|選項|選択肢)?"
    )
    numbered = (
        rf"(?:\b(?:answer|{_NOUN})|选项|選項|選択肢|옵션) ?(?:number|no\.|nr\.|#)? ?"
        rf"(?P<a>{number})(?![\w%]|[.,]\d)"
    )
    whole = (
        rf"\W*(?:{_SAID}[\s,]+)*(?:the |la |el |le |die |der |das |o |a |l')?(?P<a>{ordinal})"
        rf"(?: (?:one|un[oa]?|{_NOUN}))?{_LISTED}\W*"
        rf"|\W*(?:{_SAID}[\s,:]+|among [\w ]{{1,20}}, )*"
        rf"(?:(?:number|no\.|nr\.|#) ?(?P<n>{number})|(?P<d>[1-6]))"
        r"(?P<fits> (?:is|fits|matches|seems|looks)\b[^.,;]{0,30})?\W*"
    )
    patterns = (re.compile(each, re.I) for each in (within, numbered, whole))
    return _Places(at, frozenset(ordinals), *patterns)


def lettered(text: str, options: Sequence[str], truth: bool) -> str:
    """Return a cleaned text in which options that are told by their place ("the second option",
    "option 2", "the last one") stand as letters in brackets.

    Words and numbers that are an option's own count as this. Where "option 2" could be both,
    nothing stands in its place.

    Parameters
    ----------
    truth
        Whether the options are True and False, of which 1 is no number.
    """
    places, lower = _places(), text.lower()
    number = any(noun in lower for noun in _NOUNS) or not text.isascii()
    ordinal = not text.isascii() or (
        (number or len(text) <= 2 * _SHORT) and not places.ordinals.isdisjoint(_WORD.findall(lower))
    )
    short = len(text) <= _SHORT and (ordinal or "umber" in text or re.search(r"[#1-6]", text))
    if not (ordinal or number or short):
        return text
    own = " ".join(f" {plain(option)} " for option in options)
    numeric = re.search(r"\d", own) is not None

    def letter(match: re.Match[str]) -> str:
        groups = match.groupdict()
        if groups.get("and"):
            one, two = (places.at[groups[name].casefold()] for name in ("one", "two"))
            return f"({chr(65 + one)}){groups['and']}({chr(65 + two % len(options))})"
        lead = groups.pop("lead", None) or ""
        word = next((said for said in groups.values() if said), "").casefold()
        at = -1 if groups.get("last") else places.at[word]
        if at >= len(options) or (f" {word} " in own and match.re is places.within):
            return match.group()
        if numeric and word in _DIGITS:
            return " " if match.re is places.numbered and f" {word} " in own else match.group()
        return f"{lead}({chr(ord('A') + at % len(options))})"

    found = places.whole.fullmatch(text) if short else None
    if found and f" {plain(text)} " not in own and not (truth and found["d"]):
        return letter(found).strip()
    parts, end = [], 0
    near = [(0, len(text))] if len(text) <= 2 * _SHORT else near_words(text, _NOUNS, 40, 40)
    for start, stop in near:
        said = places.within.sub(letter, text[start:stop]) if ordinal else text[start:stop]
        parts += [text[end:start], places.numbered.sub(letter, said) if number else said]
        end = stop
    return "".join([*parts, text[end:]])
