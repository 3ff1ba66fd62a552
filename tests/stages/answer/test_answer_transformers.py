"""Engine ``transformers_vlm`` on tiny models that are loaded as a user's are."""

from __future__ import annotations

import dataclasses
import io
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lvlmbench.core import weights
from lvlmbench.stages.answer.engine import Item, Reply
from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
from lvlmbench.stages.answer.local import asking as transformers_asking
from lvlmbench.stages.answer.local.asking import Asker
from lvlmbench.stages.answer.local.settings import LocalWeights
from support import tiny_vlm
from support.tiny_vlm import FAMILIES, Family

#: As many tokens as an answer of these tests may have.
LIMIT = 12

Replies = dict[tuple[str, str | None], Reply]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Family, Path]:
    """One folder for each family of models."""
    top = tmp_path_factory.mktemp("weights")
    return {family: tiny_vlm.save(top / family, family) for family in FAMILIES}


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))


def engine(folder: Path, **settings: Any) -> TransformersVLM:
    values: dict[str, Any] = {"model": str(folder), "max_tokens": LIMIT, "device": "cpu"}
    return TransformersVLM("tiny", LocalWeights(**(values | settings)))


def answers(model: TransformersVLM, items: Sequence[Item]) -> Replies:
    found = [(item.key, reply) for item, reply in model.answer(items)]
    assert len(found) == len(items) == len(dict(found)), "not one reply for each item"
    return dict(found)


def texts(replies: Replies) -> dict[tuple[str, str | None], str]:
    return {key: reply.text for key, reply in replies.items()}


def png(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 30)).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("family", FAMILIES)
def test_batch_size_changes_no_answer(folders: dict[Family, Path], family: Family) -> None:
    items = tiny_vlm.items(24)
    alone, *others = (answers(engine(folders[family], batch_size=n), items) for n in (1, 3, 8))
    for together in others:
        assert together == alone
    assert len(set(texts(alone).values())) > 20, "they differ too little to tell"
    assert {reply.finish_reason for reply in alone.values()} == {"stop", "length"}
    assert {reply.status for reply in alone.values()} <= {"answered", "truncated"}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("family", FAMILIES)
