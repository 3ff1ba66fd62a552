"""The pinned reference models are what their cards say, and as good."""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.errors import UserError
from lvlmbench.engine.following import FOLLOWED
from lvlmbench.engine.process import RUN
from lvlmbench.engine.setup import Dag
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.answer.engine import Item
from lvlmbench.stages.answer.kinds.reference import Reference
from lvlmbench.stages.reference import data
from lvlmbench.stages.reference.calibration import label_thresholds, measure
from lvlmbench.stages.reference.encoder import load_folder
from lvlmbench.stages.reference.folder import NAMES, calibrated
from lvlmbench.stages.reference.labels import GROUPS, Labels, strange_labels
from lvlmbench.stages.reference.pinned import CARD, KEPT, confusions, contents, headline, read_card
from lvlmbench.stages.reference.scenes import build_scenes, validation_questions
from lvlmbench.stages.reference.zero_shot import ZeroShot

ROOT = Path(__file__).parents[3]

#: All pinned files together, in bytes.
MOST = 30_000_000

#: A seed that neither training nor the cards have.
SEED = 31415


@pytest.fixture(scope="module")
def params() -> Params:
    return load_params(ROOT / "params.yaml", "dysca")


@pytest.fixture(scope="module")
def vocabulary(params: Params) -> Vocabulary:
    return load_vocabulary(vocabulary_dir(params))


@pytest.fixture(scope="module")
def fresh(params: Params, vocabulary: Vocabulary, tmp_path_factory: Any) -> tuple[Any, Any]:
    """Scenes of another seed, at the size of a snapshot's, and questions about them."""
    given = params.model_dump(mode="json")
    given["reference"] |= {"weights": "trained", "false_rejections": 0.01}
    given["reference"]["training"]["batch_size"] = 64
    given["reference"]["scenes"] |= {
        "seed": SEED, "training": 64, "validation": 400, "shard_scenes": 1000,
    }  # fmt: skip
    few = validate(given)
    path = tmp_path_factory.mktemp("fresh") / "part.parquet"
    tables.write(build_scenes(few, vocabulary, 0), path, tables.REFERENCE_SCENES, "reference")
    return data.read([path], "validation", ("image",)), validation_questions(few, vocabulary)


def drawn_here(vocabulary: Vocabulary) -> tuple[str, ...]:
    """Landmarks that the project draws itself."""
    drawn = vocabulary.lists["landmark"].entries
    return tuple(each.label for each in drawn if "pictograph_landmark" in each.extra)


def test_files_are_those_of_the_cards(params: Params, vocabulary: Vocabulary) -> None:
    total = 0
    for name in NAMES:
        folder = ROOT / params.reference.pinned / name
        card = read_card(folder)
        assert card["name"] == name and set(card["files"]) == set(KEPT)
        assert {"seed", "training", "pixels"} <= set(card["scenes"])
        assert card["training"]["steps"] > 1000 and card["code"] and card["architecture"]
        assert card["measured"]["seed"] != card["scenes"]["seed"]
        assert card["measured"]["confusions"]
        # Landmarks were drawn here after the models had been trained; they know all else.
        assert Labels.read(folder, vocabulary).unknown == {"landmark": drawn_here(vocabulary)}
        assert {path.name for path in folder.iterdir()} == {*KEPT, CARD}
        total += sum(path.stat().st_size for path in folder.iterdir())
    assert total <= MOST


def test_one_of_them_is_good_enough() -> None:
    both = [headline(read_card(ROOT / "data/pinned" / name)) for name in NAMES]
    assert any(one["multiple_choice"] >= 90 and one["true_false"] >= 88 for one in both), both


def test_the_document_has_the_figures_of_the_cards() -> None:
    text = (ROOT / "docs" / "filters.md").read_text(encoding="utf-8")
    cards = [read_card(ROOT / "data/pinned" / name)["measured"] for name in NAMES]

    def cells(found: list[dict[str, float]]) -> str:
        return " | ".join(f"{v['accuracy']:.1f} ({v['low']:.0f} to {v['high']:.0f})" for v in found)

    for subtask, numbers in cards[0]["multiple_choice"].items():
        both = cells([card["multiple_choice"][subtask] for card in cards])
        assert f"| {subtask} | {numbers['chance']:.0f} | {both} | {numbers['n']} |" in text
    told = cells([card["true_false"] for card in cards])
    assert f"| true or false | 50 | {told} | {cards[0]['true_false']['n']} |" in text


