"""The last words of a run that failed are ours: what, where, what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lvlmbench.engine.failures import SAID, first_to_say, reason

_RUN = """
from lvlmbench.engine.failures import first_to_say, say_at_exit
for line in {said}:
    assert first_to_say(line) and not first_to_say(line)
say_at_exit(stopped={stopped})
import sys
print("WorkflowError: words of Snakemake", file=sys.stderr)
"""


def last(tmp_path: Path, said: list[str], stopped: bool) -> list[str]:
    """What a process says after somebody else's last words."""
    code = _RUN.format(said=said, stopped=stopped)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    return done.stderr.partition("words of Snakemake\n")[2].splitlines()


def test_the_first_reason_is_said_again(tmp_path: Path) -> None:
    told = last(tmp_path, ["model 'm': no answer; start it", "later: another"], stopped=False)
    assert told[0] == ("not finished: model 'm': no answer; start it (and 1 other reason, above)")
    assert told[1] == "mend that, then the same command goes on where it was"


def test_jobs_that_raise_the_same_speak_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ends = "stage 'answer/dysca/mine/{}': a job ended with 1{}; see log/{}"
    raised = ": KeyError: 'x' at /mine/engine.py:7"
    assert first_to_say(ends.format("clean", raised, "a"))
    assert not first_to_say(ends.format("blind", raised, "b"))
    assert first_to_say(ends.format("blind", f"{raised}1", "b")), "another line"
    assert first_to_say(ends.format("clean", "", "a")) and first_to_say(
        ends.format("blind", "", "b")
    ), "nobody knows whether they are the same"
    assert reason().endswith("see log/a (and 3 other reasons, above)")


@pytest.mark.parametrize("stopped", [True, False])
def test_where_no_job_has_spoken(tmp_path: Path, stopped: bool) -> None:
    (line, *_) = last(tmp_path, [], stopped)
    assert line.startswith(
        "stopped: what was finished is kept" if stopped else "not finished: a job"
    )


def test_the_same_reason_of_several_jobs_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(SAID).mkdir(parents=True)
    for job in ("one", "two", "three"):
        Path(SAID, job).write_text("mine.py:3: says nothing; let it say something")
    assert reason() == "mine.py:3: says nothing; let it say something"


def test_a_publishing_that_fails_is_the_reason_of_the_run(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "build").mkdir()
    command = [sys.executable, str(root / "scripts/publish.py"), "build"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    monkeypatch.chdir(tmp_path)
    said = "build: was removed or damaged while it was in use; run again"
    assert (done.returncode, done.stderr.strip(), reason()) == (2, said, said)
