"""What things are called, read from the vocabulary's files, and what may be called the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

#: Files of things that pictures show.
_THINGS = ("animal", "object", "plant", "food", "carrier", "clothes")
#: What a picture has around its things.
_AROUND = ("background", "style", "weather")
_SHOWN = ("shows", "depicts", "sometimes")


@dataclass(frozen=True)
class Name:
    """What a label stands for, in one of the files."""

    label: str
    file: str
    plural: str
    group: str
    parts: tuple[str, ...]

    @property
    def words(self) -> frozenset[str]:
        """The label's words."""
        return frozenset(self.label.lower().replace(".", "").split())

    def may_be(self, other: Name) -> bool:
        """Return whether somebody may call one by the other's name."""
        if self.words <= other.words or other.words <= self.words:
            return True
        one, two = (name.group.lower().split("/") for name in (self, other))
        shared = min(len(one), len(two))
        return one[:shared] == two[:shared]


class Names:
    """All that questions may name."""

    def __init__(self, folder: Path) -> None:
        self._names: dict[str, list[Name]] = {}
        for file in _THINGS:
            for entry in _entries(folder, file):
                name = Name(
                    entry["label"],
                    file,
                    entry.get("plural", entry["label"]),
                    entry.get("group", entry["label"]),
                    tuple(entry.get("parts", ())),
                )
                self._names.setdefault(name.label, []).append(name)
        self._around = {
            (file, entry["label"]): tuple(
                each
                for one in (entry, entry.get("drawn", {}).get("pictograph", {}))
                for key in _SHOWN
                for each in one.get(key, ())
            )
            for file in _AROUND
            for entry in _entries(folder, file)
        }
        self.colors = tuple(entry["label"] for entry in _entries(folder, "color"))
        self.rgb = {e["label"]: tuple(e["rgb"]) for e in _entries(folder, "color")}
        self.labels = tuple(self._names)
        self.plurals = {n.plural: n.label for names in self._names.values() for n in names}

    def may_be(self, one: str, other: str) -> bool:
        """Return whether what one label names may be called by the other."""
        return one == other or any(a.may_be(b) for a in self._of(one) for b in self._of(other))

    def lists(self, label: str) -> set[str]:
        """Return the files in which a label stands."""
        return {name.file for name in self._of(label)}

    def is_a(self, part: str, label: str) -> bool:
        """Return whether what is called ``part`` may be named by a label with no more words."""
        return any(b.words <= a.words for a in self._of(part) for b in self._of(label))

    def around(self, setting: Mapping[str, Any]) -> tuple[str, ...]:
        """Return what a setting shows by itself."""
        return tuple(
            label for file in _AROUND for label in self._around.get((file, setting[file]), ())
        )

    def parts(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Return what things of these labels have as parts."""
        return tuple(part for label in labels for name in self._of(label) for part in name.parts)

    def _of(self, label: str) -> list[Name]:
        return self._names.get(label) or [Name(label, "", label, label, ())]


def _entries(folder: Path, file: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((folder / f"{file}.yaml").read_text())["entries"]
    return found


@cache
def names_in(folder: Path) -> Names:
    """Return the names of a vocabulary's folder."""
    return Names(folder)
