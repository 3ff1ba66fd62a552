"""``lvlmbench adaptive``: from a snapshot and a server to a verdict, and mistakes in one line."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lvlmbench.commands.main import main
from lvlmbench.stages.answer.answering import answer_rows
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.stages.answer.engine import MODELS
from lvlmbench.stages.answer.requests.cache import AnswerCache, default_path
from support.adaptive_snapshot import NEW, SCENARIO, build
from support.answer_tables import running_server, stats


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The snapshot, and a server that answers as the new model."""
    root = tmp_path_factory.mktemp("served")
    build(root)
    with running_server("--truth", str(root / "truth.json")) as url:
        build(root, url)
        yield root, url


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def adaptive(root: Path, *arguments: str) -> None:
    main(["adaptive", *arguments, "--snapshot", str(root)])


def asked(url: str) -> int:
    return sum(stats(url)["asked"].values())


def test_a_verdict_is_reached_with_few_questions(
    served: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    root, url = served
    before = asked(url)
    adaptive(root, NEW, "--against", "weak", "--most", "160")
    lines = capsys.readouterr().out.splitlines()
    found = re.fullmatch(
        r"verdict: new is better than weak by accuracy, after (\d+) questions: difference "
        r"\+(\d+\.\d) points \(\+(\d+\.\d) to \+\d+\.\d\)",
        lines[-1],
    )
    assert found is not None, lines
    n = int(found[1])
    assert n < 160 and asked(url) - before == n
    assert lines[-2].startswith(f"{n} of 160 questions; difference +")
    assert "; ability +" in lines[-2]
    # Again, and as a whole: nothing is asked twice.
    adaptive(root, NEW, "--against", "weak", "--most", "160")
    assert capsys.readouterr().out.splitlines() == lines
    assert asked(url) - before == n
    snapshot = Asked.open(root)
    chosen = next(m for m in snapshot.params.answer.models if m.name == NEW)
    model = MODELS.get(chosen.engine, "")(snapshot.params, chosen, {})
    items = list(snapshot.items(SCENARIO, pictures=True))
    with AnswerCache(default_path()) as kept:
        rows = answer_rows(model, items, kept, NEW, SCENARIO)
    assert len(rows) == 160 and asked(url) - before == 160
    assert max(stats(url)["asked"].values()) == 1


def test_ability_takes_the_most_telling_questions(
    served: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    root, _ = served
    adaptive(root, NEW, "--most", "150", "--batch", "10")
    last = capsys.readouterr().out.splitlines()[-1]
    found = re.match(r"new: ability \+(\d\.\d\d) \(\+(\d\.\d\d) to .* after (\d+) questions", last)
    assert found is not None, last
    assert float(found[2]) < float(found[1]) and int(found[3]) <= 150


def test_by_ability_no_scene_is_asked_about_twice(
    served: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    root, _ = served
    adaptive(root, NEW, "--against", "weak", "--by", "ability", "--most", "160")
    out = capsys.readouterr().out
    assert "verdict: new is better than weak by ability, after" in out.splitlines()[-1]
    adaptive(root, NEW, "--against", "able", "--by", "ability", "--most", "160")
    out = capsys.readouterr().out.splitlines()
    assert out[-2].startswith("80 of 160 questions") and "no more to ask" in out[-1]


def test_no_more_is_asked_than_a_fifth(
    served: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    root, url = served
    before = asked(url)
    adaptive(root, NEW, "--against", "able")
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("no verdict about new and able after 32 questions: difference ")
    assert last.endswith("; --most N asks on, and none again")
    assert asked(url) - before <= 32


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody"], "model 'nobody': is not under answer.models; use one of: chance, new, able"),
        (["chance"], "model 'chance': costs nothing to ask"),
        ([NEW, "--against", NEW], "--against new: is the model itself; name another one"),
        ([NEW, "--against", "none"], "--against none: has no scored answers here; use one of: "),
        ([NEW, "--against", "chance"], "--against chance: has no scored answers here"),
        ([NEW, "--most", "0"], "--most 0: is less than 1; give at least 1"),
        ([NEW, "--batch", "-1"], "--batch -1: is less than 1; give at least 1"),
    ],
)
def test_mistakes_are_one_line(
    served: tuple[Path, str], arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        adaptive(served[0], *arguments)
    captured = capsys.readouterr()
    assert caught.value.code == 2 and captured.out == ""
    assert captured.err.startswith(said) and captured.err.count("\n") == 1


def test_too_few_others_tell_no_difficulty_but_who_is_better(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "few"
    build(root, others=("weak",))
    with running_server("--truth", str(root / "truth.json")) as url:
        build(root, url, others=("weak",))
        for more in ([], ["--against", "weak", "--by", "ability"]):
            with pytest.raises(SystemExit):
                adaptive(root, NEW, *more)
            assert "others beside it whose answers say how hard" in capsys.readouterr().err
        adaptive(root, NEW, "--against", "weak", "--most", "160")
    out = capsys.readouterr().out
    assert "verdict: new is better than weak by accuracy" in out and "ability" not in out


def test_a_server_that_fails_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_server() as url:
        build(tmp_path, url, "status-401")
        with pytest.raises(SystemExit) as caught:
            adaptive(tmp_path, NEW, "--against", "weak")
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_kill_loses_no_answer(served: tuple[Path, str], tmp_path: Path) -> None:
    """kill -9 between two answers: the same command goes on, to the same verdict."""
    import os
    import subprocess
    import time

    root, _ = served
    mine = tmp_path / "mine"
    shutil.copytree(root, mine)
    command = [
        sys.executable, "-m", "lvlmbench.commands.main", "adaptive", NEW, "--against", "able",
        "--most", "160", "--snapshot", str(mine),
    ]  # fmt: skip
    with running_server() as url:
        build(mine, url, "slow", concurrency=2)
        folders = [tmp_path / "killed", tmp_path / "whole"]

        def start(folder: Path) -> subprocess.Popen[str]:
            env = {**os.environ, "LVLMBENCH_CACHE_DIR": str(folder)}
            return subprocess.Popen(
                command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )

        process = start(folders[0])
        deadline = time.monotonic() + 300
        while sum(stats(url)["answered"].values()) < 30:
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        process.kill()
        process.communicate()
        time.sleep(0.5)
        killed = asked(url)
        again, _ = start(folders[0]).communicate(timeout=300)
        taken = asked(url)
        whole, _ = start(folders[1]).communicate(timeout=300)
        n = asked(url) - taken
    assert again == whole and again.splitlines()[-1].startswith(("verdict:", "no verdict"))
    assert 30 <= killed < n and taken <= n + 2  # at most what was under way is asked twice
