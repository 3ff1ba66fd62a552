"""Engine ``safety_checker``: the safety checker of Stable Diffusion, as diffusers has it.

It compares the picture with 17 concepts in the space of a CLIP image tower, each with a limit of
its own, and lowers all limits by 0.01 where one of 3 further concepts is near.
"""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError
from lvlmbench.core.transformers_hush import quiet_transformers
from lvlmbench.stages.filter.safety.engine import SAFETY_ENGINES

if TYPE_CHECKING:
    from PIL import Image

#: The checker that Stable Diffusion comes with.
OFFICIAL = "CompVis/stable-diffusion-safety-checker"

#: diffusers rounds what is above a concept's limit to 3 decimals and takes more than 0 for a find.
MARGIN = 0.0005
#: By how much the limits are lowered where a concept that asks for special care is near.
SPECIAL_CARE = 0.01

INSTALL = "run 'python3 scripts/setup_env.py diffusion'"
_GIVE = "give a local folder that holds config.json, model.safetensors and preprocessor_config.json"


def _reason(error: Exception) -> str:
    if isinstance(error, pickle.UnpicklingError):  # its own text advises to run what is in there
        return "pytorch_model.bin is damaged, or holds more than weights"
    lines = (line.strip() for line in str(error).splitlines())
    return next((line for line in lines if line), type(error).__name__)[:200]


def check_place(model: str, where: str) -> None:
    """What can be seen of a model before any weights are read.

    Raises
    ------
    UserError
        ``model`` is neither a folder nor like a hub id, or the folder lacks one of the small files,
        without which its readers would go on, to a worse end.
    """
    folder = Path(model)
    if not folder.is_dir():
        if folder.is_absolute() or model.count("/") != 1:
            raise UserError(where, f"'{model}' is not a folder", f"{_GIVE}, or a hub id")
        return
    if not (folder / "config.json").is_file():
        raise UserError(where, f"'{model}' has no config.json", _GIVE)
    if not (folder / "preprocessor_config.json").is_file():
        fix = "copy it there, out of the pipeline's folder feature_extractor"
        raise UserError(where, f"'{model}' has no preprocessor_config.json", fix)


def _load(model: str, where: str) -> tuple[Any, Any]:
    """The checker and what prepares images for it."""
    torchvision_hook.install()
    try:
        from diffusers.pipelines.stable_diffusion import safety_checker
        from transformers import CLIPImageProcessor
    except ImportError as error:
        name = (error.name or "diffusers").partition(".")[0]
        raise UserError(where, f"{name} is not installed", INSTALL) from None
    check_place(model, where)
    architecture: Any = safety_checker.StableDiffusionSafetyChecker
    try:
        with quiet_transformers():
            checker, found = architecture.from_pretrained(
                model, output_loading_info=True, ignore_mismatched_sizes=True
            )
            processor = CLIPImageProcessor.from_pretrained(model)
    # Files that are missing, cut off or of another model end in whatever their readers run into.
    except Exception as error:
        what = f"'{model}' could not be loaded ({_reason(error)})"
        hub = "" if Path(model).is_dir() else ", or a hub id that this machine can reach"
        raise UserError(where, what, f"{_GIVE}{hub}") from None
    # What a checkpoint lacks is filled with random numbers and only mentioned in a warning.
    if found["missing_keys"]:
        what = f"'{model}' is no safety checker: its weights lack {min(found['missing_keys'])}"
        raise UserError(where, what, _GIVE)
    if found["mismatched_keys"]:
        name = min(found["mismatched_keys"])[0]
        what = f"'{model}' holds {name} of another size than its config.json says"
        raise UserError(where, what, _GIVE)
    return checker, processor


class Settings(Section):
    """Which checker looks."""

    model: str | None = Field(
        None,
        min_length=1,
        description="For safety_checker: hub id or local folder of the checker; null for "
        f"{OFFICIAL}.",
    )


def check(settings: Settings, where: str) -> None:
    """Check that the weights are there, as far as files tell."""
    if settings.model is not None:
        check_place(settings.model, f"{where}: model")


@SAFETY_ENGINES.register("safety_checker", place=2, settings=Settings, check=check)
def make(settings: Settings, where: str) -> SafetyChecker:
    """Return the engine; loads the weights."""
    return SafetyChecker(settings.model or OFFICIAL, f"{where}: model")


class SafetyChecker:
    """Scores a picture by how far it is above the limit of the concept that it exceeds most.

    The image tower computes in float32, in which one of full size takes 1.2 GB, on a GPU where
    there is one, and on one thread where there is none: sums are always taken in one order.

    Raises
    ------
    UserError
        diffusers is not installed, or the model cannot be found, read or is something else.
    """

    threshold = MARGIN

    def __init__(self, model: str, where: str) -> None:
        self._where = where
        checker, self._processor = _load(model, where)
        import torch

        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        if self._device == "cpu":
            torch.set_num_threads(1)
        self._checker = checker.float().to(self._device).eval()

    def score(self, picture: Image.Image) -> float:
        """Largest cosine minus its concept's limit; -2 to 2, above 0 for what shows a concept.

        Raises
        ------
        UserError
            The weights hold what is no number.
        """
        import torch

        pixels = self._processor(images=[picture], return_tensors="pt")["pixel_values"]
        with torch.no_grad():
            seen = self._checker.vision_model(pixels.to(self._device)).pooler_output
            seen = torch.nn.functional.normalize(self._checker.visual_projection(seen).double())
            special = self._above(seen, "special_care_embeds")
            concepts = self._above(seen, "concept_embeds")
        lowered = SPECIAL_CARE if float(special.max()) > MARGIN else 0.0
        score = round(float(concepts.max()) + lowered, 6)
        if not math.isfinite(score):
            raise UserError(self._where, "its weights give scores that are no number", _GIVE)
        return score

    def _above(self, seen: Any, concepts: str) -> Any:
        """Cosines with these concepts minus their limits; shape (1, concepts)."""
        import torch

        embeddings = torch.nn.functional.normalize(getattr(self._checker, concepts).double())
        return seen @ embeddings.T - getattr(self._checker, f"{concepts}_weights")
