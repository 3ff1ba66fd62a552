"""Judged answers in a real browser: what is marked and what stands beside it; text is text."""

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

PLACES = {name: place for place, (name, _, _) in enumerate(VERDICTS)}
#: An answer with claims that lie within one another, overlap, touch, are empty or out of place.
TEXT = "A red car \U0001f98a and a dog\nstand by </span><script>window.pwned=1</script> \u202eend"
SECOND = "<img src=x onerror=window.pwned=1>"
FEATURES = [
    ["there is a car", [[100, 200, 400, 700]]],
    [SECOND, []],
    ["the twins", [[0, 0, 100, 100], [900, 900, 1000, 1000]]],
]


def _claim(text: str, verdict: str, feature: int, words: str, counts: int = 1) -> list[Any]:
    """A claim that some words of the answer say, at the places that a browser counts."""
    start = len(TEXT[: TEXT.index(text)].encode("utf-16-le")) // 2
    length = len(text.encode("utf-16-le")) // 2
    return [start, start + length, PLACES[verdict], feature, words, counts]


CLAIMS = [
    _claim("A red car", "contradicted", 0, "the car is red"),
    _claim("car", "matched", 0, "there is a car"),
    _claim("car \U0001f98a", "broader", 2, "overlaps"),
    _claim("dog\nstand", "hallucinated", -1, SECOND),
    _claim("dog", "unverifiable", 1, "aside", counts=0),
    _claim("</span><script>window.pwned=1</script>", "false_denial", -1, "not so: <b>x</b>"),
    [5, 5, PLACES["matched"], 0, "empty", 1],
    [9_999, 10_020, PLACES["hallucinated"], -1, "beyond the end", 1],
]


def _made() -> browser_data.Browser:
    made = browser_data.browser(3)
    data = json.loads(made.head)
    data["judges"] = ["lexical", SECOND]
    data["verdicts"] = [dict(zip(("name", "sign", "label"), v, strict=True)) for v in VERDICTS]
    item = data["items"][2]
    item["features"] = FEATURES
    question = item["questions"][0]
    answer = next(a for a in question["answers"] if (a["m"], a["s"]) == (0, 0))
    answer |= {"text": TEXT, "o": 2, "judged": [
        {"j": 0, "claims": CLAIMS, "missed": [1, 2]},
        {"j": 1, "status": "malformed", "why": "the reply is <b>not</b> JSON"},
    ]}  # fmt: skip
    other = next(a for a in question["answers"] if (a["m"], a["s"]) == (1, 0))
    long = "word " * 400 + "owl"
    other |= {"text": long, "o": 2, "cut": 7, "judged": [
        {"j": 1, "claims": [[2000, 2003, PLACES["matched"], 0, "there is an owl", 1]], "missed": []}
    ]}  # fmt: skip
    return browser_data.Browser(browser_data.escaped(data), made.chunks, made.about)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Page]:
    path = browser_data.page(tmp_path_factory.mktemp("claims") / "page.html", _made())
    with browser(chromium, tmp_path_factory.mktemp("profile")) as tab:
        tab.open(path)
        ready(tab)
        open_item(tab, 2)
        yield tab


#: The first judged answer.
FIRST = "document.querySelectorAll('#browser-item .judgement')[0]"


def _texts(page: Page, selector: str, within: str = FIRST) -> list[str]:
    """Text of elements, without the signs that stand behind them."""
    found: list[str] = page.run(
        f"[...{within}.querySelectorAll({json.dumps(selector)})].map(node => {{"
        "const copy = node.cloneNode(true);"
        "copy.querySelectorAll('.sign').forEach(s => s.remove()); return copy.textContent; })"
    )
    return found


def test_spans_are_right_and_the_text_is_whole(page: Page) -> None:
    [quote] = _texts(page, ".quote")[:1]
    assert quote == TEXT.replace("\u202e", "U+202E")
    assert _texts(page, "mark") == [
        "A red ", "car", " \U0001f98a", "dog", "\nstand",
        "</span><script>window.pwned=1</script>",
    ]  # fmt: skip


def test_where_claims_overlap_the_worst_is_seen_and_each_has_its_sign(page: Page) -> None:
    classes = page.run(f"[...{FIRST}.querySelectorAll('mark')].map(m => m.className)")
    names = ["contradicted", "contradicted", "broader", "hallucinated", "hallucinated",
             "false_denial"]  # fmt: skip
    assert classes == [f"claim of-{name}" for name in names]
    signs = page.run(
        f"[...{FIRST}.querySelectorAll('mark')]"
        ".map(m => m.querySelector('.sign')?.textContent || '')"
    )
    assert signs == ["", "✗✓", "~", "?", "✗", "¬"]
    assert page.run(f"{FIRST}.querySelector('.signs').textContent") == "2 ✓  1 ~  3 ✗  1 ¬"


