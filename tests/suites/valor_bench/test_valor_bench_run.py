"""A look-alike of a user's copy through the stages, judged by the judge ``lexical``."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.core.decoding import given_picture
from lvlmbench.core.errors import UserError
from lvlmbench.stages.judge import run
from lvlmbench.stages.render.given import GIVEN
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.scenario.kinds.print_attack.printed_text import WrongAnswers
from lvlmbench.suites import claimed
from lvlmbench.suites.suite import suite_of
from support import own_copy
from support.corpus_sample import sample_vocabulary

OUTS = ("claims", "matches", "judgements", "pairwise", "requests")

#: Answers to the first picture of each subset, in words of ours that say all that is annotated.
PERFECT = {
    claimed.OBJECTS: "I see a dog beside a bench, some flowers and trees.",
    claimed.ATTRIBUTES: "There is a red apple, a yellow banana and a red brush.",
    claimed.PEOPLE: "A man in a black jacket and blue jeans rides a bicycle. A woman wearing a red "
    "dress and a white hat is reading a book.",
    claimed.POSITIONS: "The plate is to the right of the cup. The lamp is above the table. The "
    "clock is at the top left of the image.",
    claimed.SIZES: "Sorted by size, largest first: building, car, dog.",
}


class Made:
    """The tables of a copy."""

    def __init__(self, folder: Path, params: Params) -> None:
        vocabulary, suite = sample_vocabulary(), suite_of(params)
        self.folder, self.params = folder, params
        self.scenes = suite.scenes(params, vocabulary, 0, params.corpus.n_scenes)
        rendered = render_shard(params, vocabulary, self.scenes)
        self.images, self.verdicts, self.attempts, self.layouts = rendered
        about = (params, vocabulary, self.scenes, self.layouts)
        self.questions, self.truth = suite.questions(*about), suite.truth(*about)

    def judged(self, say: Callable[[Mapping[str, Any]], str]) -> dict[str, Any]:
        """The judgements of an answer to each question, by subset."""
        answers = tables.ANSWERS.of(
            {
                "model": "m", "scenario": "clean", "question_id": row["question_id"],
                "image_id": "i", "status": "answered", "text": say(row),
            }
            for row in self.questions.to_pylist()
        )  # fmt: skip
        given = []
        for table, rows in (
            (tables.ANSWERS, answers), (tables.QUESTIONS, self.questions),
            (tables.SCENES, self.scenes), (tables.LAYOUTS, self.layouts),
            (tables.TRUTH, self.truth),
        ):  # fmt: skip
            given.append([self.folder / table.name / tables.part_name(0)])
            tables.write(rows, given[-1][0], table, "s")
        outs = run.Outs(*(self.folder / "out" / f"{name}.parquet" for name in OUTS))
        run.judge_files(self.params, "lexical", ("m", "clean"), run.Files(*given), outs)
        rows = tables.read([outs.judgements], tables.JUDGEMENTS).to_pylist()
        assert {row["status"] for row in rows} == {"judged"}
        return {f"{row['subtask']}/{n % 2}": row for n, row in enumerate(rows)}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("run")
    return Made(folder / "tables", own_copy.params(own_copy.write(folder / "mine")))


def scores(row: Mapping[str, Any]) -> tuple[float, float]:
    """Faithfulness and coverage, in percent."""
    said = row["true_claims"] + row["wrong_claims"]
    return 100 * row["true_claims"] / said, 100 * row["covered"] / row["owed"]


def test_a_scene_is_a_picture_that_nobody_planned(made: Made) -> None:
    rows = made.scenes.to_pylist()
    assert [row["subtask"] for row in rows] == [s for s in own_copy.SUBSETS for _ in range(2)]
    assert [row["foreground"] for row in rows][:3] == ["garden.jpg", "kitchen", "fruit"]
    assert all(row["objects"] == [] and row["setting"]["style"] is None for row in rows)
    assert made.layouts.num_rows == 0 and all(made.verdicts["keep"].to_pylist())


def test_pictures_are_taken_pixel_by_pixel_in_their_size(made: Made) -> None:
    folder = Path(str(made.params.corpus.read(made.params.kind)[0])) / "images"
    for row, name in zip(made.images.to_pylist(), own_copy.PICTURES, strict=True):
        with Image.open(io.BytesIO(row["image"]["bytes"])) as stored:
            assert stored.format == "PNG"
            with Image.open(folder / name) as given:
                assert stored.size == given.size == (row["width"], row["height"])
                assert stored.tobytes() == given.convert("RGB").tobytes()
        assert row["renderer"] == GIVEN


def test_released_prompts_are_sent_and_nothing_is_added(made: Made) -> None:
    suite = suite_of(made.params)
    for row in made.questions.to_pylist():
        sent = suite.prompt(made.params, row["question_type"], row["question"], [])
        assert sent == row["question"]
        if row["subtask"] == claimed.OBJECTS:
            assert sent == "Say which things you can see."


def test_what_is_annotated_is_closed_and_given(made: Made) -> None:
    assert set(made.truth["source"].to_pylist()) == {"given"}
    assert all(made.truth["closed"].to_pylist())


def test_the_reference_is_perfect(made: Made) -> None:
    for name, row in made.judged(lambda question: question["answer"]).items():
        assert scores(row) == (100, 100), name


def test_other_words_for_all_of_it_are_perfect(made: Made) -> None:
    found = made.judged(lambda question: PERFECT[question["subtask"]])
    for subset in own_copy.SUBSETS:
        assert scores(found[f"{subset}/0"]) == (100, 100), subset


@pytest.mark.parametrize(
    ("subset", "more"),
    [
        (claimed.OBJECTS, " There is a zebra."),
        (claimed.ATTRIBUTES, " The banana is large."),
        (claimed.PEOPLE, " The man has a green scarf."),
        (claimed.POSITIONS, " The cup is behind the lamp."),
        (claimed.SIZES, " The dog is larger than the car."),
    ],
)
def test_what_is_not_annotated_is_made_up(made: Made, subset: str, more: str) -> None:
    """As the paper has it, also where the annotation is silent."""
    found = made.judged(lambda question: PERFECT[question["subtask"]] + more)[f"{subset}/0"]
    assert found["wrong_claims"] == 1
    assert found["covered"] == found["owed"]


def test_what_is_left_out_costs_coverage_alone(made: Made) -> None:
    found = made.judged(lambda question: PERFECT[question["subtask"]].split(".")[0] + ".")
    row = found[f"{claimed.POSITIONS}/0"]
    assert (row["true_claims"], row["wrong_claims"], row["covered"], row["owed"]) == (1, 0, 1, 3)


def test_a_finer_word_may_be_right(made: Made) -> None:
    found = made.judged(lambda question: "A poodle.")[f"{claimed.OBJECTS}/0"]
    assert (found["true_claims"], found["wrong_claims"], found["covered"]) == (1, 0, 1)


def test_rows_do_not_depend_on_shards_or_on_how_many_there_are(made: Made) -> None:
    suite, vocabulary = suite_of(made.params), sample_vocabulary()
    parts = [suite.scenes(made.params, vocabulary, at, at + 5) for at in (0, 5)]
    assert pa.concat_tables(parts).equals(made.scenes)
    folder = Path(str(made.params.corpus.read(made.params.kind)[0]))
    one = suite.scenes(own_copy.params(folder, scenes=1), vocabulary, 0, 5)
    assert one.equals(made.scenes.take([0, 2, 4, 6, 8]))


def test_a_picture_that_is_cut_ends_the_run_in_a_line(tmp_path: Path) -> None:
    folder = own_copy.write(tmp_path / "mine")
    path = folder / "images" / "yard.jpg"
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(UserError) as told:
        Made(tmp_path / "tables", own_copy.params(folder))
    assert "yard.jpg: is no picture that can be decoded to its end" in str(told.value)


def test_turned_and_transparent_pictures_are_shown_as_they_are_seen(tmp_path: Path) -> None:
    folder = own_copy.write(tmp_path / "mine")
    turned = Image.new("RGB", (20, 10), (200, 0, 0))
    exif = turned.getexif()
    exif[0x0112] = 6  # held upright
    turned.save(folder / "images" / "garden.jpg", exif=exif)
    Image.new("RGBA", (6, 4), (0, 0, 0, 0)).save(folder / "images" / "kitchen.png")
    rows = Made(tmp_path / "tables", own_copy.params(folder)).images.to_pylist()
    assert (rows[0]["width"], rows[0]["height"]) == (10, 20)
    with Image.open(io.BytesIO(rows[1]["image"]["bytes"])) as white:
        assert (white.mode, white.getpixel((0, 0))) == ("RGB", (255, 255, 255))


def test_no_wrong_answer_can_be_printed_on_a_photograph(made: Made) -> None:
    question, scene = made.questions.to_pylist()[0], made.scenes.to_pylist()[0]
    with pytest.raises(UserError, match="nothing wrong of it is known"):
        WrongAnswers(made.params, "option").candidates(question, scene)


def test_grays_of_16_bits_are_the_nearest_of_8(tmp_path: Path) -> None:
    grays = np.array([[0, 128, 129, 257, 32_768, 65_535]], np.uint16)
    path = tmp_path / "gray.png"
    Image.fromarray(grays).save(path)
    found = np.asarray(given_picture(path, "gray.png"))
    assert found[0].tolist() == [[gray] * 3 for gray in (0, 0, 1, 1, 128, 255)]


def test_a_picture_of_far_too_many_pixels_is_called_that(tmp_path: Path) -> None:
    path = tmp_path / "huge.png"
    Image.new("1", (30_000, 30_000)).save(path)
    with pytest.raises(UserError, match=r"^huge\.png: has more pixels than are decoded; give one"):
        given_picture(path, "huge.png")
