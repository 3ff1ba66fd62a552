"""Traits of things for scenes that show several: sizes, facings, colors, parts, look-alikes."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import yaml

from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Entry, Vocabulary, load_vocabulary
from lvlmbench.scene.vocabulary.keys import THINGS
from lvlmbench.scene.vocabulary.near import Thing
from lvlmbench.stages.render.kinds.pictograph import art
from lvlmbench.stages.render.kinds.pictograph.raster import rasterize

FOLDER = Path(__file__).resolve().parents[2] / "data" / "vocabulary"
VOCABULARY = load_vocabulary(FOLDER)

#: Drawable things that come in all sizes, or whose drawing may be a toy or the real thing.
UNSIZED = {
    *("flying saucer", "anchor", "mirror", "cardboard box", "gift", "bell", "gear", "chain"),
    *("globe", "cactus", "wheat", "necktie"),
}

DRAWN: dict[Thing, Entry] = {
    (name, entry.label): entry
    for name in THINGS
    for entry in VOCABULARY.lists[name].entries
    if "pictograph" in entry.renderers
}
TINTED = {thing: entry for thing, entry in DRAWN.items() if "tint" in entry.extra}

#: The colors that the pictograph renderer draws, and all that a thing may have by nature.
COLORS = {e.label: tuple(e.extra["rgb"]) for e in VOCABULARY.lists["color"].entries}
PAINTED = [e.label for e in VOCABULARY.lists["color"].for_renderer("pictograph").entries]

Pixels = npt.NDArray[np.int64]


def source(entry: Entry) -> str:
    code = art.resolve(entry.pictograph[0])
    assert code is not None
    return art.svg(code)


def pixels(svg: str) -> Pixels:
    return np.asarray(rasterize(svg, 144)).astype(np.int64)


def nearest(rgb: npt.ArrayLike, labels: list[str]) -> str:
    return min(labels, key=lambda label: int(np.square(np.subtract(rgb, COLORS[label])).sum()))


def test_everything_that_is_drawn_has_a_size() -> None:
    assert {entry.label for entry in DRAWN.values() if "size" not in entry.extra} == UNSIZED
    sizes = Counter(entry.extra.get("size") for entry in DRAWN.values())
    assert all(sizes[size] >= 10 for size in range(1, 9))


@pytest.mark.parametrize(
    ("larger", "smaller"),
    [
        (("animal", "elephant"), ("animal", "dog")),
        (("animal", "dog"), ("animal", "frog")),
        (("object", "bus"), ("object", "bicycle")),
        (("animal", "cow"), ("food", "strawberry")),
        (("object", "car"), ("clothes", "coat")),
        (("plant", "palm tree"), ("plant", "rose")),
    ],
)
def test_two_size_classes_are_apart(larger: Thing, smaller: Thing) -> None:
    assert DRAWN[larger].extra["size"] - DRAWN[smaller].extra["size"] >= 2


def test_facings_are_known_of_many_and_of_nothing_round() -> None:
    facing = {thing: e.extra["faces"] for thing, e in DRAWN.items() if "faces" in e.extra}
    assert Counter(facing.values()).keys() == {"left", "right", "viewer"} and len(facing) >= 80
    assert facing["animal", "elephant"] == "left" and facing["animal", "shark"] == "right"
    for thing in (("animal", "spider"), ("food", "orange"), ("object", "coin")):
        assert thing not in facing


def test_many_things_take_a_color() -> None:
    recolored = {thing for thing, entry in DRAWN.items() if "recolor" in entry.extra}
    assert {thing for thing, entry in DRAWN.items() if entry.fills} == recolored | TINTED.keys()
    assert {name for name, _ in recolored} == {"object"}
    assert len(recolored) == 40, "Dysca's colored objects are drawn from these"
    assert len(recolored | TINTED.keys()) >= 85
    assert {name for name, _ in TINTED} == set(THINGS)


@pytest.mark.parametrize("thing", TINTED, ids=" ".join)
def test_a_tint_shows_as_the_color_it_is_called(thing: Thing) -> None:
    svg, fills = source(TINTED[thing]), TINTED[thing].fills
    written = {
        "#" + (digits if len(digits) == 6 else "".join(2 * digit for digit in digits))
        for digits in re.findall(r"#([0-9a-f]{6}|[0-9a-f]{3})\b", svg.lower())
    }
    assert set(fills) <= written
    drawn = {c: pixels(art.recolored(svg, fills, COLORS[c])) for c in PAINTED}
    opaque = drawn["red"][..., 3] > 250
    changed = (np.abs(drawn["red"] - drawn["blue"]).sum(axis=2) > 60) & opaque
    assert changed.sum() >= 0.2 * opaque.sum()
    for color, image in drawn.items():
        assert nearest(image[changed][:, :3].mean(axis=0), PAINTED) == color


def test_natural_colors_are_those_of_the_largest_fills() -> None:
    natural = {t: e.extra["natural"] for t, e in DRAWN.items() if "natural" in e.extra}
    assert len(natural) >= 70 and natural["food", "banana"] == ["yellow"]
    for thing, colors in natural.items():
        image = pixels(source(DRAWN[thing]))
        shown = image[(image[..., 3] > 250) & (image[..., :3].sum(axis=2) > 60)][:, :3]
        largest = Counter(map(tuple, shown.tolist())).most_common(2)
        assert {nearest(rgb, list(COLORS)) for rgb, _ in largest} & set(colors), thing


def test_parts_are_other_things_than_the_whole() -> None:
    with_parts = {thing: e.extra["parts"] for thing, e in DRAWN.items() if "parts" in e.extra}
    assert len(with_parts) >= 150
    assert all(label not in parts for (_, label), parts in with_parts.items())
    for thing, entry in DRAWN.items():
        if not entry.extra.get("several", True):
            assert thing in with_parts, f"{thing} is unfit for what nothing names"


def test_look_alikes_are_mutual_and_most_things_have_some() -> None:
    near = VOCABULARY.near
    assert near.keys() <= DRAWN.keys()
    for one, others in near.items():
        assert len(set(others)) == len(others) and one not in others
        assert all(one in near[other] for other in others)
        for name, label in others:
            assert name != one[0] or label not in VOCABULARY.lists[name].alike(one[1])
    counts = [len(near.get(thing, ())) for thing in DRAWN]
    assert sum(count >= 2 for count in counts) >= 0.95 * len(counts)
    assert ("object", "tennis ball") in near["food", "lemon"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the vocabulary that a test may break."""
    return Path(shutil.copytree(FOLDER, tmp_path / "vocabulary"))


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("size", 9, "size is 9"),
        ("size", True, "size is True"),
        ("faces", "up", "faces is 'up'"),
        ("tint", ["red"], "'red' is not a color"),
        ("natural", ["crimson"], "'fox' is by nature 'crimson', no color"),
        ("parts", [], "not a list"),
        ("parts", ["tail", "tail"], "holds 'tail' twice"),
        ("small", "no idea", "use true or false"),
        ("several", 1, "use true or false"),
    ],
)
def test_a_wrong_trait_is_one_line(folder: Path, key: str, value: object, what: str) -> None:
    path = folder / "animal.yaml"
    data = yaml.safe_load(path.read_text())
    data["entries"][0][key] = value
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    fails(folder, rf"animal\.yaml:\d+: .*{re.escape(what)}")


