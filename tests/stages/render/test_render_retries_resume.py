"""A shard that is killed goes on where it was: the same bytes, and nothing drawn twice."""

from __future__ import annotations

import errno
import multiprocessing
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import as_user_error
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.render.retries.finish import finished
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.shard import Shard, write_shard
from support.retries_sampler import Noise, outputs, params, scenes, words, write

COUNT = 24
ABOUT: dict[str, Any] = {
    "attempts": 3,
    "filters": ["integrity"],
    "renderer": "noise",
    "fallback": "pictograph",
}

#: A process of its own for each run, without the time that the imports take.
FORK = multiprocessing.get_context("fork")


def start(folder: Path, seconds: float, **noise: Any) -> multiprocessing.process.BaseProcess:
    about = (folder, ABOUT, COUNT, {"seconds": seconds, **noise})
    process = FORK.Process(target=write, args=about)
    process.start()
    return process


def done(folder: Path) -> set[str]:
    """Attempts that are there whole, as the log of what was drawn calls them."""
    return {path.stem for path in folder.glob("kept/*.json") if path.name != "identity.json"}


def drawn(folder: Path) -> list[str]:
    log = folder / "drawn.log"
    return log.read_text().splitlines() if log.exists() else []


def same(one: Path, other: Path) -> bool:
    pairs = zip(vars(outputs(one)).values(), vars(outputs(other)).values(), strict=True)
    return all(a.read_bytes() == b.read_bytes() for a, b in pairs)


@pytest.mark.parametrize("batch", [1, 5])
def test_kills_change_no_byte_and_have_nothing_drawn_twice(tmp_path: Path, batch: int) -> None:
    moments = random.Random(20261122 + batch)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    write(whole, ABOUT, COUNT, {"batch": batch})
    total = len(drawn(whole))
    assert total > COUNT and len(set(drawn(whole))) == total
    kills = 0
    for _ in range(4):
        process = start(killed, 0.01, batch=batch)
        goal = len(done(killed)) + moments.randint(1, 8)
        while process.is_alive() and len(done(killed)) < goal:
            time.sleep(0.001)
        kills += process.is_alive()
        process.kill()
        process.join()
        if outputs(killed).images.exists():
            break
        assert not [*killed.glob("*.parquet")]
    assert kills >= 2
    process = start(killed, 0.0, batch=batch)
    process.join(300)
    assert process.exitcode == 0
    assert same(whole, killed)
    assert not (killed / "kept").exists()
    again = [line for line, n in Counter(drawn(killed)).items() if n > 1]
    # What was being drawn or stored at a kill is drawn again; a batch goes on whole.
    assert len(drawn(killed)) - total <= kills * (batch + 3), again


def _shard(folder: Path, renderer: Noise | None = None, **about: Any) -> Shard:
    settings = params(**ABOUT | about)
    made = renderer or Noise(log=folder / "drawn.log")
    return Shard(
        settings, words(), scenes(8), made, folder / "kept", Progress(), retry_filters(settings)
    )


def _rows(folder: Path, renderer: Noise | None = None, **about: Any) -> list[Any]:
    """Rows of eight scenes; their attempts stay in ``kept``."""
    (folder / "drawn.log").unlink(missing_ok=True)
    return list(_shard(folder, renderer, **about).rows())


def test_attempts_that_are_there_are_not_drawn_again(tmp_path: Path) -> None:
    first = _rows(tmp_path)
    assert len(drawn(tmp_path)) > 8
    assert _rows(tmp_path) == first
    assert drawn(tmp_path) == []


