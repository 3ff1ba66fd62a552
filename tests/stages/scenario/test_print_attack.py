"""Print attack: what is printed for which question, the rows, and mistakes in its settings."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.scene.answers import accepted
from lvlmbench.scene.palette import COLORS
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.stages.scenario.kinds.print_attack.fonts import default_font, missing
from lvlmbench.stages.scenario.kinds.print_attack.printed_text import (
    WrongAnswers,
    attacked,
    lists_printed,
)
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, Shard
from lvlmbench.suites.suite import build_shard
from support.corpus_sample import sample_vocabulary
from support.render_scenes import vocabulary
from support.scenario_shards import picture

SIZE = 256
FOREGROUNDS = {name for recipe in SUBTASKS.values() for name in recipe.foregrounds}


def parameters(
    corpus: dict[str, Any] | None = None, size: int = SIZE, **print_attack: Any
) -> Params:
    spec = {"name": "printed", "kind": "print_attack", "print_attack": print_attack}
    return validate(
        {
            "corpus": {"scenes_per_subtask": 4} | (corpus or {}),
            "render": {"size": size},
            "scenarios": {"names": ["clean", "printed"], "noisy": [spec]},
        }
    )


@cache
def corpus(drawable_by: str | None = "pictograph") -> tuple[list[Row], list[Row]]:
    """Scenes and questions of the project's own vocabulary."""
    params = parameters({"drawable_by": drawable_by, "scenes_per_subtask": 8})
    scenes, questions = build_shard(params, vocabulary(), 0, params.corpus.n_scenes)
    return scenes.to_pylist(), questions.to_pylist()


@cache
def shard() -> Shard:
    """Some scenes of each subtask with an image each, and all their questions."""
    params = parameters()
    scenes, questions = build_shard(params, vocabulary(), 0, params.corpus.n_scenes)
    rows = [
        {
            "image_id": seeding.item_id("clean", at),
            "scene_id": scene_id,
            "scenario": "clean",
            "image": {"bytes": picture(at, SIZE), "path": "x.png"},
            "width": SIZE,
            "height": SIZE,
            "renderer": "made",
            "renderer_version": "1",
        }
        for at, scene_id in enumerate(scenes["scene_id"].to_pylist())
    ]
    images = tables.IMAGES.of(rows)
    return Shard(images, scenes, questions, tables.IMAGES.empty_table())


def applied(params: Params, given: Shard) -> list[Row]:
    spec = params.scenarios.spec("printed")
    rows = list(SCENARIOS.get("print_attack", "test").make(params, spec, {}).apply(given))
    found: list[Row] = tables.IMAGES.of(rows).to_pylist()
    return found


@cache
def printed() -> list[Row]:
    return applied(parameters(), shard())


def pixels(data: bytes) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


# -- what is printed -------------------------------------------------------------------------------


@cache
def drawable(name: str, renderer: str | None) -> frozenset[str]:
    return frozenset(vocabulary().lists[name].for_renderer(renderer).by_label)


@cache
def same_thing(name: str, a: str, b: str) -> bool:
    """Whether two labels may be said of one thing: the rules of the vocabulary, written again."""
    by_label = vocabulary().lists[name].by_label
    one, other = (by_label[x].group.casefold().split("/") for x in (a, b))
    inside = one[: len(other)] == other or other[: len(one)] == one
    words = [{w.strip(".,:;!?'\"()") for w in x.casefold().split()} for x in (a, b)]
    return inside or words[0] <= words[1] or words[1] <= words[0]


def check_labels(name: str, right: str, texts: Sequence[str], scene: Row, by: str | None) -> None:
    """All of them can be drawn, and none is right: neither in front nor in the background."""
    there = {right}
    if scene["background"] and name in FOREGROUNDS:
        behind = vocabulary().lists["background"].by_label[scene["background"]]
        there |= {*behind.extra.get("shows", ())} & {*vocabulary().lists[name].by_label}
    assert {*texts} <= drawable(name, by)
    assert not [text for text in texts for other in there if same_thing(name, other, text)]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("renderer", ["pictograph", None])
