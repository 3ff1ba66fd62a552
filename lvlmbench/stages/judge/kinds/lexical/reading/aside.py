"""Sentences that are not about the picture: to who judges the answer, or in another language."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.stages.judge.kinds.lexical.reading.model import english
from lvlmbench.stages.judge.kinds.lexical.reading.parse import Text, Token

#: Unknown words from which on a sentence may be in another language, and their least share.
_STRANGE, _SHARE = 3, 0.5
#: The last letter of those that European languages add to the Latin ones.
_LATIN = "\u024f"


def aside(text: Text) -> frozenset[int]:
    """Return the numbers of the sentences that claim nothing of the picture."""
    return frozenset(
        each.sentence
        for words in _whole(text)
        if _of_judging(text, words) or _foreign(text, words)
        for each in words
    )


def _whole(text: Text) -> Iterator[list[Token]]:
    """Yield sentences; a parser begins new ones after colons, too."""
    words: list[Token] = []
    for sentence in text.sentences:
        words += sentence
        if words and words[-1].low != ":":
            yield words
            words = []
    if words:
        yield words


def _of_judging(text: Text, sentence: list[Token]) -> bool:
    """Whether a sentence speaks of how the answer is to be judged, in two words at least."""
    said = {word for each in sentence for word in (each.low, each.lemma)}
    strong = said & text.lexicon.lists["judging.strong"]
    return bool(strong) and len(strong | (said & text.lexicon.lists["judging.weak"])) > 1


def _foreign(text: Text, sentence: list[Token]) -> bool:
    """Whether most words of a sentence are not English."""
    words = [
        each for each in sentence if each.low[:1].isalpha() and not each.low.startswith("quotex")
    ]
    strange = [each for each in words if not _known(text, each)]
    many = len(strange) >= _STRANGE or any(max(each.low) > _LATIN for each in strange)
    return many and len(strange) >= _SHARE * len(words)


def _known(text: Text, token: Token) -> bool:
    """Whether a word, or each part of one with hyphens, is English or in our lists."""
    known = english()
    if token.low in text.words.spoken or token.lemma in known or token.low in text.lexicon.kinds:
        return True
    return all(part in known or part in text.words.spoken for part in token.low.split("-"))
