"""Filter ``clip``: an image stays if it is like the text it was made from (section 3.3, step 2).

The score is the cosine of the two vectors that a vision-language model gives the image and its
text, rounded to six decimals; docs/filters.md tells what the threshold means for which model.
Reference models are asked about each label of the scene instead
(:mod:`lvlmbench.stages.filter.labels`).
Text items are not judged here: whether their word can be read is for the filter ``ocr``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic import Field, ValidationInfo, field_validator

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.section import Section
from lvlmbench.core.decoding import pictures_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import NETWORK, Exactness, Promise
from lvlmbench.core.weights import check_folder
from lvlmbench.stages.filter.decoding import UNDECODABLE, encoded
from lvlmbench.stages.filter.filter import FILTERS, TEXT_SUBTASK, Filter, Verdict, Weights
from lvlmbench.stages.reference.folder import NAMES, calibrated, check_trained, strange_pictures
from lvlmbench.stages.reference.loading import LOCAL

if TYPE_CHECKING:
    from PIL import Image

DIFFERENT = "image and text differ"

#: Why no reference model can be asked whether an image is to be drawn again.
BESIDE = "is ready only after the images are drawn"

_RELEASED_CODE = 0.25
_LAION_5B = 0.28

#: (engine, pretrained) -> cosine that somebody has used on a large scale. Dysca's released code
#: takes a logit of 25 for ViT-L-14, and with OpenAI's logit scale of 100 that is a cosine of 0.25
#: (the paper says 0.75, which that model's cosines do not reach); LAION-5B kept pairs of ViT-B-32
#: from 0.28. Other weights spread their cosines otherwise: for them there is no default.
DEFAULT_THRESHOLDS: Mapping[tuple[str, str | None], float] = {
    ("ViT-L-14", "openai"): _RELEASED_CODE,
    ("ViT-L-14-quickgelu", "openai"): _RELEASED_CODE,
    ("hf-hub:timm/vit_large_patch14_clip_224.openai", None): _RELEASED_CODE,
    ("ViT-B-32", "openai"): _LAION_5B,
    ("ViT-B-32-quickgelu", "openai"): _LAION_5B,
    ("hf-hub:timm/vit_base_patch32_clip_224.openai", None): _LAION_5B,
}


class Clip(Section):
    """A CLIP filter: how alike an image and the text it was made from are."""

    engine: str = Field(
        NAMES[0],
        min_length=1,
        description="What compares: a reference model (`reference_a`, `reference_b`), or what "
        "open_clip calls a model: a name such as `ViT-L-14`, `local-dir:FOLDER`, `hf-hub:ID`.",
    )
    pretrained: str | None = Field(
        None,
        min_length=1,
        description="For a model given by name: a tag of open_clip, such as `openai`, or the path "
        "of a checkpoint.",
    )
    text: Literal["labels", "caption", "prompt"] | None = Field(
        None,
        description="Compare with each label of what the image must show, one by one (`labels`, "
        "for reference models alone), with a sentence of them all (`caption`), or with the prompt "
        "as the renderer got it, phrases of the style included (`prompt`); null: labels with a "
        "reference model, the caption with any other.",
    )
    threshold: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Cosine below which an image is removed; null for the engine's own (a "
        "reference model's is calibrated, see `reference.false_rejections`; labels have several).",
    )
    batch_size: int = Field(32, ge=1, le=4096, description="Images encoded at once.")
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Where to compute; `auto` takes a GPU where there is one."
    )

    @field_validator("pretrained")
    @classmethod
    def _brings_no_weights(cls, value: str | None, info: ValidationInfo) -> str | None:
        engine = str(info.data.get("engine"))
        if value is not None and engine.startswith(("local-dir:", "hf-hub:")):
            raise ValueError(f"is of no use to '{engine}', which brings its weights")
        return value


class ImageTextEncoder(Protocol):
    """What the filter needs of :class:`lvlmbench.stages.reference.encoder.Encoder`."""

    name: str
    context_length: int
    threads: int

    def images(self, pictures: list[Image.Image]) -> NDArray[np.float64]:
        """Unit vectors, (n, d)."""
        ...

    def texts(self, texts: list[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Unit vectors, (n, d), and which texts were cut."""
        ...


