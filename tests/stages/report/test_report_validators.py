"""The report's section on validators: their quality, what was not answered, what they decided."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.analysis.validators import validated
from lvlmbench.stages.report import validators
from lvlmbench.stages.report.formatting import environment
from support.answer_tables import running_server
from support.costed import ledger_of
from support.examined import at, of_rows, small_exam
from support.report_pages import words
from support.validated import VALIDATOR_SERVER, checked, on_disk, truth, with_validator


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, list[Any], list[Any]]:
    """A snapshot in which a validator decides, and the rows of its two tables."""
    folder, small = tmp_path_factory.mktemp("validated"), small_exam()
    arguments = ["--truth", str(truth(small, folder, 2)), "--ways", "valid,valid,valid,sorry",
                 "--misses", "0.3", "--alarms", "0.1"]  # fmt: skip
    with (
        pytest.MonkeyPatch.context() as patch,
        running_server(*arguments, script=VALIDATOR_SERVER) as url,
    ):
        patch.setenv("LVLMBENCH_CACHE_DIR", str(folder))
        params = with_validator(small.params, at(url), deciding=["eye"], planted=2, repairs=0)
        rows, calls = checked(params, on_disk(small, folder), folder)

    def read(table: tables.Table, columns: list[str], **names: str) -> pa.Table:
        assert names == {"validator": "eye"}
        found = rows if table is tables.CHECK_ANSWERS else calls
        return table.of(found).select(columns)

    ledger = ledger_of(folder, tables.CHECK_REQUESTS, "eye", calls)
    return SimpleNamespace(params=params, read=read, **ledger), rows, calls


def _page(found: list[validators.Seen]) -> str:
    page = environment().get_template("validators.html.j2")
    return page.render(validators=found, validator_groups=validators.GROUPS)


def test_numbers_are_those_of_the_tables(made: tuple[Any, list[Any], list[Any]]) -> None:
    snapshot, rows, calls = made
    [one] = validators.build(snapshot)
    assert one.found == validated(rows)
    assert one.found.statuses == Counter(row["status"] for row in rows)
    assert one.found.statuses["malformed"] and one.calls == len(
        {row["request_sha256"] for row in calls}
    )
    assert one.cost == pytest.approx(of_rows(calls))
    assert one.decides
    text = words(_page([one]))
    everything = one.lines("all")[0]
    assert everything.recall is not None and everything.defects > 20
    for share in (everything.recall, everything.alarms, everything.precision):
        assert share is not None
        assert f"{100 * share.value:.1f}" in text and f"n {share.n}" in text
    assert f"malformed {one.found.statuses['malformed']}" in text
    assert "It also looked at each attempt while pictures were drawn" in text
    for name in ("Planted", "Own", "Counting", "Spatial understanding"):
        assert name in text


def test_what_servers_say_is_escaped_and_who_decides_nothing_is_told(
    made: tuple[Any, list[Any], list[Any]],
) -> None:
    [one] = validators.build(made[0])
    html = _page([replace(one, served=["<script>alert(1)</script>"], decides=False)])
    assert "<script>alert" not in html and "It decided nothing." in words(html)
    silent = validated([row for row in made[1] if row["status"] != "answered"])
    assert silent is not None and silent.quality == [] and silent.alignment is None
    assert "<table" not in _page([replace(one, found=silent)])


def test_without_rows_there_is_no_section() -> None:
    none = SimpleNamespace(
        params=SimpleNamespace(validator=SimpleNamespace(validators=[SimpleNamespace(name="eye")])),
        read=lambda table, columns, validator: table.empty_table(columns),
    )
    assert validators.build(none) == []  # type: ignore[arg-type]
