"""What jobs that draw need of their machine, by the renderers that may draw."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.registry import Resources
from lvlmbench.stages.render.choice import chosen
from lvlmbench.stages.render.renderer import RENDERERS


def drawing(params: Params) -> Resources:
    """Return what a job that draws asks for, if only for what another renderer leaves to it."""
    names = (chosen(params).renderer, params.render.fallback)
    asked = [kind.resources(params) for name in names if (kind := RENDERERS.find(name))]
    return max(asked, key=lambda r: (r.gpus or 0, r.threads, r.memory_mb or 0), default=Resources())


def reads_weights(params: Params) -> bool:
    """Return whether a renderer may draw that says how much memory its weights take."""
    return drawing(params).memory_mb is not None
