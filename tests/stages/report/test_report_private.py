"""Pictures of a user's own data: in no page, unless the parameters ask for them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.analysis import funnel
from lvlmbench.config import Params
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import item_pages
from lvlmbench.stages.report.talked import _why_not
from lvlmbench.suites.dialogue import TASKS
from support.report_pages import SUITE, head, read, render, section, words
from support.report_snapshot import params


@pytest.fixture(params=[False, True], ids=["by default", "report.private"])
def asked_for(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the pictures of the suite, here a private one, are asked for."""
    monkeypatch.setattr(Params, "private", property(lambda self: True))
    return bool(request.param)


def with_report(**report: Any) -> Params:
    data = params().model_dump(mode="json")
    return Params(**{**data, "report": {**data["report"], **report}})


def test_the_report_shows_them_if_asked(made: Path, asked_for: bool) -> None:
    html = render(read(made, with_report(private=asked_for)), made / "results" / SUITE)
    shown = [p["p"] for item in head(html)["items"] for p in item["pictures"]]
    assert any(p is not None for p in shown) == asked_for
    assert ("data:image/jpeg" in html) == asked_for
    told = words(section(html, "browser"))
    assert ("The pictures are a user's own and are not shown" in told) != asked_for
    assert ("its pictures in every scenario" in told) == asked_for


def test_item_pages_show_them_if_asked(made: Path, asked_for: bool) -> None:
    snapshot = read(made, with_report(private=asked_for, full=True))
    pages = list(item_pages.render(snapshot))
    assert pages
    for _, html in pages:
        shown = [p["p"] for item in head(html)["items"] for p in item["pictures"]]
        assert any(p is not None for p in shown) == asked_for
        assert ("are not shown" in words(section(html, "browser"))) != asked_for


def taken(snapshot: Snapshot) -> Snapshot:
    """The same with the pictures taken from files, as those of a user's own suite are."""

    def given(table: pa.Table) -> pa.Table:
        at = table.column_names.index("renderer")
        return table.set_column(at, "renderer", pa.array([tables.GIVEN] * len(table)))

    vars(snapshot)["images"] = {name: given(table) for name, table in snapshot.images.items()}
    vars(snapshot)["attempts"] = given(snapshot.attempts)
    return snapshot


def test_pictures_that_are_given_were_not_drawn(made: Path) -> None:
    """Nothing says that they were drawn or measured: the truth is what their owner says."""
    html = render(taken(read(made)), made / "results" / SUITE)
    told = words(html)
    kinds = re.findall(r"Truth: <b>([^<]*)</b>", html)
    assert len(kinds) >= 5 and {*kinds} == {"given, annotated by their owner"}
    for claim in (
        "drawn from their scenes",
        "from vector art",
        "generated image",
    ):
        assert claim not in told, claim
    assert '<section id="styles"' not in html
    assert "none was drawn" in told and "each in its own size" in told
    assert funnel.build(taken(read(made))).steps[1].label != "Rendered"


def test_tasks_that_the_data_do_not_ask_are_not_asked() -> None:
    task = next(task for task in TASKS.values() if task.decided == "not drawn")
    assert "not drawn" in _why_not(task, 0, given=False)
    assert _why_not(task, 0, given=True) == "not asked"
