"""What the report says of requests, tokens, dollars, time, and of who answered."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.spending import COLUMNS, Spending, Tally
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import cost
from lvlmbench.stages.report.cost import Cost
from support.report_answers import PRICES, SCRIPT, SERVED
from support.report_pages import Outline, read, render, section, words
from support.report_snapshot import noisy_params

SCENARIOS = [
    "clean", "corruption", "print_attack", "adversarial", "blind", "other_image",
    "corruption_curve",
]  # fmt: skip


WITH_NOISE = True


@pytest.fixture(scope="module")
def found(snapshot: Snapshot) -> Cost:
    return cost.build(snapshot, Leaderboard(snapshot))


def answers(snapshot: Snapshot, model: str, scenario: str) -> list[dict[str, Any]]:
    return tables.read(snapshot.data / "answers" / model / scenario, tables.ANSWERS).to_pylist()


def by_hand(rows: list[dict[str, Any]]) -> Spending:
    """The sums over rows of answers, one by one."""
    status = [r["status"] for r in rows]
    times = [r["latency_s"] for r in rows if r["latency_s"] is not None]
    told = [r["cost_usd"] for r in rows if r["cost_usd"] is not None]
    tokens = [
        sum(r[k] or 0 for r in rows) if any(r[k] is not None for r in rows) else None
        for k in ("prompt_tokens", "completion_tokens")
    ]
    return Spending(
        len(rows), status.count("answered"), status.count("refused"), status.count("truncated"),
        status.count("error"),
        status.count("timeout"), sum(r["attempts"] > 1 for r in rows),
        sum(r["attempts"] - 1 for r in rows), tokens[0], tokens[1],
        math.fsum(told) if told else None, len(rows) - len(told),
        float(np.quantile(times, 0.5)) if times else None,
        float(np.quantile(times, 0.95)) if times else None,
    )  # fmt: skip


def same(one: Spending, other: Spending) -> bool:
    costs = one.cost, other.cost
    close = costs[0] == costs[1] or costs == pytest.approx(costs[::-1], abs=1e-6)
    return close and {**vars(one), "cost": 0} == {**vars(other), "cost": 0}


def test_sums_are_those_of_the_answers(snapshot: Snapshot, found: Cost) -> None:
    assert [m.model for m in found.models] == ["model-a", "hostile"]
    assert found.own == ["reference_a", "chance"]
    every = []
    for model in found.models:
        assert list(model.scenarios) == SCENARIOS
        mine = [r for s in SCENARIOS for r in answers(snapshot, model.model, s)]
        assert same(model.total, by_hand(mine))
        for scenario, part in model.scenarios.items():
            assert same(part, by_hand(answers(snapshot, model.model, scenario)))
        every += mine
    total = by_hand([r | {"latency_s": None} for r in every])
    assert same(found.total, total)
    assert sum(s.asked for s in found.scenarios.values()) == found.total.asked
    assert found.models[1].total.failed > 0 and found.models[1].total.extra > 100


def test_no_price_is_not_free(found: Cost, made: Path) -> None:
    ours, other = found.models
    assert ours.priced and ours.total.cost is not None
    tokens = ours.total.prompt_tokens or 0, ours.total.completion_tokens or 0
    want = sum(n * price for n, price in zip(tokens, PRICES, strict=True)) / 1e6
    assert ours.total.cost == pytest.approx(want)
    assert not other.priced and other.total.cost is None
    text = words(section((made / "results" / "report.html").read_text(), "cost"))
    assert f"${ours.total.cost:.4f}" in text
    assert "no price configured" in text
    assert f"{other.total.asked:,} of unknown cost" in text
    assert "$0" not in text.replace("$0.", "")


def test_who_answered_is_shown_warned_of_and_harmless(found: Cost, made: Path) -> None:
    ours, other = found.models
    assert ours.served == [("small", ours.total.answered)] and not ours.another
    assert other.several and other.another
    assert {name for name, _ in other.served} == set(SERVED)
    assert [n for _, n in other.served] == sorted((n for _, n in other.served), reverse=True)
    html = section((made / "results" / "report.html").read_text(), "cost")
    outline = Outline(html)
    text = "".join(outline.words)
    assert {"script", "b", "img"}.isdisjoint(outline.tags)
    assert SCRIPT in text and "U+202E" in text and "n" * 201 not in html
    assert "</dd><script>window.pwned=1</script>" in text  # a recorded setting
    assert text.count("More than one model has answered") == 1
    assert "Another name than the one configured" not in text


def altered(found: Snapshot, folder: Path, **columns: Any) -> Cost:
    """The cost where columns of model-a's clean answers are others."""
    import shutil

    root = folder / "data"
    shutil.copytree(found.data, root)
    path = sorted((root / "answers" / "model-a" / "clean").iterdir())[0]
    rows = tables.read([path], tables.ANSWERS).to_pylist()
    tables.write_rows([r | columns for r in rows], path, tables.ANSWERS, "s")
    other = Snapshot(found.params, root, found.results)
    return cost.build(other, Leaderboard(other))


