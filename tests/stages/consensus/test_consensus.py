"""Model consensus: by hand, by properties, and by what it does to scores."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.config.cleaning import Consensus
from lvlmbench.config.models import Model
from lvlmbench.config.project import project_of
from lvlmbench.core.errors import UserError
from lvlmbench.stages.consensus.consensus import consensus_rows, counted_models
from lvlmbench.stages.metrics.metrics import metric_rows, totals
from support.answer_tables import params
from support.consensus_rows import FF, MC, TF, Outcome, Row, question, questions, said, scores


def models(*names: str, guessing: Sequence[str] = ()) -> list[Model]:
    engine = {name: "chance" if name in guessing else "reference_a" for name in names}
    return [Model(name=n, engine=engine[n]) for n in names]  # type: ignore[call-arg]


def consensus(models: int = 6, wrong: int | None = None, apply: str = "always") -> Consensus:
    """The paper's rule; when it is applied, test_consensus_voters tests."""
    given = {"models": models, "wrong": wrong, "apply": apply}
    return Consensus.model_validate(given)


def verdicts(
    answers: dict[str, Sequence[Outcome]],
    configured: Sequence[Model] | None = None,
    settings: Consensus | None = None,
    kinds: Sequence[str] = (),
) -> dict[str, Row]:
    """Question id -> row, of as many questions as there are answers a model."""
    n = max(map(len, answers.values()))
    asked = [question(i, kinds[i] if kinds else MC) for i in range(n)]
    rows = [
        said(model, asked[i], outcome)
        for model, outcomes in answers.items()
        for i, outcome in enumerate(outcomes)
    ]
    found = consensus_rows(
        scores(rows), questions(asked), configured or models(*answers), settings or consensus()
    )
    assert [row["question_id"] for row in found] == sorted(
        (row["question_id"] for row in found), key=lambda q: int(q[1:])
    )
    return {row["question_id"]: row for row in found}


def dropped(found: dict[str, Row]) -> set[str]:
    return {name for name, row in found.items() if not row["keep"]}


def test_by_hand() -> None:
    found = verdicts(
        {
            "good": [True, False, False, False, False, False],
            "fair": [True, False, True, "no fit", "refused", "none"],
        }
    )
    # All wrong, or wrong and "none of the options"; a refusal or an unreadable answer is neither.
    assert dropped(found) == {"q1", "q3"}
    # Right answers count once wrong ones are left out: fair has a total of 67, good of 17.
    assert {name: found["q3"][name] for name in list(found["q3"])[:7]} == {
        "question_id": "q3", "scene_id": "s3", "n_models": 2, "n_wrong": 1, "n_none": 1,
        "keep": False, "models": ["fair", "good"],
    }  # fmt: skip
    assert (found["q4"]["n_wrong"], found["q4"]["n_none"]) == (1, 0)


def test_what_a_strategy_makes_of_no_fit_does_not_count() -> None:
    """A strategy that always chooses is right or wrong about it by chance."""
    asked = [question(i) for i in range(3)]
    forced = {"parse_method": "none_of_options", "scored": True, "parsed_index": 2}
    rows = [said(model, asked[i], True) for model in ("a", "b") for i in (0, 1)]
    rows += [said("a", asked[2], "no fit") | forced | {"correct": True}, said("b", asked[2], False)]
    found = consensus_rows(scores(rows), questions(asked), models("a", "b"), consensus())
    assert [(r["n_wrong"], r["n_none"], r["keep"]) for r in found] == [
        (0, 0, True), (0, 0, True), (1, 1, False),
    ]  # fmt: skip


def test_only_the_best_count() -> None:
    answers: dict[str, Sequence[Outcome]] = {
        "bad": [False, True, False, False],
        "best": [True, False, True, False],
        "next": [True, False, True, False],
    }
    found = verdicts(answers, settings=consensus(models=2))
    assert found["q0"]["models"] == ["best", "next"]
    assert dropped(found) == {"q1", "q3"}
    assert dropped(verdicts(answers)) == {"q3"}


def test_equal_totals_go_by_the_configured_order() -> None:
    answers: dict[str, Sequence[Outcome]] = {name: [True, False] for name in ("a", "b", "c")}
    found = verdicts(answers, models("c", "a", "b"), consensus(models=2))
    assert found["q0"]["models"] == ["c", "a"]


