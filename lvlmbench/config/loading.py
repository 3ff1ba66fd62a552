"""Reading and validating parameters; every mistake becomes one line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from lvlmbench.config.keys import Place, joined_key, meant_key
from lvlmbench.config.project import Project, Suite
from lvlmbench.config.section import (
    NAME,
    NAME_IN_WORDS,
    SUITE_NAME,
    SUITE_NAME_IN_WORDS,
    VARIABLE,
    VARIABLE_IN_WORDS,
    Beside,
)
from lvlmbench.config.sections import Params
from lvlmbench.core.errors import UserError, meant_or
from lvlmbench.core.yaml_file import read_yaml

#: Pydantic's kinds of mistakes that it calls by Python's words, not by YAML's.
_IN_YAML = {
    "model_type": "should be a section: keys with their values",
    "dict_type": "should be a section: keys with their values",
    "tuple_type": "should be a list",
    "too_short": "should hold at least 1",
    "missing": "is missing",
    "string_type": "should be text: put it in quotes",
    "int_parsing": "should be a whole number",
    "int_type": "should be a whole number",
    "int_from_float": "should be a whole number",
    "int_parsing_size": "should be a whole number of fewer digits",
    "float_parsing": "should be a number",
    "float_type": "should be a number",
    "bool_parsing": "should be true or false",
    "bool_type": "should be true or false",
}
#: Patterns of texts, in words.
_PATTERNS = {
    NAME: NAME_IN_WORDS,
    SUITE_NAME: SUITE_NAME_IN_WORDS,
    "^https?://": "should begin with http:// or https://",
    VARIABLE: VARIABLE_IN_WORDS,
}
#: Parts of a mistake's place that are pydantic's own and stand in no file, e.g. ``[key]``.
_NOT_WRITTEN = re.compile(r"[\[(].*[\])]$|^(?:str|int|float|bool|none|constrained-\w+)$")
#: Keys by their former places, with their names of today; None where nothing needs them now.
_RENAMED: dict[tuple[int | str, ...], str | None] = {
    ("render", "rework"): "retries",
    ("statistics", "permutations"): None,
}
#: Where people write a server's key by mistake: such a value is not repeated.
_MAY_HOLD_A_KEY = (("base_url",), ("api_key_env",))
#: How many places of further mistakes are named.
_OTHERS = 4


def _is_suite(value: object) -> bool:
    """Whether a section can only be a suite, e.g. that of a file that forgot ``suites:``."""
    return isinstance(value, dict) and bool(value) and set(value) <= set(Suite.model_fields)


def _written(key: object) -> str:
    """A key as YAML writes it: ``null``, not ``None``."""
    return key if isinstance(key, str) else json.dumps(key, default=str)


def _place(location: Place, data: object) -> Place:
    """The place of a mistake without what is pydantic's own in it."""
    found: list[int | str] = []
    for part in location:
        if isinstance(data, dict) and (part in data or part == "None"):
            data = data.get(part)
        elif isinstance(data, list) and isinstance(part, int) and part < len(data):
            data = data[part]
        elif isinstance(part, str) and _NOT_WRITTEN.search(part):
            continue
        else:
            data = None
        found.append("null" if part == "None" else part)
    return tuple(found)


def _wrong_key(place: Place, error: Any, model: type[BaseModel], where: str) -> UserError:
    """What is wrong with a key itself, where users choose it: that of a suite or a list."""
    key = error["input"]
    if isinstance(key, str) and (joined := joined_key(model, place)):
        return UserError(where, "is not a known key", joined)
    if not isinstance(key, str):
        what, fix = f"the key is no text to YAML (got {_written(key)})", "put the key in quotes"
        return UserError(where, what, fix)
    what = _PATTERNS.get(error.get("ctx", {}).get("pattern", ""), error["msg"])
    return UserError(where, f"the name {what} (got {json.dumps(key)[:80]})", "give another name")


def _words_taken(errors: Sequence[Any], first: Any, data: object) -> str:
    """Words that a key takes beside what its first mistake asks for, e.g. ``'all'``."""
    place = _place(first["loc"], data)
    return next(
        (
            each["ctx"]["expected"]
            for each in errors
            if each is not first
            and each["type"] == "literal_error"
            and _place(each["loc"], data)[: len(place)] == place
        ),
        "",
    )


