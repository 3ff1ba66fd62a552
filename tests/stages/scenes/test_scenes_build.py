"""Scenes and questions: valid, balanced, and the same however they are split or added to."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from scipy.stats import chisquare

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.shards import scene_range, scene_shards
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import id_counters, item_id, seed_of
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.suites.suite import build_shard
from lvlmbench.tables import OFFERING
from lvlmbench.tables.graph import COLUMNS
from support.corpus_sample import params_for, sample_vocabulary, with_list

Rows = list[dict[str, Any]]
#: Columns of suites with several things in a picture: null where there is one.
COMPOSED = (
    *("level", "pair", "program", "factors", "accepted", "replaced", "examiner"),
    *("rivals", "turns", "description", "panels"),
)
seeds = st.integers(0, 2**63 - 1)
subsets = st.lists(
    st.sampled_from(sorted(subtasks_of("dysca"))), min_size=1, max_size=4, unique=True
)
slow = settings(max_examples=25, deadline=None)


def build(params: Params, start: int = 0, stop: int | None = None) -> tuple[pa.Table, pa.Table]:
    return build_shard(params, sample_vocabulary(), start, stop or params.corpus.n_scenes)


@cache
def large() -> tuple[pa.Table, pa.Table]:
    """As many scenes as Dysca's Table 2 has."""
    return build(params_for(scenes_per_subtask=2335))


def clash(name: str, a: str, b: str) -> bool:
    """Whether two options may be confused: the rules of the vocabulary, written again."""
    if name == "text":
        return a in b or b in a or Levenshtein.distance(a, b) < 2
    by_label = sample_vocabulary().lists[name].by_label
    one, other = by_label[a].group.split("/"), by_label[b].group.split("/")
    inside = one[: len(other)] == other or other[: len(one)] == one
    return inside or set(a.split()) <= set(b.split()) or set(b.split()) <= set(a.split())


def check_question(q: dict[str, Any], scene: dict[str, Any], renderer: str) -> None:
    asked, kind = q["subtask"], q["question_type"]
    assert q["granularity"] == SUBTASKS[asked].granularity
    assert q["question_id"] == item_id(scene["scene_id"], asked, kind)
    if kind == "free_form":
        assert asked == scene["subtask"]
        assert (q["options"], q["answer"]) == ([], scene["caption"])
        assert q["answer_index"] is q["chance"] is q["claim"] is None
        return
    holds = scene["attributes"].get(asked) or scene.get(asked) or scene["foreground"]
    options = q["options"]
    assert options[q["answer_index"]] == q["answer"]
    assert q["chance"] == 1 / len(options)
    shown = [e.label for e in drawable(asked, renderer)]
    if kind == "true_false":
        assert sorted(options) == ["False", "True"]
        assert (q["answer"] == "True") == (q["claim"] == holds)
        assert q["claim"] in shown
        assert q["claim"] == holds or not clash(asked, q["claim"], holds)
    else:
        assert q["answer"] == holds
        assert q["claim"] is None
        assert 2 <= len(options) <= 4
        assert set(options) <= set(shown)
        assert not any(clash(asked, a, b) for a, b in combinations(options, 2))


def drawable(name: str, renderer: str) -> Any:
    if name == "text":
        return [type("Word", (), {"label": word}) for word in sample_vocabulary().words]
    return sample_vocabulary().lists[name].for_renderer(renderer).entries


def check_scene(scene: dict[str, Any], seed: int) -> None:
    assert scene["scene_id"] == item_id(seed, "scene", scene["subtask"], scene["ordinal"])
    assert scene["seed"] == seed_of(seed, "scene", scene["scene_id"])
    recipe = SUBTASKS[scene["subtask"]]
    variant = scene["ordinal"] % len(recipe.foregrounds)
    assert scene["foreground_list"] == recipe.foregrounds[variant]
    assert {k for k, v in scene["attributes"].items() if v is not None} == set(recipe.attributes)
    assert (scene["background"] is not None) == recipe.has_background
    assert (scene["text"] is not None) == (scene["subtask"] == "text")
    style = sample_vocabulary().lists["style"].by_label[scene["style"]]
    assert not style.hidden & {*recipe.aspects(variant), *recipe.asked(variant)}
    assert scene["negative_prompt"] == f"not {scene['style']}"
    before, behind = style.extra["prompt"].split("{subject}")
    subject = scene["prompt"].removeprefix(before).removesuffix(behind)
    assert scene["prompt"] == before + subject + behind
    caption = style.extra["caption"].replace("{subject}", subject)
    assert scene["caption"] == f"{caption[0].upper()}{caption[1:]}."


