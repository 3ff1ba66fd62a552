"""Writing into files of parameters, comments kept."""

from __future__ import annotations

import io
from collections.abc import Callable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from lvlmbench.config.layers import load_layers
from lvlmbench.config.loading import load_params
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.registry import kinds_of
from lvlmbench.core.yaml_file import read_layer

KEY = "max_tokens_if_cut"


def write_limit(path: Path, name: str, tokens: int) -> str:
    """Set :data:`KEY` of a model; returns the place of the key in the model's section.

    Nothing is written that is no valid configuration.

    Raises
    ------
    UserError
        The file cannot be read, lists no such model, or the limit does not fit it.
    """
    load_params(path)  # in one line what is wrong with it
    data = _yaml().load(path.read_text(encoding="utf-8"))
    models = ((data or {}).get("answer") or {}).get("models") or []
    model = next((m for m in models if m.get("name") == name), None)
    if model is None:
        fix = "give the file that lists it by --configfile"
        raise UserError(f"{path}: answer.models", f"there is no model '{name}'", fix)
    kind = kinds_of("models").find(str(model.get("engine")))
    place = "" if kind is None else kind.limit
    section = model if place else None
    for key in place.split(".") if place else ():
        section = section.setdefault(key, {}) if section is not None else None
    if section is None:
        what = f"the engine '{model.get('engine')}' has no limit of tokens here"
        raise UserError(f"{path}: answer.models: {name}", what, "set it where the model runs")
    section[KEY] = tokens
    _write(path, data, lambda: load_params(path))
    return f"{place}.{KEY}"


def write_layers(base: Path, files: Sequence[Path]) -> None:
    """Lay files over ``base`` and write it anew; suites that are null are taken out.

    DVC reads this one file, and can leave no suite out.

    Raises
    ------
    UserError
        A file cannot be read, or what comes out is no valid configuration: nothing is written.
    """
    wanted = load_layers([base, *files])  # in one line what is wrong
    data = _yaml().load(base.read_text(encoding="utf-8")) or {}
    for file in files:
        read_layer(file)
        _lay(data, _yaml().load(file.read_text(encoding="utf-8")) or {})
    suites = data.get("suites") or {}
    for name in [name for name, suite in suites.items() if suite is None]:
        del suites[name]

    def same() -> None:
        if load_layers([base]) != wanted:
            raise UserError(str(base), "cannot take these files in", "write their keys by hand")

    _write(base, data, same)


def _lay(below: MutableMapping[str, Any], above: MutableMapping[str, Any]) -> None:
    """Lay one mapping over another key by key, in place; lists and values are replaced whole."""
    for key, value in above.items():
        old = below.get(key)
        if isinstance(old, MutableMapping) and isinstance(value, MutableMapping):
            _lay(old, value)
        else:
            below[key] = value


def _yaml() -> Any:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes, yaml.width = True, 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.representer.add_representer(
        type(None), lambda to, _: to.represent_scalar("tag:yaml.org,2002:null", "null")
    )
    return yaml


def _write(path: Path, data: Any, check: Callable[[], object]) -> None:
    """Write a file anew; what was in it comes back where the check finds a mistake."""
    text = io.StringIO()
    _yaml().dump(data, text)
    before = path.read_bytes()
    atomic_bytes(path, text.getvalue().encode())
    try:
        check()
    except UserError:
        atomic_bytes(path, before)
        raise
