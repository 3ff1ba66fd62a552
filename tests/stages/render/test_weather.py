"""Overlays of light and weather: size, place, time and repeatability; where ground begins."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import generator
from lvlmbench.stages.render.kinds.pictograph import backgrounds, weather
from support.render_scenes import vocabulary

#: Background -> the percentage of the height from which on all is ground, as the vocabulary has it.
GROUNDS = {
    entry.label: entry.extra["ground"]
    for entry in vocabulary().lists["background"].entries
    if "ground" in entry.extra
}


def _scene(size: int = 192) -> Image.Image:
    return backgrounds.draw("farm", size, generator(1, "weather test", "farm"))


def _over(label: str, image: Image.Image, item: str = "a") -> Image.Image:
    return weather.overlay(label, image, generator(1, "weather test", item))


def test_no_weather_leaves_the_picture() -> None:
    image = _scene()
    assert weather.overlay(None, image, generator(1, "weather test", "a")) is image


@pytest.mark.parametrize("label", weather.LABELS)
@pytest.mark.parametrize("size", [64, 191, 512])
def test_an_overlay_is_repeatable_and_changes_neither_size_nor_input(label: str, size: int) -> None:
    image = _scene(size)
    before = image.tobytes()
    one, again = _over(label, image), _over(label, image)
    assert one.mode == "RGB" and one.size == (size, size)
    assert image.tobytes() == before != one.tobytes() == again.tobytes()


@pytest.mark.parametrize("label", ["rain", "fog", "snow"])
def test_what_falls_falls_elsewhere_each_time(label: str) -> None:
    image = _scene()
    assert _over(label, image, "a").tobytes() != _over(label, image, "b").tobytes()


@pytest.mark.parametrize("label", weather.LABELS)
def test_things_stay_in_their_places(label: str) -> None:
    """A light square on dark ground is the lighter part after every overlay, at its place."""
    image = Image.new("RGB", (256, 256), (40, 40, 40))
    image.paste((230, 230, 230), (80, 96, 176, 160))
    gray = np.asarray(_over(label, image).convert("L")).astype(int)
    inside = np.zeros(gray.shape, dtype=bool)
    inside[96:160, 80:176] = True
    rows = gray[96:160]
    assert np.median(gray[inside]) > np.median(rows[~inside[96:160]]) + 20


@pytest.mark.parametrize("label", ["rain", "snow"])
@pytest.mark.parametrize("channel", [0, 1, 2])
def test_rain_and_snow_leave_colors(label: str, channel: int) -> None:
    """Which channel is the largest stays, and by far."""
    color = tuple(200 if i == channel else 40 for i in range(3))
    found = np.asarray(_over(label, Image.new("RGB", (128, 128), color)))
    middle = np.median(found.reshape(-1, 3), axis=0)
    rest = [middle[i] for i in range(3) if i != channel]
    assert middle[channel] > max(rest) + 60


def test_an_unknown_weather_is_one_line() -> None:
    with pytest.raises(UserError, match="'hail' is not known"):
        _over("hail", _scene())


def test_some_backgrounds_have_ground() -> None:
    assert len(GROUNDS) >= 10 and all(40 < share < 90 for share in GROUNDS.values())
    assert "outer space" not in GROUNDS


@pytest.mark.parametrize(
    "label", ["beach", "desert", "farm", "forest", "highway", "meadow", "soccer field"]
)
def test_below_the_line_there_is_ground_alone(label: str) -> None:
    """The sky's blue is hardly anywhere below the line, in any view."""
    above = GROUNDS[label] / 100
    for i in range(12):
        image = backgrounds.draw(label, 128, generator(i, "ground test", label))
        rows = np.asarray(image).astype(int)[int(above * 128) + 1 :]
        blue = (rows[..., 2] > rows[..., 0] + 30) & (rows[..., 2] > rows[..., 1] + 5)
        # A meadow has blue flowers.
        assert blue.mean() < (0.05 if label == "meadow" else 0.001)
