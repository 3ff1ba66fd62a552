"""The adversarial scenario: within its bound, to its aim, the same whatever comes beside it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.config.models import Model
from lvlmbench.core.errors import UserError
from lvlmbench.stages.scenario.kinds.adversarial import access
from lvlmbench.stages.scenario.kinds.adversarial.carry import norm_of
from lvlmbench.stages.scenario.kinds.adversarial.pgd import OwnDraws
from lvlmbench.stages.scenario.kinds.adversarial.scenario import AdversarialScenario
from lvlmbench.stages.scenario.kinds.adversarial.settings import Adversarial
from lvlmbench.stages.scenario.kinds.adversarial.texts import reworded, wrong_labels
from lvlmbench.stages.scenario.scenario import Row
from support import tiny_clip
from support.adversarial_shards import (
    attacked,
    difference,
    image,
    images,
    parameters,
    pixels,
    question,
    save_reference,
    scene,
    shard,
    told,
)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_reference(tmp_path_factory.mktemp("models") / "reference_a")


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"local-dir:{tiny_clip.save_folder(tmp_path_factory.mktemp('models') / 'clip')}"


def bytes_of(rows: Sequence[Row]) -> dict[str, Any]:
    return {row["scene_id"]: (row["image"]["bytes"], row["perturbation"]) for row in rows}


@pytest.mark.parametrize("norm", ["Linf", "L2"])
@pytest.mark.parametrize("epsilon", [1 / 255, 8.6 / 255, 0.4])
def test_the_bound_holds_on_stored_bytes(reference: Path, norm: str, epsilon: float) -> None:
    params = parameters(norm=norm, epsilon=epsilon, step=epsilon / 3, steps=4)
    rows = attacked(params, shard(images(0, 1, 2, 3)), reference_a=reference)
    assert len(rows) == 4
    for row in rows:
        levels = difference(row)
        reached = told(row)["epsilon"]
        if norm == "Linf":
            assert np.abs(levels).max() <= np.floor(epsilon * 255 + 1e-9)
            assert row["perturbation"]["epsilon"] == np.abs(levels).max() / 255
        else:  # of 96 x 96 pixels nine stand for one that the proxy reads
            assert np.sqrt((levels**2).sum() / 9) / 255 <= epsilon * (1 + 1e-9)
        assert row["perturbation"]["epsilon"] == norm_of(levels, norm, (32, 32))  # type: ignore[arg-type]
        # One level alone may meet a full-size pixel that is black or white already.
        assert reached == round(epsilon, 9) and (levels.any() or (norm == "L2" and epsilon < 0.01))


def test_the_attack_does_what_it_is_for(reference: Path) -> None:
    rows = attacked(parameters(), shard(images(*range(2, 10))), reference_a=reference)
    for row in rows:
        record = told(row)
        assert record["loss_after"] > record["loss_before"]
        assert record["objective"] == "caption" and record["proxy"] == "reference_a"
    before, after = (np.mean([told(r)[f"loss_{w}"] for r in rows]) for w in ("before", "after"))
    half = parameters(steps=1, random_start=False)
    weak = attacked(half, shard(images(*range(2, 10))), reference_a=reference)
    assert before < np.mean([told(r)["loss_after"] for r in weak]) < after


def test_the_record_is_whole_and_rows_are_the_contracts(reference: Path) -> None:
    (row,) = attacked(parameters(), shard(images(2)), reference_a=reference)
    record = told(row)
    expected = {"norm": "Linf", "step": round(2 / 255, 9), "steps": 10, "random_start": True}
    assert {name: record[name] for name in expected} == expected
    assert record["proxy_size"] == [32, 32] and record["kind"] == "adversarial"
    for name in ("similarity_before", "similarity_after", "loss_before", "loss_after"):
        assert record[name] == round(record[name], 6)
    assert row["scene_id"] == "s2" and row["question_id"] is None and row["width"] == 96
    assert set(row) == set(tables.IMAGES.names)


def test_what_is_recorded_is_what_the_model_sees_of_the_stored_bytes(reference: Path) -> None:
    from lvlmbench.stages.reference.encoder import load_folder

    (row,) = attacked(parameters(), shard(images(4)), reference_a=reference)
    encoder = load_folder(reference)
    picture = Image.open(io.BytesIO(row["image"]["bytes"]))
    vectors = encoder.images([Image.fromarray(pixels(4)), picture])
    cosines = vectors @ encoder.texts([scene(4)["caption"]])[0][0]
    found = [told(row)["similarity_before"], told(row)["similarity_after"]]
    assert found == pytest.approx(cosines.tolist(), abs=5e-6)


@pytest.mark.parametrize("norm", ["Linf", "L2"])
@pytest.mark.parametrize("kind", ["reference", "clip"])
def test_neither_order_nor_shards_nor_batches_change_a_byte(
    reference: Path, clip: str, norm: str, kind: str
) -> None:
    more = {"norm": norm, "steps": 3, "objective": "option"}
    more |= {} if kind == "reference" else {"proxy": clip, "device": "cpu"}
    rows = images(*range(20)) if kind == "reference" else images(*range(5))
    whole = bytes_of(attacked(parameters(**more), shard(rows), reference_a=reference))
    backwards = attacked(parameters(**more, batch_size=3), shard(rows[::-1]), reference_a=reference)
    assert [row["scene_id"] for row in backwards] == [row["scene_id"] for row in rows[::-1]]
    assert bytes_of(backwards) == whole
    for some in (rows[:1], rows[3:5]):
        part = bytes_of(attacked(parameters(**more), shard(some), reference_a=reference))
        assert part == {name: whole[name] for name in part}


def test_a_gradient_that_is_zero_but_for_rounding_is_zero() -> None:
    import torch

    from lvlmbench.stages.scenario.kinds.adversarial.pgd import _Settled

    images = torch.zeros((2, 1, 1, 3), dtype=torch.float64, requires_grad=True)
    slopes = torch.tensor([[[[1.0, -1e-14, 1e-3]]], [[[1e-14, -1e-14, 0.0]]]], dtype=torch.float64)
    (found,) = torch.autograd.grad((_Settled.apply(images) * slopes).sum(), images)
    assert found.sign().flatten().tolist() == [1, 0, 1, 1, -1, 0], "each image by its own largest"


def test_reference_models_are_attacked_in_float64(reference: Path) -> None:
    import torch

    from lvlmbench.stages.scenario.kinds.adversarial.proxies import load_proxy
    from lvlmbench.stages.scenario.kinds.adversarial.settings import Adversarial

    loaded = load_proxy(Adversarial(), {"reference_a": reference}, "here")  # type: ignore[call-arg]
    seen = loaded.tensor(loaded.seen(Image.fromarray(pixels(3)))[None])
    assert loaded.vectors(seen).dtype == torch.float64


def test_nothing_of_torchs_own_generators_goes_in(reference: Path) -> None:
    import torch

    found = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        found.append(attacked(parameters(steps=1), shard(images(2)), reference_a=reference))
    assert bytes_of(found[0]) == bytes_of(found[1])


def test_the_attack_leaves_the_proxy_as_it_was(reference: Path) -> None:
    import torch

    params = parameters()
    scenario = AdversarialScenario(params, params.scenarios.spec("adv"), {"reference_a": reference})
    tower = scenario._proxy.tower
    before = {name: value.clone() for name, value in tower.state_dict().items()}
    first, again = (bytes_of(list(scenario.apply(shard(images(2, 3))))) for _ in range(2))
    assert first == again and not tower.training
    assert all(torch.equal(value, before[name]) for name, value in tower.state_dict().items())


def test_the_number_of_cores_changes_no_byte(reference: Path) -> None:
    import torch

    rows = shard(images(*range(2, 6)))
    found = []
    for threads in (1, 3):
        torch.set_num_threads(threads)
        found.append(attacked(parameters(steps=3), rows, reference_a=reference))
        assert torch.get_num_threads() == 1
    assert bytes_of(found[0]) == bytes_of(found[1])


def test_a_draw_from_torchs_generator_is_an_error(
    reference: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    from lvlmbench.stages.scenario.kinds.adversarial import pgd

    forward = pgd.Objective.forward

    def noisy(self: Any, pictures: torch.Tensor) -> torch.Tensor:
        return forward(self, pictures) + 0 * torch.rand(1)

    monkeypatch.setattr(pgd.Objective, "forward", noisy)
    with pytest.raises(RuntimeError, match="drew from torch's generators"):
        attacked(parameters(steps=1), shard(images(2)), reference_a=reference)


def test_draws_are_each_rows_own() -> None:
    import torch

    def drawn(*seeds: int) -> torch.Tensor:
        with OwnDraws([np.random.default_rng(seed) for seed in seeds]):
            first = torch.empty(len(seeds), 3, 4, 4).uniform_(-0.5, 0.5)
            return torch.cat([first, torch.empty_like(first).normal_()], dim=1)

    both, swapped = drawn(1, 2), drawn(2, 1)
    assert torch.equal(both, swapped.flip(0)) and not torch.equal(both[0], both[1])
    assert both[:, :3].abs().max() <= 0.5 < both[:, 3:].abs().max()


def test_equal_images_of_two_scenes_start_at_different_points(reference: Path) -> None:
    rows = [image(2, pixels(2)), image(7, pixels(2))]  # 2 and 7 have one caption, too
    for random_start in (True, False):
        params = parameters(steps=1, random_start=random_start)
        one, two = attacked(params, shard(rows), reference_a=reference)
        assert (one["image"]["bytes"] != two["image"]["bytes"]) == random_start


def test_the_objective_option_also_goes_to_what_is_wrong(reference: Path) -> None:
    rows = images(*range(2, 10))
    none = rows[0]["scene_id"]
    questions = [question(int(row["scene_id"][1:])) for row in rows[1:]]
    params = parameters(objective="option", epsilon=0.1, step=0.02)
    found = attacked(params, shard(rows, questions), reference_a=reference)
    gained = []
    for row in found:
        record = told(row)
        if row["scene_id"] == none:
            assert record["objective"] == "caption" and "target" not in record
            continue
        assert record["objective"] == "option"
        right = scene(int(row["scene_id"][1:]))
        (wrong,) = record["wrong"].values()
        asked = question(int(row["scene_id"][1:]))
        assert wrong in asked["options"] and wrong != asked["answer"]
        assert record["target"] == right["caption"].replace(right["foreground"], wrong)
        gained.append(record["loss_after"] - record["loss_before"])
    assert len(gained) == 7 and min(gained) > 0


def test_the_objective_features_goes_away_from_the_clean_image(reference: Path) -> None:
    params = parameters(objective="features", epsilon=0.1, step=0.02)
    rows = attacked(params, shard(images(2, 3)), reference_a=reference)
    for row in rows:
        record = told(row)
        assert record["objective"] == "features" and record["similarity_before"] == 1
        assert record["similarity_after"] < 1 and record["loss_after"] > record["loss_before"]


def test_a_scene_without_a_caption_is_attacked_by_its_features(reference: Path) -> None:
    whole = shard(images(2, 3))
    scenes = whole.scenes.set_column(
        whole.scenes.schema.get_field_index("caption"), "caption", [["A fox.", None]]
    )
    from dataclasses import replace

    rows = attacked(parameters(), replace(whole, scenes=scenes), reference_a=reference)
    assert [told(row)["objective"] for row in rows] == ["caption", "features"]


def test_images_that_cannot_be_decoded_are_left_out(reference: Path) -> None:
    rows = images(2, 3)
    rows[0]["image"] = {"bytes": b"no png", "path": "x"}
    assert [r["scene_id"] for r in attacked(parameters(), shard(rows), reference_a=reference)] == [
        "s3"
    ]


def test_images_of_several_sizes_keep_their_order(reference: Path) -> None:
    rows = [*images(2), *images(3, side=64), *images(4)]
    found = attacked(parameters(steps=1), shard(rows), reference_a=reference)
    assert [(r["scene_id"], r["width"]) for r in found] == [("s2", 96), ("s3", 64), ("s4", 96)]


def test_wrong_labels_are_of_what_is_asked() -> None:
    false = {
        "question_id": "a",
        "subtask": "style",
        "question_type": "true_false",
        "answer": "False",
        "claim": "sketch",
    }
    true = {**false, "question_id": "b", "answer": "True", "claim": "mosaic"}
    asked = [question(2), false, true]
    seen = set()
    for seed in range(40):
        drawn = wrong_labels(asked, np.random.default_rng(seed))
        assert drawn == wrong_labels(asked[::-1], np.random.default_rng(seed))
        assert drawn["style"] == "sketch"
        seen.add(drawn["animal"])
    assert seen == set(question(2)["options"]) - {question(2)["answer"]}
    assert wrong_labels([true], np.random.default_rng(0)) == {}


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("An owl, in mosaic style.", "An fox, in mosaic style."),
        ("Two owls, in mosaic style.", "Two owls, in mosaic style, animal: fox."),
        ('A sign that says "owl".', 'A sign that says "owl", animal: fox.'),
    ],
)
def test_a_caption_is_reworded(caption: str, expected: str) -> None:
    assert reworded(caption, {"animal": "owl"}, {"animal": "fox"}) == expected


def test_a_missing_weight_or_a_small_image_is_one_line(reference: Path) -> None:
    with pytest.raises(UserError, match="--weights: hold no reference_a"):
        attacked(parameters(), shard(images(2)))
    with pytest.raises(
        UserError, match=r"^suites\.dysca\.scenarios\.noisy: \w+: adversarial: proxy: .*16x16"
    ):
        attacked(parameters(), shard(images(2, side=16)), reference_a=reference)


def _asked(engine: str, **given: Any) -> Model:
    return Model.model_validate({"name": "m", "engine": engine, **given})


def test_access_is_by_the_weights_that_were_attacked(tmp_path: Path) -> None:
    (tmp_path / "blip").mkdir()
    for proxy, run in (
        (f"transformers:{tmp_path}/blip", f"{tmp_path}/blip/"),
        (f"transformers:{tmp_path}/../{tmp_path.name}/blip", f"{tmp_path}/blip"),
        ("transformers:Salesforce/instructblip-flan-t5-xl", "Salesforce/instructblip-flan-t5-xl"),
    ):
        attack = Adversarial(proxy=proxy)  # type: ignore[call-arg]
        assert access(attack, _asked("transformers_vlm", transformers={"model": run})) == (
            "white-box"
        )
        other = _asked("transformers_vlm", transformers={"model": f"{run}-other"})
        assert access(attack, other) == "transfer"
    own = Adversarial(proxy="reference_a")  # type: ignore[call-arg]
    assert access(own, _asked("reference_a")) == "white-box"
    assert access(own, _asked("reference_b")) == access(own, None) == "transfer"


def test_access_is_by_the_encoder_that_a_model_says_it_has() -> None:
    served = {"endpoint": {"model": "llava"}, "visual_encoder": "clip vit-l/14  336px"}
    model = _asked("openai_chat", **served)
    attack = Adversarial(proxy="ViT-L-14-336", pretrained="openai")  # type: ignore[call-arg]
    assert access(attack, model) == "transfer"
    named = attack.model_copy(update={"visual_encoder": "CLIP ViT-L/14 336px"})
    assert access(named, model) == "white-box"
    assert access(named, _asked("chance")) == "transfer"
    written = _asked("openai_chat", endpoint={"model": "x"}, visual_encoder="ViT-L-14-336/openai")
    assert access(attack, written) == "white-box"


def test_defaults_are_those_of_madry() -> None:
    settings = Adversarial()  # type: ignore[call-arg]
    assert (settings.epsilon, settings.step, settings.steps) == (8 / 255, 2 / 255, 10)
    assert (settings.norm, settings.random_start, settings.aim) == ("Linf", True, "caption")