def test_padding_on_the_wrong_side_would_show(
    folders: dict[Family, Path], family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = tiny_vlm.items(24)
    right = answers(engine(folders[family], batch_size=1), items)
    begin = Asker.__init__

    def padded_behind(self: Asker, *arguments: Any) -> None:
        begin(self, *arguments)
        self._tokenizer.padding_side = "right"

    monkeypatch.setattr(Asker, "__init__", padded_behind)
    wrong = answers(engine(folders[family], batch_size=8), items)
    assert sum(right[key].text != wrong[key].text for key in right) > 5


@pytest.mark.parametrize("family", FAMILIES)
def test_it_says_what_transformers_says(folders: dict[Family, Path], family: Family) -> None:
    import transformers

    auto: Any = transformers.AutoProcessor
    processor = auto.from_pretrained(folders[family])
    model: Any = transformers.AutoModelForImageTextToText.from_pretrained(folders[family])
    items = tiny_vlm.items(8)
    said = answers(engine(folders[family]), items)
    for item in items:
        content: list[dict[str, Any]] = [{"type": "text", "text": item.prompt}]
        if item.image is not None:
            content.insert(0, {"type": "image", "image": Image.open(io.BytesIO(item.image))})
        inputs = processor.apply_chat_template(
            [{"role": "user", "content": content}],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
        )
        greedy = {"do_sample": False, "repetition_penalty": 1.0, "temperature": None, "top_k": None}
        output = model.generate(**inputs, **greedy, max_new_tokens=LIMIT)
        read = inputs["input_ids"].shape[1]
        new = output[0, read:].tolist()
        ended = new[-1] in model.generation_config.eos_token_id
        text = processor.tokenizer.decode(new[:-1] if ended else new, skip_special_tokens=True)
        reply = said[item.key]
        assert reply.text == text.strip()
        assert reply.finish_reason == ("stop" if ended else "length")
        assert (reply.prompt_tokens, reply.completion_tokens) == (read, len(new))


@pytest.mark.parametrize("family", FAMILIES)
def test_it_sees_the_image(folders: dict[Family, Path], family: Family) -> None:
    first, second = tiny_vlm.items(2)
    shown = dataclasses.replace(second, image=first.image, image_id="other")
    blind = dataclasses.replace(second, image=None, image_id=None)
    said = answers(engine(folders[family]), [second, shown, blind])
    assert len({reply.text for reply in said.values()}) == 3
    assert said[blind.key].prompt_tokens is not None
    assert said[shown.key].prompt_tokens is not None
    assert said[blind.key].prompt_tokens < said[shown.key].prompt_tokens


def test_longest_prompts_come_first(folders: dict[Family, Path]) -> None:
    model = engine(folders["qwen2_vl"], batch_size=4)
    with_image = [i for i in tiny_vlm.items(24) if i.image is not None]
    asked = [reply.prompt_tokens for _, reply in model.answer(with_image)]
    assert asked == sorted(asked, key=lambda n: -(n or 0))


def test_images_are_decoded_batch_by_batch(
    folders: dict[Family, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[bytes] = []
    decode: Callable[[bytes], Image.Image] = transformers_asking._decoded
    monkeypatch.setattr(
        transformers_asking, "_decoded", lambda image: decoded.append(image) or decode(image)
    )
    items = [i for i in tiny_vlm.items(40) if i.image is not None]
    coming = engine(folders["llava"], batch_size=2).answer(items)
    next(coming)
    assert len(decoded) == 3 + 2, "one of each size, and the first batch"
    assert len(list(coming)) == len(items) - 1
    assert len(decoded) == 3 + len(items)


class Short:
    """Memory that suffices for so many items at once, and never for some."""

    def __init__(self, most: int, never: Callable[[Any], bool] = lambda inputs: False) -> None:
        self.most, self.never, self.sizes = most, never, list[int]()

    def watch(self, asker: Asker) -> None:
        import torch

        generate = asker._model.generate

        def limited(**inputs: Any) -> Any:
            self.sizes.append(len(inputs["input_ids"]))
            if self.sizes[-1] > self.most or self.never(inputs["input_ids"]):
                raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
            return generate(**inputs)

        asker._model.generate = limited


def short_of_memory(monkeypatch: pytest.MonkeyPatch, short: Short) -> None:
    load = TransformersVLM._load

    def loaded(self: TransformersVLM) -> Asker:
        asker = load(self)
        short.watch(asker)
        return asker

    monkeypatch.setattr(TransformersVLM, "_load", loaded)


def test_memory_that_does_not_suffice_halves_batches(
    folders: dict[Family, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    items = [i for i in tiny_vlm.items(24) if i.image is not None]
    whole = answers(engine(folders["llava"], batch_size=8), items)
    short = Short(most=3)
    short_of_memory(monkeypatch, short)
    model = engine(folders["llava"], batch_size=8)
    assert answers(model, items) == whole
    assert short.sizes == [8, 4, *[2] * (len(items) // 2)]
    assert "batches of 2" in model.note
    assert "batches of 4" in capsys.readouterr().err


@pytest.mark.long
def test_an_item_without_room_alone_is_an_error_row(
    folders: dict[Family, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [i for i in tiny_vlm.items(12) if i.image is not None]
    whole = answers(engine(folders["llava"]), items)
    longest = max(whole, key=lambda key: whole[key].prompt_tokens or 0)
    length = whole[longest].prompt_tokens
    short_of_memory(monkeypatch, Short(8, lambda ids: ids.shape[1] >= length))
    replies = answers(engine(folders["llava"]), items)
    failed = {key for key, reply in replies.items() if reply.status == "error"}
    assert failed == {key for key, r in whole.items() if r.prompt_tokens == length}
    assert all("memory" in (replies[key].error or "") for key in failed)
    assert all(replies[key] == whole[key] for key in whole.keys() - failed)


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (b"no image", "cannot be read"),
        (png(40, 40)[:60], "cannot be read"),
        (png(900, 4), "aspect ratio"),
    ],
    ids=["nonsense", "cut off", "too thin for the processor"],
)
def test_one_bad_image_is_one_error_row(
    folders: dict[Family, Path], image: bytes, says: str
) -> None:
    items = tiny_vlm.items(8)
    whole = answers(engine(folders["qwen2_vl"]), items)
    bad = dataclasses.replace(items[2], image=image)
    replies = answers(engine(folders["qwen2_vl"]), [*items[:2], bad, *items[3:]])
    assert replies[bad.key].status == "error"
    assert says in (replies[bad.key].error or "")
    assert all(replies[key] == whole[key] for key in whole if key != bad.key)


def test_a_prompt_that_is_too_long_is_an_error_row(folders: dict[Family, Path]) -> None:
    items = tiny_vlm.items(4)
    long = dataclasses.replace(items[1], prompt="why? " * 600)
    replies = answers(engine(folders["llava"]), [items[0], long])
    assert replies[items[0].key].status in ("answered", "truncated")
    assert replies[long.key].status == "error"
    assert "2048" in (replies[long.key].error or "")


def test_identity_is_what_decides_the_reply(folders: dict[Family, Path], tmp_path: Path) -> None:
    folder = shutil.copytree(folders["llava"], tmp_path / "copy")
    item, other = tiny_vlm.items(2)
    same = engine(folders["llava"]).request_sha256(item)
    assert engine(folder, batch_size=1).request_sha256(item) == same
    (folder / "README.md").write_text("about it")
    assert engine(folder).request_sha256(item) == same
    changed = [
        engine(folder).request_sha256(other),
        engine(folder, max_tokens=5).request_sha256(item),
        engine(folder, dtype="bfloat16").request_sha256(item),
        engine(folder, attention="eager").request_sha256(item),
        engine(folder, logprobs=True).request_sha256(item),
    ]
    weights = folder / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(data)
    changed.append(engine(folder).request_sha256(item))
    (folder / "chat_template.jinja").write_text("another")
    changed.append(engine(folder).request_sha256(item))
    assert len({same, *changed}) == 1 + len(changed)


def test_parameters_tell_the_weights_and_the_decoding(folders: dict[Family, Path]) -> None:
    import transformers

    told = dict(engine(folders["llava"]).parameters)
    assert len(str(told.pop("weights_sha256"))) == 64
    assert told == {
        "dtype": "float32",
        "attention": "auto",
        "max_tokens": LIMIT,
        "logprobs": False,
        "transformers": transformers.__version__,
    }
    json.dumps(told)


def test_weights_are_hashed_once(
    folders: dict[Family, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    take = weights._sha256
    monkeypatch.setattr(weights, "_sha256", lambda path: hashed.append(path.name) or take(path))
    monkeypatch.setattr(weights, "_LARGE", 20_000)
    first = weights.folder_sha256(folders["llava"])
    assert "model.safetensors" in hashed
    hashed.clear()
    assert weights.folder_sha256(folders["llava"]) == first
    assert "model.safetensors" not in hashed
    assert "config.json" in hashed


def test_nothing_to_ask_loads_nothing(folders: dict[Family, Path], tmp_path: Path) -> None:
    empty = shutil.copytree(folders["llava"], tmp_path / "copy")
    (empty / "model.safetensors").write_bytes(b"damaged")
    assert list(engine(empty).answer([])) == []


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_narrow_types_compute_on_the_cpu(folders: dict[Family, Path], dtype: str) -> None:
    replies = answers(engine(folders["idefics3"], dtype=dtype), tiny_vlm.items(4))
    assert {reply.status for reply in replies.values()} <= {"answered", "truncated"}
