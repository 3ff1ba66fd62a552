"""Tables as figures: Dysca's tables 2 and 3, what it publishes, and how they are typeset."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import figure_pages
import pyarrow.compute as pc
import pytest
from figure_pages import draw, misplaced, rows, words
from hypothesis import given
from hypothesis import strategies as st
from report_answers import HOSTILE
from report_snapshot import SNAPSHOT

from lvlmbench import tables
from lvlmbench.analysis.table3 import Measure
from lvlmbench.errors import UserError
from lvlmbench.figures import latex, plotting, published, tabular, typeset
from lvlmbench.figures.base import NotApplicable, Sources
from lvlmbench.figures.kinds import results
from lvlmbench.figures.run import draw as write
from lvlmbench.figures.tabular import Cell, Column, Heading, Row, Table

NAMES = ("table2_statistics", "table3_results", "published_results")
#: Sentences of the published file that are wrong, and what is said of them.
DAMAGES = {
    "": "no CSV file",
    "model,clean\nA,1\n": "should have the columns",
    "HEAD\n": "has no row",
    "HEAD\nA,B,C,1,2,3\n": "line 2: has 6 of 11 values",
    "HEAD\nA,B,C,1,2,3,4,5,6,x,0\n": "'x' in column 'sc'",
    "HEAD\nA,B,C,1,200,3,4,5,6,7,0\n": "'200' in column 'clean' is no number from 0 to 100",
    "HEAD\nA,B,C,1,nan,3,4,5,6,7,0\n": "'nan' in column 'clean'",
    "HEAD\nA,B,C,1,2,3,4,5,inf,7,0\n": "'inf' in column 'sq'",
    "HEAD\nA,B,C,1,2,3,4,5,6,7,yes\n": "is not 0 or 1",
    "HEAD\n,B,C,1,2,3,4,5,6,7,0\n": "column 'model' is empty",
    "HEAD\nA,B,C,1,2,3,4,5,6,7,0\nA,B,D,1,2,3,4,5,6,7,0\n": "'A B' twice",
}
HEAD = (
    "model,language_model,visual_encoder,blind,clean,corruption,adversarial_attack,print_attack,"
    "sq,sc,white_box"
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return figure_pages.noisy(tmp_path_factory)


@pytest.fixture
def sources(root: Path) -> Sources:
    return figure_pages.sources(root)


@pytest.fixture
def beside(sources: Sources) -> Sources:
    """With published results asked for."""
    p = sources.snapshot.params
    figures = p.figures.model_copy(update={"published": True})
    snapshot = replace(sources.snapshot, params=p.model_copy(update={"figures": figures}))
    return Sources(snapshot, None, sources.published)


def test_every_number_of_table3_is_that_of_metrics_and_comparisons(sources: Sources) -> None:
    found = {(r["model"], r["measure"]): r for r in rows(draw("table3_results", sources))}
    metrics = sources.snapshot.metrics
    metrics = metrics.filter(
        pc.and_(
            pc.equal(metrics["questions"], "all"),
            pc.and_(
                pc.is_in(metrics["metric"], value_set=pc.cast(["total", "sq", "sc"], "string")),
                pc.and_(
                    pc.equal(metrics["severity"], "all"), pc.equal(metrics["perturbation"], "all")
                ),
            ),
        )
    )
    seen = 0
    for row in metrics.to_pylist():
        if row["subtask"] != "all" or row["style"] != "all" or row["question_type"] != "all":
            continue
        is_total = row["metric"] == "total"
        if row["scenario"] in ("other_image", "corruption_curve"):
            assert (row["model"], row["scenario"]) not in found
        elif is_total or row["scenario"] == "clean":
            mine = found[row["model"], row["scenario"] if is_total else row["metric"]]
            for name in ("value", "low", "high", "n", "n_unscored", "n_refused", "n_failed"):
                assert mine[name] == row[name] or row[name] != row[name]
            seen += 1
    assert seen == len(found) == 4 * 7
    tested = 0
    for row in sources.snapshot.comparisons.to_pylist():
        mine = found.get((row["model"], row["scenario"]))
        about = row["family"] == "scenarios" and row["question_type"] == "all"
        if about and mine and row["scenario"] != "blind":
            assert mine["difference"] == row["difference"]
            assert mine["difference_low"] == row["low"]
            assert mine["n_pairs"] == row["n"]
            tested += 1
    assert tested == 4 * 3


def test_only_models_that_look_are_the_best_and_the_proxy_is_marked(sources: Sources) -> None:
    drawn = draw("table3_results", sources)
    found = rows(drawn)
    measures = list(dict.fromkeys(r["measure"] for r in found))
    assert measures == ["blind", "clean", "corruption", "adversarial", "print_attack", "sq", "sc"]
    for measure in measures[1:]:
        ranked = {r["model"]: round(r["value"], 1) for r in found
                  if r["measure"] == measure and r["model_kind"] != "guesser"
                  and r["value"] is not None}  # fmt: skip
        end = min if measure in ("sq", "sc") else max
        best = {m for m, value in ranked.items() if value == end(ranked.values())}
        assert best == {r["model"] for r in found if r["measure"] == measure and r["best"]}
    assert not any(r["best"] for r in found if r["measure"] == "blind")
    marked = {(r["model"], r["measure"]) for r in found if r["white_box"]}
    assert marked == {("reference_a", "adversarial")}
    assert words(drawn.figure).count("*") == 1
    assert [r["model"] for r in found if r["measure"] == "clean"] == [
        "model-a", "hostile", "reference_a", "chance"
    ]  # fmt: skip


def test_intervals_and_unscored_answers_stand_below_the_numbers(sources: Sources) -> None:
    drawn = draw("table3_results", sources)
    shown = words(drawn.figure)
    clean = next(r for r in rows(drawn) if r["model"] == "model-a" and r["measure"] == "clean")
    assert f"{clean['low']:.1f} to {clean['high']:.1f}" in shown
    assert f"n {clean['n']:,}" in shown
    hostile = next(r for r in rows(drawn) if r["model"] == "hostile" and r["measure"] == "clean")
    assert hostile["value"] is None and hostile["n_unscored"] > 0
    assert f"n {hostile['n']:,}, {hostile['n_unscored']:,} unscored" in shown


def test_published_rows_change_nothing_of_ones_own(sources: Sources, beside: Sources) -> None:
    alone, both = draw("table3_results", sources), draw("table3_results", beside)
    assert rows(both)[: alone.table.num_rows] == rows(alone)
    rest = rows(both)[alone.table.num_rows :]
    assert len(rest) == 26 * 7
    assert {r["source"] for r in rest} == {"dysca"} and {r["best"] for r in rest} == {None}
    assert "published by Dysca (other images)" in words(both.figure)
    assert "GLM-4V" not in words(alone.figure)
    assert both.tex is not None and both.tex.count(r"\textit{GLM-4V}") == 1


def test_a_published_number_stands_under_the_scenario_called_as_its_kind() -> None:
    def measure(name: str, kind: str) -> Measure:
        return Measure(name, name, kind, name, "high")

    measures = [measure("storm", "corruption"), measure("corruption", "corruption"),
                measure("printed", "print_attack"), measure("haze", "haze")]  # fmt: skip
    row = results._beside(published.read(figure_pages.PUBLISHED)[:1], measures)[0]
    shown = [cell.text for cell in row.cells[1:]]
    assert shown == ["\N{EN DASH}", "42.30", "42.71", "\N{EN DASH}"]
    assert row.muted and not any(cell.bold for cell in row.cells)


def test_differences_of_the_published_table_are_those_that_the_paper_prints() -> None:
    """As printed: two that carry the paper's argument, the smallest, and the only gain."""
    found = {(r.model, r.language_model): r for r in published.read(figure_pages.PUBLISHED)}
    assert len(found) == 26
    assert found["GLM-4V", "GLM-4-9B-Chat"].difference("print_attack") == -30.0
    assert found["Xcomposer-VL", "InternLM-7B"].difference("adversarial") == -41.12
    assert found["GLM-4V", "GLM-4-9B-Chat"].difference("corruption") == -0.14
    assert found["MiniGPT-4", "Vicuna-7B"].difference("print_attack") == 1.33
    assert found["GPT-4o", ""].built_of == ""
    assert [key for key, row in found.items() if row.white_box] == [("InstructBLIP", "Flan-T5-XL")]


