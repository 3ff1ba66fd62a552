"""diffusers itself: imported late, and kept from printing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from lvlmbench import torchvision_hook
from lvlmbench.errors import UserError

INSTALL = "run 'python3 scripts/setup_env.py diffusion'"


def diffusers(where: str) -> ModuleType:
    """The package, which says nothing but errors from here on.

    Raises
    ------
    UserError
        It, or what it needs, is not installed.
    """
    torchvision_hook.install()
    try:
        import diffusers as package
        import transformers  # noqa: F401  # without it diffusers has but stand-ins for pipelines
    except ImportError as error:
        name = (error.name or "diffusers").partition(".")[0]
        raise UserError(where, f"{name} is not installed", INSTALL) from None
    package.utils.logging.set_verbosity_error()
    package.utils.logging.disable_progress_bar()
    return package


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing of diffusers, transformers and the hub's client on the terminal for the block."""
    from huggingface_hub import utils

    from lvlmbench.reference.quiet import quiet_transformers

    bars: Any = utils
    off = bars.are_progress_bars_disabled()
    bars.disable_progress_bars()
    try:
        with quiet_transformers():
            yield
    finally:
        if not off:
            bars.enable_progress_bars()
