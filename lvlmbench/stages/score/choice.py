"""From what a model said to the option it chose (Dysca, section 3.4).

The paper takes the letter by regular expression and, failing that, the option with the smallest
Levenshtein distance. So does `extract_choice`, with three differences that docs/metrics.md
explains: letters inside words and articles do not count, an answer that chooses nothing is none
instead of a guess, and so is one that chooses two. The paper's own rule and that of its code are
strategies, too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lvlmbench.stages.score.asked import without_options
from lvlmbench.stages.score.candidates import numbers
from lvlmbench.stages.score.cleaning import clean, sentences
from lvlmbench.stages.score.clock import clock_times, is_time
from lvlmbench.stages.score.labels import (
    asserted_option,
    contradicts,
    named_option,
    nearest_option,
    spelled_out,
)
from lvlmbench.stages.score.letters import goes_through, left_over, lists_several, mentioned_letter
from lvlmbench.stages.score.meanings import lettered
from lvlmbench.stages.score.near import Phrases
from lvlmbench.stages.score.refusal import DECLINES, UNDECIDED, leaves_open, open_option
from lvlmbench.stages.score.short import read_value
from lvlmbench.stages.score.statements import announced, stated_letter
from lvlmbench.stages.score.stems import digits, mended, numeral
from lvlmbench.stages.score.truth import denied, is_truth, truth_initial, truth_value
from lvlmbench.stages.score.verdicts import verdict, without_repeated_list
from lvlmbench.stages.score.wording import (
    ALL_ALIKE,
    GUESSES,
    HEDGES,
    NONE_FITS,
    RETRACTION,
    ruled_out,
)


@dataclass(frozen=True)
class Choice:
    """An extracted choice.

    Attributes
    ----------
    index
        Index of the chosen option, None where the answer chooses none.
    method
        ``letter``: by its letter. ``edit_distance``: by its text (named outright, which is
        distance 0, or nearest to it). ``logprobs``: by the likeliest letter. ``refusal``: it
        declines to answer. ``none_of_options``: it says that no option fits. ``none``: no choice
        could be read.
    """

    index: int | None
    method: Literal["letter", "edit_distance", "logprobs", "refusal", "none_of_options", "none"]


#: Method of a choice that was read from probabilities.
LIKELIEST: Literal["logprobs"] = "logprobs"

NO_CHOICE = Choice(None, "none")
NONE_OF_OPTIONS = Choice(None, "none_of_options")
REFUSAL = Choice(None, "refusal")

#: Characters in which a writer who takes an answer back gives another.
_AFTERTHOUGHT = 120
#: Characters beside an option's text in a sentence that does no more than name it.
_TO_NAME_IT = 16
#: Option letters, to be left out of a text.
_LETTERS = re.compile(r"[(\[]\s?[A-Za-z]\s?[)\]][.:]?|(?<![\w'])[A-Z][.:)]?(?![\w'])")
#: What turns from declining to an answer.
_STILL = re.compile(r"(?:,|\.)\s+(?:but|however|nevertheless|still)\b,?\s*", re.I)
#: Words that weigh options: what is said beside a letter then is no other answer.
_NONE = re.compile(r"\W*(?:there (?:are|is|were) |i see )?none\W*", re.I)
_WEIGHS = re.compile(
    r"\b(?:not?|nor|neither|would|could|if|first|but|though|although|however|leav\w+|rul\w+|elimin\w+"
    r"|exclud\w+|than|instead|while|wrong|incorrect|also|mistaken)\b|n't\b|[^\x00-\x7f]",
    re.I,
)
_NOT = re.compile(r"\b(?:not|no|never|nor)\b|n't\b|[^\x00-\x7f]", re.I)
_NOT_BUT = re.compile(r"\bnot\b[^.;\n]*?\bbut\b", re.I)
_TURNS = re.compile(
    r"\b(?:would|could|if|first|but|though|although|however|mistaken|instead)\b", re.I
)
#: Most answers are no more than this; the long way reads them alike.
_LETTER_ONLY = re.compile(r"\(?([A-Z])\)?[.:]?\s*")
#: Keys under which JSON holds the answer.
_JSON_KEYS = (
    "final_answer", "answer", "choice", "final_choice", "selected_option", "selected", "option",
    "letter", "prediction", "result", "response", "output", "label",
)  # fmt: skip
_JSON_FENCE = re.compile(r"json", re.I)
_RANGE = re.compile(r"(\d+)(?: ?[-\u2013] ?| to )(\d+)(?: \w+)*")
_NOT_AVAILABLE = re.compile(r"\W*n/a\W*", re.I)


def extract_choice(answer: str, options: Sequence[str], question: str = "") -> Choice:
    """Read which of the lettered ``options`` (A, B, C ... in order) an answer chooses.

    In this order, the first that decides:

    1. a list of verdicts on the options, of which one is a yes; a list that only repeats the
       options is set aside;
    2. what follows "wait", "actually" and the like, if it chooses;
    3. a letter that is stated to be the answer: ``\\boxed{B}``, ``[[B]]``, "Answer: B", "I choose
       (B)", "(B) is correct", a line with nothing but the letter, an answer that opens with "B.".
       Of several different ones the last counts if it takes the others back or alone is called
       final; otherwise there is no choice;
    4. a refusal, "none of the options", or words that leave it open: no choice. The first two are
       told apart by the method; of True and False one always fits, there it is none;
    5. letters that occur in brackets, in bold, after "option" or beside their own option's text,
       then capitals that stand alone; only one may remain once those that are ruled out and lists
       that repeat the options are set aside, or the closing sentence must name a single one;
    6. for True and False, or yes and no: these in several languages, "the statement is wrong";
    7. the option's text: the whole answer, or the only label that it names, concludes with or says
       something to be;
    8. the words of one option misspelt, or in short answers in other forms, or the smallest
       Levenshtein distance to an option's text, at most a third of its letters, and not of two.

    Parameters
    ----------
    answer
        What the model said, of any length. Thoughts and invented turns are not read.
    options
        At most 26 option texts.
    question
        What was asked, with the statement to judge: of several options that an answer names the
        one counts that it says of what the question asks about, and an answer may repeat or deny
        the statement.
    """
    only = _LETTER_ONLY.fullmatch(answer)
    if only and ord(only.group(1)) - ord("A") < len(options):
        return Choice(ord(only.group(1)) - ord("A"), "letter")
    text = clean(answer)
    if not text or not options or _NOT_AVAILABLE.fullmatch(text):
        return NO_CHOICE
    bare = text.rstrip(" .")
    own = bare in options and (len(bare) > 1 or not "A" <= bare < chr(ord("A") + len(options)))
    index = options.index(bare) if own else truth_initial(text, options)
    if index is not None:
        return Choice(index, "edit_distance")
    if (given := _of_json(text)) is not None:
        return extract_choice(given, options, question)
    question = without_options(question) if question else ""
    text = lettered(spelled_out(text, options, question), options, is_truth(options))
    decided, index = verdict(text, options)
    if decided and (index is None or index in (announced(text, options) or {index})):
        return NO_CHOICE if index is None else Choice(index, "letter")
    if lists_several(text, options):
        return NO_CHOICE
    text = without_repeated_list(text, options)
    for start in (RETRACTION, GUESSES):
        later = _after(start, text, options, question)
        if later is not None:
            return later
    return _read(text, options, question)


def _of_json(text: str) -> str | None:
    """What a JSON object says under a key that names an answer; None for any other text."""
    start, end = text.find("{"), text.rfind("}")
    if (
        start < 0
        or end < start
        or re.search(r"\w{3}", _JSON_FENCE.sub("", text[:start] + text[end + 1 :]))
    ):
        return None
    try:
        found: object = json.loads(text[start : end + 1])
    except (ValueError, RecursionError):
        return None
    for _ in range(3):
        if not isinstance(found, dict):
            break
        by_key = {str(key).casefold().replace(" ", "_"): value for key, value in found.items()}
        found = next((by_key[key] for key in _JSON_KEYS if key in by_key), None)
    return found if isinstance(found, str) and found.strip() else None


def survives_cut(answer: str, options: Sequence[str], question: str = "") -> bool:
    """Whether the choice of an answer that was cut off is safe to read.

    It is where the answer opens with it, in a first sentence or line that is whole and no longer
    than it takes to name an option or that states a letter, and where nothing that follows takes
    it back. Options that were being gone through one by one are none.
    """
    text = clean(answer)
    spans = sentences(text)
    if len(spans) < 2:
        return False
    opening = text[slice(*spans[0])]
    short = len(opening) <= max(map(len, options), default=0) + _TO_NAME_IT
    if not short and not stated_letter(opening, options)[0]:
        return False
    index = extract_choice(opening, options, question).index
    return index is not None and index == extract_choice(answer, options, question).index


def _read(text: str, options: Sequence[str], question: str, guess: bool = False) -> Choice:
    """What a cleaned text chooses: by letters, then by the options' words."""
    decided, index = stated_letter(text, options)
    left = left_over(text, options) if index is None else None
    if left is not None:
        return Choice(left, "letter")
    if decided:
        return _none(text, options) if index is None else _letter(text, options, question, index)
    if not guess and any(said.search(text) for said in (NONE_FITS, ALL_ALIKE, DECLINES, UNDECIDED)):
        decided, index = _all_the_same(text, options, question)
        own = None if decided or DECLINES.search(text) else open_option(tuple(options))
        if own is not None and UNDECIDED.search(text):
            return Choice(own, "edit_distance")
        return Choice(index, "edit_distance") if decided else _none(text, options)
    if goes_through(text, options):
        return NO_CHOICE
    decided, index = mentioned_letter(text, options)
    if decided:
        return NO_CHOICE if index is None else _letter(text, options, question, index)
    return _by_words(text, options, question)


