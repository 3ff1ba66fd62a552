"""The sample browser looked at: hostile text, small windows, paper, and readers who do not see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import browser_data
from support.browser_tab import (
    CARDS,
    back,
    close_item,
    go,
    open_item,
    page,
    ready,
    seen,
    tab,
    unfold,
)
from support.chromium import Page, browser

__all__ = ["page", "tab"]  # fixtures
pytestmark = pytest.mark.browser

#: What only a text that became markup could put into an item.
FOREIGN = ("script", "svg", "i", "em", "iframe", "a:not([href^='#'])", "img:not([src^='data:'])")


def errors(page: Page) -> list[Any]:
    found = [e["entry"] for e in page.named("Log.entryAdded")]
    return found + page.named("Runtime.exceptionThrown") + page.named("Runtime.consoleAPICalled")


def test_an_item_shows_what_fits_and_folds_the_rest(page: Page) -> None:
    go(page, "#browse:model=small&scenario=corruption&outcome=wrong&type=true_false")
    open_item(page)
    assert page.run("document.querySelectorAll('#browser-item > .question').length") == 1
    hits = page.run(
        "[...document.querySelectorAll('.answer.hit .verdict')].map(v => v.textContent)"
    )
    assert hits == ["Wrong"]
    where = page.run(
        "(() => { const cell = document.querySelector('.answer.hit').closest('td');"
        "return [cell.closest('table').rows[0].cells[cell.cellIndex].textContent,"
        "cell.parentNode.cells[0].textContent]; })()"
    )
    assert where == ["Corruption", "small"]
    assert page.run("document.querySelectorAll('.rest .question').length") == 1
    assert not seen(page, ".rest .question")


def test_pictures_stand_by_scenario_and_can_be_enlarged(page: Page) -> None:
    open_item(page)
    labels = page.run(
        "[...document.querySelectorAll('#browser-item > .pictures b')].map(b => b.textContent)"
    )
    assert labels == ["Clean", "Corruption", "Adversarial attack", "Adversarial attack: difference",
                      "Blind"]  # fmt: skip
    assert page.run("document.querySelectorAll('.question .pictures figure').length") == 1
    page.run(
        "Promise.all([...document.querySelectorAll('#browser-item img')].map(i => i.decode()))"
    )
    assert set(
        page.run("[...document.querySelectorAll('#browser-item img')].map(i => i.naturalWidth)")
    ) == {96}
    assert "Clean: A picture of scene 0" in page.run(
        "document.querySelector('#browser-item img').alt"
    )
    width = "document.querySelector('#browser-item img').clientWidth"
    small = page.run(width)
    page.click("#browser-item .zoom")
    page.wait(f"{width} > 2 * {small}")
    assert page.run("document.querySelector('.zoom').getAttribute('aria-pressed')") == "true"


def test_other_options_stand_below_those_of_the_question(page: Page) -> None:
    open_item(page, 3)
    first = "document.querySelector('#browser-item .question')"
    lists = page.run(
        f"[...{first}.querySelectorAll('.options')].map(one => [...one.children].map("
        "each => each.className + each.textContent))"
    )
    assert len(lists[0]) == 4
    assert lists[1:] == [["(A) a crow <b>", "is-right(B) a red fox ✓ right answer"]]
    said = page.run(f"{first}.querySelector('p.read').textContent")
    assert said == "Offered in Adversarial attack, Blind:"


def test_an_item_leads_to_its_pictures_in_full_size(page: Page) -> None:
    open_item(page, 5)
    link = page.run("document.querySelector('.scene a').getAttribute('href')")
    assert link == "dysca/report_items/part-00003.html" + page.run("location.hash")
    close_item(page)
    open_item(page, 6)
    assert not page.run("document.querySelectorAll('.scene a').length")


def test_hostile_text_is_text(page: Page) -> None:
    for number in (0, 1, 2, 3, 4, *range(6, 12)):  # 5 has a link of its own
        open_item(page, number)
        unfold(page)
        for selector in FOREIGN:
            inside = json.dumps(f"#browser-item {selector}")
            assert page.run(f"document.querySelectorAll({inside}).length") == 0, selector
        close_item(page)
    open_item(page)
    words = page.run("document.getElementById('browser-item').textContent")
    assert "</script><script>window.pwned=1</script>" in words
    assert "null" not in words and "undefined" not in words
    assert "U+202E" in words and "\u202e" not in words and "\u200b" not in words
    assert "Show all (1,003,853 characters)" in words
    assert "1,000,000 more characters are in the answers table" in words
    assert page.run("window.pwned === undefined && document.title === 'made-up'")
    assert errors(page) == []
    urls = [e["request"]["url"] for e in page.named("Network.requestWillBeSent")]
    assert [u for u in urls if not u.startswith(("file:", "data:"))] == []


def test_it_fits_a_narrow_window_and_a_dark_room(page: Page) -> None:
    def fits(width: int) -> None:
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=800,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip
        assert page.run("document.documentElement.scrollWidth") <= width

    colors = []
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        page.call("Emulation.setEmulatedMedia", features=[feature])
        colors.append(
            page.run("getComputedStyle(document.querySelector('[name=model]')).backgroundColor")
        )
    page.call("Emulation.setEmulatedMedia", features=[])
    assert colors[0] != colors[1]
    go(page, "#browse:model=chance&scenario=adversarial")
    page.call("Emulation.setDeviceMetricsOverride", width=700, height=800, deviceScaleFactor=1,
              mobile=False)  # fmt: skip
    open_item(page)  # the answer that fits stands on top, and is scrolled to
    assert page.run("document.querySelector('.said-table tbody th').textContent").startswith(
        "chance"
    )
    assert page.run("document.querySelector('.hit').getBoundingClientRect().right") < 700
    go(page, "#browser")
    for number in (None, 0, 4):
        if number is not None:
            open_item(page, number)
            unfold(page)
        for width in (1280, 700, 390, 320):
            fits(width)
        if number is not None:
            assert seen(page, ".where") and not seen(page, ".said-table thead")
            page.call("Emulation.clearDeviceMetricsOverride")
            close_item(page)
    page.call("Emulation.clearDeviceMetricsOverride")


def test_print_shows_the_open_item_and_with_its_button_nothing_else(page: Page) -> None:
    def printed(selector: str) -> bool:
        page.call("Emulation.setEmulatedMedia", media="print")
        try:
            return seen(page, selector)
        finally:
            page.call("Emulation.setEmulatedMedia", media="")

    assert printed("#browser-cards img") and not printed("#browser-filters")
    open_item(page)
    assert printed("#browser-item .said-table") and printed("#first")
    assert not printed(".browser-bar")
    page.run("window.print = () => { window.asked = document.documentElement.className; }")
    page.click(".browser-bar button")
    page.wait("window.asked === 'print-item'")
    assert printed("#browser-item .said-table")
    assert not printed("#first") and not printed("footer") and not printed("h1")
    page.run("dispatchEvent(new Event('afterprint'))")
    assert printed("#first")


def test_names_and_states_are_there_for_who_does_not_see_the_page(page: Page) -> None:
    open_item(page)
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    of_role: dict[str, list[str]] = {}
    for node in tree:
        if not node.get("ignored"):
            role = node.get("role", {}).get("value", "")
            of_role.setdefault(role, []).append(node.get("name", {}).get("value", ""))
    assert len(of_role["table"]) == 2 and len(of_role["columnheader"]) == 12
    assert "large" in of_role["rowheader"]
    assert all(of_role["button"]) and all(of_role["link"]) and all(of_role["image"])
    assert "Answers to question 1" in of_role["region"]
    back(page)
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    names = {n["name"]["value"] for n in tree if n.get("role", {}).get("value") == "combobox"}
    assert names == {"Asked about", "Style", "Scenario", "Model", "Question type", "Outcome"}
    assert page.run("[...document.querySelectorAll('#browser [role=status]')].length") == 2


def test_a_page_cut_off_within_its_pictures_still_shows_its_words(
    tmp_path: Path, chromium: str
) -> None:
    made = browser_data.browser(30)
    broken = browser_data.Browser(made.head, ['["abc', *made.chunks[1:-1]], made.about)
    with browser(chromium, tmp_path / "profile") as tab:
        tab.open(browser_data.page(tmp_path / "page.html", broken))
        ready(tab)
        assert tab.run(f"{CARDS}.length") == 24
        assert tab.run("document.querySelector('#browser-cards .blank').textContent") == (
            "not shown here"
        )
        assert tab.named("Runtime.exceptionThrown") == []


def test_scripts_are_sound() -> None:
    """Nothing in the scripts could make text markup or code, fetch or keep anything."""
    for name in browser_data.SCRIPTS[1:]:
        text = (browser_data.TEMPLATES / name).read_text(encoding="utf-8")
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "eval(",
            "Function(",
            "document.write",
            "createContextualFragment",
            "fetch(",
            "localStorage",
        ):
            assert word not in text, (name, word)  # fmt: skip


def test_without_scripts_the_section_says_what_is_missing(tmp_path: Path, chromium: str) -> None:
    path = browser_data.page(tmp_path / "page.html", browser_data.browser(2))
    with browser(chromium, tmp_path / "profile") as tab:
        tab.call("Emulation.setScriptExecutionDisabled", value=True)
        tab.open(path)
        root = tab.call("DOM.getDocument", depth=1)["root"]["nodeId"]
        boxes = {}
        for selector in ("#browser noscript .notice", "#browser-app[hidden]"):
            found = tab.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
            try:
                boxes[selector] = bool(tab.call("DOM.getBoxModel", nodeId=found))
            except RuntimeError:  # what the browser says of an element that is not displayed
                boxes[selector] = False
    assert boxes == {"#browser noscript .notice": True, "#browser-app[hidden]": False}
