"""What the report opens with: pictures, a chart of the leaderboard, and few menus."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import attacks, opening
from lvlmbench.stages.report.formatting import number
from lvlmbench.stages.report.page import context
from lvlmbench.suites.suite import SUITES, suite_of
from support.chromium import Page, browser
from support.report_pages import SUITE, beside, read, shared, words
from support.report_snapshot import noisy_params


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared(tmp_path_factory, noisy=True)


@pytest.fixture(scope="module")
def html(root: Path) -> str:
    return (root / "results" / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def snapshot(root: Path) -> Snapshot:
    return read(root, noisy_params())


def head(html: str) -> str:
    return html[html.index("<header") : html.index("</header>")]


def test_a_strip_of_pictures_stands_in_the_head(snapshot: Snapshot, html: str) -> None:
    found = opening.build(snapshot, Leaderboard(snapshot)).pictures
    assert len(found) == opening.PICTURES
    subtasks = [p.text.split(",")[0] for p in found]
    assert len(set(subtasks)) == len(subtasks), "subtasks take turns"
    assert len({p.text.split(", ")[1] for p in found}) > 1
    assert sum(len(p.url) for p in found) < 100_000
    for picture in found:
        data = base64.b64decode(picture.url.removeprefix("data:image/jpeg;base64,"))
        with Image.open(io.BytesIO(data)) as image:
            assert max(image.size) <= opening.SIDE
        assert f'alt="{picture.text}"' in head(html)


@pytest.mark.parametrize("kind", [kind.name for kind in SUITES.ordered()])
def test_every_suite_says_in_plain_words_what_it_measures(kind: str) -> None:
    about: str = SUITES.get(kind, "")().about
    assert 60 < len(about) < 260 and about.endswith(".")
    assert kind not in about.lower()


def test_the_head_says_what_the_page_is_for(snapshot: Snapshot, html: str) -> None:
    told = words(head(html) + "</header>")
    assert suite_of(snapshot.params).about in told


def test_the_head_counts_the_subtasks_that_scenes_were_planned_for(
    snapshot: Snapshot, root: Path
) -> None:
    """Scenes are asked about other things as well, which are no subtasks of theirs."""
    found = context(snapshot, beside(root / "results" / SUITE))
    scenes = dict(
        zip(*(snapshot.scenes[n].to_pylist() for n in ("scene_id", "subtask")), strict=True)
    )
    asked = snapshot.asked["clean"]["scene_id"].to_pylist()
    assert found["planned_subtasks"] == len({scenes[name] for name in asked})
    assert found["again"].questions == sum(map(len, snapshot.asked.values())) - len(asked)
    [tile] = [tile for tile in found["summary"].tiles if tile.label == "Questions"]
    assert f"{found['again'].questions:,} more in " in tile.note


def test_one_number_has_one_interval(snapshot: Snapshot) -> None:
    """The clean score beside an attack is that of the results where all questions are asked."""
    leaderboard = Leaderboard(snapshot)
    (attack,) = attacks.build(snapshot, leaderboard)
    for row in attack.rows:
        assert row.clean == leaderboard.value(row.model, "clean", "headline")


def test_the_chart_is_the_leaderboard(snapshot: Snapshot, html: str) -> None:
    leaderboard = Leaderboard(snapshot)
    found = opening.build(snapshot, leaderboard)
    board = leaderboard.ranked()["clean"]
    with_total = [r for r in board if r.headline is not None and r.headline.value is not None]
    assert [r.model for r in found.bars] == [r.model for r in with_total if r.kind != "guesser"]
    (guesser,) = [r for r in with_total if r.kind == "guesser"]
    assert guesser.headline is not None and found.chance == guesser.headline.value
    table = head(html)[head(html).index('<table class="chart">') :]
    assert f"what guessing got, {number(found.chance)}" in table
    for row in found.bars:
        assert row.headline is not None and row.headline.value is not None
        assert f"<b>{number(row.headline.value)}</b>" in table
        assert f'width="{row.headline.value:.2f}"' in table
    assert table.count('class="guess"') == len(found.bars)


def test_sections_are_in_few_groups(html: str) -> None:
    nav = html[html.index('<nav aria-label="Sections"') : html.index("</nav>")]
    groups = re.findall(r"<details class=\"menu\".*?</details>", nav, re.S)
    assert 5 <= len(groups) <= 7
    assert all(1 < len(re.findall(r'href="#', group)) <= 4 for group in groups)


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory, chromium: str) -> Iterator[Page]:
    with browser(chromium, tmp_path_factory.mktemp("profile")) as page:
        yield page


@pytest.mark.browser
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_they_are_seen_without_scrolling(tab: Page, root: Path, width: int, height: int) -> None:
    tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
             mobile=False)  # fmt: skip
    tab.open(root / "results" / "report.html")
    for name in ("strip", "chart"):
        below = tab.run(f"document.querySelector('.{name}').getBoundingClientRect().bottom")
        assert 0 < below <= height, name
    assert tab.run("document.documentElement.scrollWidth") <= width
    tab.run("document.querySelectorAll('.menu summary')[1].click()")
    tab.wait("document.querySelectorAll('.menu[open]').length === 1")
    tab.run("document.querySelectorAll('.menu summary')[4].click()")
    tab.wait("document.querySelectorAll('.menu[open]').length === 1")
    right = tab.run("document.querySelector('.menu[open] ul').getBoundingClientRect().right")
    assert right <= width
    tab.run("document.querySelector('.menu[open] a').click()")
    tab.wait("document.querySelectorAll('.menu[open]').length === 0")
    assert tab.run("location.hash") == "#composition"
