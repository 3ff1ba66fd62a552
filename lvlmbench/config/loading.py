"""Reading and validating parameters; every mistake becomes one line."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from lvlmbench.config.section import (
    NAME,
    NAME_IN_WORDS,
    Composed,
)
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.yaml_file import read_yaml

#: Pydantic's kinds of mistakes that it calls by Python's words, not by YAML's.
_IN_YAML = {
    "model_type": "should be a section: keys with their values",
    "dict_type": "should be a section: keys with their values",
    "tuple_type": "should be a list",
}
#: Where people write a server's key by mistake: such a value is not repeated.
_MAY_HOLD_A_KEY = (("base_url",), ("api_key_env",))


def _section_of(annotation: Any) -> Any:
    """The section that an annotation holds, e.g. ``Clip`` of ``Clip | None``; None if none."""
    todo = [annotation]
    while todo:
        kind = todo.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
        todo += getattr(kind, "__args__", ())
    return None


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    """Keys that the section at ``location`` (without its last part) takes."""
    model: Any = Params
    for part in location[:-1]:
        if isinstance(part, int):
            continue
        field = getattr(model, "model_fields", {}).get(part)
        if field is None:
            return []
        model = _section_of(field.annotation)
        if isinstance(model, type) and issubclass(model, Composed):
            model = model.whole()
    return sorted(getattr(model, "model_fields", {}))


def validate(data: object, source: str = "params.yaml") -> Params:
    """Parameters from parsed YAML.

    Raises
    ------
    UserError
        With the first mistake: which key, what is wrong with it, what to write instead.
    """
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise UserError(source, "is not a mapping of sections", "see docs/configuration.md")
    try:
        return Params.model_validate(data)
    except ValidationError as problem:
        error = problem.errors(include_url=False)[0]
        location = error["loc"]
        where = f"{source}: {'.'.join(str(p) for p in location) or 'top level'}"
        if error["type"] == "extra_forbidden":
            known = _known_keys(location)
            near = difflib.get_close_matches(str(location[-1]), known, n=1)
            fix = f"did you mean '{near[0]}'?" if near else f"use one of: {', '.join(known)}"
            raise UserError(where, "is not a known key", fix) from None
        what = _IN_YAML.get(error["type"], error["msg"].removeprefix("Value error, "))
        if error.get("ctx", {}).get("pattern") == NAME:
            what = NAME_IN_WORDS
        what = what[0].lower() + what[1:]
        value = error.get("input")
        shown = location[-1:] not in _MAY_HOLD_A_KEY
        if shown and (isinstance(value, str | int | float | bool) or value is None):
            what += f" (got {json.dumps(value)[:80]})"
        raise UserError(where, what, "see docs/configuration.md") from None


def load_params(path: Path) -> Params:
    """Read and validate a parameter file (YAML, of which JSON is a part)."""
    return validate(read_yaml(path), str(path))
