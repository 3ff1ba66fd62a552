"""From prompts and images to what a model reads: by its chat template, or in a named format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from PIL import Image

from lvlmbench.stages.answer.dialogue import Turn
from lvlmbench.stages.answer.local.format import FormatKind
from lvlmbench.suites.instructions import in_one_turn

#: Shown where a model cannot be asked without an image: a square, each channel half of its range.
GRAY, GRAY_SIDE = (128, 128, 128), 224


class Said(NamedTuple):
    """What a model is told in words: a prompt, and what was said before."""

    prompt: str
    turns: Sequence[Turn] = ()


class Prompting(Protocol):
    """A way to ask.

    Attributes
    ----------
    name
        What it is called in a message.
    stand_in
        Image that is shown where an item has none; None where text alone is asked then.
    """

    name: str
    stand_in: Image.Image | None

    def lengths(self, prompts: Sequence[Said]) -> list[int]:
        """Return tokens of each prompt with what stands around it, without an image's."""
        ...

    def inputs(self, prompts: Sequence[Said], pictures: Sequence[Sequence[Image.Image]]) -> Any:
        """Return a batch of tensors, padded; all have as many pictures."""
        ...


class ChatTemplate:
    """The turns of a dialogue, mostly one, as the model's chat template puts them.

    The images are shown before the text of the user's first turn.
    """

    name = "chat template"

    def __init__(self, processor: Any) -> None:
        self.stand_in: Image.Image | None = None
        self._processor = processor

    def lengths(self, prompts: Sequence[Said]) -> list[int]:
        """Return tokens of each prompt with what stands around it, without an image's."""
        texts: list[str] = self._processor.apply_chat_template(
            [_conversation(prompt, ()) for prompt in prompts],
            add_generation_prompt=True,
            tokenize=False,
        )
        ids = self._processor.tokenizer(texts, add_special_tokens=False)["input_ids"]
        return [len(row) for row in ids]

    def inputs(self, prompts: Sequence[Said], pictures: Sequence[Sequence[Image.Image]]) -> Any:
        """Return a batch of tensors, padded; all have as many pictures."""
        return self._processor.apply_chat_template(
            [_conversation(*pair) for pair in zip(prompts, pictures, strict=True)],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            processor_kwargs={"padding": True},
        )


def _conversation(said: Said, pictures: Sequence[Image.Image]) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = [{"type": "image", "image": each} for each in pictures]
    messages = []
    for turn in said.turns:
        content.append({"type": "text", "text": turn.question})
        messages.append({"role": "user", "content": content})
        answered = [{"type": "text", "text": turn.answer}]
        messages.append({"role": "assistant", "content": answered})
        content = []
    content.append({"type": "text", "text": said.prompt})
    return [*messages, {"role": "user", "content": content}]


class NamedFormat:
    """The text of a registered format; the processor puts the image where the model wants it.

    It has one turn, which also tells what was said before, and shows one image.
    """

    def __init__(self, processor: Any, kind: FormatKind) -> None:
        self.name = f"format {kind.name}"
        self.stand_in: Image.Image | None = None
        if kind.needs_image:
            self.stand_in = Image.new("RGB", (GRAY_SIDE, GRAY_SIDE), GRAY)
        self._processor, self._kind = processor, kind

    def lengths(self, prompts: Sequence[Said]) -> list[int]:
        """Return tokens of each prompt with what stands around it, without an image's."""
        texts = [self._kind.text(in_one_turn(p.turns, p.prompt), image=False) for p in prompts]
        ids = self._processor.tokenizer(texts)["input_ids"]
        return [len(row) for row in ids]

    def inputs(self, prompts: Sequence[Said], pictures: Sequence[Sequence[Image.Image]]) -> Any:
        """Return a batch of tensors, padded; all have as many pictures."""
        shown = [each[0] if each else self.stand_in for each in pictures]
        texts = [
            self._kind.text(in_one_turn(said.turns, said.prompt), image=picture is not None)
            for said, picture in zip(prompts, shown, strict=True)
        ]
        options: dict[str, Any] = {"padding": True, "return_tensors": "pt"}
        if all(picture is None for picture in shown):
            return self._processor.tokenizer(texts, **options)
        made = self._processor(images=shown, text=texts, **options)
        made.pop("labels", None)  # a processor may add what training needs
        return made


def prompting(processor: Any, kind: FormatKind | None) -> Prompting:
    """Return the way in which a model is asked; ``kind`` None: by its chat template."""
    return ChatTemplate(processor) if kind is None else NamedFormat(processor, kind)
