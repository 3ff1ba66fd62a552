"""What embedded models tell of several things: windows, sentences, and whatever decides nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from benchmarks.captioning import Described, valor
from lvlmbench.config import SUBTASKS, load_params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.scene.relations import Box
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.scene.truth.wordnet import wordnet
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.scene.vocabulary.keys import THINGS
from lvlmbench.stages.answer.engine import MODELS, Item
from lvlmbench.stages.answer.looking.captioning import Captioner
from lvlmbench.stages.answer.looking.captions import Someone, Thing, told
from lvlmbench.stages.answer.looking.gaze import STEP, Gaze, Held, steps
from lvlmbench.stages.answer.looking.spotting import LEAST, first_look
from lvlmbench.stages.answer.looking.topics import topics
from lvlmbench.stages.answer.looking.windows import Window
from lvlmbench.stages.judge.kinds.lexical.reading import Words, read_many
from lvlmbench.stages.reference.zero_shot import ERROR, SCALE, ZeroShot, zero_shot
from lvlmbench.suites.suite import build_shard

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "data" / "pinned" / "reference_a"
VOCABULARY = ROOT / "data" / "vocabulary"
#: What each subset asks for.
ASKED = {
    "valor_objects": ("things",),
    "valor_attributes": ("colors",),
    "valor_people": ("people",),
    "valor_positions": ("places",),
    "valor_sizes": ("sizes",),
}
CAT = Thing("cat", "a", Box(0.1, 0.1, 0.2, 0.2), "gray")
OWL = Thing("owl", "an", Box(0.6, 0.1, 0.9, 0.4), "orange")


@cache
def described() -> Described:
    """A few scenes of each subset."""
    return Described(valor(31, 4))


@cache
def items() -> list[Item]:
    return list(described().items())


def texts(name: str, some: Sequence[Item]) -> dict[str, str]:
    """The replies of an engine by question."""
    params = described().params
    spec = ModelParams.model_validate({"name": name, "engine": name})
    model = MODELS.get(name, "test")(params, spec, {"reference_a": FOLDER})
    return {item.question_id: reply.text for item, reply in model.answer(some)}


@cache
def seen() -> dict[str, str]:
    return texts("reference_a", items())


def test_wordings_of_each_subset_ask_for_what_it_is_about() -> None:
    assert set(ASKED) == set(subtasks_of("valor"))
    for name, wanted in ASKED.items():
        for question in SUBTASKS[name].questions:  # type: ignore[attr-defined]
            assert topics(question) == wanted, question


@pytest.mark.parametrize("templates", ["default", "paper"])
def test_questions_about_one_thing_ask_for_no_others(templates: str) -> None:
    params = load_params(ROOT / "params.yaml", "dysca")
    wanted = params.corpus.model_copy(update={"scenes_per_subtask": 12})
    folder = params.templates.model_copy(update={"folder": f"data/templates/{templates}"})
    few = params.model_copy(update={"corpus": wanted, "templates": folder})
    _, questions = build_shard(few, load_vocabulary(vocabulary_dir(few)), 0, wanted.n_scenes)
    free = [q["question"] for q in questions.to_pylist() if q["question_type"] == "free_form"]
    assert len({*free}) >= 20
    assert not [question for question in free if topics(question)]


def test_sentences_about_things() -> None:
    assert told(["things"], [CAT, OWL], ()) == "The image shows a gray cat and an orange owl."
    places = told(["places"], [CAT, OWL], ())
    assert places.endswith("owl. The cat is to the left of the owl. The cat is above the owl.")
    sizes = told(["sizes"], [CAT, OWL], ())
    assert "The owl is the largest and the cat is the smallest." in sizes
    for topic in ("things", "people"):
        assert told([topic], (), ()) == "The image shows nothing that I know."


def test_sentences_about_people() -> None:
    worn = (Thing("scarf", "a", CAT.box, "orange"), Thing("jeans", "", CAT.box, "blue"))
    who = Someone("elderly", "female", "dark", "happy", worn, "running")
    said = "wearing an orange scarf and blue jeans and running."
    assert told(["people"], (), [who]) == f"There is a happy dark-skinned elderly woman {said}"
    assert told(["people"], (), [Someone()]) == "There is a person."


def test_the_judge_reads_what_is_told() -> None:
    vocabulary = load_vocabulary(VOCABULARY)
    known = Words.of(vocabulary, wordnet().concrete, wordnet().role)
    who = Someone("elderly", "male", None, None, (Thing("scarf", "a", CAT.box, "red"),), "running")
    captions = [told([topic], [CAT, OWL], [who]) for topic in ("places", "sizes", "people")]
    places, sizes, people = (
        {(c.kind, c.subject, c.relation, c.object, c.value) for c in claims}
        for claims in read_many(captions, known)
    )
    assert {("relation", "cat", "left_of", "owl", None), ("object", "owl", None, None, None)} <= (
        places
    )
    assert ("attribute", "owl", "color", None, "orange") in places
    assert ("rank", "owl", "rank", None, "1") in sizes
    assert any(kind == "rank" and subject == "cat" for kind, subject, *_ in sizes)
    assert ("relation", "owl", "larger", "cat", None) in sizes
    assert any(each[2:] == ("wears", "scarf", "red") for each in people)
    assert any(each[2:] == ("age", None, "elderly") for each in people)


def test_captions_are_better_than_a_guess() -> None:
    for name in ("reference_a", "chance"):
        rows = described().judged(texts(name, items()) if name == "chance" else seen())
        found = {
            subset: sum(row["true_claims"] for row in rows if row["subtask"] == subset)
            for subset in ("valor_objects", "valor_attributes")
        }
        assert all(found.values()) if name == "reference_a" else sum(found.values()) <= 2


def test_words_and_pixels_decide_alone() -> None:
    """Neither the subset nor the scene's id nor the program nor the question's id."""
    for item in items()[::3]:
        other = replace(
            item, subtask="animal", scene_id="s", question_id="q", image_id="i", program="[]"
        )
        assert texts("reference_a", [other]) == {"q": seen()[item.question_id]}


def test_chance_does_not_look() -> None:
    blind = [replace(item, image=None, image_sha256=None) for item in items()]
    guessed = texts("chance", items())
    assert guessed == texts("chance", blind[::-1])
    assert len({*guessed.values()}) == len(items())
    assert all("colors" not in ASKED[i.subtask] or "shows" in guessed[i.question_id]
               for i in items())  # fmt: skip


def test_neither_order_nor_company_changes_a_caption() -> None:
    assert texts("reference_a", items()[::-1]) == seen()
    for item in items()[::4]:
        assert texts("reference_a", [item]) == {item.question_id: seen()[item.question_id]}


def test_quick_vectors_caption_as_the_exact_ones() -> None:
    model, vocabulary = zero_shot(FOLDER, VOCABULARY), load_vocabulary(VOCABULARY)
    exact = Captioner(ZeroShot(model.encoder, model.labels), vocabulary)
    exact._model.__dict__["_phrases"] = model._phrases
    quick = Captioner(model, vocabulary)
    for item in items()[1::2]:
        picture = Image.open(_file(item)).convert("RGB")
        assert exact.sight(picture).tell(item.question) == (
            quick.sight(picture).tell(item.question)
        )


def _file(item: Item) -> Any:
    import io

    return io.BytesIO(item.image or b"")


def test_a_doubt_is_left_to_the_exact_vector() -> None:
    asked: list[int] = []

    def exactly(pictures: list[Image.Image]) -> Any:
        asked.append(len(pictures))
        return np.array([[0.0, 1.0]] * len(pictures))

    preprocessing = SimpleNamespace(size=(8, 8))
    quick = SimpleNamespace(images=lambda pictures: np.array([[0.6, 0.6 - ERROR], [1.0, 0.0]]))
    model: Any = SimpleNamespace(
        quick=quick, encoder=SimpleNamespace(images=exactly, preprocessing=preprocessing)
    )
    gaze = Gaze(model, Image.new("RGB", (32, 32)))
    numbers = gaze.look([Window(0, 0.0, 0.0, 0.5), Window(0, 0.5, 0.5, 0.5)])
    read = gaze.read(numbers, Held(np.eye(2)))
    assert read[:, 0].tolist() == [1, 0], "the first is a near tie, and the exact vector decides"
    assert asked == [1]
    gaze.read(numbers, Held(np.eye(2)))
    assert asked == [1], "an exact vector is computed once"


def test_steps_near_an_edge_are_in_doubt() -> None:
    away = 2 * SCALE * ERROR
    odds = np.array([STEP + away / 2, STEP + 2 * away, -STEP - away / 2])
    found, near = steps(odds, ERROR)
    assert (found.tolist(), near.tolist()) == ([1, 1, -2], [True, False, True])
    assert not steps(odds, 0.0)[1].any()


def test_thresholds_are_of_lists_that_there_are() -> None:
    assert set(LEAST) == set(THINGS)


def test_a_picture_is_looked_at_where_something_stands_out() -> None:
    picture = Image.new("RGB", (256, 256), (225, 230, 235))
    assert first_look(picture) == ([], [])
    picture.paste((200, 30, 30), (20, 40, 90, 80))
    [window], [box] = first_look(picture)  # type: ignore[misc]
    assert window.left <= box.left and box.right <= window.box.right
    assert 70 / 256 <= box.width < 80 / 256 and 40 / 256 <= box.height < 50 / 256
    noise = np.random.default_rng(1).integers(0, 256, (256, 256, 3)).astype(np.uint8)
    windows, parts = first_look(Image.fromarray(noise))
    assert parts is None and len(windows) > 20
