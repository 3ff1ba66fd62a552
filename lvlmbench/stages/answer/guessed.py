"""What the engine ``text_only`` remembers of questions of other seeds, a file a kind of suite."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from math import fsum, log

from pydantic import Field

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.loading import validate_as
from lvlmbench.config.section import Section
from lvlmbench.core.yaml_file import read_yaml

#: The folder, as stages name what they read.
GUESSED = "data/guessed"
_WORD = re.compile(r"[a-z0-9]+")
_ARTICLES = frozenset(("a", "an", "the"))


class Memory(Section):
    """What it remembers of one kind of suite."""

    seeds: tuple[int, ...] = Field(min_length=1, description="Seeds of the exams that it has read.")
    words: dict[str, tuple[int, int]] = Field(
        description="Word -> options with it that were right, and that were wrong."
    )

    @cached_property
    def _share(self) -> float:
        right, wrong = map(sum, zip(*self.words.values(), strict=True))
        return right / max(wrong, 1)

    def score(self, option: str) -> float:
        """Return how much likelier than another an option is to be right, as a logarithm."""
        found = (self.words.get(word, (0, 0)) for word in words_of(option))
        return fsum(log((right + 1) / (wrong * self._share + 1)) for right, wrong in found)


def words_of(option: str) -> list[str]:
    """Return the words of an option without articles, each once, sorted."""
    return sorted({*_WORD.findall(option.casefold())} - _ARTICLES)


def learned(drafts: Iterable[tuple[Sequence[str], int]]) -> dict[str, tuple[int, int]]:
    """Return what is remembered of options, given with the place of the right one: word -> how
    often it was right, and wrong."""
    counts = Counter[str](), Counter[str]()
    for options, answer in drafts:
        for at, option in enumerate(options):
            counts[at != answer].update(words_of(option))
    right, wrong = counts
    return {word: (right[word], wrong[word]) for word in sorted(right.keys() | wrong.keys())}


def memory_of(kind: str) -> Memory | None:
    """Return what is remembered of a kind of suite, if anything is.

    Raises
    ------
    UserError
        The file is not what it must be.
    """
    path = PROJECT_ROOT / GUESSED / f"{kind}.yaml"
    return validate_as(Memory, read_yaml(path), str(path)) if path.is_file() else None
