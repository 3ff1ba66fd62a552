"""What the report shows of judges, and that its stage declares what that is read from."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import judged
from lvlmbench.stages.report.stage import STAGE
from support.report_pages import SUITE, render


def test_pairs_are_told_with_what_the_first_place_is_worth(snapshot: Snapshot, html: str) -> None:
    found = judged.build(snapshot)
    scored = [each.pairs for each in found if each.pairs is not None and each.pairs.scored]
    assert scored and len(scored) <= len(found)
    for each in scored:
        # The judge of the tests adds a point to whoever is shown first, and likes what is long.
        assert each.bias is not None and each.bias.value == pytest.approx(1.0)
        assert each.wins is not None and each.wins.n == each.scored
    for each in found:
        assert each.pairs is not None
        assert each.pairs.scored + each.pairs.unscored == each.answers
    assert "Worth of the first place" in html


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
