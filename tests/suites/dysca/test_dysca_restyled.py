"""The same scenes in several styles: what is the same in them, and that nothing else changes."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.shards import image_shards, scene_range, scene_shards
from lvlmbench.scene.asking import Key
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.render.shard import make_renderer, shard_of
from lvlmbench.suites.suite import suite_of

ROOT = Path(__file__).parents[3]
#: What a scene in another style has of its own.
OWN = {"scene_id", "style", "setting", "prompt", "negative_prompt", "caption", "base"}
Row = dict[str, Any]


def params(scenes: int, styles: int = 5, seed: int = 3, **more: Any) -> Params:
    restyled = {"scenes_per_subtask": scenes, "styles_per_scene": styles}
    corpus = {"scenes_per_subtask": 4, "drawable_by": "pictograph", "dysca": {"restyled": restyled}}
    found: Params = validate({"snapshot": {"name": "t", "seed": seed}, "corpus": corpus | more})
    return found


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(ROOT / "data" / "vocabulary")


def drawn(of: Params, vocabulary: Vocabulary) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Scenes of their own, those shown again, and questions about all."""
    suite = suite_of(of)
    scenes = suite.scenes(of, vocabulary, 0, of.corpus.n_scenes)
    again = suite.restyled(of, vocabulary, scenes)
    every = pa.concat_tables([scenes, again])
    return scenes, again, suite.questions(of, vocabulary, every, tables.LAYOUTS.empty_table())


def test_only_the_style_is_another(vocabulary: Vocabulary) -> None:
    scenes, again, _ = drawn(params(2), vocabulary)
    bases = {row["scene_id"]: row for row in scenes.to_pylist()}
    by_base = defaultdict(list)
    for row in again.to_pylist():
        base = bases[row["base"]]
        by_base[row["base"]].append(row)
        assert {name for name in row if row[name] != base[name]} <= OWN
        setting = {**row["setting"], "style": base["style"]}
        assert setting == base["setting"] and row["setting"]["style"] == row["style"]
        assert row["seed"] == base["seed"] and row["base"] != row["scene_id"]
    assert len(by_base) == 2 * len({row["subtask"] for row in bases.values()})
    for base, rows in by_base.items():
        styles = [row["style"] for row in rows]
        assert len(set(styles)) == len(styles) <= 5
        assert bases[base]["ordinal"] < 2
    # Of race a few styles leave visible what is asked; all others have as many as are wanted.
    short = {rows[0]["subtask"] for rows in by_base.values() if len(rows) < 5}
    assert short <= {"race"}


def test_questions_are_the_same_in_all_styles_and_none_asks_for_the_style(
    vocabulary: Vocabulary,
) -> None:
    _, again, questions = drawn(params(2), vocabulary)
    mine = questions.filter(questions["base"].is_valid()).to_pylist()
    base = dict(zip(again["scene_id"].to_pylist(), again["base"].to_pylist(), strict=True))
    listed = vocabulary.lists["style"].for_renderer("pictograph").entries
    hides = {entry.label: entry.hidden for entry in listed}
    styles = dict(zip(again["scene_id"].to_pylist(), again["style"].to_pylist(), strict=True))
    found: dict[tuple[str, str], set[Any]] = defaultdict(set)
    shown: dict[tuple[str, str], set[str]] = defaultdict(set)
    ignored = {"question_id", "scene_id", "options", "answer_index"}
    places: dict[tuple[str, str], set[int]] = defaultdict(set)
    for row in mine:
        assert row["base"] == base[row["scene_id"]]
        assert row["subtask"] != "style" and row["question_type"] != "free_form"
        assert row["subtask"] not in hides[styles[row["scene_id"]]]
        key = row["base"], row["key"]
        same = {name: value for name, value in row.items() if name not in ignored}
        found[key].add((repr(same), tuple(sorted(row["options"]))))
        places[key].add(row["answer_index"])
        shown[key].add(row["scene_id"])
        assert row["question_id"] == Key.read(row["key"]).question_id(row["scene_id"])
    assert {len(each) for each in found.values()} == {1}
    assert sum(len(each) > 1 for each in places.values()) > 0.8 * len(places)
    by_base = defaultdict(set)
    for scene, of in base.items():
        by_base[of].add(scene)
    assert all(scenes == by_base[of] for (of, _), scenes in shown.items())
    truths = [row["answer"] for row in mine if row["question_type"] == "true_false"]
    assert 0.3 < truths.count("True") / len(truths) < 0.7


def test_a_letter_that_is_liked_does_not_count_once_a_style(vocabulary: Vocabulary) -> None:
    _, _, questions = drawn(params(4), vocabulary)
    mine = questions.filter(questions["base"].is_valid()).to_pylist()
    hits: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in mine:
        if len(row["options"]) == 4:
            hits[row["base"], row["key"]].append(row["answer_index"] == 0)
    shares = [float(np.mean(each)) for each in hits.values() if len(each) == 5]
    assert len(shares) > 100
    # Of one order for all styles each share is 0 or 1, and their variance 0.19; drawn anew 0.04.
    assert float(np.var(shares)) < 0.06 and 0.2 < float(np.mean(shares)) < 0.3


def test_nothing_else_changes(vocabulary: Vocabulary) -> None:
    off, on = drawn(params(0), vocabulary), drawn(params(2), vocabulary)
    assert len(off[1]) == 0 and on[0].equals(off[0])
    own = on[2].filter(on[2]["base"].is_null())
    assert own.equals(off[2])
    known = {row["question_id"]: row for row in own.to_pylist()}
    asked_twice = 0
    for row in on[2].filter(on[2]["base"].is_valid()).to_pylist():
        first = known.get(Key.read(row["key"]).question_id(row["base"]))
        if first is not None and first["question_type"] == "multiple_choice":
            asked_twice += 1
            assert [row[n] for n in ("question", "answer")] == [
                first[n] for n in ("question", "answer")
            ]
            assert sorted(row["options"]) == sorted(first["options"])
            assert row["options"][row["answer_index"]] == row["answer"]
    assert asked_twice


