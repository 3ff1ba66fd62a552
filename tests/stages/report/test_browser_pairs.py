"""Answers beside references in a real browser: turns, both orders, reasons; text is text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.stages.report.browser.claims import VERDICTS
from support import browser_data
from support.browser_tab import open_item, ready
from support.chromium import Page, browser

pytestmark = pytest.mark.browser

MARKUP = "<img src=x onerror=window.pwned=1>"
REASONS = f"The first is better. {MARKUP}</script><script>window.pwned=1</script> \u202eend"
TURNS = [["Which animal is it?", f"A fox. {MARKUP}"], ["<svg onload=window.pwned=1>", "Red."]]
LONG = "word " * 200


def _made() -> browser_data.Browser:
    made = browser_data.browser(3)
    data = json.loads(made.head)
    data["judges"], data["tie"] = ["lexical", MARKUP], 0.5
    data["verdicts"] = [dict(zip(("name", "sign", "label"), v, strict=True)) for v in VERDICTS]
    question = data["items"][2]["questions"][0]
    question |= {
        "turns": TURNS, "reference": f"A red fox. {MARKUP}", "described": f"There is {MARKUP}",
    }  # fmt: skip
    answers = {(a["m"], a["s"]): a for a in question["answers"]}
    answers[0, 0] |= {"text": "A wolf.", "status": "answered", "o": 2, "pairs": [
        {"j": 0, "scores": [7, 8, 5.5, 9], "reasons": [REASONS, LONG]},
        {"j": 1, "status": "malformed", "why": f"the reply is no JSON {MARKUP}",
         "reasons": [REASONS, ""]},
    ]}  # fmt: skip
    answers[1, 0] |= {"text": "A fox.", "pairs": [{"j": 0, "scores": [8, 8, 8.5, 8.2]}]}
    answers[4, 0] |= {"text": "A fox!", "pairs": [{"j": 0, "scores": [9, 8, 9, 8]}]}
    return browser_data.Browser(browser_data.escaped(data), made.chunks, made.about)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Page]:
    path = browser_data.page(tmp_path_factory.mktemp("pairs") / "page.html", _made())
    with browser(chromium, tmp_path_factory.mktemp("profile")) as tab:
        tab.open(path)
        ready(tab)
        open_item(tab, 2)
        yield tab


def _texts(page: Page, selector: str) -> list[str]:
    found: list[str] = page.run(
        f"[...document.querySelectorAll({json.dumps('#browser-item ' + selector)})]"
        ".map(node => node.textContent)"
    )
    return found


def test_what_was_said_before_stands_above_the_question(page: Page) -> None:
    said = [f"{who} {text}" for turn in TURNS
            for who, text in zip(("Asked before", "Answer given"), turn, strict=True)]  # fmt: skip
    assert _texts(page, ".turn") == said
    above = page.run(
        "(() => { const [a, b] = ['.turns', '.turns ~ .ask'].map(s => "
        "document.querySelector('#browser-item ' + s).getBoundingClientRect()); "
        "return a.bottom <= b.top; })()"
    )
    assert above


def test_both_orders_are_told_with_reasons(page: Page) -> None:
    first = _texts(page, ".told-pair")[0]
    assert first.startswith("lexical: 6.3 against 8.5, worse than the reference")
    rounds = _texts(page, ".told-round")
    assert rounds[0] == f"Shown first: 7 · reference 8{REASONS.replace(chr(0x202E), 'U+202E')}"
    assert rounds[1].startswith("Shown second: 5.5 · reference 9word word")
    assert "Show all (1,000 characters)" in rounds[1]


def test_ties_and_wins_are_told(page: Page) -> None:
    told: list[Any] = _texts(page, ".told-pair")[2:]
    assert "8.3 against 8.1, tied with the reference" in told[0]
    assert "9 against 8, better than the reference" in told[1]


def test_a_pair_without_a_score_says_why(page: Page) -> None:
    told = _texts(page, ".told-pair")[1]
    assert told.startswith(f"{MARKUP} gives no score: malformed: the reply is no JSON {MARKUP}")
    assert "Shown first: not counted" in told


def test_judges_stand_side_by_side_where_there_is_room(page: Page) -> None:
    assert page.run("document.querySelector('#browser-item .told-pairs').children.length") == 2


def test_no_line_is_cut_off(page: Page) -> None:
    """Each stands below the other, and none reaches beyond its judge's column."""
    fits = page.run(
        "[...document.querySelectorAll('#browser-item .told-pair')].every(pair => "
        "[...pair.children].every((node, i, all) => "
        "node.getBoundingClientRect().right <= pair.getBoundingClientRect().right + 1 && (!i || "
        "node.getBoundingClientRect().top - all[i - 1].getBoundingClientRect().bottom < 20)))"
    )
    assert fits


def test_the_reference_stands_below_the_question(page: Page) -> None:
    [reference] = _texts(page, ".reference")
    assert reference.startswith(f"Reference A red fox. {MARKUP}")
    assert f"There is {MARKUP}" in reference


def test_no_script_runs_and_nothing_becomes_markup(page: Page) -> None:
    assert page.run("window.pwned === undefined && document.title === 'made-up'")
    for selector in ("script", "img:not([src^='data:'])", "svg"):
        inside = json.dumps(f"#browser-item {selector}")
        assert page.run(f"document.querySelectorAll({inside}).length") == 0
    assert not page.named("Log.entryAdded") and not page.named("Runtime.exceptionThrown")


def test_a_narrow_window_holds_it(page: Page, tmp_path: Path) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1,
              mobile=False)  # fmt: skip
    try:
        assert page.run("document.documentElement.scrollWidth <= innerWidth")
    finally:
        page.call("Emulation.clearDeviceMetricsOverride")
