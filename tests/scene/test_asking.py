"""Keys: what a question asks, from which its id follows."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core import seeding
from lvlmbench.scene import ids
from lvlmbench.scene.asking import Key

WORDS = st.text("abcdefghij_0123456789:", min_size=1, max_size=8)
KEYS = st.builds(Key, WORDS, WORDS, st.lists(WORDS, max_size=3).map(tuple))


def test_ids_are_those_of_snapshots_that_were_made_before_there_were_keys() -> None:
    known = json.loads((PROJECT_ROOT / "tests" / "data" / "question_ids.json").read_text())
    assert len(known) == 60  # each subtask in each way
    for scene_id, asked, kind, question_id in known:
        assert Key(asked, kind).question_id(scene_id) == question_id


@given(KEYS)
def test_a_key_reads_what_it_writes(key: Key) -> None:
    assert Key.read(str(key)) == key


@given(st.lists(KEYS, min_size=2, max_size=20, unique=True))
def test_a_scene_can_be_asked_any_number_of_things(keys: list[Key]) -> None:
    scene = seeding.item_id("a scene")
    assert len({key.question_id(scene) for key in keys}) == len(keys)


@given(KEYS, st.lists(st.integers(0, 10**9), min_size=1, max_size=5))
def test_ids_of_a_column_are_those_of_single_scenes(key: Key, numbers: list[int]) -> None:
    scenes = [seeding.item_id(n) for n in numbers]
    found = ids.hex_rows(key.digests([s.encode() for s in scenes]))
    assert [f.decode() for f in found] == [key.question_id(s) for s in scenes]


@pytest.mark.parametrize("parts", [("a/b", "c"), ("", "c"), ("a", "")])
def test_parts_that_could_be_mistaken_are_refused(parts: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="words without '/'"):
        Key(*parts)
