"""What an export is, what it is written from, and how it joins the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lvlmbench.config import Params
from lvlmbench.registry import Registry

#: Below results/exports: what was written, by form.
INDEX = "index.json"
#: In the folder of each form, written last: its files with their sizes and hashes.
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Example:
    """One question as it is asked in one scenario, with its image and its right answer.

    Attributes
    ----------
    item_id
        As ``lvlmbench export-questions`` writes and ``lvlmbench score`` reads it.
    options, answer_index
        Empty and None for free form.
    chance
        What guessing is expected to get, in percent; None for free form.
    prompt
        The text that models are sent: question, options and instruction.
    image
        The image's bytes as the shard holds them (PNG).
    perturbation
        What was done to the image; None in the clean scenario.
    kept
        Whether the model consensus keeps the question (Dysca, section 3.3, step 3).
    scene
        Row of the table scenes.
    """

    item_id: str
    scenario: str
    question_id: str
    image_id: str
    scene_id: str
    subtask: str
    granularity: str
    question_type: str
    question: str
    options: tuple[str, ...]
    answer: str
    answer_index: int | None
    chance: float | None
    prompt: str
    image: bytes = field(repr=False)
    image_sha256: str
    width: int
    height: int
    perturbation: Mapping[str, Any] | None
    kept: bool
    scene: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Source:
    """The snapshot that an export is written from; ``data`` is the folder of its tables."""

    params: Params
    data: Path


#: Writes all files of a form into an empty folder; returns the number of rows by scenario.
Write = Callable[[Source, Path], Mapping[str, int]]


@dataclass(frozen=True)
class Kind:
    """One registered form.

    Attributes
    ----------
    name
        Folder below results/exports.
    title
        The tool or format, as one writes its name.
    needs
        Forms that this one refers to, at ``../NAME``.
    load
        Shortest command or expression that opens the export, run in results/exports/NAME.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    load: str
    write: Write


#: Forms by name. Modules of lvlmbench/exports/kinds register theirs; they must be light to import,
#: since the Snakefile asks for ``needs``.
EXPORTS: Registry[Kind] = Registry("exports", "lvlmbench.exports.kinds")


def export(
    name: str, title: str, load: str, needs: tuple[str, ...] = ()
) -> Callable[[Write], Write]:
    """Decorator that registers a function as the form ``name``."""

    def register(write: Write) -> Write:
        EXPORTS.register(name)(Kind(name, title, needs, load, write))
        return write

    return register
