"""Bad parameters through Snakemake itself: one line of ours, and nothing begun."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

BAD = {
    "key twice": (
        "report:\n  items: 3\n  items: 4\n",
        "bad.yaml:3: is not valid YAML (the key",
    ),
    "escape": ('render: {"si\\e[31mze": 64}\n', "render.si\\x1b[31mze: is not a known key"),
    "endless": (f"render: {{size: {'9' * 400}}}\n", "render.size: "),
}


@pytest.mark.long
@pytest.mark.e2e
@pytest.mark.parametrize("case", BAD)
def test_a_bad_configfile_ends_in_one_line(tmp_path: Path, case: str) -> None:
    text, what = BAD[case]
    (tmp_path / "bad.yaml").write_text(text)
    (tmp_path / "run").mkdir()
    command = [sys.executable, "-m", "snakemake", "-n", "--snakefile", ROOT / "Snakefile"]
    ended = subprocess.run(
        [*command, "--directory", "run", "--configfile", "bad.yaml"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    said = [line for line in ended.stderr.splitlines() if not line.startswith("Using workflow")]
    assert ended.returncode == 2, ended.stderr
    assert len(said) == 1, ended.stderr
    assert what in said[0]
    assert said[0].isprintable()
    assert "Traceback" not in ended.stdout
    assert not list((tmp_path / "run").rglob("*.parquet"))
