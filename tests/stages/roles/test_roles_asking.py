"""Ten thousand broken replies: nothing invalid is accepted, nothing is asked twice, all add up."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.scene.claims import Claim, Feature
from lvlmbench.stages.judge.served.forms import (
    SaidClaims,
    SaidMatches,
    SaidScores,
    check_claims,
    check_matches,
)
from lvlmbench.stages.judge.served.judge import FIELDS
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.replies import schema_text
from lvlmbench.stages.roles.request import Request
from lvlmbench.stages.roles.templates import DEFAULT, load
from support.broken_model import Broken
from support.broken_replies import GOOD, way_of

REPLIES = 10_000 if os.environ.get("LVLMBENCH_LONG") else 2_000

TEMPLATES = {name: load(DEFAULT, name, fields) for name, fields in FIELDS.items()}
FEATURES = (Feature("o1", "object", "dog"), Feature("o1.color", "attribute", "dog", "color"))


def request(n: int) -> Request:
    """One of three purposes, by turns, each about an answer of its own."""
    purpose, answer = [*FIELDS][n % 3], f"dog{n} beside a cat"
    template = TEMPLATES[purpose]
    if purpose == "claims":
        fields = {"question": "What is there?", "answer": answer, "schema": schema_text(SaidClaims)}
        return Request(
            answer, template, template.render(**fields), SaidClaims, check_claims(answer)
        )
    if purpose == "matches":
        claims = [Claim(k, "object", f"thing{k}") for k in range(1 + n % 4)]
        shown = [(claim.number, claim.subject) for claim in claims]
        prompt = template.render(
            features=[(1, "a dog"), (2, "it is red")], claims=shown, answer=answer,
            schema=schema_text(SaidMatches),
        )  # fmt: skip
        return Request(answer, template, prompt, SaidMatches, check_matches(claims, FEATURES))
    prompt = template.render(
        question="What is there?", description="", features=["a dog"], turns="", first=answer,
        second="a cat", schema=schema_text(SaidScores),
    )  # fmt: skip
    return Request(answer, template, prompt, SaidScores, lambda said: None)


REQUESTS = [request(n) for n in range(REPLIES)]


def test_thousands_of_broken_replies(tmp_path: Path) -> None:
    model = Broken()
    asker = Asker(model, "judge broken", 2, tmp_path / "answers.sqlite")
    found = asker.ask(REQUESTS)
    assert len(found) == REPLIES
    counts = Counter(outcome.status for outcome in found)
    assert sum(counts.values()) == REPLIES and set(counts) == {
        "answered", "malformed", "refused", "error", "timeout",
    }  # fmt: skip
    rows = asker.rows
    assert tables.REQUESTS.of(rows).num_rows == sum(model.asked.values()) == len(rows)
    last = {row["request_id"]: row for row in rows}  # sorted by call
    for each, outcome in zip(REQUESTS, found, strict=True):
        row = last[each.request_id]
        assert row["status"] == outcome.status
        assert (outcome.value is not None) == (outcome.status == "answered")
        if outcome.status == "answered":
            assert each.check(outcome.value) is None
            assert way_of(row["request_sha256"]) in GOOD
        else:
            assert outcome.why and "\n" not in outcome.why
    # What was good at first was taken at first.
    for row in rows:
        if row["call"] == 0 and way_of(row["request_sha256"]) in GOOD and row["status"] not in (
            "error", "timeout", "refused",
        ):  # fmt: skip
            assert row["status"] == "answered", row["complaint"]
    assert max(row["call"] for row in rows) == 2


def test_a_second_run_asks_what_failed_alone(tmp_path: Path) -> None:
    first, again = Broken(fails=False), Broken(fails=False)
    cache = tmp_path / "answers.sqlite"
    found = Asker(first, "judge broken", 2, cache).ask(REQUESTS[:600])
    second = Asker(again, "judge broken", 2, cache)
    assert second.ask(REQUESTS[:600]) == found
    assert not again.asked and set(first.asked.values()) == {1}
    assert Counter(o.status for o in found)["malformed"] > 0
    assert sum(row["cost_usd"] for row in second.rows) == pytest.approx(
        0.001 * sum(first.asked.values())
    )


def test_a_mended_reply_is_taken(tmp_path: Path) -> None:
    asker = Asker(Broken(mends=True, fails=False), "judge", 1, tmp_path / "answers.sqlite")
    found = asker.ask(REQUESTS[:300])
    assert {outcome.status for outcome in found} == {"answered"}
    mended = [row for row in asker.rows if row["call"] == 1]
    assert mended and all(row["status"] == "answered" for row in mended)


def test_prompts_hold_one_repair_at_most(tmp_path: Path) -> None:
    model = Broken(fails=False)
    Asker(model, "judge", 5, tmp_path / "answers.sqlite").ask(REQUESTS[:300])
    repairs = [prompt.count("Your reply to this was:") for prompt in model.prompts]
    assert max(repairs) == 1
    longest = max(len(request.prompt) for request in REQUESTS[:300])
    assert max(map(len, model.prompts)) <= longest + 4500


def test_no_repairs_ask_once(tmp_path: Path) -> None:
    model = Broken(fails=False)
    found = Asker(model, "judge", 0, tmp_path / "answers.sqlite").ask(REQUESTS[:90])
    assert sum(model.asked.values()) == 90
    assert {outcome.status for outcome in found} == {"answered", "malformed"}


def test_order_changes_nothing(tmp_path: Path) -> None:
    there = Asker(Broken(), "judge", 2, tmp_path / "a.sqlite")
    back = Asker(Broken(), "judge", 2, tmp_path / "b.sqlite")
    assert there.ask(REQUESTS[:200]) == back.ask(REQUESTS[:200][::-1])[::-1]
    one, other = (
        sorted(each.rows, key=lambda row: (row["request_id"], row["call"]))
        for each in (there, back)
    )
    assert one == other


def test_rows_come_after_those_before(tmp_path: Path) -> None:
    asker = Asker(Broken(), "judge", 2, tmp_path / "answers.sqlite")
    asker.ask(REQUESTS[:50])
    before = list(asker.rows)
    asker.ask(REQUESTS[50:100])
    assert asker.rows[: len(before)] == before
    later = {row["item"] for row in asker.rows[len(before) :]}
    assert later == {request.item for request in REQUESTS[50:100]}