def default_threshold(settings: Clip) -> float | None:
    """The threshold of an engine of open_clip that is known; None where none is."""
    return DEFAULT_THRESHOLDS.get((settings.engine.replace("/", "-"), settings.pretrained)) or (
        DEFAULT_THRESHOLDS.get((settings.engine, settings.pretrained))
    )


def calibrated_threshold(folder: Path) -> float:
    """The threshold in a reference model's ``calibration.json``.

    Raises
    ------
    UserError
        The file is missing or damaged, or what it holds is no cosine.
    """
    threshold = round(calibrated(folder, "clip_threshold"), 6)
    if abs(threshold) > 1:
        raise UserError(
            str(folder / "calibration.json"),
            f"has {threshold} for clip_threshold, which is no cosine",
            "delete the folder and run again, or write a 'threshold' of your own",
        )
    return threshold


def no_threshold(where: str, settings: Clip) -> UserError:
    """What is said where neither the user nor we know a threshold."""
    name = " ".join(filter(None, (settings.engine, settings.pretrained)))
    return UserError(
        f"{where}: threshold",
        f"no default is known for {name}",
        "write a cosine; 'threshold: -1' keeps every image and shows how its scores lie",
    )


class ClipFilter:
    """Keeps an image whose cosine with its text is at least the threshold."""

    def __init__(
        self, name: str, settings: Clip, encoder: ImageTextEncoder, threshold: float
    ) -> None:
        self.name = name
        self._settings, self._encoder, self._threshold = settings, encoder, threshold
        self._text = settings.text or "caption"
        self._warned = False

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """One verdict an image; decodes and encodes ``batch_size`` images at a time.

        Says once that texts were cut, and not again where it is asked image by image.
        """
        verdicts: list[Verdict] = []
        size = self._settings.batch_size
        for start in range(0, images.num_rows, size):
            rows = images.slice(start, size).to_pylist()
            about = scenes.slice(start, size).select(["subtask", self._text]).to_pylist()
            verdicts += self._batch(rows, about)
        compared = sum(v.score is not None for v in verdicts)
        cut = sum(v.note is not None and v.score is not None for v in verdicts)
        if cut and not self._warned:
            self._warned = True
            print(
                f"{self.name}: warning: {cut} of {compared} texts are longer than the "
                f"{self._encoder.context_length} tokens that {self._encoder.name} reads; "
                "what comes after them was not compared",
                file=sys.stderr,
            )
        return verdicts

    def _batch(self, rows: list[dict[str, Any]], about: list[dict[str, Any]]) -> list[Verdict]:
        verdicts: list[Verdict | None] = [None] * len(rows)
        pictures: dict[int, Image.Image] = {}
        looked_at = [i for i, scene in enumerate(about) if scene["subtask"] != TEXT_SUBTASK]
        files = [encoded(rows[i]) for i in looked_at]
        found = dict(zip(looked_at, pictures_of(files, self._encoder.threads), strict=True))
        for i, scene in enumerate(about):
            if i not in found:
                verdicts[i] = Verdict(keep=True)
            elif (picture := found[i]) is None:
                verdicts[i] = Verdict(keep=False, reason=UNDECODABLE)
            elif not scene[self._text]:
                verdicts[i] = Verdict(keep=True, note="no text to compare with")
            else:
                pictures[i] = picture
        if pictures:
            texts, cut = self._encoder.texts([about[i][self._text] for i in pictures])
            cosines = (self._encoder.images(list(pictures.values())) * texts).sum(axis=1)
            for i, cosine, shortened in zip(pictures, cosines, cut, strict=True):
                verdicts[i] = self._verdict(float(cosine), bool(shortened))
        return [verdict for verdict in verdicts if verdict is not None]

    def _verdict(self, cosine: float, shortened: bool) -> Verdict:
        score = round(cosine, 6)
        keep = score >= self._threshold
        return Verdict(
            keep=keep,
            reason=None if keep else DIFFERENT,
            score=score,
            threshold=self._threshold,
            note=f"text cut to {self._encoder.context_length} tokens" if shortened else None,
        )


