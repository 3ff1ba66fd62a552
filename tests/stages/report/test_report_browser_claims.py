"""What the browser's data holds of judged answers: claims by their places, and what is left out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.scene.claims import Claim, Match, Scope, Truth, missed, tally
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import browser
from lvlmbench.stages.report.browser.claims import VERDICTS, Claims, units
from support.report_hallucinated import BOXES
from support.scripted_judge import TRUTH, by_word, words
from support.told import ranked, told

JUDGE = "lexical"
PLENTY = 50_000_000


@pytest.fixture(scope="module")
def data(snapshot: Snapshot) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(browser.build(snapshot, Leaderboard(snapshot), PLENTY).head)
    return found


def _judged(data: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]:
    return [
        (item, question, answer)
        for item in data["items"]
        for question in item["questions"]
        for answer in question["answers"]
        if answer.get("judged")
    ]


def test_verdicts_are_all_there_are() -> None:
    assert tuple(name for name, _, _ in VERDICTS) == tables.matches.VERDICTS
    assert all(len(sign) == 1 for _, sign, _ in VERDICTS)


def test_claims_are_those_of_the_tables(snapshot: Snapshot, data: dict[str, Any]) -> None:
    assert data["judges"] == [JUDGE] and [v["name"] for v in data["verdicts"]] == [
        name for name, _, _ in VERDICTS
    ]
    judged = _judged(data)
    assert len(judged) > 20
    seen = 0
    for model in ("model-a", "hostile"):
        names = {"judge": JUDGE, "model": model, "scenario": "clean"}
        claims, matches, rows = (
            snapshot.read(table, None, **names).to_pylist()
            for table in (tables.CLAIMS, tables.MATCHES, tables.JUDGEMENTS)
        )
        status = {row["question_id"]: row["status"] for row in rows}
        m = [each["name"] for each in data["models"]].index(model)
        for item, question, answer in judged:
            if answer["m"] != m:
                continue
            [one] = answer["judged"]
            if "status" in one:
                assert one["status"] == status[question["id"]] != "judged"
                continue
            mine = [row for row in claims if row["question_id"] == question["id"]]
            became = {r["claim"]: r for r in matches if r["question_id"] == question["id"]}
            assert len(one["claims"]) == len(mine)
            for (start, end, verdict, feature, said, counts), row in zip(
                one["claims"], sorted(mine, key=lambda r: (r["start"], r["claim"])), strict=True
            ):
                assert row["subject"] in said and counts == 1
                assert VERDICTS[verdict][0] == became[row["claim"]]["verdict"]
                assert (feature < 0) == (became[row["claim"]]["feature"] is None)
                if answer["text"].isascii() and end <= len(answer["text"]):
                    assert answer["text"][start:end] == row["subject"]
                assert feature < len(item["features"])
                seen += 1
    assert seen > 40


def test_what_is_left_out_has_words_and_places(data: dict[str, Any]) -> None:
    for item, _, answer in _judged(data):
        [one] = answer["judged"]
        for place in one.get("missed", ()):
            said, boxes = item["features"][place]
            assert ("dog" in said) == ([list(BOXES["o1"])] == _near(boxes, BOXES["o1"]))
            assert said.startswith("there ") or "red" in said


def _near(boxes: list[list[int]], box: tuple[int, ...]) -> list[list[int]]:
    """The box as it was planned, where it is at most a pixel away."""
    return [
        list(box) for each in boxes if max(abs(a - b) for a, b in zip(each, box, strict=True)) < 9
    ]


def test_a_snapshot_without_judgements_says_nothing_of_judges(
    snapshot: Snapshot, tmp_path: Any
) -> None:
    for path in snapshot.data.iterdir():
        if path.name not in ("judgements", "pairwise"):
            (tmp_path / path.name).symlink_to(path)
    bare = replace(snapshot, data=tmp_path)
    found = json.loads(browser.build(bare, Leaderboard(bare), PLENTY).head)
    assert "judges" not in found and not _judged(found)
    assert all("features" not in item for item in found["items"])


def test_places_are_those_that_a_browser_counts() -> None:
    text = "a \U0001f98a fox \u202e and \U0001f436"
    at = units(text)
    for place in range(len(text) + 1):
        assert at(place) == len(text[:place].encode("utf-16-le")) // 2
    assert at(10**6) == len(text.encode("utf-16-le")) // 2
    assert [units("plain")(place) for place in (0, 3, 5, 9)] == [0, 3, 5, 5]
    assert units("")(4) == 0
    assert units("\ud800 half \U0001f98a")(8) == 9


def test_features_are_numbered_as_they_come_up(snapshot: Snapshot) -> None:
    ids = snapshot.questions["scene_id"].to_pylist()[:40]
    found = Claims(snapshot, ids, ["clean"], ["model-a"])
    scene = found.scene(ids[0])
    assert (scene.number("o2.color"), scene.number("o1"), scene.number("o2.color")) == (0, 1, 0)
    assert scene.number("nowhere") == scene.number(None) == -1
    (color, box), (dog, _) = scene.features()
    assert "red" in color and "dog" in dog and _near(box, BOXES["o2"])
    empty = found.scene("no such scene")
    assert empty.number("o1") == -1 and empty.features() == []


@pytest.mark.parametrize("text", ["a dog", "dog ball", "no dog no ball", "cat", "dog dog grass"])
def test_as_many_are_missed_as_are_owed_and_not_covered(text: str) -> None:
    claims = words(text).claims
    matches = by_word(claims, TRUTH).matches
    for scope in (Scope(), Scope(("object",)), Scope(("attribute",))):
        sums = tally(claims, matches, TRUTH, scope)
        left = missed(claims, matches, TRUTH, scope)
        assert len(left) == sums.owed - sums.covered
        assert not any(feature.optional for feature in left)
        assert all(scope.holds(feature) for feature in left)


def test_what_is_owed_once_is_missed_once() -> None:
    two = ranked("cat", "cat", "dog")
    answer = told(two, [(("object", "dog"), "matched", "o3")])
    left = missed(answer.claims, answer.matches, Truth(two), Scope(("object", "rank")))
    assert [feature.feature for feature in left] == ["o1", "o1.rank", "o2.rank", "o3.rank"]
    said = [Claim(0, "object", "cat")]
    assert missed(said, [Match(0, "o2", "matched", "word")], Truth(two), Scope(("object",))) == [
        two[2]
    ]
