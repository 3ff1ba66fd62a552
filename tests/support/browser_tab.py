"""A page of the sample browser in a real browser, and what its readers do there."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from support import browser_data
from support.chromium import Page, browser

ITEMS = 2000
CARDS = "document.querySelectorAll('#browser-cards a')"


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Page]:
    made = browser_data.browser(ITEMS)
    path = browser_data.page(tmp_path_factory.mktemp("browser") / "page.html", made)
    with browser(chromium, tmp_path_factory.mktemp("profile")) as tab:
        tab.open(path)
        ready(tab)
        yield tab


@pytest.fixture
def page(tab: Page) -> Page:
    """The page as it is after loading: no filter, first page of the list."""
    go(tab, "#browser")
    return tab


def ready(page: Page) -> None:
    page.wait("!document.getElementById('browser-app').hidden")


def go(page: Page, link: str) -> None:
    """Follow a link within the page; the page has dealt with it on return."""
    page.run(
        "(async () => { const done = new Promise(r => setTimeout(r, 20));"
        f"location.hash = {json.dumps(link)}; await done; }})()"
    )


def back(page: Page) -> None:
    page.run(
        "(async () => { const done = new Promise(r => addEventListener('popstate', () => "
        "setTimeout(r, 0), {once: true})); history.back(); await done; })()"
    )
    settle(page)


def settle(page: Page) -> None:
    """Wait until the browser has done what it does of its own after a step of the history."""
    page.run("new Promise(r => setTimeout(r, 150))")


def pick(page: Page, name: str, label: str) -> None:
    """Choose an option whose words begin so, as a reader would."""
    page.run(
        f"(() => {{ const s = document.querySelector('#browser-filters [name={name}]');"
        f"s.value = [...s.options].find(o => o.text.startsWith({json.dumps(label)})).value;"
        "s.dispatchEvent(new Event('input', {bubbles: true})); })()"
    )


def told(page: Page) -> tuple[int, int]:
    """Items and answers that the page says fit."""
    words = page.run("document.getElementById('browser-count').textContent").replace(",", "")
    items, _, total, _, answers, _ = words.split()
    assert int(total) == ITEMS
    return int(items), int(answers)


def open_item(page: Page, number: int = 0) -> None:
    page.run(f"{CARDS}[{number}].click()")
    page.wait("!document.getElementById('browser-item').hidden")


def seen(page: Page, selector: str) -> bool:
    return bool(page.run(f"document.querySelector({json.dumps(selector)}).checkVisibility()"))


def close_item(page: Page) -> None:
    page.run("document.querySelector('[data-close]').click()")
    page.wait("document.getElementById('browser-item').hidden")


def unfold(page: Page) -> None:
    """Open everything that opens on request."""
    page.run("document.querySelectorAll('#browser-item details').forEach(d => { d.open = true; })")
