"""A validator whose server sees with known errors, or breaks its replies."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.analysis.validators import Quality, validated
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.check.run import Files
from lvlmbench.stages.requests.budget import Ledger
from lvlmbench.suites.posed import Posed
from support.answer_tables import running_server, stats
from support.exam.made import Exam
from support.examined import COST, at, of_rows, small_exam
from support.validated import (
    VALIDATOR_SERVER,
    checked,
    keyed,
    known,
    on_disk,
    posed,
    truth,
    with_validator,
)
from support.validator_replies import GOOD, WAYS, Sight

ROUNDS = 20 if os.environ.get("LVLMBENCH_LONG") else 2
#: Of first attempts at a request; three in ten fail in all.
FAULTS = {"rejected": 0.12, "failing": 0.06, "hanging": 0.02, "broken": 0.05, "truncated": 0.05}
ARGUMENTS = [part for name, share in FAULTS.items() for part in (f"--{name}", str(share))]
#: Checks of each picture that are planted: so many that few pictures are enough to count on.
PLANTED = 6
MISSES, ALARMS = 0.2, 0.05


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))


@pytest.fixture(scope="module")
def exam() -> Exam:
    return small_exam(ROUNDS)


def sees(exam: Exam, folder: Path, planted: int = 1) -> list[str]:
    """What the server is started with so that it sees the pictures of an exam."""
    return ["--truth", str(truth(exam, folder, planted))]


def in_ledger(params: object, folder: Path) -> float:
    endpoint = params.validator.validators[0].find(Endpoint)  # type: ignore[attr-defined]
    return Ledger(folder / "spent", endpoint.base_url, endpoint.model).spent()


def test_quality_is_what_was_planted(exam: Exam, tmp_path: Path) -> None:
    files = on_disk(exam, tmp_path)
    rates = ("--misses", str(MISSES), "--alarms", str(ALARMS), "--salt", "eye")
    arguments = [*sees(exam, tmp_path, PLANTED), *rates]
    with running_server(*arguments, script=VALIDATOR_SERVER) as url:
        params = with_validator(exam.params, at(url, concurrency=8), planted=PLANTED)
        rows, calls = checked(params, files, tmp_path)
    found = validated(rows)
    assert found is not None and found.statuses == {"answered": len(rows)}
    assert len(calls) == len(rows)
    by = {(q.kind, q.name): q for q in found.quality}
    everything = by["all", "all"]
    assert everything.recall and everything.alarms and everything.precision
    print(f"  {everything}")
    assert everything.defects > 80 and everything.n - everything.defects > 100
    assert everything.recall.low <= 1 - MISSES <= everything.recall.high
    assert everything.alarms.low <= ALARMS <= everything.alarms.high
    called_rightly = (1 - MISSES) * everything.defects
    called = called_rightly + ALARMS * (everything.n - everything.defects)
    assert everything.precision.low <= called_rightly / called <= everything.precision.high
    # Exactly what the server has done, by what the rows of the tables say one by one.
    wrong = [row for row in rows if row["shown_index"] is not None and not row["correct"]]
    true = [row for row in wrong if row["shown_index"] != row["answer_index"]]
    assert everything.precision.value == len(true) / len(wrong)
    assert by["pictures", "planted"].defects == by["pictures", "planted"].n > 80
    assert by["pictures", "planted"].alarms is None
    for kind in ("pictures", "element", "request"):
        parts: list[Quality] = [q for (of, _), q in by.items() if of == kind]
        assert sum(q.n for q in parts) == everything.n
        assert sum(q.defects for q in parts) == everything.defects
    assert found.unclear == sum(row["shown_index"] is None for row in rows)


def test_intervals_hold_what_was_planted_as_often_as_they_should(exam: Exam) -> None:
    """Of 100 validators with the same rates of errors, and other errors."""
    checks, held = keyed(exam, PLANTED), Counter[str]()
    for salt in map(str, range(100)):
        sight = Sight({key: known(c) for key, c in checks.items()}, MISSES, ALARMS, salt)
        found = validated(answered(sight, checks))
        assert found is not None
        everything = found.quality[0]
        for name, rate in (("recall", 1 - MISSES), ("alarms", ALARMS)):
            share = getattr(everything, name)
            held[name] += share.low <= rate <= share.high
    print(f"  of 100 intervals hold the planted rate: {dict(held)}")
    assert min(held.values()) >= 90


def answered(sight: Sight, checks: Mapping[str, Posed]) -> Iterator[dict[str, object]]:
    """Rows of the table ``check_answers``, as far as quality looks at them."""
    for key, check in checks.items():
        at = check.options.index(sight.option(key, check.options))
        yield {
            **{name: getattr(check, name) for name in ("answer_index", "shown_index", "planted",
                                                       "element_type", "subtask")},
            "image_id": check.shown_id, "status": "answered", "answered_index": at,
            "correct": at == check.answer_index,
        }  # fmt: skip


def test_what_is_planted_is_known_not_to_be_so(exam: Exam) -> None:
    described = {row["scene_id"]: row["prompt"] for row in exam.scenes.to_pylist()}
    ids, turned = {*exam.validation["check_id"].to_pylist()}, 0
    for check in posed(exam, 2):
        assert 2 <= len({*check.options}) == len(check.options) <= 8
        assert described[check.scene_id] not in check.question
        own = check.scene_id == check.shown_id
        assert check.planted or own
        if check.planted:
            assert check.shown_index not in (None, check.answer_index)
            assert own is (check.element_type == "spatial" and check.check_id not in ids)
            turned += own
    assert turned > 3


def test_more_pictures_and_checks_leave_what_was_asked(exam: Exam) -> None:
    """Own checks stay, and so do nearly all that are planted in other pictures."""
    few, more = small_exam(ROUNDS - 1), exam
    before, after = ({(c.check_id, c.shown_id, c.planted) for c in posed(e)} for e in (few, more))
    assert {c for c in before if not c[2]} <= after
    planted = {c for c in before if c[2]}
    assert len(planted & after) > len(planted) / 3
    assert {c for c in after if c[2]} <= {(c.check_id, c.shown_id, True) for c in posed(more, 3)}


def test_shards_change_no_row(exam: Exam, tmp_path: Path) -> None:
    files = on_disk(exam, tmp_path)
    whole, half = tmp_path / "images.parquet", len(exam.scenes) // 3
    tables.write(exam.images, whole, tables.IMAGES, "s")
    scenes = [tmp_path / f"scenes-{n}.parquet" for n in range(2)]
    for path, rows in zip(scenes, (exam.scenes[:half], exam.scenes[half:]), strict=True):
        tables.write(rows, path, tables.SCENES, "s")
    with running_server(*sees(exam, tmp_path), script=VALIDATOR_SERVER) as url:
        params = with_validator(exam.params, at(url, concurrency=8))
        one = checked(params, files, tmp_path)
        asked = stats(url)["asked"]
        assert checked(params, Files(scenes, files.layouts, [whole]), tmp_path) == one
        assert stats(url)["asked"] == asked


def test_broken_replies_and_a_server_that_fails(exam: Exam, tmp_path: Path) -> None:
    files = on_disk(exam, tmp_path)
    arguments = ["--ways", "all", *sees(exam, tmp_path), *ARGUMENTS]
    with running_server(*arguments, script=VALIDATOR_SERVER) as url:
        params = with_validator(exam.params, at(url, timeout_s=2, concurrency=8))
        failures, runs = -1, 0
        while failures and runs < 8:  # what has failed is asked again, and nothing else
            rows, calls = checked(params, files, tmp_path)
            failures, runs = sum(c["status"] in ("error", "timeout") for c in calls), runs + 1
        seen = stats(url)
        again = checked(params, files, tmp_path)
        assert stats(url)["asked"] == seen["asked"]  # a run after that asks nothing
        assert again == (rows, calls)
        ledger = in_ledger(params, tmp_path)
    statuses = Counter(row["status"] for row in rows)
    print(f"  {statuses}; ways: {seen['ways']}; {seen['faults']}")
    # Each check has one status, and is wrong only where it was answered.
    asked = posed(exam)
    assert Counter((r["check_id"], r["scene_id"]) for r in rows) == Counter(
        (c.check_id, c.shown_id) for c in asked
    )
    assert {*statuses} == {"answered", "refused", "malformed"}
    assert all((row["correct"] is None) is (row["status"] != "answered") for row in rows)
    assert all((row["why"] is None) is (row["status"] == "answered") for row in rows)
    # Calls: four a request at most. All that is asked about one picture twice is one request.
    by_request = Counter(call["request_id"] for call in calls)
    assert {*by_request} == {row["request_id"] for row in rows}
    assert max(by_request.values()) <= 4
    # Money: what rows tell of is in the ledger, each request once.
    assert {*seen["answered"].values()} <= {0, 1}
    assert of_rows(calls) == pytest.approx(ledger) == pytest.approx(
        COST * len({call["request_sha256"] for call in calls})
    )  # fmt: skip
    # What failed is in no share.
    found = validated(rows)
    assert found is not None and found.quality[0].n + found.unclear == statuses["answered"]


def test_ways_alone_decide_what_becomes_of_a_check(tmp_path: Path) -> None:
    exam = small_exam(1)
    files = on_disk(exam, tmp_path)
    for number, way in enumerate((*WAYS, "refused")):
        arguments = ["--ways", way, *sees(exam, tmp_path)]
        with running_server(*arguments, script=VALIDATOR_SERVER) as url:
            params = with_validator(exam.params, at(url), repairs=1, planted=0)
            (tmp_path / str(number)).mkdir()
            rows, calls = checked(params, files, tmp_path / str(number))
        want = "answered" if way in GOOD else "refused" if way == "refused" else "malformed"
        assert {row["status"] for row in rows} == {want}, way
        assert len(calls) == (2 if want == "malformed" else 1) * len(rows), way
        if want == "answered":
            assert all(row["correct"] for row in rows if row["shown_index"] is not None)


def test_mistakes_are_one_line(tmp_path: Path) -> None:
    exam = small_exam(1)
    files = on_disk(exam, tmp_path)
    params = with_validator(exam.params, at("http://127.0.0.1:9/v1", retries=0))
    with pytest.raises(UserError, match="cannot connect") as caught:
        checked(params, files, tmp_path)
    assert "\n" not in str(caught.value)
    with running_server(*sees(exam, tmp_path), script=VALIDATOR_SERVER) as url:
        params = with_validator(exam.params, at(url, budget_usd=0))
        with pytest.raises(UserError, match=r"validator eye.* of its budget of \$0.00 are spent"):
            checked(params, files, tmp_path)
        assert not stats(url)["asked"]
    with pytest.raises(UserError, match=r"there is no validator 'eye'; list it under validator"):
        checked(exam.params, files, tmp_path)


def test_tables_refuse_what_is_answered_by_halves() -> None:
    row = {
        "validator": "eye", "scene_id": "s", "image_id": "i", "subtask": "r", "check_id": "c",
        "planted": False, "element_type": "object", "answer_index": 0, "shown_index": 1,
        "status": "refused", "answered_index": None, "correct": False, "request_id": "q",
    }  # fmt: skip
    [rule] = tables.CHECK_ANSWERS.rules
    assert [at for at, what in rule(tables.CHECK_ANSWERS.of([row])) if at] == [1]
    good = row | {"correct": None, "why": "no"}
    assert not [at for at, what in rule(tables.CHECK_ANSWERS.of([good])) if at]
