"""Sentence vectors are computed once, and what is kept is what was computed."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import numpy as np
import pytest

from lvlmbench.errors import UserError
from lvlmbench.models.cache import AnswerCache
from lvlmbench.scoring import vectors
from lvlmbench.scoring.captions import PACKAGED, Encode, Vectors, similarities


class Counting:
    """An encoder that counts how often it is loaded and what it is asked."""

    def __init__(self, shift: float = 0.0) -> None:
        self.shift, self.loads, self.asked = shift, 0, list[str]()

    def load(self) -> Encode:
        self.loads += 1
        return self.encode

    def encode(self, texts: list[str], batch_size: int) -> Vectors:
        self.asked += texts
        return np.array([[len(t) + self.shift, hash_of(t), 1 / 3] for t in texts])


def hash_of(text: str) -> float:
    return sum(ord(c) * 31.7**i for i, c in enumerate(text)) % 1.0


PAIRS = [("a red fox", "a fox"), ("an owl", "a fox"), ("a red fox", "\N{FOX FACE} 'quoted'; --")]


def test_a_text_is_encoded_once_for_all_runs(tmp_path: Path) -> None:
    path = tmp_path / "new" / "vectors.sqlite"
    plain = Counting()
    expected = similarities(PAIRS, plain.load(), 8)
    first, second = Counting(), Counting()
    assert similarities(PAIRS, vectors.kept(first.load, "e 1", path), 8) == expected
    assert sorted(first.asked) == sorted({t for pair in PAIRS for t in pair})
    assert similarities(PAIRS, vectors.kept(second.load, "e 1", path), 8) == expected
    assert second.loads == 0
    more = [*PAIRS, ("an owl", "something new")]
    assert similarities(more, vectors.kept(second.load, "e 1", path), 8)[:3] == expected
    assert second.asked == ["something new"]


def test_kept_vectors_have_every_bit(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    texts = ["x", "yy", "zzz"]
    computed = Counting().encode(texts, 1)
    for _ in range(2):
        found = vectors.kept(Counting().load, "e 1", path)(texts, 1)
        assert found.tobytes() == computed.tobytes()


def test_another_encoder_has_vectors_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    one = vectors.kept(Counting().load, "e 1", path)(["x"], 1)
    other = vectors.kept(Counting(shift=5).load, "e 2", path)(["x"], 1)
    assert one[0][0] == 1 and other[0][0] == 6


def test_only_an_encoder_that_is_pinned_is_kept(tmp_path: Path) -> None:
    assert vectors.identity("some/hub-id") is None and vectors.identity(str(tmp_path)) is None
    named = vectors.identity(PACKAGED)
    assert named is not None and named.startswith(PACKAGED) and named[-1].isdigit()


def _encode_many(path: Path, name: str) -> None:
    for n in range(20):
        vectors.kept(Counting().load, "e 1", path)([f"{name}{n}", f"shared {n}"], 1)


def test_several_processes_keep_theirs(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_encode_many, args=(path, n)) for n in ("x", "y")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    again = Counting()
    texts = [f"{name}{n}" for name in ("x", "y", "shared ") for n in range(20)]
    vectors.kept(again.load, "e 1", path)(texts, 1)
    assert again.loads == 0


def test_a_damaged_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"this is no database, however long it is" * 100)
    with pytest.raises(UserError, match=r"cache of sentence vectors .* delete it"):
        vectors.kept(Counting().load, "e 1", path)(["x"], 1)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    encode = vectors.kept(lambda: pytest.fail("loaded"), "e", tmp_path / "file/vectors.sqlite")
    with pytest.raises(UserError, match=r"cannot be used \(.*file: File exists\)"):
        encode(["a"], 8)
    with pytest.raises(UserError, match="the answer cache cannot be used"):
        AnswerCache(tmp_path / "file/answers.sqlite")
