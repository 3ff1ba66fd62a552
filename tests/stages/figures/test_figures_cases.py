"""Single cases: which ones are shown, whether they are what they are said to be, and their look."""

from __future__ import annotations

import base64
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.csv
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.analysis import cases, robustness
from lvlmbench.analysis.cases import Case, Place, Spread
from lvlmbench.stages.figures import thumbnails as pictures
from lvlmbench.stages.figures.figure import NotApplicable, Sources
from lvlmbench.stages.figures.run import draw as write
from support import figure_pages
from support.figure_pages import draw, misplaced, rows, with_scenarios, words
from support.offered import FIRST, build_with_drafts, letter_of
from support.report_answers import HOSTILE
from support.report_snapshot import SNAPSHOT

NAMES = ("question_type_cases", "failure_cases")
NOISY = ["corruption", "print_attack", "adversarial"]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return figure_pages.noisy(tmp_path_factory)


@pytest.fixture(scope="module")
def sources(root: Path) -> Sources:
    return figure_pages.sources(root)


def scores(given: Sources, model: str, scenario: str) -> dict[str, dict[str, Any]]:
    """Scored closed questions that the consensus keeps, by id."""
    dropped = set(given.snapshot.dropped.to_pylist())
    found = given.snapshot.shards(
        tables.SCORES, tables.SCORES.names, model=model, scenario=scenario
    )
    return {
        row["question_id"]: row
        for shard in found
        for row in shard.to_pylist()
        if row["scored"] and row["correct"] is not None and row["question_id"] not in dropped
    }


