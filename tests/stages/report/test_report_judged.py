"""What the report shows of judges, and that its stage declares what that is read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import judged
from lvlmbench.stages.report.stage import STAGE
from support.report_pages import SUITE, render, section, words


def test_judges_are_told_with_counts_alone(snapshot: Snapshot, html: str) -> None:
    """Shares stand in the section on hallucination, so that no page has two of one name."""
    found = judged.build(snapshot)
    assert found and all(each.claims >= each.sums["wrong_claims"] for each in found)
    text = words(section(html, "judges")).partition("How good the judges are")[0]
    assert "Wrong" in text and "Faithfulness \N{UPWARDS ARROW}" not in text


def test_the_stage_declares_the_tables_that_the_report_reads(
    snapshot: Snapshot, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A job is given what its stage declares and nothing more."""
    read: set[tables.Table] = set()
    parts = Snapshot.parts

    def noted(self: Snapshot, table: tables.Table, **names: str) -> list[Path]:
        read.add(table)
        return parts(self, table, **names)

    monkeypatch.setattr(Snapshot, "parts", noted)
    render(snapshot, made / "results" / SUITE)
    ours = [table for table in read if table.root != tables.RESULTS]
    declared = {each.removeprefix("data/{suite}/") for each in STAGE.reads}
    assert len(ours) > 5
    assert {table.place.partition("/")[0] for table in ours} <= declared
