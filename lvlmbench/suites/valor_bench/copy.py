"""A user's copy as a whole: entries with their pictures and prompts, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import linked_below
from lvlmbench.suites import claimed
from lvlmbench.suites.given.lined import text_of
from lvlmbench.suites.given.pictures import Pictures
from lvlmbench.suites.given.told import Told
from lvlmbench.suites.valor_bench.formats import ANNOTATION, FILES, Entry, entries

#: Folders of a copy: of the released prompts, and of the pictures where no other is named.
GENERATION, IMAGES = "generation", "images"
#: Characters of a prompt at most.
_PROMPT = 4000

#: What we ask for where the copy holds no prompts.
_OURS: Mapping[str, str] = {
    claimed.OBJECTS: "Describe this photograph and name every object that it shows.",
    claimed.ATTRIBUTES: "Go through this photograph from left to right and from top to bottom, and "
    "say of each object what it is and what color or other quality it has.",
    claimed.PEOPLE: "Describe each person in this photograph from left to right: who it is, what "
    "they wear in which color, and what they are doing.",
    claimed.POSITIONS: "Describe where the things in this photograph are: how they stand to each "
    "other, and in which part of the photograph.",
    claimed.SIZES: "Name the things in this photograph from the largest to the smallest.",
}


@dataclass(frozen=True)
class Shown:
    """An annotated picture, and its file."""

    entry: Entry
    path: Path


@dataclass(frozen=True)
class Copy:
    """What a copy holds.

    Attributes
    ----------
    annotated
        Entries by subset, in the files' order, whether their pictures are there or not.
    shown
        Those of them whose pictures are there.
    prompts
        What is asked, by subset.
    released
        Subsets whose prompts are the copy's own.
    told
        Slips, and mistakes.
    """

    folder: Path
    annotated: Mapping[str, tuple[Entry, ...]]
    shown: Mapping[str, tuple[Shown, ...]]
    prompts: Mapping[str, str]
    released: tuple[str, ...]
    told: Told


def is_copy(folder: Path) -> bool:
    """Return whether a folder holds something that is called as in a released copy."""
    return any((folder / ANNOTATION / each.file).exists() for each in FILES.values())


def open_copy(folder: Path, images: Path | None, subsets: tuple[str, ...]) -> Copy:
    """Return what a copy holds of some subsets; what is wrong with it is in ``told``.

    Parameters
    ----------
    images
        Folder of the pictures; None: the copy's own.
    """
    at = images or folder / IMAGES
    return _read(folder, at, subsets, _stamp(folder, at))


def _stamp(folder: Path, images: Path) -> tuple[tuple[str, int, int], ...]:
    """What changes with the files: their times and sizes."""
    places = (folder / ANNOTATION, folder / GENERATION, images)
    found = [path for place in places for path in linked_below(place)]
    stats = ((path, path.stat()) for path in found if path.is_file())
    return tuple((str(path), stat.st_mtime_ns, stat.st_size) for path, stat in stats)


@lru_cache(maxsize=2)
def _read(folder: Path, images: Path, subsets: tuple[str, ...], stamp: object) -> Copy:
    told = Told()
    annotated = {name: tuple(entries(folder, name, told)) for name in subsets}
    shown: dict[str, tuple[Shown, ...]] = dict.fromkeys(subsets, ())
    try:
        pictures = Pictures(images, folder)
    except UserError as error:
        told.mistakes.append(error)
    else:
        for name, found in annotated.items():
            paths = [pictures.find(each.picture, each.file, each.line, told) for each in found]
            pairs = zip(found, paths, strict=True)
            shown[name] = tuple(Shown(entry, path) for entry, path in pairs if path is not None)
    prompts, released = _prompts(folder, subsets, told)
    return Copy(folder, annotated, shown, prompts, released, told)


def _prompts(
    folder: Path, subsets: tuple[str, ...], told: Told
) -> tuple[dict[str, str], tuple[str, ...]]:
    """What is asked, and the subsets whose prompts the copy holds."""
    found, released = dict[str, str](), list[str]()
    for name in subsets:
        file = f"{GENERATION}/{FILES[name].prompt}"
        found[name] = _OURS[name]
        if not (folder / file).exists():
            continue
        try:
            text = text_of(folder / file, file).strip()
        except UserError as error:
            told.mistakes.append(error)
            continue
        if not text or len(text) > _PROMPT:
            what = "is empty" if not text else f"has more than {_PROMPT} characters"
            told.mistake(file, 0, what, "write one prompt, or remove the file: then ours is sent")
            continue
        found[name] = text
        released.append(name)
    return found, tuple(released)
