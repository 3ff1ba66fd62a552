"""A model that knows a leaked suite: it is right where it has seen the question, else as another.

It stands for a model that was trained on a published benchmark (AutoDavis, section 3.6), so that
one can see, and test, that held against a regenerated suite its scores give it away. It is no model
of the world, and no score of it says anything of one: leave it out of every ranking.

What leaked are the pictures, questions and right answers of another suite of the run. An item is
known again by the bytes of its picture, its question and its options, in whatever order; so a
picture that was changed, or is not shown, is not known. Of what leaked it has kept a share.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from pydantic import Field

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.config.section import Name, Section
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.registry import Resources
from lvlmbench.core.seeding import digest, generator
from lvlmbench.stages.answer.dialogue import Turn, turns_of
from lvlmbench.stages.answer.engine import MODELS, Item, Model, Reply, Weights, request_hash

#: What tells an item again: a hash of its picture, its question, its options and what was said.
Key = bytes


class Memory(Section):
    """The suite whose answers it remembers, the share of them, and the engine for the others."""

    leaked: Name = Field(description="Suite of this run whose right answers it knows.")
    share: float = Field(
        1.0, ge=0, le=1, description="Share of them that it has kept, drawn question by question."
    )
    base: Name = Field(
        default_factory=lambda: MODELS.first().name,
        description="Engine that answers what it does not know: one that comes with the code, at "
        "its defaults.",
    )


def key_of(
    image_sha256: str, question: str, options: Sequence[str], turns: Sequence[Turn] = ()
) -> Key:
    """Return what tells an item again, whatever the order of its options.

    In a dialogue the same words may ask for something else.
    """
    before = [text for turn in turns for text in turn]
    return digest(image_sha256, question, *sorted(options), *before)


def known(questions: Path, images: Path, seed: int, share: float) -> dict[Key, str]:
    """Return the right answers that are kept of a suite, by what tells an item again.

    Parameters
    ----------
    questions, images
        Folders of these tables; the images are those of the scenario that changes none.
    share
        Of the questions, each of which is kept or not by its id and the seed.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    shown = tables.read(images, tables.IMAGES, ["scene_id", "sha256"])
    pictures = dict(zip(*(shown[name].to_pylist() for name in shown.column_names), strict=True))
    columns = ["question_id", "scene_id", "question", "options", "answer", "key", "turns"]
    found = {}
    for row in tables.of_scenario(tables.read(questions, tables.QUESTIONS, columns)).to_pylist():
        picture = pictures.get(row["scene_id"])
        kept = generator(seed, "memorized", row["question_id"]).random() < share
        if picture is not None and kept:
            turns = turns_of(row["turns"])
            found[key_of(picture, row["question"], row["options"] or (), turns)] = row["answer"]
    return found


class Memorizer:
    """Answers what it knows; asks another model for the rest."""

    cached = False

    def __init__(
        self, params: Params, own: Memory, questions: Path, images: Path, base: Model
    ) -> None:
        self._seed, self._own, self._base = params.snapshot.seed, own, base
        self._tables = questions, images

    @cached_property
    def _known(self) -> dict[Key, str]:
        return known(*self._tables, self._seed, self._own.share)

    @property
    def parameters(self) -> Mapping[str, object]:
        """What it knows, and the parameters of the model that answers the rest."""
        return {
            "leaked": self._own.leaked, "share": self._own.share, "seed": self._seed,
            "base": self._own.base, "parameters": dict(self._base.parameters),
        }  # fmt: skip

    def _answer(self, item: Item) -> str | None:
        """The right answer to an item that it knows."""
        if item.image_sha256 is None:
            return None
        key = key_of(item.image_sha256, item.question, item.options, item.turns)
        return self._known.get(key)

    def request_sha256(self, item: Item) -> str:
        """Hash of what it knows of the item, and of the request to the other model."""
        return request_hash("memorized", self._answer(item), self._base.request_sha256(item))

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """One reply an item: first those that it knows, then those of the other model."""
        rest = []
        for item in items:
            answer = self._answer(item)
            if answer is None:
                rest.append(item)
                continue
            if answer in item.options:
                letter = string.ascii_uppercase[item.options.index(answer)]
                answer = f"({letter}) {answer}"
            yield item, Reply(answer, "answered", finish_reason="stop", cost_usd=0.0)
        yield from self._base.answer(rest)


def _base(model: ModelParams) -> ModelParams:
    """The model that answers the rest, under the same name."""
    engine = model.own(Memory).base
    return ModelParams.model_validate({"name": model.name, "engine": engine})


def _embedded() -> list[str]:
    """Engines that come with the code and need nothing but their defaults."""
    ordered = MODELS.ordered()
    return [k.name for k in ordered if not k.served and k.runs is None and k.knows is None]


def check(params: Params, model: ModelParams, where: str) -> None:
    """Check that the other model comes with the code, and is there.

    Raises
    ------
    UserError
        It does not, or it is not.
    """
    place, name = f"{where}: memorizer: base", model.own(Memory).base
    if name not in _embedded():
        fix = f"use one of: {', '.join(_embedded())}"
        raise UserError(place, f"'{name}' is no engine that comes with the code", fix)
    base = _base(model)
    kind = base.made_by()
    if kind.check is not None:
        kind.check(params, base, place)


def weights(model: ModelParams) -> str | None:
    """Return the reference model that the other model runs."""
    base = _base(model)
    kind = base.made_by()
    return None if kind is None or kind.weights is None else kind.weights(base)


def asks(params: Params, model: ModelParams) -> Resources:
    """Return what a job of the other model asks of its machine."""
    base = _base(model)
    kind = base.made_by()
    return Resources() if kind is None else kind.resources(params, base)


@MODELS.register(
    "memorizer",
    settings=Memory,
    place=40,
    check=check,
    asks=asks,
    weights=weights,
    knows=lambda model: model.own(Memory).leaked,
    exactness=(
        Promise(
            Exactness.HARDWARE,
            "looks up what it knows, everywhere alike; the rest is as exact as `base`",
        ),
    ),
)
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Return the model.

    Raises
    ------
    UserError
        The tables of the leaked suite, or what its base needs, were not given.
    """
    where = f"params.yaml: answer.models: {model.name}: memorizer"
    own, base = model.own(Memory), _base(model)
    for name in ("questions", CLEAN):
        if name not in weights:
            what = f"the table '{name}' of the suite '{own.leaked}' was not given"
            raise UserError(where, what, "name it with --elsewhere")
    answers: Model = MODELS.get(base.engine, f"{where}: base")(params, base, weights)
    return Memorizer(params, own, weights["questions"], weights[CLEAN], answers)
