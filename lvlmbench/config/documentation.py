"""Documents generated from the code: ``python -m lvlmbench.config.documentation [--check]``.

Writes docs/configuration.md and docs/params.schema.json from the parameter models and
docs/data-dictionary.md from the table schemas. With ``--check`` nothing is written and a document
that differs is an error, so that neither can drift from the code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.project import Project
from lvlmbench.config.section import Composed
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.tables import dictionary

COMMAND = "make docs"

_INTRODUCTION = f"""\
# Configuration

<!-- Generated from lvlmbench/config/sections.py by '{COMMAND}'. Do not edit. -->

`params.yaml` is the one configuration file; it has a section for each stage. It is read and
checked before anything runs: a key that is not listed here, or a value out of its range, stops
the run with one line that says where and what to do. A key that is left out has its default.

Another file is laid over `params.yaml` key by key, so it needs to hold only what differs:

```sh
make report CONFIG=profiles/small.yaml
lvlmbench config check profiles/small.yaml
```

Editors that read JSON schemas complete and check the file with
[params.schema.json](params.schema.json).
"""

_MODEL_LIST = (
    "`[]` stands for the items of a list: `answer.models[].name` is a key of each model. `NAME` "
    "stands for a name that you give: `suites.NAME.corpus` is a section of each suite."
)


def _nested(schema: dict[str, Any]) -> tuple[str, str] | None:
    """Name of the section that a property's schema refers to, with the suffix of its keys."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1], ""
    if schema.get("type") == "array" and "$ref" in schema.get("items", {}):
        return str(schema["items"]["$ref"]).rsplit("/", 1)[-1], "[]"
    for value in schema.get("patternProperties", {}).values():
        return str(value["$ref"]).rsplit("/", 1)[-1], ".NAME"
    for choice in schema.get("anyOf", ()):
        found = _nested(choice)
        if found:
            return found
    return None


def _bounds(schema: dict[str, Any]) -> Iterator[str]:
    for key, sign in (
        ("minimum", "≥"),
        ("exclusiveMinimum", ">"),
        ("maximum", "≤"),
        ("exclusiveMaximum", "<"),
    ):
        if key in schema:
            yield f"{sign} {schema[key]}"
    if "multipleOf" in schema:
        yield f"multiple of {schema['multipleOf']}"
    if "pattern" in schema:
        yield f"matches `{schema['pattern']}`"
    if schema.get("minLength") or schema.get("minItems", 0) == 1:
        yield "not empty"


def _kind(schema: dict[str, Any]) -> str:
    """A property's type and range in words."""
    if "anyOf" in schema:
        return " or ".join(_kind(choice) for choice in schema["anyOf"])
    if "$ref" in schema:
        return "section"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return "one of " + ", ".join(f"`{value}`" for value in schema["enum"])
    kind = str(schema.get("type", "any"))
    if kind == "array" and "prefixItems" in schema:
        kind = f"list of {len(schema['prefixItems'])}: {_kind(schema['prefixItems'][0])}"
    elif kind == "array":
        kind = f"list, each {_kind(schema['items'])}"
    elif "patternProperties" in schema:
        kind = "mapping of names, each value section"
    elif kind == "object":
        kind = f"mapping, each value {_kind(schema['additionalProperties'])}"
    return ", ".join([kind, *_bounds(schema)])


def _rows(name: str, prefix: str, definitions: dict[str, Any], model: Any) -> Iterator[list[str]]:
    """Table rows of a section and of the sections inside it."""
    section = definitions[name]
    for key, schema in section["properties"].items():
        inner = _nested(schema)
        text = schema.get("description", definitions[inner[0]]["description"] if inner else "")
        default = "required" if key in section.get("required", ()) else ""
        if not default and (not inner or inner[1] or "default" in schema):
            value = model.model_fields[key].get_default(call_default_factory=True)
            default = f"`{json.dumps(value, default=_plain)}`"
        yield [f"`{prefix}{key}`", _kind(schema), default, text]
        if inner:
            child = whole(_model_called(model, inner[0]))
            yield from _rows(inner[0], f"{prefix}{key}{inner[1]}.", definitions, child)


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_defaults=True)
    raise TypeError(type(value).__name__)


def _model_called(parent: Any, name: str) -> Any:
    """The model class ``name`` among the annotations of ``parent``'s fields."""
    todo = [field.annotation for field in parent.model_fields.values()]
    while todo:
        kind = todo.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel) and kind.__name__ == name:
            return kind
        todo += getattr(kind, "__args__", ())
    raise LookupError(name)


def whole(model: Any) -> Any:
    """Return a section with the keys that registered kinds add to it."""
    return model.whole() if issubclass(model, Composed) else model


def markdown_table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table; vertical bars in cells are escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in line) + " |"
        for line in lines
    )


def configuration_markdown() -> str:
    """docs/configuration.md."""
    schema = Project.model_json_schema()
    parts = [_INTRODUCTION, _MODEL_LIST]
    for key, field in Project.model_fields.items():
        found = _nested(schema["properties"][key])
        if found is None:
            raise LookupError(f"{key} is no section")
        section = whole(_model_called(Project, found[0]))
        rows = list(_rows(found[0], f"{key}{found[1]}.", schema["$defs"], section))
        table = markdown_table(["key", "type", "default", "meaning"], rows)
        said = section.__doc__.strip() if field.description is None else field.description
        parts.append(f"## {key}\n\n{said}\n\n{table}")
    return "\n\n".join(part.strip() for part in parts) + "\n"


def params_schema() -> str:
    """docs/params.schema.json."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "params.yaml",
        "description": "Parameters of lvlmbench.",
    }
    generated = Project.model_json_schema()
    suites = generated["properties"]["suites"]
    suites["patternProperties"] = {
        name: {"anyOf": [value, {"type": "null"}]}
        for name, value in suites["patternProperties"].items()
    }
    schema |= {key: generated[key] for key in generated if key not in schema}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def documents() -> dict[str, str]:
    """Path below the project's root -> what the document must say."""
    return {
        "docs/configuration.md": configuration_markdown(),
        "docs/params.schema.json": params_schema(),
        "docs/data-dictionary.md": dictionary.markdown(),
    }


def check(root: Path = PROJECT_ROOT) -> None:
    """Compare the documents with the code.

    Raises
    ------
    UserError
        A document is missing or says something else.
    """
    for name, text in documents().items():
        path = root / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            raise UserError(name, "does not say what the code says", f"run '{COMMAND}'")


def write(root: Path = PROJECT_ROOT) -> None:
    """Write the documents."""
    for name, text in documents().items():
        atomic_bytes(root / name, text.encode())


@main_guard
def main(arguments: list[str]) -> None:
    """Entry point: ``--check`` compares, no argument writes."""
    if arguments not in ([], ["--check"]):
        raise UserError("documentation", f"does not take {arguments}", "use --check or nothing")
    if arguments:
        check()
    else:
        write()


if __name__ == "__main__":
    main(sys.argv[1:])
