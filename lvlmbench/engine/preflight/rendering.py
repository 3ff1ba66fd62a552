"""Whether the renderers that the parameters name can draw what is asked of them, at first sight."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError

DIFFUSION = "diffusion"


def check_rendering(params: Params, source: str, *, weights: bool) -> None:
    """Renderers are known; what ``diffusion`` reads is there and whole, as far as it shows.

    Nothing is fetched, and no weights are read. ``render.renderer`` is no longer ``auto`` here.

    Parameters
    ----------
    weights
        Whether weights must be there.

    Raises
    ------
    UserError
        The first mistake.
    """
    from lvlmbench.stages.render.renderer import RENDERERS

    render = params.render
    RENDERERS.get(render.renderer, f"{source}: render.renderer")
    if render.fallback is not None:
        RENDERERS.get(render.fallback, f"{source}: render.fallback")
    if weights and DIFFUSION in (render.renderer, render.fallback):
        _check_diffusion(params, source)


def _check_diffusion(params: Params, source: str) -> None:
    from lvlmbench.stages.render.kinds.diffusion import kinds
    from lvlmbench.stages.render.kinds.diffusion.hub import look_around
    from lvlmbench.stages.render.kinds.diffusion.text.engine import TEXT_ENGINES

    settings, where = params.render.diffusion, f"{source}: render.diffusion"
    base = look_around(settings, where)
    if base is not None:
        kinds.check_size(base.files.kind, params.render.size, f"{source}: render.size")
    place = f"{where}.text"
    TEXT_ENGINES.get(settings.text.engine, f"{place}: engine")
    if settings.text.model is not None and not Path(settings.text.model).expanduser().is_dir():
        fix = "give the path of one, from the project's root or absolute"
        raise UserError(f"{place}: model", f"there is no folder '{settings.text.model}'", fix)
