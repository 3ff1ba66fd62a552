"""An examiner whose server breaks its replies: every item ends in one status, none is paid twice.

By default some pictures; ``LVLMBENCH_LONG`` makes it some hundreds.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.scene.quoting import quotes
from lvlmbench.suites.suite import suite_of
from support.answer_tables import running_server, stats
from support.examined import (
    COST,
    EXAMINER_SERVER,
    at,
    of_rows,
    on_disk,
    proposals,
    proposed,
    rows,
    small_exam,
    spent,
    with_examiner,
)
from support.examiner_replies import GOOD, UNSUPPORTED, WAYS
from support.render_scenes import vocabulary

ROUNDS = 20 if os.environ.get("LVLMBENCH_LONG") else 2
#: Of first attempts at a request; three in ten fail in all.
FAULTS = {"rejected": 0.12, "failing": 0.06, "hanging": 0.02, "broken": 0.05, "truncated": 0.05}
ARGUMENTS = [part for name, share in FAULTS.items() for part in (f"--{name}", str(share))]


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))


def test_broken_replies_and_a_server_that_fails(tmp_path: Path) -> None:
    exam = small_exam(ROUNDS)
    files, planned = on_disk(exam, tmp_path), exam.scenes["scene_id"].to_pylist()
    with running_server("--ways", "all", *ARGUMENTS, script=EXAMINER_SERVER) as url:
        params = with_examiner(exam.params, "gpt", section=at(url, timeout_s=2, concurrency=8))
        asked, failures, runs = 0, -1, 0
        while failures and runs < 8:
            outs = proposed(params, files, tmp_path)
            found, calls = rows(outs)
            before, asked = asked, sum(stats(url)["asked"].values())
            # What has failed is asked again, and nothing else.
            assert asked - before >= max(failures, 0)
            failures, runs = sum(c["status"] in ("error", "timeout") for c in calls), runs + 1
        seen = stats(url)
        again = proposed(params, files, tmp_path)
        assert sum(stats(url)["asked"].values()) == asked  # a run after that asks nothing
        assert rows(again)[0] == found
        assert rows(again)[1] == calls
        ledger = spent(params, tmp_path)
    print(f"  {Counter(r['status'] for r in found)}; ways: {seen['ways']}; {seen['faults']}")
    # Every item has one status.
    assert [row["scene_id"] for row in found] == planned
    statuses = Counter(row["status"] for row in found)
    assert {*statuses} <= {*tables.proposals.PROPOSED_AS} - {"error", "timeout"}
    assert statuses["made"] and statuses["unsupported"] and statuses["malformed"]
    assert all((row["why"] is None) is (row["status"] == "made") for row in found)
    # Calls: four a request at most, each good reply taken, no other.
    requests = {call["request_id"] for call in calls}
    told = [row for row in found if row["status"] not in ("not_drawn", "not_planned")]
    adjusted = 3 * statuses["made"]
    assert len(requests) == len(told) + adjusted
    assert len(calls) <= 4 * len(requests)
    assert max(Counter(call["request_id"] for call in calls).values()) <= 4
    good = Counter(call["status"] for call in calls if call["purpose"] == "question")["answered"]
    assert good == statuses["made"] + statuses["unsupported"]
    # Money: what rows tell of is in the ledger, each request once.
    assert set(seen["answered"].values()) <= {0, 1}
    assert of_rows(calls) == pytest.approx(ledger) == pytest.approx(
        COST * len({call["request_sha256"] for call in calls})
    )  # fmt: skip


def test_ways_alone_decide_what_becomes_of_a_question(tmp_path: Path) -> None:
    exam = small_exam()
    files = on_disk(exam, tmp_path)
    drawn = {row["scene_id"] for row in exam.layouts.to_pylist()}
    for number, way in enumerate((*WAYS, "refused")):
        with running_server("--ways", way, script=EXAMINER_SERVER) as url:
            params = with_examiner(exam.params, "gpt", section=at(url), repairs=1, adjust=0)
            folder = tmp_path / str(number)
            folder.mkdir()
            found, calls = rows(proposed(params, files, folder))
        statuses = {row["status"] for row in found if row["scene_id"] in drawn}
        status = "made" if way in GOOD else "unsupported" if way == UNSUPPORTED else "malformed"
        want = {"refused" if way == "refused" else status}
        # A few pictures are not as described.
        assert statuses - {"not_drawn"} == want, way
        again = 2 if want == {"malformed"} else 1
        told = sum(row["status"] in want for row in found)
        assert len(calls) == again * told, way


def test_a_server_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    exam = small_exam()
    section = at("http://127.0.0.1:9/v1", retries=0)
    params = with_examiner(exam.params, "gpt", section=section)
    with pytest.raises(UserError, match="cannot connect") as caught:
        proposed(params, on_disk(exam, tmp_path), tmp_path)
    assert "\n" not in str(caught.value)


def test_a_budget_of_nothing_is_one_line_and_asks_nothing(tmp_path: Path) -> None:
    exam = small_exam()
    with running_server(script=EXAMINER_SERVER) as url:
        params = with_examiner(exam.params, "gpt", section=at(url, budget_usd=0))
        with pytest.raises(UserError, match=r"of its budget of \$0.00 are spent") as caught:
            proposed(params, on_disk(exam, tmp_path), tmp_path)
        assert not stats(url)["asked"]
    assert "examiner gpt" in str(caught.value) and "\n" not in str(caught.value)


def test_an_unknown_examiner_and_one_that_guesses_are_one_line(tmp_path: Path) -> None:
    exam = small_exam()
    params = with_examiner(exam.params, "gpt", section=at("http://h/v1"))
    files = on_disk(exam, tmp_path)
    with pytest.raises(UserError, match="there is no examiner 'other'; use one of: gpt"):
        proposed(params, files, tmp_path, "other")


def test_models_are_asked_the_same_whoever_wrote_the_question(tmp_path: Path) -> None:
    """Letters stay in their blocks, options are four, no prompt quotes a description."""
    exam = small_exam()
    with running_server(script=EXAMINER_SERVER) as url:
        params = with_examiner(exam.params, "gpt", section=at(url))
        outs = proposed(params, on_disk(exam, tmp_path), tmp_path)
    suite = suite_of(params)
    asked = suite.proposed(params, vocabulary(), exam.scenes, exam.layouts, proposals(outs))
    made = {row["scene_id"] for row in rows(outs)[0] if row["status"] == "made"}
    assert {*asked["scene_id"].to_pylist()} == made and len(asked) == len(made) > 10
    by_rules = {row["scene_id"]: row for row in exam.questions.to_pylist()}
    for row in asked.to_pylist():
        assert row["examiner"] == "gpt" and row["program"] is None
        assert row["options"][row["answer_index"]] == row["answer"]
        replaced = row["replaced"] or [None] * 4
        old = [each for each in replaced if each is not None]
        assert len({*row["options"], *old}) == 4 + len(old)
        assert replaced[row["answer_index"]] is None
        if row["scene_id"] in by_rules:  # the letter is the item's, whoever asks
            assert row["answer_index"] == by_rules[row["scene_id"]]["answer_index"]
            assert row["question_id"] != by_rules[row["scene_id"]]["question_id"]
    nobody = suite.proposed(params, vocabulary(), exam.scenes, exam.layouts,
                            tables.PROPOSALS.empty_table())  # fmt: skip
    assert nobody == exam.questions
    described = {row["scene_id"]: row["prompt"] for row in exam.scenes.to_pylist()}
    for row in asked.to_pylist():
        prompt = suite.prompt(params, row["question_type"], row["question"], row["options"])
        assert not quotes(prompt, described[row["scene_id"]]), row["question"]
