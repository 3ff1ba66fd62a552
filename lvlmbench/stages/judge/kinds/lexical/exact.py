"""Whether an answer states the one value that is right, and no other of its kind."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from lvlmbench.scene.answers import sort_of
from lvlmbench.scene.claims import WRONG, Claim, Feature, Match, Truth
from lvlmbench.stages.judge.kinds.lexical.matching.words import EVERYDAY, Lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.lexicon import lexicon
from lvlmbench.stages.judge.kinds.lexical.reading.model import english
from lvlmbench.stages.score.cleaning import clean, sentences
from lvlmbench.stages.score.short import is_right, read_short
from lvlmbench.stages.score.words import says

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


def states(
    text: str,
    question: str,
    forms: Sequence[str],
    held: Sequence[tuple[Claim, Match]],
    truth: Truth,
    words: Lexicon,
) -> bool:
    """Return whether an answer states a value and no other of its kind.

    Numbers and colors are read as those of short answers are: of several that are as good none
    counts, nor does what is ruled out ("not red"). Another word or name must stand in the answer,
    neither denied nor as one of two; and the answer may claim nothing false of the kind that the
    value is of (another animal, another text, another mood).

    Parameters
    ----------
    forms
        Forms of the value.
    held
        The claims of the answer, each with what became of it.
    """
    told = _told(text, forms)
    if sort_of(forms) != "text":
        return is_right(read_short(told, forms, question).said, forms)
    if not says(clean(told), forms):
        return False
    valued = [feature for feature in truth.features if _valued(feature, forms)]
    return not any(
        match.verdict in WRONG and _of_its_kind(claim, feature, forms, words)
        for claim, match in held
        for feature in valued
    )


def _told(text: str, forms: Sequence[str]) -> str:
    """The answer without sentences that speak to whoever judges it, or are in another language."""
    cleaned = clean(text)
    kept = [cleaned[slice(*span)] for span in sentences(cleaned)]
    own = {word.casefold() for form in forms for word in _WORD.findall(form)}
    return "\n".join(each for each in kept if not (_of_judging(each, own) or _foreign(each, own)))


def _foreign(sentence: str, own: Collection[str]) -> bool:
    """Whether most words of a sentence are not English."""
    words = [word for word in _LETTERS.findall(sentence) if word.casefold() not in own]
    strange = [word for word in words if word.casefold() not in english()]
    many = len(strange) >= _STRANGE or any(max(word) > _LATIN for word in strange)
    return many and len(strange) >= _SHARE * len(words)


def _of_judging(sentence: str, own: Collection[str]) -> bool:
    lists = lexicon().lists
    said = {word.casefold() for word in _WORD.findall(sentence)}.difference(own)
    strong, weak = said & lists["judging.strong"], said & lists["judging.weak"]
    announced = strong <= {"answer", "response"} and not weak - {"correct", "accurate", "complete"}
    two = bool(strong) and len(strong | weak) > 1 and not announced
    return two or not said.isdisjoint(_TO_JUDGES) or _ORDER.match(sentence) is not None


def _valued(feature: Feature, forms: Sequence[str]) -> bool:
    """Whether a value is a feature's."""
    names = {*feature.forms, feature.value, feature.subject if feature.kind == "object" else None}
    return not {form.casefold() for form in forms}.isdisjoint(
        name.casefold() for name in names if name
    )


def _of_its_kind(claim: Claim, feature: Feature, forms: Sequence[str], words: Lexicon) -> bool:
    """Whether a claim is of the kind that a value is of, which a feature has."""
    if claim.kind != feature.kind:
        return False
    if claim.kind != "object":
        return claim.relation == feature.relation
    said = claim.subject.rpartition(" ")[2]
    if any(words.above(said, form) for form in forms):
        return False  # a broader word for it, with what it is like
    return any(
        words.above(name, claim.subject) and any(words.above(name, form) for form in forms)
        for name in EVERYDAY
    )
