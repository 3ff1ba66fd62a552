"""PLACEHOLDER of the contract; the owner writes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lvlmbench.exports.base import Source, export


@export("inspect_ai", "inspect_ai", "ls")
def write(source: Source, folder: Path) -> Mapping[str, int]:
    """Nothing yet."""
    return {}
