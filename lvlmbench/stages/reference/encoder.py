"""Images and texts as unit vectors, by a reference model or by any model of open_clip.

Reference models compute in float64 on the CPU: what batch size and threads change lies nine
decimals below what is stored. Other models may be a hundred times larger and compute in float32;
on the CPU they take one item after the other, so that the batch size changes nothing, on a GPU
they take batches, and the sixth decimal of a cosine may differ with the batch and the GPU.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import GPU_THREADS
from lvlmbench.stages.reference.folder import FILES, LABELS, RESTORE
from lvlmbench.stages.reference.loading import (
    HUB,
    LOCAL,
    by_name,
    from_folder,
    from_hub,
    pick_device,
)
from lvlmbench.stages.reference.pixels import Preprocessing

_TEXTS_AT_ONCE = 256
#: Images that a reference model takes at once: with more or fewer each takes longer.
_EXACT_AT_ONCE = 8


class Encoder:
    """Two towers that put images and texts into one space, for one thread at a time.

    Attributes
    ----------
    name
        What encodes, for messages: the folder's name, or open_clip's name of the model.
    context_length
        Tokens of a text that are read, marks of its start and end included.
    device
        ``cpu`` or ``cuda``.
    threads
        How many threads prepare images: a GPU would wait for one.
    image_tower
        The module that encodes images, for those who want its gradients.
    preprocessing
        From a picture to what the image tower takes.
    """

    def __init__(
        self, name: str, where: str, model: Any, tokenizer: Any, device: str, exact: bool,
        together: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.context_length: int = tokenizer.context_length
        self._where = where
        self.device = device
        self.threads = GPU_THREADS if device == "cuda" else 1
        self._one_by_one = not exact and device == "cpu" and not together
        if getattr(tokenizer, "reduction_fn", None) is not None:
            tokenizer.reduction_fn = None  # some of them drop tokens at random
        self._tokenizer = tokenizer
        self._model = model.double().eval() if exact else model.float().eval()
        self._exact = exact
        if exact or together:  # as the convolutions of reference models read their weights fastest
            import torch

            self._model.to(memory_format=torch.channels_last)
        self.image_tower: Any = self._model.visual
        self._type = "float64" if exact else "float32"
        self.preprocessing = Preprocessing.declared(model.visual.preprocess_cfg)
        tower = model if hasattr(model, "vocab_size") else getattr(model, "text", None)
        self._vocabulary: int | None = getattr(tower, "vocab_size", None)

    def images(self, pictures: Sequence[Image.Image]) -> NDArray[np.float64]:
        """Unit vectors of pictures of any size, as (n, d).

        Raises
        ------
        UserError
            The weights give something that is no number.
        """
        import torch

        if not pictures:
            return np.zeros((0, 0))
        rows = []
        step = _EXACT_AT_ONCE if self._exact else 1 if self._one_by_one else len(pictures)
        for start in range(0, len(pictures), step):
            pixels = self._pixels(pictures[start : start + step])
            batch = torch.from_numpy(pixels.astype(self._type)).to(self.device)
            with torch.inference_mode():
                rows.append(self._model.encode_image(batch).double().cpu().numpy())
        return self._unit(np.concatenate(rows))

    def _pixels(self, pictures: Sequence[Image.Image]) -> NDArray[np.float64]:
        if self.threads == 1:
            return np.stack([self.preprocessing(picture) for picture in pictures])
        with ThreadPoolExecutor(self.threads) as pool:
            return np.stack(list(pool.map(self.preprocessing, pictures)))

    def texts(self, texts: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Unit vectors of texts, as (n, d), and which texts were cut to the context, as (n,).

        Raises
        ------
        UserError
            The tokenizer is another model's, or the weights give something that is no number.
        """
        import torch

        if not texts:
            return np.zeros((0, 0)), np.zeros(0, np.bool_)
        rows = []
        step = 1 if self._one_by_one else _TEXTS_AT_ONCE
        for start in range(0, len(texts), step):
            tokens = self._tokenizer(list(texts[start : start + step]))
            if self._vocabulary is not None and int(tokens.max()) >= self._vocabulary:
                raise UserError(
                    self._where,
                    f"the tokenizer of {self.name} knows tokens that the model does not",
                    "put the tokenizer beside the weights that it was trained with",
                )
            with torch.inference_mode():
                with self._as_long_as(tokens) as read:
                    out = self._model.encode_text(read.to(self.device))
                rows.append(out.double().cpu().numpy())
        cut = np.array([self._too_long(text) for text in texts], np.bool_)
        return self._unit(np.concatenate(rows)), cut

    @contextmanager
    def _as_long_as(self, tokens: Any) -> Iterator[Any]:
        """The tokens of reference models without the padding behind all texts, and a model for it.

        A token sees those before it only, so that padding takes time and changes nothing.
        """
        if not self._exact:
            yield tokens
            return
        import torch

        model, length = self._model, int(tokens.argmax(1).max()) + 1  # the last mark is the largest
        positions, mask = model.positional_embedding, model.attn_mask
        model.positional_embedding = torch.nn.Parameter(positions[:length], requires_grad=False)
        model.attn_mask = mask[:length, :length]
        try:
            yield tokens[:, :length]
        finally:
            model.positional_embedding, model.attn_mask = positions, mask

    def _unit(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise UserError(
                self._where,
                f"{self.name} gives vectors without a direction (zero or not a number)",
                "give weights that are whole",
            )
        unit: NDArray[np.float64] = rows / lengths
        return unit

    def _too_long(self, text: str) -> bool:
        """Whether the text has more tokens than the context holds."""
        tokenizer = self._tokenizer
        inner = getattr(tokenizer, "tokenizer", None)
        if inner is None:  # open_clip's own
            return len(tokenizer.encode(text)) + 2 > self.context_length
        if hasattr(tokenizer, "clean_fn"):
            text = tokenizer.clean_fn(text)
        else:
            from open_clip.tokenizer import basic_clean, canonicalize_text

            text = canonicalize_text(basic_clean(text))
        marked = getattr(tokenizer, "tokenizer_mode", "") != "clips"
        ids = inner(text, add_special_tokens=marked, truncation=False, verbose=False)["input_ids"]
        return len(ids) > self.context_length - (0 if marked else 3)


def load_folder(folder: Path, exact: bool = True) -> Encoder:
    """A reference model, in float64 on the CPU; else in float32, in whole batches, twice as fast.

    Raises
    ------
    UserError
        The folder or a file of it is missing or damaged, or the weights fit another architecture.
    """
    where = str(folder)
    if not folder.is_dir():
        raise UserError(where, "there is no such folder", RESTORE)
    for name in FILES:
        if name not in (LABELS, "calibration.json") and not (folder / name).is_file():
            raise UserError(where, f"holds no {name}", RESTORE)
    model, tokenizer = from_folder(folder, where, "cpu", RESTORE)
    return Encoder(folder.name, where, model, tokenizer, "cpu", exact, together=True)


def load_open_clip(engine: str, pretrained: str | None, device: str, where: str) -> Encoder:
    """A model as open_clip knows it, in float32.

    Parameters
    ----------
    engine
        A name such as ``ViT-L-14``, ``local-dir:FOLDER`` or ``hf-hub:ID``.
    pretrained
        For a name: a tag such as ``openai``, or the path of a checkpoint. Checkpoints that are
        pickles are read as tensors only.
    device
        ``cpu``, ``cuda`` or ``auto``.
    where
        The place in the parameters, for messages.

    Raises
    ------
    UserError
        There is no such model, its weights are missing, damaged or of another architecture, a hub
        cannot be reached, or there is no GPU though one is asked for.
    """
    chosen = pick_device(device, where)
    if engine.startswith((LOCAL, HUB)) and pretrained is not None:
        raise UserError(
            f"{where}: pretrained",
            f"is of no use to '{engine}', which brings its weights",
            "leave it out",
        )
    if engine.startswith(LOCAL):
        folder = Path(engine.removeprefix(LOCAL))
        if not folder.is_dir():
            raise UserError(
                f"{where}: engine",
                f"there is no folder '{folder}'",
                "give one that open_clip saved",
            )
        fix = "give a folder that open_clip saved"
        model, tokenizer = from_folder(folder, f"{where}: engine", chosen, fix)
    elif engine.startswith(HUB):
        model, tokenizer = from_hub(engine, f"{where}: engine", chosen)
    else:
        engine = engine.replace("/", "-")  # "ViT-L/14", as papers write it
        model, tokenizer = by_name(engine, pretrained, where, chosen)
    name = engine if pretrained is None else f"{engine} ({pretrained})"
    return Encoder(name, where, model, tokenizer, chosen, exact=False)
