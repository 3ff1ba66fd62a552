"""What a background shows is no wrong option and no false claim before it."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lvlmbench.config import validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError
from lvlmbench.scene import ids
from lvlmbench.scene.pools import list_pool, word_pool
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.scene.vocabulary.entries import Entry, VocabularyList
from lvlmbench.suites.dysca.label_index import Barred, LabelIndex
from lvlmbench.suites.suite import build_shard
from support.corpus_sample import WORDS

FOLDER = PROJECT_ROOT / "data" / "vocabulary"


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return load_vocabulary(FOLDER)


def listing(groups: list[str]) -> VocabularyList:
    entries = [
        Entry(f"label{i}", "a", f"label{i}s", "", group or f"own{i}", (), frozenset(), {}, i)
        for i, group in enumerate(groups)
    ]
    return VocabularyList("thing", {"default": "thing"}, tuple(entries))


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["", "a", "a/b", "c"]), st.booleans()), min_size=2),
    st.integers(0, 2**40),
)
def test_barred_labels_are_never_drawn(labels: list[tuple[str, bool]], seed: int) -> None:
    labels = labels[:14]
    groups, flags = [group for group, _ in labels], np.array([bars for _, bars in labels])
    pool = list_pool(listing(groups), range(len(groups)), "thing", "add entries")
    label_index = LabelIndex([word_pool(WORDS), pool])
    first, n = int(label_index.first[1]), len(label_index.labels)
    table = np.zeros((2, n), dtype=np.bool_)
    table[1, first:] = flags
    wanted = np.concatenate([pool.counts, pool.counts_without(flags)])
    assert (wanted[len(pool) :] <= wanted[: len(pool)]).all()
    answers = np.tile(np.arange(first, n), 2)
    counters = ids.counters(ids.digests(("test",), [b"%d" % i for i in range(len(answers))], ()))
    rows = np.repeat([0, 1], len(pool))
    picks = label_index.distractors(seed, counters, answers, wanted, Barred(table, rows))
    plain = label_index.distractors(seed, counters[: len(pool)], answers[: len(pool)], pool.counts)
    assert picks[: len(pool)].tolist() == plain.tolist(), "others are drawn as they were"
    for answer, row, at, many in zip(answers, picks, rows, wanted, strict=True):
        taken = row[row >= 0]
        assert len(taken) == many == len(set(taken.tolist()) - {int(answer)})
        assert not table[at, taken].any()
        for one in (int(answer), *taken.tolist()):
            others = taken[taken != one]
            assert not label_index.conflict(np.full_like(others, one), others).any()


@pytest.mark.parametrize("renderer", [None, "pictograph"])
def test_no_question_offers_what_the_background_shows(
    vocabulary: Vocabulary, renderer: str | None
) -> None:
    subtasks = ["animal", "object", "plant", "clothes", "background", "style", "color"]
    given_ = {"seed": 3}
    corpus = {"drawable_by": renderer, "scenes_per_subtask": 600, "subtasks": subtasks}
    scenes, questions = build_shard(
        validate({"snapshot": given_, "corpus": corpus}), vocabulary, 0, 600 * len(subtasks)
    )
    behind = dict(
        zip(scenes["scene_id"].to_pylist(), scenes["background"].to_pylist(), strict=True)
    )
    shows = {
        e.label: set(e.extra["shows"])
        for e in vocabulary.lists["background"].entries
        if "shows" in e.extra
    }
    met: dict[str, int] = defaultdict(int)
    for q in questions.to_pylist():
        shown = shows.get(behind[q["scene_id"]])
        if not shown or q["subtask"] not in ("animal", "object", "plant", "food", "clothes"):
            continue
        met[q["subtask"]] += 1
        if q["question_type"] == "multiple_choice":
            assert not shown & {o for o in q["options"] if o != q["answer"]}, q
            assert len(q["options"]) == 4
        elif q["question_type"] == "true_false" and q["answer"] == "False":
            assert q["claim"] not in shown, q
    assert len(met) == 5 and min(met.values()) > 50


def test_a_label_that_is_shown_bars_its_synonyms(vocabulary: Vocabulary) -> None:
    from lvlmbench.suites.dysca.plan import Plan

    plan = Plan(vocabulary, "pictograph", ("object", "background"))
    row = plan.scenery.row[plan.label_index.labels.index("classroom")]
    barred = {plan.label_index.labels[i] for i in np.flatnonzero(plan.scenery.barred[row])}
    assert {"alarm clock", "wristwatch"} <= barred
    assert not plan.scenery.barred[0].any()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "shows: [ladder, bucket, chain]",
            "shows: [laddr, bucket, chain]",
            r"background\.yaml:\d+: .*'laddr'.*'ladder'",
        ),
        (
            "shows: [ladder, bucket, chain]",
            "shows: ladder",
            r"background\.yaml:\d+: shows is 'ladder'",
        ),
        ("shows: [ladder, bucket, chain]", "shows: [3]", r"background\.yaml:\d+: shows holds 3"),
    ],
)
def test_broken_shows_are_one_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    folder = tmp_path / "vocabulary"
    shutil.copytree(FOLDER, folder)
    path = folder / "background.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(UserError) as caught:
        load_vocabulary(folder)
    assert re.search(message, str(caught.value))


def test_a_background_may_not_show_everything(tmp_path: Path) -> None:
    folder = tmp_path / "vocabulary"
    shutil.copytree(FOLDER, folder)
    path = folder / "background.yaml"
    labels = ", ".join(e.label for e in load_vocabulary(FOLDER).lists["plant"].entries)
    path.write_text(
        path.read_text().replace("shows: [ladder, bucket, chain]", f"shows: [{labels}]", 1)
    )
    params = validate({"snapshot": {"seed": 3}, "corpus": {"subtasks": ["plant"]}})
    with pytest.raises(UserError, match=r"shows: leaves '.*' no possible wrong option"):
        build_shard(params, load_vocabulary(folder), 0, 1)
