"""transformers without its progress bars and tables: a mistake is one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keep transformers' own words off the terminal for the length of the block."""
    from huggingface_hub import utils as hub_utils
    from transformers import utils

    logging: Any = utils.logging
    hub_logging: Any = hub_utils.logging
    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    hub_level = hub_logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    hub_logging.set_verbosity_error()  # it tells of each try to reach the hub
    try:
        yield
    finally:
        logging.set_verbosity(level)
        hub_logging.set_verbosity(hub_level)
        if bars:
            logging.enable_progress_bar()
