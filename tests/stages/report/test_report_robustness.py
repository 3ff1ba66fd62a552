"""The section on robustness: paired differences, curves, attacks, controls and pictures."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.analysis import readings, records, robustness, statistics
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.config import Params
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import Sources
from lvlmbench.stages.figures.run import draw
from lvlmbench.stages.report import attacks, illustrations
from lvlmbench.stages.report.robustness_words import sentences, signed
from support.report_pages import Outline, beside, head, read, render, write_beside
from support.report_scenarios import EPSILON, PRINTED
from support.report_snapshot import build, noisy_params, params

NOISY = ["corruption", "print_attack", "adversarial"]
CONTROLS = ["blind", "other_image"]
FIGURES = {"robustness_subtasks", "corruption_kinds", "corruption_severities"}


WITH_NOISE = True


def section(html: str) -> str:
    """The part of a page about robustness."""
    start = html.index('<section id="robustness"')
    return html[start : html.index("</section>", start) + len("</section>")]


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", " ".join(Outline(html).words))


NAMES = ("model", "scenario", "question_type", "subtask", "style", "perturbation", "severity",
         "metric")  # fmt: skip


@cache
def index(path: Path) -> dict[tuple[str, ...], dict[str, Any]]:
    """The metrics over all questions by their key."""
    rows = [r for r in tables.read([path], tables.METRICS).to_pylist() if r["questions"] == "all"]
    found = {tuple(r[k] for k in NAMES): r for r in rows}
    assert len(found) == len(rows)
    return found


def only(snapshot: Snapshot, **key: str) -> dict[str, Any]:
    """The row of the metrics table with this key; "all" elsewhere."""
    return index(snapshot.results / "metrics.parquet")[tuple(key.get(k, "all") for k in NAMES)]


def same(value: Value | None, row: dict[str, Any]) -> bool:
    found = value and (value.value, value.low, value.high, value.n, value.n_unscored)
    return found == tuple(row[k] for k in ("value", "low", "high", "n", "n_unscored"))


def at(severity: str, **key: str) -> dict[str, str]:
    return {"scenario": "clean"} if severity == "0" else {**key, "severity": severity}


def small(root: Path, p: Params) -> tuple[Snapshot, set[str], str]:
    """A snapshot with these parameters, the figures on robustness that its page shows, and the
    page with no others."""
    build(root, p)
    write_beside(root)
    figures = p.figures.model_copy(update={"names": tuple(sorted(FIGURES))})
    snapshot = read(root, p.model_copy(update={"figures": figures}))
    results = root / "results/dysca"
    around = beside(results)
    sources = Sources(snapshot, around.validity, around.published)
    titles = {draw(name, sources, around.figures).title: name for name in FIGURES}
    html = render(snapshot, results)
    found = re.findall(r'aria-label="Figure: ([^"]+)"', html)
    return snapshot, {titles[title] for title in found}, html


def noisy(*names: str) -> list[dict[str, Any]]:
    """Some of the scenarios of the made-up snapshot."""
    return [s.model_dump(mode="json") for s in noisy_params().scenarios.noisy if s.name in names]


def test_board_shows_the_metrics(snapshot: Snapshot, leaderboard: Leaderboard, html: str) -> None:
    found = robustness.build(snapshot, leaderboard)
    assert [c.name for c in found.conditions] == [*NOISY, *CONTROLS]
    assert [line.model for line in found.lines][-1] == "chance"
    shown = text_of(section(html))
    tested = {
        (r["model"], r["scenario"]): r for r in snapshot.comparisons.to_pylist()
        if (r["family"], r["question_type"]) == ("scenarios", "all")
    }  # fmt: skip
    for line in found.lines:
        for name, change in line.changes.items():
            key = {"model": line.model, "scenario": name}
            assert same(change.score, only(snapshot, metric="headline", **key))
            row = only(snapshot, metric="difference", **key)
            if row["value"] is not None and change.difference is not None:
                test = tested[line.model, name]
                assert test["difference"] == pytest.approx(row["value"], abs=1e-4)
                ends = change.difference.low, change.difference.high
                assert ends == (test["low"], test["high"]), "one number has one interval"
                assert signed(row["value"]) in shown
                assert f"{signed(test['low'])} to {signed(test['high'])}" in shown
                apart = (test["low"] > 0) - (test["high"] < 0)
                assert change.sure == (apart if test["p_holm"] < 0.05 else 0)
    assert sum(line.changes[c].sure < 0 for line in found.lines for c in NOISY) >= 2


def test_fewer_questions_come_with_their_own_clean_score(
    snapshot: Snapshot, leaderboard: Leaderboard
) -> None:
    (line,) = [x for x in robustness.build(snapshot, leaderboard).lines if x.model == "model-a"]
    assert {name for name, change in line.changes.items() if change.before} == {"print_attack"}
    row = only(snapshot, model="model-a", scenario="print_attack", metric="headline", severity="0")
    assert same(line.changes["print_attack"].before, row)
    assert row["n"] < (line.clean.n if line.clean else 0)


def test_curve_scenario_is_in_no_other_table(
    snapshot: Snapshot, leaderboard: Leaderboard, html: str
) -> None:
    assert leaderboard.curves == ["corruption_curve"]
    assert "corruption_curve" not in leaderboard.ranked()
    assert leaderboard.scenarios == ["clean", *NOISY, *CONTROLS]
    assert {r.scenario for r in readings.readings(snapshot, leaderboard)} == {
        *leaderboard.scenarios, "corruption_curve",
    }  # fmt: skip
    heads = re.findall(r'<th scope="col"[^>]*>([^<]+)', section(html))
    assert "Print attack" in heads and "Corruption curve" not in heads


def test_curves_start_at_clean_and_are_the_metrics(
    snapshot: Snapshot, leaderboard: Leaderboard
) -> None:
    curves = robustness.build(snapshot, leaderboard).curves
    assert curves is not None and curves.condition.name == "corruption_curve"
    assert curves.kinds == ["all", "gaussian_noise", "rotation"]
    for model in ("model-a", "reference_a", "chance"):
        for kind, values in curves.values[model].items():
            assert list(values) == ["0", "1", "5"]
            for severity, value in values.items():
                key = at(severity, scenario="corruption_curve", perturbation=kind)
                assert same(value, only(snapshot, model=model, metric="headline", **key))
    steep = [curves.values["reference_a"]["all"][s].value or 0.0 for s in ("0", "1", "5")]
    assert steep == sorted(steep, reverse=True)


def test_kinds_and_subtasks_are_the_metrics(snapshot: Snapshot, leaderboard: Leaderboard) -> None:
    found = robustness.build(snapshot, leaderboard)
    assert found.kinds is not None and found.kinds.condition.name == "corruption"
    assert found.kinds.groups == ["gaussian_noise", "motion_blur", "jpeg_compression", "shear"]
    for kind in found.kinds.groups:
        key = {"model": "model-a", "scenario": "corruption", "metric": "difference"}
        if kind in found.kinds.values["model-a"]:
            row = only(snapshot, perturbation=kind, **key)
            assert same(found.kinds.values["model-a"][kind], row)
    assert [d.condition.name for d in found.subtasks] == NOISY
    by_name = {d.condition.name: d for d in found.subtasks}
    assert "text" in by_name["adversarial"].groups
    for d in found.subtasks:
        for subtask, value in d.values["reference_a"].items():
            key = {"scenario": d.condition.name, "subtask": subtask, "metric": "difference"}
            assert same(value, only(snapshot, model="reference_a", **key))


def test_rows_of_one_damage_do_not_leak(snapshot: Snapshot, leaderboard: Leaderboard) -> None:
    metrics = snapshot.metrics.to_pylist()
    assert {r["severity"] for r in metrics} >= {"all", "0", "1", "5"}
    for model in leaderboard.models:
        for name in leaderboard.scenarios:
            row = only(snapshot, model=model, scenario=name, metric="headline")
            assert same(leaderboard.value(model, name, "headline"), row)


def test_attacks_tell_white_box_from_transfer(
    snapshot: Snapshot, leaderboard: Leaderboard, html: str
) -> None:
    (attack,) = attacks.build(snapshot, leaderboard)
    assert attack.reached == pytest.approx(EPSILON, abs=1e-3)
    assert attack.losses == pytest.approx((-0.8, 0.25))
    assert [(r.model, r.access) for r in attack.rows] == [
        ("hostile", "white-box"), ("reference_a", "white-box"), ("model-a", "transfer"),
        ("chance", "does not look"),
    ]  # fmt: skip
    for row in attack.rows:
        for kind, value in row.by_type.items():
            key = {"model": row.model, "scenario": "adversarial", "question_type": kind}
            if kind in ("short_answer", "structured"):  # nobody was asked any
                assert value is None
                continue
            assert same(value, only(snapshot, metric="difference", **key))
    total = only(snapshot, model="reference_a", scenario="adversarial", metric="difference")
    assert same(attack.rows[1].difference, total)
    assert "LM" in text_of(section(html)) and "<b>LM</b>" not in section(html)
    assert "8/255 (L∞)" in text_of(section(html))
    assert "from 0.800 to -0.250" in text_of(section(html))


def test_controls_stand_beside_chance(
    snapshot: Snapshot, leaderboard: Leaderboard, html: str
) -> None:
    found = robustness.build(snapshot, leaderboard).controls
    assert list(found) == CONTROLS
    for name, rows in found.items():
        for row in rows:
            for kind, guess in row.guesses.items():
                key = {"model": row.model, "scenario": name, "question_type": kind}
                above = only(snapshot, metric="above_chance", **key)
                assert same(guess.score, only(snapshot, metric="score", **key))
                assert same(guess.above, above)
                if above["low"] is not None:
                    assert guess.like_guessing == (above["low"] <= 0 <= above["high"])
    assert "Blind: chance lies inside all" in text_of(section(html))


def test_sentences_name_the_costliest_scenario(
    snapshot: Snapshot, leaderboard: Leaderboard
) -> None:
    found = robustness.build(snapshot, leaderboard)
    said = sentences(found, attacks.build(snapshot, leaderboard))
    for model in ("model-a", "reference_a"):
        rows = {
            name: only(snapshot, model=model, scenario=name, metric="difference") for name in NOISY
        }
        lost = {k: r["value"] for k, r in rows.items() if r["high"] < 0}
        worst = min(lost, key=lost.__getitem__)
        words = worst.replace("adversarial", "adversarial attack").replace("_", " ")
        expected = f", {model} loses most under {words}: {signed(lost[worst])} points"
        assert [s for s in said if expected in s], (expected, said)
    assert not [s for s in said if s.startswith("chance ")]
    row = only(snapshot, model="reference_a", scenario="adversarial", metric="difference")
    start = "Adversarial attack: reference_a, attacked through its own encoder, changes by "
    assert [s for s in said if s.startswith(start + signed(row["value"]))]
    key = {"scenario": "corruption_curve", "severity": "5", "metric": "difference"}
    row = only(snapshot, model="reference_a", **key)
    start = "At severity 5, over all kinds, corruption changes reference_a by "
    assert [s for s in said if s.startswith(start + signed(row["value"]))]


def test_records_that_lack_everything_are_told_all_the_same() -> None:
    empty = dict.fromkeys(("kind", "severity", "parameters", "printed_text", "epsilon", "proxy"))
    assert records.done(None) == records.done(empty) == []
    assert records.done(empty | {"kind": "haze"}) == ["Haze"]
    assert records.done(empty | {"kind": "x", "parameters": "[1", "epsilon": 0.5}) == [
        "changed by at most 127.5/255 (L∞)"
    ]
    l2 = {"kind": "x", "parameters": json.dumps({"norm": "L2"}), "epsilon": 0.5, "proxy": "p"}
    assert records.done(empty | l2) == ["changed by at most 0.5 (L2)", "proxy p"]


def test_hostile_records_stay_text(html: str) -> None:
    outline = Outline(html)
    assert outline.stack == []
    done = [p["printed"] for item in head(html)["items"] for p in item["pictures"]]
    assert PRINTED in done
    assert not [a for a in outline.attributes if a[1].startswith("on")]
    sources = [v for t, k, v in outline.attributes if t == "img" and k == "src"]
    assert all(v and v.startswith("data:") for v in sources)
    ids = [v for _, k, v in outline.attributes if k == "id"]
    assert len(ids) == len(set(ids))
    assert len(html.encode()) < 7 << 19


def test_hostile_model_names_stay_text(
    snapshot: Snapshot, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = '<b onclick=x>"m"</b>'
    rows = snapshot.metrics.to_pylist()
    rows = [r | {"model": name} if r["model"] == "model-a" else r for r in rows]
    path = tmp_path / "metrics.parquet"
    tables.write_rows(rows, path, tables.METRICS, "s")
    for file in ("comparisons.parquet", "costs.parquet", "vocabulary_audit.csv"):
        shutil.copy(snapshot.results / file, tmp_path)
    monkeypatch.setattr(illustrations, "shown", lambda params: [])
    other = Snapshot(snapshot.params, snapshot.data, tmp_path)
    outline = Outline(render(other, made / "results/dysca"))
    assert outline.stack == []
    assert not [a for a in outline.attributes if a[1].startswith("on")]
    assert f"{name} loses" in "".join(outline.words) or f"For {name} no" in "".join(outline.words)


def test_statistics_count_what_has_no_image(snapshot: Snapshot) -> None:
    lines = {s.label: s.value for s in statistics.table2(snapshot)}
    assert lines["Image resolution"] == "128\N{MULTIPLICATION SIGN}128"
    assert "Blind" not in lines
    assert int(lines["Print attack"].split()[0]) < int(lines["Clean"].split()[0])


@pytest.mark.parametrize("scenario", [*NOISY, *CONTROLS, "corruption_curve"])
def test_asked_is_what_models_were_asked(snapshot: Snapshot, scenario: str) -> None:
    folder = snapshot.data / "answers" / "model-a" / scenario
    answers = tables.read(folder, tables.ANSWERS)["question_id"].to_pylist()
    assert set(answers) == set(snapshot.asked[scenario]["question_id"].to_pylist())


@pytest.mark.long
def test_same_bytes_again_with_other_shards(made: Path, html: str, tmp_path: Path) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    schemas = {"images": tables.IMAGES, "answers": tables.ANSWERS, "scores": tables.SCORES}
    for name, schema in schemas.items():
        data = tmp_path / "data/dysca" / name
        for folder in sorted({p.parent for p in data.rglob("*.parquet")}):
            rows = tables.read(folder, schema)
            shutil.rmtree(folder)
            for i in range(0, max(len(rows), 1), 7):
                path = folder / tables.part_name(i // 7)
                tables.write(rows.slice(i, 7), path, schema, "s")
    snapshot = read(tmp_path, noisy_params())
    assert render(snapshot, tmp_path / "results/dysca") == html


def test_only_clean_says_how_to_get_more(tmp_path: Path) -> None:
    _, shown, html = small(tmp_path, params())
    assert not shown
    assert "scenarios.names" in section(html)
    assert "<table" not in section(html) and "<img" not in section(html)


def test_without_clean_there_are_scores_and_no_differences(tmp_path: Path) -> None:
    names = ["blind", "adversarial"]
    p = params(scenarios={"names": names, "noisy": noisy(*names)})
    snapshot, shown, html = small(tmp_path, p)
    leaderboard = Leaderboard(snapshot)
    found = robustness.build(snapshot, leaderboard)
    assert not found.clean and found.subtasks == [] and found.lines
    assert not shown
    assert "nothing to hold these scores against" in text_of(section(html))


@pytest.mark.long
def test_curves_come_from_the_corruption_where_there_is_no_other(tmp_path: Path) -> None:
    p = params(scenarios={"names": ["clean", "corruption"], "noisy": noisy("corruption")})
    snapshot, shown, html = small(tmp_path, p)
    leaderboard = Leaderboard(snapshot)
    found = robustness.build(snapshot, leaderboard)
    assert found.curves is not None and found.curves.condition.name == "corruption"
    assert shown == FIGURES
    assert "with other scenes at each severity" in text_of(section(html))
    assert "white-box" not in section(html) and "Perturbation" not in section(html)


def test_a_scale_is_told_step_by_step_and_is_no_corruption(tmp_path: Path) -> None:
    """A curve and a condition, each with the scores of the metrics beside the clean ones."""
    items = [
        {"name": "low", "kind": "resolution", "resolution": {"sides": [32, 64]}},
        {"name": "lower", "kind": "resolution", "resolution": {"sides": [48]}},
    ]
    p = params(scenarios={"names": ["clean", "low", "lower"], "noisy": items})
    snapshot, shown, html = small(tmp_path, p)
    leaderboard = Leaderboard(snapshot)
    assert leaderboard.curves == ["low"] and leaderboard.scenarios == ["clean", "lower"]
    found = robustness.build(snapshot, leaderboard)
    assert shown == {"robustness_subtasks"}
    assert found.kinds is None and found.curves is None and not found.highest
    assert {s.condition.name: s.names for s in found.scales} == {
        "lower": {"0": "clean", "1": "48 px"},
        "low": {"0": "clean", "1": "64 px", "2": "32 px"},
    }
    for scale in found.scales:
        for model, steps in scale.values.items():
            assert list(steps) == list(scale.names)
            for severity, change in steps.items():
                key = {"model": model, "scenario": scale.condition.name, "severity": severity}
                told = at(severity, scenario=scale.condition.name)
                assert same(change.score, only(snapshot, model=model, metric="headline", **told))
                assert (change.difference is None) == (severity == "0")
                if change.difference is not None:
                    assert same(change.difference, only(snapshot, metric="difference", **key))
    words = text_of(section(html))
    assert "Low: step by step" in words and "Lower: step by step" in words
    assert "Model Clean 64 px 32 px" in words and "By kind of corruption" not in words
    value = only(snapshot, model="reference_a", scenario="low", severity="2", metric="difference")
    said = f"Low: at 32 px, reference_a changes by {signed(value['value'])} points"
    assert said in words and "Severity" not in words
    done = [p["done"] for item in head(html)["items"] for p in item["pictures"] if p["done"]]
    assert done and all(each == ["Resolution", "48 \N{MULTIPLICATION SIGN} 48 px"] for each in done)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "\N{EN DASH}"), (0.04, "0.0"), (-0.04, "0.0"), (1.26, "+1.3"),
        (-3.0, "\N{MINUS SIGN}3.0"),
    ],
)  # fmt: skip
def test_differences_have_a_sign(value: float | None, text: str) -> None:
    assert signed(value) == text
