"""docs/dysca.md, the table of every element of the paper: what it names is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.yaml_file import read_yaml
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.figures.figure import FIGURES
from lvlmbench.stages.scenario.kinds.corruption.settings import first_kinds

PAGE = PROJECT_ROOT / "docs/dysca.md"
VOCABULARY = PROJECT_ROOT / "data/vocabulary"
COLUMNS = ["Dysca", "element", "where", "shown by", "as the paper?"]
WORDS = {"as the paper", "in the preset", "different", "more", "weaker", "missing"}
#: What differs is said; of these it need not be.
PLAIN = {"as the paper"}
#: All that the paper numbers, and the appendices that its text names; 2.1 is about other work.
PLACES = {
    *("1", "2.2", "3.1", "3.2", "3.3", "3.4", "4", "4.1", "4.2", "4.3", "4.4"),
    *(f"3.3, step {n}" for n in range(1, 5)),
    *(f"table {n}" for n in range(1, 5)),
    *(f"figure {n}" for n in range(1, 7)),
    *(f"equation {n}" for n in (1, 2)),
    *(f"appendix {letter}" for letter in "ADEFH"),
    "references",
}
PRESET = ("profiles/dysca.yaml", "profiles/dysca-models.yaml")


class Line(NamedTuple):
    """A row: its number in the file, and its cells."""

    number: int
    place: str
    element: str
    where: str
    shown: str
    status: str


def lines(text: str) -> list[Line]:
    """The rows of all tables with :data:`COLUMNS`."""
    found, inside = [], False
    for number, line in enumerate(text.splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            inside = False
        elif cells == COLUMNS:
            inside = True
        elif inside and set(line) - set("|-"):
            assert len(cells) == len(COLUMNS), f"line {number}: {len(cells)} cells"
            found.append(Line(number, *cells))
    return found


def documented_keys() -> set[str]:
    """Keys of the parameters; a test holds that page against the code."""
    page = (PROJECT_ROOT / "docs/configuration.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `([\w.\[\]]+)` \|", page, re.M))


def values_of(settings: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Keys of a file, sections included, as the documentation writes them, with their values."""
    if before:
        yield before, settings
    if isinstance(settings, dict):
        for key, value in settings.items():
            yield from values_of(value, f"{before}.{key}" if before else str(key))
    elif isinstance(settings, list):
        for value in settings:
            yield from values_of(value, f"{before}[]")


def among(token: str, keys: set[str]) -> bool:
    """Whether a key is one of these, or the end of one, a section's name included."""
    return "." in token and any(key == token or key.endswith(f".{token}") for key in keys)


def problem(token: str, keys: set[str]) -> str | None:
    """What is wrong with what stands between backticks in the columns where and shown by."""
    path, _, name = token.partition("::")
    if "/" in token or path in {"Snakefile", "dvc.yaml", "params.yaml"}:
        there = PROJECT_ROOT / path
        if not there.exists():
            return "no such file"
        if name and not re.search(rf"^def {re.escape(name)}\(", there.read_text("utf-8"), re.M):
            return "no such test"
        return None
    if token in FIGURES.names() or among(token, keys):
        return None
    return "neither a file, nor a figure, nor a parameter"


