# ruff: noqa: RUF001 - letters of other scripts are meant
"""An answer's text in one plain form, before letters and labels are looked for."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from lvlmbench.stages.replies.answer_text import split

#: Longer answers are cut in the middle: what decides stands at the start or at the end.
LONGEST = 20_000

#: Marks put around what a writer boxed as the answer.
OPEN, CLOSE = "\u27e6", "\u27e7"

_TEX_TEXT = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|rm|bf)\s*\{([^{}]*)\}"
)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{([^{}]*)\}")
_MARKED = rf" {OPEN}\1{CLOSE} "
_DOUBLE = re.compile(r"\[\[([^\[\]\n]{1,80})\]\]")
_BOLD_LETTER = re.compile(r"(\*\*|__)\s*[(\[]?\s*([A-Za-z])\s*[)\]]?\s*[.:]?\s*\1")
#: An option in bold, with its text.
_BOLD_OPTION = re.compile(r"(?:\*\*|__)(\(?[A-Z][).:]\s*[^*_\n]{1,100}?)(?:\*\*|__)")
_TAG = re.compile(r"</?(?:b|i|strong|em|p|br|span|div|code|u)\s*/?>", re.I)
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_UNDERLINED = re.compile(r"(?<!\w)_+([^_\n]{1,200})_+(?!\w)")
_EMPHASIS = re.compile(r"\*+|`+|~~|^#+[ \t]*|^>[ \t]?", re.M)
_TEX_SPACE = re.compile(r"\\[()\[\],;! ]|\$")
_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")
#: Cyrillic and Greek capitals that look like Latin ones, where no word follows.
_LOOKALIKE = re.compile(
    r"(?<!\w)[АВСЕНΑΒΕΗ](?=\s*(?:[).,:;!?\]\"]|$|(?:и|или|and|or)\s+\(?[АВСЕНABCDEF](?!\w)))", re.M
)
_LATIN = str.maketrans("АВСЕНΑΒΕΗ", "ABCEHABEH")
#: Typographic quotes and dashes, so that patterns need only the plain ones.
_PLAIN = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u2032\u00b4", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d\u300e\u300f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


def clean(answer: str) -> str:
    """Plain text: Unicode NFKC (full-width letters become plain), without thoughts, marks of chat
    templates and invented turns (:mod:`lvlmbench.stages.replies.answer_text`), without control
    characters, Markdown and TeX dress. What was boxed (``\\boxed{B}``, ``[[B]]``,
    ``<answer>B</answer>``) stands between the marks ``OPEN`` and ``CLOSE``; a letter in bold
    stands in round brackets.
    """
    text = split(answer.replace("\r\n", "\n").replace("\r", "\n")).answer
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 4]}\n{text[-3 * LONGEST // 4 :]}"
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = text.translate(_PLAIN).replace(OPEN, " ").replace(CLOSE, " ")
        text = _LOOKALIKE.sub(lambda match: match.group().translate(_LATIN), text)
    if not text.replace("\n", "").isprintable():
        text = _CONTROL.sub("", text)
    if "\\" in text or "$" in text:
        for _ in range(3):
            text = _TEX_TEXT.sub(r"\1", text)
        text = _TEX_SPACE.sub(" ", _BOXED.sub(_MARKED, text))
    if "[[" in text:
        text = _DOUBLE.sub(_MARKED, text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if len(_BOLD_OPTION.findall(text)) == 1:
        text = _BOLD_OPTION.sub("\\1 \u2714 ", text)
    if any(mark in text for mark in "*_`~#>"):
        text = _EMPHASIS.sub("", _STRUCK.sub(" ", _BOLD_LETTER.sub(r"(\2)", text)))
        text = _UNDERLINED.sub(r"\1", text)
    text = _SPACE.sub(" ", text) if "  " in text or not text.isascii() or "\t" in text else text
    return (_LINES.sub("\n\n", text) if "\n" in text else text).strip()


_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|。\s*|\n+")


@lru_cache(maxsize=256)
def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return spans of sentences and lines; a full stop ends one only if a space follows."""
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        if match.start() > start:
            spans.append((start, match.start()))
        start = match.end()
    if start < len(text):
        spans.append((start, len(text)))
    return tuple(spans)


def around(spans: Sequence[tuple[int, int]], at: int) -> tuple[int, int]:
    """Return the first of several spans in order that ends at a place or behind it."""
    return spans[bisect_left(spans, at, key=itemgetter(1))]
