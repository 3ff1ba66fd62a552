"""Reads captions with the parser's own matrix products, or with others that round otherwise."""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np
from thinc.api import NumpyOps, set_current_ops

from lvlmbench.stages.judge.kinds.lexical.reading import read_many
from lvlmbench.stages.judge.kinds.lexical.reading.model import parser
from support.reading import words

CAPTIONS = [
    "The image shows a red car parked on the left and a small brown dog sitting next to it.",
    "Two elderly women in red hats and blue coats are sitting on a bench near a fountain.",
    "- bus: yellow, long\n- truck: white, made of metal\n\nNo people are visible.",
    "The giraffe is taller than the elephant; the mouse, hidden in the grass, is the smallest.",
    "A boy who seems to be laughing holds a kite, while his sister points at a cloud.",
]


class Rounded(NumpyOps):  # type: ignore[misc]
    """Products in double precision, rounded once."""

    def gemm(
        self, x: Any, y: Any, out: Any = None, trans1: bool = False, trans2: bool = False
    ) -> Any:
        """Multiply two matrices."""
        left, right = x.T if trans1 else x, y.T if trans2 else y
        product = (left.astype(np.float64) @ right.astype(np.float64)).astype(x.dtype)
        if out is None:
            return product
        out[...] = product
        return out

    def affine(self, X: Any, W: Any, b: Any) -> Any:
        """Multiply and add."""
        return self.gemm(X, W, trans2=True) + b


def main() -> None:
    """Print a digest of the tensors and one of the claims."""
    language = parser()
    if sys.argv[1] == "rounded":
        set_current_ops(Rounded())
        for _, part in language.pipeline:
            model: Any = getattr(part, "model", None)
            for node in model.walk() if hasattr(model, "walk") else ():
                node.ops = Rounded()
    tensors = b"".join(doc.tensor.tobytes() for doc in language.pipe(CAPTIONS))
    print(hashlib.sha256(tensors).hexdigest())
    print([*read_many(CAPTIONS, words())])


if __name__ == "__main__":
    main()
