"""Samplers by name: classes of diffusers that take the place of the pipeline's own."""

from __future__ import annotations

import math
from typing import Any

from lvlmbench.core.errors import UserError

#: Name in ``render.diffusion.scheduler`` -> class of diffusers, and what it is told beside the
#: noise schedule, which is the pipeline's own.
_SAMPLERS: dict[str, tuple[str, dict[str, Any]]] = {
    # Latents are no pictures: clipping them to -1..1, which DDIM does by default, ruins them.
    "ddim": ("DDIMScheduler", {"clip_sample": False, "set_alpha_to_one": False}),
    "dpmpp_2m": (
        "DPMSolverMultistepScheduler",
        {"algorithm_type": "dpmsolver++", "use_karras_sigmas": False},
    ),
    "dpmpp_2m_karras": (
        "DPMSolverMultistepScheduler",
        {"algorithm_type": "dpmsolver++", "use_karras_sigmas": True},
    ),
    "dpmpp_2m_sde_karras": (
        "DPMSolverMultistepScheduler",
        {"algorithm_type": "sde-dpmsolver++", "use_karras_sigmas": True},
    ),
    "euler": ("EulerDiscreteScheduler", {"use_karras_sigmas": False}),
    "euler_ancestral": ("EulerAncestralDiscreteScheduler", {}),
    "heun": ("HeunDiscreteScheduler", {"use_karras_sigmas": False}),
    "unipc": ("UniPCMultistepScheduler", {"use_karras_sigmas": False}),
}


def matches_flows(scheduler: Any) -> bool:
    """Return whether the pipeline was trained by flow matching (SD 3, FLUX)."""
    config = scheduler.config
    return (
        "FlowMatch" in type(scheduler).__name__
        or bool(config.get("use_flow_sigmas"))
        or config.get("prediction_type") == "flow_prediction"
    )


def scheduler_for(name: str, own: Any, where: str) -> Any:
    """Return the scheduler called ``name``, with the noise schedule of the pipeline's ``own``.

    Raises
    ------
    UserError
        The pipeline cannot be sampled that way.
    """
    if name == "default":
        return own
    import diffusers

    kind, options = _SAMPLERS[name]
    key = f"{where}: scheduler"
    if matches_flows(own):
        what = f"'{name}' is for diffusion, and this pipeline was trained by flow matching"
        raise UserError(key, f"{what} ({type(own).__name__})", "write 'default'")
    sampler: Any = getattr(diffusers, kind)
    if type(own) is not sampler and sampler not in own.compatibles:
        what = f"'{name}' cannot take the place of this pipeline's {type(own).__name__}"
        raise UserError(key, what, "write 'default'")
    return sampler.from_config(own.config, **options)


def described(scheduler: Any) -> dict[str, Any]:
    """Return class and settings of a scheduler, ready for JSON."""
    settings = {
        name: _plain(value)
        for name, value in sorted(scheduler.config.items())
        if not name.startswith("_")
    }
    return {"class": type(scheduler).__name__, **settings}


def _plain(value: Any) -> Any:
    """As JSON has it, which knows neither arrays nor what is infinite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    try:
        return [_plain(each) for each in value]
    except TypeError:
        return str(value)
