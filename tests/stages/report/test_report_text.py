"""Untrusted text: nothing of it becomes markup, nothing of it stays hidden."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.core.untrusted import KEPT, SHOWN, excerpt, visible
from support.report_answers import HOSTILE

TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=200)
NASTY = st.lists(
    st.sampled_from([*"<>&\"'{}[]%/\\\n\r\t\0\x1b\x85", "\u202e", "\u2066", "\u200b", "\u0300",
                     "<script>", "</bdi>", "&lt;", "a"]),
    max_size=60,
).map("".join)  # fmt: skip


class Reader(HTMLParser):
    """Text and tags of a fragment; code points shown by name are turned back into characters."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.text = ""
        self._named = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))
        self._named = tag == "span"

    def handle_endtag(self, tag: str) -> None:
        self._named = False

    def handle_data(self, data: str) -> None:
        if self._named:
            data = "".join(chr(int(code, 16)) for code in re.findall(r"U\+([0-9A-F]+)", data))
        self.text += data


@given(TEXT | NASTY)
def test_visible_text_is_only_text_and_all_of_it(text: str) -> None:
    reader = Reader(str(visible(text)))
    assert set(reader.tags) <= {("bdi", ()), ("span", (("class", "cp"),))}
    assert reader.tags[0] == ("bdi", ())
    assert reader.text == text.replace("\r\n", "\n")


@given(TEXT | NASTY)
def test_no_control_or_direction_character_is_left(text: str) -> None:
    html = str(visible(text))
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ufeff]", html
    )


def test_joiners_and_scripts_stay_readable() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u0642\u0637\u0629 e\u0301"
    assert str(visible(family)) == f"<bdi>{family}</bdi>"


@pytest.mark.parametrize("text", HOSTILE)
def test_excerpt_is_bounded_and_says_what_it_left_out(text: str) -> None:
    cut = excerpt(text)
    assert cut.length == len(text)
    assert len(cut.head) <= SHOWN
    if cut.body is None:
        assert cut.head == text
        assert cut.omitted == 0
    else:
        assert cut.body.startswith(cut.head)
        assert len(cut.body) + cut.omitted == len(text)
        assert len(cut.body) <= KEPT


def test_missing_text_is_empty() -> None:
    assert str(visible(None)) == "<bdi></bdi>"
    assert excerpt(None).length == 0
