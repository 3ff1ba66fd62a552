"""Load a vocabulary: all files of its folder, read and checked."""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from lvlmbench.core.errors import UserError, meant
from lvlmbench.core.kept import kept
from lvlmbench.core.seeding import digest
from lvlmbench.scene.vocabulary.entries import VocabularyList
from lvlmbench.scene.vocabulary.file import read_list, read_word_rules, shown, unreadable
from lvlmbench.scene.vocabulary.keys import required_lists
from lvlmbench.scene.vocabulary.near import NEAR, Near, read_near
from lvlmbench.scene.vocabulary.unclear import UNCLEAR, ByRenderer, read_unclear
from lvlmbench.scene.vocabulary.words import common_words


@dataclass(frozen=True)
class Vocabulary:
    """All lists by name, words for text, a digest of all, what is unclear, what looks alike."""

    lists: Mapping[str, VocabularyList] = field(hash=False)
    words: tuple[str, ...]
    digest: str
    unclear: ByRenderer = field(default_factory=dict, hash=False)
    near: Near = field(default_factory=dict, hash=False)


@kept()
def load_vocabulary(folder: Path) -> Vocabulary:
    """Read and check all files of the folder; once a process as long as they stay as they are.

    Raises
    ------
    UserError
        A file is missing, or the first mistake with its file and line.
    """
    folder = folder.resolve()
    paths = tuple(sorted(folder.glob("*.yaml")))
    for name in (*required_lists(), "text"):
        if folder / f"{name}.yaml" not in paths:
            raise UserError(str(folder), f"has no {name}.yaml", "add it; see docs/scenes.md")
    return _load(paths, tuple(_stamp(path) for path in paths))


def _stamp(path: Path) -> tuple[int, int]:
    """What tells that a file was changed; a pipe or a device would be read without end."""
    try:
        found = path.stat()
    except OSError as error:
        raise unreadable(path, error.strerror) from None
    if not stat.S_ISREG(found.st_mode):
        raise unreadable(path, "not a file")
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=4)
def _load(paths: tuple[Path, ...], stamps: tuple[tuple[int, int], ...]) -> Vocabulary:
    lists: dict[str, VocabularyList] = {}
    words: tuple[str, ...] = ()
    parts: list[bytes] = []
    for path in paths:
        parts += [path.name.encode(), path.read_bytes()]
        if path.stem == "text":
            words = common_words(read_word_rules(path))
        elif path.stem not in (UNCLEAR, NEAR):
            lists[path.stem] = read_list(path)
    by_stem = {path.stem: path for path in paths}
    for name, entries in lists.items():
        _check_shown(by_stem[name], lists)
        _check_colors(by_stem[name], entries, lists["color"])
    _check_called(by_stem["age"], lists["age"], lists["gender"])
    unclear = read_unclear(by_stem[UNCLEAR], lists) if UNCLEAR in by_stem else {}
    near = read_near(by_stem[NEAR], lists) if NEAR in by_stem else {}
    return Vocabulary(lists, words, digest(*parts, " ".join(words)).hex(), unclear, near)


def _check_colors(path: Path, entries: VocabularyList, colors: VocabularyList) -> None:
    """Natural colors have to be labels of colors, and what takes a color does so by one key."""
    for entry in entries.entries:
        where = f"{shown(path)}:{entry.line}"
        for label in entry.extra.get("natural", ()):
            if label not in colors.by_label:
                fix = meant(label, sorted(colors.by_label), "write a label of color.yaml")
                raise UserError(where, f"'{entry.label}' is by nature '{label}', no color", fix)
        if "recolor" in entry.extra and "tint" in entry.extra:
            raise UserError(where, f"'{entry.label}' has recolor and tint", "keep one of them")


def _check_called(path: Path, ages: VocabularyList, genders: VocabularyList) -> None:
    """People of each age have a name by each gender, and by nothing else."""
    for entry in ages.entries:
        where, called = f"{shown(path)}:{entry.line}", entry.extra["called"]
        for gender in genders.by_label:
            if gender not in called:
                what = f"'{entry.label}' is called nothing where the gender is '{gender}'"
                raise UserError(where, what, f"write '{gender}: NOUN' under 'called'")
        for gender in called:
            if gender not in genders.by_label:
                fix = meant(gender, sorted(genders.by_label), "write a label of gender.yaml")
                raise UserError(where, f"'{entry.label}' called '{gender}', no gender", fix)


def _check_shown(path: Path, lists: Mapping[str, VocabularyList]) -> None:
    """What entries name of other entries has to be there: read once all lists are."""
    known = {label for entries in lists.values() for label in entries.by_label}
    behind = lists["background"].by_label.keys()
    over = lists["weather"].by_label.keys() if "weather" in lists else set[str]()
    named = (
        ("shows", known, "which no list holds"),
        ("suits", behind, "which is no background"),
        ("in_doubt", behind | over, "which is neither a background nor weather"),
    )
    for entry in lists[path.stem].entries:
        where = f"{shown(path)}:{entry.line}"
        for key, labels, wrong in named:
            for label in entry.extra.get(key, ()):
                if label not in labels:
                    fix = meant(label, sorted(labels), "write a label of some list")
                    raise UserError(where, f"'{entry.label}' {key} '{label}', {wrong}", fix)
        for noun in entry.extra.get("sometimes", ()):
            if noun in entry.extra.get("depicts", ()):
                what = f"'{entry.label}' depicts '{noun}' always and sometimes"
                raise UserError(where, what, "keep it under 'depicts' or under 'sometimes'")
