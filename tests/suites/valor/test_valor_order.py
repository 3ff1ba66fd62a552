"""Statistics depend on what is counted, not on the order in which that stands."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from lvlmbench.suites.valor.association.counts import Counts, Fact, counted
from lvlmbench.suites.valor.association.selection import Selection

_SELECT = "from lvlmbench.commands.main import main; main()"


def facts() -> list[Fact]:
    """Forty pictures of some of twelve things, of which many stand there equally often."""
    rng = random.Random(3)
    return [Fact(str(n), f"thing {k}") for n in range(40) for k in rng.sample(range(12), 5)]


def test_a_sum_is_the_same_in_any_order_and_ties_go_by_name() -> None:
    # 0.1 + 0.2 + 0.3 is more than 0.3 + 0.2 + 0.1 where each sum is rounded.
    seen = {"b": {"x": 1, "y": 2, "z": 3}, "a": {"z": 3, "y": 2, "x": 1}}
    counts = Counts({"b": 10, "a": 10}, {"object": seen})
    for one in "ab":
        assert counts.statistics("object", one) == (6, 0.3, 0.2, 0.1, 0.1, 0.2)
    for statistic in ("avg", "max_avg", "avg_min", "max_min"):
        anchors = Selection(counts, support=1).anchors(statistic)
        assert [each.object for each in anchors] == ["a", "b"]


def test_shuffled_facts_are_counted_alike() -> None:
    first, shuffled = facts(), facts()
    random.Random(1).shuffle(shuffled)
    one, other = (Selection(counted(each), support=1) for each in (first, shuffled))
    for statistic in ("avg", "max_avg", "avg_min", "max_min"):
        assert one.anchors(statistic) == other.anchors(statistic)


def alike() -> list[str]:
    """Rows about ten things in ten pictures each, with eight things of their own in 1 to 8."""
    return [
        f"{one}{image},{one}\n{one}{image},{one} {n}"
        for one in "abcdefghij"
        for n in range(1, 9)
        for image in (range(n) if n <= 3 else range(10 - n, 10))
    ]


def test_the_seed_of_hashes_changes_no_byte(tmp_path: Path) -> None:
    (tmp_path / "facts.csv").write_text("image,object\n" + "\n".join(alike()) + "\n")
    made = set()
    for seed in "123":
        out = tmp_path / f"{seed}.csv"
        words = ["suite", "select", str(tmp_path / "facts.csv"), "--out", str(out)]
        subprocess.run(
            [sys.executable, "-c", _SELECT, *words, "--support", "10"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        made.add(out.read_bytes())
    assert len(made) == 1
