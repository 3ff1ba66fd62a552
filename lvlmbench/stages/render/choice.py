"""Which renderer ``render.renderer: auto`` stands for on this machine."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.config import Params
from lvlmbench.config.render import AUTO
from lvlmbench.stages.render.renderer import RENDERERS


@dataclass(frozen=True)
class Choice:
    """A renderer and, where ``auto`` was asked for, why it is this one."""

    renderer: str
    why: str | None = None


def chosen(params: Params) -> Choice:
    """Return the renderer that draws.

    ``auto`` is the first whose packages, weights and GPU are found, else the first that needs
    none. Nothing is downloaded or loaded to find out, and torch is not imported.
    """
    if params.render.renderer != AUTO:
        return Choice(params.render.renderer)
    why = None
    for kind in RENDERERS.ordered():
        if kind.lacks is not None:
            lack = kind.lacks(params)
            if lack is None:
                return Choice(kind.name, "weights and a GPU were found")
            why = why or lack
    return Choice(RENDERERS.first().name, why)


def resolved(params: Params) -> Params:
    """The parameters with the renderer's own name in place of ``auto``."""
    render = params.render.model_copy(update={"renderer": chosen(params).renderer})
    return params.model_copy(update={"render": render})
