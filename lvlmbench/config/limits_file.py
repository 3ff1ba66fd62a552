"""Writing the second limit of tokens of a model into a file of parameters, comments kept."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from lvlmbench.config.loading import load_params
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.registry import kinds_of

KEY = "max_tokens_if_cut"


def write_limit(path: Path, name: str, tokens: int) -> str:
    """Set :data:`KEY` of a model; returns the place of the key in the model's section.

    Nothing is written that is no valid configuration.

    Raises
    ------
    UserError
        The file cannot be read, lists no such model, or the limit does not fit it.
    """
    from ruamel.yaml import YAML

    load_params(path)  # in one line what is wrong with it
    yaml = YAML()
    yaml.preserve_quotes, yaml.width = True, 4096
    data: Any = yaml.load(path.read_text(encoding="utf-8"))
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
    text = io.StringIO()
    yaml.dump(data, text)
    before = path.read_bytes()
    atomic_bytes(path, text.getvalue().encode())
    try:
        load_params(path)
    except UserError:
        atomic_bytes(path, before)
        raise
    return f"{place}.{KEY}"
