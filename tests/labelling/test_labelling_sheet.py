"""Sheets: what is on them, what is not, and that a draw depends on items alone."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import kinds_of
from lvlmbench.labelling.kinds.removals import removals
from lvlmbench.labelling.page import write_page
from lvlmbench.labelling.sheet import SHEETS, Item, counts, drawn
from lvlmbench.snapshot.reader import Snapshot
from support.report_pages import read, shared
from support.report_snapshot import params


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return read(shared(tmp_path_factory))


def items_of(n: int, group: str) -> list[Item]:
    return [Item.of((f"{i:032x}", f"{i:064x}"), "asks", ["line"], group) for i in range(n)]


def test_items_are_those_that_cleaning_judged(snapshot: Snapshot) -> None:
    found = counts(removals(snapshot))
    left = set(snapshot.rendered.filter(snapshot.rendered["keep"])["scene_id"].to_pylist())
    n_images = len(left)
    for name, verdicts in snapshot.filtered.items():
        gone = {row["scene_id"] for row in verdicts.to_pylist() if not row["keep"]} & left
        left -= gone
        assert gone, "the made-up filters remove something each"
        label = kinds_of("filters").get(name, "").words
        assert found[f"images that the filter {label} removed"] == len(gone)
    assert found["images that all filters kept"] == len(left)
    assert sum(n for group, n in found.items() if group.startswith("images")) == n_images
    dropped = [row for row in snapshot.consensus.to_pylist() if not row["keep"]]
    assert found["questions that the consensus dropped"] == len(dropped) > 0
    n_questions = sum(n for group, n in found.items() if group.startswith("questions"))
    assert n_questions == len(snapshot.consensus)


def test_a_question_is_shown_with_the_answer_that_counts(snapshot: Snapshot) -> None:
    asked = {(row["question"], *row["options"]): row for row in snapshot.questions.to_pylist()}
    shown = [item for item in removals(snapshot) if item.group.startswith("questions")]
    for item in shown:
        question, *options, answer = item.lines
        texts = [option.partition(" ")[2] for option in options]
        assert (question, *texts) in asked
        assert answer.removeprefix("Answer: ") in options


def test_another_image_or_wording_is_another_item() -> None:
    first = Item.of(("a", "1"), "asks", ["x", "y"], "group")
    assert first.item_id == Item.of(("other id", "1"), "asks", ["x", "y"], "other").item_id
    for other in (
        Item.of(("a", "2"), "asks", ["x", "y"], "group"),
        Item.of(("a", "1"), "asks", ["xy"], "group"),
        Item.of(("a", "1"), "asks other", ["x", "y"], "group"),
    ):
        assert other.item_id != first.item_id


def test_a_draw_depends_on_items_and_seed_alone() -> None:
    items = items_of(40, "many") + items_of(3, "few")
    chosen = drawn(items, 10, 1)
    mixed = list(items)
    random.Random(0).shuffle(mixed)
    assert drawn(mixed, 10, 1) == chosen != drawn(items, 10, 2)
    assert counts(chosen) == {"many": 10, "few": 3} or counts(chosen) == {"few": 3, "many": 10}
    assert set(chosen) < set(drawn(items, 20, 1))
    # Groups do not stand together.
    assert [item.group for item in chosen] != sorted(item.group for item in chosen)
    assert [item.group for item in chosen] != sorted((i.group for i in chosen), reverse=True)


def test_a_sheet_tells_nothing_of_what_was_done(snapshot: Snapshot, tmp_path: Path) -> None:
    known = removals(snapshot)
    items = drawn(known, 5, 3)
    out = tmp_path / "sheet.html"
    write_page(snapshot, SHEETS.get("removals", ""), items, out)
    page = out.read_text()
    held = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert held is not None
    data = json.loads(held[1])
    assert [item["id"] for item in data["items"]] == [item.item_id for item in items]
    assert {key for item in data["items"] for key in item} == {"id", "image", "asks", "lines"}
    for group in counts(known):
        assert group not in page
    # What is shown never ends the element that holds it, and its image is the very file.
    assert "<b>" not in held[1] and "</" not in held[1]
    assert set(data["pictures"]) == {item.image_id for item in items}
    assert not re.search(r'\b(src|href)="?(https?:)?//', page)


def test_a_sheet_is_never_written_over(snapshot: Snapshot, tmp_path: Path) -> None:
    out = tmp_path / "sheet.html"
    out.write_text("mine")
    with pytest.raises(UserError, match="is there already"):
        write_page(snapshot, SHEETS.get("removals", ""), removals(snapshot)[:2], out)
    assert out.read_text() == "mine"
    with pytest.raises(UserError, match="nothing for the sheet"):
        write_page(snapshot, SHEETS.get("removals", ""), [], tmp_path / "other.html")


def test_without_clean_images_there_is_nothing_to_label(snapshot: Snapshot) -> None:
    noisy = {"names": ["corruption"], "noisy": [{"name": "corruption"}]}
    without = Snapshot(params(scenarios=noisy), snapshot.data, snapshot.results)
    assert removals(without) == []
