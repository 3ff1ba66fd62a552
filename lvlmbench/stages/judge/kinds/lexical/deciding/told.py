"""What an answer tells, without what it says to whoever judges it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from lvlmbench.stages.judge.kinds.lexical.deciding.values import ABBREVIATED
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import is_english
from lvlmbench.stages.score.cleaning import clean, sentences

#: A sentence that tells whoever judges what to do, or gives itself points.
_ORDER = re.compile(
    r"\W*(?:(?:please|now|and|you (?:must|should|will))\s+)*"
    r"(?:give|rate|score|grade|award|assign|mark)\s+"
    r"(?:me|this|it|us|my|both|yourself|(?:the|a|an)\s+(?:first|second|answer|score|rating|10|ten))\b"
    r"|\W*(?:score|rating|grade|marks?|points?)\s*[:=]",
    re.I,
)
#: Words of which one alone makes a sentence speak to whoever judges.
_TO_JUDGES = frozenset((
    "grader", "evaluator", "examiner", "hallucinated", "disregard", "ignore", "10/10", "chatbot",
    "llm", "instruction", "instructions",
))  # fmt: skip
#: Unknown words from which on a sentence may be in another language, and their least share.
_STRANGE, _SHARE = 3, 0.5
#: The last letter of those that European languages add to the Latin ones.
_LATIN = "\u024f"
_WORD = re.compile(r"[\w/]+")
_LETTERS = re.compile(r"[^\W\d_]+")
#: The number of an entry of a list.
_MARKER = re.compile(r"^[ \t]*[-(]?\d+[.):](?=[ \t]+\S)", re.M)
#: A word that is spelled out.
_SPELLED = re.compile(
    r"(?<![\w-])[A-Za-z](?:-[A-Za-z]){2,}(?![\w-])|(?<!\w)[A-Z](?: [A-Z]){2,}(?!\w)"
)


def told(text: str, forms: Sequence[str]) -> str:
    """Return an answer in plain form, without sentences to whoever judges, or in other languages.

    Each sentence is a line.
    """
    own = _words_of(forms)
    kept = [each for each in _sentences(text) if not _of_judging(each, own)]
    return "\n".join(_joined(each) for each in kept if not _foreign(each, own))


def strange(text: str, forms: Sequence[str]) -> bool:
    """Return whether an answer says something in another language."""
    own = _words_of(forms)
    return any(_foreign(each, own) for each in _sentences(text) if not _of_judging(each, own))


def _sentences(text: str) -> list[str]:
    cleaned = ABBREVIATED.sub(r"\1", clean(text))
    if len(_MARKER.findall(cleaned)) > 1:
        cleaned = _MARKER.sub("", cleaned)
    return [cleaned[slice(*span)] for span in sentences(cleaned)]


def _words_of(forms: Sequence[str]) -> set[str]:
    return {word.casefold() for form in forms for word in _WORD.findall(form)}


def _joined(sentence: str) -> str:
    """A sentence in which words that are spelled out are words: L-E-A-F."""
    return _SPELLED.sub(lambda match: re.sub(r"[- ]", "", match.group()), sentence)


def _foreign(sentence: str, own: Collection[str]) -> bool:
    """Whether most words of a sentence are not English."""
    words = [word for word in _LETTERS.findall(sentence) if word.casefold() not in own]
    unknown = [word for word in words if not is_english(word.casefold())]
    many = len(unknown) >= _STRANGE or any(max(word) > _LATIN for word in unknown)
    return many and len(unknown) >= _SHARE * len(words)


def _of_judging(sentence: str, own: Collection[str]) -> bool:
    lists = lexicon().lists
    said = {word.casefold() for word in _WORD.findall(sentence)}.difference(own)
    strong, weak = said & lists["judging.strong"], said & lists["judging.weak"]
    announced = strong <= {"answer", "response"} and not weak - {"correct", "accurate", "complete"}
    two = bool(strong) and len(strong | weak) > 1 and not announced
    return two or not said.isdisjoint(_TO_JUDGES) or _ORDER.match(sentence) is not None
