"""Files that processes share: which disks one machine has for itself, and SQLite on the others."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from lvlmbench.core import cache

_MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /home rw,relatime shared:2 - nfs4 server:/home rw,vers=4.2
31 30 8:2 / /home/me/scratch rw - xfs /dev/nvme0n1 rw
32 22 0:41 / /project\\040data rw - lustre mds@tcp:/fs rw,flock
33 22 0:42 / /mnt rw - autofs systemd-1 rw
35 22 0:44 / /Größe\u00a0\\040neu rw - cifs //server/x rw
34 33 0:43 / /mnt rw - ext4 /dev/sdb1 rw
"""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/tmp/clone", True),
        ("/homework", True),
        ("/home/me/clone/.lvlmbench/cache", False),
        ("/home/me/scratch/clone", True),
        ("/project data/clone", False),
        ("/mnt/clone", True),
        ("/Größe\u00a0 neu/clone", False),
    ],
)
def test_a_disk_of_one_machine_is_told_from_a_shared_one(
    tmp_path: Path, path: str, expected: bool
) -> None:
    mounts = tmp_path / "mountinfo"
    mounts.write_text(_MOUNTS)
    assert cache.of_one_machine(Path(path), mounts) is expected


def test_where_no_mounts_are_to_be_seen_the_disk_is_taken_for_ones_own(tmp_path: Path) -> None:
    assert cache.of_one_machine(tmp_path, tmp_path / "none")


@pytest.mark.parametrize(("own", "mode"), [(True, "wal"), (False, "delete")])
def test_no_write_ahead_log_where_machines_share_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: bool, mode: str
) -> None:
    create = "CREATE TABLE IF NOT EXISTS t (a)"
    path = tmp_path / "cache" / "a.sqlite"
    cache.open_shared(path, create).close()  # as an older version left it
    monkeypatch.setattr(cache, "of_one_machine", lambda _: own)
    db = cache.open_shared(path, create)
    assert db.execute("PRAGMA journal_mode").fetchone() == (mode,)
    db.execute("INSERT INTO t VALUES (1)")
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT count(*) FROM t").fetchone() == (1,)
    other.close()
    db.close()
