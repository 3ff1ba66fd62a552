"""Our lists of words (data/lexicon): people, clothes, adjectives, places, denial, doubt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.kept import kept
from lvlmbench.core.yaml_file import read_yaml

FOLDER = PROJECT_ROOT / "data" / "lexicon"


@dataclass(frozen=True)
class Lexicon:
    """Words by what they say; each mapping goes from a word or a phrase to what it stands for.

    Attributes
    ----------
    says
        Nouns for people -> what they say, as (relation, value).
    kinds
        Adjectives -> the relation of their attribute; ``None`` where they say none.
    phrases, own
        Phrases, as tuples of words, -> canonical relations (data/lexicon/relations.yaml).
    places
        Words -> the place of the picture that they name.
    lists
        All other lists by ``file.key``: frozen sets, or mappings where the file has such.
    """

    says: Mapping[str, tuple[tuple[str, str], ...]] = field(hash=False)
    kinds: Mapping[str, str | None] = field(hash=False)
    phrases: Mapping[tuple[str, ...], str] = field(hash=False)
    own: Mapping[tuple[str, ...], str] = field(hash=False)
    places: Mapping[str, str] = field(hash=False)
    lists: Mapping[str, frozenset[str]] = field(hash=False)
    maps: Mapping[str, Mapping[str, str]] = field(hash=False)
    carriers: Mapping[str, str] = field(hash=False)

    def kind(self, word: str) -> str | None:
        """Return the relation of the attribute that an adjective says, None where it says none.

        A color may be written with others, "dark-blue", "red-and-white".
        """
        found = self.kinds.get(word)
        if found is None and "-" in word and word not in self.kinds:
            last = word.rpartition("-")[2].removesuffix("ed")
            if self.kinds.get(word.rpartition("-")[2]) == "color" or last == "color":
                return "color"
        return found

    def place(self, words: Sequence[str]) -> str | None:
        """Return the part of the picture that words name, if they name nothing else."""
        found: list[str] = []
        for word in " ".join(words).replace("-", " ").split():
            name = self.places.get(word)
            if name is not None:
                found.append(name)
            elif word not in self.lists["relations.around"]:
                return None
        return ordered(found)

    def phrase(self, words: Sequence[str]) -> str | None:
        """Return the relation that words say as a whole, a verb before them or not."""
        said = tuple(word for word in words if word not in ("is", "are", "the", "a"))
        return self.phrases.get(tuple(words)) or self.phrases.get(said)


@cache
@kept(FOLDER)
def lexicon() -> Lexicon:
    """Return the lists, read once a process."""
    files = {name: _read(name) for name in _FILES}
    relations, people = files["relations"], files["people"]
    lists: dict[str, frozenset[str]] = {}
    maps: dict[str, Mapping[str, str]] = {}
    for name, content in files.items():
        for key, value in content.items():
            if isinstance(value, list):
                lists[f"{name}.{key}"] = frozenset(map(str, value))
            elif all(isinstance(each, list) for each in value.values()):
                for part, words in value.items():
                    lists[f"{name}.{key}.{part}"] = frozenset(map(str, words))
                maps[f"{name}.{key}"] = _turned(value)
            else:
                maps[f"{name}.{key}"] = {str(k): str(v) for k, v in value.items()}
    return Lexicon(
        says=_says(people),
        kinds=_kinds(files["adjectives"], people),
        phrases=_phrases(relations["phrases"]),
        own=_phrases(relations["own"]),
        places=_turned(relations["places"]),
        lists=lists,
        maps=maps,
        carriers=_turned(files["lines"]["keys"]),
    )


#: Lists of adjectives; a word is of the first that holds it.
_KINDS = ("color", "material", "pattern", "shape", "size", "other", "state", "hair", "beard")
_FILES = (
    "adjectives", "certainty", "clothes", "judging", "lemmas", "lines", "nouns", "people",
    "relations",
)  # fmt: skip
#: Parts of the picture in the order in which they are named.
_SIDES = ("top", "bottom", "left", "right", "center", "foreground", "background")


def ordered(sides: Iterable[str]) -> str | None:
    """Return the name of a part of the picture from the sides that were said: ``top left``."""
    said = {*sides}
    if said > {"center"} and said != {"center"}:
        said -= {"center"}
    opposed = {"left", "right"} <= said or {"top", "bottom"} <= said
    return None if opposed or not said else " ".join(side for side in _SIDES if side in said)


def _read(name: str) -> dict[str, Any]:
    content = read_yaml(FOLDER / f"{name}.yaml")
    assert isinstance(content, dict)
    return content


def _turned(lists: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """Words to the name of the first list that holds them."""
    out: dict[str, str] = {}
    for name, words in lists.items():
        for word in words:
            out.setdefault(str(word), str(name))
    return out


def _phrases(lists: Mapping[str, Iterable[str]]) -> dict[tuple[str, ...], str]:
    return {tuple(phrase.split()): name for phrase, name in _turned(lists).items()}


def _says(people: Mapping[str, Any]) -> dict[str, tuple[tuple[str, str], ...]]:
    out: dict[str, tuple[tuple[str, str], ...]] = dict.fromkeys(people["neutral"], ())
    for values, words in people["says"].items():
        said = tuple(
            ("gender" if value in people["genders"] else "age", value) for value in values.split()
        )
        for word in words:
            out[word] = said
    return out


def _kinds(adjectives: Mapping[str, Any], people: Mapping[str, Any]) -> dict[str, str | None]:
    out: dict[str, str | None] = {}
    for name in _KINDS:
        for word in adjectives[name]:
            out.setdefault(word, name)
    for word in people["expressions"]:
        out.setdefault(word, "expression")
    for word in adjectives["ignored"]:
        out.setdefault(word, None)
    return out
