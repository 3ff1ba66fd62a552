"""Engine ``transformers_vlm`` on tiny models without a chat template, each asked in its format."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.dialogue import Turn
from lvlmbench.stages.answer.engine import Item, Reply
from lvlmbench.stages.answer.kinds.transformers_vlm import TransformersVLM
from lvlmbench.stages.answer.local.asking import Asker
from lvlmbench.stages.answer.local.format import FORMATS
from lvlmbench.stages.answer.local.prompting import GRAY, GRAY_SIDE, Said
from lvlmbench.stages.answer.local.settings import LocalWeights
from lvlmbench.suites.instructions import in_one_turn
from support import tiny_formats, tiny_vlm

NAMES = tuple(tiny_formats.MODELS)
LIMIT = 6

#: Vicuna's system text in the words of LLaVA's conversation vicuna_v1.
VICUNA = (
    "A chat between a curious user and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the user's questions."
)
#: Tiny model -> (format that ``auto`` finds, what it reads with the image, what without one).
READ = {
    "llava": (
        "llava",
        "<s>USER: {image*9}\nA? (B) ASSISTANT:",
        "<s>USER: A? (B) ASSISTANT:",
    ),
    "llava_next_vicuna": (
        "vicuna_v1",
        f"<s>{VICUNA} USER: {{image*37}}\nA? (B) ASSISTANT:",
        f"<s>{VICUNA} USER: A? (B) ASSISTANT:",
    ),
    "llava_next_mistral": (
        "mistral_instruct",
        "<s>[INST] {image*37}\nA? (B) [/INST]",
        "<s>[INST] A? (B) [/INST]",
    ),
    "blip2_opt": ("blip2", "{image*3}<s>Question: A? (B) Answer:", None),
    "blip2_t5": ("blip2", "{image*3}Question: A? (B) Answer:</s>", None),
    "instructblip_vicuna": ("instructblip", "{image*3}<s>A? (B)", None),
    "instructblip_t5": ("instructblip", "{image*3}A? (B)</s>", None),
    "paligemma": ("paligemma", "{image*9}<s>answer en A? (B)\n", None),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One folder for each tiny model."""
    top = tmp_path_factory.mktemp("formats")
    return {name: tiny_formats.save(top / name, name) for name in NAMES}


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path / "cache"))


def engine(folder: Path, **settings: Any) -> TransformersVLM:
    values: dict[str, Any] = {"model": str(folder), "max_tokens": LIMIT, "device": "cpu"}
    return TransformersVLM("tiny", LocalWeights(**(values | settings)))


def answers(model: TransformersVLM, items: Sequence[Item]) -> dict[Any, Reply]:
    found = {item.key: reply for item, reply in model.answer(items)}
    assert len(found) == len(items)
    assert not [reply.error for reply in found.values() if reply.error]
    return found


