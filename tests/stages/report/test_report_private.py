"""Pictures of a user's own data: in no page, unless the parameters ask for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Params
from lvlmbench.stages.report import item_pages
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
