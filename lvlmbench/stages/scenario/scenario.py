"""What a scenario is: a condition under which the items of the clean scenario are shown.

To add one, write a module in this package (or an outside package with an entry point in the group
``lvlmbench.scenarios``) that registers a kind::

    @SCENARIOS.register("my_kind")
    def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Scenario: ...

It then can be named in ``scenarios.noisy``. What it declares beside its name is told at
:class:`ScenarioKind`. What is random in it comes from
:func:`lvlmbench.core.seeding.generator` with the stage :func:`stage_of` and the id of the scene or
question, so that neither order nor shards change a byte.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core import seeding
from lvlmbench.core.registry import LAST, Kind, Kinds
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import offers

#: One row of ``tables.IMAGES``.
Row: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Shard:
    """What one shard of a scenario is made from.

    Attributes
    ----------
    images
        The clean images to show (``tables.IMAGES``), with their bytes.
    scenes, questions
        ``tables.SCENES`` and ``tables.QUESTIONS``: those of these images, and maybe more.
    around
        Clean images of the blocks that these images lie in (:attr:`ScenarioKind.block`), themselves
        included; without rows for kinds that have no block.
    """

    images: pa.Table
    scenes: pa.Table
    questions: pa.Table
    around: pa.Table


class Scenario(Protocol):
    """One scenario: a pure function of the shard and the parameters."""

    def apply(self, shard: Shard) -> Iterator[Row]:
        """Rows of ``tables.IMAGES``, made by :func:`shown`, in the order of ``shard.images``.

        A clean image may give any number of rows: none where the scenario does not show it, one,
        one for each of its questions (with ``question_id``), or several of one scene, each of
        which is then asked about. A clean image that cannot be decoded gives none.

        Raises
        ------
        UserError
            The parameters cannot be met.
        """
        ...


#: Name of a reference model -> the folder that holds it.
Weights: TypeAlias = Mapping[str, Path]

Factory: TypeAlias = Callable[[Params, ScenarioSpec, Weights], Scenario]


@dataclass(frozen=True, kw_only=True)
class ScenarioKind(Kind):
    """A registered kind of scenario; :data:`Factory` is what makes it.

    Attributes
    ----------
    block
        Planned scenes of a block (aligned, in canonical order) whose clean images it sees in
        ``Shard.around``; None where an image is made from itself alone.
    copies
        Whether its images are the clean ones, byte for byte, so that their file is copied.
    control
        Whether what is asked cannot be seen in it, so that it is held against chance.
    pictures
        Whether it shows pictures at all.
    faint
        Whether its pictures differ from clean ones by less than eyes see.
    a_question
        Whether it makes an image for each question.
    again
        Whether it shows the scenes that others were drawn again as (those with a base), and them
        alone; no other scenario shows these.
    checks
        Whether it asks the atomic checks of questions, and them alone; no other scenario asks
        these, and what is answered counts in no score.
    drafts
        Whether an item offers options as they were before wrong ones were adjusted.
    moves
        Whether it puts the right option at the place, from 1, that the severity says.
    about
        What is done to the images, for the datasheet.
    column
        Name of the published results' column (Dysca, table 3) that it is held against.
    paper
        Place of that column.
    weights
        The reference model that an item needs, by name; None where it needs none.
    images
        About how many images some scenes give, by parameters, item and scenes; by default one
        each. Where there are no ``pictures`` they take no room, however many rows there are.
    every
        Whether an item shows each image in many forms, for severity curves alone.
    scale
        What the severities 1, 2 ... of an item stand for, in words, where they are measured on a
        scale of their own; None where they are those of corruptions.
    attack
        Whether a model was attacked itself ("white-box") or another ("transfer"), by item and
        item of ``answer.models`` (None for one that nothing is known of).
    """

    block: int | None = None
    copies: bool = False
    control: bool = False
    pictures: bool = True
    faint: bool = False
    a_question: bool = False
    again: bool = False
    checks: bool = False
    drafts: Callable[[ScenarioSpec], bool] | None = None
    moves: bool = False
    about: str = ""
    column: str = ""
    paper: int = LAST
    weights: Callable[[ScenarioSpec], str | None] | None = None
    images: Callable[[Params, ScenarioSpec, float], float] | None = None
    every: Callable[[ScenarioSpec], bool] | None = None
    scale: Callable[[ScenarioSpec], Sequence[str]] | None = None
    attack: Callable[[ScenarioSpec, Model | None], str] | None = None


SCENARIOS: Kinds[ScenarioKind] = Kinds("scenarios", "lvlmbench.stages.scenario.kinds", ScenarioKind)


def place_of(params: Params, name: str) -> str:
    """Return where the parameters describe a scenario, for messages."""
    return f"suites.{params.suite}.scenarios.noisy: {name}"


def stage_of(spec: ScenarioSpec) -> str:
    """Stage that a scenario's random choices are seeded with."""
    return f"scenario/{spec.name}"


