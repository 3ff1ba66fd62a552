"""Engine ``transformers_vlm``: a vision-language model of transformers, run on this machine.

Items are asked in batches of about the same length, the longest first, so that memory that does
not suffice shows at once. Which items share a batch changes an answer only where two tokens are
as likely as each other to the last bits (docs/models.md).
"""

from __future__ import annotations

import gc
import json
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.checkpoints import reason
from lvlmbench.core.devices import Place, choose_place, out_of_memory
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.registry import BESIDE_MB, CPU_THREADS, GPU_THREADS, UNKNOWN_MB, Resources
from lvlmbench.core.weights import folder_sha256
from lvlmbench.stages.answer.engine import (
    MODELS,
    Item,
    Model,
    Reply,
    Weights,
    hash_parts,
    request_hash,
)
from lvlmbench.stages.answer.local import files
from lvlmbench.stages.answer.local.asking import Asker, Unreadable
from lvlmbench.stages.answer.local.files import check_place, folder_of
from lvlmbench.stages.answer.local.format import FormatKind, check_name
from lvlmbench.stages.answer.local.loading import Loaded, format_of, load
from lvlmbench.stages.answer.local.settings import LocalWeights


class TransformersVLM:
    """Weights, the place where they run, and how they are asked; loaded when first asked.

    Attributes
    ----------
    note
        What it is doing right now.
    """

    cached = True

    def __init__(
        self, name: str, settings: LocalWeights, before: TransformersVLM | None = None
    ) -> None:
        self.name, self.settings, self._before = name, settings, before
        self.note = ""
        self._where = f"params.yaml: answer.models: {name}: transformers"
        self._size = settings.batch_size
        files.check_place(settings, self._where)

    @cached_property
    def _commit(self) -> str | None:
        if files.folder_of(self.settings) is not None:
            return None
        return files.hub_commit(self.settings, self._where)

    @cached_property
    def _place(self) -> Place:
        settings = self.settings
        return choose_place(settings.device, settings.dtype, self._where, self._waiting)

    @cached_property
    def _format(self) -> FormatKind | None:
        if self._before is not None:
            return self._before._format
        found = format_of(self.settings, self._commit, self._where)
        if found is not None and self.settings.several_images:
            what = f"the format '{found.name}', in which '{self.settings.model}' is asked, has one"
            raise UserError(f"{self._where}: several_images", what, "set it to false")
        return found

    @property
    def several(self) -> bool:
        """Whether it shows an item's further images, too."""
        return self.settings.several_images

    @cached_property
    def parameters(self) -> Mapping[str, object]:
        """The weights by their hash or commit, precision, attention, decoding parameters and
        the format, if it has one."""
        import transformers

        folder = files.folder_of(self.settings)
        weights: dict[str, object]
        if folder is not None:
            weights = {"weights_sha256": folder_sha256(folder)}
        else:
            weights = {"model": self.settings.model, "revision": self._commit}
        return {
            **weights,
            "dtype": self._place.dtype,
            "attention": self.settings.attention,
            "max_tokens": self.settings.max_tokens,
            "logprobs": self.settings.logprobs,
            **(
                {} if (own := self.settings.reasoning_tokens) is None else {"reasoning_tokens": own}
            ),
            **({} if self._format is None else self._format.parameters),
            **({"several_images": True} if self.several else {}),
            "transformers": transformers.__version__,
        }

    def request_sha256(self, item: Item) -> str:
        """The parameters, the prompt, what was said before, the letters whose probabilities are
        kept, and the images."""
        known = {k: v for k, v in self.parameters.items() if k != "several_images"}
        sent = json.dumps(known, sort_keys=True)
        letters = len(item.options) if self.settings.logprobs else 0
        first = item.image_sha256 or ""
        more = hash_parts(item, self.several)
        return request_hash("transformers_vlm", sent, item.prompt, letters, first, *more)

    def _waiting(self) -> None:
        self.note = "waiting for a GPU"
        print(f"{self.name}: waiting for a GPU: all in sight are taken", file=sys.stderr)

    @cached_property
    def again(self) -> TransformersVLM | None:
        """The same weights with ``max_tokens_if_cut``."""
        more = self.settings.max_tokens_if_cut
        if more is None:
            return None
        update = {"max_tokens": more, "max_tokens_if_cut": None}
        return TransformersVLM(self.name, self.settings.model_copy(update=update), self)

    @cached_property
    def _loaded(self) -> Loaded:
        if self._before is not None:
            return self._before._loaded
        self.note = "loading weights"
        loaded = load(self.settings, self._commit, self._place, self._where, self._waiting)
        self.note = ""
        return loaded

    @cached_property
    def _asker(self) -> Asker:
        return self._load()

    def _load(self) -> Asker:
        own = self.settings
        limits = own.max_tokens, own.logprobs, own.reasoning_tokens
        return Asker(self._loaded, *limits, own.several_images)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """Replies, those of a batch as soon as it is done.

        Raises
        ------
        UserError
            The model cannot be loaded or run here.
        """
        asked = list(items)
        if not asked:
            return
        asker = self._asker
        lengths = self._lengths(asker, asked)
        shown = {i.key: asker.n_images(i) for i in asked}
        shown = {i.key: asker.n_images(i) for i in asked}

        def order(item: Item) -> tuple[bool, int, int, str, str]:
            images, length = shown[item.key], lengths[item.key]
            return not images, images, -length, item.question_id, item.image_id or ""

        asked.sort(key=order)
        most = asker.context
        fits = {i.key: most is None or lengths[i.key] < most for i in asked}
        waiting = deque(item for item in asked if fits[item.key])
        while waiting:
            yield from self._batch(asker, waiting)
        for item in (item for item in asked if not fits[item.key]):
            yield item, _failed(f"it has {lengths[item.key]} tokens, and the model reads {most}")

    def _lengths(self, asker: Asker, items: Sequence[Item]) -> dict[tuple[str, str | None], int]:
        try:
            found = asker.lengths(items)
        except Exception as error:  # templates are programs, and raise what they like
            what = f"the {asker.way} of '{self.settings.model}' fails ({reason(error)})"
            raise UserError(
                f"{self._where}: model", what, "give a model whose template works"
            ) from None
        return {item.key: length for item, length in zip(items, found, strict=True)}

    def _batch(self, asker: Asker, waiting: deque[Item]) -> Iterator[tuple[Item, Reply]]:
        """Ask the first of those waiting; where memory does not suffice for so many, they wait."""
        batch = [waiting.popleft()]
        while waiting and len(batch) < self._size:
            if asker.n_images(waiting[0]) != asker.n_images(batch[0]):
                break
            batch.append(waiting.popleft())
        try:
            replies = asker.ask(batch)
        except Exception as error:
            failure, memory = self._failure(error), out_of_memory(error)
        else:
            yield from zip(batch, replies, strict=True)
            return
        # The failed batch's tensors live as long as its exception, which is gone from here on.
        if memory:
            _free()
        if len(batch) == 1:
            yield batch[0], _failed(failure)
        elif memory:
            self._size = len(batch) // 2
            self.note = f"batches of {self._size}: memory does not suffice for more"
            print(f"{self.name}: {self.note}", file=sys.stderr)
            waiting.extendleft(reversed(batch))
        else:  # one of them is at fault, or they do not go together
            print(f"{self.name}: asks a batch one by one: {failure}", file=sys.stderr)
            for item in batch:
                yield from self._batch(asker, deque([item]))

    def _failure(self, error: Exception) -> str:
        """What a reply says of a failure.

        Raises
        ------
        UserError
            After it no other item can be answered either.
        """
        import torch

        if isinstance(error, Unreadable):
            return str(error)
        if out_of_memory(error):
            return "memory does not suffice for it, even alone"
        if isinstance(error, torch.AcceleratorError):
            what = f"the GPU failed ({reason(error)})"
            raise UserError(f"model '{self.name}'", what, "run again: what is answered is kept")
        if isinstance(error, RuntimeError) and "not implemented for" in str(error):
            what = f"cannot be computed in {self._place.dtype} on this device ({reason(error)})"
            raise UserError(f"{self._where}: dtype", what, "write 'float32'")
        return f"{type(error).__name__}: {reason(error)}"


