"""The vocabulary as shipped, its rules, and what each kind of broken file is answered with."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.scene.vocabulary.entries import Entry, VocabularyList
from lvlmbench.scene.vocabulary.glyphs import glyph_path
from lvlmbench.scene.vocabulary.keys import COUNTABLE, FROM_GLYPHS

FOLDER = Path(__file__).resolve().parents[2] / "data" / "vocabulary"

#: List -> least number of entries, and least number that the pictograph renderer can draw: nine
#: tenths of what there were when this was written, all of the short ones.
MINIMA = {
    "style": (56, 32),
    "background": (33, 22),
    "color": (11, 9),
    "animal": (106, 86),
    "object": (170, 158),
    "plant": (39, 15),
    "food": (72, 66),
    "clothes": (39, 32),
    "landmark": (34, 23),
    "age": (4, 3),
    "gender": (2, 2),
    "expression": (3, 3),
    "race": (11, 3),
    "celebrity": (69, 0),
    "action": (47, 40),
    "profession": (33, 22),
    "movie": (99, 0),
    "anime": (54, 0),
    "tv_show": (41, 0),
    "carrier": (41, 40),
}


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(FOLDER)


@pytest.mark.parametrize("name", MINIMA)
def test_lists_are_large_enough(vocabulary: Vocabulary, name: str) -> None:
    entries = vocabulary.lists[name].entries
    drawable = [e for e in entries if "pictograph" in e.renderers]
    assert len(entries) >= MINIMA[name][0]
    assert len(drawable) >= MINIMA[name][1]
    if MINIMA[name][1] == 0:
        assert not drawable
    # A list that has grown far beyond its minimum would let most of it go unnoticed.
    assert MINIMA[name][0] >= 0.75 * len(entries) and MINIMA[name][1] >= 0.75 * len(drawable)


def test_labels_are_unique_and_glyphs_exist(vocabulary: Vocabulary) -> None:
    for name, entries in vocabulary.lists.items():
        labels = [e.label.casefold() for e in entries.entries]
        assert len(set(labels)) == len(labels), name
        for entry in entries.entries:
            assert all(glyph_path(code) for code in entry.pictograph), entry
            if name in FROM_GLYPHS and "pictograph" in entry.renderers:
                assert entry.pictograph or "pictograph_landmark" in entry.extra, entry


def test_no_glyph_serves_two_entries_of_a_list(vocabulary: Vocabulary) -> None:
    for name, entries in vocabulary.lists.items():
        glyphs = [e.pictograph for e in entries.entries if e.pictograph]
        assert len(set(glyphs)) == len(glyphs), name


def test_articles_fit_their_labels(vocabulary: Vocabulary) -> None:
    for name in COUNTABLE:
        for entry in vocabulary.lists[name].entries:
            if entry.article in ("a", "an"):
                vowel = entry.label[0].lower() in "aeiou" or entry.label.startswith("hour")
                vowel = vowel and not entry.label.startswith(("uni", "one-"))
                assert (entry.article == "an") == vowel, entry
            elif name in ("animal", "object", "plant", "food"):
                assert entry.plural != entry.label, f"{entry} cannot be counted"


def test_recolored_fills_stand_in_the_art(vocabulary: Vocabulary) -> None:
    recolorable = [e for e in vocabulary.lists["object"].entries if "recolor" in e.extra]
    assert len(recolorable) >= 20
    for entry in recolorable:
        path = glyph_path(entry.pictograph[0])
        assert path is not None
        fills = set(re.findall(r"#[0-9a-f]{6}", path.read_text().lower()))
        assert {c.lower() for c in entry.extra["recolor"]} <= fills, entry


def test_teenagers_are_left_to_prompts(vocabulary: Vocabulary) -> None:
    drawn = vocabulary.lists["age"].for_renderer("pictograph")
    assert [e.label for e in drawn.entries] == ["child", "adult", "elderly"]
    assert len(vocabulary.lists["age"].for_renderer(None)) == 4


def test_pictographs_claim_skin_tones_and_prompts_name_races(vocabulary: Vocabulary) -> None:
    race = vocabulary.lists["race"]
    drawn, read = race.for_renderer("pictograph"), race.for_renderer(None)
    assert race.noun_for("pictograph") == "skin tone" and race.noun_for(None) == "race"
    assert len(drawn) == 3 and len(read) >= 5
    assert not {e.label for e in drawn.entries} & {e.label for e in read.entries}
    assert np.array_equal(drawn.conflicts(), np.eye(3, dtype=bool))


def test_a_list_nobody_can_draw_comes_back_whole(vocabulary: Vocabulary) -> None:
    movies = vocabulary.lists["movie"]
    assert movies.for_renderer("pictograph").entries == movies.entries


@pytest.mark.parametrize("renderer", [None, "pictograph"])
def test_everything_has_enough_distractors(vocabulary: Vocabulary, renderer: str | None) -> None:
    for name, entries in vocabulary.lists.items():
        pool = entries.for_renderer(renderer)
        wanted = min(3, {"gender": 1, "expression": 2, "age": 2, "race": 2}.get(name, 3))
        assert (~pool.conflicts()).sum(axis=1).min() >= wanted, name


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("animal", "mouse", "rat"),
        ("animal", "bear", "polar bear"),
        ("plant", "rose", "wilted flower"),
        ("object", "car", "taxi"),
        ("food", "cake", "birthday cake"),
        ("clothes", "glasses", "sunglasses"),
    ],
)
def test_near_twins_conflict(vocabulary: Vocabulary, name: str, one: str, other: str) -> None:
    entries = vocabulary.lists[name]
    labels = [e.label for e in entries.entries]
    assert entries.conflicts()[labels.index(one), labels.index(other)]


def test_loading_is_cached_until_a_file_changes(vocabulary: Vocabulary, folder: Path) -> None:
    assert load_vocabulary(FOLDER) is vocabulary
    before = load_vocabulary(folder)
    path = folder / "animal.yaml"
    path.write_text(path.read_text().replace("label: pelican", "label: wise pelican"))
    after = load_vocabulary(folder)
    assert "wise pelican" in after.lists["animal"].by_label
    assert after.digest != before.digest


LABELS = st.lists(
    st.lists(st.sampled_from(["red", "fox", "sea", "lion", "Cat"]), min_size=1, max_size=3).map(
        " ".join
    ),
    min_size=1,
    max_size=8,
    unique=True,
)
PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map("/".join)


def _entry(label: str, group: str) -> Entry:
    return Entry(label, "a", label, "", group, (), frozenset({"diffusion"}), {}, 1)


@given(LABELS, st.data())
def test_conflicts_are_symmetric_and_follow_the_rules(labels: list[str], data: Any) -> None:
    groups = [data.draw(PATHS) for _ in labels]
    entries = tuple(map(_entry, labels, groups))
    matrix = VocabularyList("test", {"default": "test"}, entries).conflicts()
    assert matrix.shape == (len(labels),) * 2 and matrix.dtype == np.bool_
    assert np.array_equal(matrix, matrix.T) and matrix.diagonal().all()
    for i, j in np.ndindex(matrix.shape):
        a, b = groups[i].split("/"), groups[j].split("/")
        same_path = a[: len(b)] == b or b[: len(a)] == a
        x, y = set(labels[i].lower().split()), set(labels[j].lower().split())
        assert matrix[i, j] == (i == j or same_path or x <= y or y <= x)


@given(PATHS, st.sampled_from("abc"))
def test_a_path_inside_another_conflicts_and_its_sibling_does_not(path: str, part: str) -> None:
    outer, inner = _entry("x", path), _entry("y", f"{path}/{part}")
    sibling = _entry("z", f"{path}/{part}{part}")
    matrix = VocabularyList("test", {"default": "test"}, (outer, inner, sibling)).conflicts()
    assert matrix[0, 1] and matrix[0, 2] and not matrix[1, 2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the vocabulary that a test may break."""
    return Path(shutil.copytree(FOLDER, tmp_path / "vocabulary"))


