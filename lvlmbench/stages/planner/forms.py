"""What planners reply: forms, and what a form cannot say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal

from pydantic import Field

from lvlmbench.stages.roles.replies import Lines
from lvlmbench.suites.planned import Description, Stands, Thing

#: Characters of a name, least and most, and of a sentence.
_NAME, _SENTENCE = (3, 60), (20, 400)
#: Things and relations of a description at most; of key words, least and most.
_THINGS, _RELATIONS, _WORDS = 8, 6, (4, 6)


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


def check_names(
    wanted: int, taken: Collection[str]
) -> Callable[[SaidGenerals | SaidFines], str | None]:
    """Return a check that as many aspects are there as wanted, with names of their own.

    Capitals make no name another one.
    """

    def check(said: SaidGenerals | SaidFines) -> str | None:
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
