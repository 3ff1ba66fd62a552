"""Which word or name a reply gives as its short answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.stages.score.cleaning import CLOSE, OPEN, sentences
from lvlmbench.stages.score.wording import ANNOUNCE, LINK, ruled_out

#: Words of an answer that is given alone, at most.
_MOST = 4

_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)
_SPELLED = re.compile(r"\w(?:-\w){2,}|\w(?: \w){2,}")
#: Words of a sentence, rather than of a name.
_SENTENCE = re.compile(r"\b(?:it|is|be|i|there|that|this|was|are|could|may|might|not|says)\b")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_BOX = re.compile(rf"{OPEN}([^{CLOSE}]*){CLOSE}")
_QUOTED = re.compile(r"\"([^\"\n]{1,60})\"|(?<!\w)'([^'\n]{1,60})'(?!\w)")
_TERM = r"[\"']?(?P<term>[^\W_](?:[^\s.,;:!?\"()]|(?<=\S) (?=\S)){0,50})"
_STATED = re.compile(
    rf"(?<![A-Za-z])(?:(?P<announced>{ANNOUNCE}{LINK})|\b(?:word|text|name|it|sign|that|this|label)\b"
    r"(?: (?:on|written)[^.:\n]{0,60}?)?\s*(?:is|says|reads|spells|shows|states|:)+[:\s]*"
    rf"|\b(?:says|reads|spells)[:\s]+)(?:(?:the )?word\s+)?{_TERM}",
    re.I,
)
_EITHER = re.compile(r"\s*(?:,|/|\bor\b|\band\b)\s*[\"']?$|^[\"']?\s*(?:/|\bor\b)\s", re.I)
_CAPITALS = re.compile(r"(?<![\w'])[A-Z]{3,}(?![\w'])")
_NO_WORD = re.compile(
    r"(?:unknown|unclear|none|nothing|no (?:word|text)|n/?a|i\b.*|sorry|not?|yes|unreadable"
    r"|illegible|cannot.*)",
    re.I,
)


def plain(text: str) -> str:
    """Return a word or name in one form: small letters, no article, nothing at its edges."""
    found = _ARTICLE.sub("", _EDGES.sub("", " ".join(text.casefold().split())))
    return re.sub(r"[- ]", "", found) if _SPELLED.fullmatch(found) else found


def word_said(text: str, accepted: Sequence[str]) -> str | None:
    """Return the word or name that a cleaned text gives; None where it gives none, or several.

    ``accepted``, in plain form, help where a long sentence says it with others around it: then one
    of them counts where nothing else is in quotation marks or capitals.
    """
    boxes = _BOX.findall(text)
    if boxes:
        return plain(boxes[-1]) or None
    whole = plain(text)
    if whole in accepted:
        return whole
    quoted = {plain(a or b) for a, b in _quoted(text)}
    stated = _stated(text, accepted)
    if stated is not None and (not quoted or stated in quoted):
        return stated
    if quoted:
        return min(quoted) if len(quoted) == 1 else None
    spans = sentences(text)
    first = plain(text[slice(*spans[0])]) if spans else ""
    if not spans or _NO_WORD.fullmatch(first) or re.search(r"\b(?:or|and)\b", first):
        return None
    words = len(first.split())
    if words == 1 or (len(spans) == 1 and words <= _MOST and not _SENTENCE.search(first)):
        return first
    capitals = {plain(match.group()) for match in _CAPITALS.finditer(text)}
    if capitals:
        return min(capitals) if len(capitals) == 1 else None
    named = {form for form in accepted if re.search(rf"(?<!\w){re.escape(form)}(?!\w)", whole)}
    return min(named) if len(named) == 1 and len(spans) == 1 else None


def _quoted(text: str) -> list[tuple[str, str]]:
    return [m.groups("") for m in _QUOTED.finditer(text) if not ruled_out(text, *m.span())]  # type: ignore[misc]


def _stated(text: str, accepted: Sequence[str]) -> str | None:
    """The last term that is announced as the answer, or the only one that is stated to be it."""
    announced: list[str | None] = []
    stated: set[str | None] = set()
    for match in _STATED.finditer(text):
        term, end = plain(match["term"]), match.end("term")
        if term not in accepted and len(term.split()) > 2:
            continue
        doubtful = " or " in f" {term} " or _EITHER.match(text[end : end + 8])
        value = None if doubtful or _NO_WORD.fullmatch(term) else term
        announced += [value] if match["announced"] else []
        stated.add(value)
    if announced:
        return announced[-1]
    return min(stated, key=str) if len(stated) == 1 else None
