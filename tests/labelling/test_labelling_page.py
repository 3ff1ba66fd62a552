"""The page of a sheet used as a person would: keys, a name, a file that is taken in again."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lvlmbench.labelling.given import read_labels, take_in
from lvlmbench.labelling.kinds.questions import questions
from lvlmbench.labelling.kinds.removals import removals
from lvlmbench.labelling.page import write_page
from lvlmbench.labelling.sheet import LABELS, SHEETS, Item, drawn
from support.chromium import Page, browser
from support.report_pages import read, shared

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[Item]:
    return drawn(removals(read(shared(tmp_path_factory))), 2, 1)


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory, items: list[Item]) -> Path:
    snapshot = read(shared(tmp_path_factory))
    out = tmp_path_factory.mktemp("sheet") / "removals.html"
    write_page(snapshot, SHEETS.get("removals", ""), items, out)
    return out


@pytest.fixture(scope="module")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def tab(
    chromium: str, sheet: Path, downloads: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    with browser(chromium, tmp_path_factory.mktemp("profile")) as page:
        page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        page.open(sheet)
        yield page


def text(tab: Page, element: str) -> str:
    return str(tab.run(f"document.getElementById('{element}').textContent"))


def test_keys_label_and_the_file_is_taken_in(
    tab: Page, items: list[Item], downloads: Path, tmp_path: Path
) -> None:
    assert text(tab, "place") == f"Item 1 of {len(items)}"
    assert text(tab, "asks") == items[0].asks
    assert tab.run("document.getElementById('save').disabled")
    names = ["right", "wrong", "unclear"]
    wanted = {}
    for n, item in enumerate(items):
        tab.key(str(n % 3 + 1), 49 + n % 3)
        wanted[item.item_id] = names[n % 3]
    assert tab.run("document.getElementById('progress').value") == len(items)
    assert tab.run("document.getElementById('save').disabled")  # nobody has a name yet
    tab.run("document.getElementById('rater').focus()")
    tab.call("Input.insertText", text="anna")
    assert text(tab, "state") == "All are labelled: save them."
    tab.click("#save")
    path = downloads / "labels-dysca-removals-anna.json"
    deadline = time.monotonic() + 300
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    given = read_labels(path)
    assert {i: label.label for i, label in given.labels.items()} == wanted
    known = {("dysca", "removals"): dict.fromkeys(wanted, LABELS)}
    (taken,) = take_in([(path, given)], known, tmp_path)
    assert (taken.n, taken.new) == (len(items), len(items))


def test_pictures_have_their_own_pixels(tab: Page, items: list[Item]) -> None:
    tab.run("document.activeElement.blur()")
    size = "[document.getElementById('picture').naturalWidth, at('picture').width]"
    sizes = []
    for n in range(len(items)):
        tab.run(f"show({n})")
        tab.wait("document.getElementById('picture').complete")
        sizes.append(tab.run(size)[0])
    assert sizes.count(128) >= len(items) - 1  # one of the made-up images is cut short
    tab.run(f"show({sizes.index(128)})")
    tab.wait(f"{size}.join() === '128,128'")
    tab.key("z", 90)
    tab.wait(f"{size}.join() === '128,256'")
    tab.key("z", 90)
    tab.wait(f"{size}.join() === '128,128'")


def test_a_label_is_changed_and_told_why(tab: Page, items: list[Item]) -> None:
    tab.run("document.activeElement.blur()")
    tab.run("show(0)")
    tab.key("2", 50)
    assert text(tab, "place").startswith("Item 1 ")  # a change stays where it is
    assert tab.run("document.querySelector('#labels [aria-pressed=true]').value") == "wrong"
    tab.key("n", 78)
    tab.call("Input.insertText", text="2 legs too many")
    stored = tab.run("localStorage.getItem(store)")
    assert json.loads(stored)["labels"][items[0].item_id] == {
        "label": "wrong", "note": "2 legs too many",
    }  # fmt: skip
    tab.key("Escape", 27)
    tab.key("ArrowRight", 39)
    assert text(tab, "place").startswith("Item 2 ")


def test_what_was_labelled_is_there_again(tab: Page, sheet: Path, items: list[Item]) -> None:
    tab.run("unsaved = false")
    deadline = time.monotonic() + 300
    while True:  # what one page has stored may reach the next one late where a machine is busy
        tab.open(sheet)
        labelled = tab.run("document.getElementById('progress').value")
        if labelled == len(items) or time.monotonic() > deadline:
            break
    assert labelled == len(items)
    assert tab.run("document.getElementById('rater').value") == "anna"


def test_options_have_keys_of_their_own(
    tab: Page, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    snapshot = read(shared(tmp_path_factory))
    asked = [item for item in questions(snapshot) if len(item.labels) == 5][:1]
    judged = [item for item in questions(snapshot) if item.together == asked[0].together][1:]
    out = tmp_path / "questions.html"
    write_page(snapshot, SHEETS.get("questions", ""), [*asked, *judged], out)
    tab.run("unsaved = false")
    tab.open(out)
    words = "[...document.querySelectorAll('#labels button')].map(b => b.firstChild.data).join()"
    assert tab.run(words) == ",".join(words for _, words in asked[0].says)
    tab.key("6", 54)  # no label has it
    tab.key("4", 52)
    assert text(tab, "place").startswith("Item 2 ")
    assert tab.run(words) == "Yes,No,Cannot tell"
    tab.key("1", 49)
    said = json.loads(tab.run("localStorage.getItem(store)"))["labels"]
    assert {i: label["label"] for i, label in said.items()} == {
        asked[0].item_id: "d", judged[0].item_id: "right",
    }  # fmt: skip
    tab.run("unsaved = false")


def test_the_page_needs_nothing_else(tab: Page) -> None:
    asked = {e["request"]["url"].partition(":")[0] for e in tab.named("Network.requestWillBeSent")}
    assert asked <= {"file", "data", "blob"}
    broken = [e for e in tab.named("Log.entryAdded") if e["entry"]["level"] == "error"]
    assert not broken
