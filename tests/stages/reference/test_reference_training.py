"""Training, calibration and answering of the reference models, at the smallest scale."""

from __future__ import annotations

import hashlib
import io
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError
from lvlmbench.scene.templates import load_templates
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.answer.engine import MODELS, Item
from lvlmbench.stages.reference import data, tokenizer
from lvlmbench.stages.reference.calibration import best_threshold, calibrate, lower_quantile
from lvlmbench.stages.reference.encoder import load_folder
from lvlmbench.stages.reference.folder import calibrated
from lvlmbench.stages.reference.labels import Labels
from lvlmbench.stages.reference.scenes import build_scenes, validation_questions
from lvlmbench.stages.reference.shards import FIRST_SEED
from lvlmbench.stages.reference.training import Checkpoint, intent, train
from lvlmbench.stages.reference.zero_shot import ZeroShot
from lvlmbench.suites.instructions import prompt_for
from lvlmbench.suites.suite import build_shard

ROOT = Path(__file__).parents[3]
NAMES = ("reference_a", "reference_b")


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(vocabulary_dir(params()))


def params(**changed: Any) -> Params:
    given = load_params(ROOT / "params.yaml", "dysca").model_dump(mode="json")
    given["reference"]["scenes"] |= {"training": 64, "validation": 64, "shard_scenes": 128}
    given["reference"]["training"] = {
        "steps": 4, "word_steps": 4, "batch_size": 16, "checkpoint_every": 2,
    }  # fmt: skip
    given["reference"] |= {"weights": "trained", "false_rejections": 0.02}
    given["corpus"]["scenes_per_subtask"] = 3
    given["reference"] |= changed
    return validate(given)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory, vocabulary: Vocabulary) -> list[Path]:
    path = tmp_path_factory.mktemp("scenes") / "part-00000.parquet"
    table = build_scenes(params(), vocabulary, 0)
    tables.write(table, path, tables.REFERENCE_SCENES, "reference")
    return [path]


class Killed(BaseException):
    pass


class DyingCheckpoint(Checkpoint):
    """Saves, then the process ends."""

    def save(self, state: dict[str, Any]) -> None:
        super().save(state)
        raise Killed


