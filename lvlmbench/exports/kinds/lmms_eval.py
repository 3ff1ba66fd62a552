"""PLACEHOLDER of the contract; the owner writes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.exports.base import Source, export


@export("lmms_eval", "lmms_eval", "ls", needs=("huggingface",))
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Nothing yet."""
    return {}
