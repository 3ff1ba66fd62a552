"""Accessibility of the pages: axe-core finds nothing serious in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import files
from pathlib import Path

import pytest

from support.chromium import Page, browser
from support.report_pages import shared

pytestmark = [pytest.mark.browser, pytest.mark.long]

#: Impacts of axe-core that a user cannot be left with.
SERIOUS = ("serious", "critical")
#: What is done before looking.
OPEN = "document.querySelectorAll('details').forEach(d => { d.open = true; })"
#: Widths of the window, and color schemes.
LOOKS = [
    (1280, "dark"),
    pytest.param(1280, "light", marks=pytest.mark.long),
    pytest.param(390, "light", marks=pytest.mark.long),
]


@pytest.fixture(scope="module")
def axe() -> str:
    (path,) = (f for f in files("axe-playwright-python") or [] if f.name == "axe.min.js")
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared(tmp_path_factory, noisy=True) / "results"


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Page]:
    with browser(chromium, tmp_path_factory.mktemp("profile")) as page:
        yield page


def look(tab: Page, page: Path, width: int, scheme: str) -> None:
    tab.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
             mobile=False)  # fmt: skip
    feature = [{"name": "prefers-color-scheme", "value": scheme}]
    tab.call("Emulation.setEmulatedMedia", features=feature)
    tab.open(page)


def violations(tab: Page, axe: str) -> list[str]:
    """What axe-core finds, a line each."""
    if not tab.run("typeof axe === 'object'"):
        tab.run(f"(() => {{ {axe} }})()")
    options = {"resultTypes": ["violations"]}
    found = tab.run(f"axe.run(document, {json.dumps(options)}).then(r => r.violations)")
    assert tab.run("typeof axe.version === 'string'")
    return [
        f"{v['id']} ({v['impact']}): {node['target']} {node['html'][:200]}"
        for v in found
        for node in v["nodes"]
        if v["impact"] in SERIOUS
    ]


@pytest.mark.long
@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_report(tab: Page, axe: str, results: Path, width: int, scheme: str) -> None:
    look(tab, results / "report.html", width, scheme)
    tab.wait("document.querySelectorAll('#browser-cards > *').length > 0")
    tab.run(OPEN)
    assert violations(tab, axe) == []


@pytest.mark.long
def test_open_item(tab: Page, axe: str, results: Path) -> None:
    look(tab, results / "report.html", 390, "dark")
    tab.wait("document.querySelectorAll('#browser-cards > *').length > 0")
    tab.run("document.querySelector('#browser-cards a').click()")
    tab.wait("!document.getElementById('browser-item').hidden")
    tab.run(OPEN)
    assert violations(tab, axe) == []


@pytest.mark.parametrize(("width", "scheme"), [LOOKS[0], (390, "dark")])
def test_run_page(tab: Page, axe: str, results: Path, width: int, scheme: str) -> None:
    look(tab, results / "run.html", width, scheme)
    tab.run(OPEN)
    assert violations(tab, axe) == []


def test_what_is_wrong_would_be_found(tab: Page, axe: str, tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text('<!DOCTYPE html><title>x</title><img src="data:,"><p style="color:#eee">pale')
    look(tab, page, 1280, "light")
    assert {line.split()[0] for line in violations(tab, axe)} >= {"image-alt", "color-contrast"}
