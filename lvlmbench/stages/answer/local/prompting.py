"""From prompts and images to what a model reads: by its chat template, or in a named format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from PIL import Image

from lvlmbench.stages.answer.local.format import FormatKind

#: Shown where a model cannot be asked without an image: a square, each channel half of its range.
GRAY, GRAY_SIDE = (128, 128, 128), 224


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

    def lengths(self, prompts: Sequence[str]) -> list[int]:
        """Return tokens of each prompt with what stands around it, without an image's."""
        ...

    def inputs(self, prompts: Sequence[str], pictures: Sequence[Image.Image | None]) -> Any:
        """Return a batch of tensors, padded; either all have a picture or none has."""
        ...


class ChatTemplate:
    """One user turn (the image, then the prompt), as the model's chat template puts it."""

    name = "chat template"

    def __init__(self, processor: Any) -> None:
        self.stand_in: Image.Image | None = None
        self._processor = processor

    def lengths(self, prompts: Sequence[str]) -> list[int]:
        """Return tokens of each prompt with what stands around it, without an image's."""
        texts: list[str] = self._processor.apply_chat_template(
            [_conversation(prompt, None) for prompt in prompts],
            add_generation_prompt=True,
            tokenize=False,
        )
        ids = self._processor.tokenizer(texts, add_special_tokens=False)["input_ids"]
        return [len(row) for row in ids]

    def inputs(self, prompts: Sequence[str], pictures: Sequence[Image.Image | None]) -> Any:
        """Return a batch of tensors, padded; either all have a picture or none has."""
        return self._processor.apply_chat_template(
            [_conversation(*pair) for pair in zip(prompts, pictures, strict=True)],
            add_generation_prompt=True,
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            processor_kwargs={"padding": True},
        )


def _conversation(prompt: str, picture: Image.Image | None) -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = [{"type": "text", "text": prompt}]
    if picture is not None:
        content.insert(0, {"type": "image", "image": picture})
    return [{"role": "user", "content": content}]


class NamedFormat:
    """The text of a registered format; the processor puts the image where the model wants it."""

    def __init__(self, processor: Any, kind: FormatKind) -> None:
        self.name = f"format {kind.name}"
        self.stand_in: Image.Image | None = None
        if kind.needs_image:
            self.stand_in = Image.new("RGB", (GRAY_SIDE, GRAY_SIDE), GRAY)
        self._processor, self._kind = processor, kind

    def lengths(self, prompts: Sequence[str]) -> list[int]:
        """Return tokens of each prompt with what stands around it, without an image's."""
        texts = [self._kind.text(prompt, image=False) for prompt in prompts]
        ids = self._processor.tokenizer(texts)["input_ids"]
        return [len(row) for row in ids]

    def inputs(self, prompts: Sequence[str], pictures: Sequence[Image.Image | None]) -> Any:
        """Return a batch of tensors, padded; either all have a picture or none has."""
        shown = [self.stand_in if picture is None else picture for picture in pictures]
        texts = [
            self._kind.text(prompt, image=picture is not None)
            for prompt, picture in zip(prompts, shown, strict=True)
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
