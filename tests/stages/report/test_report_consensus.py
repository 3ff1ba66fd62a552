"""Every table with and without the questions that the models' consensus drops."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.analysis import funnel
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.readings import readings
from lvlmbench.snapshot.kept import WITHOUT
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.consensus import consensus as cleaning_consensus
from lvlmbench.stages.report import consensus
from support.report_pages import page_of, read, section, words
from support.report_snapshot import COUNTED, build


def test_consensus_view_has_its_own_figures(snapshot: Snapshot) -> None:
    every, agreed = Leaderboard(snapshot), Leaderboard(snapshot, "consensus")
    assert agreed.models == every.models
    n_dropped = len(snapshot.dropped)
    for model in ("model-a", "reference_a"):
        with_all, without = (s.value(model, "clean", "score", "multiple_choice") for s in
                             (every, agreed))  # fmt: skip
        assert with_all and without and with_all.value and without.value
        assert without.n < with_all.n
        assert without.value > with_all.value  # both miss every dropped question
        totals = [s.value(model, "clean", "headline") for s in (every, agreed)]
        assert totals[0] and totals[1] and totals[0].n - totals[1].n == n_dropped
    counts = [
        {r.model: r.total for r in readings(snapshot, s)} for s in (every, agreed)
    ]  # fmt: skip
    assert {m: counts[0][m] - counts[1][m] for m in counts[0]} == dict.fromkeys(
        every.models, n_dropped
    )


def test_chance_of_the_consensus_view_is_of_the_kept_questions(snapshot: Snapshot) -> None:
    kept = snapshot.counted(snapshot.asked["clean"], "consensus")
    assert len(kept) == len(snapshot.asked["clean"]) - len(snapshot.dropped)
    levels = Leaderboard(snapshot, "consensus").chance("clean", "subtask")
    closed = kept.filter(pc.is_valid(kept["chance"]))
    assert sum(len(by) for by in levels.values()) == len(
        {(q["question_type"], q["subtask"]) for q in closed.to_pylist()}
    )


def test_every_table_is_there_twice_and_the_bias_is_told(made: Path) -> None:
    html = (made / "results" / "report.html").read_text()
    radios = re.findall(r'<input type="radio" name="([^"]+)" value="([^"]+)"[^>]*>', html)
    assert {value for _, value in radios} == {"all", "consensus"}
    assert len(radios) == 2 * len({name for name, _ in radios}) == 6
    assert html.count('class="view" data-view="consensus"') == 3
    assert html.count('class="view" data-view="all"') == 3
    assert len(re.findall(r'value="all" autocomplete="off" checked', html)) == 3
    text = words(html)
    assert "7 of 78 closed questions" in text
    assert "all 3 models of the consensus (model-a, hostile, reference_a)" in text
    assert "raises scores by construction" in text
    assert "Charts always count all questions" in text
    # The chart, two leaderboards, the matrix of pairs, the sensitivities; what is made up is no
    # matter of the consensus.
    rest = re.sub(r'<section id="hallucination".*?</section>', "", html, flags=re.S)
    assert words(rest).count("reference, trained on pictographs") == 5
    assert "must not be compared with those of general models" in text
    assert "reference_a is also what the filter CLIP judges images by" in text


def test_the_page_opens_with_the_questions_that_count(made: Path, snapshot: Snapshot) -> None:
    """Of ``statistics.questions: consensus``; the view of all questions is still there."""
    counting = snapshot.params.statistics.model_copy(update={"questions": "consensus"})
    p = snapshot.params.model_copy(update={"statistics": counting})
    html = page_of(made, made, p)
    assert len(re.findall(r'value="consensus" autocomplete="off" checked', html)) == 3
    assert html.count('class="view" data-view="all"') == 3
    text = words(html)
    assert "all questions" not in section(html, "comparisons")
    for name in ("overview", "comparisons", "subtasks", "styles", "sensitivity"):
        assert WITHOUT in words(section(html, name)), name
    assert "Charts always count all questions" not in text
    total = Leaderboard(snapshot, "consensus").value("model-a", "clean", "headline")
    assert total is not None and f"{total.value:.1f}%" in words(section(html, "overview"))
    lost = len(snapshot.dropped)
    asked = len(snapshot.asked["clean"])
    assert f"dropped {lost} of {asked} questions" in words(section(html, "composition"))
    assert WITHOUT not in words((made / "results" / "report.html").read_text())


@pytest.mark.long
@pytest.mark.parametrize(
    ("counted", "told", "off"),
    [((), "none does", "none counted"), (("model-a",), "one does", "one counted")],
)
def test_without_two_models_the_consensus_is_off(
    made: Path, tmp_path: Path, counted: tuple[str, ...], told: str, off: str
) -> None:
    build(tmp_path, counted=counted)
    text = words(html := page_of(tmp_path, made))
    assert 'type="radio"' not in html and '<div class="view" data-view="consensus"' not in html
    assert f"needs at least two whose answers count; {told}, so it was off" in text
    assert f"at least two models beside guessing, and {off}. No question was dropped" in text
    assert "Kept by consensus" not in {s.label for s in funnel.build(read(tmp_path)).steps}


def test_a_consensus_that_drops_nothing_says_so(made: Path, tmp_path: Path) -> None:
    build(tmp_path)
    found = read(tmp_path)
    kept = {"keep": True, "n_wrong": 0, "verdict": "kept", "expected_bad": None}
    rows = [row | kept for row in found.consensus.to_pylist()]
    folder = tmp_path / "data/dysca/consensus"
    tables.write_rows(rows, folder / "part-00000.parquet", tables.CONSENSUS, "s")
    html = page_of(tmp_path, made)
    assert "dropped none of 78 closed questions" in words(html)
    assert 'type="radio"' not in html


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        ("unreliable", "two voters must be at least half way from guessing to all right"),
        ("off", "consensus.apply is never"),
    ],
)
def test_a_consensus_that_is_not_applied_says_so(
    made: Path, tmp_path: Path, verdict: str, told: str
) -> None:
    build(tmp_path)
    rows = [
        row if row["keep"] else row | {"keep": True, "verdict": verdict, "expected_bad": 0.4}
        for row in read(tmp_path).consensus.to_pylist()
    ]
    folder = tmp_path / "data/dysca/consensus"
    tables.write_rows(rows, folder / "part-00000.parquet", tables.CONSENSUS, "s")
    text = words(page_of(tmp_path, made))
    assert "Consensus not applied to 7 questions" in text and told in text
    assert ("model-a 70%" in text) == (verdict == "unreliable")
    found = consensus.build(read(tmp_path))
    assert sum(s.missed for s in found.shares) == 7 and not found.dropped


@pytest.mark.parametrize(
    ("apply", "told"),
    [
        ("auto", "dropped only where, by subtask and question type, the voters are so good that a "
         "share of at least 0.9 of it is expected to be bad"),
        ("always", "What is missed is dropped (consensus.apply is always)"),
        ("never", "What is missed stays and counts (consensus.apply is never)"),
    ],
)  # fmt: skip
def test_the_page_says_what_becomes_of_what_is_missed(
    made: Path, snapshot: Snapshot, apply: str, told: str
) -> None:
    settings = snapshot.params.consensus.model_copy(update={"apply": apply})
    p = snapshot.params.model_copy(update={"consensus": settings})
    text = words(section(page_of(made, made, p), "cleaning"))
    assert "closed question is missed when all 3" in text and told in text
    assert "is dropped when" not in text
    assert ("may be dropped as well" in text) == (apply != "never")


def test_null_share_of_bad_ones_is_of_kept_questions_alone() -> None:
    """Questions of the verdicts ``unreliable`` and ``off`` stay and have it."""
    (column,) = (c for c in tables.CONSENSUS.columns if c.name == "expected_bad")
    assert "null where `kept`" in column.meaning


def test_consensus_counts_and_examples(snapshot: Snapshot) -> None:
    found = consensus.build(snapshot)
    assert found.on and tuple(found.models) == COUNTED
    table = snapshot.consensus
    assert found.looked_at == len(table) == sum(s.looked_at for s in found.shares)
    assert found.dropped == len(snapshot.dropped) == sum(s.dropped for s in found.shares) == 7
    assert found.kept + found.dropped == found.looked_at + found.others
    dropped = set(snapshot.dropped.to_pylist())
    assert len(found.examples) == consensus.SHOWN
    for example in found.examples:
        assert example.question.question_id in dropped
        assert example.thumbnail
        assert [a.model for a in example.question.answers] == list(COUNTED)
        assert "right" not in {a.outcome for a in example.question.answers}


@pytest.mark.parametrize(
    ("models", "wrong", "said"),
    [(2, None, "both"), (6, None, "all 6"), (6, 4, "at least 4 of 6"), (3, 3, "all 3")],
)
def test_how_many_models_it_takes(models: int, wrong: int | None, said: str) -> None:
    names = [f"m{i}" for i in range(models)]
    assert consensus.Consensus(names, wrong, 9, 1, 8, 0, [], []).needed == said


def test_too_few_models_are_as_few_as_for_the_consensus() -> None:
    assert consensus.FEWEST == cleaning_consensus.FEWEST