@pytest.mark.parametrize("true_false", ["option", "label"])
def test_every_text_that_may_be_printed_is_wrong(renderer: str | None, true_false: Any) -> None:
    scenes, questions = corpus(renderer)
    by_id = {scene["scene_id"]: scene for scene in scenes}
    wrong = WrongAnswers(parameters({"drawable_by": renderer}), true_false)
    kinds = set()
    for question in questions:
        scene = by_id[question["scene_id"]]
        if not attacked(question, scene):
            continue
        texts = wrong.candidates(question, scene)
        assert texts and len(set(texts)) == len(texts)
        kind = question["question_type"]
        kinds.add((kind, question["answer"] == "True"))
        if kind == "multiple_choice" or (kind, true_false) == ("true_false", "option"):
            right = question["options"][question["answer_index"]]
            assert {*texts, right} == set(question["options"]) and right not in texts
            continue
        if kind == "free_form":
            name, right = scene["foreground_list"], scene["foreground"]
            if name == "person":
                name, right = scene["subtask"], scene["attributes"][scene["subtask"]]
            check_labels(name, right, texts, scene, renderer)
        elif question["answer"] == "True":
            check_labels(question["subtask"], question["claim"], texts, scene, renderer)
        else:
            assert texts == [question["claim"]]
    assert len(kinds) == 4


def test_nothing_is_printed_where_a_word_is_asked_for() -> None:
    written = {name for name, each in SUBTASKS.items() if each.written}
    of_dialogue = {f"touchstone_{name}" for name in ("text", "chart", "math", "products")}
    assert written == {"text", "reading", "charts", *of_dialogue}
    for name in SUBTASKS:
        spared = name in written
        question = {"subtask": name, "question_type": "true_false"}
        assert attacked(question, {"subtask": "animal"}) == (not spared)
        assert attacked(question | {"subtask": "style"}, {"subtask": name}) == (not spared)


def test_for_a_short_answer_another_of_its_kind_is_printed() -> None:
    scene = {"subtask": "counting"}
    asked = {"subtask": "counting", "question_type": "short_answer"}
    wrong = WrongAnswers(parameters(), "option")
    for answer, known in (
        ("2", {"1", "3", "4", "5"}),
        ("-2", {"-1", "-3", "-4", "-5"}),
        ("gray", {*COLORS} - {"gray"}),
    ):
        question = asked | {"answer": answer, "accepted": accepted(answer)}
        assert attacked(question, scene) and {*wrong.candidates(question, scene)} == known
    assert not attacked(asked | {"answer": "fire truck", "accepted": ["fire truck"]}, scene)


def test_free_form_questions_print_a_wrong_foreground_that_is_no_synonym() -> None:
    wrong = WrongAnswers(parameters(), "option")
    wrong._whole = sample_vocabulary().lists
    scene = {"background": None, "subtask": "animal"}
    found = wrong.wrong_labels("animal", "fox", scene)
    assert set(found) == {"owl", "mouse", "ant", "sheep"}  # no dog: a canine, too; no red fox
    assert wrong.wrong_labels("gender", "male", scene) == ["female"]
    wrong = WrongAnswers(parameters(), "option")
    wrong._whole = dict(sample_vocabulary().lists) | {"color": vocabulary().lists["gender"]}
    assert wrong.wrong_labels("color", "male", scene) == ["female"]


def test_what_the_background_shows_is_not_printed() -> None:
    wrong = WrongAnswers(parameters(), "option")
    found = wrong.wrong_labels("plant", "rose", {"background": "forest"})
    assert "cactus" in found and not {"bare tree", "Christmas tree", "rose"} & set(found)
    assert "bare tree" in wrong.wrong_labels("plant", "rose", {"background": "desert"})


