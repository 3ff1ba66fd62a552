"""What pictures show without being asked for it: nouns of backgrounds, styles and weather."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.render.kinds.pictograph import backgrounds, styles, weather

FOLDER = Path(__file__).resolve().parents[2] / "data" / "vocabulary"


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(FOLDER)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "vocabulary"))


def test_every_drawable_background_says_what_it_depicts(vocabulary: Vocabulary) -> None:
    entries = vocabulary.lists["background"].by_label
    for label in backgrounds.LABELS:
        assert len(entries[label].extra["depicts"]) >= 10, label


def test_what_a_background_depicts_is_no_wrong_option(vocabulary: Vocabulary) -> None:
    lacking = {}
    for entry in vocabulary.lists["background"].for_renderer("pictograph").entries:
        nouns = {*entry.extra["depicts"], *entry.extra.get("sometimes", ())}
        found = set()
        for name in ("animal", "object", "plant", "food", "clothes"):
            listing = vocabulary.lists[name]
            labels = [each for each in entry.extra.get("shows", ()) if each in listing.by_label]
            barred = frozenset[str]().union(*(listing.alike(each) for each in labels))
            drawn = {each.label for each in listing.for_renderer("pictograph").entries}
            found |= (nouns & drawn) - barred
        if found:
            lacking[entry.label] = " ".join(sorted(found))
    assert not lacking


def test_every_drawable_style_says_what_its_drawing_hides(vocabulary: Vocabulary) -> None:
    entries = vocabulary.lists["style"].by_label
    drawn = vocabulary.lists["style"].for_renderer("pictograph").by_label
    assert sorted(drawn) == sorted(styles.LABELS)
    for label, entry in drawn.items():
        own = entries[label].extra["drawn"]["pictograph"]
        assert "hides" in own, label
        assert entry.hidden == entries[label].hidden | {*own["hides"]}
        assert entry.hidden <= entry.hidden_small
        # What a style hides of large things needs no saying for small ones.
        assert not entry.hidden & {*own.get("hides_small", ())}, label
        assert not entries[label].hidden & {*entries[label].extra.get("hides_small", ())}, label
    whole = [label for label, entry in drawn.items() if "shape" not in entry.hidden_small]
    assert len(whole) >= 7


def test_what_one_renderer_does_is_no_other_ones(vocabulary: Vocabulary) -> None:
    for name in ("style", "weather"):
        listing = vocabulary.lists[name]
        for renderer in ("diffusion", None):
            for entry in listing.for_renderer(renderer).entries:
                assert entry.hidden == listing.by_label[entry.label].hidden
    read = vocabulary.lists["style"].for_renderer(None).by_label
    drawn = vocabulary.lists["style"].for_renderer("pictograph").by_label
    assert "background" in drawn["pencil sketch"].hidden - read["pencil sketch"].hidden
    assert "color" in read["pencil sketch"].hidden & drawn["pencil sketch"].hidden
    assert "arrow" in {*drawn["blueprint"].extra["depicts"]} - {*read["blueprint"].extra["depicts"]}
    twice = vocabulary.lists["style"].for_renderer("pictograph").for_renderer("pictograph")
    assert twice.by_label == drawn


def test_weather_is_drawn_as_it_is_listed(vocabulary: Vocabulary) -> None:
    listing = vocabulary.lists["weather"].for_renderer("pictograph")
    assert sorted(listing.by_label) == list(weather.LABELS)
    for entry in listing.entries:
        assert {*entry.extra["suits"]} <= {*backgrounds.LABELS}, entry.label
        assert entry.extra["phrase"].startswith("It is ")
    # A dark picture may be called either.
    assert "dusk" in listing.by_label["night"].extra["in_doubt"]
    assert "night" in listing.by_label["dusk"].extra["in_doubt"]


BROKEN = [
    ("background", "depicts", [], "depicts is [], not a list"),
    ("background", "depicts", ["sea", "sand", "sea"], "depicts holds 'sea' twice"),
    ("background", "depicts", ["sun"], "'beach' depicts 'sun' always and sometimes"),
    ("background", "sometimes", [1], "sometimes holds 1"),
    ("background", "ground", 0.7, "ground is 0.7"),
    ("style", "depicts", ["frame", ""], "depicts holds ''"),
    ("style", "hides_small", ["form"], "hides_small 'form' is not known"),
    ("style", "drawn", ["color"], "drawn is ['color']"),
    ("style", "drawn", {"pictograf": {"hides": []}}, "drawn names 'pictograf', which is no"),
    ("style", "drawn", {"pictograph": {"hide": []}}, "drawn pictograph: 'hide' is not known"),
    (
        "style",
        "drawn",
        {"pictograph": {"hides": ["colour"]}},
        "drawn pictograph: hides 'colour' is not known",
    ),
    ("style", "renderers", ["diffusion"], "'flat illustration' is not drawn by pictograph"),
    ("weather", "hides", ["color"], "'night' hides 'color' by its meaning and as pictograph"),
    ("weather", "hides", ["colour"], "hides 'colour' is not known"),
    ("weather", "suits", ["farmm"], "'night' suits 'farmm', which is no background"),
    (
        "weather",
        "in_doubt",
        ["owl"],
        "'night' in_doubt 'owl', which is neither a background nor weather",
    ),
    ("weather", "plain", "yes please", "plain is 'yes please'"),
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("name", "key", "value", "what"), BROKEN)
def test_a_mistake_is_one_line(folder: Path, name: str, key: str, value: object, what: str) -> None:
    path = folder / f"{name}.yaml"
    data = yaml.safe_load(path.read_text())
    data["entries"][0][key] = value
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    with pytest.raises(UserError, match=re.escape(what)) as caught:
        load_vocabulary(folder)
    assert re.search(rf"{name}\.yaml:\d+: ", str(caught.value)) and "\n" not in str(caught.value)


def test_a_vocabulary_needs_no_weather(folder: Path) -> None:
    (folder / "weather.yaml").unlink()
    assert "weather" not in load_vocabulary(folder).lists