def _by_words(text: str, options: Sequence[str], question: str) -> Choice:
    """What the words of a cleaned text choose, whatever letters it has."""
    for read in (truth_value, _counted, named_option):
        decided, index = read(text, options, question)
        if decided and index is not None and read is named_option:
            ends = [match.end() for match in RETRACTION.finditer(text)]
            later, last = named_option(text[ends[-1] :], options, question) if ends else (False, 0)
            index = last if later else index
        if decided:
            return NO_CHOICE if index is None else Choice(index, "edit_distance")
    index = nearest_option(text, options)
    if index is None and (right := mended(text, options)) != text:
        index = named_option(right, options, question)[1]
    if index is None and leaves_open(text):
        index = open_option(tuple(options))
    return NO_CHOICE if index is None else Choice(index, "edit_distance")


def _counted(text: str, options: Sequence[str], question: str) -> tuple[bool, int | None]:
    """(decided, index) where each option is a number, or a range: by the number that is given."""
    ranges = [_RANGE.fullmatch(option) for option in options]
    if not all(map(numeral, options)) and not any(ranges):
        return _timed(text, options)
    values = [digits(option).strip() for option in options]
    said = read_value(text, "number", question).said
    if any(ranges):
        within = [m is not None and float(m[1]) <= float(said or -1) <= float(m[2]) for m in ranges]
        return (True, within.index(True)) if sum(within) == 1 else (False, None)
    if said is None:
        # Of four digits they may be years, and other numbers be said of them.
        return bool(numbers(text, "")) and min(map(len, options)) < 4, None
    return True, values.index(said) if said in values else None