def fails(folder: Path, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        load_vocabulary(folder)
    assert "\n" not in str(caught.value)


def test_what_takes_a_color_does_so_by_one_key(folder: Path) -> None:
    path = folder / "object.yaml"
    recolor = '    recolor: ["#b399c8", "#8967aa"]\n'
    path.write_text(path.read_text().replace(recolor, recolor + '    tint: ["#b399c8"]\n', 1))
    fails(folder, r"object\.yaml:\d+: 'umbrella' has recolor and tint")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("animal:\n  fox: [unicorn]\n", 2, "'unicorn' is not a label of animal"),
        ("animal:\n  fox: [food/unicorn]\n", 2, "'unicorn' is not a label of food"),
        ("animal:\n  fox: [fox]\n", 2, "the same or kinds of one another"),
        ("animal:\n  bear: [polar bear]\n", 2, "the same or kinds of one another"),
        ("animal:\n  fox: [lion]\n  lion: [fox]\n", 3, "'lion' and 'fox' stand here twice"),
        ("animal:\n  fox: [moth]\n", 2, "'moth' has no glyph"),
        ("animal:\n  fox: lion\n", 2, "'fox' has no list of look-alikes"),
        ("animal: fox\n", 1, "is not a mapping"),
        ("- animal\n", 1, "is not a mapping"),
        ("movie:\n  fox: [lion]\n", 1, "'movie' is not a known key"),
    ],
)
def test_a_wrong_look_alike_is_one_line(folder: Path, text: str, line: int, what: str) -> None:
    (folder / "near.yaml").write_text(text)
    fails(folder, rf"near\.yaml:{line}: .*{re.escape(what)}")


def test_a_vocabulary_needs_no_look_alikes(folder: Path) -> None:
    (folder / "near.yaml").write_text("# none\n")
    assert not load_vocabulary(folder).near
    (folder / "near.yaml").unlink()
    found: Vocabulary = load_vocabulary(folder)
    assert not found.near and found.lists == VOCABULARY.lists
