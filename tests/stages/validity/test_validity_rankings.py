"""Reading rankings: what is taken, and one line for each mistake; our models and theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.engines import check_validity
from lvlmbench.stages.validity.correlations import correlation_tables
from lvlmbench.stages.validity.files import encode, read
from lvlmbench.stages.validity.rankings import Ranking, read_rankings
from lvlmbench.stages.validity.totals import judged_totals

ROOT = Path(__file__).parents[3]
HEAD = "benchmark,model,score\n"


def params(asked: list[str], /, **validity: Any) -> Params:
    endpoint = {"base_url": "https://models.example/v1", "model": "m"}
    models: list[dict[str, Any]] = [
        {"name": name, "engine": "openai_chat", "endpoint": endpoint} for name in asked
    ]
    models += [{"name": "chance", "engine": "chance"}, {"name": "ours", "engine": "reference_a"}]
    return validate({"answer": {"models": models}, "validity": {"resamples": 99} | validity})


def test_reads_all_files_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_bytes(("\ufeff" + HEAD + "B,x,1\r\n\r\nB, y ,-2.5e1\r\n").encode())
    (tmp_path / "a.csv").write_text('score,model,benchmark\n3,"z, large",B\n4,x,A\n5,y,A\n')
    (tmp_path / "README.md").write_text("words")
    (tmp_path / ".hidden.csv").write_text("nonsense")
    found = read_rankings(tmp_path)
    assert found == [
        Ranking("A", {"x": 4.0, "y": 5.0}),
        Ranking("B", {"z, large": 3.0, "x": 1.0, "y": -25.0}),
    ]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("benchmark;model;score\nB;x;1\n", ":1:", "semicolons"),
        ("benchmark,model,score,year\nB,x,1,2\n", ":1:", "columns unknown: 'year'"),
        ("benchmark,model\nB,x\n", ":1:", "columns missing: 'score'"),
        ("benchmark,model,score,score\nB,x,1,1\n", ":1:", "columns twice there: 'score'"),
        (HEAD + "B,x,1\nB,X,2\n", ":3:", "'X' has a score on 'B' at"),
        (HEAD + "B,x,1\nB,y,high\n", ":3:", "'high' is no number"),
        (HEAD + "B,x,1\nB,y,nan\n", ":3:", "'nan' is no number"),
        (HEAD + "B,x,1\nB,y,1_0\n", ":3:", "'1_0' is no number"),
        (HEAD + 'B,x,1\nB,y,"1,5"\n', ":3:", "'1,5' is no number"),
        (HEAD + "B,x,1\nB,y,1,5\n", ":3:", "has 4 cells, not 3"),
        (HEAD + "B,x,1\nB,,5\n", ":3:", "has no model"),
        (HEAD + "B,x,1\n", ":2:", "'B' has one model"),
        (
            "benchmark,model,score,measure\nB,x,1,score\nB,y,1,accuracy\n",
            ":3:",
            "'B' has the measure 'accuracy', and 'score' before",
        ),
        (HEAD + 'B,"x,1\n', "", "is no CSV"),
        ("", "", "is empty"),
        (HEAD.encode("utf-16").decode("latin-1"), "", "is not UTF-8"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, where: str, what: str) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError) as caught:
        read_rankings(tmp_path)
    assert str(caught.value).startswith(f"{path}{where}")
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no folder"):
        read_rankings(tmp_path / "none")


def test_the_published_ones_are_there() -> None:
    found = {each.benchmark: each.scores for each in read_rankings(ROOT / "data" / "rankings")}
    counts = {name: len(scores) for name, scores in found.items()}
    assert counts == {
        "AutoDavis": 11, "Dysca clean": 26, "TouchStone": 7,
        "VALOR-Eval coverage": 10, "VALOR-Eval faithfulness": 10,
    }  # fmt: skip
    said = {e.benchmark: (e.measure, e.made) for e in read_rankings(ROOT / "data" / "rankings")}
    assert said == {
        "AutoDavis": ("accuracy", "recomputed from cells"), "Dysca clean": ("total", ""),
        "TouchStone": ("score", ""), "VALOR-Eval coverage": ("coverage", ""),
        "VALOR-Eval faithfulness": ("faithfulness", ""),
    }  # fmt: skip
    assert found["Dysca clean"]["GPT-4o"] == 75.69
    assert found["AutoDavis"]["GPT-4o"] == pytest.approx(48.36, abs=5)
    shared = set(found["Dysca clean"]) & set(found["VALOR-Eval coverage"])
    assert {"mPLUG-Owl2", "Qwen-VL-Chat", "InternLM-XComposer2-VL"} <= shared


def test_names_without_case_and_by_map() -> None:
    rankings = [
        Ranking(
            "B", {"GPT-4o mini": 3.0, "Other": 2.0, "Third": 1.0, "Fourth": 0.0}, measure="accuracy"
        )
    ]
    p = params(["gpt-4o-mini", "a", "b", "unknown"], names={"a": "Other", "b": "third"})
    ours = {"gpt-4o-mini": 50.0, "a": 40.0, "b": 45.0, "unknown": 99.0, "chance": 1.0, "ours": 2.0}
    table, models = correlation_tables(
        p, {"accuracy": {"all": ours, "realistic": {"a": 1.0}}}, rankings
    )
    whole, part = table.to_pylist()
    assert (whole["models"], whole["spearman"]) == (3, 0.5)
    assert whole["kendall"] == pytest.approx(1 / 3)
    assert whole["spearman_low"] < 0.5 < whole["spearman_high"]
    assert (part["models"], part["spearman"], part["spearman_p"]) == (1, None, None)
    rows = models.to_pylist()
    assert [(r["model"], r["their_name"], r["our_rank"], r["their_rank"]) for r in rows] == [
        ("a", "Other", 3.0, 2.0), ("b", "Third", 2.0, 3.0),
        ("gpt-4o-mini", "GPT-4o mini", 1.0, 1.0),
        ("a", "Other", 1.0, 1.0),
    ]  # fmt: skip


def test_one_of_theirs_counts_once() -> None:
    rankings = [Ranking("B", {"GPT 4": 3.0, "b": 1.0, "c": 2.0}, measure="accuracy")]
    totals = {"all": {"a": 3.0, "gpt-4": 2.5, "b": 1.0, "c": 2.0}}
    p = params(["a", "gpt-4", "b", "c"], names={"a": "GPT 4"})
    correlations, models = correlation_tables(p, {"accuracy": totals}, rankings)
    assert models["model"].to_pylist() == ["a", "b", "c"]
    assert correlations["spearman"].to_pylist() == [1.0]
    twice = params(["a", "b", "c"], names={"a": "GPT 4", "b": "gpt-4"})
    with pytest.raises(UserError, match="'a' and 'b' would both be 'gpt-4'") as caught:
        correlation_tables(twice, {"accuracy": totals}, rankings)
    assert "\n" not in str(caught.value)


def test_guessers_and_reference_models_count_when_named() -> None:
    rankings = [Ranking("B", {"chance": 3.0, "ours": 2.0}, measure="accuracy")]
    ours = {"chance": 5.0, "ours": 7.0}
    assert correlation_tables(params([]), {"accuracy": {"all": ours}}, rankings)[1].num_rows == 0
    named = params([], names={"ours": "ours"})
    assert correlation_tables(named, {"accuracy": {"all": ours}}, rankings)[1][
        "model"
    ].to_pylist() == ["ours"]


def test_files_come_back(tmp_path: Path) -> None:
    rankings = [Ranking('B, "quoted"\n<b>', {"a": 3.0, "b": 2.0, "c": 1.0}, measure="accuracy")]
    ours = {"a": 1.0, "b": 2.0, "c": 2.0}
    made = correlation_tables(params(["a", "b", "c"]), {"accuracy": {"all": ours}}, rankings)
    again = correlation_tables(params(["c", "b", "a"]), {"accuracy": {"all": ours}}, rankings)
    for name, table, other in zip(("correlations.csv", "rankings.csv"), made, again, strict=True):
        (tmp_path / name).write_bytes(encode(name, table))
        assert read(tmp_path, name).equals(table)
        assert encode(name, other) == encode(name, table)


def test_a_name_that_nobody_has_is_one_line() -> None:
    p = params(["a"], names={"a": "GPT-5o"})
    with pytest.raises(UserError, match=r"no ranking in data/rankings has a model 'GPT-5o'"):
        correlation_tables(
            p,
            {"accuracy": {"all": {"a": 1.0}}},
            [Ranking("B", {"x": 1.0, "y": 2.0}, measure="accuracy")],
        )


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"names": {"nobody": "x"}}, "validity.names: there is no model 'nobody'"),
        ({"kmmd": {"encoder": "reference_c"}}, "there is no reference model 'reference_c'"),
        ({"kmmd": {"encoder": "reference_b"}}, "'reference_b' is not in reference.models"),
        ({"kmmd": {"encoder": "local-dir:/no/such"}}, "there is no folder '/no/such'"),
    ],
)
def test_the_start_tells_of_mistakes(changes: dict[str, Any], what: str) -> None:
    given = params(["a"], **changes).model_dump(mode="json")
    given["reference"]["models"] = ["reference_a"]
    given["filter"]["filters"] = []
    with pytest.raises(UserError, match=what):
        check_validity(validate(given), "mine.yaml: validity")


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"names": {"a": "x", "chance": "x"}}, "'x' is listed twice"),
        ({"kmmd": {"encoder": None, "pretrained": "openai"}}, "without an 'encoder'"),
        ({"kmmd": {"encoder": "reference_a", "pretrained": "openai"}}, "brings its weights"),
    ],
)
def test_the_parameters_are_checked(changes: dict[str, Any], what: str) -> None:
    with pytest.raises(UserError, match=what):
        params(["a"], **changes)


def test_no_encoder_needs_no_model() -> None:
    given = params(["a"], kmmd={"encoder": None}).model_dump(mode="json")
    given["reference"]["models"], given["filter"]["filters"] = [], []
    given["answer"]["models"] = given["answer"]["models"][:1]
    check_validity(validate(given), "mine.yaml: validity")


def test_a_ranking_is_compared_with_our_own_of_its_measure_alone() -> None:
    """Faithfulness with faithfulness, whatever the headline is; nothing with another measure."""
    theirs = {"a": 3.0, "b": 2.0, "c": 1.0}
    rankings = [
        Ranking("F", theirs, measure="faithfulness"), Ranking("S", theirs, measure="score"),
        Ranking("U", theirs), Ranking("M", theirs, measure="f1", made="recomputed from cells"),
    ]  # fmt: skip
    rising, falling = {"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 30.0, "b": 20.0, "c": 10.0}
    totals = {"f1": {"all": rising, "realistic": {}}, "faithfulness": {"all": falling}}
    table, models = correlation_tables(params(["a", "b", "c"]), totals, rankings)
    rows = {(row["benchmark"], row["styles"]): row for row in table.to_pylist()}
    assert {*rows} == {("F", "all"), ("S", "all"), ("U", "all"), ("M", "all"), ("M", "realistic")}
    faithful, scored, unsaid, made = (rows[name, "all"] for name in "FSUM")
    assert (faithful["measure"], faithful["spearman"]) == ("faithfulness", 1.0)
    assert (made["spearman"], made["made"]) == (-1.0, "recomputed from cells")
    assert scored["spearman"] is None
    assert scored["why_not"] == "no score of ours, but f1, faithfulness"
    assert unsaid["why_not"] == "nobody says what it measures: its file has no column 'measure'"
    ours = {row["model"]: row["ours"] for row in models.to_pylist() if row["benchmark"] == "F"}
    assert ours == falling


def test_judges_numbers_are_found_by_their_measure(tmp_path: Path) -> None:
    kinds = {"judge": "lexical", "scenario": "clean", "subtask": "all", "stratum": "all"}
    rows = [
        kinds | {"model": model, "measure": measure, "value": value, "n": 9, "answers": 9,
                 "unjudged": 0, **more}
        for model, measure, value, more in (
            ("a", "faithfulness", 70.0, {}), ("a", "f1", 50.0, {}), ("b", "faithfulness", 60.0, {}),
            ("b", "faithfulness", 10.0, {"scenario": "noisy"}),
            ("b", "faithfulness", 20.0, {"subtask": "objects"}),
            ("b", "faithfulness", 30.0, {"judge": "other"}),
        )
    ]  # fmt: skip
    path = tmp_path / "hallucination.parquet"
    tables.write_rows(rows, path, tables.HALLUCINATION, "s")
    p = validate({"judge": {"judges": [{"name": "lexical", "engine": "lexical"}]}})
    results = {"hallucination": path, "dialogue": None}
    assert judged_totals(p, "faithfulness", results) == {"a": 70.0, "b": 60.0}
    assert judged_totals(p, "score", results) == {}