@slow
@given(seeds, subsets, st.integers(1, 40), st.sampled_from(["pictograph", "diffusion"]))
def test_every_row_is_right(seed: int, subtasks: list[str], count: int, renderer: str) -> None:
    params = params_for(seed, subtasks=subtasks, scenes_per_subtask=count, drawable_by=renderer)
    scenes, questions = build(params)
    assert scenes.schema == tables.SCENES.schema
    assert questions.schema == tables.QUESTIONS.schema
    rows = scenes.to_pylist()
    canonical = [s for s in SUBTASKS if s in subtasks for _ in range(count)]
    assert [scene["subtask"] for scene in rows] == canonical
    by_id = {scene["scene_id"]: scene for scene in rows}
    for scene in rows:
        check_scene(scene, seed)
    found = questions.to_pylist()
    for question in found:
        check_question(question, by_id[question["scene_id"]], renderer)
    assert len({q["question_id"] for q in found}) == len(found)
    order = [list(by_id).index(q["scene_id"]) for q in found]
    assert order == sorted(order)


@slow
@given(seeds, subsets, st.integers(1, 60), st.floats(0.5, 4))
def test_half_of_the_statements_are_true(
    seed: int, subtasks: list[str], count: int, per_scene: float
) -> None:
    params = params_for(
        seed, subtasks=subtasks, scenes_per_subtask=count, questions_per_scene=per_scene
    )
    truths = Counter(
        (q["subtask"], q["answer"])
        for q in build(params)[1].to_pylist()
        if q["question_type"] == "true_false"
    )
    for subtask in subtasks_of("dysca"):
        assert truths[subtask, "True"] == truths[subtask, "False"]


@pytest.mark.long
@slow
@given(seeds, subsets, st.integers(1, 30), st.integers(1, 50))
def test_shards_change_no_row(seed: int, subtasks: list[str], count: int, size: int) -> None:
    params = params_for(seed, subtasks=subtasks, scenes_per_subtask=count, shard_scenes=size)
    shards = [build(params, *scene_range(params, i)) for i in range(scene_shards(params))]
    for whole, parts in zip(build(params), zip(*shards, strict=True), strict=True):
        assert tables.hash_batches(parts)[0] == tables.hash_batches([whole])[0]


@slow
@given(seeds, subsets, st.integers(1, 30), st.integers(0, 30))
def test_more_scenes_and_subtasks_leave_the_others_alone(
    seed: int, subtasks: list[str], count: int, more: int
) -> None:
    few = params_for(seed, subtasks=subtasks[:1], scenes_per_subtask=count)
    many = params_for(
        seed,
        subtasks=[*reversed(subtasks)],
        scenes_per_subtask=3,
        scenes={subtasks[0]: count + more},
    )
    (scenes, questions), (all_scenes, all_questions) = build(few), build(many)
    kept = {row["scene_id"]: row for row in all_scenes.to_pylist()}
    assert all(kept[row["scene_id"]] == row for row in scenes.to_pylist())
    asked = {row["question_id"]: row for row in all_questions.to_pylist()}
    assert all(asked[row["question_id"]] == row for row in questions.to_pylist())
    # What comes new to an old scene is the statement whose partner is there now.
    old = {row["scene_id"] for row in scenes.to_pylist()}
    known = {row["question_id"] for row in questions.to_pylist()}
    new = [q for i, q in asked.items() if i not in known and q["scene_id"] in old]
    assert {q["question_type"] for q in new} <= {"true_false"}
    per_list = Counter(q["subtask"] for q in new)
    assert all(n == 1 for n in per_list.values())
    if not more:
        assert not new


def test_a_range_that_begins_anywhere_is_a_piece_of_the_whole() -> None:
    params = params_for(scenes_per_subtask=11)
    scenes, questions = build(params)
    for start, stop in ((0, 1), (5, 6), (9, 14), (43, 60), (0, 0), (219, 220)):
        some, about = build_shard(params, sample_vocabulary(), start, stop)
        assert some.equals(scenes.slice(start, stop - start).combine_chunks())
        there = pc.is_in(questions["scene_id"], some["scene_id"])
        assert about.to_pylist() == questions.filter(there).to_pylist()


def test_proportions_are_those_of_table_2() -> None:
    scenes, questions = large()
    assert scenes.num_rows == 46_700
    assert questions.num_rows == pytest.approx(3.34 * 46_700, rel=0.01)
    counts = Counter(questions["question_type"].to_pylist())
    for kind, share in zip((*OFFERING, "free_form"), (0.407, 0.405, 0.188), strict=True):
        assert counts[kind] / questions.num_rows == pytest.approx(share, abs=0.005)
    assert len(set(questions["question_id"].to_pylist())) == questions.num_rows
    assert len(set(scenes["scene_id"].to_pylist())) == 46_700


