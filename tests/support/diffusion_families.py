"""A tiny pipeline as the loader would hand it over, and the family that drives it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench.core.devices import Place
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion


def pipeline_of(folder: Path, **options: Any) -> Any:
    """The pipeline of a folder on the CPU, silent."""
    from lvlmbench.core import torchvision_hook

    torchvision_hook.install()
    import diffusers

    auto: Any = diffusers.DiffusionPipeline
    pipeline = auto.from_pretrained(folder, local_files_only=True, **options)
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def hand_over(pipeline: Any, refiner: Any = None, dtype: str = "float32") -> Any:
    """A loaded pipeline."""
    from lvlmbench.stages.render.kinds.diffusion.loading import Loaded

    return Loaded(pipeline, refiner, Place("cpu", dtype), {}, "")


def loaded(folder: Path, **options: Any) -> Any:
    """The pipeline of a folder, loaded."""
    return hand_over(pipeline_of(folder, **options))


def family(given: Any, **settings: Any) -> Any:
    """The family of a loaded pipeline, with few steps."""
    from lvlmbench.stages.render.kinds.diffusion.families import family_of

    return family_of(given, Diffusion.model_validate({"steps": 3} | settings))
