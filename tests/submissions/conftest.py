"""A snapshot to which a model was submitted, for tests that submit others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lvlmbench.stages.answer.asked import Asked
from support.submissions_snapshot import answers, asked, build_clean, copy, home, perfect, score


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Sentence vectors that the tests of a module share."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("LVLMBENCH_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture(scope="module")
def board(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot, clean alone, to which "good" was submitted with right answers."""
    root = tmp_path_factory.mktemp("board")
    finished = Asked.open(build_clean(root / "snapshot"))
    score(finished, answers(root / "good.jsonl", asked(finished), perfect), "good")
    return home(finished)


@pytest.fixture
def finished(board: Path, tmp_path: Path) -> Asked:
    return copy(board, tmp_path / "snapshot")
