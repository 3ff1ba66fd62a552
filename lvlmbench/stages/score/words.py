"""Which word or name a reply gives as its short answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lvlmbench.stages.score.asked import SMALL, describing
from lvlmbench.stages.score.cleaning import CLOSE, OPEN, sentences
from lvlmbench.stages.score.wording import ANNOUNCE, LINK, RETRACTION, YES, ruled_out

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
    r"(?: (?:on|written)[^.:\n]{0,60}?)?\s*(?:is|'s|says|reads|spells|shows|states|:)+[:\s]*"
    rf"|\b(?:says|reads|spells)[:\s]+)(?:(?:the )?word\s+)?{_TERM}",
    re.I,
)
_EITHER = re.compile(r"\s*(?:,|/|\bor\b|\band\b)\s*[\"']?$|^[\"']?\s*(?:/|\bor\b)\s", re.I)
_CAPITALS = re.compile(r"(?<![\w'])[A-Z]{3,}(?![\w'])")
_NO_WORD = re.compile(
    r"unknown|n/?a|i\b.*|yes|blank(?: .*)?|blurry|blurred|empty"
    r"|.*\b(?:not?|none|nothing|sorry|cannot|too|unable|unsure"
    r"|uncertain|unclear|un(?:read|recogni[sz])able|illegible|in(?:visible|distinct)|obscured)\b.*"
    r"|.*\w (?:blank|blurry|blurred|empty|hidden|missing)|.*n't\b.*",
    re.I,
)
#: Before a word: it does not count. Behind it: it is taken back.
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:not?|nor|neither|never|without|cannot)\b|n't\b)(?:(?!\bbut\b)[^.!?;,:\n])*$", re.I
)
#: What a word is contrasted with.
_CONTRAST = re.compile(
    r"\bnot (?:an? |the )?[\w ]{1,30}?,? but (?:rather )?|,? not (?:an? |the )?\w+(?=\W*$)", re.I
)
_OTHER = re.compile(r"\b(?:is|are|an?|\w+ing) (?!\w+ly)(\w{3,}),? not (?:an? |the )?(\w+)\W*$")
#: A word that is asked about and affirmed.
_AFFIRMED = re.compile(rf"(?:^|[.!?]\s+)(?P<term>\w+(?: \w+){{0,2}})\?\W+(?:{YES})(?!\w)", re.I)
#: What a reply adds in brackets.
_ASIDE = re.compile(r"\s*\([^()]*\)?\s*$")
_DENIED_AFTER = re.compile(r"[\"')]*\s*(?:\?|[,.;-]?\s*no\b(?! \w))", re.I)
_LOOKS = re.compile(
    r"(?:he|she|it|they|\w+) (?:looks?|seems?|appears?|feels?)(?: (?:very|\w+ly|so))?"
)
_ADVERBS = re.compile(
    r"^(?:(?:very|quite|rather|pretty|bit|little|so|too|(?!hardly|barely|partly)\w{3,}ly) )+(?=\w)"
    r"|(?<=\w)(?: (?:\w{4,}ly|hard|a lot|a bit|right now|outside|today))+$"
)
_HEDGE = re.compile(
    r"^(?:(?:(?:most |very )?(?:probably|likely)|maybe|perhaps|possibly|presumably"
    r"|i (?:think|guess|believe)|(?:without|no) (?:a )?doubt)"
    r"[,:]?\s+(?:the word\s+)?)+"
)


def plain(text: str) -> str:
    """Return a word or name in one form: small letters, no article, nothing at its edges, once."""
    found = _ARTICLE.sub("", _EDGES.sub("", " ".join(text.casefold().split())))
    found = re.sub(r"^(\w{2,})(?: \1)+$", r"\1", found)
    return re.sub(r"[- ]", "", found) if _SPELLED.fullmatch(found) else found


def _bare(text: str, accepted: Sequence[str]) -> str:
    """In plain form, without "probably" and the like before it, and without adverbs around it where
    an accepted form is left."""
    found = plain(_HEDGE.sub("", plain(text)))
    loose = plain(_ADVERBS.sub("", found))
    return loose if loose in accepted and found not in accepted else found


def _denied(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 120) : start]
    denied = _DENIED_BEFORE.search(before) or _DENIED_AFTER.match(text, end)
    return bool(denied) or ruled_out(text, start, end)


def word_said(text: str, accepted: Sequence[str]) -> str | None:
    """Return the word or name that a cleaned text gives; None where it gives none, or several.

    ``accepted``, in plain form, help where a long sentence says it with others around it: then one
    of them counts where nothing else is in quotation marks or capitals.
    """
    boxes = _BOX.findall(text)
    if boxes:
        return plain(boxes[-1]) or None
    affirmed = {plain(match["term"]) for match in _AFFIRMED.finditer(text)}
    if affirmed:
        return min(affirmed) if len(affirmed) == 1 else None
    other = _OTHER.search(text)
    if other and plain(other[2]) in accepted and other[1].casefold() not in SMALL:
        return plain(other[1])
    text = _CONTRAST.sub("", text)
    ends = [match.end() for match in RETRACTION.finditer(text)]
    if ends and text[max(ends) :].strip():
        return word_said(text[max(ends) :], accepted)
    whole = _bare(text, accepted)
    if whole in accepted:
        return whole
    quoted = {plain(a or b) for a, b in _quoted(text)}
    stated = _stated(text, accepted)
    if stated is not None and (not quoted or stated in quoted):
        return stated
    if quoted:
        return min(quoted) if len(quoted) == 1 else None
    spans = sentences(text)
    first = _bare(_ASIDE.sub("", text[slice(*spans[0])]), accepted) if spans else ""
    last = _bare(text[slice(*spans[-1])], accepted) if len(spans) > 1 else ""
    if len(last.split()) == 1 and not _NO_WORD.fullmatch(last) and not _CAPITALS.search(text):
        return last
    if not spans or _NO_WORD.fullmatch(first) or re.search(r"\b(?:or|and)\b", first):
        return None
    rest = text[spans[0][1] :]
    if rest and (text[spans[0][1] - 1] == "?" or RETRACTION.search(rest)):
        return None
    words = len(first.split())
    if words == 1 or (len(spans) == 1 and words <= _MOST and not _SENTENCE.search(first)):
        if first not in accepted and any(first.endswith(f" {form}") for form in accepted):
            lead, form = first.rsplit(" ", 1)
            return form if _LOOKS.fullmatch(lead) or {*lead.split()} <= describing() else None
        return first
    capitals = {
        plain(match.group())
        for match in _CAPITALS.finditer(text)
        if not _denied(text, *match.span())
    }
    if capitals:
        return min(capitals) if len(capitals) == 1 else None
    named = {form for form in accepted if _names(whole, form)}
    return min(named) if len(named) == 1 and len(spans) == 1 else None


def _names(text: str, form: str) -> bool:
    found = re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text)
    return any(not _denied(text, *match.span()) for match in found)


def _quoted(text: str) -> list[tuple[str, str]]:
    return [m.groups("") for m in _QUOTED.finditer(text) if not _denied(text, *m.span())]  # type: ignore[misc]


def _stated(text: str, accepted: Sequence[str]) -> str | None:
    """The last term that is announced as the answer, or the only one that is stated to be it."""
    announced: list[str | None] = []
    stated: set[str | None] = set()
    for match in _STATED.finditer(text):
        term, end = _bare(match["term"], accepted), match.end("term")
        if term not in accepted and len(term.split()) > 2 and not _NO_WORD.fullmatch(term):
            continue
        if term not in accepted and re.match(r"(?:not?|n't)\b", term):
            continue
        if _denied(text, match.start("term"), end):
            continue
        doubtful = " or " in f" {term} " or _EITHER.match(text[end : end + 8])
        value = None if doubtful or _NO_WORD.fullmatch(term) else term
        announced += [value] if match["announced"] else []
        stated.add(value)
    if announced:
        return announced[-1]
    return min(stated, key=str) if len(stated) == 1 else None
