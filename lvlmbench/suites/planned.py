"""What a model that plans for a suite is told and asked, and what it describes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from lvlmbench.tables import PLANNED_ASPECTS, PLANNED_DESCRIPTIONS

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.scene.graph import Graph


class Planned(NamedTuple):
    """What a model has planned: rows of ``tables.PLANNED_ASPECTS`` and of
    ``tables.PLANNED_DESCRIPTIONS``."""

    aspects: pa.Table
    descriptions: pa.Table

    @classmethod
    def nothing(cls) -> Planned:
        """Return tables without rows: no model plans."""
        return cls(PLANNED_ASPECTS.empty_table(), PLANNED_DESCRIPTIONS.empty_table())


class AspectsBrief(NamedTuple):
    """A request that aspects are wanted of.

    Attributes
    ----------
    words
        What is wanted, as the user says it.
    general, fine
        How many general aspects, and how many fine-grained ones of each.
    pictures
        What pictures can show, in a sentence.
    ids
        Of the fine-grained aspects, those of the first general one first.
    raw
        Whether all fine-grained aspects are asked for at once, without general ones.
    """

    subtask: str
    words: str
    general: int
    fine: int
    pictures: str
    ids: tuple[str, ...]
    raw: bool = False


@dataclass(frozen=True)
class Thing:
    """A thing of a description; what is said of people is null for all else."""

    label: str
    color: str | None = None
    count: int = 1
    action: str | None = None
    expression: str | None = None
    holds: str | None = None


class Stands(NamedTuple):
    """How one thing of a description stands to another, by their places in it from 0."""

    subject: int
    predicate: str
    object: int


class Description(NamedTuple):
    """What a picture is to show, as a model says it."""

    things: tuple[Thing, ...]
    relations: tuple[Stands, ...]
    background: str | None
    weather: str | None
    topic_word: str
    key_words: tuple[str, ...]


class TextCheck(NamedTuple):
    """A closed question about a text, with the option that the text gives.

    Attributes
    ----------
    element_type, element
        What it is about, one of :data:`lvlmbench.tables.validation.ELEMENTS`, and the words of the
        text that it is about.
    """

    element_type: str
    element: str
    question: str
    options: tuple[str, ...]
    answer_index: int


@dataclass(frozen=True)
class PictureBrief:
    """A picture that is to be described, and what its describer is told.

    Attributes
    ----------
    scene_id, subtask, aspect, level, number
        Which.
    lacks, why
        Why there is nothing to describe, if there is not; then the rest is empty.
    about
        Lines on the aspect.
    guidance
        Lines on what the level wants.
    banned
        Words that must not be used.
    known
        What can be drawn, a line for each sort; of a text, what it may be about and need not.
    bound
        Makes a graph of a description, or says in one line why it cannot be drawn.
    said
        Puts a graph into words.
    checks
        How many checks are wanted, at most, of a picture that a text describes; None where a graph
        describes it.
    """

    scene_id: str
    subtask: str
    aspect: str
    level: str
    number: int
    lacks: Literal["no_aspect", "error", "timeout"] | None = None
    why: str | None = None
    about: tuple[str, ...] = ()
    guidance: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    bound: Callable[[Description], Graph | str] = lambda said: "nothing can be drawn"
    said: Callable[[Graph], str] = str
    checks: int | None = None
