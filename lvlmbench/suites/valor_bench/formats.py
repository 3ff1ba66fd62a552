"""The five released files of annotation, each entry as it is written, slips mended."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lvlmbench.core.errors import UserError, meant
from lvlmbench.suites import claimed
from lvlmbench.suites.given.lined import Lined, read_lines, read_object
from lvlmbench.suites.given.told import Told
from lvlmbench.suites.valor_bench.words import tokens

#: Folder of the annotation, as released.
ANNOTATION = "human_annotation"

#: Characters of a text at most.
_LONGEST = 2000
#: Characters of the number of what is listed at most.
_DIGITS = 100
_PAIR = re.compile(r"\(([^()]*)\)")
_FIX = "write it as released: docs/valor.md"


class Pair(NamedTuple):
    """An attribute and what has it; the attribute may be empty."""

    value: str
    noun: str


@dataclass(frozen=True)
class Somebody:
    """A person, what they wear, and what they do; either may be empty."""

    person: str
    garments: tuple[Pair, ...]
    action: str


#: What an entry lists: labels; pairs, each with alternatives; people; relations, each with its
#: paraphrases; things by size, each with its names.
Item: TypeAlias = str | tuple[Pair, ...] | Somebody | tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """What is annotated of one picture.

    Attributes
    ----------
    picture
        What the annotation calls it.
    file, line
        Where that stands.
    """

    subset: str
    picture: str
    file: str
    line: int
    items: tuple[Any, ...]


class Released(NamedTuple):
    """A file as released: its name and its reader; and the name of the prompt's file."""

    file: str
    prompt: str
    read: Callable[[Path, str, str, Told], list[Entry]]


class _At:
    """A place in a file, at which slips and mistakes are noted."""

    def __init__(self, file: str, line: int, told: Told) -> None:
        self.file, self.line, self.told = file, line, told

    def text(self, value: object, what: str) -> str | None:
        """Return a text without stray blanks; None, with a mistake, for what is none."""
        if isinstance(value, bool) or not isinstance(value, str | int):
            self.told.mistake(self.file, self.line, f"{what} is no text", _FIX)
            return None
        written = str(value)
        plain = " ".join(written.split())
        if not plain.isprintable() or len(plain) > _LONGEST:
            self.told.mistake(self.file, self.line, f"{what} is no plain text: {plain[:60]}", _FIX)
            return None
        if plain != written:
            said = f"stray blanks in {written[:60]!r}"
            self.told.slip(self.file, self.line, "texts with stray blanks", said)
        return plain

    def filled(self, value: object, what: str) -> str | None:
        """As :meth:`text`; an empty one is a mistake, too."""
        found = self.text(value, what)
        if found == "":
            self.told.mistake(self.file, self.line, f"{what} is empty", _FIX)
        return found or None

    def worded(self, value: object, what: str) -> str | None:
        """As :meth:`filled`; one of signs alone is a mistake, too."""
        found = self.filled(value, what)
        if found is not None and not tokens(found):
            self.told.mistake(self.file, self.line, f"{what} has no word: {found[:60]}", _FIX)
            return None
        return found

    def key(self, given: Mapping[str, Any], name: str) -> object:
        """Return the value of a key; one that is nearly spelt so is a slip, none a mistake."""
        if name in given:
            return given[name]
        near = meant(name, [k for k in given if k not in _KEYS], "")
        if near:
            wrong = near.removeprefix("did you mean '").removesuffix("'?")
            self.told.slip(self.file, self.line, "misspelt keys", f"'{wrong}' is read as '{name}'")
            return given[wrong]
        self.told.mistake(self.file, self.line, f"the key '{name}' is missing", _FIX)
        return None

    def pairs(self, text: str, what: str) -> tuple[Pair, ...]:
        """Return the pairs "(red, apple)" of a text; without brackets, the text is one noun."""
        found = []
        for inner in _PAIR.findall(text) or ([text] if text else []):
            value, comma, noun = inner.rpartition(",")
            pair = Pair(" ".join(value.split()), " ".join(noun.split()))
            if not tokens(pair.noun):
                self.told.mistake(self.file, self.line, f"{what} names nothing: ({inner})", _FIX)
                continue
            if not comma:
                said = f"'{inner.strip()}' has no attribute"
                self.told.slip(self.file, self.line, "nouns without an attribute", said)
            found.append(pair)
        return tuple(found)


#: Keys that no other key is a slip of.
_KEYS = ("image_id", "gt_objects", "person", "object", "action")


def _objects(path: Path, shown: str, subset: str, told: Told) -> list[Entry]:
    """``{image_id, gt_objects: [...]}``, one a line."""
    found = []
    for row in read_lines(path, shown):
        if isinstance(row, UserError):
            told.mistakes.append(row)
            continue
        at = _At(shown, row.line, told)
        name = at.filled(at.key(row, "image_id"), "image_id")
        labels = at.key(row, "gt_objects")
        if labels is not None and not isinstance(labels, list):
            told.mistake(shown, row.line, "gt_objects is no list", _FIX)
        given = labels if isinstance(labels, list) else []
        items = [text for each in given if (text := at.worded(each, "a label")) is not None]
        if name is not None:
            found.append(Entry(subset, name, shown, row.line, tuple(items)))
    return found


