"""Which renderer ``render.renderer: auto`` stands for on this machine."""

from __future__ import annotations

import os
import runpy
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.config.render import AUTO, Diffusion
from lvlmbench.core import gpus
from lvlmbench.core.errors import UserError


@dataclass(frozen=True)
class Choice:
    """A renderer and, where ``auto`` was asked for, why it is this one."""

    renderer: str
    why: str | None = None


def chosen(params: Params) -> Choice:
    """The renderer that draws.

    ``auto`` is ``diffusion`` where its packages, its weights and a GPU are found, else
    ``pictograph``. Nothing is downloaded or loaded to find out, and torch is not imported; a
    process looks once.
    """
    if params.render.renderer != AUTO:
        return Choice(params.render.renderer)
    wanted = params.render.diffusion.model_dump_json()
    lacks = _lacks(wanted, os.environ.get(gpus.VISIBLE))
    if lacks is not None:
        return Choice("pictograph", lacks)
    return Choice("diffusion", "weights and a GPU were found")


def resolved(params: Params) -> Params:
    """The parameters with the renderer's own name in place of ``auto``."""
    render = params.render.model_copy(update={"renderer": chosen(params).renderer})
    return params.model_copy(update={"render": render})


@lru_cache
def _lacks(diffusion: str, visible: str | None) -> str | None:
    """What the renderer ``diffusion`` lacks on this machine; None where it could draw.

    Parameters
    ----------
    diffusion
        Its parameters as JSON.
    visible
        ``CUDA_VISIBLE_DEVICES``, on which it depends what is found.
    """
    settings = Diffusion.model_validate_json(diffusion)
    if settings.device == "cpu":
        return "render.diffusion.device is cpu"
    from lvlmbench.stages.render.kinds.diffusion.hub import find_all
    from lvlmbench.stages.render.kinds.diffusion.packages import missing

    absent = missing()
    if absent is not None:
        return f"the package {absent} is not installed"
    if _cpu_build():
        return "this torch is built for the CPU alone"

    try:
        find_all(settings, "render.diffusion", fetch=False)
    except UserError as error:
        return error.what
    return None if gpus.visible(ask_torch=False) else "no GPU is in sight"


def _cpu_build() -> bool:
    """Whether torch can use no GPU, by the file of constants in which its build says so."""
    spec = find_spec("torch")
    folders = (spec.submodule_search_locations if spec is not None else None) or []
    for folder in folders:
        file = Path(folder, "version.py")
        if file.is_file():
            built = runpy.run_path(str(file))
            return built.get("cuda") is None and built.get("hip") is None
    return False
