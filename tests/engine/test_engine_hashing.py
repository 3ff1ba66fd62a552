"""Hashes of files and folders, locks, and processes that end with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lvlmbench.core.cache import locked
from lvlmbench.core.errors import UserError
from lvlmbench.engine import hashing
from lvlmbench.engine.hashing import Hashes, digest, files_below, source_digests
from lvlmbench.engine.process import RUN, take_lock


def aged(path: Path, text: str, seconds: float = 10) -> Path:
    """A file that was last written a while ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def test_digest_does_not_depend_on_the_order_of_keys() -> None:
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    assert digest({"a": 1}) != digest({"a": "1"})
    assert len(digest(None, size=8)) == 16


def test_tree_is_names_and_contents(tmp_path: Path) -> None:
    hashes = Hashes(tmp_path / "memory.json")
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        aged(folder / "a", "x", seconds=10 if folder == one else 99)
        aged(folder / "deep" / "b", "y")
    assert files_below(one) == ["a", "deep/b"]
    assert hashes.tree(one) == hashes.tree(two)
    (two / "deep" / "b").rename(two / "b")
    assert hashes.tree(one) != hashes.tree(two)
    assert hashes.tree(tmp_path / "nothing") is None
    (tmp_path / "empty").mkdir()
    assert hashes.tree(tmp_path / "empty") is None
    assert hashes.tree(one / "a") != hashes.tree(one)


def test_memory_saves_reading_and_never_lies(tmp_path: Path) -> None:
    memory, file = tmp_path / "memory.json", aged(tmp_path / "file", "abc")
    first = Hashes(memory)
    value = first.file(file)
    first.save()
    stat = file.stat()
    # With size, time and inode forged the memory answers, which shows that it is asked.
    with file.open("r+") as f:
        f.write("xyz")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert Hashes(memory).file(file) == value
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    assert Hashes(memory).file(file) != value


def test_hard_link_is_known_and_lost_files_are_forgotten(tmp_path: Path) -> None:
    memory, file = tmp_path / "memory.json", aged(tmp_path / "file", "abc")
    hashes = Hashes(memory)
    hashes.file(file)
    hashes.file(aged(tmp_path / "other", "def"))
    os.link(file, tmp_path / "link")
    file.unlink()
    (tmp_path / "other").unlink()
    hashes.file(tmp_path / "link")
    hashes.save()
    assert "link" in memory.read_text()
    assert "other" not in memory.read_text()


def test_file_written_just_now_is_not_remembered(tmp_path: Path) -> None:
    file = tmp_path / "file"
    hashes = Hashes(tmp_path / "memory.json")
    for text in ("abc", "abd", "abe"):
        file.write_text(text)
        again = Hashes(tmp_path / "none.json").file(file)
        assert hashes.file(file) == again


def test_broken_memory_is_no_memory(tmp_path: Path) -> None:
    (tmp_path / "memory.json").write_text("{")
    assert Hashes(tmp_path / "memory.json").file(aged(tmp_path / "file", "abc"))


def test_compiled_files_are_no_code(tmp_path: Path) -> None:
    aged(tmp_path / "code" / "a.py", "1")
    before = source_digests(tmp_path, ["code"])
    aged(tmp_path / "code" / "__pycache__" / "a.pyc", "1")
    assert source_digests(tmp_path, ["code"]) == before
    aged(tmp_path / "code" / "b.py", "")
    assert source_digests(tmp_path, ["code"]) != before
    with pytest.raises(UserError, match="no such file or folder"):
        source_digests(tmp_path, ["nothing"])


def test_lock_is_held_once_and_ends_with_its_process(tmp_path: Path) -> None:
    lock = tmp_path / "state" / "run.lock"
    holder = (
        "import sys, time; from pathlib import Path; "
        "from lvlmbench.engine.process import take_lock; "
        "take_lock(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", holder, str(lock)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(UserError, match="another run is at work in this folder"):
        take_lock(lock)
    process.send_signal(signal.SIGKILL)
    process.wait()
    with locked(lock), pytest.raises(UserError):
        take_lock(lock)
    os.close(take_lock(lock))


def test_job_of_a_run_that_has_ended_ends() -> None:
    """A job whose run was killed before the job could ask to be killed with it."""
    over = subprocess.Popen([sys.executable, "-c", ""])
    job = "from lvlmbench.engine.process import die_with_run; die_with_run(); print('on')"

    def ended(run: int | None) -> int:
        environment = {k: v for k, v in os.environ.items() if k != RUN}
        environment |= {} if run is None else {RUN: str(run)}
        command = [sys.executable, "-c", job]
        return subprocess.run(command, env=environment, cwd=Path(__file__).parents[2]).returncode

    deadline = time.monotonic() + 300
    stat = Path(f"/proc/{over.pid}/stat")
    while stat.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert ended(over.pid) == -signal.SIGKILL  # nobody has asked after it yet
    over.wait()
    assert ended(over.pid) == -signal.SIGKILL
    assert ended(os.getpid()) == ended(os.getppid()) == ended(None) == 0


def test_child_ends_with_its_parent() -> None:
    child = (
        "import os, time; from lvlmbench.engine.process import die_with_parent; die_with_parent();"
        "print(os.getpid(), flush=True); time.sleep(60)"
    )
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    process = subprocess.Popen(
        [sys.executable, "-c", parent],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    pid = int(process.stdout.readline())
    process.kill()
    process.wait()
    deadline = time.monotonic() + 300
    while Path(f"/proc/{pid}/stat").exists():
        if Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
            break  # dead, though nobody has asked after it yet
        assert time.monotonic() < deadline, "the child lives on"
        time.sleep(0.02)


def test_large_sources_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of images that a user gives are not read at every start."""
    sets = tmp_path / "sets"
    sets.mkdir()
    for n in range(3):
        (sets / f"{n}.png").write_bytes(bytes([n]) * 50_000)
    (sets / "README.md").write_text("small")
    past = time.time_ns() - 10**10
    for file in sets.iterdir():
        os.utime(file, ns=(past, past))
    hashes = Hashes(tmp_path / "memory.json")
    first = source_digests(tmp_path, ["sets"], hashes)
    assert first == source_digests(tmp_path, ["sets"])
    hashes.save()
    read: list[str] = []
    real = hashing._file_digest
    monkeypatch.setattr(hashing, "_file_digest", lambda p: read.append(Path(p).name) or real(p))
    again = Hashes(tmp_path / "memory.json")
    assert source_digests(tmp_path, ["sets"], again) == first
    assert read == ["README.md"]
    (sets / "1.png").write_bytes(b"x" * 50_000)
    assert source_digests(tmp_path, ["sets"], again) != first


def test_a_link_to_nowhere_is_no_source_until_it_leads_somewhere(tmp_path: Path) -> None:
    """Such as an editor leaves beside a file that is open, or in a user's own pictures."""
    aged(tmp_path / "code/a.py", "1")
    first = source_digests(tmp_path, ["code"])
    (tmp_path / "code/.#a.py").symlink_to("somebody@somewhere.1")
    (tmp_path / "code/itself").symlink_to("itself")
    assert source_digests(tmp_path, ["code"]) == first
    aged(tmp_path / "code/somebody@somewhere.1", "2")
    assert source_digests(tmp_path, ["code"]) != first