@pytest.mark.parametrize("name", ["chance", "coin"])
def test_guessing_never_counts(name: str) -> None:
    """Whatever it is called and however well it does."""
    answers: dict[str, Sequence[Outcome]] = {
        name: [True, True, True],
        "a": [True, False, False],
        "b": [True, False, True],
    }
    found = verdicts(answers, models(name, "a", "b", guessing=[name]))
    assert dropped(found) == {"q1"} and found["q1"]["n_models"] == 2
    # With one model left that does not guess nothing is dropped.
    del answers["b"]
    found = verdicts(answers, models(name, "a", guessing=[name]))
    assert not dropped(found) and found["q1"]["models"] == ["a"]
    # With none there is nobody to look at.
    assert not verdicts({name: [False]}, models(name, guessing=[name]))


def test_how_many_it_takes() -> None:
    answers: dict[str, Sequence[Outcome]] = {
        "a": [True, False, False, False],
        "b": [True, True, False, False],
        "c": [True, True, True, False],
    }
    wanted = {1: {"q1", "q2", "q3"}, 2: {"q2", "q3"}, 3: {"q3"}, None: {"q3"}, 4: set()}
    for wrong, expected in wanted.items():
        assert dropped(verdicts(answers, settings=consensus(wrong=wrong))) == expected


def test_free_form_has_no_row() -> None:
    found = verdicts({"a": [False, 12.5], "b": [False, 0.0]}, kinds=[MC, FF])
    assert set(found) == {"q0"} and dropped(found) == {"q0"}


def test_short_answers_have_no_row() -> None:
    """That all give another number is what a hard question does, as a faulty one."""
    kinds = [MC, "short_answer"]
    found = verdicts({"a": [False, False], "b": [False, False]}, kinds=kinds)
    assert set(found) == {"q0"} and dropped(found) == {"q0"}


def test_captions_count_in_the_ranking() -> None:
    kinds = [MC, MC, FF]
    answers: dict[str, Sequence[Outcome]] = {
        "chooser": [True, True, 10.0],
        "writer": [True, False, 90.0],
        "third": [False, True, 40.0],
    }
    found = verdicts(answers, settings=consensus(models=1), kinds=kinds)
    assert found["q0"]["models"] == ["writer"]
    assert not dropped(found)


def test_a_model_that_was_down_does_not_keep_everything() -> None:
    answers: dict[str, Sequence[Outcome]] = {
        "a": [False, True],
        "b": [False, True],
        "down": ["error", "error"],
    }
    found = verdicts(answers)
    assert dropped(found) == {"q0"} and found["q0"]["models"] == ["a", "b"]


def test_what_does_not_belong_together_is_one_line() -> None:
    asked = [question(0), question(1)]
    rows = [said("a", asked[0], True), said("b", asked[1], False)]
    for wrong, names, kept in (
        ([*rows, rows[0] | {"scenario": "corruption"}], "ab", asked),
        (rows, "a", asked),
        (rows, "ab", asked[:1]),
    ):
        with pytest.raises(UserError) as error:
            consensus_rows(scores(wrong), questions(kept), models(*names), consensus())
        assert "\n" not in str(error.value) and error.value.fix


def test_several_images_of_a_question() -> None:
    """Where the first scenario is a curve: against a question is who is so on all its images."""
    said_of = {
        "a": [[False, False], [False, True], [False, "no fit"], ["no fit", "no fit"]],
        "b": [[False, False], [False, False], [False, False], ["no fit", "refused"]],
    }
    asked = [question(i) for i in range(4)]
    rows = [
        said(model, asked[i], outcome) | {"image_id": f"i{image}"}
        for model, outcomes in said_of.items()
        for i, both in enumerate(outcomes)
        for image, outcome in enumerate(both)
    ]
    set_up = models("a", "b")
    # Both need a total: b and a once are right about another question.
    for name in ("a", "b"):
        rows.append(said(name, question(4), True) | {"image_id": "i0"})
    found = consensus_rows(scores(rows), questions([*asked, question(4)]), set_up, consensus())
    assert [(r["n_wrong"], r["n_none"], r["keep"]) for r in found] == [
        (2, 0, False), (1, 0, True), (2, 0, False), (0, 1, True), (0, 0, True),
    ]  # fmt: skip
    with pytest.raises(UserError, match="twice of one model"):
        consensus_rows(scores([*rows, rows[0]]), questions([*asked, question(4)]), set_up,
                       consensus())  # fmt: skip


