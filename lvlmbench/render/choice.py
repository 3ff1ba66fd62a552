"""Which renderer ``render.renderer: auto`` stands for on this machine."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench import gpus, weights
from lvlmbench.config import Params
from lvlmbench.config.render import AUTO


@dataclass(frozen=True)
class Choice:
    """A renderer and, where ``auto`` was asked for, why it is this one."""

    renderer: str
    why: str | None = None


def chosen(params: Params) -> Choice:
    """The renderer that draws.

    ``auto`` is ``diffusion`` where its packages, its weights and a GPU are found, else
    ``pictograph``. Nothing is downloaded or loaded to find out.
    """
    if params.render.renderer != AUTO:
        return Choice(params.render.renderer)
    if weights.folder_of(params.render.diffusion.model) is None:
        return Choice("pictograph", "there are no weights here")
    if not gpus.visible(ask_torch=False):
        return Choice("pictograph", "no GPU is in sight")
    return Choice("diffusion", "weights and a GPU were found")


def resolved(params: Params) -> Params:
    """The parameters with the renderer's own name in place of ``auto``."""
    render = params.render.model_copy(update={"renderer": chosen(params).renderer})
    return params.model_copy(update={"render": render})
