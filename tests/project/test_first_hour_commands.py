"""What a newcomer types: README and its pages have no command that the long test does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.documents.reading import commands, example
from support.first_hour.script import ALSO, ELSEWHERE, LEFT_OUT, PAGES, README
from support.first_hour.tasks import TASKS

ROOT = Path(__file__).resolve().parents[2]
KNOWN = {*(said for said, _ in README), *ALSO, *ELSEWHERE, *LEFT_OUT}


def test_the_readmes_commands_are_those_that_are_tried() -> None:
    assert commands("README.md") == [said for said, _ in README]
    text = (ROOT / "README.md").read_text(encoding="utf-8").replace("\n", " ")
    assert all(f"`{command}`" in text for command in ELSEWHERE)


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_its_pages_are_tried_or_say_why_not(page: str) -> None:
    assert [each for each in commands(page) if each not in KNOWN] == []


def test_nothing_is_left_out_that_no_page_names() -> None:
    named = {each for page in PAGES for each in commands(page)}
    assert {*LEFT_OUT} <= named


def test_the_first_hour_has_a_row_for_each_task() -> None:
    page = (ROOT / "docs/first-hour.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")]
    assert [task.name for task in TASKS if task.name not in rows] == []


def test_each_task_says_what_may_run_and_why() -> None:
    assert len({task.name for task in TASKS}) == len(TASKS)
    assert all(task.typed and task.why for task in TASKS)
    assert example("A corruption").startswith("import")
    with pytest.raises(ValueError, match="has no rust below"):
        example("A corruption", "rust")