def pairs(drawn_rows: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The two answers of each case."""
    assert [r["case"] for r in drawn_rows[::2]] == [r["case"] for r in drawn_rows[1::2]]
    return list(zip(drawn_rows[::2], drawn_rows[1::2], strict=True))


def test_a_case_of_question_types_is_the_same_thing_seen_once(sources: Sources) -> None:
    found = pairs(rows(draw("question_type_cases", sources)))
    assert found
    for first, second in found:
        about = [first[k] == second[k] for k in ("model", "scene_id", "subtask", "image_id")]
        assert all(about) and first["correct"] != second["correct"]
        assert (first["question_type"], second["question_type"]) == (
            "multiple_choice", "true_false"
        )  # fmt: skip
        known = scores(sources, first["model"], "clean")
        for row in (first, second):
            assert known[row["question_id"]]["correct"] == row["correct"]
            assert known[row["question_id"]]["subtask"] == row["subtask"]
            assert (row["chosen_option"] == row["right_option"]) == row["correct"]


def test_their_counts_are_those_of_all_answers(sources: Sources) -> None:
    for first, _ in pairs(rows(draw("question_type_cases", sources))):
        known = scores(sources, first["model"], "clean").values()
        by_thing: dict[tuple[str, str], dict[str, bool]] = {}
        for row in known:
            thing = by_thing.setdefault((row["scene_id"], row["subtask"]), {})
            thing[row["question_type"]] = row["correct"]
        both = [t for t in by_thing.values() if len(t) == 2]
        lost = sum(t["multiple_choice"] and not t["true_false"] for t in both)
        gained = sum(t["true_false"] and not t["multiple_choice"] for t in both)
        assert (first["n"], first["n_lost"], first["n_gained"]) == (len(both), lost, gained)


def test_a_failure_is_right_in_clean_and_wrong_in_the_scenario(sources: Sources) -> None:
    found = pairs(rows(draw("failure_cases", sources)))
    assert [second["scenario"] for _, second in found] == NOISY
    for first, second in found:
        assert first["question_id"] == second["question_id"]
        assert first["scenario"] == "clean" and first["image_id"] != second["image_id"]
        before = scores(sources, first["model"], "clean")
        after = scores(sources, first["model"], second["scenario"])
        assert before[first["question_id"]]["correct"]
        assert not after[first["question_id"]]["correct"]
        assert after[first["question_id"]]["image_id"] == second["image_id"]
        both = set(before) & set(after)
        lost = sum(before[q]["correct"] and not after[q]["correct"] for q in both)
        gained = sum(after[q]["correct"] and not before[q]["correct"] for q in both)
        assert (first["n"], first["n_lost"], first["n_gained"]) == (len(both), lost, gained)
    assert len({first["scene_id"] for first, _ in found}) == len(found)
    assert len({first["subtask"] for first, _ in found}) == len(found)


def test_models_under_test_come_before_others_and_guessers_are_left_out(sources: Sources) -> None:
    for name in NAMES:
        kinds = [first["model_kind"] for first, _ in pairs(rows(draw(name, sources)))]
        assert kinds == sorted(kinds, key=["model", "reference"].index)
        assert kinds[0] == "model"


def case(scene: str, subtask: str = "animal", model: str = "a", **changes: Any) -> Case:
    """A made-up case."""
    place = Place("clean", f"q-{scene}", "multiple_choice", f"i-{scene}", True)
    other = replace(place, correct=False)
    made = Case(model, "model", scene, subtask, "mosaic", place, other, 9, 2, 1)
    return replace(made, **changes)


def test_cases_are_spread_and_follow_from_ids_alone() -> None:
    given = [case("1"), case("2"), case("3", "color"), case("4", "food", kind="reference")]
    orders = (given, given[::-1])
    for order in orders:
        spread = Spread()
        taken = [spread.take(order) for _ in range(6)]
        assert [c and c.scene_id for c in taken] == ["1", "3", "2", "4", None, None]


def test_a_lucky_true_or_false_comes_last() -> None:
    lucky = case("1", first=replace(case("1").first, question_type="true_false"))
    found = Spread().take([lucky, case("2")])
    assert found is not None and found.scene_id == "2"


def test_a_model_that_guesses_is_shown_where_there_is_no_other(sources: Sources) -> None:
    assert cases.looking(sources.leaderboard) == ["model-a", "hostile", "reference_a"]
    metrics = sources.snapshot.metrics
    snapshot = replace(sources.snapshot)
    snapshot.__dict__["metrics"] = metrics.filter(pc.equal(metrics["model"], "chance"))
    assert cases.looking(Sources(snapshot, None, Path()).leaderboard) == ["chance"]


def test_pictures_are_the_images_upright_and_small(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "SIDE", 64)
    write("failure_cases", sources, tmp_path)
    text = (tmp_path / "failure_cases.svg").read_text()
    found = [
        Image.open(io.BytesIO(base64.b64decode(re.sub(r"\s", "", data))))
        for data in re.findall(r'data:image/png;base64,([^"]+)"', text)
    ]
    assert len(found) == 6
    assert not any(image.info for image in found)
    shown = []
    for row in rows(draw("failure_cases", sources)):
        folder = sources.snapshot.data / "images" / row["scenario"]
        shown.append(pictures.of(folder, {row["image_id"]})[row["image_id"]])
    upright = [np.asarray(image.convert("RGB")) for image in found]
    turned = [pixels[::-1] for pixels in upright]
    svg = [text[m.start() : m.start() + 400] for m in re.finditer("<image", text)]
    flipped = ["scale(1 -1)" in tag for tag in svg]
    seen = [t if f else u for u, t, f in zip(upright, turned, flipped, strict=True)]
    for pixels, wanted in zip(seen, shown, strict=True):
        assert np.array_equal(pixels, wanted)


def test_an_image_is_shrunk_and_what_is_none_is_left_out(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (900, 450), (200, 10, 10, 255)).save(out, "PNG")
    small = pictures.pixels(out.getvalue())
    assert small is not None and small.shape == (128, 256, 3)
    assert pictures.pixels(out.getvalue()[:90]) is None
    assert pictures.pixels(b"no image") is None


@pytest.fixture(scope="module")
def hostile(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Sources:
    """The snapshot with hostile text in every answer, question, option and on every picture, and
    with images cut short."""
    copy = tmp_path_factory.mktemp("hostile") / "snapshot"
    evil = [*HOSTILE, "=cmd()", "$\\frac{1}{2}$"]

    def text(row: dict[str, Any], i: int) -> str:
        return evil[int(row["question_id"][:4], 16) % len(evil)]

    def printed(row: dict[str, Any], i: int) -> dict[str, Any] | None:
        done = row["perturbation"]
        return done and done | {"printed_text": done["printed_text"] and evil[i % len(evil)]}

    def cut(row: dict[str, Any], i: int) -> dict[str, Any] | None:
        return row["image"] and row["image"] | {"bytes": row["image"]["bytes"][:99]}

    figure_pages.rewritten(root, copy, "answers", tables.ANSWERS, text=text)
    figure_pages.rewritten(
        root, copy, "questions", tables.QUESTIONS, question=text,
        options=lambda row, i: [evil[(i + k) % len(evil)] for k in range(len(row["options"]))],
    )  # fmt: skip
    figure_pages.rewritten(root, copy, "images/print_attack", tables.IMAGES, perturbation=printed)
    figure_pages.rewritten(root, copy, "images/corruption", tables.IMAGES, image=cut)
    return figure_pages.sources(copy)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_hostile_text_stays_text_in_its_place(
    name: str, hostile: Sources, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    drawn = draw(name, hostile)
    assert misplaced(drawn.figure) == []
    hidden = re.compile("[\x00-\x09\x0b-\x1f\u200b\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
    assert not any(hidden.search(line) for line in words(drawn.figure))
    assert max(len(line) for line in words(drawn.figure)) < 200
    write(name, hostile, tmp_path)
    assert not [w for w in recwarn if "Glyph" in str(w.message)]
    csv = (tmp_path / f"{name}.csv").read_text()
    assert not hidden.search(csv) and len(csv) < 200_000
    options = pyarrow.csv.ParseOptions(newlines_in_values=True)
    table = pyarrow.csv.read_csv(tmp_path / f"{name}.csv", parse_options=options)
    assert table.num_rows == drawn.table.num_rows
    for row in table.to_pylist():
        assert not any(str(v).startswith(("=", "@", "+")) for v in row.values())


def test_an_image_that_cannot_be_decoded_leaves_its_place_empty(hostile: Sources) -> None:
    drawn = draw("failure_cases", hostile)
    assert words(drawn.figure).count("no picture") == 1
    assert len(pairs(rows(drawn))) == 3


@pytest.mark.long
def test_the_files_are_the_same_each_time_and_for_any_shards(
    root: Path, sources: Sources, tmp_path: Path
) -> None:
    other = figure_pages.resharded(root, tmp_path / "other", 5)
    given = (sources, figure_pages.sources(other))
    for name in NAMES:
        made = []
        for i, source in enumerate(given):
            folder = tmp_path / f"{name}-{i}"
            write(name, source, folder)
            made.append({p.suffix: p.read_bytes() for p in folder.iterdir()})
        assert made[0] == made[1]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_stands_on_anything_else(name: str, sources: Sources) -> None:
    assert misplaced(draw(name, sources).figure) == []


def test_without_a_case_the_figures_say_why(sources: Sources, tmp_path: Path) -> None:
    with pytest.raises(NotApplicable, match="No noisy scenario"):
        draw("failure_cases", figure_pages.with_scenarios(sources, "clean"))
    none = tmp_path / "scores"
    for path in sorted((sources.snapshot.data / "scores").rglob("*.parquet")):
        copy = none / path.relative_to(sources.snapshot.data / "scores")
        tables.write_rows([], copy, tables.SCORES, SNAPSHOT)
    data = tmp_path / "data"
    data.mkdir()
    for path in sources.snapshot.data.iterdir():
        (data / path.name).symlink_to(none if path.name == "scores" else path)
    given = Sources(replace(sources.snapshot, data=data), None, sources.published)
    for name in NAMES:
        with pytest.raises(NotApplicable, match=r"^No "):
            draw(name, given)


@pytest.fixture(scope="module")
def drafts(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    root = tmp_path_factory.mktemp("drafts")
    return figure_pages.sources(root, build_with_drafts(root))


def by_letters(found: list[dict[str, Any]], given: Sources) -> None:
    """Options are listed as they were asked, and letters are those of the answers."""
    asked = {row["question_id"]: row for row in given.snapshot.questions.to_pylist()}
    images = given.snapshot.images[FIRST].to_pylist()
    orders = {row["question_id"]: row["order"] for row in images}
    assert found
    for row in found:
        question = asked[row["question_id"]]
        order = orders[row["question_id"]] if row["scenario"] == FIRST else None
        right = tables.place_of(question["answer_index"], order)
        offered = tables.offered(question["options"], question["replaced"], order)
        assert row["options"].split("\n") == [f"({'ABCD'[i]}) {t}" for i, t in enumerate(offered)]
        assert right is not None and row["right_option"] == f"({'ABCD'[right]})"
        if letter_of(row["answer"]):
            assert row["chosen_option"] == row["answer"]
            assert row["correct"] == (row["answer"] == row["right_option"])


def test_cases_show_the_options_of_their_scenario(
    drafts: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = with_scenarios(drafts, FIRST)
    by_letters(rows(draw("question_type_cases", alone)), alone)
    # Nothing that comes with the code is held against clean with other options; a kind of another
    # package may be.
    monkeypatch.setattr(robustness, "_other_options", lambda spec: False)
    drawn = draw("failure_cases", drafts)
    by_letters(rows(drawn), drafts)
    text = words(drawn.figure)
    assert any(" an old " in line for line in text) and misplaced(drawn.figure) == []
