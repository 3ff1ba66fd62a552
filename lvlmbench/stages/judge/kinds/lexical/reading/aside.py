"""Sentences that are not about the picture: to who judges the answer, or in another language;
answers in another language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import base, english
from lvlmbench.stages.judge.kinds.lexical.reading.words import Words

#: Unknown words from which on a sentence may be in another language, and their least share.
_STRANGE, _SHARE = 3, 0.5
#: Their least share in a whole answer: 0.25 is the most of 2,400 English ones, 0.38 the least of
#: those in eleven other languages.
_OF_ANSWER = 1 / 3
_WORD, _SENTENCE = re.compile(r"[^\W\d_]+"), re.compile(r"[.!?:;\n\u3002\uff01\uff1f]+")
#: Words of a sentence that are enough to tell its language.
_FEW = 4
#: The last letter of those that European languages add to the Latin ones.
_LATIN = "\u024f"


def foreign(answer: str, words: Words) -> bool:
    """Return whether an answer is in another language than English: as a whole, and without a
    sentence of four words or more that is English."""
    strange, said = _strange(answer, words)
    if not _many(strange) or len(strange) < _OF_ANSWER * said:
        return False
    parts = (_strange(part, words) for part in _SENTENCE.split(answer))
    return not any(n >= _FEW and len(odd) < _OF_ANSWER * n for odd, n in parts)


def _strange(text: str, words: Words) -> tuple[list[str], int]:
    """The words of a text that are not English, and how many words it has."""
    said, known = _WORD.findall(text.lower()), english()
    strange = [
        word
        for word in said
        if not {word, word.removesuffix("s")} & known and word not in words.spoken
    ]
    return strange, len(said)


def aside(doc: Any, low: Sequence[str], words: Words) -> Iterator[int]:
    """Yield the numbers of the words of sentences that claim nothing of the picture."""
    start = 0
    for sentence in doc.sents:
        said = low[start : sentence.end]
        if said[-1:] == [":"] and sentence.end < len(low):
            continue  # a parser begins new ones after colons, too
        if of_judging(said) or _foreign(said, words):
            yield from range(start, sentence.end)
        start = sentence.end


def of_judging(said: Sequence[str]) -> bool:
    """Return whether a sentence speaks of how the answer is to be judged, in two words at least."""
    lists = lexicon().lists
    both = {*said, *(base(word, "noun") for word in said), *(base(word, "verb") for word in said)}
    strong = both & lists["judging.strong"]
    return bool(strong) and len(strong | (both & lists["judging.weak"])) > 1


def _foreign(said: Sequence[str], words: Words) -> bool:
    """Whether most words of a sentence are not English."""
    strange, n = _strange(" ".join(w for w in said if not w.startswith("quotex")), words)
    return _many(strange) and len(strange) >= _SHARE * n


def _many(strange: list[str]) -> bool:
    """Whether unknown words are more than a few names."""
    return len(strange) >= _STRANGE or any(max(word) > _LATIN for word in strange)