@pytest.mark.parametrize(
    ("suffix", "spoil"),
    [
        ("png", lambda data: data[:-1]),
        ("png", lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:]),
        ("json", lambda data: data[: len(data) // 2]),
        ("json", lambda data: b""),
        ("json", lambda data: b"[1]"),
        ("json", lambda data: data.replace(b'"noise-1"', b'"noise-2"')),
        ("json", lambda data: re.sub(rb'"number": \d', b'"number": 7', data)),
        ("json", lambda data: data.replace(b'"prompt_tokens": 80', b'"prompt_tokens": 90')),
        ("json", None),
        ("png", None),
    ],
)
def test_a_damaged_attempt_is_drawn_again(tmp_path: Path, suffix: str, spoil: Any) -> None:
    first = _rows(tmp_path)
    victim = sorted(p for p in tmp_path.glob(f"kept/*-0.{suffix}"))[3]
    if spoil is None:
        victim.unlink()
    else:
        data = victim.read_bytes()
        assert spoil(data) != data
        victim.write_bytes(spoil(data))
    assert _rows(tmp_path) == first
    assert len(drawn(tmp_path)) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"attempts": 2},
        {"filters": ["integrity", {"name": "twice", "kind": "integrity"}]},
        {"fallback": None},
        {"diffusion": {"steps": 4}},
        {"renderer": Noise(version="noise-2")},
    ],
)
def test_attempts_of_another_identity_are_thrown_away(tmp_path: Path, other: Any) -> None:
    _rows(tmp_path)
    mine = tmp_path / "kept/notes.txt"
    mine.write_text("not ours to remove")
    renderer = other.pop("renderer", None)
    made = renderer or Noise()
    _rows(tmp_path, made, **other)
    assert sum(len(batches) for batches in made.asked) == len(done(tmp_path))
    _shard(tmp_path, made, **other).forget()
    assert [*tmp_path.glob("kept/*")] == [mine]


def test_the_attempts_are_removed_once_the_tables_are_there(tmp_path: Path) -> None:
    write_shard(_shard(tmp_path), outputs(tmp_path), "test")
    assert not (tmp_path / "kept").exists()
    assert tables.read([outputs(tmp_path).images], tables.IMAGES).num_rows == 8


def test_an_image_that_is_changed_meanwhile_is_one_line(tmp_path: Path) -> None:
    rows = _shard(tmp_path).rows()
    next(rows)
    for file in tmp_path.glob("kept/*.png"):
        file.write_bytes(b"")
    with pytest.raises(UserError, match=r"kept/.*png: was removed or changed .*; run again"):
        list(rows)


def test_the_folder_may_not_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("")
    with pytest.raises(UserError, match=r"--checkpoints: .*kept: is not a folder"):
        list(_shard(tmp_path).rows())


def test_a_full_disk_leaves_no_table_and_loses_no_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = [5]
    write_bytes = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.suffix == ".png":
            room[0] -= 1
            if room[0] < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
        return write_bytes(path, data)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space left") as caught:
            write_shard(_shard(tmp_path), outputs(tmp_path), "test")
    line = str(as_user_error(caught.value))
    assert re.match(rf"{tmp_path}/kept/.*png: no space left on device; free some disk", line)
    assert len(done(tmp_path)) == 5 and not [*tmp_path.glob("*.parquet"), *tmp_path.glob(".*")]
    before = len(drawn(tmp_path))
    write_shard(_shard(tmp_path), outputs(tmp_path), "test")
    whole = tmp_path / "whole"
    whole.mkdir()
    write_shard(_shard(whole), outputs(whole), "test")
    assert same(tmp_path, whole)
    assert len(drawn(tmp_path)) - before == len(drawn(whole)) - 5


def test_work_on_images_ends_with_the_drawing_and_the_drawing_with_the_work() -> None:
    ended: list[str] = []

    def source(count: int) -> Iterator[int]:
        try:
            yield from range(count)
        finally:
            ended.append("source")

    assert sorted(finished(source(100), lambda n: n * n)) == [n * n for n in range(100)]

    def fails(n: int) -> int:
        if n == 3:
            raise ValueError("three")
        return n

    with pytest.raises(ValueError, match="three"):
        list(finished(source(10**9), fails))
    assert ended == ["source"] * 2


def test_few_images_wait_for_their_work() -> None:
    made: list[int] = []
    done: list[int] = []

    def source() -> Iterator[int]:
        for n in range(60):
            made.append(n)
            assert len(made) - len(done) <= 8
            yield n

    def work(n: int) -> int:
        time.sleep(0.001)
        done.append(n)
        return n

    assert len(list(finished(source(), work, threads=2, waiting=6))) == 60