def _told_first(errors: Sequence[Any]) -> Any:
    """The mistake that is told: a slip of a key that must be there is not told as a missing key."""
    first = errors[0]
    if first["type"] == "missing":
        beside = (e for e in errors if e["loc"][:-1] == first["loc"][:-1])
        return next((e for e in beside if e["type"] == "extra_forbidden"), first)
    return first


def _beside(problem: ValidationError, data: object) -> str:
    """Where else something is wrong, so that all of it can be mended at once; empty if nowhere."""
    errors = problem.errors(include_url=False)
    slips = {_place(e["loc"], data)[:-1] for e in errors if e["type"] == "extra_forbidden"}
    told = [_place(_told_first(errors)["loc"], data)]
    for error in errors:
        place = _place(error["loc"], data)
        apart = all(place[: len(one)] != one[: len(place)] for one in told)
        if apart and not (error["type"] == "missing" and place[:-1] in slips):
            told.append(place)
    others = [".".join(map(str, place)) for place in told[1:]]
    more = [f"{len(others) - _OTHERS} more"] if len(others) > _OTHERS else []
    return ", ".join([*others[:_OTHERS], *more])


def _first_mistake(
    problem: ValidationError, model: type[BaseModel], source: str, data: object
) -> UserError:
    """What is wrong first: which key, what is wrong with it, what to write instead."""
    errors = problem.errors(include_url=False)
    error = _told_first(errors)
    location = _place(error["loc"], data)
    if isinstance(raised := error.get("ctx", {}).get("error"), Beside):
        location = (*location[:-1], raised.key)
    where = f"{source}: {'.'.join(str(p) for p in location) or 'top level'}"
    if error["type"] == "invalid_key" or error["loc"][-1:] == ("[key]",):
        return _wrong_key(location, error, model, where)
    if error["type"] == "extra_forbidden":
        if model is Project and location in (("corpus",), ("scenarios",)):
            fix = f"write 'suites: {{dysca: {{{location[0]}: ...}}}}'"
            return UserError(where, "stands in a suite now", fix)
        if location in _RENAMED:
            new = _RENAMED[location]
            if new is None:
                return UserError(where, "is not needed any more", "delete it")
            return UserError(where, f"is called '{new}' now", f"write '{new}:'")
        content = error.get("input")
        if len(location) == 1 and _is_suite(content):
            fix = f"suites stand below 'suites': write 'suites: {{{location[0]}: ...}}'"
        else:
            fix = meant_key(model, location, content)
        return UserError(where, "is not a known key", fix)
    said = error["msg"].removeprefix("Value error, ").removeprefix("Input ")
    what = _IN_YAML.get(error["type"], said)
    what = _PATTERNS.get(error.get("ctx", {}).get("pattern", ""), what)
    what = what[0].lower() + what[1:]
    if words := _words_taken(errors, error, data):
        what += f", or {words}"
    value = error.get("input")
    shown = location[-1:] not in _MAY_HOLD_A_KEY
    if shown and (isinstance(value, str | int | float | bool) or value is None):
        what += f" (got {json.dumps(value)[:80]})"
    what, _, fix = what.partition("; ")
    usual = "see docs/configuration.md" if value is not None else "write one, or leave the key out"
    return UserError(where, what, fix or usual)


Model = TypeVar("Model", bound=BaseModel)


def validate_as(model: type[Model], data: object, source: str) -> Model:
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise UserError(source, "is not a mapping of sections", "see docs/configuration.md")
    try:
        return model.model_validate(data)
    except ValidationError as problem:
        first = _first_mistake(problem, model, source, data)
        others = _beside(problem, data)
        fix = first.fix + (others and f" (wrong, too: {others})")
        raise UserError(first.where, first.what, fix) from None


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


def several(source: str, suites: Iterable[str]) -> UserError:
    """Return what is said where one of several suites must be named; in the order of params."""
    fix = f"name one with --suite: {', '.join(suites)}"
    return UserError(source, "holds several suites", fix)


def suite_of(project: Project, suite: str | None, source: str) -> Params:
    """Return the parameters of one suite of a project.

    Raises
    ------
    UserError
        There is no such suite, or there are several and none is named.
    """
    if suite is None and len(project.suites) > 1:
        raise several(source, project.suites)
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
