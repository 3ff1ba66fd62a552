"""Mutations of YAML files that know what is a key, a value, a list."""

from __future__ import annotations

import re
from typing import Any

import yaml

from fuzz import nasty
from fuzz.case import Rng

#: Stands in dumped YAML where a piece of raw text goes.
_HOLE = "@@hole@@"

Path = tuple[int | str, ...]


def places(data: Any, at: Path = ()) -> list[Path]:
    """Paths to all values in nested lists and mappings."""
    found: list[Path] = [at] if at else []
    items = data.items() if isinstance(data, dict) else ()
    items = enumerate(data) if isinstance(data, list) else items
    for key, value in items:
        found += places(value, (*at, key))
    return found


def _parent(data: Any, path: Path) -> Any:
    for key in path[:-1]:
        data = data[key]
    return data


def _key_with(rng: Rng, name: str) -> str:
    """A key that is not quite the right one."""
    ways = [
        name + "s", name[:-1], name.upper(), f" {name}", f"{name}\u200b",
        name.replace("a", "\u0430"), rng.choice(nasty.TEXTS), f"{name}.{name}",
    ]  # fmt: skip
    return rng.choice(ways)


def _filled(data: Any, holes: list[str], twice: list[int]) -> str:
    """The text of the file, with each raw text in its hole."""
    text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=1000)
    for number, raw in enumerate(holes):
        mark = f"{_HOLE}{number}@@"
        if number in twice:
            text = _twice(text, mark, raw)
        # A mark in quotes would quote what takes its place.
        text = text.replace(f"'{mark}'", raw).replace(f'"{mark}"', raw).replace(mark, raw)
    return text


def mutate(rng: Rng, data: Any) -> tuple[str, str]:
    """What was done, and the text of the file; ``data`` is changed in place."""
    holes: list[str] = []
    twice: list[int] = []

    def hole(text: str) -> str:
        holes.append(text)
        return f"{_HOLE}{len(holes) - 1}@@"

    said = []
    for _ in range(rng.choice([1, 1, 1, 1, 2, 3])):
        path = rng.choice(places(data) or [()])
        if not path:
            break
        parent, key = _parent(data, path), path[-1]
        shown = ".".join(map(str, path))
        way = rng.choice(
            ["value"] * 6 + ["remove", "rename", "twice", "wrap", "unwrap", "swap", "add"]
        )
        if way == "value":
            text = nasty.value(rng)
            parent[key] = hole(text)
            said.append(f"{shown} = {text[:60]!r}")
        elif way == "remove":
            del parent[key]
            said.append(f"without {shown}")
        elif way == "rename" and isinstance(parent, dict):
            name = _key_with(rng, str(key))
            parent[name] = parent.pop(key)
            said.append(f"{shown} called {name[:60]!r}")
        elif way == "twice" and isinstance(parent, dict):
            parent[hole(f"{key}")] = parent[key]
            twice.append(len(holes) - 1)
            said.append(f"{shown} twice")
        elif way == "twice" and isinstance(parent, list):
            parent.append(parent[key])
            said.append(f"{shown} twice")
        elif way == "wrap":
            parent[key] = rng.choice([[parent[key]], {"value": parent[key]}, [[parent[key]]]])
            said.append(f"{shown} wrapped")
        elif way == "unwrap" and isinstance(parent[key], list | dict) and parent[key]:
            inner = parent[key]
            parent[key] = next(iter(inner.values() if isinstance(inner, dict) else inner))
            said.append(f"{shown} unwrapped")
        elif way == "swap":
            other = rng.choice(places(data))
            there = _parent(data, other)
            if other[: len(path)] != path and path[: len(other)] != other:
                parent[key], there[other[-1]] = there[other[-1]], parent[key]
                said.append(f"{shown} and {'.'.join(map(str, other))} swapped")
        elif isinstance(parent, dict):
            name = rng.choice([*nasty.TEXTS, "extra", "name", "kind"])
            parent[name] = hole(nasty.value(rng))
            said.append(f"{name[:60]!r} beside {shown}")
    return "; ".join(said) or "nothing", _filled(data, holes, twice)


def _twice(text: str, mark: str, key: str) -> str:
    """The line of a key with another line before it that has the same key."""
    lines = []
    for line in text.split("\n"):
        if mark in line:
            before, after = re.split(rf"'?{mark}'?", line, maxsplit=1)
            lines.append(f"{before}{key}: 1")
            line = f"{' ' * len(before)}{key}{after}"
        lines.append(line)
    return "\n".join(lines)
