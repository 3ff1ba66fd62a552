"""Writing into files of parameters, comments kept."""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from lvlmbench.config.layers import load_layers, merge
from lvlmbench.config.loading import load_params
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.registry import kinds_of
from lvlmbench.core.yaml_file import read_layer, read_yaml

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
    editor = YAML()
    editor.preserve_quotes, editor.width = True, 4096
    data: Any = editor.load(path.read_text(encoding="utf-8"))
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
    editor.dump(data, text)
    before = path.read_bytes()
    atomic_bytes(path, text.getvalue().encode())
    try:
        load_params(path)
    except UserError:
        atomic_bytes(path, before)
        raise
    return f"{place}.{KEY}"


def write_layers(base: Path, files: Sequence[Path]) -> None:
    """Lay files over ``base`` and write it anew; suites that are null are taken out.

    DVC reads this one file, and can leave no suite out. Lines of keys whose values stay are not
    touched, nor are comments between keys.

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
    target = base.resolve()  # of a link, what it means
    raw, mode = target.read_bytes(), target.stat().st_mode
    end = b"\r\n" if b"\r\n" in raw else b"\n"
    lines = raw.decode("utf-8-sig").splitlines()
    lines = laid(lines, below if isinstance(below, dict) else {}, above)
    text = end.join(line.encode() for line in [*lines, ""])
    if not _means(text, wanted):
        raise UserError(str(base), "cannot take these files in", "write their keys by hand")
    atomic_bytes(target, text)
    target.chmod(mode)


def _means(text: bytes, wanted: object) -> bool:
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
        elif not (at == _SUITES and new is None):
            if isinstance(old, dict) and isinstance(new, dict):
                new = merge(old, new)
            found += _dumped(key, new, indent)
        found += rest
    for key in above:
        if key not in below and not (at == _SUITES and above[key] is None):
            found += _dumped(key, above[key], indent)
    return found


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
    text = yaml.safe_dump({key: value}, sort_keys=False, default_flow_style=flow, width=100)
    return [" " * indent + line for line in text.splitlines()]
