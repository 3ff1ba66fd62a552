"""A planner whose server breaks its replies: every item ends in one status, none is paid twice.

By default some pictures; ``LVLMBENCH_LONG`` makes it some hundreds.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.suites.suite import suite_of
from support.answer_tables import running_server, stats
from support.examined import COST, EXAMINER_SERVER, Row, at, of_rows, spent
from support.examiner_replies import WAYS
from support.planned_exam import calls, plan, planned, planned_params
from support.planner_replies import GOOD
from support.render_scenes import vocabulary

ROUNDS = 20 if os.environ.get("LVLMBENCH_LONG") else 2
#: Of first attempts at a request; three in ten fail in all.
FAULTS = {"rejected": 0.12, "failing": 0.06, "hanging": 0.02, "broken": 0.05, "truncated": 0.05}
ARGUMENTS = [part for name, share in FAULTS.items() for part in (f"--{name}", str(share))]


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))


def rows(table: object) -> list[Row]:
    """Rows of a table."""
    return table.to_pylist()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize(
    ("ways", "own"),
    [("all", {}), ("valid,fenced,two_right", {"words": "reading traffic", "fine": 3})],
    ids=["pictures", "aspects"],
)
def test_broken_replies_and_a_server_that_fails(
    tmp_path: Path, ways: str, own: dict[str, object]
) -> None:
    with running_server("--ways", ways, *ARGUMENTS, script=EXAMINER_SERVER) as url:
        params = planned_params(at(url, timeout_s=2, concurrency=8), ROUNDS, **own)
        failures, runs = -1, 0
        while failures and runs < 8:
            outs = plan(params, tmp_path)
            found, asked = planned(outs), calls(outs)
            failures, runs = sum(c["status"] in ("error", "timeout") for c in asked), runs + 1
        sent = sum(stats(url)["asked"].values())
        again = plan(params, tmp_path)
        assert sum(stats(url)["asked"].values()) == sent  # a run after that asks nothing
        assert (planned(again), calls(again)) == (found, asked)
        seen, ledger = stats(url), spent(params, tmp_path)
    aspects, pictures = rows(found.aspects), rows(found.descriptions)
    statuses = Counter(row["status"] for row in pictures)
    print(f"  {statuses}; aspects: {Counter(row['status'] for row in aspects)}; {seen['faults']}")
    # Every item has one status: how many there are does not hang on replies.
    suite, n = suite_of(params), params.corpus.n_scenes
    scenes, described = suite.planned_by(params, vocabulary(), 0, n, found)
    mine = {r["scene_id"]: r for r in rows(described) if r["examiner"] == "gpt"}
    assert len(scenes) == len(described) == n
    assert {row["scene_id"] for row in pictures} == {*mine} and len(mine) == len(pictures)
    assert all(mine[row["scene_id"]]["status"] == row["status"] for row in pictures)
    assert {*statuses} <= {"made", "refused", "malformed", "no_aspect"}
    assert not own or len(aspects) == 12
    assert all((row["why"] is None) is (row["status"] == "made") for row in (*aspects, *pictures))
    assert statuses["made"] and (own or statuses["malformed"])
    # Calls: four a request at most, each good reply taken, no other.
    by_request = Counter(call["request_id"] for call in asked)
    assert max(by_request.values()) <= 4 and len(asked) <= 4 * len(by_request)
    good = Counter(call["purpose"] for call in asked if call["status"] == "answered")
    assert good["describe"] == statuses["made"]
    # Money: what rows tell of is in the ledger, each request once.
    assert set(seen["answered"].values()) <= {0, 1}
    assert of_rows(asked) == pytest.approx(ledger) == pytest.approx(
        COST * len({call["request_sha256"] for call in asked})
    )  # fmt: skip


@pytest.mark.parametrize("own", [{}, {"words": "reading traffic", "general": 2, "fine": 2}])
def test_ways_alone_decide_what_becomes_of_a_plan(tmp_path: Path, own: dict[str, object]) -> None:
    for number, way in enumerate((*WAYS, "refused")):
        with running_server("--ways", way, script=EXAMINER_SERVER) as url:
            params = planned_params(at(url), 1, **own)
            folder = tmp_path / str(number)
            folder.mkdir()
            outs = plan(params, folder)
        found = planned(outs)
        status = "made" if way in GOOD else "refused" if way == "refused" else "malformed"
        statuses = {row["status"] for row in rows(found.descriptions)}
        if own:
            assert {row["status"] for row in rows(found.aspects)} == {status}, way
            assert len(found.aspects) == 4
            assert status == "made" or statuses == {"no_aspect"}, way
        else:
            assert statuses == {status} or (status == "made" and "made" in statuses), way
        assert len(found.descriptions) == len({r["scene_id"] for r in rows(found.descriptions)})


def test_more_rounds_leave_the_first_rows_as_they_are(tmp_path: Path) -> None:
    with running_server("--ways", "all", script=EXAMINER_SERVER) as url:
        found = []
        for rounds in (2, 4):
            folder = tmp_path / str(rounds)
            folder.mkdir()
            found.append(rows(planned(plan(planned_params(at(url), rounds), folder)).descriptions))
    few, more = found
    assert len(more) == 2 * len(few)
    assert [row for row in more if row["number"] < 2] == few


def test_banned_words_are_refused_and_the_repair_says_which(tmp_path: Path) -> None:
    with running_server("--ways", "valid,quotes", script=EXAMINER_SERVER) as url:
        outs = plan(planned_params(at(url), 6), tmp_path)
    made = [row for row in rows(planned(outs).descriptions) if row["status"] == "made"]
    first: set[tuple[str, str]] = set()
    for row in made:
        words = {row["topic_word"], *row["key_words"], *(o["label"] for o in row["objects"])}
        assert not words & {*row["banned"]}
        chain = row["aspect"], row["level"]
        assert bool(row["banned"]) is (chain in first)  # what is shown is banned from the next
        first.add(chain)
    asked = {(call["request_id"], call["call"]): call for call in calls(outs)}
    refused = [at for at, call in asked.items() if "is banned" in (call["complaint"] or "")]
    mended = [at for at in refused if asked.get((at[0], at[1] + 1), {}).get("status") == "answered"]
    assert len(made) > 20 and len(refused) > 3 and mended


def test_a_budget_of_nothing_is_one_line_and_asks_nothing(tmp_path: Path) -> None:
    with running_server(script=EXAMINER_SERVER) as url:
        params = planned_params(at(url, budget_usd=0))
        with pytest.raises(UserError, match=r"of its budget of \$0.00 are spent") as caught:
            plan(params, tmp_path)
        assert not stats(url)["asked"]
    assert "planner gpt" in str(caught.value) and "\n" not in str(caught.value)


def test_nobody_plans_and_no_byte_changes(tmp_path: Path) -> None:
    """An exam without a planner is what it was, and so is what rules plan beside one."""
    with running_server(script=EXAMINER_SERVER) as url:
        params = planned_params(at(url))
        found = planned(plan(params, tmp_path))
    suite, n = suite_of(params), params.corpus.n_scenes
    plain = suite.scenes(params, vocabulary(), 0, n), suite.described(params, vocabulary(), 0, n)
    by_model = suite.planned_by(params, vocabulary(), 0, n, found)
    for without, some in zip(plain, by_model, strict=True):
        assert len(without) == len(some) == n
        mine = {row["scene_id"] for row in rows(found.descriptions)}
        same = [(a, b) for a, b in zip(rows(without), rows(some), strict=True)
                if a["scene_id"] not in mine]  # fmt: skip
        assert same and all(a == b for a, b in same)
    assert {row["status"] for row in rows(plain[1])} == {"made", "needs_endpoint"}
    assert {*tables.PLANNED_DESCRIPTIONS.names} > {"scene_id", "objects"}