@pytest.mark.parametrize("name", NAMES)
def test_fresh_scenes_are_answered_as_the_card_says(
    name: str, vocabulary: Vocabulary, fresh: tuple[Any, Any]
) -> None:
    folder = ROOT / "data/pinned" / name
    model = ZeroShot(load_folder(folder), Labels.read(folder, vocabulary))
    found = measure(model, *fresh, calibrated(folder, "true_false_threshold"))
    told = headline(read_card(folder))
    # Some 400 questions of a kind: four standard errors of nine in ten right are six points.
    assert found["multiple_choice_mean"] > told["multiple_choice"] - 6
    assert found["true_false"]["accuracy"] > told["true_false"] - 6


def copied(params: Params, tmp_path: Path) -> tuple[Params, Path]:
    folder = tmp_path / "pinned"
    shutil.copytree(ROOT / params.reference.pinned, folder)
    given = params.model_dump(mode="json")
    given["reference"]["pinned"] = str(folder)
    return validate(given), folder / "reference_a"


def test_another_file_is_refused(params: Params, tmp_path: Path) -> None:
    changed, folder = copied(params, tmp_path)
    assert set(contents(changed, "reference_a")) == set(KEPT)
    weights = folder / "open_clip_model.safetensors"
    damaged = bytearray(weights.read_bytes())
    damaged[-1] ^= 1
    weights.write_bytes(bytes(damaged))
    with pytest.raises(UserError, match=r"is not the file that card.json names; .*git checkout"):
        contents(changed, "reference_a")


@pytest.mark.parametrize(
    ("text", "message"), [(None, "is missing"), ("{", "is damaged"), ("[]", "is damaged")]
)
def test_a_broken_card_is_one_line(
    params: Params, tmp_path: Path, text: str | None, message: str
) -> None:
    changed, folder = copied(params, tmp_path)
    (folder / CARD).unlink()
    if text is not None:
        (folder / CARD).write_text(text)
    with pytest.raises(UserError, match=message):
        contents(changed, "reference_a")


def test_a_model_that_is_not_pinned_is_named(params: Params, tmp_path: Path) -> None:
    changed, folder = copied(params, tmp_path)
    shutil.rmtree(folder)
    with pytest.raises(UserError, match=r"reference_a: is not pinned: .*write 'weights: trained'"):
        contents(changed, "reference_a")


def test_labels_that_were_not_trained_on_are_unknown(vocabulary: Vocabulary) -> None:
    learned = json.loads((ROOT / "data/pinned/reference_a/labels.json").read_text())
    learned["animal"] = [label for label in learned["animal"] if label != "fox"]
    labels = Labels(vocabulary, learned)
    assert labels.unknown == {"animal": ("fox",), "landmark": drawn_here(vocabulary)}
    assert labels.number("animal", "fox") is None
    assert not labels.rivals("animal", "dog")[labels.of["animal"].index("poodle")]


@pytest.mark.long
def test_a_label_of_the_user_is_told_before_anything_runs(
    params: Params,
    tmp_path: Path,
    vocabulary: Vocabulary,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (line,) = strange_labels(params, vocabulary)
    few = "reference_a and reference_b were not trained on 17 labels of the vocabulary, such as "
    assert line.startswith(f"{few}landmark '")
    assert line.endswith(
        "': a filter that asks them about single labels cannot tell whether an image shows these, "
        "and removes none for it"
    )
    folder = tmp_path / "vocabulary"
    shutil.copytree(vocabulary_dir(params), folder)
    text = (folder / "animal.yaml").read_text(encoding="utf-8")
    mine = "  - label: quokka\n    article: a\n    plural: quokkas\n    sense: small marsupial\n"
    (folder / "animal.yaml").write_text(f"{text}{mine}    pictograph: [1F998]\n")
    lines = strange_labels(params, load_vocabulary(folder))
    assert lines[0].startswith(few.replace("17", "18") + "animal 'quokka', landmark '")
    assert len(lines) == 1
    # It is the vocabulary of all suites: one of several changes nothing, and tells nothing again.
    # A run tells it before its jobs, if it has images to judge by labels.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(RUN, "0")
    monkeypatch.setenv(FOLLOWED, "")
    two = {
        "first": {"kind": "dysca", "corpus": {"subtasks": ["text"]}},
        "second": {"kind": "dysca"},
    }
    dag = Dag.open(ROOT, {"vocabulary": {"folder": str(folder)}, "suites": two}, None)
    assert dag.unlearned() == [], "e.g. who only plans scenes"
    for suite in two:
        dag.given(f"filter/{suite}/clip", f"data/{suite}/scenes/part-00000.parquet")
    dag.start()
    told = capsys.readouterr().err.splitlines()
    lines = [f"note: {line}; there is nothing to do about it" for line in lines]
    assert [line for line in told if "not trained on" in line] == lines
    for item in (f"filter/{suite}/clip" for suite in two):
        assert dag.unlearned() == lines
        for file in dag.plan.made(item, dag.paths.of(item)):
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).touch()
    assert dag.unlearned() == [], "all images are judged"


