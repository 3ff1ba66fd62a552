"""Similarities and sentence vectors are computed once, and kept as they were computed."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.score import vectors
from lvlmbench.stages.score.captions import Vectors, similarities
from lvlmbench.stages.score.encoder import PACKAGED


class Counting:
    """An encoder that counts what it is asked."""

    def __init__(self, shift: float = 0.0) -> None:
        self.shift, self.asked = shift, list[str]()

    def exact(self, texts: Sequence[str], batch_size: int) -> Vectors:
        self.asked += texts
        return np.array([[len(t) + self.shift, hash_of(t), 1 / 3] for t in texts])

    reference = fast = exact


class Silent:
    """An encoder that is not to be asked."""

    def exact(self, texts: Sequence[str], batch_size: int) -> Vectors:
        raise AssertionError(f"{texts} were encoded")

    reference = fast = exact


def hash_of(text: str) -> float:
    return sum(ord(c) * 31.7**i for i, c in enumerate(text)) % 1.0


PAIRS = [("a red fox", "a fox"), ("an owl", "a fox"), ("a red fox", "\N{FOX FACE} 'quoted'; --")]


def test_a_pair_is_compared_once_for_all_runs(tmp_path: Path) -> None:
    path = tmp_path / "new" / "vectors.sqlite"
    expected = similarities(PAIRS, Counting(), 8)
    assert vectors.kept(Counting(), "e 1", path, 8)(PAIRS) == expected
    assert vectors.kept(Silent(), "e 1", path, 8)([*PAIRS[::-1], PAIRS[0]]) == [
        *expected[::-1],
        expected[0],
    ]


def test_a_reference_is_encoded_once_for_all_runs(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    vectors.kept(Counting(), "e 1", path, 8)(PAIRS)
    second = Counting()
    (new,) = vectors.kept(second, "e 1", path, 8)([("an owl", "something new")])
    assert [new] == similarities([("an owl", "something new")], Counting(), 8)
    assert set(second.asked) == {"something new"}


def test_kept_vectors_have_every_bit(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    texts = ["x", "yy", "zzz"]
    computed = Counting().exact(texts, 1)
    for encoder in (Counting(), Silent()):
        found = vectors.KeptReferences(encoder, "e 1", path).reference(texts, 1)
        assert found.tobytes() == computed.tobytes()


def test_another_encoder_has_vectors_and_similarities_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    one = vectors.KeptReferences(Counting(), "e 1", path).reference(["x"], 1)
    other = vectors.KeptReferences(Counting(shift=5), "e 2", path).reference(["x"], 1)
    assert one[0][0] == 1 and other[0][0] == 6
    first = vectors.kept(Counting(), "e 1", path, 8)([("x", "a long text")])
    assert first != vectors.kept(Counting(shift=500), "e 2", path, 8)([("x", "a long text")])


def test_only_an_encoder_that_is_pinned_is_kept(tmp_path: Path) -> None:
    assert vectors.identity("some/hub-id") is None and vectors.identity(str(tmp_path)) is None
    named = vectors.identity(PACKAGED)
    assert named is not None and named.startswith(PACKAGED) and named[-1].isdigit()


def _compare_many(path: Path, name: str) -> None:
    encoder = Counting()
    compare = vectors.kept(encoder, "e 1", path, 8)
    for n in range(20):
        compare([(f"shared {n}", f"{name}{n}"), (f"only {name}{n}", "y")])
    path.with_name(name).write_text("\n".join(encoder.asked), encoding="utf-8")


def test_several_processes_keep_theirs_and_wait_for_each_others(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_compare_many, args=(path, n)) for n in ("x", "z")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(300)
        assert worker.exitcode == 0
    asked = [line for n in "xz" for line in path.with_name(n).read_text("utf-8").split("\n")]
    assert sorted(line for line in asked if line.startswith("shared")) == sorted(
        f"shared {n}" for n in range(20)
    )
    pairs = [(f"shared {n}", f"{name}{n}") for name in ("x", "z") for n in range(20)]
    assert len(vectors.kept(Silent(), "e 1", path, 8)(pairs)) == 40


def test_a_damaged_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"this is no database, however long it is" * 100)
    with pytest.raises(UserError, match=r"cache of sentence vectors .* delete it"):
        vectors.kept(Counting(), "e 1", path, 8)(PAIRS)


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    compare = vectors.kept(Silent(), "e", tmp_path / "file/vectors.sqlite", 8)
    with pytest.raises(UserError, match=r"cannot be used \(.*file: File exists\)"):
        compare(PAIRS)
    with pytest.raises(UserError, match="the answer cache cannot be used"):
        AnswerCache(tmp_path / "file/answers.sqlite")