def test_all_claims_are_listed_in_words(page: Page) -> None:
    page.run(f"{FIRST}.querySelectorAll('details').forEach(d => {{ d.open = true; }})")
    listed = _texts(page, ".claims [data-claims]")
    assert [text.strip().partition("wrong: not there")[0] for text in listed][3] == SECOND
    assert len(listed) == len(CLAIMS) and "was not to be described" in listed[4]
    assert "beyond the end" in listed[7]
    assert _texts(page, "[data-feature]") == [FEATURES[1][0], FEATURES[2][0]]


def _point(page: Page, selector: str, event: str) -> None:
    page.run(
        f"{FIRST}.querySelector({json.dumps(selector)})"
        f".dispatchEvent(new Event({json.dumps(event)}, {{bubbles: true}}))"
    )


@pytest.mark.parametrize("event", ["mouseover", "focusin"])
def test_the_picture_shows_where_it_is(page: Page, event: str) -> None:
    boxes = (
        "[...document.querySelectorAll('.boxes span')].map(b => "
        "[b.style.left, b.style.top, b.style.width, b.style.height])"
    )
    said = "document.querySelector('.sight-of-claims figcaption').textContent"
    _point(page, "[data-feature='2']", event)
    assert page.run(boxes) == [["0%", "0%", "10%", "10%"], ["90%", "90%", "10%", "10%"]]
    assert page.run(said) == "the twins"
    _point(page, "mark[data-claims='0 1 2']", event)
    assert page.run(boxes) == [["10%", "20%", "30%", "50%"]]  # of the shortest: the car
    assert page.run(said).startswith("there is a car: true; ")
    lit = _texts(page, ".lit")
    assert "car" in lit and "A red " not in lit
    _point(page, "mark[data-claims='3']", event)
    assert page.run(boxes) == []
    assert page.run(said) == f"{SECOND}: wrong: not there Nothing in the picture stands for it."
    _point(page, "[data-feature='1']", event)
    assert page.run(said) == f"{SECOND} No place of it is known."


def test_boxes_lie_on_the_picture(page: Page) -> None:
    _point(page, "mark[data-claims='0 1 2']", "mouseover")
    inside = page.run(
        "(() => { const [p, b] = ['.boxed img', '.boxes span'].map(s => "
        "document.querySelector(s).getBoundingClientRect());"
        "return [(b.left - p.left) / p.width, (b.top - p.top) / p.height, b.width / p.width]; })()"
    )
    assert inside == pytest.approx([0.1, 0.2, 0.3], abs=0.02)


def test_arrows_lead_through_a_list(page: Page) -> None:
    page.run(f"{FIRST}.querySelectorAll('details').forEach(d => {{ d.open = true; }})")
    page.run(f"{FIRST}.querySelector('.claims li').focus()")
    page.run(
        "document.activeElement.dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true, cancelable: true}))"
    )
    assert page.run("document.activeElement.dataset.claims") == "1"
    assert page.run(f"{FIRST}.querySelectorAll('.claims li[tabindex=\"0\"]').length") == 2
    assert page.run("document.querySelectorAll('.boxes span').length") == 1


def test_judges_stand_side_by_side_and_failures_are_told(page: Page) -> None:
    second = "document.querySelectorAll('#browser-item .judgement')[1]"
    assert page.run(f"{second}.textContent") == (
        f"{SECOND} could not judge it: malformed: the reply is <b>not</b> JSON"
    )
    assert page.run(f"{second}.parentNode.children.length") == 2


def test_long_answers_are_folded_with_their_marks(page: Page) -> None:
    third = "document.querySelectorAll('#browser-item .judgement')[2]"
    assert page.run(f"{third}.querySelector('.quote').textContent.length") == 701
    assert page.run(f"{third}.querySelector('summary').textContent") == (
        "Show all (2,010 characters)"
    )
    assert _texts(page, ".full mark", third) == ["owl"]
    assert "claims" not in _texts(page, ".quote mark", third)


def test_no_script_runs_and_nothing_becomes_markup(page: Page) -> None:
    assert page.run("window.pwned === undefined && document.title === 'made-up'")
    for selector in ("script", "img:not([src^='data:'])", "b b", "svg"):
        inside = json.dumps(f"#browser-item {selector}")
        assert page.run(f"document.querySelectorAll({inside}).length") == 0
    assert not page.named("Log.entryAdded") and not page.named("Runtime.exceptionThrown")


def test_a_narrow_window_has_the_picture_first(page: Page, tmp_path: Path) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1,
              mobile=False)  # fmt: skip
    try:
        tops = page.run(
            "['.sight-of-claims', '.judging .scroll'].map(s => "
            "document.querySelector(s).getBoundingClientRect().top)"
        )
        assert tops[0] < tops[1]
        assert page.run("document.documentElement.scrollWidth <= innerWidth")
    finally:
        page.call("Emulation.clearDeviceMetricsOverride")
