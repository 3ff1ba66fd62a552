"""The scripts that go with exports tell of a user's mistake in one line, and write nothing then."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lvlmbench.exports.carried import put

DATASET = "lvlmbench_01234567_clean_mcq"


def ran(tool: str, folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    """What the script of a tool makes of files in ``folder``."""
    put(f"{tool}_to_answers", folder / "to_answers.py")
    command = [sys.executable, "to_answers.py", *names]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("tool", "name", "text", "told"),
    [
        ("vlmevalkit", f"m_{DATASET}.tsv", None, "No such file"),
        ("vlmevalkit", f"m_{DATASET}.tsv", "index\tprediction\n1\tA\n7\tB\n", "no index '7'"),
        ("vlmevalkit", f"m_{DATASET}.tsv", "index\n1\n", "no columns"),
        ("vlmevalkit", f"m_{DATASET}.json", '{"index": [1]}', "no list of rows"),
        ("vlmevalkit", "other.tsv", "index\tprediction\n1\tA\n", "no file is called"),
        ("lmms", "samples_x.jsonl", None, "No such file"),
        ("lmms", "samples_x.jsonl", '{"scored": {"item_id": "a"}, "resps": "A"}\n{', "be read"),
        ("lmms", "samples_x.jsonl", '{"resps": "A"}\n', "no samples of lvlmbench"),
        ("inspect", "log.json", None, "No such file"),
        ("inspect", "log.json", "{", "cannot be read"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, tool: str, name: str, text: str | None, told: str
) -> None:
    (tmp_path / "items.csv").write_text(f"dataset,index,item_id\n{DATASET},1,a\n")
    if text is not None:
        (tmp_path / name).write_text(text)
    done = ran(tool, tmp_path, name)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert told in done.stderr.splitlines()[-1]


def test_the_last_prediction_counts_and_a_zero_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text(
        f"dataset,index,item_id\n{DATASET},1,a\n{DATASET},2,b\n{DATASET},3,c\n"
    )
    first, second = f"m_{DATASET}.json", f"n_{DATASET}.json"
    rows = [{"index": 1, "prediction": "A"}, {"index": 2, "prediction": 0}]
    (tmp_path / first).write_text(json.dumps([*rows, {"index": 3, "prediction": float("nan")}]))
    (tmp_path / second).write_text(json.dumps([{"index": 1, "prediction": "B"}]))
    done = ran("vlmevalkit", tmp_path, first, second)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["item_id"], row["answer"]) for row in found] == [("a", "B"), ("b", "0"), ("c", "")]
