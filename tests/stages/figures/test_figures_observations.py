"""The paper's observations, computed for made-up models, for a run and for the paper's Table 3."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lvlmbench.analysis import tasks
from lvlmbench.analysis.comparisons import Comparison, Comparisons, probability
from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.stages.figures import published
from lvlmbench.stages.figures.figure import Drawn, Sources
from lvlmbench.stages.figures.observations import common, of_run
from lvlmbench.stages.figures.subjects import (
    Above,
    Subject,
    family,
    lineage,
    own_subjects,
    printed_subjects,
)
from support import figure_pages
from support.figure_pages import draw, misplaced, rows, words

PUBLISHED = Path(__file__).parents[3] / "data" / "published"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Vicuna-7B", ("vicuna", 7.0)), ("Llama3-Instruct 8B", ("llama3-instruct", 8.0)),
        ("Flan-T5-XL", ("flan-t5", 3.0)), ("Flan-T5-XXL", ("flan-t5", 4.0)), ("Phi-3", None),
        ("", None),
    ],
)  # fmt: skip
def test_family_and_size(name: str, expected: tuple[str, float] | None) -> None:
    assert family(name) == expected


def test_a_family_needs_no_size() -> None:
    names = ("Vicuna-7B", "vicuna-13B", "Phi-3", "LLaMA2-7B", "LLaMA-7B")
    assert [lineage(name) for name in names] == ["vicuna", "vicuna", "phi-3", "llama2", "llama"]


def _found(subjects: list[Subject], samples: int = 99) -> list[str]:
    return [one.found for one in common(subjects, 1, samples)]


def test_numbers_of_made_up_models() -> None:
    subjects = [
        Subject("a", "L-7B", "eye", 50.0, {"blur": -0.5, "push": -30.0}, 1.0, 4.0, ["push"]),
        Subject("b", "L-13B", "eye", 60.0, {"blur": 0.2, "push": -30.0}, 4.0, 3.0),
        Subject("c", "M-13B", "ear", 70.0, {"blur": -2.0, "push": -1.0}, 9.0, 2.0),
    ]
    found = _found(subjects)
    assert found[0] == "best: c 70.00, n = 3"
    assert found[1] == "better in 1 of 1 pairs, by +10.00 to +10.00 points, median +10.00"
    assert found[2] == "not enough pairs (n = 0)"
    assert "\N{MINUS SIGN}2.00 to +0.20 points; 1 of 3 change by 1 or more, 2 lose" in found[3]
    assert found[3].endswith("of the clean score +0.3% (b) to \N{MINUS SIGN}2.9% (c)")
    assert "\N{MINUS SIGN}30.00 to \N{MINUS SIGN}30.00 points (n = 2)" in found[5]
    assert "others \N{MINUS SIGN}1.00 to \N{MINUS SIGN}1.00 (n = 1)" in found[5]
    assert "SQ and clean +1.00" in found[6] and "SC and clean \N{MINUS SIGN}1.00" in found[7]
    assert found[8] == "median difference of the root of SQ 1.0 in a family, 1.5 across"


def _tested(difference: float, p: float) -> Comparison:
    return Comparison(difference, difference - 1, difference + 1, p, p, 9, 9, 0, 0)


def test_other_families_behind_one_encoder_are_compared() -> None:
    subjects = [
        Subject("a", "L-7B", "eye", 50.0, {}, None, None),
        Subject("b", "M-7B", "eye", 62.0, {}, None, None),
        Subject("c", "M-13B", "eye", 61.0, {}, None, None),
        Subject("d", "N", "ear", 90.0, {}, None, None),
        Subject("e", "", "ear", 20.0, {}, None, None),
        Subject("f (O-2B)", "O-2B", "ear", 91.5, {}, None, None),
    ]
    larger, families = common(subjects, 1, 99)[1:3]
    # The paper compares by size within a family, and by capability across families.
    assert (larger.n, families.n) == (1, 3)
    assert families.found == (
        "the two differ by 1.50 to 12.00 points, median 11.00; most behind each encoder: "
        "b (M-7B) over a (L-7B) +12.00; f (O-2B) over d (N) +1.50"
    )
    # Tested in pairs, the differences are those of the tests, with their intervals and p.
    shown, open_ = _tested(13.0, 0.0004), _tested(-11.5, 0.2)
    first, second, third = (
        replace(subjects[0], against={"b": shown.reversed, "c": open_}),
        replace(subjects[1], against={"a": shown}),
        replace(subjects[2], against={"a": open_.reversed}),
    )
    found = common([first, second, third], 1, 99)[2].found
    assert found == (
        "the two differ by 11.50 to 13.00 points, median 12.25; told apart in 1 of 2 (Holm, 5%); "
        "most behind each encoder: b (M-7B) over a (L-7B) +13.00 (+12.00 to +14.00, p < 0.001)"
    )
    # Those that have answered too little in common are no pair, whatever their totals.
    apart = replace(shown.reversed, difference=None)
    assert common([replace(first, against={"b": apart}), second], 1, 99)[2].n == 0
    smaller = replace(third, against={"b": shown})
    told = common([smaller, second], 1, 99)[1].found
    assert told.startswith("better in 1 of 1 pairs, by +13.00")
    assert told.endswith("shown to be better in 1, worse in 0 of 1 (Holm, 5%)")


def test_who_is_below_guessing_is_told_by_scenario() -> None:
    guessed = {
        "blur": {"multiple_choice": Above(4.0, 1.0, 7.0), "true_false": Above(-1.0, -4.0, 2.0)},
        "push": {"multiple_choice": Above(-9.0, -14.0, -4.0), "true_false": Above(-2.0)},
    }
    subject = Subject("a", "", "", 50.0, {}, None, None, guessed=guessed)
    other = replace(subject, model="b", guessed={"push": {"true_false": Above(3.0, -1.0, 7.0)}})
    found = {o.found: o.n for o in common([subject, other], 1, 99) if "guessing" in o.says}
    assert found == {
        "Blur: 1 of 2 below guessing, by model and type; 0 with the 95% interval below 0": 2,
        "Push: 2 of 3 below guessing, by model and type; 1 with the 95% interval below 0; lowest: "
        "a in multiple choice \N{MINUS SIGN}9.0 (\N{MINUS SIGN}14.0 to \N{MINUS SIGN}4.0)": 3,
    }


def test_a_share_is_of_the_clean_score_on_the_same_questions() -> None:
    subject = Subject("a", "", "", 50.0, {"blur": -5.0}, None, None, before={"blur": 40.0})
    (found,) = [text for text in _found([subject]) if "of the clean score" in text]
    least = "\N{MINUS SIGN}12.5%"  # of 40, not of 50
    assert found.endswith(f"of the clean score {least} (a) to {least} (a)")


def test_no_p_is_a_bare_zero() -> None:
    subjects = [Subject(str(i), "", "", 50.0 + i, {}, i, None) for i in range(12)]
    (found,) = [text for text in _found(subjects, 9999) if "rho of SQ" in text]
    assert found.endswith(f", {probability(0.0002)}") and "p < 0.001" in found


def test_too_few_models_say_so() -> None:
    found = _found([Subject("a", "", "", 50.0, {}, None, None)])
    assert found[1:] == [
        "not enough pairs (n = 0)", "not enough pairs (n = 0)", "not enough models (n = 0)",
        "not enough models (n = 0)", "not enough pairs of one family (n = 0)",
    ]  # fmt: skip
    assert common([], 1, 99) == []


def test_the_papers_own_table_contradicts_its_text() -> None:
    found = _found(printed_subjects(published.read(PUBLISHED)))
    assert found[0] == "best: GLM-4V (GLM-4-9B-Chat) 82.09, n = 26"
    # Not all larger models are better: InstructBLIP with Vicuna-13B is not.
    assert found[1].startswith("better in 4 of 5 pairs, by \N{MINUS SIGN}2.65 to +8.79 points")
    # The pair that the paper names is the one furthest apart behind its encoder.
    assert "GLM-4V (GLM-4-9B-Chat) over Emu2-Chat (LLaMA-33B) +18.45" in found[2]
    assert "+1.57 points; 8 of 26 change by 1 or more" in found[3]
    below = [text.partition(" below their own score without the image") for text in found]
    assert [text for text, split, _ in below if split] == [
        "Corruption: 0 of 26", "Adversarial attack: 11 of 26", "Print attack: 0 of 26",
    ]  # fmt: skip
    (others,) = [text for text in found if "with the attacked encoder" in text]
    assert "\N{MINUS SIGN}1.84 points (n = 12)" in others and "(n = 14)" in others


def cut(drawn: Drawn) -> list[str]:
    return [line for line in words(drawn.figure) if "\N{HORIZONTAL ELLIPSIS}" in line]


@pytest.mark.long
def test_the_figure_is_the_same_again_and_fits(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    given = figure_pages.sources(figure_pages.noisy(tmp_path_factory))
    p = given.snapshot.params
    figures = p.figures.model_copy(update={"published": True})
    snapshot = replace(given.snapshot, params=p.model_copy(update={"figures": figures}))
    sources = Sources(snapshot, None, PUBLISHED)
    drawn = draw("paper_observations", sources)
    assert not misplaced(drawn.figure) and not cut(drawn)
    found = rows(drawn)
    assert {r["source"] for r in found} == {"snapshot", "published"}
    assert {r["section"] for r in found} == {"4.1", "4.2 (1)", "4.2 (2)", "4.2 (3)", "4.3"}
    assert rows(draw("paper_observations", Sources(snapshot, None, PUBLISHED))) == found


def test_changes_of_a_run_are_of_the_same_questions(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    given = figure_pages.sources(figure_pages.noisy(tmp_path_factory))
    paired = Comparisons(given.snapshot)
    subjects = own_subjects(given.snapshot, given.leaderboard)
    changes = {(s.model, name): value for s in subjects for name, value in s.changes.items()}
    assert changes and "print_attack" in {name for _, name in changes}
    for (model, name), value in changes.items():
        told = paired.to_clean(model, name)
        assert told is not None and told.difference == value
    for subject in subjects:
        for name, change in subject.changes.items():
            total = given.leaderboard.value(subject.model, name, "headline")
            assert total is not None and total.value is not None
            assert subject.before[name] + change == pytest.approx(total.value)


def built(given: Sources, language_models: dict[str, str]) -> Sources:
    """The same, had its owner said of these models that one encoder stands before them all."""
    p = given.snapshot.params
    models = [
        m.model_copy(update={"language_model": said, "visual_encoder": "ViT"})
        if (said := language_models.get(m.name))
        else m
        for m in p.answer.models
    ]
    answer = p.answer.model_copy(update={"models": models})
    snapshot = replace(given.snapshot, params=p.model_copy(update={"answer": answer}))
    return Sources(snapshot, None, PUBLISHED)


def test_pairs_and_guessing_of_a_run_are_those_of_its_tables(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    given = built(
        figure_pages.sources(figure_pages.noisy(tmp_path_factory)),
        {"model-a": "Vicuna-7B", "reference_a": "Phi-3"},
    )
    drawn = draw("paper_observations", given)
    assert not misplaced(drawn.figure) and not cut(drawn)
    found = rows(drawn)
    (row,) = (r for r in found if "of another family" in r["says"])
    test = Comparisons(given.snapshot).between("model-a", "reference_a", "clean")
    assert test is not None and row["n"] == 1
    numbers = [test.difference, test.low, test.high]
    told = [f"{v:+.2f}".replace("-", "\N{MINUS SIGN}") for v in numbers if v is not None]
    assert row["found"].endswith(
        "told apart in 0 of 1 (Holm, 5%); most behind each encoder: model-a (Vicuna-7B) over "
        f"reference_a (Phi-3) {told[0]} ({told[1]} to {told[2]}, {probability(test.p_holm)})"
    )
    below = {r["found"].partition(":")[0]: r for r in found if "worse than guessing" in r["says"]}
    names = ("corruption", "print_attack", "adversarial")
    assert {*below} == {plain(name) for name in names}
    for name in names:
        values = [
            given.leaderboard.value(model, name, "above_chance", kind)
            for model in ("model-a", "reference_a")
            for kind in ("multiple_choice", "true_false")
        ]
        above = [v for v in values if v is not None and v.value is not None]
        less = sum(v.value < 0 for v in above if v.value is not None)
        sure = sum(v.high < 0 for v in above if v.high is not None)
        row = below[plain(name)]
        assert row["n"] == len(above) > 0
        told = f"below guessing, by model and type; {sure} with the 95% interval below 0"
        assert f": {less} of {len(above)} {told}" in row["found"]


def _by_task(given: Sources) -> list[dict[str, object]]:
    found = of_run(given.snapshot, given.leaderboard)
    return [{"found": one.found, "n": one.n} for one in found if one.place == "4.3"]


def test_a_model_that_hardly_answers_does_not_empty_what_is_said_of_subtasks(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    given = figure_pages.sources(figure_pages.noisy(tmp_path_factory))
    models = ["model-a", "hostile", "reference_a"]
    grid = tasks.by_column(given.snapshot, models, "clean", "subtask", [])
    hardly = grid.values["hostile"].values()
    assert sum(value.n for value in hardly) < sum(value.n_unscored for value in hardly)
    above = {
        group: (grid.value("model-a", group) or 0.0) + (grid.value("reference_a", group) or 0.0)
        for group in grid.groups
    }
    worst = min((100 * tasks.above_chance(v / 2, grid.chance[g]), g) for g, v in above.items())
    found = _by_task(given)
    assert [row["n"] for row in found] == [2, 2, 2]
    for row in found:
        assert str(row["found"]).endswith("left out, with too few scored answers: hostile")
    assert f"hardest {inline(worst[1])} {worst[0]:.1f}" in str(found[0]["found"])
    assert "race, age and gender 37.0, all others" in str(found[1]["found"])


def test_groups_that_a_model_lacks_are_named(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = figure_pages.sources(figure_pages.noisy(tmp_path_factory))

    def cell(value: float | None) -> Value:
        return Value(value, None, None, 1, 0)

    groups = ["animal", "tv_show", "race", "food"]
    whole = {name: cell(80.0) for name in groups} | {"food": cell(90.0)}
    made = tasks.Grid(
        groups,
        {"model-a": whole, "reference_a": whole | {"tv_show": cell(None)}, "hostile": {}},
        dict.fromkeys(groups, 50.0), dict.fromkeys(groups, 1),
    )  # fmt: skip
    monkeypatch.setattr(tasks, "by_column", lambda *_: made)
    monkeypatch.setattr(tasks, "by_entry", lambda *_: made)
    rest = (
        "(% of the way from guessing to all right); left out, with too few scored answers: "
        f"hostile; left out, as not each of these models has a value: {inline('tv_show')}"
    )
    assert _by_task(given) == [
        {"found": f"easiest food 80.0, race 60.0; hardest animal 60.0, race 60.0 {rest}", "n": 2},
        {"found": f"race, age and gender 60.0, all others 70.0 {rest}", "n": 2},
        {"found": f"Animal: worst animal 60.0, race 60.0, food 80.0 {rest}", "n": 2},
    ]
