"""Templates of prompts: Markdown files with a version, whose fields are checked before use.

A file ``<purpose>.md`` begins with YAML between two lines of ``---``, which holds ``version``, and
goes on with a Jinja template. Templates run in a sandbox. A folder of the user's own lies over the
default one, file by file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError, first_line
from lvlmbench.core.yaml_file import parse_yaml
from lvlmbench.stages.roles.fences import fenced

if TYPE_CHECKING:
    import jinja2

DEFAULT = PROJECT_ROOT / "data" / "prompts" / "default"

#: Bytes of a template at most.
_LONGEST = 1 << 16
_FILE = re.compile(r"---\n(?P<head>.*?\n)---\n(?P<body>.*)", re.DOTALL)


@dataclass(frozen=True)
class Template:
    """A template of one purpose.

    Attributes
    ----------
    purpose, version
        Its name and number.
    sha256
        Of the file.
    where
        The file, for messages.
    body
        Source of the Jinja template.
    """

    purpose: str
    version: int
    sha256: str
    where: str
    body: str

    @property
    def label(self) -> str:
        """Name, version and the first digits of the hash: ``claims@1 0f3a9c12``."""
        return f"{self.purpose}@{self.version} {self.sha256[:8]}"

    def render(
        self, fields: Mapping[str, object] | None = None, data: Mapping[str, str] | None = None
    ) -> str:
        """Return the prompt.

        Parameters
        ----------
        fields
            What stands in the prompt as it is.
        data
            Texts that others wrote: each is fenced, whatever the template does with it.

        Raises
        ------
        UserError
            The template cannot be filled, e.g. it asks for a part that a field does not have.
        """
        import jinja2

        given = {**(fields or {}), **{name: fenced(text) for name, text in (data or {}).items()}}
        try:
            return _parsed(self.body).render(given).strip()
        except jinja2.UndefinedError as error:
            what = f"has a field that is not there ({first_line(error)})"
            raise UserError(self.where, what, "correct the template") from None
        except Exception as error:  # templates are programs, and raise what they like
            what = f"cannot be filled ({type(error).__name__}: {first_line(error)})"
            raise UserError(self.where, what, "correct the template") from None


def load_template(purpose: str, fields: Collection[str], folder: Path | None = None) -> Template:
    """Return the template of a purpose: of the user's folder, or where that has none, of ours.

    Parameters
    ----------
    fields
        What it is filled with; it must use each of them, and no other.

    Raises
    ------
    UserError
        The folder or the file cannot be read, the file is no template, or its fields are wrong.
    """
    path = DEFAULT / f"{purpose}.md"
    if folder is not None:
        if not folder.is_dir():
            raise UserError(str(folder), "is not a folder", "name one that holds templates")
        if (own := folder / path.name).exists():
            path = own
    template = _read(purpose, path)
    _check_fields(template, fields)
    return template


def _read(purpose: str, path: Path) -> Template:
    where = str(path)
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        what = f"cannot be read ({(error.strerror or str(error)).lower()})"
        raise UserError(where, what, "give a file of text") from None
    except UnicodeDecodeError:
        raise UserError(where, "is not UTF-8 text", "save it as UTF-8") from None
    if len(raw) > _LONGEST:
        raise UserError(where, f"has more than {_LONGEST:,} bytes", "say it in fewer words")
    found = _FILE.fullmatch(text)
    if found is None:
        what = "does not begin with its version between two lines of '---'"
        raise UserError(where, what, "see data/prompts/default")
    head = parse_yaml(found["head"], where)
    version = head.get("version") if isinstance(head, dict) else None
    if not isinstance(head, dict) or {*head} != {"version"} or type(version) is not int:
        raise UserError(where, "must say 'version: N' and nothing else", "N is a whole number")
    return Template(purpose, version, hashlib.sha256(raw).hexdigest(), where, found["body"])


def _check_fields(template: Template, fields: Collection[str]) -> None:
    import jinja2
    from jinja2 import meta

    try:
        used = meta.find_undeclared_variables(_environment().parse(template.body))
        _parsed(template.body)
    except jinja2.TemplateError as error:
        line = getattr(error, "lineno", None)
        what = f"is no Jinja template ({first_line(error)})"
        where = template.where if line is None else f"{template.where}: line {line} of its body"
        raise UserError(where, what, "correct it") from None
    known = ", ".join(sorted(fields))
    if unknown := sorted(used.difference(fields)):
        raise UserError(template.where, f"has no field '{unknown[0]}'", f"its fields are {known}")
    if missing := sorted(set(fields).difference(used)):
        what = f"leaves out the field '{missing[0]}'"
        raise UserError(template.where, what, f"put {{{{ {missing[0]} }}}} where it belongs")


@cache
def _environment() -> jinja2.Environment:
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@cache
def _parsed(body: str) -> jinja2.Template:
    return _environment().from_string(body)
