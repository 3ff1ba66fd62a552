"""Writing into files of parameters, comments kept."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from lvlmbench.config.layers import load_layers, merge
from lvlmbench.config.loading import load_project, validate_project
from lvlmbench.config.project import Project
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.registry import kinds_of
from lvlmbench.core.yaml_file import read_layer, read_yaml

KEY = "max_tokens_if_cut"


class ItemOf(NamedTuple):
    """What is laid over one item of a list: the item's place, and its keys."""

    at: int
    keys: Mapping[str, Any]


def lists_model(path: Path, name: str) -> bool:
    """Return whether a file of parameters lists a model."""
    said = read_layer(path) if path.is_file() else {}
    models = (said.get("answer") or {}).get("models") or []
    return any(model.get("name") == name for model in models)


def write_limit(path: Path, name: str, tokens: int) -> str:
    """Set :data:`KEY` of a model; returns the place of the key in the model's section.

    Raises
    ------
    UserError
        The file cannot be read, lists no such model, or the limit does not fit it: nothing is
        written.
    """
    load_project(path)  # in one line what is wrong with it
    said: Any = read_yaml(path) or {}
    models = (said.get("answer") or {}).get("models") or []
    at = next((at for at, model in enumerate(models) if model["name"] == name), None)
    if at is None:
        fix = "give the file that lists it by --configfile"
        raise UserError(f"{path}: answer.models", f"there is no model '{name}'", fix)
    kind = kinds_of("models").find(models[at]["engine"])
    place = "" if kind is None else kind.limit
    if not place:
        what = f"the engine '{models[at]['engine']}' has no limit of tokens here"
        raise UserError(f"{path}: answer.models: {name}", what, "set it where the model runs")
    own: dict[str, Any] = {KEY: tokens}
    for key in reversed(place.split(".")):
        own = {key: own}
    models = [merge(model, own) if n == at else model for n, model in enumerate(models)]
    wanted = validate_project(merge(said, {"answer": {"models": models}}), str(path))
    _write(path, said, {"answer": {"models": ItemOf(at, own)}}, wanted)
    return f"{place}.{KEY}"


def write_layers(base: Path, files: Sequence[Path]) -> None:
    """Lay files over ``base`` and write it anew; suites that are null are taken out.

    DVC reads this one file, and can leave no suite out.

    Raises
    ------
    UserError
        A file cannot be read, what comes out is no valid configuration, or ``base`` is written in
        a way that cannot be edited line by line: nothing is written.
    """
    wanted = load_layers([base, *files])  # in one line what is wrong
    above: dict[str, Any] = {}
    for file in files:
        above = merge(above, read_layer(file))
    below = read_yaml(base)
    if isinstance(below, dict) and isinstance(own := below.get("suites"), dict):
        gone = {name: None for name, suite in own.items() if suite is None}
        above = merge({"suites": gone}, above) if gone else above
    _write(base, below, above, wanted)


def _write(path: Path, below: object, above: Mapping[str, Any], wanted: Project) -> None:
    """Lay ``above`` over a file that says ``below``, if that comes to what is wanted.

    Lines of keys whose values stay are not touched, nor are comments between keys.
    """
    target = path.resolve()  # of a link, what it means
    raw, mode = target.read_bytes(), target.stat().st_mode
    end = b"\r\n" if b"\r\n" in raw else b"\n"
    lines = raw.decode("utf-8-sig").splitlines()
    lines = laid(lines, below if isinstance(below, dict) else {}, above)
    text = end.join(line.encode() for line in [*lines, ""])
    if not _means(text, wanted):
        raise UserError(str(path), "its lines cannot be edited from here", "write the keys by hand")
    atomic_bytes(target, text)
    target.chmod(mode)


def _means(text: bytes, wanted: Project) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "params.yaml")
        file.write_bytes(text)
        try:
            return load_layers([file]) == wanted
        except UserError:
            return False


#: A line with a key, by its indent.
_KEY_LINE = re.compile(r"( *)([\w.-]+):(?: |$)")
#: One with nothing behind its key.
_HEAD = re.compile(r" *[\w.-]+:(?:\s+#.*)?\s*")
#: One that begins an item of a list.
_ITEM = re.compile(r"( *)-(?: |$)")
_SUITES = ("suites",)