def _numbered(
    path: Path, shown: str, subset: str, told: Told, item: Callable[[_At, object, str], Item | None]
) -> list[Entry]:
    """Entries of a file ``{ID: {NUMBER: ...}}``, each in the order of its numbers."""
    found = []
    whole = read_object(path, shown)
    for name in whole.twice:
        told.slip(shown, 0, "pictures that stand twice", f"'{name}' stands twice; the first counts")
    for name, listed in whole.items():
        if not isinstance(listed, dict):
            told.mistake(shown, 0, f"'{name}' holds no object", _FIX)
            continue
        at = _At(shown, listed.line if isinstance(listed, Lined) else 0, told)
        if any(len(key) > _DIGITS for key in listed):
            told.mistake(shown, at.line, f"a number of '{name}' has over {_DIGITS} digits", _FIX)
            continue
        for key in getattr(listed, "twice", ()):
            what = f"'{key}' of {name} stands twice; the first counts"
            told.slip(shown, at.line, "numbers that stand twice", what)
        picture = at.filled(name, "the name of a picture")
        made = (item(at, listed[key], f"'{key}' of {name}") for key in _ordered(listed))
        items = tuple(each for each in made if each is not None)
        if picture is not None:
            found.append(Entry(subset, picture, shown, at.line, items))
    return found


def _ordered(listed: Mapping[str, Any]) -> list[str]:
    """Keys by their numbers, where they are some."""
    if all(key.strip().isdecimal() for key in listed):
        return sorted(listed, key=int)
    return list(listed)


def _attribute(at: _At, value: object, what: str) -> tuple[Pair, ...] | None:
    text = at.filled(value, what)
    return (at.pairs(text, what) or None) if text is not None else None


def _person(at: _At, value: object, what: str) -> Somebody | None:
    if not isinstance(value, dict):
        at.told.mistake(at.file, at.line, f"{what} holds no object", _FIX)
        return None
    here = _At(at.file, getattr(value, "line", at.line), at.told)
    person = here.worded(here.key(value, "person"), f"person in {what}")
    worn = here.text(here.key(value, "object"), f"object in {what}")
    action = here.text(value.get("action", ""), f"action in {what}")
    if person is None:
        return None
    return Somebody(person, here.pairs(worn or "", what), action or "")


def _relation(at: _At, value: object, what: str) -> tuple[str, ...] | None:
    given = value if isinstance(value, list) else [value]
    found = (at.worded(each, what) for each in given)
    return tuple(each for each in found if each is not None) or None


def _rank(at: _At, value: object, what: str) -> tuple[str, ...] | None:
    text = at.worded(value, what)
    names = (" ".join(part.split()) for part in (text or "").split("/"))
    return tuple(name for name in names if tokens(name)) or None


def _of(item: Callable[[_At, object, str], Item | None]) -> Callable[..., list[Entry]]:
    def read(path: Path, shown: str, subset: str, told: Told) -> list[Entry]:
        return _numbered(path, shown, subset, told, item)

    return read


#: Subset -> its file.
FILES: Mapping[str, Released] = {
    claimed.OBJECTS: Released("object_existence.jsonl", "object_existence.txt", _objects),
    claimed.ATTRIBUTES: Released(
        "attribute_object.json", "attribute_object.txt", _of(_attribute)
    ),
    claimed.PEOPLE: Released("attribute_people.json", "attribute_people.txt", _of(_person)),
    claimed.POSITIONS: Released(
        "relation_positional.json", "relation_positional.txt", _of(_relation)
    ),
    claimed.SIZES: Released("relation_comparative.json", "relation_comparative.txt", _of(_rank)),
}  # fmt: skip


def entries(folder: Path, subset: str, told: Told) -> Iterator[Entry]:
    """Yield what a folder's file of a subset holds, without entries that are damaged.

    What is wrong is noted: a missing file is a mistake, a picture that stands twice a slip, the
    first counts.
    """
    released = FILES[subset]
    path = folder / ANNOTATION / released.file
    try:
        found = released.read(path, f"{ANNOTATION}/{released.file}", subset, told)
    except UserError as error:
        told.mistakes.append(error)
        return
    seen: set[str] = set()
    for entry in found:
        if entry.picture in seen:
            what = f"'{entry.picture}' stands twice; the first counts"
            told.slip(entry.file, entry.line, "pictures that stand twice", what)
        elif entry.items:
            yield entry
        else:
            what = f"nothing is annotated of '{entry.picture}', which is left out"
            told.slip(entry.file, entry.line, "pictures without annotation", what)
        seen.add(entry.picture)
