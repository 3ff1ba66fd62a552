"""What ``lvlmbench suite check`` says of a copy: counts beside those of paper and release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lvlmbench.suites import claimed
from lvlmbench.suites.given.pictures import unreadable
from lvlmbench.suites.look import Look
from lvlmbench.suites.valor_bench.copy import Copy, is_copy, open_copy
from lvlmbench.suites.valor_bench.features import features_of
from lvlmbench.suites.valor_bench.formats import FILES, Entry
from lvlmbench.suites.valor_bench.statements import read

#: What is counted of an entry.
Count = Callable[[Entry], int]

#: Pictures of a subset in the paper (VALOR-Eval, Table 2) and as released.
PICTURES = {
    claimed.OBJECTS: (50, 50),
    claimed.ATTRIBUTES: (27, 27),
    claimed.PEOPLE: (34, 35),
    claimed.POSITIONS: (50, 50),
    claimed.SIZES: (50, 40),
}


def _all(entry: Entry) -> int:
    return len(entry.items)


def _lemmas(entry: Entry) -> int:
    return sum(feature.kind == "object" for feature in features_of(entry))


def _several(entry: Entry) -> int:
    return sum(len(each) > 1 for each in entry.items)


def _placed(entry: Entry) -> int:
    return sum(read(said[0]).relation == "at" for said in entry.items)


def _unread(entry: Entry) -> int:
    return sum(read(said[0]).relation is None for said in entry.items)


#: Subset -> what is counted of it, with the number as released; None where it is ours alone.
_COUNTED: Mapping[str, Sequence[tuple[str, Count, int | None]]] = {
    claimed.OBJECTS: (
        ("labels", _all, 1072),
        ("distinct in a picture", lambda entry: len({*entry.items}), 778),
        ("distinct by lemma", _lemmas, None),
    ),
    claimed.ATTRIBUTES: (("entries", _all, 251), ("with alternatives", _several, 21)),
    claimed.PEOPLE: (
        ("persons", _all, 165),
        ("garments", lambda entry: sum(len(each.garments) for each in entry.items), 433),
    ),
    claimed.POSITIONS: (
        ("relations", _all, 649),
        ("with a paraphrase", _several, 280),
        ("to the image", _placed, 233),
        ("in words that are not read", _unread, None),
    ),
    claimed.SIZES: (("ranks", _all, 284),),
}


def look(folder: Path, images: Path | None = None) -> Look | None:
    """Return what a folder holds, slip by slip and mistake by mistake; None where it is no copy.

    Parameters
    ----------
    images
        Folder of its pictures; None: its own.
    """
    if not is_copy(folder):
        return None
    copy = open_copy(folder, images, tuple(FILES))
    paths = [each.path for found in copy.shown.values() for each in found]
    mistakes = [*copy.told.mistakes, *unreadable(list(dict.fromkeys(paths)), folder)]
    return Look(tuple(_lines(copy)), tuple(mistakes))


def _lines(copy: Copy) -> Iterator[str]:
    for name, found in copy.annotated.items():
        yield f"{name}: {'; '.join(_counts(name, found, len(copy.shown[name])))}"
    prompts = ", ".join(copy.released) or "none"
    yield f"released prompts: {prompts}" + (
        "; ours are sent for the others" if len(copy.released) < len(copy.prompts) else ""
    )
    duplicates = sum(_all(each) - _lemmas(each) for each in copy.annotated[claimed.OBJECTS])
    if duplicates:
        yield f"{duplicates} labels stand twice or more in a picture, and count once"
    yield from (f"passed over: {line}" for line in copy.told.lines())
    counts = ", ".join(f"{name}: {len(each)}" for name, each in copy.shown.items() if each)
    if counts:
        yield f"write into the suite's corpus: scenes: {{{counts}}}"


def _counts(name: str, found: Sequence[Entry], pictures: int) -> Iterator[str]:
    paper, released = PICTURES[name]
    there = "all there" if pictures == len(found) else f"{pictures} there"
    yield f"{len(found)} pictures, {there} (paper {paper}, released {released})"
    for what, count, known in _COUNTED[name]:
        number: Any = sum(map(count, found))
        yield f"{number} {what}" + ("" if known is None else f" (released {known})")
