"""Reading YAML that anybody may have written: bounded, without surprises, one line a mistake.

A parser of YAML can be made to run for hours, or to end its process, by few bytes: aliases of
aliases, a list in a list ten thousand deep. And it takes the last of two equal keys in silence.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.core.errors import UserError

#: Bytes of a file, values in it with aliases written out, and how deep they lie in each other.
_BYTES, _VALUES, _DEEP = 1 << 22, 200_000, 32
#: Bytes from which on a file is one of data, that no other program reads as parameters.
_MANY = 1 << 16


def _trouble(where: str, raw: bytes, error: yaml.YAMLError) -> UserError:
    """What to say of text that is not YAML."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        line = min(mark.line + 1, len(raw.splitlines()) or 1)
    else:  # bytes that are no text have a position instead of a mark
        line = raw[: getattr(error, "position", None) or 0].count(b"\n") + 1
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    fix = "save it as UTF-8" if "UTF-8" in problem else "mend it"
    if b"\t" in b"".join(raw.splitlines()[line - 1 : line]).split(b"#")[0]:
        problem, fix = "there is a tab", "write blanks instead"
    return UserError(f"{where}:{line}", f"is not valid YAML ({problem})", fix)


class _Sizes:
    """Counts the values of a document as they would be with its aliases written out."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._open: list[tuple[str | None, int]] = []
        self._known: dict[str, int] = {}

    def _fail(self, event: yaml.Event, what: str) -> UserError:
        fix = "write it out flat; see docs/configuration.md"
        return UserError(f"{self._where}:{event.start_mark.line + 1}", what, fix)

    def _add(self, event: yaml.Event, anchor: str | None, size: int) -> None:
        if anchor is not None:
            self._known[anchor] = size
        if self._open:
            name, held = self._open[-1]
            self._open[-1] = name, held + size
        if size > _VALUES or (self._open and self._open[-1][1] > _VALUES):
            raise self._fail(event, f"stands for more than {_VALUES:,} values")

    def see(self, event: yaml.Event) -> None:
        """Take the next event of the parser."""
        if isinstance(event, yaml.CollectionStartEvent):
            if len(self._open) >= _DEEP:
                raise self._fail(event, f"holds lists or sections more than {_DEEP} deep")
            self._open.append((event.anchor, 1))
        elif isinstance(event, yaml.CollectionEndEvent):
            name, size = self._open.pop()
            self._add(event, name, size)
        elif isinstance(event, yaml.AliasEvent):
            if any(name == event.anchor for name, _ in self._open):
                raise self._fail(event, f"'*{event.anchor}' stands inside of what it means")
            if event.anchor not in self._known:
                raise self._fail(event, f"'*{event.anchor}' means nothing that stands before it")
            self._add(event, None, self._known[event.anchor])
        elif isinstance(event, yaml.ScalarEvent):
            self._add(event, event.anchor, 1)


def check_yaml(raw: bytes, where: str) -> None:
    """Make sure that YAML can be read in little time and memory.

    Raises
    ------
    UserError
        It is no YAML, is too large or too deep, or an alias contains itself.
    """
    if len(raw) > _BYTES:
        what = f"has more than {_BYTES:,} bytes"
        raise UserError(where, what, "give a file that people could read")
    sizes = _Sizes(where)
    try:
        for event in yaml.parse(raw, Loader=yaml.CSafeLoader):
            sizes.see(event)
    except yaml.YAMLError as error:
        raise _trouble(where, raw, error) from None


class _Strict(yaml.constructor.SafeConstructor):  # type: ignore[misc]
    """Takes no key twice, and every mistake has its line."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError):
            kind = node.tag.rpartition(":")[2]
            what = f"a value is no {kind}" if isinstance(node, yaml.ScalarNode) else "a bad value"
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark) from None

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        seen = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if (key.tag, key.value) in seen:
                    what = f"the key '{key.value}' stands twice in one section"
                    raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
                seen.add((key.tag, key.value))
        return super().construct_mapping(node, deep=deep)


class _Loader(_Strict, yaml.SafeLoader):  # type: ignore[misc]
    """Reads what Snakemake and DVC read, too."""


class _Fast(_Strict, yaml.CSafeLoader):  # type: ignore[misc]
    """Reads tabs and a few odd forms that these do not, in a quarter of the time."""


# Numbers without a point, as 1e-05: text by YAML 1.1, numbers by YAML 1.2 and JSON.
for _loader in (_Loader, _Fast):
    _loader.add_implicit_resolver(
        "tag:yaml.org,2002:float", re.compile(r"[-+]?[0-9]+[eE][-+]?[0-9]+$"), list("-+0123456789")
    )


def read_yaml(path: Path) -> object:
    """Return what a YAML file holds.

    Raises
    ------
    UserError
        It cannot be read or parsed, has a key twice in a section, or would take too much to read.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        what = f"cannot be read ({reason})"
        raise UserError(str(path), what, "give an existing file") from None
    try:
        text = raw[:_BYTES].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(str(path), "is not UTF-8 text", "save it as UTF-8") from None
    check_yaml(raw, str(path))
    try:
        return yaml.load(text, Loader=_Fast if len(raw) > _MANY else _Loader)  # noqa: S506
    except yaml.YAMLError as error:
        raise _trouble(str(path), raw, error) from None


def read_layer(path: Path) -> dict[str, Any]:
    """Return what a file holds that is laid over params.yaml.

    Raises
    ------
    UserError
        As :func:`read_yaml`, or it holds no keys.
    """
    found = read_yaml(path)
    if not isinstance(found, dict):
        what = "holds nothing" if found is None else "holds no keys with values"
        fix = "write what differs from params.yaml, such as 'snapshot: {seed: 7}'"
        raise UserError(str(path), what, fix)
    return found
