"""Engine ``windows``: a reference model that looks at a picture window by window.

It is told what a question means (its program), and sees the picture for itself: each window is
held against the phrases of the things that are spoken of, so it finds where they are, how many,
and in which color. It shows that the questions about several things can be answered from the
pixels, and what makes them difficult; it says nothing about general models, which must
understand the question first. What it cannot see (words, charts, what people wear, which way things
face) it guesses, as it does where a question has no program.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from pydantic import Field

from lvlmbench.config import Params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.config.section import Section
from lvlmbench.core.decoding import picture_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.seeding import generator
from lvlmbench.scene.answers import LARGEST, wanted
from lvlmbench.stages.answer.engine import MODELS, SILENT, Item, Model, Reply, Weights, request_hash
from lvlmbench.stages.reference.folder import NAMES, check_trained, given, weights_sha256

if TYPE_CHECKING:
    from lvlmbench.stages.answer.looking.finding import Finder
    from lvlmbench.stages.answer.looking.understanding import Sight


class Looking(Section):
    """What looks at the windows of a picture."""

    tower: str = Field(
        NAMES[0], description="Reference model whose towers encode windows and phrases."
    )


class Windows:
    """Finds what a program speaks of, and takes the option that holds."""

    # The weights may be trained again under the same name.
    cached = False

    def __init__(self, params: Params, name: str, folder: Path) -> None:
        self._params, self._name, self._folder = params, name, folder
        self._seen: tuple[str, Sight | None] | None = None

    @cached_property
    def _finder(self) -> Finder:
        from lvlmbench.scene.vocabulary import load_vocabulary
        from lvlmbench.stages.answer.looking.finding import Finder
        from lvlmbench.stages.reference.zero_shot import ZeroShot

        vocabulary = load_vocabulary(vocabulary_dir(self._params))
        return Finder(ZeroShot.load(self._folder, vocabulary, exact=False))

    @cached_property
    def _weights_sha256(self) -> str:
        return weights_sha256(self._folder)

    @property
    def parameters(self) -> Mapping[str, object]:
        """The weights, by their hash; the seed of its guesses; that it is told the program."""
        seed = self._params.snapshot.seed
        return {"weights_sha256": self._weights_sha256, "seed": seed, "told": "program"}

    def request_sha256(self, item: Item) -> str:
        """Hash of all that it is told, of the image and of what a guess depends on."""
        return request_hash(
            self._weights_sha256, item.prompt, item.program, item.image_sha256, self._name,
            self._params.snapshot.seed, item.question_id,
        )  # fmt: skip

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """One reply an item. Takes no time worth recording, so that equal runs give equal bytes."""
        for item in items:
            yield item, self._reply(item)

    def _reply(self, item: Item) -> Reply:
        fits: list[int] = []
        options = self._options(item)
        if item.image is not None:
            sight = self._sight(item)
            if sight is None:
                return Reply(text="", status="error", error="the image cannot be read")
            if item.program is not None and options:
                from lvlmbench.stages.answer.looking.understanding import chosen

                fits = chosen(sight, json.loads(item.program), options)
        text = self._text(item, options, fits)
        return Reply(text, "answered", finish_reason="stop", cost_usd=0.0)

    def _options(self, item: Item) -> tuple[str, ...]:
        """What can be answered: what is offered, or any number or color that is asked for."""
        if item.question_type != "short_answer":
            return item.options
        sort = wanted(item.question)
        if sort == "number":
            return tuple(map(str, range(LARGEST + 1)))
        return tuple(self._finder.colors()) if sort == "color" else ()

    def _sight(self, item: Item) -> Sight | None:
        """What was seen of an image; the last one is kept, as its questions come together."""
        assert item.image is not None
        key = item.image_sha256 or ""
        if self._seen is None or self._seen[0] != key:
            picture = picture_of(item.image)
            self._seen = key, self._sight_of(picture)
        return self._seen[1]

    def _sight_of(self, picture: Image.Image | None) -> Sight | None:
        from lvlmbench.stages.answer.looking.understanding import Sight
        from lvlmbench.stages.answer.looking.windows import look

        if picture is None:
            return None
        return Sight(self._finder, partial(look, self._finder.encoder, picture))

    def _text(self, item: Item, options: Sequence[str], fits: list[int]) -> str:
        """What fits, one of several drawn; where nothing is seen, one of all."""
        if not options:
            return SILENT
        among = fits or range(len(options))
        rng = generator(self._params.snapshot.seed, f"answer/{self._name}", item.question_id)
        at = among[int(rng.integers(len(among)))]
        return f"({string.ascii_uppercase[at]}) {options[at]}" if item.options else options[at]


def check(params: Params, model: ModelParams, where: str) -> None:
    """Check that the reference model is trained.

    Raises
    ------
    UserError
        There is no such reference model, or ``reference.models`` lacks it.
    """
    tower, place = model.own(Looking).tower, f"{where}: windows: tower"
    if tower not in NAMES:
        raise UserError(
            place, f"'{tower}' is no reference model", f"use one of: {', '.join(NAMES)}"
        )
    check_trained(params, tower, place)


@MODELS.register(
    "windows",
    settings=Looking,
    place=20,
    check=check,
    weights=lambda model: model.own(Looking).tower,
    exactness=(
        Promise(
            Exactness.HARDWARE,
            "a neural network in single precision; probabilities are rounded to four decimals",
        ),
    ),
)
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Engine ``windows``."""
    where = f"params.yaml: answer.models: {model.name}: windows"
    return Windows(params, model.name, given(weights, model.own(Looking).tower, where))