def test_a_label_without_a_wrong_one_beside_it_is_one_line() -> None:
    wrong = WrongAnswers(parameters(), "option")
    wrong._drawn["gender"] = type(vocabulary().lists["gender"])("gender", {}, ())
    with pytest.raises(UserError, match="vocabulary: gender: 'male' has no wrong label beside it"):
        wrong.wrong_labels("gender", "male", {"background": None})


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32), st.data())
def test_each_wrong_option_is_drawn(seed: int, data: st.DataObject) -> None:
    options = data.draw(st.lists(st.text(min_size=1), min_size=2, max_size=4, unique=True))
    answer = data.draw(st.integers(0, len(options) - 1))
    question = {"question_type": "multiple_choice", "options": options, "answer_index": answer}
    wrong = WrongAnswers(parameters(), "option")
    found = {wrong.draw(question, {}, np.random.default_rng([seed, i])) for i in range(60)}
    assert found == set(options) - {options[answer]}


# -- rows ------------------------------------------------------------------------------------------


def test_one_row_a_question_in_order() -> None:
    scenes = {scene["scene_id"]: scene for scene in shard().scenes.to_pylist()}
    expected = [
        question["question_id"]
        for scene_id in shard().images["scene_id"].to_pylist()
        for question in shard().questions.to_pylist()
        if question["scene_id"] == scene_id
        and "text" not in (question["subtask"], scenes[scene_id]["subtask"])
    ]
    assert [row["question_id"] for row in printed()] == expected
    left_out = {q["question_id"] for q in shard().questions.to_pylist()} - set(expected)
    about = [q for q in shard().questions.to_pylist() if q["question_id"] in left_out]
    assert {q["subtask"] for q in about} >= {"text"}
    assert {scenes[q["scene_id"]]["subtask"] for q in about} == {"text"}
    attacked_ones = {scenes[row["scene_id"]]["subtask"] for row in printed()}
    assert attacked_ones == {*subtasks_of("dysca")} - {"text"}
    assert len({row["image_id"] for row in printed()}) == len(expected) > 200


def test_rows_say_what_was_done() -> None:
    questions = {q["question_id"]: q for q in shard().questions.to_pylist()}
    images = {row["scene_id"]: row for row in shard().images.to_pylist()}
    for row in printed():
        done, question = row["perturbation"], questions[row["question_id"]]
        assert (row["scenario"], done["kind"]) == ("printed", "print_attack")
        assert row["scene_id"] == question["scene_id"]
        if question["question_type"] != "free_form":
            assert done["printed_text"] in question["options"]
            assert done["printed_text"] != question["answer"]
        about = json.loads(done["parameters"])
        x0, y0, x1, y1 = about["box"]
        assert 0 <= x0 < x1 <= row["width"] and 0 <= y0 < y1 <= row["height"]
        assert about["contrast"] >= 4.5 and about["font"] == "DejaVu Sans Bold"
        new, old = pixels(row["image"]["bytes"]), pixels(images[row["scene_id"]]["image"]["bytes"])
        changed = (new != old).any(axis=2)
        assert new.shape == old.shape and changed[y0:y1, x0:x1].sum() == changed.sum() > 20


def test_order_and_shards_change_no_row() -> None:
    whole = shard()
    some = [40, 3, 17]
    part = Shard(whole.images.take(some), whole.scenes, whole.questions, whole.around)
    scene_ids = part.images["scene_id"].to_pylist()
    expected = [row for s in scene_ids for row in printed() if row["scene_id"] == s]
    assert applied(parameters(), part) == expected
    backwards = list(reversed(range(whole.scenes.num_rows)))
    part = Shard(part.images, whole.scenes.take(backwards), whole.questions, whole.around)
    assert applied(parameters(), part) == expected


def test_another_seed_or_name_gives_other_looks() -> None:
    one = shard().images.slice(0, 1)
    part = Shard(one, shard().scenes, shard().questions, shard().around)
    params = parameters()
    other = params.model_copy(update={"snapshot": params.snapshot.model_copy(update={"seed": 1})})
    looks = [
        [row["perturbation"]["parameters"] for row in applied(p, part)] for p in (params, other)
    ]
    assert looks[0] != looks[1] and len(looks[0]) == len(looks[1])


def test_an_image_that_cannot_be_decoded_gives_no_row() -> None:
    rows = shard().images.slice(0, 2).to_pylist()
    rows[0]["image"]["bytes"] = b"\x89PNG broken"
    images = tables.IMAGES.of(rows)
    part = Shard(images, shard().scenes, shard().questions, shard().around)
    assert {row["scene_id"] for row in applied(parameters(), part)} == {rows[1]["scene_id"]}


