"""Annotations that association is counted from: ours, or a user's COCO, GQA or CSV file."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.suites.valor.association.counts import KINDS, Counts, Fact, counted

_FACTS = ("image", "object", "attribute", "relation", "object2")
_COUNTED = ("object", "images", "kind", "feature", "together")
#: So much fits into the table designs.
_MOST = 2**31 - 1
_FORMATS = (
    "give instances of COCO or scene graphs of GQA as JSON, or CSV with the columns "
    f"{', '.join(_FACTS)} or {', '.join(_COUNTED)}"
)


def read(path: Path) -> Counts:
    """Return the counts of a file, or of all CSV files of a folder together.

    Raises
    ------
    UserError
        What is wrong with the first file that cannot be read, and where.
    """
    if path.is_dir():
        files = tuple(sorted(path.glob("*.csv")))
        if not files:
            raise UserError(str(path), "holds no CSV file", _FORMATS)
    elif path.is_file():
        files = (path,)
    else:
        raise UserError(str(path), "is no file or folder", _FORMATS)
    return _read(tuple((file, file.stat().st_mtime_ns) for file in files))


@lru_cache(maxsize=4)
def _read(files: tuple[tuple[Path, int], ...]) -> Counts:
    return _merged([(file, _of_file(file)) for file, _ in files])


def _of_file(path: Path) -> Counts:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(str(path), f"cannot be read: {error}", "give text in UTF-8") from None
    if path.suffix.lower() == ".csv":
        return _table(path, text)
    try:
        given = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UserError(str(path), f"is no JSON: {error}", _FORMATS) from None
    except ValueError:
        raise UserError(str(path), "holds a number of too many digits", "write fewer") from None
    if isinstance(given, dict) and {"annotations", "categories"} <= given.keys():
        return counted(_coco(path, given))
    if isinstance(given, dict) and given and all(_is_graph(each) for each in given.values()):
        return counted(_gqa(path, given))
    raise UserError(str(path), "is neither of COCO's form nor of GQA's", _FORMATS)


def _is_graph(each: Any) -> bool:
    return isinstance(each, dict) and isinstance(each.get("objects"), dict)


def _word(path: Path, where: str, value: Any) -> str:
    """A name in lower case, with single blanks."""
    if not isinstance(value, str) or not value.strip():
        raise UserError(str(path), f"{where} is {value!r}, no name", "write a word or a few")
    return " ".join(value.lower().split())


def _coco(path: Path, given: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the objects of COCO's instances: each annotation is one of a category."""
    names: dict[Any, str] = {}
    for at, each in enumerate(_list(path, given, "categories")):
        where = f"categories: item {at}"
        names[_id(path, where, each, "id")] = _word(path, f"{where}: name", each.get("name"))
    for at, each in enumerate(_list(path, given, "annotations")):
        where = f"annotations: item {at}"
        category = _id(path, where, each, "category_id")
        if category not in names:
            what = f"{where} is of category {category!r}, which is not listed"
            raise UserError(str(path), what, "list it under categories")
        yield Fact(_id(path, where, each, "image_id"), names[category])


def _id(path: Path, where: str, of: Mapping[str, Any], key: str) -> str:
    value = of.get(key)
    if not isinstance(value, int | str):
        raise UserError(str(path), f"{where}: {key} is {value!r}, no id", "write a number")
    return str(value)


