"""Which keys there are, and which of them somebody meant who wrote another one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel

from lvlmbench.config.section import Composed

#: Where a key stands: indices of lists and names of suites are parts, too.
Place = tuple[int | str, ...]

#: The names from a section to a key in it; of lists with ``[]``, of suites ``NAME``.
Path = tuple[str, ...]

#: How alike two keys are of which one is a slip of the other, as difflib counts it; and how alike
#: where one that has the very name, but stands elsewhere, is not meant.
_ALIKE, _CLOSE = 0.65, 0.85
#: How many places are named at most, and how deep sections lie in each other.
_NAMED, _DEEP = 3, 8


def _section_of(annotation: Any) -> Any:
    """The section that an annotation holds, e.g. ``Clip`` of ``Clip | None``; None if none."""
    todo = [annotation]
    while todo:
        kind = todo.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
        todo += getattr(kind, "__args__", ())
    return None


def _fields(model: Any) -> dict[str, Any]:
    """Keys that a section takes, with those that kinds add to it."""
    if isinstance(model, type) and issubclass(model, Composed):
        model = model.whole()
    return getattr(model, "model_fields", {})


def _section_at(model: Any, place: Place) -> tuple[Any, bool]:
    """The section at a place, None where there is none; and whether names stand before it."""
    named = False  # whether the next part is a name that users give: of a suite
    for part in place:
        if isinstance(part, int) or named:
            named = False
            continue
        field = _fields(model).get(part)
        if field is None:
            return None, False
        model, named = _section_of(field.annotation), get_origin(field.annotation) is dict
    return model, named


def _may_be(annotation: Any, section: bool) -> bool:
    """Whether a value may be a section, or else whether it may be anything else."""
    kind = get_origin(annotation)
    if kind in (tuple, list):
        return not section
    if kind is dict or (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        return section
    inner = get_args(annotation)[: 1 if kind is Annotated else None]
    return any(_may_be(each, section) for each in inner) if inner else not section


def _takes(field: Any, value: object) -> bool:
    """Whether a key may be meant by who writes such a value."""
    return value is None or _may_be(field.annotation, isinstance(value, dict))


def _below(model: Any, value: object, start: Path = ()) -> Iterator[Path]:
    """All keys below a section that may be meant, as docs/configuration.md writes them."""
    for key, field in _fields(model).items():
        if _takes(field, value):
            yield (*start, key)
        inner, kind = _section_of(field.annotation), get_origin(field.annotation)
        if inner is not None and len(start) < _DEEP:
            own = (f"{key}[]",) if kind is tuple else (key, "NAME") if kind is dict else (key,)
            yield from _below(inner, value, (*start, *own))


def _written(parts: Path) -> str:
    """How keys in each other are written: ``snapshot: {seed: ...}``."""
    text = "..."
    for at, part in enumerate(reversed(parts)):
        name = part.removesuffix("[]")
        inner = text if not at else f"{{{text}}}"
        text = f"{name}: {f'[{inner}]' if name != part else inner}"
    return text


def _plain(path: Path) -> Path:
    return tuple(part.removesuffix("[]") for part in path)


def _alike(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other).ratio()


def _joined(within: Sequence[Path], key: str) -> Path | None:
    """The keys in each other that somebody wrote as one, e.g. ``snapshot.seed``; None if it is
    nothing of the kind.

    What stands behind the second of them may be anything, and the second a slip: that is told once
    they are in each other.
    """
    parts = tuple(re.split(r"[.:]\s*", key))
    wanted = tuple(part for part in parts if not part.isdigit())  # places in lists
    if len(parts) < 2 or not all(wanted):
        return None
    for path in within:
        pairs = [*zip(_plain(path), wanted, strict=False)]
        if len(path) == len(wanted) and all(own in ("NAME", part) for own, part in pairs):
            return tuple(p if own == "NAME" else own for own, p in zip(path, wanted, strict=True))
    if len(wanted) < 2:
        return None
    inner = {path[1] for path in map(_plain, within) if path[0] in ("NAME", wanted[0]) and path[1:]}
    near = any(own == "NAME" or _alike(wanted[1], own) >= _ALIKE for own in inner)
    return wanted if near else None


def joined_key(model: Any, place: Place) -> str:
    """Return what to write for keys in each other that somebody wrote as one; empty if none are.

    Parameters
    ----------
    model
        The section that everything stands in.
    place
        Where the key stands, itself the last part.
    """
    own, named = _section_at(model, place[:-1])
    within = [("NAME", *path) if named else path for path in _below(own, None)]
    parts = _joined(within, str(place[-1]))
    return "" if parts is None else f"write '{_written(parts)}'"


def _meant(found: Sequence[Path], start: str) -> str:
    """What to say of keys elsewhere, of which one is meant: those that lie least deep, where an
    item of a list lies as deep as the list."""
    depths = [sum(not part.endswith("[]") for part in path) for path in found]
    paths = [path for path, depth in zip(found, depths, strict=True) if depth == min(depths)]
    named = [f"'{start}{'.'.join(path)}'" for path in paths[:_NAMED]]
    if len(paths) == 1:
        return f"did you mean {named[0]}? Write '{_written(paths[0])}'"
    more = f" or {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return f"did you mean {', '.join(named)}{more}?"


def meant_key(model: Any, place: Place, value: object) -> str:
    """Return what to do about a key that its section does not know.

    A slip of a key beside it, a key of another section, or a slip of one is named, as long as such
    a value could stand there. A hint that is far off is worse than none: what is like nothing gets
    the keys that its section takes.

    Parameters
    ----------
    model
        The section that everything stands in.
    place
        Where the unknown key stands, itself the last part.
    value
        What is written for it.
    """
    if joined := joined_key(model, place):
        return joined
    (own, _), key = _section_at(model, place[:-1]), str(place[-1])
    start = "".join(f"{part}." for part in place[:-1])
    within, anywhere = [*_below(own, value)], [*_below(model, value)]

    def like(path: Path) -> float:
        return _alike(key, path[-1])

    beside = max((path for path in within if len(path) == 1), key=like, default=None)
    if beside is not None and like(beside) >= _CLOSE:
        return f"did you mean '{beside[0]}'?"
    for least in (1.0, _ALIKE):
        if least < 1 and beside is not None and like(beside) >= _ALIKE:
            return f"did you mean '{beside[0]}'?"
        for paths, begins in ((within, start), (anywhere, "")):
            nearest = max(map(like, paths), default=0.0)
            if nearest >= least:
                return _meant([path for path in paths if like(path) == nearest], begins)
    return f"use one of: {', '.join(sorted(_fields(own)))}"