def png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def test_every_format_is_tried_and_described() -> None:
    assert {name for name, *_ in READ.values()} == FORMATS.ours()
    page = (PROJECT_ROOT / "docs/models.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([a-z ]+) \|$", page, re.M)
    assert {name: blind.removeprefix("a ") for name, blind in rows} == {
        kind.name: kind.parameters["without_image"] for kind in FORMATS.ordered()
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_the_model_reads(folders: dict[str, Path], name: str) -> None:
    """Token by token, as its processor put it: the format's text and the image's places."""
    form, shown, blind = READ[name]
    model = engine(folders[name])
    told = model.parameters
    assert told["format"] == form
    assert told["without_image"] == ("text alone" if blind else "gray image")
    loaded = model._loaded
    for picture, text in ((Image.new("RGB", (40, 30)), shown), (None, blind or shown)):
        pictures = [[] if picture is None else [picture]]
        ids = loaded.prompting.inputs([Said("A? (B)")], pictures)["input_ids"][0]
        before, mark, rest = text.partition("{image*")
        if mark:
            places, _, behind = rest.partition("}")
            text = before + "<image>" * int(places) + behind
        assert loaded.processor.tokenizer.decode(ids) == text


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", NAMES)
def test_batch_size_changes_no_answer(folders: dict[str, Path], name: str) -> None:
    items = tiny_vlm.items(12)
    alone, together = (
        answers(engine(folders[name], batch_size=n, logprobs=True), items) for n in (1, 5)
    )
    for item in items:
        one, other = alone[item.key], together[item.key]
        assert dataclasses.replace(one, logprobs=None) == dataclasses.replace(other, logprobs=None)
        assert (one.logprobs is None) == (not item.options)
        if one.logprobs is not None:
            assert len(one.logprobs) == len(item.options)
            assert one.logprobs == pytest.approx(other.logprobs, rel=2e-4, abs=2e-3)
    assert len({reply.text for reply in alone.values()}) >= 4, "they differ too little to tell"
    assert {reply.finish_reason for reply in alone.values()} == {"stop", "length"}


@pytest.mark.parametrize("name", ["llava", "blip2_opt", "blip2_t5", "instructblip_vicuna"])
def test_padding_on_the_wrong_side_would_show(
    folders: dict[str, Path], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = tiny_vlm.items(12)
    right = answers(engine(folders[name], batch_size=1, logprobs=True), items)
    begin = Asker.__init__

    def other_side(self: Asker, *arguments: Any) -> None:
        begin(self, *arguments)
        was = self._tokenizer.padding_side
        self._tokenizer.padding_side = "left" if was == "right" else "right"

    monkeypatch.setattr(Asker, "__init__", other_side)
    wrong = answers(engine(folders[name], batch_size=5, logprobs=True), items)
    off = [
        abs(a - b)
        for key in right
        for a, b in zip(right[key].logprobs or (), wrong[key].logprobs or (), strict=True)
        if a is not None and b is not None
    ]
    assert sum(by > 0.1 for by in off) > 6


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_transformers_says(folders: dict[str, Path], name: str) -> None:
    """Nothing of the prompt in the answer, nothing of the answer lost, letters as likely."""
    import torch
    import transformers

    auto: Any = transformers.AutoProcessor
    processor = auto.from_pretrained(folders[name])
    model: Any = transformers.AutoModelForImageTextToText.from_pretrained(folders[name])
    items = [item for item in tiny_vlm.items(8) if item.image is not None]
    kind = FORMATS.get(READ[name][0], "test")
    said = answers(engine(folders[name], logprobs=True), items)
    letters = {x: processor.tokenizer.convert_tokens_to_ids([x, f"Ġ{x}"]) for x in "ABCD"}
    for item in items:
        assert item.image is not None
        inputs = processor(
            images=Image.open(io.BytesIO(item.image)),
            text=kind.text(item.prompt, image=True),
            return_tensors="pt",
        )
        inputs = {k: v for k, v in inputs.items() if k not in ("labels",)}
        made = model.generate(
            **inputs,
            do_sample=False,
            repetition_penalty=1.0,
            temperature=None,
            max_new_tokens=LIMIT,
            return_dict_in_generate=True,
            output_logits=True,
        )
        new = made.sequences[0, -len(made.logits) :].tolist()
        reply = said[item.key]
        ended = new[-1] in tiny_formats.ends(processor.tokenizer)
        text = processor.tokenizer.decode(new[:-1] if ended else new, skip_special_tokens=True)
        assert reply.text == text.strip()
        assert (reply.finish_reason, reply.completion_tokens) == (
            "stop" if ended else "length",
            len(new),
        )
        if reply.logprobs is None or new[0] in processor.tokenizer.convert_tokens_to_ids(
            ["(", "[", "*", "Ġ", "Ċ"]
        ):
            continue
        likely = torch.log_softmax(made.logits[0][0].float(), -1)
        for letter, value in zip("ABCD", reply.logprobs, strict=False):
            assert value == pytest.approx(
                float(likely[letters[letter]].logsumexp(0)), rel=2e-4, abs=2e-3
            )


@pytest.mark.parametrize("name", NAMES)
def test_image_and_prompt_arrive(folders: dict[str, Path], name: str) -> None:
    """Another image or prompt, another reply; without one, what the format says."""
    first, second, third = [i for i in tiny_vlm.items(9) if i.image is not None and i.options][:3]
    other_image = dataclasses.replace(first, image=second.image, image_id="other")
    other_prompt = dataclasses.replace(first, prompt=third.prompt, question_id="other")
    blind = dataclasses.replace(first, image=None, image_id=None)
    gray = Image.new("RGB", (GRAY_SIDE, GRAY_SIDE), GRAY)
    shown_gray = dataclasses.replace(first, image=png(gray), image_id="gray")
    items = [first, other_image, other_prompt, blind, shown_gray]
    said = answers(engine(folders[name], logprobs=True, batch_size=2), items)
    seen = [said[i.key].logprobs for i in (first, other_image, other_prompt, blind)]
    assert len(set(seen)) == 4
    if FORMATS.get(READ[name][0], "test").needs_image:
        assert dataclasses.replace(said[blind.key], logprobs=None) == dataclasses.replace(
            said[shown_gray.key], logprobs=None
        )
    else:
        read = [said[i.key].prompt_tokens or 0 for i in (blind, first)]
        assert read[0] < read[1]


@pytest.mark.parametrize("name", ["instructblip_t5", "instructblip_vicuna", "llava"])
def test_a_prompt_that_is_too_long_is_an_error_row(folders: dict[str, Path], name: str) -> None:
    """Where the language model has no limit the Q-Former's text has one."""
    short, item = [i for i in tiny_vlm.items(4) if i.image is not None][:2]
    long = dataclasses.replace(item, prompt="why? " * 600)
    replies = {i.key: r for i, r in engine(folders[name]).answer([short, long])}
    assert replies[short.key].error is None
    assert "and the model reads" in (replies[long.key].error or "")


@pytest.mark.parametrize("name", ["blip2_opt", "instructblip_t5"])
def test_narrow_types_compute_on_the_cpu(folders: dict[str, Path], name: str) -> None:
    answers(engine(folders[name], dtype="bfloat16"), tiny_vlm.items(4))


def test_a_format_tells_what_was_said_before_in_its_one_turn(folders: dict[str, Path]) -> None:
    name = next(iter(NAMES))
    loaded = engine(folders[name])._loaded
    said = Said("A? (B)", (Turn("Q?", "An A."),))
    ids = loaded.prompting.inputs([said], [[Image.new("RGB", (40, 30))]])["input_ids"][0]
    text = loaded.processor.tokenizer.decode(ids)
    assert in_one_turn(said.turns, said.prompt) in text
    both = loaded.prompting.lengths([said, Said(said.prompt)])
    assert both[0] > both[1]


def test_a_format_has_one_image(folders: dict[str, Path]) -> None:
    with pytest.raises(UserError, match="several_images"):
        _ = engine(folders[next(iter(NAMES))], several_images=True).parameters
