"""A model that reads and sees nothing else: it believes whatever words stand in the image.

Where none stand there it guesses as one does that never looks. So it is right about written words,
at chance about all else, and deceived by a wrong answer that is printed on the image.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import Annotated

from pydantic import Field

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.config.section import Engined, Known, Name
from lvlmbench.core.decoding import picture_of
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.registry import Resources
from lvlmbench.core.seeding import generator
from lvlmbench.stages.answer.engine import (
    MODELS,
    SILENT,
    Item,
    Model,
    Reply,
    Weights,
    request_hash,
)
from lvlmbench.stages.filter.ocr.engine import OCR_ENGINES, Reader, is_strip
from lvlmbench.stages.filter.ocr.matching import distance, tokens

#: Share of an option's letters that may differ from what was read.
_FAR = 0.34
#: A shorter token is taken for a speck that looks like a letter.
_SHORTEST = 3
#: Images whose text is remembered: questions about one image come close to each other.
_REMEMBERED = 64


class Reading(Engined):
    """What reads."""

    registry = "ocr_engines"

    engine: Annotated[Name, Known("ocr_engines")] = Field(
        default_factory=lambda: OCR_ENGINES.first().name,
        description="OCR engine, as the filters have them.",
    )


class ReadingModel:
    """Answers with what it reads; each answer depends on its item alone."""

    cached = False

    def __init__(self, params: Params, name: str, settings: Reading) -> None:
        self._seed, self._name, self._settings = params.snapshot.seed, name, settings
        self._texts: dict[str, list[str]] = {}

    @cached_property
    def _engine(self) -> Reader:
        made: Reader = self._settings.make(f"answer.models: {self._name}: reader")
        return made

    @cached_property
    def parameters(self) -> Mapping[str, object]:
        """The seed of its guesses, and what reads."""
        return {
            "seed": self._seed,
            "reads_with": self._settings.model_dump(mode="json"),
            "onnxruntime": version("onnxruntime"),
        }

    def request_sha256(self, item: Item) -> str:
        """Hash of everything that the answer depends on."""
        known = sorted(self.parameters.items())
        return request_hash(
            "reader", known, self._name, item.question_id, item.prompt, item.image_sha256
        )

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """One reply an item. Takes no time worth recording, so that equal runs give equal bytes."""
        for item in items:
            texts = self._read(item)
            if texts is None:
                yield item, Reply(text="", status="error", error="the image cannot be read")
            else:
                text = self._said(item, texts)
                yield item, Reply(text=text, status="answered", finish_reason="stop", cost_usd=0.0)

    def _read(self, item: Item) -> list[str] | None:
        """What stands in the image, nothing where there is none; None if it cannot be decoded."""
        if item.image is None:
            return []
        key = item.image_sha256 or ""
        if key not in self._texts:
            picture = picture_of(item.image)
            if picture is None:
                return None
            if len(self._texts) == _REMEMBERED:
                self._texts.pop(next(iter(self._texts)))
            self._texts[key] = [] if is_strip(picture) else self._engine.read(picture)
        return self._texts[key]

    def _said(self, item: Item, texts: Sequence[str]) -> str:
        if not item.options:
            read = " ".join(" ".join(texts).split())
            if not tokens(texts):
                return SILENT
            return read if item.question_type == "short_answer" else f'The text says "{read}".'
        best = believed(item, texts) or range(len(item.options))
        rng = generator(self._seed, f"answer/{self._name}", item.question_id)
        return f"({string.ascii_uppercase[best[int(rng.integers(len(best)))]]})"


def _far(option: str, texts: Sequence[str]) -> float:
    """How far an option is from the text: as a run, or that of its words which is farthest."""
    words = tokens([option]) or [option]
    return min(distance(option, texts), max(distance(word, texts) for word in words))


def believed(item: Item, texts: Sequence[str]) -> list[int]:
    """Places of the options that the text read speaks for equally; none where it says nothing.

    The options are what is nearest to the text, less those that are part of another such one
    ("fresh" of "fresh bread"). A statement whose truth values are not in the image is held to be
    true where all words that were read are in it, and false where one is not.
    """
    far = [_far(option, texts) for option in item.options]
    if min(far) <= _FAR and (item.question_type != "true_false" or min(far) == 0):
        near = {at: {*tokens([item.options[at]])} for at in range(len(far)) if far[at] == min(far)}
        return [at for at, words in near.items() if not any(words < o for o in near.values())]
    read = {token for token in tokens(texts) if len(token) >= _SHORTEST}
    if item.question_type == "true_false" and read:
        return [item.options.index(str(read <= {*tokens([item.question])}))]
    return []


def check(params: Params, model: ModelParams, where: str) -> None:
    """Check that the folders of the engine's weights are there."""
    model.own(Reading).check(f"{where}: reader")


def asks(params: Params, model: ModelParams) -> Resources:
    """One thread, and the memory of a network that reads."""
    return Resources(threads=1, memory_mb=1500)


@MODELS.register(
    "reader",
    vocabulary=False,
    place=30,
    settings=Reading,
    check=check,
    asks=asks,
    exactness=(
        Promise(
            Exactness.HARDWARE,
            "a neural network in 32-bit floats; only the text that it reads counts",
        ),
    ),
)
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Return the model.

    Raises
    ------
    UserError
        The engine is not installed, or a folder of weights is not what it must be.
    """
    return ReadingModel(params, model.name, model.own(Reading))