def tokens(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def word(status: str) -> str:
    return status.removeprefix("`").partition("`")[0]


@pytest.fixture(scope="module")
def rows() -> list[Line]:
    return lines(PAGE.read_text(encoding="utf-8"))


def test_every_part_of_the_paper_has_a_row(rows: list[Line]) -> None:
    assert {row.place for row in rows} == PLACES
    assert len(rows) >= 70
    assert len({row[1:3] for row in rows}) == len(rows), "an element stands there twice"


def test_what_the_page_names_is_there(rows: list[Line]) -> None:
    keys = documented_keys()
    assert len(keys) > 200
    wrong = [
        f"docs/dysca.md:{row.number}: `{token}`: {what}"
        for row in rows
        for token in tokens(row.where) + tokens(row.shown)
        if (what := problem(token, keys)) is not None
    ]
    assert not wrong, "\n".join(wrong)


def test_every_row_says_where_what_shows_it_and_what_differs(rows: list[Line]) -> None:
    for row in rows:
        status, said = word(row.status), row.status.partition("`:")[2].strip()
        assert status in WORDS, f"line {row.number}: {row.status}"
        assert said or status in PLAIN, f"line {row.number} says not what differs"
        if status != "missing":
            assert tokens(row.where) or "](" in row.where, f"line {row.number}: where?"
            assert tokens(row.shown), f"line {row.number}: what shows it?"


def test_what_is_in_the_preset_is_set_there_and_is_not_the_default(rows: list[Line]) -> None:
    default, *preset = (
        [*values_of(read_yaml(PROJECT_ROOT / path))] for path in ("params.yaml", *PRESET)
    )
    chosen = [pair for pairs in preset for pair in pairs]
    found = [row for row in rows if word(row.status) == "in the preset"]
    assert len(found) > 10
    for row in found:
        named = [token for token in tokens(row.where) if "/" not in token]
        assert named, f"line {row.number} names no key"
        ours, theirs = (
            {token: [v for k, v in pairs if among(token, {k})] for token in named}
            for pairs in (default, chosen)
        )
        assert [token for token in named if not theirs[token]] == [], f"line {row.number}"
        assert ours != theirs, f"line {row.number}: params.yaml says the same"


def test_all_figures_of_the_paper_are_in_the_row_of_their_number(rows: list[Line]) -> None:
    for name in FIGURES.names():
        source = FIGURES.get(name, "x").source or ""
        for kind, number in re.findall(r"Dysca, (table|figure) (\d+)", source):
            shown = [row.shown for row in rows if row.place == f"{kind} {number}"]
            assert any(name in tokens(cell) for cell in shown), name


@pytest.mark.parametrize(
    ("token", "what"),
    [
        ("lvlmbench/stages/nothing.py", "no such file"),
        ("tests/project/test_dysca_page.py::test_nothing", "no such test"),
        ("no_figure", "neither"),
        ("corpus.no_key", "neither"),
        ("lines", "neither"),
    ],
)
def test_what_is_not_there_is_found(token: str, what: str) -> None:
    assert (problem(token, documented_keys()) or "").startswith(what)


def test_a_row_that_lacks_a_cell_is_found() -> None:
    head = f"| {' | '.join(COLUMNS)} |\n|---|---|---|---|---|\n"
    assert lines(f"{head}| 1 | a | b | c | d |\n\n| 2 | x |")[0].element == "a"
    with pytest.raises(AssertionError, match="line 3"):
        lines(f"{head}| 1 | a | b | c |")


#: Words of styles that begin with a capital letter, or a number: no names of persons among them.
_CAPITALS = {"ASCII", "LED", "VHS", "V", "35", "3D", "Impressionist", "Cubist"}


def test_no_style_has_the_name_of_a_person() -> None:
    """Section 3.2 leaves out styles with the name of an artist; a name begins with a capital."""
    for entry in load_vocabulary(VOCABULARY).lists["style"].entries:
        said = [entry.label, *(str(entry.extra[k]) for k in ("caption", "prompt"))]
        assert {*re.findall(r"\b[A-Z0-9]\w*", " ".join(said))} <= _CAPITALS, entry.label


def test_three_subtasks_are_coarse() -> None:
    """Section 3.2: style, background and color; the others are fine."""
    names = subtasks_of("dysca")
    coarse = {name for name in names if SUBTASKS[name].granularity == "coarse"}
    assert (coarse, len(names)) == ({"style", "background", "color"}, 20)


def test_numbers_of_the_page_are_those_of_the_lists() -> None:
    page = PAGE.read_text(encoding="utf-8")
    entries = {name: of.entries for name, of in load_vocabulary(VOCABULARY).lists.items()}
    drawn = {name: sum("pictograph" in e.renderers for e in of) for name, of in entries.items()}
    realistic = sum(bool(e.extra["realistic"]) for e in entries["style"])
    noisy = read_yaml(PROJECT_ROOT / PRESET[0])["suites"]["dysca"]["scenarios"]["noisy"]
    (strengths,) = (s["corruption"]["strengths"] for s in noisy if s["name"] == "corruption")
    words = {11: "eleven"}
    kinds = len(first_kinds())
    for said in (
        f"{len(entries['style'])} in the preset, {drawn['style']} of them drawn by pictographs",
        f"{len(entries['animal'])}, of which pictographs show {drawn['animal']}",
        f"pictographs show {drawn['landmark']} of the {len(entries['landmark'])}",
        f"{realistic} styles of ours",
        f"{words[kinds]} kinds, those of the published code",
    ):
        assert said in page, said
    assert len(strengths) == kinds, "the page says that the preset has all strengths"