def check(params: Params, spec: FilterSpec, where: str, early: bool = False) -> None:
    """Check that the engine is there and fits.

    Raises
    ------
    UserError
        The first thing that does not.
    """
    where, settings = f"{where}: clip", spec.own(Clip)
    unfit = BESIDE if early else strange_pictures(params)
    _check_folder(settings, where)
    if settings.engine in NAMES and unfit is not None:
        raise UserError(
            f"{where}: engine",
            f"{settings.engine} {unfit}",
            "write 'engine: ViT-L-14' and 'pretrained: openai'",
        )
    check_trained(params, settings.engine, f"{where}: engine")
    if settings.engine not in NAMES:
        if settings.text == "labels":
            what = "labels are for reference models alone"
            raise UserError(f"{where}: text", what, "write caption or prompt")
        if settings.threshold is None and default_threshold(settings) is None:
            raise no_threshold(where, settings)
        return
    if settings.pretrained is not None:
        raise UserError(
            f"{where}: pretrained",
            f"is of no use to {settings.engine}, which brings its weights",
            "leave it out",
        )
    if settings.text == "labels" and settings.threshold is not None:
        raise UserError(
            f"{where}: threshold",
            "is of no use to labels, which have one for each group",
            "leave it out, or write 'text: caption'",
        )
    if settings.text == "prompt" and settings.threshold is None:
        raise UserError(
            f"{where}: threshold",
            f"that of {settings.engine} is calibrated on captions, not on prompts",
            "write 'text: caption', or a threshold of your own",
        )


def _check_folder(settings: Clip, where: str) -> None:
    if settings.engine.startswith(LOCAL):
        check_folder(settings.engine.removeprefix(LOCAL), f"{where}: engine")


def weights_of(spec: FilterSpec) -> str | None:
    """Return the reference model that looks."""
    engine = spec.own(Clip).engine
    return engine if engine in NAMES else None


def looks_with(spec: FilterSpec) -> str:
    """Return the engine, and which weights of it."""
    settings = spec.own(Clip)
    return "/".join(filter(None, (settings.engine, settings.pretrained)))


@FILTERS.register(
    "clip",
    label="CLIP",
    settings=Clip,
    check=check,
    place=2,
    defaults={20: {"name": "clip"}},
    weights=weights_of,
    looks_with=looks_with,
    exact=lambda params, spec: 0 if weights_of(spec) else 1,
    exactness=(
        Promise(
            Exactness.EVERYWHERE,
            "64-bit floats; scores are rounded to six decimals before they are compared and stored",
            "with a reference model",
        ),
        Promise(Exactness.HARDWARE, NETWORK, "with another model"),
    ),
)
def make(params: Params, spec: FilterSpec, weights: Weights) -> Filter:
    """The filter; loads the weights.

    Raises
    ------
    UserError
        The weights cannot be had, or there is no threshold for them.
    """
    from lvlmbench.scene.vocabulary import load_vocabulary
    from lvlmbench.stages.filter.labels import LabelsFilter
    from lvlmbench.stages.reference.encoder import load_folder, load_open_clip
    from lvlmbench.stages.reference.labels import GROUPS, Labels
    from lvlmbench.stages.reference.zero_shot import ZeroShot

    settings = spec.own(Clip)
    where = f"filter.filters: {spec.name}: clip"
    threshold = settings.threshold
    if settings.engine in NAMES:
        folder = weights.get(settings.engine)
        if folder is None:
            raise UserError(
                "--weights", f"hold no {settings.engine}", "give the files of its folder"
            )
        encoder = load_folder(folder)
        if settings.text == "labels" or (settings.text is None and threshold is None):
            return LabelsFilter(
                spec.name,
                ZeroShot(encoder, Labels.read(folder, load_vocabulary(vocabulary_dir(params)))),
                {group: calibrated(folder, f"{group}_threshold") for group in GROUPS},
                settings.batch_size,
            )
        if threshold is None:
            threshold = calibrated_threshold(folder)
        return ClipFilter(spec.name, settings, encoder, threshold)
    if threshold is None:
        threshold = default_threshold(settings)
    if threshold is None:
        raise no_threshold(where, settings)
    encoder = load_open_clip(settings.engine, settings.pretrained, settings.device, where)
    return ClipFilter(spec.name, settings, encoder, threshold)
