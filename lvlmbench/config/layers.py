"""Parameter files laid over each other, as ``snakemake --configfile`` does."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lvlmbench.config.loading import validate
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml


def merge(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return ``above`` laid over ``below`` key by key; lists and values are replaced whole.

    Suites are laid over each other by name: the list above says which there are.
    """
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            value = merge(old, value)
        elif key == "suites" and isinstance(old, list) and isinstance(value, list):
            value = _merge_named(old, value)
        merged[key] = value
    return merged


def _merge_named(below: list[Any], above: list[Any]) -> list[Any]:
    """The items of ``above``, each laid over the one of its name in ``below``."""
    known = {item["name"]: item for item in below if isinstance(item, dict) and "name" in item}

    def laid(item: Any) -> Any:
        old = known.get(str(item.get("name"))) if isinstance(item, dict) else None
        return item if old is None else merge(old, item)

    return [laid(item) for item in above]


def load_layers(files: Sequence[Path]) -> Params:
    """Validated parameters of the files, later ones over earlier ones.

    Raises
    ------
    UserError
        A file cannot be read or parsed, or the first mistake in the parameters, in the name of
        the file that brought it in.
    """
    merged: dict[str, Any] = {}
    params, mistake = validate({}), None
    for file in files:
        layer = read_yaml(file)
        if layer is None:
            continue
        if isinstance(layer, dict):
            merged = merge(merged, layer)
        else:
            validate(layer, str(file))
        try:
            params, mistake = validate(merged, str(file)), None
        except UserError as error:  # a later file may mend it; the first to err is named
            mistake = mistake or error
    if mistake is not None:
        raise mistake
    return params