HEAD = "list: object\nnoun: object\nentries:\n"
CAR = "  - label: car\n    article: a\n    plural: cars\n    sense: vehicle\n"
BUS = "  - label: bus\n    article: a\n    plural: buses\n    sense: vehicle\n"

BROKEN = {
    "missing label": (HEAD + CAR + BUS.replace("label: bus", "group: bus"), 8, "no label"),
    "duplicate label": (HEAD + CAR + CAR, 8, "'car' stands on line 4 already"),
    "duplicate in other case": (HEAD + CAR + CAR.replace("car\n", "Car\n", 1), 8, "already"),
    "duplicate key": (HEAD + CAR + BUS + "    sense: again\n", 12, "'sense' stands here twice"),
    "unknown key": (HEAD + CAR + BUS + "    colour: red\n", 12, "'colour' is not a known key"),
    "misspelled key": (HEAD + CAR + BUS + "    pictogram: [1F68C]\n", 12, "did you mean 'picto"),
    "key of another list": (HEAD + CAR + BUS + "    rgb: [1, 2, 3]\n", 12, "'rgb'"),
    "unknown renderer": (HEAD + CAR + BUS + "    renderers: [crayon]\n", 12, "'crayon'"),
    "missing glyph": (HEAD + CAR + BUS + "    pictograph: [1FFFF]\n", 12, "'1FFFF' is not a glyph"),
    "numeric glyph": (HEAD + CAR + BUS + "    pictograph: [9999]\n", 12, "'9999' is not a glyph"),
    "no glyph to draw": (HEAD + CAR + BUS + "    renderers: [pictograph]\n", 8, "no glyph"),
    "bad hex": (HEAD + CAR + BUS + '    recolor: ["#ea5a4"]\n', 12, "'#ea5a4' is not a color"),
    "unquoted hex": (HEAD + CAR + BUS + "    recolor: [#ea5a47]\n", 12, "not valid YAML"),
    "wrong type": (HEAD + CAR + BUS.replace("label: bus", "label: 1984"), 8, "is 1984, not text"),
    "codes without brackets": (HEAD + CAR + BUS + "    pictograph: 1F68C\n", 12, "not a list"),
    "bad article": (HEAD + CAR.replace("article: a", "article: la") + BUS, 5, "article is 'la'"),
    "missing plural": (
        HEAD + CAR + BUS.replace("    plural: buses\n", ""),
        8,
        "'bus' has no plural",
    ),
    "unknown group": (HEAD + CAR + BUS + "    group: carr/long\n", 8, "did you mean 'car'?"),
    "bad group": (HEAD + CAR + BUS + "    group: car//long\n", 12, "write a path"),
    "entry is no mapping": (HEAD + CAR + BUS + "  - bicycle\n", 12, "is not a mapping"),
    "not YAML": (HEAD + CAR + "  - label: [bus\n", 8, "not valid YAML"),
    "empty file": ("", 1, "is not a mapping"),
    "empty list": (HEAD.replace("entries:", "entries: []"), 3, "fewer than two entries"),
    "one entry": (HEAD + CAR, 4, "fewer than two entries"),
    "no entries": ("list: object\nnoun: object\n", 1, "fewer than two entries"),
    "wrong name": (HEAD.replace("list: object", "list: objects") + CAR + BUS, 1, "list: object"),
    "no noun": (HEAD.replace("noun: object\n", "") + CAR + BUS, 1, "noun"),
    "binary": ("list: object\n\x00", 2, "not valid YAML"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_list_is_one_line_with_file_and_line(folder: Path, case: str) -> None:
    text, line, what = BROKEN[case]
    (folder / "object.yaml").write_text(text)
    with pytest.raises(UserError) as caught:
        load_vocabulary(folder)
    message = str(caught.value)
    assert re.search(rf"object\.yaml:{line}: ", message), message
    assert what in message and "\n" not in message, message


LIST_KEYS = [
    ("style", "hides", ["colour"], "'colour' is not known"),
    ("style", "realistic", "maybe", "use true or false"),
    ("style", "prompt", "an oil painting", "lacks {subject}"),
    ("style", "caption", "a picture", "lacks {subject}"),
    ("style", "caption", "{subject}, in oil", "is '{subject}, in oil'"),
    ("age", "called", "woman", "is 'woman'"),
    ("age", "called", {"female": "{race} {race} girl", "male": "boy"}, "holds {race} twice"),
    ("carrier", "phrase", "a road sign", "lacks {text}"),
    ("color", "rgb", [256, 0, 0], "each 0 to 255"),
    ("background", "phrase", 7, "not text"),
]


@pytest.mark.parametrize(("name", "key", "value", "what"), LIST_KEYS)
def test_keys_of_single_lists_are_checked(
    folder: Path, name: str, key: str, value: object, what: str
) -> None:
    path = folder / f"{name}.yaml"
    data = yaml.safe_load(path.read_text())
    data["entries"][0][key] = value
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    with pytest.raises(UserError, match=re.escape(what)) as caught:
        load_vocabulary(folder)
    assert re.search(rf"{name}\.yaml:\d+: {key} ", str(caught.value))


def test_a_file_that_is_not_utf_8_is_named_with_its_line(folder: Path) -> None:
    (folder / "food.yaml").write_bytes(b"list: food\nnoun: caf\xe9\n")
    with pytest.raises(UserError, match=r"food\.yaml:2: is not valid YAML"):
        load_vocabulary(folder)


@pytest.mark.parametrize(
    ("whole", "part"), [("toolbox", "hammer"), ("gift", "bow"), ("bathtub", "shower head")]
)
def test_what_stands_inside_another_thing_is_no_distractor(
    vocabulary: Vocabulary, whole: str, part: str
) -> None:
    objects = vocabulary.lists["object"]
    labels = [e.label for e in objects.entries]
    assert objects.conflicts()[labels.index(whole), labels.index(part)]


def test_a_missing_file_is_named(folder: Path) -> None:
    (folder / "plant.yaml").unlink()
    with pytest.raises(UserError, match=r"vocabulary: has no plant\.yaml"):
        load_vocabulary(folder)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("count: 7000", "count: many", "count is 'many'"),
        ("longest: 9\n", "", "has no longest"),
        ("    [answer, ", "    [answer, answer, ", "'answer' stands under 'what a question or an"),
        ("    [answer, ", "    [7, ", "'what a question or an answer says' is not a list of words"),
    ],
)
def test_word_rules_are_checked(folder: Path, old: str, new: str, what: str) -> None:
    path = folder / "text.yaml"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(UserError, match=rf"text\.yaml:\d+: {what}"):
        load_vocabulary(folder)


def test_another_list_may_be_added(folder: Path) -> None:
    (folder / "texture.yaml").write_text(
        "list: texture\nnoun: texture\nentries:\n  - label: rough\n  - label: smooth\n"
    )
    assert [e.label for e in load_vocabulary(folder).lists["texture"].entries] == [
        "rough",
        "smooth",
    ]