def digest(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


@pytest.fixture(scope="module", params=NAMES)
def trained(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    vocabulary: Vocabulary,
    parts: list[Path],
) -> Path:
    folder: Path = tmp_path_factory.mktemp("trained") / request.param
    checkpoint = Checkpoint(folder.with_suffix(".safetensors"), "intent")
    train(params(), vocabulary, request.param, parts, folder, checkpoint)
    return folder


@pytest.mark.long
def test_training_goes_on_to_the_same_bytes(
    trained: Path, tmp_path: Path, vocabulary: Vocabulary, parts: list[Path]
) -> None:
    saved, folder = tmp_path / "checkpoint.safetensors", tmp_path / trained.name
    with pytest.raises(Killed):
        train(params(), vocabulary, trained.name, parts, folder, DyingCheckpoint(saved, "intent"))
    assert not (folder / "open_clip_model.safetensors").exists()
    with pytest.raises(Killed):
        train(params(), vocabulary, trained.name, parts, folder, DyingCheckpoint(saved, "intent"))
    curve = train(params(), vocabulary, trained.name, parts, folder, Checkpoint(saved, "intent"))
    assert digest(folder) == digest(trained)
    assert [row.split(",")[0] for row in curve.split()] == ["step", "2", "4"]


@pytest.mark.long
def test_damaged_checkpoint_is_left_aside(
    trained: Path, tmp_path: Path, vocabulary: Vocabulary, parts: list[Path]
) -> None:
    saved = tmp_path / "checkpoint.safetensors"
    saved.write_bytes(b"\x10\x00\x00\x00\x00\x00\x00\x00{")
    folder = tmp_path / trained.name
    train(params(), vocabulary, trained.name, parts, folder, Checkpoint(saved, "intent"))
    assert digest(folder) == digest(trained)


def test_checkpoint_with_a_lost_bit_is_left_aside(tmp_path: Path) -> None:
    torchvision_hook.install()
    import torch

    saved = Checkpoint(tmp_path / "c", "intent")
    state = {"step": torch.tensor(3), "weights": torch.arange(40, dtype=torch.float32)}
    saved.save(state)
    right = (tmp_path / "c").read_bytes()
    for place in range(8, len(right)):
        damaged = bytearray(right)
        damaged[place] ^= 4
        (tmp_path / "c").write_bytes(damaged)
        found = saved.load()
        same = found is not None and all(torch.equal(found[k], state[k]) for k in state)
        assert found is None or same, place
    (tmp_path / "c").write_bytes(right)
    assert saved.load() is not None


def test_checkpoint_of_another_training_is_left_aside(tmp_path: Path, parts: list[Path]) -> None:
    torchvision_hook.install()
    import torch

    other = params(training={"steps": 5, "word_steps": 4, "batch_size": 16, "checkpoint_every": 2})
    mine, theirs = (intent(p, "reference_a", parts) for p in (params(), other))
    assert mine == intent(
        params(training={"steps": 4, "word_steps": 4, "batch_size": 16, "checkpoint_every": 3}),
        "reference_a",
        parts,
    )
    Checkpoint(tmp_path / "c", theirs).save({"step": torch.tensor(3)})
    assert Checkpoint(tmp_path / "c", mine).load() is None
    assert Checkpoint(tmp_path / "c", theirs).load() == {"step": 3}


@pytest.mark.parametrize("value", ["NaN", "Infinity", "true", '"x"', "null"])
def test_calibration_that_is_no_number_is_one_line(tmp_path: Path, value: str) -> None:
    (tmp_path / "calibration.json").write_text(f'{{"clip_threshold": {value}}}')
    with pytest.raises(UserError, match="no finite number"):
        calibrated(tmp_path, "clip_threshold")


@pytest.mark.long
def test_checkpoint_period_changes_nothing(
    trained: Path, tmp_path: Path, vocabulary: Vocabulary, parts: list[Path]
) -> None:
    every = params(training={"steps": 4, "word_steps": 4, "batch_size": 16, "checkpoint_every": 3})
    folder = tmp_path / trained.name
    train(every, vocabulary, trained.name, parts, folder, Checkpoint(tmp_path / "c", "intent"))
    assert digest(folder) == digest(trained)


def test_open_clip_loads_the_folder(trained: Path) -> None:
    torchvision_hook.install()
    import open_clip
    import torch

    model, _, preprocess = open_clip.create_model_and_transforms(f"local-dir:{trained}")
    words = open_clip.get_tokenizer(f"local-dir:{trained}")(["a red fox", "an owl"])
    image = preprocess(Image.new("RGB", (512, 512), (200, 30, 60)))[None]
    with torch.no_grad():
        model.eval()
        assert model.encode_image(image).shape == model.encode_text(words)[:1].shape


def test_text_is_encoded_as_open_clip_encodes_it(trained: Path) -> None:
    torchvision_hook.install()
    import open_clip
    import torch

    from lvlmbench.stages.reference.words import encode

    model = open_clip.create_model(f"local-dir:{trained}").eval()
    tokens = open_clip.get_tokenizer(f"local-dir:{trained}")(["owl", "two owls in a forest"])
    with torch.no_grad():
        expected = model.encode_text(tokens, normalize=True)
        assert torch.allclose(encode(model, tokens), expected, atol=1e-6)


def test_every_word_of_captions_and_phrases_is_known(
    tmp_path: Path, vocabulary: Vocabulary
) -> None:
    tokenizer.save(vocabulary, tmp_path)
    from tokenizers import Tokenizer

    inner = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    given = load_params(ROOT / "params.yaml", "dysca")
    scenes, _ = build_shard(given, vocabulary, 0, given.corpus.n_scenes)
    rows = [r for r in scenes.to_pylist() if r["subtask"] in ("animal", "color", "profession")]
    phrases = Labels(vocabulary).phrases
    for text in [r["caption"] for r in rows] + phrases:
        tokens = inner.encode(text).tokens
        assert tokenizer.UNKNOWN not in tokens, text
        assert len(tokens) <= tokenizer.CONTEXT, text
        assert not any(t.startswith("##") for t in tokens), f"{text}: spelled out: {tokens}"
    assert len({tuple(inner.encode(p).ids) for p in phrases}) == len(phrases)
    strange = inner.encode("Zzyzx").tokens
    assert strange[1:4] == ["z", "##z", "##y"], "unknown words are spelled"


@pytest.mark.long
def test_calibration_and_metrics(trained: Path, parts: list[Path], vocabulary: Vocabulary) -> None:
    model = ZeroShot(load_folder(trained), Labels(vocabulary))
    held_out = data.read(parts, "validation", ("image",))
    questions = validation_questions(params(), vocabulary)
    known, metrics = calibrate(model, held_out, questions, 0.1, FIRST_SEED + 1)
    assert -1 <= known["clip_threshold"] <= 1 and known["false_rejections"] == 0.1
    assert set(metrics) == {"multiple_choice", "true_false"}, "the headline alone"
    by_subtask = known["validation"]["multiple_choice"]
    assert "text" not in by_subtask and {"animal", "style", "background"} <= set(by_subtask)
    for numbers in by_subtask.values():
        assert numbers["low"] <= numbers["accuracy"] <= numbers["high"]
    assert known["validation"]["true_false"]["n"] > 30
    assert calibrate(model, held_out, questions, 0.1, FIRST_SEED + 1) == (known, metrics)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1, 1, width=32), min_size=20, max_size=200), st.floats(0.01, 0.5))
