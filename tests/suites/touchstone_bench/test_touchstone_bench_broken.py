"""Hundreds of tables broken at random: told of in lines, never a traceback.

``python tests/fuzz/run.py --only "own tables"`` does more of it, in processes of their own.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.suites.suite import SUITES
from lvlmbench.suites.touchstone_bench.table import open_table
from support import own_questions

#: What is put between the bytes of a table.
PIECES = (b"\t", b"\n", b"\r", b'"', b'""', b'\t"', b'"\t', b"\x00", b"\xff", b"nan", b"", b"\xc3")


def _broken(rng: random.Random, raw: bytes) -> bytes:
    for _ in range(rng.choice([1, 1, 1, 2, 5, 20])):
        at = rng.randrange(len(raw))
        to = at + rng.choice([0, 0, 1, 3, 200, 5000])
        raw = raw[:at] + rng.choice([*PIECES, raw[to : to + 50]]) + raw[to:] or b"x"
    return raw if rng.random() < 0.9 else raw[: rng.randrange(len(raw))]


@pytest.mark.parametrize("part", range(4))
def test_what_is_broken_is_told_of(tmp_path: Path, part: int) -> None:
    rng = random.Random(part)
    sound, whole = own_questions.write(tmp_path / "sound.tsv").read_bytes(), 0
    kind = SUITES.get("touchstone_bench", "")()
    for number in range(100):
        path = tmp_path / f"{number}.tsv"
        path.write_bytes(_broken(rng, sound))
        table = open_table(path, {})
        lines = [*map(str, table.told.mistakes), *table.told.lines()]
        try:
            found = kind.look(path)
        except UserError as error:
            lines.append(str(error))
        else:
            lines += [] if found is None else [*found.lines, *map(str, found.mistakes)]
            whole += found is not None and not found.mistakes
        assert all(line.isprintable() and len(line) < 3000 for line in lines)
        for asked in (each for listed in table.asked.values() for each in listed):
            assert asked.question and asked.annotation and asked.reference
            assert table.row(asked)["index"].strip() == asked.index
    assert 0 < whole < 100