def test_other_settings_and_names_are_told_apart(snapshot: Snapshot, tmp_path: Path) -> None:
    changed = altered(snapshot, tmp_path, parameters="not JSON", served_model="small-2")
    ours = changed.models[0]
    assert ours.several and ours.another and ours.more_settings == 0
    first, second = ours.settings
    assert first.values == [("max_tokens", "512"), ("model", "small"), ("temperature", "0.0")]
    assert second.values == [("parameters", "not JSON")] and second.n == 17
    assert first.n + second.n == ours.total.answered


def test_what_the_server_does_not_tell_is_unknown(snapshot: Snapshot, tmp_path: Path) -> None:
    none = dict.fromkeys(("served_model", "prompt_tokens", "completion_tokens", "latency_s"))
    ours = altered(snapshot, tmp_path, **none, parameters=json.dumps({"seed": 1})).models[0]
    assert ours.served == [("small", ours.total.answered - 17)]
    tally = Tally()
    tally.add(tables.ANSWERS.of([{"status": "answered"}] * 2))
    spent = tally.spending
    assert (spent.prompt_tokens, spent.cost, spent.median) == (None, None, None)
    assert (spent.asked, spent.retried, spent.untold_cost) == (2, 0, 2)
    assert not Tally().spending.asked


def test_shards_change_no_figure(snapshot: Snapshot) -> None:
    table = tables.read(snapshot.data / "answers" / "model-a" / "clean", tables.ANSWERS, COLUMNS)
    whole, parts = Tally(), Tally()
    whole.add(table)
    for start in range(0, len(table), 7):
        piece = Tally()
        piece.add(table.slice(start, 7))
        parts.merge(piece)
    assert whole.spending == parts.spending  # to the last bit


def test_a_request_that_several_answers_share_is_paid_for_once(
    snapshot: Snapshot, tmp_path: Path
) -> None:
    before = cost.build(snapshot, Leaderboard(snapshot)).models[0]
    row = {"request_sha256": "a" * 64, "prompt_tokens": 100, "completion_tokens": 10}
    shared = altered(snapshot, tmp_path, **row, cost_usd=0.5, attempts=3).models[0]
    clean = shared.scenarios["clean"]
    rows = answers(snapshot, "model-a", "clean")[17:]
    rest = by_hand(rows)
    assert clean.asked == before.scenarios["clean"].asked == len(rows) + 17
    assert clean.prompt_tokens == (rest.prompt_tokens or 0) + 100
    assert clean.cost == pytest.approx((rest.cost or 0) + 0.5)
    assert (clean.retried, clean.extra) == (rest.retried + 1, rest.extra + 2)
    assert clean.untold_cost == rest.untold_cost
    again = Tally({"a" * 64})  # of another scenario
    again.add(tables.ANSWERS.of([row | {"status": "answered"}]))
    assert (again.spending.asked, again.spending.prompt_tokens) == (1, 0)


def test_many_names_are_counted_and_not_all_listed(snapshot: Snapshot, tmp_path: Path) -> None:
    import shutil

    root = tmp_path / "data"
    shutil.copytree(snapshot.data, root)
    path = sorted((root / "answers" / "model-a" / "clean").iterdir())[0]
    rows = tables.read([path], tables.ANSWERS).to_pylist()
    rows = [r | {"served_model": f"replica-{i}"} for i, r in enumerate(rows)]
    tables.write_rows(rows, path, tables.ANSWERS, "s")
    other = Snapshot(snapshot.params, root, snapshot.results)
    ours = cost.build(other, Leaderboard(other)).models[0]
    assert len(ours.served) == cost.LISTED
    assert ours.more_served == 18 - cost.LISTED


@pytest.mark.long
def test_without_served_models_the_section_is_a_sentence(made: Path) -> None:
    models = [m.model_dump(mode="json") for m in noisy_params().answer.models]
    for model in models[1:3]:
        model |= {"engine": "answers_file", "endpoint": None}
    other = read(made, noisy_params(answer={"models": models}))
    html = section(render(other, made / "results/dysca"), "cost")
    assert "<table" not in html
    text = words(html)
    assert "No served or local model was asked: reference_a, chance are part of" in text
    assert "Answers of model-a, hostile were brought by their owners" in text
