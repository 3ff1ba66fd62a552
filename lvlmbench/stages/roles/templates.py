"""Prompt templates: files with a version, which users may lay their own over.

A template is ``<purpose>.md`` in a folder of prompts: front matter in YAML with its ``version``,
then text with Jinja's ``{{ field }}``. What models or users have written stands in a template as
``{{ field|fenced }}``: between marks that hold its hash, so that no text can close them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import jinja2.meta
import jinja2.nodes
import jinja2.sandbox
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError, first_line

#: Folder that a folder of one's own is laid over.
DEFAULT = "data/prompts/default"
_LINE = "---\n"
#: Fields that hold what models or users wrote.
UNTRUSTED = frozenset(
    {
        *("question", "answer", "first", "second", "description", "things", "aspect", "defects"),
        *("wrong", "options", "wish", "general", "taken", "banned", "turns"),
    }
)
#: Bytes of a template at most.
_LARGEST = 1 << 18


class _Front(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    version: int = Field(ge=1)


@dataclass(frozen=True)
class Template:
    """A prompt template.

    Attributes
    ----------
    purpose, version
        What it is for, and its author's number.
    sha256
        Of its file: another text is another template, whatever its version says.
    body
        What is sent, once its fields are filled in.
    where
        Its file.
    """

    purpose: str
    version: int
    sha256: str
    body: str
    where: str

    @property
    def name(self) -> str:
        """Its name with its version, e.g. ``claims@1``."""
        return f"{self.purpose}@{self.version}"

    def render(self, **fields: Any) -> str:
        """Return the prompt with the fields of :func:`load` filled in.

        Raises
        ------
        UserError
            It cannot be filled in, e.g. it wants of a field what that does not have.
        """
        try:
            return _compiled(self.body).render(**fields).strip() + "\n"
        except Exception as error:  # templates are programs, and raise what they like
            what = f"cannot be filled in ({type(error).__name__}: {first_line(error)})"
            raise UserError(self.where, what, "write fields as {{ field }}") from None


def _unfenced(parsed: jinja2.nodes.Template) -> set[str]:
    """Fields that a template uses otherwise than through the filter ``fenced`` alone.

    Whether there is anything in one may be asked: that shows nothing of it.
    """
    kept = {id(each.node) for each in parsed.find_all(jinja2.nodes.Filter) if each.name == "fenced"}
    kept |= {id(each.test) for each in parsed.find_all(jinja2.nodes.If)}
    names = parsed.find_all(jinja2.nodes.Name)
    return {each.name for each in names if each.ctx == "load" and id(each) not in kept}


def fenced(text: str) -> str:
    """Return text between marks that it cannot hold, as they name its hash."""
    mark = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return f"<data {mark}>\n{text}\n</data {mark}>"


@cache
def _environment() -> jinja2.Environment:
    env = jinja2.sandbox.ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    env.filters = {"fenced": fenced}
    env.globals = {}
    return env


@cache
def _compiled(body: str) -> jinja2.Template:
    return _environment().from_string(body)


def load(
    folder: str, purpose: str, fields: Collection[str], key: str = "judge.prompts"
) -> Template:
    """Read the template of a purpose: the folder's own, or the default one.

    Parameters
    ----------
    folder
        Relative to the project's root.
    fields
        What it is given, all of which it must use.
    key
        Where the parameters name the folder.

    Raises
    ------
    UserError
        The folder or the file is missing or damaged, or uses other fields.
    """
    if not (PROJECT_ROOT / folder).is_dir():
        where = f"params.yaml: {key}: {folder}"
        raise UserError(where, "is not a folder", "name one that holds prompts; see docs/judges.md")
    path = PROJECT_ROOT / folder / f"{purpose}.md"
    if not path.is_file():
        path = PROJECT_ROOT / DEFAULT / f"{purpose}.md"
    return read(path, fields)


def read(path: Path, fields: Collection[str]) -> Template:
    """Read a template from its file; see :func:`load`."""
    where = str(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise UserError(where, "is too large for a prompt", f"keep it below {_LARGEST} bytes")
        data = path.read_bytes()
        text = data.decode().replace("\r\n", "\n")
        before, front, body = text.split(_LINE, 2)
        if before.strip():
            raise ValueError("something stands before the front matter")
        version = _Front.model_validate(yaml.safe_load(front)).version
        parsed = _environment().parse(body)
        used = jinja2.meta.find_undeclared_variables(parsed)
    except OSError as error:
        raise UserError(where, f"cannot be read ({error.strerror})", "put it back") from None
    except jinja2.TemplateError as error:
        what = f"is no template ({first_line(error)})"
        raise UserError(where, what, "write fields as {{ field }}") from None
    except (ValueError, yaml.YAMLError, ValidationError, RecursionError):
        fix = "begin it with the lines '---', 'version: 1' and '---', as UTF-8"
        raise UserError(where, "has no front matter with a version", fix) from None
    for field in sorted({*fields} ^ used):
        what = f"uses '{field}', which is not given" if field in used else f"lacks '{field}'"
        raise UserError(where, what, f"use each of: {', '.join(sorted(fields))}")
    for field in sorted(UNTRUSTED & _unfenced(parsed)):
        what = f"shows '{field}' unfenced, so that what others wrote would pass for instructions"
        raise UserError(where, what, f"write {{{{ {field}|fenced }}}}")
    return Template(path.stem, version, hashlib.sha256(data).hexdigest(), body, where)