def test_the_published_table_shows_the_best_of_each_column(sources: Sources) -> None:
    drawn = draw("published_results", sources)
    best = {(r["model"], r["measure"]) for r in rows(drawn) if r["best"]}
    assert best == {
        ("GLM-4V", "clean"), ("GLM-4V", "corruption"), ("GLM-4V", "adversarial"),
        ("mPLUG-Owl-2", "print_attack"), ("Xcomposer2-VL", "sq"), ("GLM-4V", "sc"),
    }  # fmt: skip
    assert "(\N{MINUS SIGN}30.00)" in words(drawn.figure)


@pytest.mark.parametrize(("text", "said"), DAMAGES.items())
def test_a_damaged_published_file_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / published.FILE).write_text(text.replace("HEAD", HEAD))
    with pytest.raises(UserError) as error:
        published.read(tmp_path)
    assert said in str(error.value) and published.FILE in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_published_file_is_one_line(tmp_path: Path, beside: Sources) -> None:
    given = Sources(beside.snapshot, None, tmp_path)
    for name in ("table3_results", "published_results"):
        with pytest.raises(UserError, match=r"dysca_table3\.csv: is missing; restore the file"):
            draw(name, given)
    (tmp_path / published.FILE).write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not text"):
        published.read(tmp_path)


