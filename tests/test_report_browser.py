"""The report in a real browser: quiet, offline, harmless, and its filters work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Page, browser
from PIL import Image
from report_snapshot import build
from test_report import make, shared

from lvlmbench.seeding import generator

pytestmark = pytest.mark.browser

SHOWN = "Array.from(document.querySelectorAll('.item')).filter(e => e.offsetParent).length"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Page]:
    root = shared(tmp_path_factory, noisy=True)
    with browser(chromium, tmp_path_factory.mktemp("profile")) as tab:
        tab.open(root / "results" / "report.html")
        yield tab


def pick(page: Page, name: str, value: str) -> None:
    """Choose a value in one of the filters, as its change event reports it."""
    page.run(
        f"(() => {{ const f = document.querySelector('[name={name}]'); f.value = '{value}';"
        "f.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


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
    for part in (".said", ".sent", "#cost", "#comparisons"):
        inside = ", ".join(f"{part} {tag}" for tag in ("script", "img", "a"))
        assert page.run(f"document.querySelectorAll('{inside}').length") == 0
    assert page.run("document.getElementById('cost').innerText").count("window.pwned=1") == 2


def test_page_fits_its_window(page: Page) -> None:
    parts = ("comparisons", "robustness", "cost", "gallery")
    chosen = ", ".join(f"#{part} details:not([open])" for part in parts)
    closed = f"document.querySelectorAll('{chosen}')"
    page.run(f"{closed}.forEach(d => {{ d.open = true; }})")
    assert page.run(f"{closed}.length") == 0
    for width in (1280, 390):
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip
        assert page.run("document.documentElement.scrollWidth") <= width
    page.run("document.querySelectorAll('details').forEach(d => { d.open = false; })")
    page.call("Emulation.clearDeviceMetricsOverride")


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


def test_images_are_there(page: Page) -> None:
    page.run("Promise.all([...document.querySelectorAll('.item img')].map(i => i.decode()))")
    assert page.run("[...document.querySelectorAll('.item img')].every(i => i.naturalWidth === 96)")


def test_pictures_side_by_side_are_there_and_what_they_say_is_text(page: Page) -> None:
    page.run("Promise.all([...document.querySelectorAll('.strip img')].map(i => i.decode()))")
    widths = page.run("[...document.querySelectorAll('.strip img')].map(i => i.naturalWidth)")
    assert len(widths) == 30 and set(widths) == {96}
    words = page.run("document.getElementById('robustness').innerText")
    assert 'onerror="window.pwned=1"' in words
    assert (
        page.run("document.querySelectorAll('.strip img:not([src^=\"data:image/jpeg\"])').length")
        == 0
    )


def test_pictures_side_by_side_can_be_scrolled_by_keyboard(page: Page) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=900, deviceScaleFactor=1,
              mobile=False)  # fmt: skip
    row = "document.querySelector('.strip .row')"
    assert page.run(f"{row}.scrollWidth > {row}.clientWidth")
    page.run(f"{row}.focus()")
    assert page.run(f"document.activeElement === {row}")
    page.key("ArrowRight", 39)
    page.wait(f"{row}.scrollLeft > 0")
    page.call("Emulation.clearDeviceMetricsOverride")


def test_filters_narrow_and_clear(page: Page) -> None:
    total = page.run(SHOWN)
    assert total == 24
    pick(page, "subtask", "animal")
    animals = page.run(SHOWN)
    assert 0 < animals < total
    assert page.run(
        "[...document.querySelectorAll('.item .question')].filter(e => e.offsetParent)"
        ".every(e => e.dataset.subtask === 'animal')"
    )
    assert page.run("document.getElementById('shown').textContent").startswith(f"{animals} item")
    pick(page, "type", "true_false")  # asked about style only
    assert page.run(SHOWN) == 0
    assert page.run("!document.getElementById('none').hidden")
    page.click("#filters button[type=reset]")
    page.wait(f"{SHOWN} === {total}")


def test_tags_filter_by_click_and_by_keyboard(page: Page) -> None:
    style = page.run("document.querySelector('[data-filter=style]').dataset.value")
    page.click("[data-filter=style]")
    page.wait(f"document.querySelector('[name=style]').value === '{style}'")
    assert page.run(
        "[...document.querySelectorAll('.item')].filter(e => e.offsetParent)"
        f".every(e => e.dataset.style === '{style}')"
    )
    page.run("document.querySelector('[data-filter=style]').focus()")
    page.key(" ", 32)
    page.wait("document.querySelector('[name=style]').value === ''")


def test_filters_can_be_reached_by_tab(page: Page) -> None:
    page.run("document.querySelector('[name=subtask]').focus()")
    names = []
    for _ in range(3):
        page.key("Tab", 9)
        names.append(page.run("document.activeElement.name"))
    assert names == ["style", "type", "outcome"]


def test_prompts_open_on_request_and_are_text(page: Page) -> None:
    sent = "document.querySelector('.item .sent')"
    assert not page.run(f"{sent}.checkVisibility()")
    page.click(".item details:has(.sent) summary")
    page.wait(f"{sent}.checkVisibility()")
    assert page.run(f"{sent}.innerText").endswith("Answer <at once>.")


def test_long_answers_open_on_request(page: Page) -> None:
    full = "document.querySelector('.said details .full').checkVisibility()"
    assert not page.run(full)
    page.click(".said details summary")
    page.wait(full)


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


def test_a_browser_that_blocks_scripts_shows_gallery_and_switch_too(
    tmp_path: Path, chromium: str
) -> None:
    build(tmp_path)
    make(tmp_path)
    with browser(chromium, tmp_path / "profile") as tab:
        tab.call("Emulation.setScriptExecutionDisabled", value=True)
        tab.open(tmp_path / "results" / "report.html")
        tree = tab.call("DOM.getDocument", depth=1)["root"]["nodeId"]
        items = tab.call("DOM.querySelectorAll", nodeId=tree, selector=".item:not([hidden])")
        hidden = tab.call("DOM.querySelectorAll", nodeId=tree, selector="#filters[hidden]")
        spots = []
        for view in ("all", "consensus"):
            (button,) = nodes(tab, tree, f"#leaderboard .which [value={view}]")
            x1, y1, _, _, x2, y2, *_ = tab.call("DOM.getBoxModel", nodeId=button)["model"]["border"]
            for kind in ("mousePressed", "mouseReleased"):
                tab.call("Input.dispatchMouseEvent", type=kind, x=(x1 + x2) / 2, y=(y1 + y2) / 2,
                         button="left", clickCount=1)  # fmt: skip
            spots.append([seen(tab, n) for n in nodes(tab, tree, "#leaderboard .view")])
    assert spots == [[True, False], [False, True]]
    assert len(items["nodeIds"]) == 24
    assert len(hidden["nodeIds"]) == 1


def test_pictures_for_the_readme_are_small(tmp_path: Path, chromium: str) -> None:
    build(tmp_path)
    make(tmp_path)
    noise = generator(0, "noise", "sheet").integers(0, 256, (700, 1500, 3), dtype="uint8")
    Image.fromarray(noise).save(tmp_path / "sheet.png")
    script = Path(__file__).parents[1] / "scripts" / "readme_pictures.py"
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
