"""Parameter files laid over each other, as ``snakemake --configfile`` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lvlmbench.config.loading import validate_project
from lvlmbench.config.project import Project
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_layer, read_yaml


def merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """``above`` laid over ``below`` key by key; lists and values are replaced whole."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            value = merge(old, value)
        merged[key] = value
    return merged


def load_layers(files: Sequence[Path]) -> Project:
    """Return the project that the files describe, later ones laid over earlier ones.

    Raises
    ------
    UserError
        A file cannot be read or parsed, or the first mistake in the parameters, in the name of
        the file that brought it in.
    """
    merged: dict[str, Any] = {}
    params, mistake = validate_project({}), None
    for at, file in enumerate(files):
        layer = read_layer(file) if at else read_yaml(file)
        if layer is None:
            continue
        if isinstance(layer, dict):
            merged = merge(merged, layer)
        else:
            validate_project(layer, str(file))
        try:
            params, mistake = validate_project(merged, str(file)), None
        except UserError as error:  # a later file may mend it; the first to err is named
            mistake = mistake or error
    if mistake is not None:
        raise mistake
    return params
