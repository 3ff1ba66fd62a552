"""What an export is written from: a snapshot's questions with images and right answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config.identity import templates_of
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.asked import Asked, item_id
from lvlmbench.stages.answer.dialogue import Panel, Turn
from lvlmbench.stages.answer.engine import Item
from lvlmbench.suites.instructions import in_one_turn

_QUESTION_COLUMNS = ["question_id", "granularity", "answer", "answer_index", "chance", "accepted"]
_IMAGE_COLUMNS = ["image_id", "order", "perturbation", "width", "height"]


@dataclass(frozen=True)
class Example:
    """One question as it is asked in one scenario, with its image and its right answer.

    Attributes
    ----------
    item_id
        As ``lvlmbench export-questions`` writes and ``lvlmbench score`` reads it.
    options, answer_index
        Empty and None where no options are offered.
    accepted
        Forms of a short answer that are right, the answer first; empty for other types.
    chance
        Expected accuracy of guessing, from 0 to 1; None for free form.
    prompt
        The text that models are sent: question, options and instruction.
    turns
        What was said before it; :attr:`told` has both in one text.
    panels
        The pictures that the image is put together of; none where it is one picture.
    image
        The image's bytes as the shard holds them (PNG).
    perturbation
        What was done to the image, as in the table images; None where nothing was.
    kept
        Whether the model consensus keeps the question (Dysca, section 3.3, step 3). Questions
        that it does not judge (free form) are kept.
    scene
        Row of the table scenes.
    leads
        How statements are put as true-or-false questions, with ``{statement}`` in each.
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
    accepted: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    panels: tuple[Panel, ...] = ()

    @property
    def told(self) -> str:
        """The prompt with what was said before in front of it, for one turn."""
        return in_one_turn(self.turns, self.prompt)


class _Rows:
    """A table in memory whose rows are found by an id."""

    def __init__(self, table: pa.Table, key: str) -> None:
        self._table = table.combine_chunks()
        self._at = {value: row for row, value in enumerate(table[key].to_pylist())}

    def __getitem__(self, value: str) -> dict[str, Any]:
        row: dict[str, Any] = self._table.slice(self._at[value], 1).to_pylist()[0]
        return row


def _picture(scenario: str, item: Item) -> tuple[bytes, str, str]:
    """The image that an item shows, its id and its hash.

    Raises
    ------
    UserError
        There is none, or it is not what its hash says.
    """
    if item.image is None or item.image_id is None or item.image_sha256 is None:
        raise UserError(
            f"exports.scenarios: {scenario}",
            "its questions are asked without an image",
            "leave the scenario out",
        )
    if hashlib.sha256(item.image).hexdigest() != item.image_sha256:
        raise UserError(
            f"images of scenario '{scenario}'",
            f"image {item.image_id} is not what its SHA-256 says",
            "restore the shards with 'dvc checkout'",
        )
    return item.image, item.image_id, item.image_sha256


class Source(Asked):
    """The snapshot that an export is written from."""

    def examples(self, scenario: str) -> Iterator[Example]:
        """Every question that is asked in a scenario: about images that all filters keep.

        Ids and prompts are those of ``lvlmbench export-questions``, made by the same code. The
        order is that of the images, scene by scene, and does not depend on shards. A few images
        are held at a time.

        Raises
        ------
        UserError
            The scenario is none of the snapshot's or has no images; a table is missing or
            damaged; an image is not what its hash says.
        """
        self.check_asked(scenario)
        images = _Rows(self.read(tables.IMAGES, _IMAGE_COLUMNS, scenario=scenario), "image_id")
        scene: dict[str, Any] = {}
        for item in self.items(scenario, pictures=True):
            if scene.get("scene_id") != item.scene_id:
                scene = self._by_scene[item.scene_id]
            data, image_id, sha256 = _picture(scenario, item)
            question = self._by_question[item.question_id]
            image = images[image_id]
            perturbation = image["perturbation"]
            yield Example(
                item_id=item_id(scenario, item),
                scenario=scenario,
                question_id=item.question_id,
                image_id=image_id,
                scene_id=item.scene_id,
                subtask=item.subtask,
                granularity=question["granularity"],
                question_type=item.question_type,
                question=item.question,
                options=item.options,
                answer=question["answer"],
                answer_index=tables.place_of(question["answer_index"], image["order"]),
                chance=question["chance"],
                prompt=item.prompt,
                image=data,
                image_sha256=sha256,
                width=image["width"],
                height=image["height"],
                perturbation=perturbation if perturbation and perturbation["kind"] else None,
                kept=self.keeps(item.question_id),
                scene=scene,
                accepted=tuple(question["accepted"] or ()),
                leads=templates_of(self.params).instructions.leads,
                turns=item.turns,
                panels=item.panels,
            )

    def check_asked(self, scenario: str) -> None:
        """Make sure that the snapshot has a scenario.

        Raises
        ------
        UserError
            It has not.
        """
        self.check_scenarios([scenario], f"exports.scenarios: {scenario}")

    def keeps(self, question_id: str) -> bool:
        """Return whether the model consensus keeps a question; those it does not judge, it does."""
        return question_id not in self._dropped

    @cached_property
    def _by_question(self) -> _Rows:
        return _Rows(self.read(tables.QUESTIONS, _QUESTION_COLUMNS), "question_id")

    @cached_property
    def _by_scene(self) -> _Rows:
        return _Rows(self.read(tables.SCENES), "scene_id")

    @cached_property
    def _dropped(self) -> frozenset[str]:
        return frozenset(self.dropped.to_pylist())
