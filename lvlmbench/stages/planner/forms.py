"""What planners reply: forms, and what a form cannot say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, TypeAlias

from pydantic import Field

from lvlmbench.scene.quoting import holds_words, stems, words
from lvlmbench.stages.roles.replies import Lines
from lvlmbench.suites.planned import Description, Stands, TextCheck, Thing

#: Characters of a name, least and most, and of a sentence.
_NAME, _SENTENCE = (3, 60), (20, 400)
#: Things and relations of a description at most; of key words, least and most.
_THINGS, _RELATIONS, _WORDS = 8, 6, (4, 6)
#: Characters of a text that describes a picture, least and most, and of a question about it.
_TEXT, _QUESTION = (40, 900), (8, 200)
#: Fewest options of a check, and most; a validator is offered one more.
_OPTIONS = (2, 5)

#: As a literal, so that a schema can say it; a test compares it with the list of the tables.
Element: TypeAlias = Literal[
    "object", "human", "animal", "food", "activity", "attribute", "counting", "color", "material",
    "spatial", "location", "shape", "other",
]  # fmt: skip


class SaidGeneral(Lines):
    """A general aspect."""

    name: str = Field(min_length=_NAME[0], max_length=_NAME[1])
    introduction: str = Field(min_length=_SENTENCE[0], max_length=_SENTENCE[1])


class SaidFine(Lines):
    """A fine-grained aspect."""

    name: str = Field(min_length=_NAME[0], max_length=_NAME[1])
    introduction: str = Field(min_length=_SENTENCE[0], max_length=_SENTENCE[1])
    guidance: str = Field(min_length=_SENTENCE[0], max_length=_SENTENCE[1])


class SaidGenerals(Lines):
    """General aspects of a request."""

    aspects: list[SaidGeneral] = Field(min_length=1, max_length=24)


class SaidFines(Lines):
    """Fine-grained aspects of a general one."""

    aspects: list[SaidFine] = Field(min_length=1, max_length=24)


class SaidRaw(Lines):
    """All fine-grained aspects of a request."""

    aspects: list[SaidFine] = Field(min_length=1, max_length=576)


class SaidThing(Lines):
    """A thing of a picture."""

    label: str = Field(min_length=1, max_length=60)
    count: int = Field(ge=1, le=_THINGS)
    color: str | None = Field(max_length=40)
    action: str | None = Field(max_length=40)
    expression: str | None = Field(max_length=40)
    holds: str | None = Field(max_length=40)


class SaidRelation(Lines):
    """How one thing stands to another, by their places in the list, from 0."""

    subject: int = Field(ge=0, le=_THINGS - 1)
    predicate: Literal["left_of", "right_of", "above", "below", "next_to", "in_front_of"]
    object: int = Field(ge=0, le=_THINGS - 1)


class SaidDescription(Lines):
    """A picture."""

    things: list[SaidThing] = Field(min_length=1, max_length=_THINGS)
    relations: list[SaidRelation] = Field(max_length=_RELATIONS)
    background: str | None = Field(max_length=60)
    weather: str | None = Field(max_length=60)
    topic_word: str = Field(min_length=1, max_length=40)
    key_words: list[str] = Field(min_length=_WORDS[0], max_length=_WORDS[1])

    @property
    def description(self) -> Description:
        """The same for suites."""
        return Description(
            tuple(Thing(**vars(thing)) for thing in self.things),
            tuple(Stands(**vars(each)) for each in self.relations),
            self.background,
            self.weather,
            self.topic_word,
            tuple(self.key_words),
        )


class SaidText(Lines):
    """A picture, described in a text that a text-to-image model is given as it is."""

    description: str = Field(min_length=_TEXT[0], max_length=_TEXT[1])
    topic_word: str = Field(min_length=1, max_length=40)
    key_words: list[str] = Field(min_length=_WORDS[0], max_length=_WORDS[1])


class SaidCheck(Lines):
    """A closed question whose answer a text gives."""

    element_type: Element
    element: str = Field(min_length=1, max_length=120)
    question: str = Field(min_length=_QUESTION[0], max_length=_QUESTION[1])
    options: list[str] = Field(min_length=_OPTIONS[0], max_length=_OPTIONS[1])
    answer_index: int = Field(ge=0, le=_OPTIONS[1] - 1)

    @property
    def check(self) -> TextCheck:
        """The same for suites."""
        return TextCheck(
            self.element_type, self.element, self.question, tuple(self.options), self.answer_index
        )


class SaidChecks(Lines):
    """Checks of a text."""

    checks: list[SaidCheck] = Field(min_length=1, max_length=24)


def check_text(banned: Sequence[str]) -> Callable[[SaidText], str | None]:
    """Return a check that says what is wrong with a text, e.g. that it holds a banned word."""

    def check(said: SaidText) -> str | None:
        keys = said.key_words
        if (wrong := check_key_words(keys)) is not None:
            return wrong
        for word in banned:
            if any(holds_words(t, word) for t in (said.description, said.topic_word, *keys)):
                return f"'{word}' is banned"
        missing = next((word for word in keys if not holds_words(said.description, word)), None)
        if missing is not None:
            return f"key_words: '{missing}' does not stand in the description"
        if len({" ".join(stems(word)) for word in keys}) < len(keys):
            return "key_words: one stands there twice"
        return None

    return check


def check_checks(description: str, wanted: int) -> Callable[[SaidChecks], str | None]:
    """Return a check that says what is wrong with the checks of a text.

    Each is about words of the text, and differs from the others; half as many as are wanted are
    there at least.
    """
    text = " ".join(words(description))

    def check(said: SaidChecks) -> str | None:
        if not (wanted + 1) // 2 <= len(said.checks) <= wanted:
            return f"checks: there are {len(said.checks)}, and {wanted} are wanted"
        asked = set[str]()
        for number, one in enumerate(said.checks):
            where = f"checks.{number}"
            if f" {' '.join(words(one.element))} " not in f" {text} ":
                return f"{where}: '{one.element}' does not stand in the description"
            if one.answer_index >= len(one.options):
                return f"{where}: there is no option {one.answer_index}"
            if any(not 1 <= len(option) <= 80 for option in one.options):
                return f"{where}: each option must have 1 to 80 characters"
            if len({" ".join(words(option)) for option in one.options}) < len(one.options):
                return f"{where}: two options say the same"
            if one.question.casefold() in asked:
                return f"{where}: it is asked twice"
            asked.add(one.question.casefold())
        return None

    return check


def check_names(
    wanted: int, taken: Collection[str]
) -> Callable[[SaidGenerals | SaidFines | SaidRaw], str | None]:
    """Return a check that as many aspects are there as wanted, with names of their own.

    Capitals make no name another one.
    """

    def check(said: SaidGenerals | SaidFines | SaidRaw) -> str | None:
        known = {name.casefold() for name in taken}
        if len(said.aspects) != wanted:
            return f"aspects: there are {len(said.aspects)}, and {wanted} are wanted"
        for each in said.aspects:
            if each.name.casefold() in known:
                return f"aspects: the name '{each.name}' is taken"
            known.add(each.name.casefold())
        return None

    return check


def check_key_words(words: Sequence[str]) -> str | None:
    """Return what is wrong with key words by themselves, or None."""
    if any(not 1 <= len(word) <= 40 for word in words):
        return "key_words: each must have 1 to 40 characters"
    return None
