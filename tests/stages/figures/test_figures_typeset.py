"""How tables and lines of text are typeset: in figures and for LaTeX, whatever the text is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.stages.figures import latex, plotting, tabular, typeset
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table
from support import figure_pages
from support.figure_pages import misplaced, words
from support.report_answers import HOSTILE

#: Text that means something to LaTeX, to mathtext, or hides.
NASTY = [
    *HOSTILE,
    "$x^2$ \\input{/etc/passwd} % & # _ ~ ^ {",
    "[h] *",
    "--- '' `` ?`",
    "50% of A&B",
]


def nasty() -> Table:
    """A table of hostile text wherever there can be any."""
    lines: list[Row | Heading] = [
        Row((Cell(text[:60], notes=(text[:40],)), Cell(text[:20], aside=text[:9], mark="*")))
        for text in NASTY
    ]
    columns = [Column("Model $a_1$", "left"), Column("S & Q", group="$\\alpha$")]
    return Table(NASTY[3], columns, [*lines, Heading(NASTY[1])], [NASTY[-4], "a" * 300])


def test_hostile_text_stays_text_in_figures(recwarn: pytest.WarningsRecorder) -> None:
    with plotting.settings():
        made = tabular.draw(nasty())
        for form in ("svg", "pdf"):
            assert plotting.encode(made, form)
    assert misplaced(made) == []
    assert "[U+65E5 U+672C U+8A9E] [U+1F98A]" in " ".join(words(made))
    assert not [w for w in recwarn if "Glyph" in str(w.message)]


#: What ASCII is escaped to.
ASCII_SIGNS = {
    r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~",
    r"\textless{}": "<", r"\textgreater{}": ">", r"\textbar{}": "|", r"\char34{}": '"',
    r"\char96{}": "`", "{[}": "[", "{]}": "]", "{*}": "*", r"\{": "{", r"\}": "}", r"\$": "$",
    r"\&": "&", r"\#": "#", r"\%": "%", r"\_": "_", "{}": "",
}  # fmt: skip


def plain(tex: str) -> str:
    """What LaTeX would print of escaped text; fails where anything else would happen."""
    pattern = "|".join(re.escape(sign) for sign in ASCII_SIGNS)
    rest = re.sub(pattern, " ", tex)  # what stood apart stays apart
    assert not re.search(r"[\\{}$&#%_^~<>|\"`\[\]*]|--|''", rest), tex
    return re.sub(pattern, lambda m: ASCII_SIGNS[m.group()], tex)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_latex_prints_what_was_written(text: str) -> None:
    escaped = latex.escape(text)
    assert plain(escaped) == " ".join(text.split())
    assert not re.search(r"--|''|\?`|!`|,,", escaped)


@given(st.text())
def test_latex_of_any_text_is_one_harmless_line(text: str) -> None:
    escaped = latex.escape(text)
    assert "\n" not in escaped
    for sign in sorted(set(latex._SIGNS.values()) - {*ASCII_SIGNS}, key=len, reverse=True):
        escaped = escaped.replace(sign, "")
    plain(escaped)
    assert all(ord(c) < 0x180 for c in escaped)


def test_a_tabular_of_hostile_text_is_whole() -> None:
    figure_pages.check_tabular(latex.tabular(nasty()))


LONG = st.text(st.sampled_from("ab\u0301 \n\t$_\u202e\u65e5\u0642\U0001f98aW-"), max_size=200)


@given(LONG, st.floats(40, 300), st.integers(1, 4))
def test_lines_are_no_wider_than_their_room(text: str, room: float, most: int) -> None:
    with plotting.settings():
        lines = typeset.wrap(text, room, 8, most=most)
        assert len(lines) <= most
        for line in lines:
            assert typeset.width(line, 8) <= room or len(line) == 1
            assert not set(line) & set("\n\t\u202e\u65e5\U0001f98a")
        everything = typeset.wrap(text, room, 8, most=10_000)
        assert "".join("".join(everything).split()) == "".join(typeset.drawable(text).split())


def test_a_cut_says_so() -> None:
    with plotting.settings():
        assert typeset.wrap("x" * 1_000_000, 100, 8, most=2)[-1].endswith("\N{HORIZONTAL ELLIPSIS}")
        assert typeset.wrap("one two", 500, 8, most=1) == ["one two"]
        assert typeset.wrap("", 100, 8) == []
