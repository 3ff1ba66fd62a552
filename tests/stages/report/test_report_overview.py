"""What a report opens with, and the words of comparisons that show nothing."""

from __future__ import annotations

import re

from lvlmbench.analysis.comparisons import Comparison
from lvlmbench.analysis.headlines import headlines
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import overview
from lvlmbench.stages.report.page import whole
from lvlmbench.stages.report.robustness_words import open_words
from support.report_pages import section, words

WITH_NOISE = True


def test_it_has_each_models_headline_with_its_interval(snapshot: Snapshot) -> None:
    told = overview.build({"one": snapshot, "two": snapshot})
    html = whole("x", {"one": "", "two": ""}, told)
    text = words(section(html, "overview"))
    rows = [r for r in headlines(snapshot) if r.scenario == snapshot.first_scenario]
    assert rows
    for row in rows:
        assert row.model in text
        if row.value is not None and row.low is not None and row.high is not None:
            assert f"{row.value:.1f} {row.low:.1f}\N{EN DASH}{row.high:.1f}" in text
    assert text.count(rows[0].label) == 2
    shown = re.findall(r"<img ", section(html, "overview"))
    assert len(shown) == 2 * overview.PICTURES


def test_limits_of_several_suites_are_told_once(snapshot: Snapshot) -> None:
    told = overview.build({"one": snapshot, "two": snapshot})
    assert told.outlines["one"].power is not None
    size = f"{told.outlines['one'].power.whole:.1f}"
    assert any(f"one {size}, two {size} points" in text for text in told.limits)
    assert len(told.limits) == len(set(told.limits))


def test_a_suites_page_says_what_it_cannot_tell(snapshot: Snapshot, html: str) -> None:
    found = overview.outline(snapshot)
    assert found.power is not None
    assert found.power.sentence in words(section(html, "overview"))


def test_where_no_difference_is_shown_the_page_says_what_is_not_ruled_out() -> None:
    pair = Comparison(-3.0, -15.0, 9.0, 0.6, 0.6, 50, 10, 12, 0)
    ends = "\N{MINUS SIGN}15.0 to +9.0"
    said = f"No difference shown: a is 3.0 points below b ({ends}); "
    said += "up to 15.0 points are not ruled out"
    assert open_words("a", "b", pair) == said
