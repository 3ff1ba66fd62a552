"""Colors: which names are of one color, which say more."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path

from lvlmbench.scene.claims import Verdict
from lvlmbench.scene.truth.lexicon import FOLDER, read

FILE = FOLDER / "colors.yaml"


class Colors:
    """Names of colors, as ``data/lexicon/colors.yaml`` has them."""

    def __init__(self, path: Path = FILE) -> None:
        words = read(path)
        self._spelled = {
            word: name for name, others in words["spellings"].items() for word in others
        }
        self._bases: dict[str, set[str]] = {name: {name} for name in words["shades"]}
        for name, shades in words["shades"].items():
            for shade in shades:
                self._bases.setdefault(self._plain(shade), set()).add(name)
        self._modifiers = frozenset(words["modifiers"]["any"])
        self._several = frozenset(words["several"]["any"])

    def _plain(self, word: str) -> str:
        return self._spelled.get(word, word)

    def __contains__(self, word: object) -> bool:
        """Whether a word is the name of a color."""
        return isinstance(word, str) and (bool(self.bases(word)) or word in self._several)

    def bases(self, word: str) -> set[str]:
        """Return the colors that a name may be of, none of what is no color."""
        found = self._bases.get(self._plain(word))
        if found is not None:
            return found
        first, _, rest = word.replace("-", " ").partition(" ")
        if not rest:
            return set()
        if first in self._modifiers:
            return self.bases(rest)
        return self.bases(first) | self.bases(rest)

    def compared(self, said: str, true: str) -> Verdict | None:
        """Return the verdict of a color that is said where another is so.

        None where one of them is no color in particular: then nobody can tell.
        """
        said, true = self._plain(said), self._plain(true)
        if said == true:
            return "matched"
        bases, others = self.bases(said), self.bases(true)
        if not bases or not others:
            return None
        if bases.isdisjoint(others):
            return "contradicted"
        return "broader" if said in self._roots else "narrower"

    @cached_property
    def _roots(self) -> set[str]:
        return {name for name, bases in self._bases.items() if name in bases}


@cache
def colors() -> Colors:
    """Return the packaged names, read once."""
    return Colors()