def _failed(what: str) -> Reply:
    return Reply(text="", status="error", error=what)


def _free() -> None:
    """Give memory that tensors no longer need back to the GPU."""
    import torch

    gc.collect()
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()


def check(params: Params, model: ModelParams, where: str) -> None:
    """Check that the weights are there, as far as files tell."""
    own, place = model.own(LocalWeights), f"{where}: transformers"
    check_place(own, place)
    check_name(own.format, place)


def asks(params: Params, model: ModelParams) -> Resources:
    """Return what a job asks of its machine: weights pass through its memory."""
    settings = model.own(LocalWeights)
    on_cpu = settings.device == "cpu"
    folder, memory = folder_of(settings), UNKNOWN_MB
    if folder is not None:
        size = sum(file.stat().st_size for file in folder.glob("*.safetensors"))
        # Most are published in 16 bits.
        wide = on_cpu and settings.dtype in ("auto", "float32")
        memory = BESIDE_MB + size * (2 if wide else 1) // 10**6
    return Resources(None if on_cpu else 1, CPU_THREADS if on_cpu else GPU_THREADS, memory)


@MODELS.register(
    "transformers_vlm",
    vocabulary=False,
    settings=LocalWeights,
    key="transformers",
    place=3,
    check=check,
    asks=asks,
    runs=lambda model: str(model.own(LocalWeights).model),
    called=lambda model: str(model.own(LocalWeights).model),
    limit="transformers",
    exactness=(
        Promise(
            Exactness.ARTIFACT,
            "logits depend on the batch in their last bits; only the same hardware, `batch_size`, "
            "shards and threads, uninterrupted, gave the same again",
        ),
    ),
)
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Engine ``transformers_vlm``: needs ``transformers``."""
    return TransformersVLM(model.name, model.own(LocalWeights))
