"""A judge behind a server that breaks its replies: none invalid is accepted, none is paid twice.

By default a few hundred replies; ``LVLMBENCH_LONG`` makes it ten thousand and more.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from support.answer_tables import running_server, stats
from support.broken_replies import GOOD, WAYS
from support.judged_answers import (
    COST,
    SCHEMA_SERVER,
    judge_all,
    judge_at,
    of_rows,
    paid,
    truths,
)

REQUESTS = 10_000 if os.environ.get("LVLMBENCH_LONG") else 420
FAULTS = {"rejected": 0.04, "failing": 0.02, "hanging": 0.01, "broken": 0.02, "truncated": 0.02}
ARGUMENTS = [part for name, share in FAULTS.items() for part in (f"--{name}", str(share))]


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))


@pytest.mark.long
def test_broken_replies(tmp_path: Path) -> None:
    cache, expected = tmp_path / "answers.sqlite", truths(REQUESTS)
    with running_server("--ways", "all", *ARGUMENTS, script=SCHEMA_SERVER) as url:
        runs, asked, failures, timeouts = [], 0, -1, 0
        while failures:
            judge = judge_at(url, cache, concurrency=32, timeout_s=2)
            found = judge_all(judge, REQUESTS)
            rows, before = judge.requests, asked
            statuses = Counter(row["status"] for row in rows)
            asked = sum(stats(url)["asked"].values())
            runs.append((asked - before, dict(Counter(f.status for f in found.values()))))
            # What has failed is asked again, and nothing else.
            assert asked - before >= max(failures, 0)
            failures = statuses["error"] + statuses["timeout"]
            timeouts += statuses["timeout"]
            assert len(runs) < 12
        seen = stats(url)
        judge = judge_at(url, cache, concurrency=32, timeout_s=2)
        assert judge_all(judge, REQUESTS) == found
        assert sum(stats(url)["asked"].values()) == asked  # a run after that asks nothing
    print(f"  runs (requests, outcomes): {runs}; replies: {seen['ways']}; faults: {seen['faults']}")
    assert all(seen["faults"][name] for name in FAULTS)
    assert set(seen["ways"]) == {*WAYS, "refused"}
    assert found.keys() == expected.keys()
    for key, each in found.items():
        if each.status == "judged":
            assert each == expected[key]
        else:
            assert each.why and each == type(each)(each.status, why=each.why), key
    outcomes = Counter(each.status for each in found.values())
    assert set(outcomes) == {"judged", "malformed", "refused"}
    assert outcomes.total() == REQUESTS // 4 * 4
    # Rows: one a call, each good reply accepted, each other one not.
    assert tables.REQUESTS.of(rows).num_rows == sum(seen["ways"].values())
    assert statuses["answered"] == sum(seen["ways"][way] for way in GOOD) == outcomes["judged"]
    assert statuses["refused"] == seen["ways"]["refused"] == outcomes["refused"]
    assert statuses["malformed"] >= 3 * outcomes["malformed"] > 0
    assert {row["structured"] for row in rows} == {"json_schema"}
    # Money.
    # Where the machine is busy, some are given up that the server did not mean to leave hanging:
    # their replies come too late, and they are asked once more. No other is answered twice.
    late = timeouts - seen["faults"]["hanging"]
    assert late >= 0
    assert sum(times - 1 for times in seen["answered"].values() if times) <= late
    assert of_rows(judge) == pytest.approx(paid(url, cache)) == pytest.approx(COST * len(rows))


@pytest.mark.parametrize(
    ("takes", "refuses", "held"),
    [("json_object", "named", "json_object"), ("", "unnamed", "text"), ("", "named-422", "text")],
)
def test_a_server_without_schemas_judges_too(
    takes: str, refuses: str, held: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--takes", takes, "--refuses", refuses, "--ways", ",".join(GOOD))
    with running_server(*arguments, script=SCHEMA_SERVER) as url:
        judge = judge_at(url, tmp_path / "answers.sqlite")
        assert judge_all(judge, 60) == truths(60)
    told = [line for line in capsys.readouterr().err.splitlines() if "takes no replies" in line]
    assert len(told) == 1 and told[0].startswith("gpt: ")
    assert {row["structured"] for row in judge.requests} == {held}


def test_a_plan_is_told_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running_server(script=SCHEMA_SERVER) as url:
        judge_all(judge_at(url, tmp_path / "answers.sqlite"), 60)
        lines = capsys.readouterr().err.splitlines()
        judge_all(judge_at(url, tmp_path / "answers.sqlite"), 90)
        more = capsys.readouterr().err.splitlines()
    assert [line.rpartition(" $")[0] for line in lines if " calls" in line] == [
        f"judge gpt: {purpose}: 15 requests; 15 to 45 calls, at most about"
        for purpose in ("claims", "matches", "pair", "invented")
    ]
    assert " calls" in lines[0]
    assert more[0].startswith("judge gpt: claims: 22 requests, 15 known; 7 to 21 calls")


def test_a_budget_of_nothing_is_one_line_and_asks_nothing(tmp_path: Path) -> None:
    with running_server(script=SCHEMA_SERVER) as url:
        judge = judge_at(url, tmp_path / "answers.sqlite", budget_usd=0)
        with pytest.raises(UserError, match=r"\$0.00 of its budget of \$0.00 are spent") as caught:
            judge_all(judge, 30)
        assert not stats(url)["asked"]
    assert "\n" not in str(caught.value)
    assert "judge gpt" in str(caught.value)
