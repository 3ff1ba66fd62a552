"""Bad input ends in one line: LVLMBENCH_FUZZ inputs (36), of the seed LVLMBENCH_FUZZ_SEED (1).

A failure is repeated by what its line says:
``python tests/fuzz/run.py --seed SEED --only KIND --case CASE``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
KINDS = ("params", "vocabulary", "answers", "shards", "own copies", "own tables")


@pytest.mark.long
def test_bad_input_ends_in_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    cases = int(os.environ.get("LVLMBENCH_FUZZ", "36"))
    seed = os.environ.get("LVLMBENCH_FUZZ_SEED", "1")
    out = tmp_path / "results.jsonl"
    command = [sys.executable, HERE / "run.py", "--cases", str(cases), "--seed", seed]
    ended = subprocess.run(
        [*command, "--out", out], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    print(ended.stdout)
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"
    results = [json.loads(line) for line in out.read_text().splitlines()]
    counts = Counter((each["kind"], each["result"]) for each in results)
    assert sum(counts[kind, "rejected"] for kind in KINDS) == cases, counts
    for kind in KINDS:  # a harness that rejects all, or takes all, tests nothing
        assert counts[kind, "rejected"] >= cases / len(KINDS) * 0.5, counts
    assert sum(counts[kind, "taken"] for kind in KINDS) >= cases * 0.03, counts