def test_quantile_rejects_at_most_its_share(values: list[float], share: float) -> None:
    scores = np.array(values)
    assert (scores < lower_quantile(scores, share)).mean() <= share


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-4, 4), st.booleans()), min_size=1, max_size=40))
def test_threshold_is_the_best_there_is(pairs: list[tuple[int, bool]]) -> None:
    odds = np.array([float(o) for o, _ in pairs])
    truth = np.array([t for _, t in pairs])
    found = ((odds > best_threshold(odds, truth)) == truth).mean()
    best = max(((odds > t) == truth).mean() for t in np.arange(-5, 5, 0.25))
    assert found == pytest.approx(best)


@pytest.mark.long
def test_claims_are_read_from_statements(vocabulary: Vocabulary, trained: Path) -> None:
    plain = load_params(ROOT / "params.yaml", "dysca").model_dump(mode="json")
    plain["corpus"]["scenes_per_subtask"] = each = 15
    given = validate(plain)
    labels = Labels(vocabulary)
    model = ZeroShot(load_folder(trained), labels)
    _, questions = build_shard(given, vocabulary, 0, given.corpus.n_scenes)
    checked: Counter[str] = Counter()
    for q in questions.to_pylist():
        if q["question_type"] == "true_false" and q["subtask"] in labels.of:
            assert model.claim(q["question"]) == (q["subtask"], q["claim"]), q["question"]
            checked[q["subtask"]] += 1
    assert {*checked} == {*questions["subtask"].to_pylist()} & {*labels.of}
    assert checked.total() > 200 and min(checked.values()) > each / 2


def item(**changed: Any) -> Item:
    sink = io.BytesIO()
    Image.new("RGB", (64, 64), (90, 160, 70)).save(sink, "PNG")
    image = sink.getvalue()
    given: dict[str, Any] = {
        "question_id": "q", "scene_id": "s", "subtask": "animal",
        "question_type": "multiple_choice", "question": "Which animal is it?",
        "options": ("owl", "fox", "bee", "cow"), "image": image, "image_id": "i",
        "image_sha256": hashlib.sha256(image).hexdigest(),
    } | changed  # fmt: skip
    prompt = prompt_for(
        load_templates().instructions,
        given["question_type"],
        given["question"],
        list(given["options"]),
    )
    return Item(prompt=prompt, **given)


def test_engine_answers_every_form(trained: Path, tmp_path: Path) -> None:
    folder = tmp_path / trained.name
    shutil.copytree(trained, folder)
    (folder / "calibration.json").write_text('{"true_false_threshold": -3.5}')
    chosen = params(models=[trained.name])
    chosen = validate(
        chosen.model_dump(mode="json")
        | {
            "answer": {"models": [{"name": "m", "engine": trained.name}]},
            "filter": {"filters": [{"name": "integrity"}]},
        }
    )
    engine = MODELS.get(trained.name, "test")(
        chosen, chosen.answer.models[0], {trained.name: folder}
    )
    asked = [
        item(question_id="1"),
        item(question_id="2", options=("gryphon", "basilisk")),
        item(question_id="3", subtask="movie", options=("Alpha", "Beta")),
        item(
            question_id="4", question_type="true_false", options=("False", "True"),
            question="True or false? The image shows an owl.",
        ),
        item(question_id="5", question_type="free_form", options=(), subtask="style"),
        item(question_id="6", question_type="free_form", options=(), subtask="age"),
        item(question_id="7", image=None, image_sha256=None),
        item(question_id="8", image=b"no image", image_sha256="0" * 64),
    ]  # fmt: skip
    whole = {i.question_id: r for i, r in engine.answer(asked)}
    assert whole["1"].text[:3] in ("(A)", "(B)", "(C)", "(D)")
    assert whole["2"].text in ("(A) gryphon", "(B) basilisk")
    assert whole["4"].text in ("(A) False", "(B) True")
    assert "style: " in whole["5"].text
    assert whole["6"].text == whole["5"].text, "a model is not told what a scene is about"
    assert whole["7"].text[:3] in ("(A)", "(B)", "(C)", "(D)")  # guessed without an image
    assert whole["8"].status == "error"
    alone = {i.question_id: r for a in reversed(asked) for i, r in engine.answer([a])}
    assert alone == whole
    assert len({engine.request_sha256(i) for i in asked}) == len(asked) - 1


def test_unknown_architecture_is_one_line(
    tmp_path: Path, vocabulary: Vocabulary, parts: list[Path]
) -> None:
    with pytest.raises(UserError, match=r"reference_c: is not .*use some of: reference_a"):
        train(
            params(),
            vocabulary,
            "reference_c",
            parts,
            tmp_path,
            Checkpoint(tmp_path / "c", "intent"),
        )