_OUTCOMES: st.SearchStrategy[Outcome] = st.sampled_from([True, False, "no fit", "refused", "none"])
_N = 6


@st.composite
def _answered(draw: st.DrawFn) -> tuple[list[Row], list[Row], list[Model], Consensus]:
    kinds = [MC, TF, FF, MC, TF, MC]
    asked = [question(i, kind) for i, kind in enumerate(kinds)]
    names = draw(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=5, unique=True))
    guessing = draw(st.sets(st.sampled_from("abcdef"), max_size=2))
    rows = [
        said(name, q, draw(st.floats(0, 100) if q["question_type"] == FF else _OUTCOMES))
        for name in names
        for q in asked
    ]
    most = draw(st.integers(1, 6))
    set_up = consensus(most, draw(st.none() | st.integers(1, most)))
    return rows, asked, models(*names, guessing=sorted(guessing)), set_up


@settings(deadline=None, max_examples=40)
@given(_answered(), st.randoms(use_true_random=False))
def test_order_changes_nothing(
    made: tuple[list[Row], list[Row], list[Model], Consensus], shuffler: Any
) -> None:
    rows, asked, configured, set_up = made
    found = consensus_rows(scores(rows), questions(asked), configured, set_up)
    mixed = rows.copy()
    shuffler.shuffle(mixed)
    assert consensus_rows(scores(mixed), questions(asked), configured, set_up) == found
    # Nor does the order of models, but where totals are equal.
    order = configured.copy()
    shuffler.shuffle(order)
    reached = list(totals(scores(rows)).values())
    if len(set(reached)) == len(reached):
        assert consensus_rows(scores(rows), questions(asked), order, set_up) == found


@settings(deadline=None, max_examples=40)
@given(_answered())
def test_verdicts_are_sound(made: tuple[list[Row], list[Row], list[Model], Consensus]) -> None:
    rows, asked, configured, set_up = made
    found = consensus_rows(scores(rows), questions(asked), configured, set_up)
    chosen = counted_models(scores(rows), configured, set_up.models)
    guessing = {m.name for m in configured if m.engine == "chance"}
    assert not guessing & set(chosen) and len(chosen) <= set_up.models
    closed = [q["question_id"] for q in asked if q["question_type"] != FF]
    assert [row["question_id"] for row in found] == (closed if chosen else [])
    for row in found:
        answers = {r["model"]: r for r in rows if r["question_id"] == row["question_id"]}
        of_chosen = [answers[name] for name in chosen]
        assert row["models"] == chosen
        if all(answer["correct"] for answer in of_chosen):
            assert row["keep"]
        if not row["keep"]:
            assert len(chosen) >= 2
            against = [a["correct"] is False for a in of_chosen].count(True)
            assert row["n_wrong"] == against
            assert against + row["n_none"] >= (set_up.wrong or len(chosen))


@settings(deadline=None, max_examples=40)
@given(_answered(), st.lists(_OUTCOMES, min_size=_N, max_size=_N))
def test_a_worse_model_or_a_guessing_one_changes_nothing(
    made: tuple[list[Row], list[Row], list[Model], Consensus], outcomes: list[Outcome]
) -> None:
    rows, asked, configured, set_up = made
    found = consensus_rows(scores(rows), questions(asked), configured, set_up)
    by_guess = [said("lucky", q, 100.0 if q["question_type"] == FF else True) for q in asked]
    more = [*models("lucky", guessing=["lucky"]), *configured]
    assert consensus_rows(scores([*rows, *by_guess]), questions(asked), more, set_up) == found
    chosen = counted_models(scores(rows), configured, set_up.models)
    newer = [
        said("newer", q, 0.0 if q["question_type"] == FF else outcome)
        for q, outcome in zip(asked, outcomes, strict=True)
    ]
    both = scores([*rows, *newer])
    more = [*configured, *models("newer")]
    if len(chosen) == set_up.models and "newer" not in counted_models(both, more, set_up.models):
        assert consensus_rows(both, questions(asked), more, set_up) == found


def _simulated(
    rng: np.random.Generator, n: int, k: int, p: float
) -> tuple[list[Row], list[Row], list[Model]]:
    """``n`` flawless questions that ``k`` equal models answer rightly with probability ``p``."""
    asked = [question(i) for i in range(n)]
    names = [f"m{i}" for i in range(k)]
    right = rng.random((k, n)) < p
    rows = [
        said(name, q, bool(right[i, j]))
        for i, name in enumerate(names)
        for j, q in enumerate(asked)
    ]
    return rows, asked, models(*names)