def laid(
    lines: Sequence[str],
    below: Mapping[str, Any],
    above: Mapping[str, Any],
    at: tuple[str, ...] = (),
) -> list[str]:
    """Return the lines of a mapping with another one laid over it key by key.

    Parameters
    ----------
    lines
        Of the mapping, comments among them.
    below
        What these lines say.
    at
        Where the mapping stands; below ``suites`` null takes a key out.
    """
    keys = filter(None, map(_KEY_LINE.match, lines))
    indent = next((len(key[1]) for key in keys), 2 * len(at))
    found: list[str] = []
    for key, block in _blocks(lines, indent):
        old, new = below.get(key), above.get(key)
        if key not in above or (old == new and not (at == _SUITES and new is None)):
            found += block
            continue
        kept = _ending(block)
        own, rest = block[: len(block) - kept], block[len(block) - kept :]
        if isinstance(old, Mapping) and isinstance(new, Mapping) and _HEAD.fullmatch(own[0]):
            found += [own[0], *laid(own[1:], old, new, (*at, key))]
        elif isinstance(new, ItemOf) and _HEAD.fullmatch(own[0]) and (heads := _items(own, old)):
            found += _with_item(own, old, new, heads)
        elif not (at == _SUITES and new is None):
            found += _dumped(key, _over(old, new), indent)
        found += rest
    for key in above:
        if key not in below and not (at == _SUITES and above[key] is None):
            found += _dumped(key, above[key], indent)
    return found


def _over(old: object, new: object) -> object:
    """A value with another laid over it."""
    if isinstance(new, ItemOf) and isinstance(old, list):
        return [merge(item, dict(new.keys)) if n == new.at else item for n, item in enumerate(old)]
    if isinstance(old, dict) and isinstance(new, dict):
        return old | {key: _over(old.get(key), value) for key, value in new.items()}
    return new


def _items(lines: Sequence[str], items: Any) -> list[int]:
    """Where each item of a list begins, and where the last one ends; none where that is not how it
    is written."""
    starts = [_ITEM.match(line) for line in lines]
    indent = next((len(start[1]) for start in starts if start), 0)
    heads = [n for n, start in enumerate(starts) if start and len(start[1]) == indent]
    return [*heads, len(lines)] if len(heads) == len(items) else []


def _with_item(lines: Sequence[str], items: Any, new: ItemOf, heads: Sequence[int]) -> list[str]:
    """The lines of a list with one of its items changed."""
    first, after = heads[new.at : new.at + 2]
    item, old = [*lines[first:after]], items[new.at]
    indent = item[0].index("-")
    flat = item[0].replace("-", " ", 1)
    if _KEY_LINE.match(flat) or not flat.strip():
        item = laid([flat, *item[1:]], old, new.keys)
    else:  # {...}
        kept = item[len(item) - _ending(item) :]
        wide = " " * (len(flat) - len(flat.lstrip()))
        item = [wide + line for line in _lines_of(merge(old, dict(new.keys)), False)] + kept
    item[0] = f"{item[0][:indent]}-{item[0][indent + 1 :]}"
    return [*lines[:first], *item, *lines[after:]]


def _blocks(lines: Sequence[str], indent: int) -> Iterator[tuple[str, list[str]]]:
    """Keys of a mapping with their lines; what stands before the first key has an empty one."""
    key, block = "", list[str]()
    for line in lines:
        found = _KEY_LINE.match(line)
        if found and len(found[1]) == indent:
            yield key, block
            key, block = found[2], []
        block.append(line)
    yield key, block


def _ending(block: Sequence[str]) -> int:
    """How many lines at the end of a block are empty or comments: they are of what comes next."""
    lines = [line.strip() for line in block]
    return len(lines) - max(i + 1 for i, line in enumerate(lines) if line and line[0] != "#")


def _dumped(key: str, value: object, indent: int) -> list[str]:
    flow = None if isinstance(value, list | dict) else False  # [a, b], but a line a key
    return [" " * indent + line for line in _lines_of({key: value}, flow)]


def _lines_of(value: object, flow: bool | None) -> list[str]:
    text: str = yaml.safe_dump(value, sort_keys=False, default_flow_style=flow, width=100)
    return text.splitlines()
