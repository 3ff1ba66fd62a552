"""What words of replies mean: options that are called by other words, or by their place.

The words stand in ``data/replies/meanings.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from lvlmbench.stages.replies.data import meanings

_NO_WORD = re.compile(r"[^\w\s]")


@lru_cache(maxsize=16_384)
def plain(text: str) -> str:
    """Return a text in small letters, without punctuation."""
    return " ".join(_NO_WORD.sub(" ", text.casefold()).split())


def any_of(words: Iterable[str]) -> str:
    """Return an expression for any of these words, longer ones first.

    Words of scripts that put no spaces between words may stand within others.
    """
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    spaced = [re.escape(word) for word in ordered if not _unspaced(word)]
    other = [re.escape(word) for word in ordered if _unspaced(word)]
    parts = [rf"(?<![\w-])(?:{'|'.join(spaced)})(?![\w-])"] if spaced else []
    return "|".join([*parts, *other])


def _unspaced(word: str) -> bool:
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
_CJK = "一二三四五六"
_DIGITS = {str(n): n - 1 for n in range(1, 7)}
_DIGITS |= dict(zip(("one", "two", "three", "four", "five", "six"), range(6), strict=True))


@cache
def _places() -> tuple[dict[str, int], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Places by their words; expressions: within a text, as a number, and for a whole answer."""
    lists = meanings()
    places = {word: at for at, words in enumerate(lists["ordinals"]) for word in words}
    places |= dict.fromkeys(lists["last"], -1)
    places |= {word: at for word, at in _DIGITS.items() if word not in places}
    places |= {sign: at for at, sign in enumerate(_CJK)}
    ordinal = any_of(word for words in (*lists["ordinals"], lists["last"]) for word in words)
    number = any_of(_DIGITS)
    within = (
        rf"(?<!my )(?<!your )(?:\bthe )?(?P<a>{ordinal})(?: (?:listed|given|answer))? {_NOUN}\b{_LISTED}"
        rf"|(?P<lead>^\W*|\b(?:but|not|is|it's|with|pick|choose) )the (?P<e>{ordinal})(?: one)?(?=[.,;!]|$)"
        rf"|第(?P<b>[{_CJK}1-6])(?:个|個|项|項|つ)?(?:的)?(?:选项|選項|答案|選択肢|个|個|项|項)"
        rf"|(?P<d>[{_CJK}1-6])番目(?:の選択肢)?|(?P<last>最后一个|最後一個|最後の)(?:选项|選項|選択肢)?"
    )
    numbered = rf"(?:\b(?:answer|{_NOUN})|选项|選項|選択肢|옵션) ?(?:number|no\.|nr\.|#)? ?(?P<a>{'|'.join(_DIGITS)})(?![\w%]|[.,]\d)"
    whole = (
        rf"\W*(?:{_SAID}[\s,]+)*(?:the |la |el |le |die |der |das |o |a |l')?(?P<a>{ordinal})"
        rf"(?: (?:one|un[oa]?|{_NOUN}))?{_LISTED}\W*"
        rf"|\W*(?:{_SAID}[\s,:]+|among [\w ]{{1,20}}, )*(?:(?:number|no\.|nr\.|#) ?(?P<n>{number})|(?P<d>[1-6]))"
        r"(?P<fits> (?:is|fits|matches|seems|looks)\b[^.,;]{0,30})?\W*"
    )
    return places, *(re.compile(each, re.I) for each in (within, numbered, whole))


#: Characters of an answer that may tell an option by its place alone.
_SHORT = 200
_NOUNS = ("option", "choice", "选项", "選項", "選択肢", "antwort", "opci", "réponse", "risposta")
_MAY_PLACE = re.compile(
    r"\d|\bone\b|the \w+[.,;!]|option|choi|answer|altern|possib|number|opzione|risposta|antwort|[^\x00-\x7f]", re.I
)


def lettered(text: str, options: Sequence[str], truth: bool) -> str:
    """Return a cleaned text in which options that are told by their place ("the second option",
    "option 2", "the last one") stand as letters in brackets.

    A number that is an option's own counts as this. Where "option 2" could be both, nothing
    stands in its place.
    """
    short = len(text) <= _SHORT
    lower = text.lower()
    if not (short or any(noun in lower for noun in _NOUNS)) or not _MAY_PLACE.search(text):
        return text
    places, within, numbered, whole = _places()
    own = " ".join(f" {plain(option)} " for option in options)

    def letter(match: re.Match[str]) -> str:
        groups = match.groupdict()
        lead = groups.pop("lead", None) or ""
        word = next((said for said in groups.values() if said), "").casefold()
        at = -1 if groups.get("last") else places.get(word)
        if at is None or at >= len(options):
            return match.group()
        if re.search(r"\d", own) and word in _DIGITS:
            return " " if match.re is numbered and f" {word} " in own else match.group()
        return f"{lead}({chr(ord('A') + at % len(options))})"

    found = whole.fullmatch(text) if len(text) <= _SHORT // 2 else None
    if found and f" {plain(text)} " not in own and not (truth and found["d"]):
        return letter(found).strip()
    return numbered.sub(letter, within.sub(letter, text))
