"""What the report shows of data cleaning: filters, their examples, the vocabulary audit."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.analysis import funnel
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.config import validate
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.scene.exclusion import EXCLUDED
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import legend
from lvlmbench.stages.report import audit, filters
from lvlmbench.stages.report.examples import SHOWN, Ruling, pairs, removed
from support.report_pages import head, page_of, read, run, words
from support.report_snapshot import CUT, LIMIT, READ, audit_rows, build, params


def ruling(i: int, score: float | None, *, keep: bool, subtask: str = "animal",
           reason: str | None = None, threshold: float = LIMIT) -> Ruling:  # fmt: skip
    limit = None if score is None else threshold
    return Ruling(f"i{i:03}", f"s{i:03}", subtask, score, limit, keep, reason, None)


RULINGS = st.lists(
    st.builds(
        lambda score, subtask, scored, reason: (score if scored else None, subtask, reason),
        st.integers(0, 20).map(lambda v: v / 20), st.sampled_from(["animal", "food", "text"]),
        st.booleans(), st.sampled_from(["undecodable", "constant"]),
    ),
    max_size=30,
)  # fmt: skip


@given(RULINGS, st.booleans(), st.randoms(use_true_random=False))
def test_examples_are_the_extremes_whatever_the_order(
    drawn: list[tuple[float | None, str, str]], high_is_good: bool, rng: object
) -> None:
    """A score may be a likeness (high is good) or a distance; the order of rows means nothing."""
    rulings = [
        ruling(
            i,
            score,
            subtask=subtask,
            reason=reason,
            threshold=0.5,
            keep=i % 3 > 0 if score is None else (score >= 0.5 if high_is_good else score <= 0.5),
        )
        for i, (score, subtask, reason) in enumerate(drawn)
    ]
    found = pairs(rulings)
    mixed = list(rulings)
    rng.shuffle(mixed)  # type: ignore[attr-defined]
    assert pairs(mixed) == found
    out = [p.removed for p in found if p.removed is not None]
    assert len(out) == min(SHOWN, sum(not r.keep for r in rulings))
    scored = [r for r in out if r.margin is not None]
    left = [r for r in rulings if not r.keep and r.margin is not None and r not in scored]
    if scored and left:
        assert min(r.margin or 0 for r in scored) >= max(r.margin or 0 for r in left)
    beside = [p.kept for p in found if p.kept is not None]
    assert len(set(beside)) == len(beside) and all(r.keep for r in beside)
    if any(r.keep and r.margin is not None for r in rulings):
        assert all(r.margin is not None for r in beside)


def test_undecodable_images_have_a_place_among_the_scored() -> None:
    rows = [ruling(i, i / 100, keep=False) for i in range(9)]
    rows += [ruling(20 + i, None, keep=False, reason="undecodable") for i in range(5)]
    assert [r.scene_id for r in removed(rows)] == ["s000", "s001", "s002", "s020"]
    assert [r.scene_id for r in removed(rows[8:])] == ["s008", "s020", "s021", "s022"]


def test_reasons_take_turns_where_nothing_is_scored() -> None:
    reasons = ["constant"] * 6 + ["undecodable"] * 2
    rows = [ruling(i, None, keep=False, reason=r) for i, r in enumerate(reasons)]
    assert [r.scene_id for r in removed(rows)] == ["s000", "s006", "s001", "s007"]


def test_a_kept_image_of_the_same_subtask_stands_beside() -> None:
    rows = [
        ruling(0, 0.1, keep=False, subtask="food"), ruling(1, 0.2, keep=False, subtask="plant"),
        ruling(2, 0.32, keep=True), ruling(3, 0.5, keep=True, subtask="food"),
        ruling(4, 0.4, keep=True, subtask="food"), ruling(5, None, keep=True, subtask="plant"),
    ]  # fmt: skip
    beside = [p.kept.scene_id for p in pairs(rows) if p.kept]
    assert beside == ["s004", "s002"]  # nearest of its kind; else the nearest of any


def test_filters_are_counted_in_turn(snapshot: Snapshot) -> None:
    integrity, clip, ocr = filters.build(snapshot)
    assert (integrity.engine, clip.engine, ocr.engine) == (None, "reference_a", "rapidocr")
    assert (integrity.own, clip.own, ocr.own) == (False, True, False)
    assert clip.seen == integrity.seen - integrity.removed
    assert ocr.seen == clip.seen - clip.removed
    assert clip.thresholds == [LIMIT]
    here = snapshot.filtered["clip"]
    kept = snapshot.filtered["integrity"].filter(snapshot.filtered["integrity"]["keep"])
    here = here.filter(pc.is_in(here["scene_id"], value_set=kept["scene_id"]))
    assert clip.notes == [(CUT, pc.sum(pc.equal(here["note"], CUT)).as_py())]
    assert integrity.histogram is None and integrity.notes == []
    assert "undecodable" not in {e.ruling.reason for pair in clip.examples for e in pair if e}


def test_pictures_of_examples_and_a_gap_for_what_cannot_be_shown(snapshot: Snapshot) -> None:
    shown = [e for f in filters.build(snapshot) for pair in f.examples for e in pair if e]
    assert {e.ruling.reason for e in shown if e.thumbnail is None} == {"undecodable"}
    assert sum(e.thumbnail is not None for e in shown) > 10
    for example in shown:
        if example.thumbnail:
            assert example.thumbnail.startswith("data:image/jpeg;base64,")


def test_text_of_verdicts_is_shown_and_harmless(made: Path) -> None:
    html = (made / "results" / "report.html").read_text()
    for text in (READ, CUT, "<b>owl</b>"):
        assert text in words(html)
        assert text not in html
    assert "no image can be shown" in html


def test_histogram_counts_all_scores_and_marks_the_threshold() -> None:
    rows = [ruling(i, i / 100, keep=i >= 31) for i in range(100)]
    found = filters.histogram([*rows, ruling(200, None, keep=True)])
    assert found is not None and (found.low, found.high) == (0.0, 0.99)
    most = max(c.kept + c.removed for c in found.columns)
    assert most == pytest.approx(1)
    assert found.limit == pytest.approx(LIMIT / 0.99)
    removed_share = sum(c.removed for c in found.columns)
    assert removed_share / sum(c.kept + c.removed for c in found.columns) == pytest.approx(0.31)
    same = filters.histogram([ruling(i, 0.0, keep=True, threshold=0.0) for i in range(3)])
    assert same is not None and [c.kept for c in same.columns] == [1.0] and same.limit is None
    assert filters.histogram([ruling(1, None, keep=True)]) is None


def test_notes_of_single_images_are_counted_together() -> None:
    texts = ["text cut"] * 5 + ["read 'a'", "read 'b'", None, "cut here", "cut here"]
    rows = [replace(ruling(i, 0.5, keep=True), note=text) for i, text in enumerate(texts)]
    assert filters.notes(rows) == ([("text cut", 5), ("cut here", 2)], 2)
    assert filters.notes(rows[7:8]) == ([], 0)
    many = [replace(ruling(i, 0.5, keep=True), note=f"note {i % 20:02}") for i in range(60)]
    shown, others = filters.notes(many)
    assert [n for n, _ in shown] == [f"note {i:02}" for i in range(filters.MAX_NOTES)]
    assert others == 60 - 3 * filters.MAX_NOTES


def test_engines_are_named_as_the_parameters_name_them() -> None:
    spec = FilterSpec.model_validate(
        {"name": "b", "kind": "clip", "clip": {"engine": "ViT-L-14", "pretrained": "openai"}}
    )
    assert filters.engine(spec) == "ViT-L-14/openai"
    assert filters.engine(FilterSpec.model_validate({"name": "safety"})) == "nudenet"


def test_no_filter_and_no_reference_make_a_page_too(made: Path, tmp_path: Path) -> None:
    p = params()
    data = p.model_dump(mode="json")
    data["filter"] = {"filters": []}
    data["vocabulary"] = {"exclude": {}}
    data["answer"]["models"] = [m for m in data["answer"]["models"] if m["name"] != "reference_a"]
    p = validate(data)
    build(tmp_path, p, counted=("model-a", "hostile"))
    html = page_of(tmp_path, made, p)
    # Without filters nothing keeps the broken image out: its item has no picture to show.
    assert any(p["p"] is None for item in head(html)["items"] for p in item["pictures"])
    text = words(html)
    assert "No filter was configured" in text
    assert "trained on pictographs" not in text
    assert "vocabulary.exclude. What" not in text


def test_an_excluded_subtask_is_not_called_undrawable(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "data/dysca", tmp_path / "data")
    animals = set(
        (s := read(made).scenes).filter(pc.equal(s["subtask"], "animal"))["scene_id"].to_pylist()
    )
    rows = [
        row | {"keep": False, "reason": f"{EXCLUDED}: animal 'red fox'"}
        if row["scene_id"] in animals
        else row
        for row in read(made).rendered.to_pylist()
    ]
    folder = tmp_path / "data" / "verdicts" / "render"
    shutil.rmtree(folder)
    tables.write_rows(rows, folder / "part-00000.parquet", tables.VERDICTS, "s")
    found = funnel.build(Snapshot(params(), tmp_path / "data", made / "results/dysca"))
    assert "animal" not in found.undrawn_subtasks
    assert found.n_excluded == 3


# Vocabulary audit


def test_audit_lists_the_worst_proposed(snapshot: Snapshot) -> None:
    found = audit.build(snapshot)
    assert (found.proposed, found.audited, len(found.entries)) == (25, 30, audit.MAX_ENTRIES)
    excesses = [e.excess for e in found.entries]
    assert excesses == sorted(excesses, reverse=True)
    first = found.entries[0]
    assert (first.label, first.role, first.n, first.n_wrong) == ("<b>owl</b>", "foreground", 40, 36)
    assert first.by == (("clip", 32), ("ocr", 1), ("consensus", 3))
    assert (first.others, first.line) == (1.0, "animal: [<b>owl</b>]")
    assert found.entries[1].excluded and not first.excluded


def test_audit_without_a_proposal_shows_what_comes_closest(made: Path, tmp_path: Path) -> None:
    build(tmp_path, proposed=0)
    found = audit.build(read(tmp_path))
    assert found.proposed == 0 and len(found.entries) == audit.MAX_OTHERS
    assert "these come closest" in words(page_of(tmp_path, made))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("lines", [None, ["label,n", "owl,3"], [*audit_rows(0), "animal,x"]])
def test_a_damaged_audit_is_named_in_one_line(
    made: Path, tmp_path: Path, lines: list[str] | None
) -> None:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "results/dysca/vocabulary_audit.csv"
    path.unlink()
    if lines is not None:
        path.write_text("\n".join(lines) + "\n")
    done = run(tmp_path, "--out", "results/again.html")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "results/dysca/vocabulary_audit.csv" in done.stderr
    assert not (tmp_path / "results" / "again.html").exists()


def test_charts_show_reference_models(snapshot: Snapshot) -> None:
    shown = legend.shown_models(Leaderboard(snapshot), "clean")
    assert shown == ["model-a", "hostile", "reference_a", "chance"]
