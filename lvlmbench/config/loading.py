"""Reading and validating parameters; every mistake becomes one line."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, get_origin

from pydantic import BaseModel, ValidationError

from lvlmbench.config.project import Project
from lvlmbench.config.section import NAME, NAME_IN_WORDS, Composed
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError, meant, meant_or
from lvlmbench.core.yaml_file import read_yaml

#: Pydantic's kinds of mistakes that it calls by Python's words, not by YAML's.
_IN_YAML = {
    "model_type": "should be a section: keys with their values",
    "dict_type": "should be a section: keys with their values",
    "tuple_type": "should be a list",
}
#: Keys by their former places, with their names of today.
_RENAMED: dict[tuple[int | str, ...], str] = {("render", "rework"): "retries"}
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


def _known_keys(model: Any, location: tuple[int | str, ...]) -> list[str]:
    """Keys that the section at ``location`` (without its last part) of ``model`` takes."""
    named = False  # whether the next part is a name that users give: of a suite
    for part in location[:-1]:
        if isinstance(part, int) or named:
            named = False
            continue
        field = getattr(model, "model_fields", {}).get(part)
        if field is None:
            return []
        model, named = _section_of(field.annotation), get_origin(field.annotation) is dict
        if isinstance(model, type) and issubclass(model, Composed):
            model = model.whole()
    return sorted(getattr(model, "model_fields", {}))


def _first_mistake(problem: ValidationError, model: type[BaseModel], source: str) -> UserError:
    """What is wrong first: which key, what is wrong with it, what to write instead."""
    error = problem.errors(include_url=False)[0]
    location = error["loc"]
    where = f"{source}: {'.'.join(str(p) for p in location) or 'top level'}"
    if error["type"] == "extra_forbidden":
        if model is Project and location in (("corpus",), ("scenarios",)):
            fix = f"write 'suites: {{dysca: {{{location[0]}: ...}}}}'"
            return UserError(where, "stands in a suite now", fix)
        if new := _RENAMED.get(location):
            return UserError(where, f"is called '{new}' now", f"write '{new}:'")
        known = _known_keys(model, location)
        fix = meant(str(location[-1]), known, f"use one of: {', '.join(known)}")
        return UserError(where, "is not a known key", fix)
    what = _IN_YAML.get(error["type"], error["msg"].removeprefix("Value error, "))
    if error.get("ctx", {}).get("pattern") == NAME:
        what = NAME_IN_WORDS
    what = what[0].lower() + what[1:]
    value = error.get("input")
    shown = location[-1:] not in _MAY_HOLD_A_KEY
    if shown and (isinstance(value, str | int | float | bool) or value is None):
        what += f" (got {json.dumps(value)[:80]})"
    return UserError(where, what, "see docs/configuration.md")


Model = TypeVar("Model", bound=BaseModel)


def validate_as(model: type[Model], data: object, source: str) -> Model:
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise UserError(source, "is not a mapping of sections", "see docs/configuration.md")
    try:
        return model.model_validate(data)
    except ValidationError as problem:
        raise _first_mistake(problem, model, source) from None


def validate_project(data: object, source: str = "params.yaml") -> Project:
    """Return the parameters of a project from parsed YAML.

    Raises
    ------
    UserError
        With the first mistake: which key, what is wrong with it, what to write instead.
    """
    return validate_as(Project, data, source)


def validate(data: object, source: str = "params.yaml") -> Params:
    """Return the parameters of one suite, given with those that all share.

    Raises
    ------
    UserError
        With the first mistake: which key, what is wrong with it, what to write instead.
    """
    return validate_as(Params, data, source)


def load_params(path: Path, suite: str | None = None) -> Params:
    """Return the parameters of one suite of a file; its name may be left out where it is alone.

    Raises
    ------
    UserError
        The file has a mistake, or no such suite, or several of which none is named.
    """
    return suite_of(load_project(path), suite, str(path))


def suite_of(project: Project, suite: str | None, source: str) -> Params:
    """Return the parameters of one suite of a project.

    Raises
    ------
    UserError
        There is no such suite, or there are several and none is named.
    """
    if suite is None and len(project.suites) > 1:
        fix = f"name one with --suite: {', '.join(project.suites)}"
        raise UserError(source, "holds several suites", fix)
    if suite is not None and suite not in project.suites:
        fix = meant_or(suite, project.suites)
        raise UserError(source, f"there is no suite '{suite}'", fix)
    return project.suite(suite)


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """A mapping whose keys stand there once, as YAML is read, too."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def load_project(path: Path) -> Project:
    """Read and validate a parameter file with all its suites.

    What a run hands its jobs is JSON, which is read many times faster than other YAML.
    """
    data: object = None
    if path.suffix == ".json":
        with suppress(OSError, ValueError):  # of which reading YAML says where and what
            data = json.loads(path.read_bytes(), object_pairs_hook=_each_once)
    return validate_project(read_yaml(path) if data is None else data, str(path))