@pytest.mark.parametrize("wrong", [None, 2])
def test_consensus_biases_scores_upward(wrong: int | None) -> None:
    """No question is at fault here: all that consensus adds to a score is bias.

    Of three models that are right with probability p = 0.6, independently, at least m are wrong
    with a probability that the binomial distribution gives; of what is left, p rises to
    (p - P(right, and at least m of the others wrong)) / (1 - P(at least m wrong)).
    """
    p, q = 0.6, 0.4
    rows, asked, configured = _simulated(np.random.default_rng(3), 2000, 3, p)
    found = consensus_rows(scores(rows), questions(asked), configured, consensus(wrong=wrong))
    gone = {row["question_id"] for row in found if not row["keep"]}
    lost, right_and_lost = (q**3, 0.0) if wrong is None else (q**3 + 3 * p * q**2, p * q**2)
    assert len(gone) / 2000 == pytest.approx(lost, abs=0.03)
    metrics = metric_rows(scores(rows), gone)
    value = {
        (row["questions"], row["model"]): row["value"]
        for row in metrics
        if row["metric"] == "total"
    }
    gains = [value["consensus", m.name] - value["all", m.name] for m in configured]  # type: ignore[operator]
    assert min(gains) > 0
    expected = 100 * ((p - right_and_lost) / (1 - lost) - p)
    assert float(np.mean(gains)) == pytest.approx(expected, abs=1.5)


def test_faulty_questions_go_and_few_others() -> None:
    """100 of 1000 questions have a wrong key: none of six good models gives it by knowing."""
    rng = np.random.default_rng(4)
    rows, asked, configured = _simulated(rng, 1000, 6, 0.8)
    for row in rows:
        if int(row["question_id"][1:]) < 100:
            row["correct"] = bool(rng.random() < 0.02)
    found = consensus_rows(scores(rows), questions(asked), configured, consensus())
    gone = {int(str(row["question_id"])[1:]) for row in found if not row["keep"]}
    faulty = {i for i in gone if i < 100}
    assert len(faulty) >= 80 and len(gone - faulty) <= 1


@pytest.mark.long
def test_script_writes_the_table(
    tmp_path: Path, run_python: Callable[..., subprocess.CompletedProcess[str]], root: Path
) -> None:
    rows, asked, _ = _simulated(np.random.default_rng(5), 40, 2, 0.5)
    config = params(
        [{"name": name, "engine": engine} for name, engine in
         (("luck", "chance"), ("m0", "reference_a"), ("m1", "reference_b"))]
    )  # fmt: skip
    config = config.model_copy(update={"consensus": consensus()})
    (tmp_path / "config.json").write_text(project_of(config).model_dump_json())
    luck = [said("luck", q, True) for q in asked]
    files = []
    for name, part in (("luck", luck), ("m0", rows[:40]), ("m1", rows[40:])):
        files.append(tmp_path / f"{name}.parquet")
        tables.write_rows(part, files[-1], tables.SCORES, "x")
    tables.write_rows(asked, tmp_path / "questions.parquet", tables.QUESTIONS, "x")
    written = []
    for order in (files, files[::-1]):
        out = tmp_path / "out" / "part-00000.parquet"
        done = run_python(
            root / "scripts/consensus.py", "--config", tmp_path / "config.json", "--scores",
            *order, "--questions", tmp_path / "questions.parquet", "--out", out,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        written.append(out.read_bytes())
    assert written[0] == written[1]
    found = tables.read(out.parent, tables.CONSENSUS).to_pylist()
    both_wrong = {
        a["question_id"]
        for a, b in zip(rows[:40], rows[40:], strict=True)
        if not a["correct"] and not b["correct"]
    }
    assert {row["question_id"] for row in found if not row["keep"]} == both_wrong != set()
    assert done.stdout == f"{len(both_wrong)} of 40 closed questions dropped\n"
    config_text = json.loads((tmp_path / "config.json").read_text())
    config_text["answer"]["models"].pop()
    (tmp_path / "config.json").write_text(json.dumps(config_text))
    done = run_python(
        root / "scripts/consensus.py", "--config", tmp_path / "config.json", "--scores", *files,
        "--questions", tmp_path / "questions.parquet", "--out", out,
    )  # fmt: skip
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "'m1'" in done.stderr
