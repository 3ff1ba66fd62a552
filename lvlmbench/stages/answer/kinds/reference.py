"""The reference models as models under test: zero-shot, by image-text similarity.

They are trained on pictographs of the same vocabulary, so they show that the questions can be
answered from the images and that the tables work; they say nothing about general models.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.decoding import picture_of
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.scene.structured import Form
from lvlmbench.stages.answer.dialogue import Cut, cut
from lvlmbench.stages.answer.engine import (
    MODELS,
    SILENT,
    Engine,
    Item,
    Model,
    Reply,
    Weights,
    request_hash,
)
from lvlmbench.stages.answer.looking.topics import topics
from lvlmbench.stages.reference.folder import (
    NAMES,
    calibrated,
    check_trained,
    given,
    weights_sha256,
)

if TYPE_CHECKING:
    from lvlmbench.stages.answer.looking.captioning import Captioner, Sight
    from lvlmbench.stages.reference.zero_shot import ZeroShot

F64 = npt.NDArray[np.float64]

#: What stands for no image at all: the towers have no other way to be told that there is none.
_GREY = (128, 128, 128)

#: Images handed to the model at once.
_AT_ONCE = 8


class Reference:
    """Answers from the image's vector and the vectors of what could be said."""

    # A reply takes milliseconds, and the weights may be trained again under the same name.
    cached = False

    def __init__(self, params: Params, folder: Path) -> None:
        self._params, self._folder = params, folder
        self._threshold = calibrated(folder, "true_false_threshold")

    @cached_property
    def _model(self) -> ZeroShot:
        from lvlmbench.stages.reference.zero_shot import zero_shot

        return zero_shot(self._folder, vocabulary_dir(self._params))

    @cached_property
    def _captioner(self) -> Captioner:
        from lvlmbench.scene.vocabulary import load_vocabulary
        from lvlmbench.stages.answer.looking.captioning import Captioner

        return Captioner(self._model, load_vocabulary(vocabulary_dir(self._params)))

    @cached_property
    def _weights_sha256(self) -> str:
        return weights_sha256(self._folder)

    @property
    def parameters(self) -> Mapping[str, object]:
        """The weights, by their hash."""
        return {"weights_sha256": self._weights_sha256}

    def request_sha256(self, item: Item) -> str:
        """Hash of the weights, the question, what was asked before it, and the image."""
        before = [turn.question for turn in item.turns]
        told = [before, [list(each) for each in item.panels]] if before or item.panels else []
        return request_hash(self._weights_sha256, item.prompt, item.image_sha256, *told)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """One reply an item. Takes no time worth recording, so that equal runs give equal bytes."""
        seen: dict[str, _Seen | None] = {}
        for some in _by_images(items):
            images = {item.image_sha256 or "": item.image for item in some}
            # of the images before, since questions about one image come close to each other
            seen = {key: seen[key] for key in images if key in seen}
            seen |= self._vectors({key: images[key] for key in images if key not in seen})
            for item in some:
                yield item, self._reply(item, seen[item.image_sha256 or ""])

    def _vectors(self, images: Mapping[str, bytes | None]) -> dict[str, _Seen | None]:
        """Each image, an empty one where there is none; None if unreadable."""
        empty = Image.new("RGB", (64, 64), _GREY)
        found = {key: empty if data is None else picture_of(data) for key, data in images.items()}
        pictures = {key: picture for key, picture in found.items() if picture is not None}
        model = self._model
        quick = model.quick.images([*pictures.values()]) if model.quick else [None] * len(pictures)
        seen = (_Seen(model, *pair) for pair in zip(pictures.values(), quick, strict=True))
        return dict.fromkeys(images) | dict(zip(pictures, seen, strict=True))

    def _reply(self, item: Item, seen: _Seen | None) -> Reply:
        if seen is None:
            return Reply(text="", status="error", error="the image cannot be read")
        if item.question_type == "structured" and item.schema is not None:
            text = self._sight(seen).fill(Form.of_schema(item.schema.text))
        elif (said := self._told(item, seen)) is not None:
            text = said
        else:
            text = seen.decided(lambda vector, error: self._text(item, vector, error))
        return Reply(text=text, status="answered", finish_reason="stop", cost_usd=0.0)

    def _told(self, item: Item, seen: _Seen) -> str | None:
        """What is told of several things, or of one of them; None where it is not asked for."""
        if item.question_type != "free_form":
            return None
        asked = self._captioner.asks(item.question, item.turns)
        if asked is not None:
            with suppress(Cut):
                return self._sight(seen).point(asked, cut(seen.picture, item.panels))
        return self._sight(seen).tell(item.question) if topics(item.question) else None

    def _sight(self, seen: _Seen) -> Sight:
        """What is seen of the things and people of an image, looked at once."""
        if seen.sight is None:
            seen.sight = self._captioner.sight(seen.picture)
        return seen.sight

    def _text(self, item: Item, vector: F64, error: float) -> str:
        model = self._model
        if item.question_type == "short_answer":
            return model.short(item.question, vector, error) or SILENT
        if not item.options:
            named = [
                f"{aspect.replace('_', ' ')}: {label}"
                for aspect, label in model.describe(vector, error)
            ]
            return f"The image shows {', '.join(named)}."
        if item.question_type == "true_false":
            claim = model.claim(item.question)
            # A claim about what the model does not know is called false: it sees nothing of it.
            holds = claim is not None and model.above(claim, self._threshold, vector, error)
            chosen = item.options.index(str(holds))
        else:
            chosen = model.option(item.question, item.options, vector, error)
        return f"({string.ascii_uppercase[chosen]}) {item.options[chosen]}"


@dataclass
class _Seen:
    """An image that is asked about: a quick vector of it, and the exact one if need be."""

    model: ZeroShot
    picture: Image.Image
    quick: F64 | None
    sight: Sight | None = None

    @cached_property
    def exact(self) -> F64:
        """The vector in float64."""
        vector: F64 = self.model.encoder.images([self.picture])[0]
        return vector

    def decided(self, decide: Callable[[F64, float], str]) -> str:
        """What is decided by a vector, which the quick one may leave to the exact one."""
        from lvlmbench.stages.reference.zero_shot import ERROR, Unsure

        if self.quick is not None:
            with suppress(Unsure):
                return decide(self.quick, ERROR)
        return decide(self.exact, 0.0)


def _by_images(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Items in their order, as many at a time as show :data:`_AT_ONCE` images."""
    some: list[Item] = []
    images: set[str | None] = set()
    for item in items:
        if item.image_sha256 not in images and len(images) == _AT_ONCE:
            yield some
            some, images = [], set()
        some.append(item)
        images.add(item.image_sha256)
    if some:
        yield some


def _engine(name: str) -> Engine:
    def make(params: Params, model: ModelParams, weights: Weights) -> Model:
        where = f"params.yaml: answer.models: {model.name}"
        return Reference(params, given(weights, name, where))

    return make


def check(params: Params, model: ModelParams, where: str) -> None:
    """Check that the reference model is trained."""
    check_trained(params, model.engine, f"{where}: engine")


for _place, _name in enumerate(NAMES):
    MODELS.register(
        _name,
        place=10 + _place,
        defaults={20 + _place: {"name": _name, "engine": _name}},
        check=check,
        weights=lambda model: str(model.engine),
        exactness=(
            Promise(
                Exactness.EVERYWHERE,
                "64-bit floats where 32-bit ones leave a doubt; scores are rounded to six decimals "
                "before they are compared",
            ),
        ),
    )(_engine(_name))