@pytest.mark.parametrize("kind", OFFERING)
def test_answers_stand_everywhere_equally_often(kind: str) -> None:
    questions = large()[1]
    chosen = questions.filter(pc.equal(questions["question_type"], kind))
    for size in sorted(set(pc.list_value_length(chosen["options"]).to_pylist())):
        same = chosen.filter(pc.equal(pc.list_value_length(chosen["options"]), size))
        places = Counter(same["answer_index"].to_pylist())
        assert chisquare([places[i] for i in range(size)]).pvalue > 0.001


def test_options_tell_nothing_about_the_answer() -> None:
    """A guesser that knows how often each label is right, but sees no image, gains nothing."""
    seen: Counter[tuple[str, str]] = Counter()
    right: Counter[tuple[str, str]] = Counter()
    hits = chance = n = 0.0
    for i, q in enumerate(large()[1].to_pylist()):
        if q["question_type"] != "multiple_choice":
            continue
        key = q["subtask"]
        if i % 2:
            seen.update((key, option) for option in q["options"])
            right[key, q["answer"]] += 1
        elif i > 80_000:
            rates = [right[key, o] / max(seen[key, o], 1) for o in q["options"]]
            hits += rates.index(max(rates)) == q["answer_index"]
            chance, n = chance + q["chance"], n + 1
    assert hits / n == pytest.approx(chance / n, abs=0.02)


def test_statements_tell_nothing_about_their_truth() -> None:
    """Among statements of the same words about half are true, be it "foxes" or "a fox"."""
    lists = sample_vocabulary().lists
    # The sample's lists with synonyms are too short to be weighed (corpus/balance.py).
    plain = {name for name in lists if lists[name].conflicts().sum() == len(lists[name])}
    assert len(plain) > 10
    true: Counter[str] = Counter()
    n: Counter[str] = Counter()
    for q in large()[1].to_pylist():
        if q["question_type"] == "true_false" and q["subtask"] in plain:
            words = q["question"].split("?", 1)[1]
            n[words] += 1
            true[words] += q["answer"] == "True"
    z = [(true[w] - n[w] / 2) ** 2 / (n[w] / 4) for w in n if n[w] >= 50]
    assert len(z) > 100
    assert sum(z) / len(z) < 1.3


def digest(table: pa.Table) -> str:
    rows = "".join(repr(sorted(row.items())) for row in table.to_pylist())
    return hashlib.blake2b(rows.encode(), digest_size=16).hexdigest()


def test_these_very_bytes() -> None:
    """A change here changes every snapshot there is: it must be wanted, and go to CHANGELOG."""
    scenes, questions = build(params_for(7, scenes_per_subtask=9))
    flat = [c.name for c in tables.SCENES.columns if c not in COLUMNS and c.name not in COMPOSED]
    asked = [name for name in tables.QUESTIONS.names if name not in ("key", *COMPOSED)]
    found = [digest(t) for t in (scenes.select(flat), questions.select(asked))]
    others = [t[name] for t in (scenes, questions) for name in COMPOSED if name in t.column_names]
    assert len(others) == 13 and all(column.null_count == len(column) for column in others)
    assert found == ["5d5af89d499dade169357be83eca25b1", "98aab095015b0b4994b6031be8c24224"]


def test_ids_of_columns_are_the_ids_of_items() -> None:
    scenes, questions = build(params_for(3, scenes_per_subtask=4))
    for table, name in ((scenes, "scene_id"), (questions, "question_id")):
        values = table[name].to_pylist()
        assert all(len(bytes.fromhex(v)) == 16 for v in values)
        assert id_counters(values).shape == (len(values), 4)


@pytest.mark.parametrize(
    ("name", "subtask", "key", "value", "wanted"),
    [
        ("style", "text", "hides", ["text"], "style as .* with .*text left visible"),
        ("object", "color", "recolor", None, "object as 'pictograph' draws it, with 'recolor'"),
    ],
)
def test_a_list_without_suitable_entries_is_a_users_mistake(
    name: str, subtask: str, key: str, value: object, wanted: str
) -> None:
    entries = []
    for entry in sample_vocabulary().lists[name].entries:
        extra = {k: v for k, v in entry.extra.items() if k != key}
        entries.append(replace(entry, extra=extra if value is None else extra | {key: value}))
    params = params_for(subtasks=[subtask])
    with pytest.raises(UserError, match=wanted):
        build_shard(params, with_list(name, entries), 0, 1)
    build_shard(params_for(subtasks=["animal"]), with_list(name, entries), 0, 1)


def test_an_answer_without_distractor_is_a_users_mistake() -> None:
    expressions = sample_vocabulary().lists["expression"].entries[:1]
    params = params_for(subtasks=["expression"])
    with pytest.raises(UserError, match="'happy' has no possible wrong option"):
        build_shard(params, with_list("expression", list(expressions)), 0, 1)
    build_shard(params_for(subtasks=["animal"]), with_list("expression", []), 0, 1)