def test_confusions_are_counted_most_frequent_first() -> None:
    asked = [("animal", "cat", "dog")] * 2 + [("animal", "cat", "cat"), ("animal", "owl", "cat")]
    assert confusions(asked) == {
        "animal": [
            {"label": "cat", "taken_for": "dog", "n": 2},
            {"label": "owl", "taken_for": "cat", "n": 1},
        ]
    }


def test_thresholds_lose_no_more_than_their_share() -> None:
    import numpy as np

    rng = np.random.default_rng(0)
    odds = {group: rng.normal(size=2000) for group in GROUPS}
    odds["style"][:500] = np.nan
    limits = label_thresholds(odds, 0.02)
    lost = np.any([odds[g] < limits[g] for g in GROUPS], axis=0).mean()
    assert 0.015 < lost <= 0.02


def test_a_model_sees_the_question_its_options_and_the_image_alone(
    params: Params, fresh: tuple[Any, Any]
) -> None:
    """Neither the subtask nor the scene that an item names changes what is answered."""
    scenes, questions = fresh
    sink = io.BytesIO()
    Image.fromarray(scenes.pictures["image"][0]).save(sink, "PNG")
    rows = {q["question_type"]: q for q in questions.to_pylist()}
    free = {"question_type": "free_form", "question": "Describe the image.", "options": None}
    rows["free_form"] = {**rows["multiple_choice"], **free}
    model = Reference(params, ROOT / params.reference.pinned / "reference_a")
    for row in rows.values():
        item = Item(
            question_id=row["question_id"], scene_id=row["scene_id"], subtask=row["subtask"],
            question_type=row["question_type"], question=row["question"],
            options=tuple(row["options"] or ()), prompt=row["question"],
            image=sink.getvalue(), image_id="i", image_sha256="0" * 64,
        )  # fmt: skip
        other = replace(item, subtask="none of ours", scene_id="another")
        ((_, told),), ((_, again),) = (list(model.answer([one])) for one in (item, other))
        assert told.status == "answered" and told == again
        assert model.request_sha256(item) == model.request_sha256(other)


def test_what_is_answered_beside_other_things_changes_no_answer(params: Params) -> None:
    """Images are encoded some at a time and texts without padding: neither decides anything."""
    items = []
    for n in range(20):
        sink = io.BytesIO()
        Image.radial_gradient("L").rotate(9 * n).convert("RGB").resize((96, 64 + n)).save(
            sink, "PNG"
        )
        item = Item(
            question_id=f"q{n}", scene_id=f"s{n}", subtask="animal",
            question_type="multiple_choice", question="Which animal is shown?",
            options=("a horse", "a creature that no list holds", f"thing {n}"), prompt="p",
            image=sink.getvalue() if n != 5 else b"no image", image_id="i", image_sha256=str(n),
        )  # fmt: skip
        items += [item, replace(item, question_id=f"again {n}")]
    folder = ROOT / params.reference.pinned / "reference_b"
    together = list(Reference(params, folder).answer(items))
    assert [item for item, _ in together] == items
    assert [reply.status for item, reply in together if item.image_sha256 == "5"] == ["error"] * 2
    model = Reference(params, folder)
    alone = [pair for item in reversed(items) for pair in model.answer([item])]
    assert alone[::-1] == together