def test_a_scene_depends_on_its_base_alone(vocabulary: Vocabulary) -> None:
    of = params(2)
    suite, again = suite_of(of), drawn(of, vocabulary)[1]
    parts = [suite.scenes(of, vocabulary, at, at + 7) for at in range(0, of.corpus.n_scenes, 7)]
    split = pa.concat_tables([suite.restyled(of, vocabulary, part) for part in parts])
    assert split.equals(again)
    fewer = params(1, subtasks=["animal", "race"])
    some = drawn(fewer, vocabulary)[1]
    wanted = again.filter(pc.is_in(again["scene_id"], some["scene_id"]))
    assert wanted.combine_chunks().equals(some.combine_chunks())
    # More styles keep those that were there.
    more = drawn(params(2, styles=7), vocabulary)[1]["scene_id"].to_pylist()
    assert set(again["scene_id"].to_pylist()) < set(more)
    assert not set(more) & set(drawn(params(2, seed=4), vocabulary)[1]["scene_id"].to_pylist())


def test_pictures_of_a_base_are_the_same_before_their_style(vocabulary: Vocabulary) -> None:
    of = params(1, subtasks=["animal", "expression", "text"])
    of = of.model_copy(update={"render": of.render.model_copy(update={"size": 64})})
    scenes, again, _ = drawn(of, vocabulary)
    renderer: Any = make_renderer(of, vocabulary)
    bases = {row["scene_id"]: row for row in scenes.to_pylist()}
    seen: dict[str, set[bytes]] = defaultdict(set)
    for row in again.to_pylist():
        assert renderer.refuses(row) is None
        before = [np.asarray(renderer.compose(s).image) for s in (row, bases[row["base"]])]
        assert np.array_equal(*before)
        seen[row["base"]].add(renderer.draw(row).image.tobytes())
    assert [len(each) for each in seen.values()] == [5, 5, 5]


def test_an_image_shard_has_what_shows_its_scenes_again(
    vocabulary: Vocabulary, tmp_path: Path
) -> None:
    of = params(2, shard_scenes=8)
    of = of.model_copy(update={"render": of.render.model_copy(update={"shard_images": 6})})
    scenes, again, _ = drawn(of, vocabulary)
    parts = []
    for number, start in enumerate(range(0, len(scenes), 8)):
        some = scenes.slice(start, 8)
        mine = again.filter(pc.is_in(again["base"], some["scene_id"]))
        parts.append(tmp_path / tables.part_name(number))
        tables.write(pa.concat_tables([some, mine]), parts[-1], tables.SCENES, "s")
    found = [shard_of(of, number, parts) for number in range(-(-len(scenes) // 6))]
    every = pa.concat_tables(found)
    own = every.filter(every["base"].is_null())
    assert own["scene_id"].to_pylist() == scenes["scene_id"].to_pylist()
    shown = every.filter(every["base"].is_valid())["scene_id"].to_pylist()
    assert shown == again["scene_id"].to_pylist()
    for shard in found:
        ids = set(shard["scene_id"].to_pylist())
        assert {base for base in shard["base"].to_pylist() if base is not None} <= ids


def test_the_order_of_rows_is_the_same_whatever_the_shards(vocabulary: Vocabulary) -> None:
    """Shards that are put behind each other: scenes, the images' scenes, questions."""

    def rows(shard_scenes: int, shard_images: int, tmp: Path) -> list[list[str]]:
        of = params(2, subtasks=["animal", "color"], shard_scenes=shard_scenes)
        of = of.model_copy(
            update={"render": of.render.model_copy(update={"shard_images": shard_images})}
        )
        suite, none = suite_of(of), tables.LAYOUTS.empty_table()
        parts, asked = [], []
        for n in range(scene_shards(of)):
            own = suite.scenes(of, vocabulary, *scene_range(of, n))
            again = suite.restyled(of, vocabulary, own)
            planned = tables.behind_bases(pa.concat_tables([own, again]))
            parts.append(tmp / tables.part_name(n))
            tables.write(planned, parts[-1], tables.SCENES, "test")
            asked.append(suite.questions(of, vocabulary, planned, none))
        drawn = [shard_of(of, n, parts) for n in range(image_shards(of))]
        return [
            tables.read(parts, tables.SCENES)["scene_id"].to_pylist(),
            pa.concat_tables(drawn)["scene_id"].to_pylist(),
            pa.concat_tables(asked)["question_id"].to_pylist(),
        ]

    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        whole, parted = rows(100, 100, Path(one)), rows(3, 5, Path(other))
    assert whole == parted
    assert whole[0] == whole[1] and len(set(whole[0])) == len(whole[0]) > 8


def test_copies_that_nobody_is_shown_are_told() -> None:
    (told,) = suite_of(params(2)).notices(params(2))
    assert "no scenario shows them" in told and "restyled.scenes_per_subtask: 0" in told
    assert suite_of(params(0)).notices(params(0)) == []
    shown = {"scenarios": {"names": ["clean", "restyled"], "noisy": [{"name": "restyled"}]}}
    corpus = {"drawable_by": "pictograph", "dysca": {"restyled": {"scenes_per_subtask": 2}}}
    asked = validate({"corpus": corpus} | shown)
    assert suite_of(asked).notices(asked) == []
