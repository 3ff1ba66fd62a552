"""Engine windows: what it finds in pictures, and what it makes of a question's program."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.answer.engine import MODELS, Item, Model
from lvlmbench.stages.answer.kinds.windows import check
from lvlmbench.stages.answer.looking.finding import Finder, extent
from lvlmbench.stages.answer.looking.options import hole_of, value_of
from lvlmbench.stages.answer.looking.understanding import Sight, chosen
from lvlmbench.stages.answer.looking.wanted import wanted
from lvlmbench.stages.answer.looking.windows import Window, look, panels_of
from lvlmbench.stages.reference.encoder import load_folder
from lvlmbench.stages.reference.labels import Labels
from lvlmbench.stages.reference.zero_shot import ZeroShot
from support.composed_scenes import composed, made

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "data" / "pinned" / "reference_a"
SEEN = ("existence", "color_binding", "differences")


@cache
def finder() -> Finder:
    vocabulary = load_vocabulary(ROOT / "data" / "vocabulary")
    labels = Labels.read(FOLDER, vocabulary)
    return Finder(ZeroShot(load_folder(FOLDER, exact=False), labels))


def spec(**windows: Any) -> ModelParams:
    return ModelParams.model_validate({"name": "w", "engine": "windows", "windows": windows})


def model() -> Model:
    make = MODELS.get("windows", "test")
    found: Model = make(composed(), spec(), {"reference_a": FOLDER})
    return found


@cache
def easy() -> tuple[tuple[Item, dict[str, Any]], ...]:
    """Questions about easy scenes of some skills, each with its row."""
    suite = made(scenes=6, subtasks=SEEN)
    found = []
    for row in suite.questions.to_pylist():
        if row["level"] == "easy":
            sink = io.BytesIO()
            suite.images[row["scene_id"]].save(sink, "PNG", compress_level=1)
            image = sink.getvalue()
            item = Item(
                question_id=row["question_id"], scene_id=row["scene_id"], subtask=row["subtask"],
                question_type=row["question_type"], question=row["question"],
                options=tuple(row["options"]), prompt=row["question"], image=image, image_id="i",
                image_sha256=hashlib.sha256(image).hexdigest(), program=row["program"],
            )  # fmt: skip
            found.append((item, row))
    return tuple(found)


def texts(items: list[Item]) -> dict[str, str]:
    return {item.question_id: reply.text for item, reply in model().answer(items)}


def planted(*at: tuple[str, int, int]) -> Image.Image:
    """Plain squares of colors on an even ground."""
    picture = Image.new("RGB", (512, 512), (225, 230, 235))
    for color, x, y in at:
        picture.paste(color, (x, y, x + 80, y + 80))
    return picture


def test_what_stands_out_has_a_window_around_it() -> None:
    view = look(finder().encoder, planted(("red", 60, 90), ("blue", 330, 300)))
    assert view.panels == 1 and len(view.windows) == 2
    for window, (x, y) in zip(view.windows, ((100, 130), (370, 340)), strict=True):
        center = np.array(window.box.center) * 512
        assert np.abs(center - (x, y)).max() < 3 and 80 < window.side * 512 < 130
        box = np.array(extent(view.pixels, window)) * 512
        assert np.abs(box - (x - 40, y - 40, x + 40, y + 40)).max() < 3


def test_things_of_easy_scenes_are_found_where_they_are() -> None:
    suite = made(scenes=18, subtasks=("existence",))
    objects = {s["scene_id"]: s for s in suite.scenes.to_pylist() if s["level"] == "easy"}
    near, n = 0, 0
    for row in suite.layouts.to_pylist():
        scene = objects.get(row["scene_id"])
        if scene is None:
            continue
        label = next(o["label"] for o in scene["objects"] if o["id"] == row["object"])
        view = look(finder().encoder, suite.images[row["scene_id"]])
        scores = finder().scores(view, finder().everywhere(view), label)
        (best,) = finder().things(view, scores, [label] * len(scores), 0.0, 1)
        truth = [row["box"][side] / 512 for side in ("left", "top", "right", "bottom")]
        near += np.abs(np.array(best.box) - truth).max() < 0.04
        n += 1
    assert n >= 4 and near >= 0.75 * n


def test_panels_are_counted_by_their_gutters() -> None:
    suite = made(scenes=6, subtasks=SEEN)
    for scene in suite.scenes.to_pylist():
        panels = 1 + max(each["panel"] or 0 for each in scene["objects"])
        if scene["scene_id"] in suite.images:
            picture = suite.images[scene["scene_id"]].convert("RGB")
            assert panels_of(np.asarray(picture)) == panels


def test_easy_questions_are_answered_better_than_by_guessing() -> None:
    told = texts([item for item, _ in easy()])
    right = [told[item.question_id].endswith(f" {row['answer']}") for item, row in easy()]
    assert len(right) >= 12 and sum(right) >= 0.7 * len(right)


@pytest.mark.long
def test_neither_order_nor_company_changes_an_answer() -> None:
    items = [item for item, _ in easy()]
    together = texts(items)
    assert together == texts(items[::-1])
    for item in items[::5]:
        assert texts([item]) == {item.question_id: together[item.question_id]}


def test_another_image_is_looked_at_anew() -> None:
    """The question about a scene and its twin is the same; the image decides."""
    pairs: dict[str, list[Item]] = {}
    for item, row in easy():
        if row["subtask"] == "existence" and row["question_type"] == "multiple_choice":
            pairs.setdefault(row["pair"], []).append(item)
    one, twin = next(each for each in pairs.values() if len(each) == 2)
    told = texts([one, replace(twin, question_id="twin"), replace(one, question_id="again")])
    assert told[one.question_id] == told["again"] != told["twin"]


def test_a_question_without_a_program_is_a_guess_by_its_id() -> None:
    item = replace(easy()[0][0], program=None)
    items = [replace(item, question_id=str(n)) for n in range(60)]
    told = texts(items)
    assert len({*told.values()}) == len(item.options)
    assert told == texts([replace(each, image=None, image_sha256=None) for each in items])


def test_what_it_cannot_see_is_a_guess() -> None:
    item = easy()[0][0]
    program = json.dumps(["is", "text", ["with", "label", "mug", ["all"]], "?"])
    items = [replace(item, question_id=str(n), program=program) for n in range(60)]
    assert len({*texts(items).values()}) == len(item.options)


def test_an_unreadable_image_is_an_error() -> None:
    item = replace(easy()[0][0], image=b"no picture", image_sha256="0" * 64)
    ((_, reply),) = model().answer([item])
    assert (reply.status, reply.error) == ("error", "the image cannot be read")


def test_a_request_depends_on_the_program() -> None:
    item = easy()[0][0]
    one, other = model(), replace(item, program=None)
    assert one.request_sha256(item) != one.request_sha256(other)


@pytest.mark.parametrize(
    ("tower", "models", "said"),
    [
        ("reference_z", ["reference_a"], "'reference_z' is no reference model"),
        ("reference_b", ["reference_a"], "'reference_b' is not in reference.models"),
    ],
)
def test_a_tower_that_is_not_there_is_one_line(tower: str, models: list[str], said: str) -> None:
    params = composed()
    params = params.model_copy(
        update={"reference": params.reference.model_copy(update={"models": tuple(models)})}
    )
    with pytest.raises(UserError) as error:
        check(params, spec(tower=tower), "params.yaml: answer.models[0]")
    assert said in str(error.value) and "windows: tower" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("program", "option", "value"),
    [
        (["exists", ["with", "label", "?", ["all"]]], "an onion", "onion"),
        (["count", ["with", "label", "egg", ["all"]], "?"], "3", 3),
        (["panels", ["exists", ["all"]], "?"], "4", 4),
        (["is", "color", ["with", "label", "egg", ["all"]], "?"], "red", "red"),
        (
            ["direction", ["all"], ["all"], "?"],
            "above and to the right of the pig",
            "above+right_of",
        ),
        (["direction", ["all"], ["all"], "?"], "behind the left shoe", "behind"),
        (["direction", ["all"], ["all"], "?"], "smaller than the pig", "smaller"),
        (["direction", ["all"], ["all"], "?"], "farther away than the red one", "farther"),
        (["foremost", ["with", "color", "?", ["all"]], ["all"]], "the blue one", "blue"),
        (["compared", ["all"], ["all"], "?"], "there are as many eggs as dice", "as_many"),
        (["are", "color", ["all"], ["all"], "?"], "a red egg and a blue die", "red+blue"),
        (["place", ["all"], "?"], "inside the picture frame", "inside+picture frame"),
        (["change", "?"], "the egg is in another place", "moved+egg"),
        (["change", "?"], "the egg has another color", "color+egg"),
        (["odd", "?"], "the one at the bottom left", 2),
        (["is", "facing", ["all"], "?"], "to the left", None),
        (["count", ["all"], "?"], "a dozen", None),
    ],
)
def test_options_fill_holes(program: list[Any], option: str, value: object) -> None:
    hole = hole_of(program)
    assert hole is not None and value_of(option, hole, ("red", "blue")) == value


def test_what_a_program_speaks_of() -> None:
    pig, egg = (["with", "label", each, ["all"]] for each in ("pig", "egg"))
    found = wanted(["and", ["stands", "above", pig, egg], ["count", egg, 2]])
    assert (found.one, found.several) == ({"pig", "egg"}, {"egg"})
    assert not found.everything and not found.unseen
    assert wanted(["largest", pig, ["all"]]).everything
    assert wanted(["count", ["with", "wears", "hat", ["all"]], 1]).unseen
    assert wanted(["change", "moved+pig"]).several == {"pig"}


def test_numbers_out_of_reach_give_the_nearest() -> None:
    """Nothing is found on an empty ground: none is nearest to the least number offered."""
    sight = Sight(finder(), partial(look, finder().encoder, planted()))
    count = ["count", ["with", "label", "pig", ["all"]], "?"]
    assert chosen(sight, count, ["3", "2", "4"]) == [1]
    assert chosen(sight, ["exists", ["with", "label", "pig", ["all"]]], ["True", "False"]) == [1]


def test_windows_stay_within_their_panels() -> None:
    suite = made(scenes=6, subtasks=("differences",))
    picture = next(iter(suite.images.values()))
    view = look(finder().encoder, picture)
    assert view.panels in (2, 4) and view.windows

    def side_of(window: Window) -> int:
        assert window.box.right <= 0.489 or window.box.left >= 0.511
        return int(window.box.left >= 0.5)

    assert {side_of(window) for window in view.windows} == {0, 1}
