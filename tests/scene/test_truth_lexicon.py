"""Our words beside the vocabulary's: they fit it, and mistakes in them are one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.scene.charts import ROOM
from lvlmbench.scene.figures import labels
from lvlmbench.scene.props import SCREENS, WAYS
from lvlmbench.scene.truth.lexicon import CALLED, PARTS, read
from support.planted_truth import vocabulary

AGES = ("child", "teenager", "adult", "elderly")
PEOPLE = {f"{gender} {age}" for gender in ("male", "female") for age in AGES}
ACTIONS = {*vocabulary().lists["action"].by_label}
WORN = {*vocabulary().lists["profession"].by_label, *ACTIONS, *PEOPLE, "any"}

#: Words of what backgrounds show.
SHOWN = {
    str(word).lower()
    for entry in vocabulary().lists["background"].entries
    for key in ("depicts", "sometimes")
    for word in entry.extra.get(key, ())
}

#: What labels stand in sections that are no lists of the vocabulary.
SECTIONS = {
    "thing": SHOWN.union(w for ls in read(PARTS).values() for words in ls.values() for w in words),
    "person": {*PEOPLE, "person", "any", "bust", "figure"},
    "drawing": {"any", "panels"},
    "backdrop": {"plain"},
    "wears": WORN,
    "people": ACTIONS,
    "performer": ACTIONS,
    "prop": {*WAYS, *SCREENS},
    "chart": {*ROOM, "any"},
    "garment": {*labels.GARMENTS},
    "held": {*labels.THINGS},
    "pose": {*labels.ACTIONS},
    "hair": {*labels.HAIR_STYLES, *labels.HAIR_COLORS},
    "beard": {*labels.BEARDS},
    "expression": {*labels.EXPRESSIONS, *vocabulary().lists["expression"].by_label},
}


@pytest.mark.parametrize("path", [CALLED, PARTS], ids=lambda path: path.name)
def test_labels_are_those_of_lists(path: Path) -> None:
    for name, words in read(path).items():
        known = SECTIONS.get(name) or {*vocabulary().lists[name].by_label, "any"}
        assert {*words} <= known, name
        for label, said in words.items():
            assert len({*said}) == len(said), (name, label)
            assert all(word == word.lower().strip() for word in said), (name, label)


def test_all_that_is_drawn_has_words() -> None:
    called, parts = read(CALLED), read(PARTS)
    assert {*called["garment"]} == {*labels.GARMENTS}
    assert {*called["held"]} == {*labels.THINGS}
    assert {*called["pose"]} == {*labels.ACTIONS} - {"standing"}
    assert {*called["prop"]} == {*parts["prop"]} == {*WAYS, *SCREENS}
    assert {*called["chart"]} == {*parts["chart"]} - {"any"} == {*ROOM}
    drawn = vocabulary().lists["action"].for_renderer("pictograph").by_label
    assert {*drawn} <= {*called["action"]}
    assert {*called["person"]} > PEOPLE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("[a]", "is not a mapping"),
        ("a: [b]", "is not a mapping"),
        ("a: {b: c}", "'b' has no list of words"),
        ("a: {b: [c], b: [d]}", "'b' stands here twice"),
    ],
)
def test_mistakes_are_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=message):
        read(path)