def _list(path: Path, given: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = given[key]
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise UserError(str(path), f"{key} is no list of objects", "give COCO's instances as JSON")
    return found


def _gqa(path: Path, given: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the objects of GQA's scene graphs, with their attributes and relations."""
    for image, graph in given.items():
        objects = graph["objects"]
        if not all(isinstance(each, dict) for each in objects.values()):
            raise UserError(str(path), f"{image}: objects hold no objects", "give GQA's JSON")
        names = {
            key: _word(path, f"{image}: name of {key}", each.get("name"))
            for key, each in objects.items()
        }
        for key, each in objects.items():
            yield Fact(image, names[key])
            for value in _items(path, f"{image}: attributes of {key}", each.get("attributes")):
                yield Fact(image, names[key], _word(path, f"{image}: an attribute", value))
            for one in _items(path, f"{image}: relations of {key}", each.get("relations")):
                other = one.get("object") if isinstance(one, dict) else None
                if not isinstance(other, str) or other not in names:
                    what = f"{image}: a relation of {key} is with {other!r}, which is not there"
                    raise UserError(str(path), what, "name an object of the same image")
                relation = _word(path, f"{image}: a relation", one.get("name"))
                yield Fact(image, names[key], None, relation, names[other])


def _items(path: Path, where: str, value: Any) -> list[Any]:
    if value is not None and not isinstance(value, list):
        raise UserError(str(path), f"{where} are no list", "write [one, another], or nothing")
    return value or []


def _table(path: Path, text: str) -> Counts:
    """Counts of a CSV file, of facts or of counts."""
    try:
        rows = list(csv.DictReader(text.splitlines(), strict=True))
    except csv.Error as error:
        raise UserError(str(path), f"is no CSV: {error}", _FORMATS) from None
    columns = tuple(rows[0]) if rows else ()
    if any(None in row or None in row.values() for row in rows):
        at = next(n for n, row in enumerate(rows, 2) if None in row or None in row.values())
        raise UserError(f"{path}:{at}", "has more or fewer values than the first row", _FORMATS)
    if {*_COUNTED} <= {*columns}:
        return _counts(path, rows)
    if {*_FACTS[:2]} <= {*columns}:
        return counted(_facts(path, rows))
    raise UserError(str(path), "has neither of the two sets of columns", _FORMATS)


def _facts(path: Path, rows: Iterable[Mapping[str, str]]) -> Iterator[Fact]:
    for at, row in enumerate(rows, 2):
        said = {name: (row.get(name) or "").strip() for name in _FACTS}
        where = f"{path}:{at}"
        for name in _FACTS[:2]:
            if not said[name]:
                raise UserError(where, f"has no {name}", "write one")
        if bool(said["relation"]) != bool(said["object2"]):
            raise UserError(where, "has a relation without object2, or the other way", "write both")
        words = {n: _word(path, n, v) if v else None for n, v in said.items() if n != "image"}
        yield Fact(said["image"], **words)  # type: ignore[arg-type]


def _counts(path: Path, rows: Iterable[Mapping[str, str]]) -> Counts:
    """Counts as they stand there, zeros among them."""
    images: dict[str, int] = {}
    together: dict[str, dict[str, dict[str, int]]] = {kind: {} for kind in KINDS}
    for at, row in enumerate(rows, 2):
        where = f"{path}:{at}"
        one, feature = (_word(path, f"line {at}: {n}", row[n]) for n in ("object", "feature"))
        n, both = (_number(where, name, row[name]) for name in ("images", "together"))
        if row["kind"] not in KINDS:
            raise UserError(where, f"'{row['kind']}' is no kind", f"use {', '.join(KINDS)}")
        if images.setdefault(one, n) != n:
            raise UserError(where, f"'{one}' has other images above", "write one number for all")
        if both > n:
            raise UserError(where, f"together is {both}, more than images, {n}", "write fewer")
        own = together[row["kind"]].setdefault(one, {})
        if feature in own:
            raise UserError(where, f"'{one}' and '{feature}' stand there twice", "keep one")
        own[feature] = both
    return Counts(images, together)


def _number(where: str, name: str, value: str) -> int:
    if not (value.strip().isascii() and value.strip().isdigit()):
        raise UserError(where, f"{name} is '{value}', no whole number", "write digits")
    digits = value.strip().lstrip("0") or "0"
    if len(digits) > len(str(_MOST)) or int(digits) > _MOST:
        raise UserError(where, f"{name} is '{value}', more than {_MOST}", "write fewer")
    return int(digits)


def _merged(found: list[tuple[Path, Counts]]) -> Counts:
    """Counts of one file or several, without zeros; those of named images stand alone."""
    images: dict[str, int] = {}
    together: dict[str, dict[str, dict[str, int]]] = {kind: {} for kind in KINDS}
    for path, counts in found:
        if counts.shown and len(found) > 1:
            raise UserError(str(path), "names images, and is not alone", "give that file by itself")
        if counts.shown:
            return counts
        for one, n in counts.images.items():
            if images.setdefault(one, n) != n:
                what = f"'{one}' is in {n} images here and in {images[one]} in another file"
                raise UserError(str(path), what, "write one number in all files")
        for kind, of_kind in counts.together.items():
            for one, features in of_kind.items():
                own = together[kind].setdefault(one, {})
                for feature in sorted(own.keys() & features.keys()):
                    what = f"'{one}' and '{feature}' stand in another file, too"
                    raise UserError(str(path), what, "keep one")
                own.update(features)
    for of_all in together.values():
        for one, own in of_all.items():
            of_all[one] = {feature: n for feature, n in own.items() if n}
    return Counts(images, together)
