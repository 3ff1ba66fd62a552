"""Backgrounds: size, repeatability, variety, and what the vocabulary says of them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import generator
from lvlmbench.stages.render.kinds.pictograph import backgrounds
from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import Canvas
from lvlmbench.stages.render.kinds.pictograph.backgrounds.trig import cosine, sine

VOCABULARY = Path(__file__).parents[3] / "data" / "vocabulary" / "background.yaml"


def _digest(label: str, size: int, item: str) -> str:
    image = backgrounds.draw(label, size, generator(5, "background", item))
    return hashlib.sha256(image.tobytes()).hexdigest()


@pytest.mark.parametrize("label", backgrounds.LABELS)
@pytest.mark.parametrize("size", [64, 93, 1024])
def test_size_is_respected(label: str, size: int) -> None:
    image = backgrounds.draw(label, size, generator(1, "background", label))
    assert (image.mode, image.size) == ("RGB", (size, size))


@pytest.mark.parametrize("label", backgrounds.LABELS)
def test_same_draws_same_bytes_other_draws_other_bytes(label: str) -> None:
    assert _digest(label, 96, "a") == _digest(label, 96, "a")
    assert len({_digest(label, 96, item) for item in "abcdef"}) == 6


def test_order_and_what_came_before_do_not_matter() -> None:
    forward = {label: _digest(label, 80, label) for label in backgrounds.LABELS}
    backward = {}
    for label in reversed(backgrounds.LABELS):
        _digest(label, 128, "something else")
        backward[label] = _digest(label, 80, label)
    assert forward == backward


@pytest.mark.parametrize("label", backgrounds.LABELS)
def test_another_size_shows_the_same_scenery(label: str) -> None:
    """Positions are relative: shrunk to a few pixels, two sizes agree."""
    small, large = (
        np.asarray(
            backgrounds.draw(label, size, generator(2, "background", label)).resize((16, 16)),
            dtype=np.int64,
        )
        for size in (256, 512)
    )
    assert np.abs(small - large).mean() < 6


def test_no_part_is_left_unpainted() -> None:
    """Every border pixel is painted: black would show where zoom and pan go wrong."""
    for label in backgrounds.LABELS:
        for item in "abc":
            a = np.asarray(backgrounds.draw(label, 128, generator(3, "background", item)))
            border = np.concatenate([a[0], a[-1], a[:, 0], a[:, -1]])
            assert (border.max(axis=1) > 0).all(), label


def test_backgrounds_differ_from_each_other() -> None:
    """Each sample's nearest average background, by color layout, is its own."""

    def layout(label: str, item: str) -> np.ndarray:
        image = backgrounds.draw(label, 128, generator(4, "background", item))
        return np.asarray(image.resize((8, 8)), dtype=np.float64).ravel()

    known = {
        label: np.mean([layout(label, f"train {i}") for i in range(8)], axis=0)
        for label in backgrounds.LABELS
    }
    hits = 0
    for label in backgrounds.LABELS:
        for i in range(3):
            sample = layout(label, f"test {i}")
            nearest = min(known, key=lambda k: float(np.abs(known[k] - sample).sum()))
            hits += nearest == label
    assert hits >= 0.9 * 3 * len(backgrounds.LABELS)


def test_vocabulary_and_labels_agree() -> None:
    entries = yaml.safe_load(VOCABULARY.read_text())["entries"]
    declared = {e["label"] for e in entries if "pictograph" in e["renderers"]}
    assert declared == set(backgrounds.LABELS)
    assert len(declared) >= 20


def test_unknown_label_is_a_user_error() -> None:
    with pytest.raises(UserError, match="beech"):
        backgrounds.draw("beech", 64, generator(1, "background", ""))


@given(st.floats(-4, 4))
def test_sine_is_close_to_the_sine(turns: float) -> None:
    assert abs(sine(turns) - np.sin(2 * np.pi * turns)) < 1e-9
    assert abs(cosine(turns) - np.cos(2 * np.pi * turns)) < 1e-9


@settings(max_examples=40, deadline=None)
@given(
    st.integers(64, 200),
    st.floats(1, 1.2),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_canvas_covers_its_square_at_any_view(
    size: int, zoom: float, across: float, down: float
) -> None:
    canvas = Canvas(size, zoom, (across, down))
    canvas.gradient([(0, (10, 20, 30)), (1000, (200, 210, 220))])
    assert np.asarray(canvas.finish()).min() > 0
    canvas.fill((255, 255, 255))
    assert np.asarray(canvas.finish()).min() == 255