# -- mistakes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"colors": ["pink"]}, "colors.0: 'pink' is no color; write one of black, white, gray, "),
        ({"positions": ["middle"]}, "'top_left'"),
        ({"opacities": [0]}, "opacities"),
        ({"opacities": [1.5]}, "opacities"),
        ({"sizes": [0.9]}, "sizes"),
        ({"offsets": [0.6]}, "offsets"),
        ({"sizes": []}, "sizes"),
        ({"angles": [0, 0]}, "the entry '0' is listed twice"),
        ({"angles": [400]}, "angles"),
        ({"smallest": 2}, "smallest"),
        ({"contrast": 7}, "contrast"),
        ({"true_false": "claim"}, "'option'"),
        ({"colours": ["red"]}, "colours"),
    ],
)
def test_bad_values_are_one_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as caught:
        parameters(**given)
    message = str(caught.value)
    assert said in message and "print_attack" in message and "\n" not in message


def test_scenes_with_several_things_pass_the_check() -> None:
    check_names(validate({"suite": "composed", "kind": "composed"}), "params.yaml")


def test_the_default_passes_the_check() -> None:
    check_names(parameters(), "params.yaml")
    check_names(parameters({"drawable_by": None}), "params.yaml")
    check_names(parameters(size=128), "params.yaml")


def test_an_image_smaller_than_the_text() -> None:
    with pytest.raises(UserError) as caught:
        check_names(parameters(size=64), "params.yaml")
    said = str(caught.value)
    assert said.startswith(
        "params.yaml: suites.dysca.scenarios.noisy: printed: print_attack: an image of 64"
    )
    assert "is smaller than the text '" in said and "write a render.size of 1" in said
    size = int(said.split("a render.size of ")[1].split()[0])
    check_names(parameters(size=size), "params.yaml")
    with pytest.raises(UserError):
        check_names(parameters(size=size - 8), "params.yaml")
    check_names(parameters({"subtasks": ["gender"]}, size=128), "params.yaml")
    with pytest.raises(UserError, match="no image has room for"):
        check_names(parameters(smallest=512), "params.yaml")


def test_an_image_smaller_than_the_text_is_found_when_it_is_drawn_too() -> None:
    rows = shard().images.slice(0, 1).to_pylist()
    rows[0]["image"]["bytes"] = picture(0, 16)
    images = tables.IMAGES.of(rows)
    part = Shard(images, shard().scenes, shard().questions, shard().around)
    with pytest.raises(UserError, match="an image of 16 x 16 pixels is smaller than the") as caught:
        applied(parameters(), part)
    assert str(caught.value).startswith("suites.dysca.scenarios.noisy: printed: print_attack: ")


def test_fonts(tmp_path: Path) -> None:
    assert missing(default_font(), "aé Ж\N{SNOWMAN}") == []
    assert missing(default_font(), "a日\N{THAI CHARACTER KO KAI}") == ["ก", "日"]
    with pytest.raises(UserError, match=r"font: there is no file '.*none\.ttf'; give"):
        check_names(parameters(font="none.ttf"), "params.yaml")
    with pytest.raises(UserError, match=r"params\.yaml' is no TrueType or OpenType font; give"):
        check_names(parameters(font="params.yaml"), "params.yaml")
    with pytest.raises(UserError, match=r"font: cmr10 \S+ has no glyph for é í; give a font"):
        check_names(parameters(font=str(default_font().parent / "cmr10.ttf")), "params.yaml")
    check_names(parameters(font=str(default_font().parent / "STIXGeneral.ttf")), "params.yaml")


def test_the_lists_that_labels_come_from() -> None:
    assert lists_printed(parameters({"subtasks": ["text"]})) == []
    assert lists_printed(parameters({"subtasks": ["movie", "text"]})) == ["movie", "style"]
    assert {"carrier", "text", "person"}.isdisjoint(lists_printed(parameters()))
