"""Sheets of an exam: what stands on them, and five scripted raters from files to numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pytest

from lvlmbench.commands.main import main
from lvlmbench.labelling.agreement import Agreement
from lvlmbench.labelling.kinds.checks import checks
from lvlmbench.labelling.kinds.descriptions import descriptions
from lvlmbench.labelling.kinds.questions import questions
from lvlmbench.labelling.page import write_page
from lvlmbench.labelling.sheet import SHEETS, Item, counts, drawn
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import people
from support.exam.made import Exam
from support.exam.snapshot import small_exam, written
from support.report_pages import read, shared

RATERS = ("anna", "ben", "carl", "dora", "eva")


class Site(NamedTuple):
    """An exam on disk, and where labels of it are kept."""

    exam: Exam
    root: Path
    labels: Path
    snapshot: Snapshot

    def form(self, sheet: str, rater: str, labels: dict[str, str], **changes: Any) -> Path:
        data = {
            "format": "lvlmbench-labels-1", "sheet": sheet, "suite": "autodavis", "rater": rater,
            "labels": {item: {"label": label} for item, label in labels.items()},
        }  # fmt: skip
        path = self.root / f"{sheet}-{rater}.json"
        path.write_text(json.dumps(data | changes))
        return path

    def take_in(self, *files: Path) -> None:
        main(["label", "import", *map(str, files), "--snapshot", str(self.root)])

    def found(self, sheet: str) -> Agreement:
        found = people.build(self.snapshot, self.labels)[sheet]
        assert found is not None
        return found


@pytest.fixture(scope="module")
def exam() -> Exam:
    return small_exam()


@pytest.fixture
def site(tmp_path: Path, exam: Exam) -> Site:
    root = tmp_path / "snapshot"
    root.mkdir()
    return Site(exam, root, tmp_path / "labels", written(exam, root, tmp_path / "labels"))


def test_each_description_is_judged_in_three_ways(site: Site) -> None:
    found = descriptions(site.snapshot)
    described = {row["scene_id"]: row for row in site.exam.descriptions.to_pylist()}
    scenes = site.exam.images["scene_id"].to_pylist()
    assert len(found) == 3 * len(scenes) > 0
    levels = ["easy", "medium", "hard"]
    rated = ["shown as described", "specific and clear", "of its aspect"]
    assert list(counts(found)) == [f"{what}: {level}" for what in rated for level in levels]
    for item in found:
        row = described[item.together]
        assert item.lines[-1] == row["description"]
        named = f"Aspect: {row['called']} ({row['general']})" in item.lines
        assert named == item.group.startswith("of its aspect")
    order = [item.together for item in drawn(found, 5, 1)]
    assert order[::3] == order[1::3] == order[2::3]  # a picture's items stand side by side


def test_a_question_is_asked_without_its_answer(site: Site, tmp_path: Path) -> None:
    found = questions(site.snapshot)
    asked = {row["question_id"]: row for row in site.exam.questions.to_pylist()}
    assert len(found) == 2 * len(asked) > 0
    for item in found[: len(asked)]:
        row = asked[item.together]
        assert item.lines == (row["question"],)
        letter = "abcd"[row["answer_index"]]
        assert item.right == letter
        assert dict(item.says)[letter] == f"({letter.upper()}) {row['answer']}"
        assert item.labels == ("a", "b", "c", "d", "unclear")
    out = tmp_path / "sheet.html"
    write_page(site.snapshot, SHEETS.get("questions", ""), found, out)
    data = json.loads(out.read_text().split('id="data">')[1].split("</script>")[0])
    assert {key for item in data["items"] for key in item} == {
        "id", "image", "asks", "lines", "says",
    }  # fmt: skip
    # What stands there of a question is the same wherever its right option is.
    table = site.exam.questions
    other = pa.array([(n + 1) % 4 for n in table["answer_index"].to_pylist()], pa.int8())
    at = table.schema.get_field_index("answer_index")
    moved = site.exam.__class__(**vars(site.exam) | {
        "questions": table.set_column(at, table.schema.field(at), other)
    })  # fmt: skip
    again = tmp_path / "again"
    again.mkdir()
    assert [i.item_id for i in questions(written(moved, again, site.labels))] == [
        item.item_id for item in found
    ]


def test_a_check_is_answered_anew(site: Site) -> None:
    found = checks(site.snapshot)
    told = {(row["question"], row["options"][row["answered_index"]])
            for row in site.exam.validation.to_pylist()}  # fmt: skip
    assert {(i.lines[0], dict(i.says)[i.right].partition(" ")[2]) for i in found} == told
    assert counts(found) == {"checks of spatial understanding": len(found)}


#: What five raters say of four questions: the right option, a wrong one, or nothing.
PICKS = ("RRRRR", "RRRWW", "RRWWU", "WWWRU")
#: What they say of four descriptions: yes or no.
VERDICTS = ("YYYYY", "YYYYN", "YYYNN", "YNNNN")


def _picked(item: Item, said: str) -> str:
    wrong = next(label for label in item.labels if label != item.right)
    return {"R": item.right, "W": wrong, "U": "unclear"}[said]


def test_five_raters_of_questions_give_the_rates_worked_out_by_hand(site: Site) -> None:
    items = [item for item in questions(site.snapshot) if item.right][:4]
    site.take_in(*(
        site.form("questions", name, {
            item.item_id: _picked(item, said[n])
            for item, said in zip(items, PICKS, strict=True)
        })
        for n, name in enumerate(RATERS)
    ))  # fmt: skip
    found = site.found("questions")
    assert found.raters == [(name, 4) for name in RATERS] and found.elsewhere == 0
    groups = [group for group in found.groups if group.labelled]
    assert all(group.answered for group in groups)
    totals = [sum(getattr(g, name) for g in groups) for name in ("right", "wrong", "unclear")]
    assert totals == [2, 1, 1]
    assert sum(g.said["right"] for g in groups) == pytest.approx(1 + 0.6 + 0.4 + 0.2)
    assert sum(g.said["unclear"] for g in groups) == pytest.approx(0.2 + 0.2)
    (asked,) = found.asked
    assert (asked.kappa.items, asked.kappa.raters, asked.alpha.items) == (4, 5, 4)


def test_five_raters_of_descriptions_give_the_kappa_worked_out_by_hand(site: Site) -> None:
    items = descriptions(site.snapshot)[:4]
    labels = {"Y": "right", "N": "wrong"}
    site.take_in(*(
        site.form("descriptions", name, {
            item.item_id: labels[said[n]] for item, said in zip(items, VERDICTS, strict=True)
        })
        for n, name in enumerate(RATERS)
    ))  # fmt: skip
    found = site.found("descriptions")
    assert sum(g.right for g in found.groups) == 3 and sum(g.wrong for g in found.groups) == 1
    # (1 + 0.6 + 0.4 + 0.6) / 4 of the pairs agree, (13² + 7²) / 20² by chance.
    assert found.asked[0].kappa.value == pytest.approx((0.65 - 0.545) / (1 - 0.545), abs=1e-6)


def test_wrong_files_are_one_line_and_nothing_is_kept(
    site: Site, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = questions(site.snapshot)
    pick = next(item.item_id for item in asked if item.right)
    clear = next(item.item_id for item in asked if not item.right)
    for sheet, labels, part in (
        ("descriptions", {pick: "a"}, "1 of 1 labels are of no item of this snapshot"),
        ("questions", {"d" * 32: "right"}, "1 of 1 labels are of no item of this snapshot"),
        ("questions", {pick: "right"}, "cannot be labelled 'right'; use one of: a, b, c, d, un"),
        ("questions", {pick: "e"}, "cannot be labelled 'e'"),
        ("questions", {clear: "a"}, "cannot be labelled 'a'; use one of: right, wrong, unclear"),
        ("questions", {clear: "ab"}, "is no label"),
    ):
        with pytest.raises(SystemExit):
            site.take_in(site.form(sheet, "anna", labels))
        (line,) = capfd.readouterr().err.strip().splitlines()
        assert part in line, line
    assert not site.labels.exists()


def test_other_suites_have_questions_but_no_descriptions(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    snapshot = read(shared(tmp_path_factory))
    assert descriptions(snapshot) == checks(snapshot) == []
    assert {*people.build(snapshot, None)} >= {"removals", "questions"}
    assert not {*people.build(snapshot, None)} & {"descriptions", "checks"}
    assert any(item.right for item in questions(snapshot))