def _timed(text: str, options: Sequence[str]) -> tuple[bool, int | None]:
    """(decided, index) where each option is a time: by the only one that the text says in words."""
    if ":" not in options[0] or not all(map(is_time, options)) or ":" in text:
        return False, None
    said = {
        value
        for span, values in clock_times(text)
        for value in values
        if not ruled_out(text, *span)
    }
    found = [
        i
        for i, option in enumerate(options)
        for _, values in clock_times(option)
        if said & {*values}
    ]
    return (True, found[0]) if len(said) == len(found) == 1 else (False, None)


def _all_the_same(text: str, options: Sequence[str], question: str) -> tuple[bool, int | None]:
    """(decided, index) of what a text says that sounds as if it left the answer open: "I can't
    identify people, but the man is old", "I don't see any dog", "None"."""
    rest = _STILL.split(text)[-1]
    open_ones = (NONE_FITS, ALL_ALIKE, DECLINES, UNDECIDED, HEDGES)
    if rest != text and not any(said.search(rest) for said in open_ones):
        read = truth_value if is_truth(options) else asserted_option
        decided, index = read(rest, options, question)
        if index is not None:
            return decided, index
    if DECLINES.search(text) or (NONE_FITS.search(text) and not _NONE.fullmatch(text)):
        return False, None
    if is_truth(options):
        return denied(text, options, question)
    decided, index = _counted(text, options, question)
    zero = index is not None and digits(options[index]).strip() == "0"
    return (decided, index) if zero else (False, None)


def _letter(text: str, options: Sequence[str], question: str, index: int) -> Choice:
    """The option of a letter, unless the few words beside it plainly say another."""
    chosen = Choice(index, "letter")
    if len(text) > 2 * _AFTERTHOUGHT:
        return chosen
    words = _LETTERS.sub(" ", text).strip(" .,:;-\n")
    if len(words) > _AFTERTHOUGHT:
        return chosen
    turns = _TURNS.search(_NOT_BUT.sub("not ", words))
    if not turns and _NOT.search(words) and contradicts(words, options, index):
        return NO_CHOICE
    if options[index].casefold() in words.casefold():
        return chosen
    weighed = _TURNS if is_truth(options) else _WEIGHS
    if not re.search(r"\w{2}|\d", words) or weighed.search(words):
        return chosen
    for read in (truth_value, _counted, named_option):
        decided, other = read(words, options, question)
        if decided:
            several = read is _counted and len(numbers(words, question)) > 1
            return chosen if other in (None, index) or several else NO_CHOICE
    return chosen


def _after(start: Phrases, text: str, options: Sequence[str], question: str) -> Choice | None:
    """What the words after the last "wait", "if I had to guess" and the like choose: stated as the
    answer, or in a few words that neither ask nor hedge."""
    guess = start is GUESSES
    ends = [match.start() if guess else match.end() for match in start.finditer(text)]
    rest = text[ends[-1] :].strip() if ends else ""
    if not rest or "?" in rest:
        return None
    decided, index = stated_letter(rest, options)
    if decided:
        return None if index is None else Choice(index, "letter")
    if len(rest) > _AFTERTHOUGHT or (HEDGES.search(rest) and not guess):
        return None
    choice = _read(rest, options, question, guess)
    return choice if choice.index is not None else None


def _none(text: str, options: Sequence[str]) -> Choice:
    """No choice: because the answer declines, or else because it says that no option fits."""
    if DECLINES.search(text):
        return REFUSAL
    if NONE_FITS.search(text) and not UNDECIDED.search(text) and not is_truth(options):
        return NONE_OF_OPTIONS
    return NO_CHOICE