def asked_of(shard: Shard) -> dict[str, list[Row]]:
    """Return the questions of a shard that offer options, by their scene."""
    columns = ["question_id", "scene_id", "options", "replaced", "answer_index"]
    found: dict[str, list[Row]] = {}
    closed = shard.questions.filter(offers(shard.questions["question_type"]))
    for row in closed.select(columns).to_pylist():
        found.setdefault(row["scene_id"], []).append(row)
    return found


def first_of(params: Params, scenes: pa.Table, limit: int | None) -> frozenset[str]:
    """Return ids of scenes that are among the first so many of their subtask; None: all of them.

    In which turn scenes come is for the suite to say: one with aspects spreads few over them.
    """
    columns = (scenes[name].to_pylist() for name in ("scene_id", "subtask", "ordinal"))
    turn = suite_of(params).turns(params) if limit is not None else None
    return frozenset(
        scene
        for scene, subtask, ordinal in zip(*columns, strict=True)
        if limit is None or turn is None or turn(subtask, ordinal) < limit
    )


def perturbation(
    kind: str,
    severity: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    printed_text: str | None = None,
    epsilon: float | None = None,
    proxy: str | None = None,
) -> Row:
    """The record of what was done to an image, in the form of ``tables.IMAGES``.

    Parameters
    ----------
    parameters
        All that somebody who checks the image wants to know; written as JSON, keys sorted.
    epsilon
        What an attack has reached, in pixels between 0 and 1, on the stored bytes.
    """
    plain = json.dumps(parameters, sort_keys=True, ensure_ascii=False) if parameters else None
    return {
        "kind": kind,
        "severity": severity,
        "parameters": plain,
        "printed_text": printed_text,
        "epsilon": epsilon,
        "proxy": proxy,
    }


def shown(
    params: Params,
    spec: ScenarioSpec,
    clean: Mapping[str, Any],
    png: bytes | None,
    done: Row,
    question_id: str | None = None,
    variant: str = "",
    size: tuple[int, int] | None = None,
    order: Sequence[int] | None = None,
) -> Row:
    """A row of the scenario's images.

    Parameters
    ----------
    clean
        The row of the clean image.
    png
        The image to show; None where the question is asked without one.
    done
        What :func:`perturbation` records.
    question_id
        The one question that the image is for, if it is for one alone.
    variant
        Tells the images of one scene apart, where there are several.
    size
        Width and height of the image; None where they are the clean one's.
    order
        Options that the question offers here, as ``tables.offered`` takes them; None for those
        that it has.
    """
    image_id = seeding.item_id(clean["image_id"], spec.name, question_id or "", variant)
    width, height = (clean["width"], clean["height"]) if size is None else size
    return {
        "image_id": image_id,
        "scene_id": clean["scene_id"],
        "question_id": question_id,
        "order": order,
        "scenario": spec.name,
        "perturbation": done,
        "image": None if png is None else {"bytes": png, "path": f"{image_id}.png"},
        "width": None if png is None else width,
        "height": None if png is None else height,
        "sha256": None if png is None else hashlib.sha256(png).hexdigest(),
        "renderer": clean["renderer"],
        "renderer_version": clean["renderer_version"],
        "seed": seeding.seed_of(
            params.snapshot.seed, stage_of(spec), question_id or clean["scene_id"]
        ),
    }
