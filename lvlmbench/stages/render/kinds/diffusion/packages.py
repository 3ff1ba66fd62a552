"""diffusers itself: imported late, and kept from printing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError

INSTALL = "run 'python3 scripts/setup_env.py diffusion'"


#: What pipelines cannot do without; without transformers diffusers has but stand-ins for them.
NEEDED = ("torch", "transformers", "diffusers")


def missing() -> str | None:
    """Return a package that is not installed; None where all are. Imports none of them."""
    return next((name for name in NEEDED if find_spec(name) is None), None)


def check_packages(where: str) -> None:
    """Check that all that is needed is installed.

    Raises
    ------
    UserError
        It is not.
    """
    name = missing()
    if name is not None:
        raise UserError(where, f"{name} is not installed", INSTALL)


def diffusers(where: str) -> ModuleType:
    """Return the package, which says nothing but errors from here on.

    Raises
    ------
    UserError
        It, or what it needs, is not installed, or not as it should be.
    """
    check_packages(where)
    torchvision_hook.install()
    try:
        import diffusers as package
    except ImportError as error:
        what = f"diffusers cannot be imported: {error.name or error} is not there"
        raise UserError(where, what, INSTALL) from None
    package.utils.logging.set_verbosity_error()
    package.utils.logging.disable_progress_bar()
    return package


@contextmanager
def quiet() -> Iterator[None]:
    """Keep diffusers, transformers and the hub's client off the terminal for the block."""
    from huggingface_hub import utils

    from lvlmbench.core.transformers_hush import quiet_transformers

    bars: Any = utils
    off = bars.are_progress_bars_disabled()
    bars.disable_progress_bars()
    try:
        with quiet_transformers():
            yield
    finally:
        if not off:
            bars.enable_progress_bars()
