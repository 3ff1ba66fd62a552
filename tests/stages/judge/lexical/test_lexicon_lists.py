"""The lists of words that the reader knows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import yaml


@pytest.mark.parametrize("name", ["adjectives", "clothes", "nouns", "people"])
def test_no_list_has_a_word_twice(name: str, root: Path) -> None:
    content = yaml.safe_load((root / "data" / "lexicon" / f"{name}.yaml").read_text())
    lists = {key: words for key, words in content.items() if isinstance(words, list)}
    assert lists
    twice = {key: [w for w, n in Counter(words).items() if n > 1] for key, words in lists.items()}
    assert not any(twice.values()), twice


@pytest.mark.parametrize(
    "name", ["adjectives", "certainty", "clothes", "judging", "lemmas", "lines", "nouns", "people",
             "relations"]
)  # fmt: skip
def test_every_list_is_read(name: str, root: Path) -> None:
    code = "".join(path.read_text() for path in (root / "lvlmbench").rglob("*.py"))
    content = yaml.safe_load((root / "data" / "lexicon" / f"{name}.yaml").read_text())
    named = (f'"{name}.{key}' in code or f'"{key}"' in code for key in content)
    assert [key for key, found in zip(content, named, strict=True) if not found] == []
