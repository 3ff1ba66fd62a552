"""The claims of an answer depend on it alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import generator
from lvlmbench.stages.judge.kinds.lexical.reading import Words, model, read, read_many

WORDS = Words.of()
_SENTENCES = (
    "A brown dog sits beside a large sofa.",
    "There are two people: a man wearing a black hat and a woman in a red dress.",
    "No cat is visible, and what looks like a bird is on the roof.",
    "From largest to smallest: a house, a car, and a cup.",
    "The image shows object: bucket, number: three, background: library.",
    'A sign that says "STOP" stands to the left of a tree.',
    "",
)
TEXTS = [" ".join(_SENTENCES[i : i + n]) for n in (1, 2, 3, 4) for i in range(7)] * 2


def test_alone_in_a_batch_and_shuffled_are_the_same() -> None:
    together = list(read_many(TEXTS, WORDS))
    assert together == [read(text, WORDS) for text in TEXTS]
    order = generator(1, "test", "reading").permutation(len(TEXTS))
    shuffled = list(read_many([TEXTS[i] for i in order], WORDS))
    assert shuffled == [together[i] for i in order]


_PROGRAM = """
import sys
from lvlmbench.stages.judge.kinds.lexical.reading import Words, read_many
for claims in read_many(sys.stdin.read().splitlines(), Words.of()):
    print(claims)
"""


@pytest.mark.long
def test_another_process_with_other_hashes_and_threads_reads_the_same() -> None:
    """Sets are walked in an order that the process draws; kernels may be chosen by threads."""
    lines = "\n".join(_SENTENCES[:-1])
    told = set()
    for seed, threads in (("1", "1"), ("2", "2")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads}
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            input=lines, capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        told.add(done.stdout)
    assert len(told) == 1
    assert "dog" in told.pop()


def test_other_weights_are_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "SHA256", "0" * 64)
    with pytest.raises(UserError, match=r"en_core_web_sm.*has other weights"):
        model.parser.__wrapped__()


def test_a_changed_file_of_the_parser_changes_its_hash(tmp_path: Path) -> None:
    (tmp_path / "tagger").mkdir()
    (tmp_path / "tagger" / "model").write_bytes(b"a")
    first = model.model_digest(tmp_path)
    (tmp_path / "README.md").write_text("not loaded")
    assert model.model_digest(tmp_path) == first
    (tmp_path / "tagger" / "model").write_bytes(b"b")
    assert model.model_digest(tmp_path) != first
