"""Parameter files laid over each other, as ``snakemake --configfile`` does."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
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


#: What stands before a key where one of several files may be meant, and where none was named.
ONE_OF, BASE = "params.yaml, --configfile or --config", "params.yaml"
#: A place in the parameters as checks name it, e.g. ``params.yaml: judge.judges: a: engine``.
_KEY = re.compile(rf"(?:{re.escape(ONE_OF)}|{re.escape(BASE)}): (\w[\w.-]*)")


def _differing(above: object, below: object) -> object:
    """What of ``above`` is not in ``below``: what the command line says beside files."""
    if not isinstance(above, Mapping) or not isinstance(below, Mapping):
        return above
    both = {key: (value, below.get(key)) for key, value in above.items()}
    # Snakemake reads 1e-5 as text.
    kept = {k: pair for k, pair in both.items() if k not in below or str(pair[0]) != str(pair[1])}
    return {key: _differing(*pair) for key, pair in kept.items()}


def _said(layer: object) -> object:
    """A layer without the sections in which it says nothing."""
    if not isinstance(layer, Mapping):
        return layer
    said = {key: _said(value) for key, value in layer.items()}
    return {key: value for key, value in said.items() if value != {}}


def _held(key: str, layer: object) -> int:
    """How many parts of a key a layer holds."""
    for at, part in enumerate(parts := key.split(".")):
        if not isinstance(layer, Mapping) or part not in layer:
            return at
        layer = layer[part]
    return len(parts)


class Layers:
    """Names the file that brings a key in, where a check knows the merged parameters alone.

    Parameters
    ----------
    files
        As they are laid over each other.
    config
        What they come to together with the command line, if that adds anything.
    """

    def __init__(self, files: Sequence[Path] = (), config: Mapping[str, Any] | None = None) -> None:
        self._files, self._config = files, config

    @cached_property
    def _layers(self) -> list[tuple[str, object]]:
        """What each file says, and the command line: read once there is a mistake."""
        found = [(str(file), read_yaml(file)) for file in self._files]
        if self._config:
            merged: dict[str, Any] = {}
            for _, layer in found:
                merged = merge(merged, layer) if isinstance(layer, dict) else merged
            found.append(("--config", _differing(self._config, merged)))
        return found

    def given(self) -> dict[str, Any]:
        """Return the files, and what the command line lays over them, as plain data."""
        files = [os.path.relpath(file) for file in self._files]
        told = dict(self._layers) if self._config else {}
        return {"files": files, "config": _said(told.get("--config")) or {}}

    def place(self, where: str) -> str:
        """Return where to look: the same place, in the name of the last file that has the key."""
        found = _KEY.match(where)
        if found is None or not self._layers:
            return where
        held = [_held(found[1], layer) for _, layer in self._layers]
        last = max(range(len(held)), key=lambda at: (held[at], at)) if any(held) else 0
        return f"{self._layers[last][0]}: {where[found.start(1) :]}"

    def tell(self, error: UserError) -> UserError:
        """Return a mistake in the parameters with its file."""
        return UserError(self.place(error.where), error.what, error.fix)

    @contextmanager
    def named(self) -> Iterator[None]:
        """Have mistakes in the parameters that are found in the block tell their file."""
        try:
            yield
        except UserError as error:
            raise self.tell(error) from error.__cause__
