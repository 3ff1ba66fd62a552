"""The report in a real browser: quiet, offline, harmless, and its filters work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from lvlmbench.core.seeding import generator
from support.chromium import Page, browser
from support.report_answers import SCRIPT
from support.report_pages import head, shared

pytestmark = pytest.mark.browser

#: Tables that a reader has to scroll sideways.
WIDE = (
    "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1)"
    ".map(e => e.getAttribute('aria-label'))"
)
CARDS = "document.querySelectorAll('#browser-cards > *').length"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Page]:
    root = shared(tmp_path_factory, noisy=True)
    with browser(chromium, tmp_path_factory.mktemp("profile")) as tab:
        tab.open(root / "results" / "report.html")
        tab.wait(f"{CARDS} > 0")
        yield tab


def test_no_errors_and_no_requests(page: Page) -> None:
    page.run("window.scrollTo(0, document.body.scrollHeight)")
    errors = [e["entry"] for e in page.named("Log.entryAdded")]
    errors += page.named("Runtime.exceptionThrown") + page.named("Runtime.consoleAPICalled")
    assert errors == []
    urls = [e["request"]["url"] for e in page.named("Network.requestWillBeSent")]
    assert [u for u in urls if not u.startswith(("file:", "data:"))] == []
    assert [u for u in urls if u.startswith("file:")] == [page.run("location.href")]


def test_hostile_text_did_nothing(page: Page) -> None:
    assert page.run("window.pwned === undefined && document.title.startsWith('made-up')")
    assert page.run("document.querySelectorAll('h1').length") == 1
    for part in ("#cost", "#comparisons", "#validity", "#exports"):
        inside = ", ".join(f"{part} {tag}" for tag in ("script", "img", "iframe", "object"))
        assert page.run(f"document.querySelectorAll('{inside}').length") == 0
    assert page.run("document.getElementById('cost').innerText").count("window.pwned=1") == 2


def test_items_with_hostile_answers_show_them_and_keep_their_layout(
    page: Page, tmp_path_factory: pytest.TempPathFactory
) -> None:
    html = (shared(tmp_path_factory, noisy=True) / "results" / "report.html").read_text()
    data = head(html)
    worst = {
        item["id"]
        for item in data["items"]
        for q in item["questions"]
        for a in q["answers"]
        if a.get("cut") or "<script" in a["text"] or "\u202e" in a["text"]
    }
    assert len(worst) > 3
    seen = ""
    for width in (1280, 390):
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip
        for key in sorted(worst)[:6]:
            page.run(f"location.hash = '#item:{key}'")
            page.wait(f"document.getElementById('browser-item').innerText.includes('{key}')")
            page.run("document.querySelectorAll('#browser-item details').forEach(d=>d.open=true)")
            assert page.run("document.documentElement.scrollWidth") <= width
            assert page.run("window.pwned") is None
            inside = "#browser-item script, #browser-item iframe, #browser-item [onerror]"
            assert page.run(f"document.querySelectorAll('{inside}').length") == 0
            seen += page.run("document.getElementById('browser-item').innerText")
    page.call("Emulation.clearDeviceMetricsOverride")
    page.run("location.hash = ''")
    assert SCRIPT in seen and "U+202E" in seen
    assert "\u202e" not in seen and "\x00" not in seen


def test_page_fits_its_window(page: Page) -> None:
    closed = "document.querySelectorAll('main details:not([open])')"
    page.run(f"{closed}.forEach(d => {{ d.open = true; }})")
    assert page.run(f"{closed}.length") == 0
    for width in (1280, 390):
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip
        assert page.run("document.documentElement.scrollWidth") <= width
        if width == 1280:
            assert page.run(WIDE) == []
    page.run("document.querySelectorAll('details').forEach(d => { d.open = false; })")
    page.call("Emulation.clearDeviceMetricsOverride")


def test_a_link_into_a_closed_part_opens_it(page: Page) -> None:
    page.run("document.querySelector('#parameters details pre').id = 'deep'")
    page.run("location.hash = '#deep'")
    page.wait("document.querySelector('#parameters details').open")
    page.run("document.querySelector('#parameters details').open = false; location.hash = ''")


def test_visible_part_is_painted_before_the_pictures_are_read(page: Page) -> None:
    order = page.run(
        "[...document.body.children].map(e => e.tagName + (e.id ? '#' + e.id : '')).join(' ')"
    )
    names = order.split()
    assert names.index("MAIN") < names.index("FOOTER") < names.index("SCRIPT#browser-data")
    assert set(names[names.index("FOOTER") + 1 :]) == {"SCRIPT", "SCRIPT#browser-data"}


VIEWS = """[...document.querySelectorAll('#leaderboard .view')].map(v => v.offsetParent !== null)"""


def test_switch_shows_the_tables_without_what_the_consensus_dropped(page: Page) -> None:
    assert page.run(VIEWS) == [True, False]
    page.click("#leaderboard .which [value=consensus]")
    page.wait("document.querySelector('#readings .which [value=consensus]').checked")
    assert page.run(VIEWS) == [False, True]
    assert page.run("document.querySelector('#readings .view[data-view=all]').offsetParent") is None
    page.run("document.querySelector('#readings .which [value=consensus]').focus()")
    page.key("ArrowUp", 38)
    page.wait("document.querySelector('#leaderboard .which [value=all]').checked")
    assert page.run(VIEWS) == [True, False]


def test_paper_has_both_views_with_their_names(page: Page) -> None:
    page.call("Emulation.setEmulatedMedia", media="print")
    assert page.run(VIEWS) == [True, True]
    assert page.run("document.querySelector('.view-name').offsetParent !== null")
    assert page.run("document.querySelector('.which').offsetParent") is None
    page.call("Emulation.setEmulatedMedia", media="")


def test_dark_mode_changes_page_and_figures(page: Page, tmp_path: Path) -> None:
    colors = []
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        page.call("Emulation.setEmulatedMedia", features=[feature])
        colors.append(
            page.run(
                "[getComputedStyle(document.body).backgroundColor,"
                "getComputedStyle(document.querySelector('.figure svg path')).fill]"
            )
        )
    page.call("Emulation.setEmulatedMedia", features=[])
    assert colors[0][0] != colors[1][0]
    assert colors[0][1] != colors[1][1]


@pytest.mark.long
def test_it_prints(page: Page) -> None:
    import base64

    document = base64.b64decode(page.call("Page.printToPDF", printBackground=True)["data"])
    assert document.startswith(b"%PDF")
    assert document.count(b"/Type /Page\n") > 3


def nodes(tab: Page, tree: int, selector: str) -> list[int]:
    """Ids of the elements that fit, without running a script."""
    found = tab.call("DOM.querySelectorAll", nodeId=tree, selector=selector)["nodeIds"]
    return [int(n) for n in found]


def seen(tab: Page, node: int) -> bool:
    """Whether an element has a box."""
    try:
        tab.call("DOM.getBoxModel", nodeId=node)
    except RuntimeError:  # what the browser says of an element that is not displayed
        return False
    return True


def test_a_browser_that_blocks_scripts_shows_the_tables_and_the_switch(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, chromium: str
) -> None:
    results = shared(tmp_path_factory) / "results"
    with browser(chromium, tmp_path / "profile") as tab:
        tab.call("Emulation.setScriptExecutionDisabled", value=True)
        tab.call("Emulation.setDeviceMetricsOverride", width=1280, height=3000,
                 deviceScaleFactor=1, mobile=False)  # fmt: skip
        tab.open(results / "report.html")
        tree = tab.call("DOM.getDocument", depth=1)["root"]["nodeId"]
        rows = nodes(tab, tree, "#leaderboard tbody tr")
        apps = [seen(tab, n) for n in nodes(tab, tree, "#browser-app")]
        told = [seen(tab, n) for n in nodes(tab, tree, "#browser noscript p")]
        spots = []
        for view in ("all", "consensus"):
            (button,) = nodes(tab, tree, f"#leaderboard .which [value={view}]")
            x1, y1, _, _, x2, y2, *_ = tab.call("DOM.getBoxModel", nodeId=button)["model"]["border"]
            for kind in ("mousePressed", "mouseReleased"):
                tab.call("Input.dispatchMouseEvent", type=kind, x=(x1 + x2) / 2, y=(y1 + y2) / 2,
                         button="left", clickCount=1)  # fmt: skip
            spots.append([seen(tab, n) for n in nodes(tab, tree, "#leaderboard .view")])
    assert spots == [[True, False], [False, True]]
    assert rows and apps == [False] and told == [True]


@pytest.mark.long
def test_pictures_for_the_readme_are_small(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, chromium: str
) -> None:
    shutil.copytree(shared(tmp_path_factory, noisy=True) / "results", tmp_path / "results")
    noise = generator(0, "noise", "sheet").integers(0, 256, (700, 1500, 3), dtype="uint8")
    Image.fromarray(noise).save(tmp_path / "sheet.png")
    script = Path(__file__).parents[3] / "scripts" / "readme_pictures.py"
    done = subprocess.run(
        [sys.executable, str(script), "--sheet", "sheet.png"], cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(script.parents[1])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for name in ("report", "contact_sheet"):
        path = tmp_path / "docs" / "images" / f"{name}.png"
        assert 10_000 < path.stat().st_size <= 400_000
    with Image.open(tmp_path / "docs" / "images" / "report.png") as image:
        assert image.width == 1280
        assert len(image.convert("L").getcolors() or []) > 20  # not a blank page