def test_the_statistics_are_numbers_too(sources: Sources) -> None:
    found = rows(draw("table2_statistics", sources))
    asked = sources.snapshot.asked
    total = sum(len(questions) for questions in asked.values())
    assert found[0]["number"] == total
    for parent in ("Total questions", "Question type"):
        parts = [r for r in found if r["part_of"] == parent]
        assert sum(r["number"] for r in parts) == total
        assert sum(r["share"] for r in parts) == pytest.approx(1)
    assert len(asked) == len([r for r in found if r["part_of"] == "Total questions"])
    assert all(f"{r['number']:,.0f}" in r["value"] for r in found if r["share"] is not None)


def test_without_results_or_questions_the_figures_say_so(tmp_path: Path, sources: Sources) -> None:
    empty = tmp_path / "metrics.parquet"
    tables.write_rows([], empty, tables.METRICS, SNAPSHOT)
    given = Sources(replace(sources.snapshot, metrics_path=empty), None, sources.published)
    with pytest.raises(NotApplicable):
        draw("table3_results", given)
    snapshot = replace(sources.snapshot)
    snapshot.__dict__["asked"] = {k: v.slice(0, 0) for k, v in sources.snapshot.asked.items()}
    with pytest.raises(NotApplicable):
        draw("table2_statistics", Sources(snapshot, None, sources.published))


def test_without_clean_there_are_no_differences(sources: Sources) -> None:
    given = figure_pages.with_scenarios(sources, "blind", "corruption")
    found = rows(draw("table3_results", given))
    assert {r["measure"] for r in found} == {"blind", "corruption", "sq", "sc"}
    assert {r["difference"] for r in found} == {None}


@pytest.mark.parametrize("name", NAMES)
def test_the_files_are_the_same_each_time(name: str, beside: Sources, tmp_path: Path) -> None:
    """Also with the tables in one shard or many: rows come in the order of scenes."""
    made = []
    for folder in (tmp_path / "a", tmp_path / "b"):
        write(name, Sources(replace(beside.snapshot), None, beside.published), folder)
        made.append({p.suffix: p.read_bytes() for p in folder.iterdir()})
    assert made[0] == made[1]
    assert set(made[0]) == {".pdf", ".svg", ".csv", ".json", ".tex"}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_stands_on_anything_else(name: str, beside: Sources) -> None:
    assert misplaced(draw(name, beside).figure) == []


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
    rest = re.sub(pattern, "", tex)
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


def test_a_tabular_is_whole(beside: Sources) -> None:
    """Each row has as many cells as the head says, and every brace is closed."""
    texts = [draw(name, beside).tex or "" for name in NAMES] + [latex.tabular(nasty())]
    for tex in texts:
        body = [line for line in tex.splitlines() if not line.startswith("%")]
        head = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", body[0])
        assert head is not None and body[-1] == r"\end{tabular}"
        assert re.search(r"\\usepackage\{booktabs\}", tex)
        for line in body:
            bare = re.sub(r"\\[\\{}&%$#_]", "", line)
            assert bare.count("{") == bare.count("}")
            if line.endswith(r"\\"):
                wide = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", line))
                assert bare.count("&") + 1 + wide == len(head.group(1)), line


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
