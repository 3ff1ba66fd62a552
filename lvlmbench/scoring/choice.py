"""From what a model said to the option it chose (Dysca, section 3.4).

The paper takes the letter by regular expression and, failing that, the option with the smallest
Levenshtein distance. So does this module, with three differences that docs/metrics.md explains:
letters inside words and articles do not count, an answer that chooses nothing is none instead of
a guess, and so is one that chooses two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lvlmbench.scoring.cleaning import clean
from lvlmbench.scoring.labels import named_option, nearest_option, truth_value
from lvlmbench.scoring.letters import mentioned_letter, stated_letter
from lvlmbench.scoring.wording import ALL_ALIKE, NONE_FITS, REFUSAL


@dataclass(frozen=True)
class Choice:
    """An extracted choice.

    Attributes
    ----------
    index
        Index of the chosen option, None where the answer chooses none.
    method
        ``letter``: by its letter. ``edit_distance``: by its text (named outright, which is
        distance 0, or nearest to it). ``none_of_options``: it says that no option fits.
        ``none``: no choice could be read.
    """

    index: int | None
    method: Literal["letter", "edit_distance", "none_of_options", "none"]


NO_CHOICE = Choice(None, "none")
NONE_OF_OPTIONS = Choice(None, "none_of_options")


def extract_choice(answer: str, options: Sequence[str]) -> Choice:
    """Read which of the lettered ``options`` (A, B, C ... in order) an answer chooses.

    In this order, the first that decides:

    1. a letter that is stated to be the answer: ``\\boxed{B}``, ``[[B]]``, "Answer: B", "I choose
       (B)", "(B) is correct", a line with nothing but the letter, an answer that opens with "B.".
       Of several different ones the last counts if it takes the others back ("wait, actually") or
       is called final; otherwise there is no choice;
    2. a refusal, or "none of the options": no choice. The latter is told apart by its method,
       but not for True and False, of which one always fits;
    3. letters that occur in brackets, in bold, after "option" or before their own option's text,
       then capitals that stand alone; only one may remain once those that are ruled out and lists
       that repeat the options are set aside, or the closing sentence must name a single one;
    4. for the options True and False: yes and no (in several languages), "the statement is wrong";
    5. the option's text: the whole answer or the only label it names;
    6. for short answers the smallest Levenshtein distance to an option's text, at most a third of
       the longer one's letters, and not shared by two options.

    Parameters
    ----------
    answer
        What the model said, of any length. Thoughts between think tags are not read.
    options
        At most 26 option texts.
    """
    text = clean(answer)
    if not text or not options:
        return NO_CHOICE
    decided, index = stated_letter(text, options)
    if decided:
        return _none(text, options) if index is None else Choice(index, "letter")
    if any(said.search(text) for said in (NONE_FITS, ALL_ALIKE, REFUSAL)):
        return _none(text, options)
    decided, index = mentioned_letter(text, options)
    if decided:
        return NO_CHOICE if index is None else Choice(index, "letter")
    for read in (truth_value, named_option):
        decided, index = read(text, options)
        if decided:
            return NO_CHOICE if index is None else Choice(index, "edit_distance")
    index = nearest_option(text, options)
    return NO_CHOICE if index is None else Choice(index, "edit_distance")


def _none(text: str, options: Sequence[str]) -> Choice:
    """No choice: because no option fits, if the answer says so and does not decline as well."""
    truth = sorted(option.casefold() for option in options) == ["false", "true"]
    if NONE_FITS.search(text) and not REFUSAL.search(text) and not truth:
        return NONE_OF_OPTIONS
    return NO_CHOICE
