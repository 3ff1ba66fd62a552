"""What examiners reply: forms, and what a form cannot say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, TypeAlias

from pydantic import Field

from lvlmbench.scene.answers import NUMBER_WORDS
from lvlmbench.scene.evidence import Fact, mistake
from lvlmbench.scene.quoting import QUOTED, holds_words, quotes, stems, telling, words
from lvlmbench.stages.roles.replies import Lines
from lvlmbench.suites.brief import Brief

#: Options of a question, and the most facts that may bear it out.
OPTIONS, MOST_FACTS = 4, 12
#: How long an option may be, in lengths of the right one.
SHORTEST, LONGEST = 0.5, 1.5

#: As a literal, so that a schema can say it; a test holds it against the closed list.
Predicate: TypeAlias = Literal[
    "background", "weather", "light", "style", "is", "color", "text", "facing", "count", "at",
    "age", "gender", "expression", "hair", "hair_color", "action", "wears", "wears colored", "held",
    "left_of", "right_of", "above", "below", "next_to", "in_front_of", "behind", "hides", "larger",
    "smaller", "same_size", "nearer", "farther", "in_row", "in_column", "inside", "on", "between",
]  # fmt: skip
_ARTICLES = ("a", "an", "the")
_DIGITS = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}


class SaidFact(Lines):
    """A fact, as an examiner writes it."""

    subject: str = Field(min_length=1, max_length=40)
    predicate: Predicate
    object: str = Field(min_length=1, max_length=80)

    @property
    def fact(self) -> Fact:
        """The fact."""
        return Fact(self.subject, self.predicate, self.object)


class _Asked(Lines):
    """A question with its options."""

    question: str = Field(min_length=8, max_length=300)
    options: list[str] = Field(min_length=OPTIONS, max_length=OPTIONS)
    answer_index: int = Field(ge=0, le=OPTIONS - 1)


class SaidQuestion(_Asked):
    """A question about a picture that was measured, with the facts that make its answer right."""

    evidence: list[SaidFact] = Field(min_length=1, max_length=MOST_FACTS)

    def wrong(self, ids: Collection[str]) -> str | None:
        """Return what is wrong with the form of the evidence."""
        for number, one in enumerate(self.evidence):
            if (wrong := mistake(one.fact, ids)) is not None:
                return f"evidence.{number}: {wrong}"
        return None


class SaidTextQuestion(_Asked):
    """A question about a picture that a text describes, with the ids of the statements that make
    its answer right."""

    evidence: list[str] = Field(min_length=1, max_length=MOST_FACTS)

    def wrong(self, ids: Collection[str]) -> str | None:
        """Return which piece of evidence is no statement."""
        unknown = next((each for each in self.evidence if each not in ids), None)
        return None if unknown is None else f"evidence: there is no statement '{unknown}'"


class SaidAnswer(Lines):
    """An answer that is offered beside the right one."""

    answer: str = Field(min_length=1, max_length=80)


def near(one: str, other: str, brief: Brief) -> bool:
    """Return whether two options say the same: in the same words, but for articles, plurals and how
    numbers are written, or as both may be names of one thing."""
    a, b = ([word for word in words(text) if word not in _ARTICLES] for text in (one, other))
    plain = [[_DIGITS.get(stem, stem) for stem in stems(" ".join(each))] for each in (a, b)]
    return plain[0] == plain[1] or brief.same(" ".join(a), " ".join(b))


def names(text: str, defects: Sequence[str]) -> str | None:
    """Return the first defect that a text names, in whole words."""
    return next((each for each in defects if holds_words(text, each)), None)


def leaks(text: str, brief: Brief) -> str | None:
    """Return what of a text nobody may be shown: a defect, or words of the description."""
    barred = next((word for word in sorted(brief.barred) if word in telling(text)), None)
    if (named := names(text, brief.defects) or barred) is not None:
        return f"names '{named}', which is not as planned"
    if quotes(text, brief.description):
        return f"copies {QUOTED} words of the description"
    return None


def check_question(brief: Brief) -> Callable[[SaidQuestion | SaidTextQuestion], str | None]:
    """Return a check that says what is wrong with a question about a picture, or None."""
    ids = frozenset(name for name, _ in brief.things)

    def check(said: SaidQuestion | SaidTextQuestion) -> str | None:
        if any(not 1 <= len(option) <= 80 for option in said.options):
            return "options: each must have 1 to 80 characters"
        for at, option in enumerate(said.options):
            if any(near(option, other, brief) for other in said.options[:at]):
                return f"options: '{option}' says the same as another one"
        right = words(said.options[said.answer_index])
        asked = words(said.question)
        if any(asked[at : at + len(right)] == right for at in range(len(asked))):
            return "the right option stands in the question"
        if (leak := leaks("\n".join([said.question, *said.options]), brief)) is not None:
            return f"the question {leak}"
        return said.wrong(ids)

    return check


def unfit(answer: str, options: Sequence[str], right: str, brief: Brief) -> str | None:
    """Return why an answer cannot be offered beside options, in a word or two; None where it can.

    Parameters
    ----------
    options
        All that stand there, or have stood there: the right one, those that were replaced, too.
    """
    if any(near(answer, option, brief) for option in options):
        return "near an option"
    if not SHORTEST * len(right) <= len(answer) <= LONGEST * len(right):
        return "of another length"
    return None if leaks(answer, brief) is None else "not to be shown"
