"""Questions and answers Q, drawn in columns (Dysca, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.config import Params
from lvlmbench.core.seeding import id_counters, uniform_columns
from lvlmbench.scene import ids
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import flat
from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.pools import DISTRACTORS, I64
from lvlmbench.scene.subtasks import subjects
from lvlmbench.suites.dysca.counting import NUMBER, NUMBERS
from lvlmbench.suites.dysca.label_index import Barred
from lvlmbench.suites.dysca.plan import Plan, Variant
from lvlmbench.suites.dysca.scenes import several
from lvlmbench.suites.dysca.selection import Stream, closed_rates, free_form_rate
from lvlmbench.suites.dysca.wording import alternatives
from lvlmbench.tables import ATTRIBUTES, QUESTIONS, behind_bases

#: Types of its questions, and their places.
_TYPES = ("multiple_choice", "true_false", "free_form")
_CHOICE, _TRUTH, _FREE = range(len(_TYPES))
#: Places for the questions of one scene, in their order.
_PLACES = 64

Bools = npt.NDArray[np.bool_]
F64 = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _Items:
    """Questions as columns of shape (n,).

    Attributes
    ----------
    kind, asked
        Positions in _TYPES and :func:`lvlmbench.scene.subtasks.subjects`.
    rows
        Rows of their scenes in the shard's table.
    place
        Order among the questions of one scene.
    scenery
        Sets of labels that their scenes' backgrounds bar (rows of ``plan.scenery.barred``).
    alike
        Whether its options may look alike: colors tell most things apart that do, and no words.
    answers
        Indices of what the scene holds; 0 for free-form questions.
    truths
        Whether a statement is to be true.
    several
        Whether a statement speaks of several things.
    start, phrasings
        Where the phrasings stand among the sentences, how many there are (for a statement
        the place that follows from its claim is added).
    digests
        Question ids, shape (n, 16).
    draws
        What wording and options are drawn by, shape (n, 16): the ids, or those of the same
        questions about the scenes that these scenes show in another style.
    turns
        Draws in [0, 1) that say at which place the right option stands.
    """

    kind: I64
    asked: I64
    rows: I64
    place: I64
    scenery: I64
    alike: Bools
    answers: I64
    truths: Bools
    several: Bools
    start: I64
    phrasings: I64
    digests: ids.Digests
    draws: ids.Digests
    turns: F64

    def take(self, order: I64) -> _Items:
        """The same questions in this order."""
        return _Items(*(getattr(self, f.name)[order] for f in fields(self)))

    @staticmethod
    def join(parts: Sequence[_Items]) -> _Items:
        """All of them, one after the other."""
        return _Items(
            *(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(_Items))
        )


@dataclass(frozen=True)
class _Scenes:
    """Scenes of one variant.

    Attributes
    ----------
    rows
        Where they stand in the table of scenes; shape (n,).
    ordinals
        Ordinals within the subtask, ascending; shape (n,).
    names, bases
        Ids as hexadecimal digits: of the scenes, and of those that they show in another style.
    indices
        Aspect -> indices of what each scene holds; shape (n,).
    several
        Whether statements speak of several things; shape (n,).
    """

    variant: Variant
    rows: I64
    ordinals: I64
    names: list[bytes]
    bases: list[bytes]
    indices: dict[str, I64]
    several: Bools


def _blocks(plan: Plan, scenes: pa.Table, seed: int) -> Iterator[_Scenes]:
    """The scenes of a table by variant."""
    scenes = scenes.combine_chunks()
    ordinals = scenes["ordinal"].to_numpy().astype(np.int64)
    again = scenes["base"].null_count < len(scenes)
    held = flat(scenes)
    held |= dict(zip(ATTRIBUTES.names, held["attributes"].flatten(), strict=True))
    held[NUMBER] = pa.array(NUMBERS).take(pc.subtract(held[NUMBER], 1))
    for variant in plan.variants.values():
        step = len(variant.recipe.foregrounds)
        mine = pc.equal(scenes["subtask"], variant.subtask).to_numpy()
        rows = np.flatnonzero(mine & (ordinals % step == variant.number))
        if not len(rows):
            continue
        rows = rows[np.argsort(ordinals[rows], kind="stable")]
        at = pa.array(rows)
        indices = {
            name: plan.indices(pool, held.get(name, held["foreground"]).take(at))
            for name, pool in variant.pools.items()
        }
        names = scenes["scene_id"].take(at).to_pylist()
        bases = names
        if again:
            bases = scenes["base"].take(at).to_pylist()
        yield _Scenes(
            variant,
            rows,
            ordinals[rows],
            [name.encode() for name in names],
            [name.encode() for name in bases],
            indices,
            several(variant, seed, id_counters(bases)),
        )


def _streams(params: Params, scenes: _Scenes) -> Iterator[tuple[int, Stream]]:
    """Streams of a variant, each with its place among the questions of a scene."""
    variant, seed = scenes.variant, params.snapshot.seed
    step = len(variant.recipe.foregrounds)
    rates = closed_rates(params, variant.subtask, variant.recipe)
    for at, asked in enumerate(variant.asked):
        for kind in (_CHOICE, _TRUTH):
            name = _TYPES[kind]
            rate = rates[name].secondary if at else rates[name].primary
            # Statements about what all variants share find their partners among all scenes;
            # other questions are spread evenly over each variant.
            shared = kind == _TRUTH and asked != variant.foreground
            residue = (0, 1) if shared else (variant.number, step)
            place = len(_TYPES) * at + kind
            yield place, Stream(seed, variant.subtask, asked, name, rate, *residue)
    name = _TYPES[_FREE]
    residue = (variant.number, step)
    yield (
        _FREE,
        Stream(seed, variant.subtask, variant.subtask, name, free_form_rate(params), *residue),
    )


def _select(params: Params, plan: Plan, scenes: _Scenes, place: int, stream: Stream) -> _Items:
    """The stream's questions about these scenes, which stand in ``rows`` of the shard's table."""
    variant, ordinals = scenes.variant, scenes.ordinals
    chosen, ranks = stream.select(
        int(ordinals[0]), int(ordinals[-1]) + 1, params.corpus.count(variant.subtask)
    )
    at = np.minimum(np.searchsorted(ordinals, chosen), len(ordinals) - 1)
    own = ordinals[at] == chosen
    kind, at = _TYPES.index(stream.question_type), at[own]
    truths = stream.truths(ranks[own]) if kind == _TRUTH else np.zeros(len(at), np.bool_)
    key, turns = Key(stream.asked, stream.question_type), stream.turns(ranks[own])
    return _asked(plan, scenes, place, key, at, truths, turns)


def _asked(
    plan: Plan, scenes: _Scenes, place: int, key: Key, at: I64, truths: Bools, turns: F64,
    alike: bool = True,
) -> _Items:  # fmt: skip
    """A question about some of the scenes, those at ``at``; the rest as in :class:`_Items`."""
    variant, kind, asked = scenes.variant, _TYPES.index(key.question_type), key.aspect
    behind = scenes.indices.get("background")
    shown = scenes.indices.get(variant.foreground)
    if asked == NUMBER:
        assert shown is not None and behind is not None, "what is counted stands before something"
        sure = plan.counting.asked(shown[at], behind[at])
        at, truths, turns = at[sure], truths[sure], turns[sure]
        shown = shown[at]
    n = len(at)

    def constant(value: int) -> I64:
        return np.full(n, value, dtype=np.int64)

    if asked == NUMBER:
        start = plan.counting.starts[shown]
    elif kind == _TRUTH:
        start = constant(0)
    elif kind == _FREE:
        start = constant(variant.describe)
        if shown is not None and NUMBER in variant.recipe.attributes:
            first = int(plan.label_index.first[variant.pools[variant.foreground]])
            uncounted = ~variant.counted[shown[at] - first]
            start = start + uncounted * len(plan.templates.instructions.describe)
    else:
        start = constant(plan.questions[asked])
    digests = draws = key.digests([scenes.names[i] for i in at.tolist()])
    if scenes.bases != scenes.names:
        draws = key.digests([scenes.bases[i] for i in at.tolist()])
    return _Items(
        kind=constant(kind),
        asked=constant(list(subjects()).index(asked)),
        rows=scenes.rows[at],
        place=constant(place),
        scenery=plan.scenery.row[behind[at]] if behind is not None else constant(0),
        alike=alike & ~plan.colorless[scenes.indices["style"][at]] | (asked == "text"),
        answers=constant(0) if kind == _FREE else scenes.indices[asked][at],
        truths=truths,
        several=scenes.several[at] if asked in COUNTABLE else np.zeros(n, np.bool_),
        start=start,
        phrasings=constant(alternatives(plan.templates, asked, key.question_type)),
        digests=digests,
        draws=draws,
        turns=turns,
    )


def _again(plan: Plan, scenes: _Scenes, seed: int) -> Iterator[_Items]:
    """All closed questions about scenes that show others in another style, but for the style.

    A style is drawn among those that leave visible all that the scene holds, so each question can
    be answered in each. Options that look alike may be told by colors, which not every style has.
    The place of the right option is drawn for each question anew: a letter that is liked would
    count once a style.
    """
    at = np.arange(len(scenes.rows), dtype=np.int64)
    for number, asked in enumerate(scenes.variant.asked):
        for kind in (_CHOICE, _TRUTH) if asked != "style" else ():
            key, truths = Key(asked, _TYPES[kind]), np.zeros(len(at), np.bool_)
            if kind == _TRUTH:
                counters = ids.counters(key.digests(scenes.bases))
                truths = uniform_columns(seed, "restyle/truth", counters, 1)[:, 0] < 0.5
            counters = ids.counters(key.digests(scenes.names))
            turns = uniform_columns(seed, "restyle/place", counters, 1)[:, 0]
            place = len(_TYPES) * number + kind
            yield _asked(plan, scenes, place, key, at, truths, turns, alike=False)


def _options(items: _Items, wrong: I64, wanted: I64, true: int) -> tuple[I64, I64]:
    """Indices of the options, shape (n, 4) and -1 where there is none, and the answers' places.

    ``true`` is the index of "True"; the one of "False" follows it.
    """
    n = len(wanted)
    options = np.full((n, DISTRACTORS + 1), -1, dtype=np.int64)
    places = np.full(n, -1, dtype=np.int64)
    choice = np.flatnonzero(items.kind == _CHOICE)
    places[choice] = (items.turns[choice] * (wanted[choice] + 1)).astype(np.int64)
    at, others = places[choice], wrong[choice]
    for column in range(DISTRACTORS + 1):
        before = others[:, min(column, DISTRACTORS - 1)]
        behind = others[:, max(column - 1, 0)]
        right = items.answers[choice]
        options[choice, column] = np.where(
            column < at, before, np.where(column == at, right, behind)
        )
    truth = np.flatnonzero(items.kind == _TRUTH)
    places[truth] = (items.turns[truth] * 2).astype(np.int64)
    swapped = np.where(items.truths[truth], places[truth], 1 - places[truth])
    options[truth, 0], options[truth, 1] = true + swapped, true + 1 - swapped
    return options, places


def _table(
    plan: Plan, scenes: pa.Table, items: _Items, wrong: I64, wanted: I64, words: F64
) -> pa.Table:
    n, n_cards = len(items.kind), len(plan.labels)
    options, places = _options(items, wrong, wanted, n_cards)
    # Texts that answers and options are taken from: labels, the two truth values, captions.
    captions = scenes["caption"].combine_chunks()
    texts = pa.concat_arrays([plan.labels, pa.array(["True", "False"]), captions])
    truth, free = items.kind == _TRUTH, items.kind == _FREE
    answers = np.where(free, n_cards + 2 + items.rows, items.answers)
    answers = np.where(truth, n_cards + 1 - items.truths, answers)
    claims = np.where(truth & ~items.truths, wrong[:, 0], items.answers)
    several = items.several * items.phrasings
    start = items.start + np.where(truth, plan.statements[claims] + several, 0)
    there = options >= 0
    about = subjects()
    keys = [str(Key(asked, kind)) for asked in about for kind in _TYPES]
    n_options = there.sum(axis=1)
    offsets = pa.array(np.concatenate([[0], np.cumsum(n_options)]), pa.int32())
    chance = 1.0 / np.maximum(n_options, 1)
    columns = {
        "question_id": ids.hex_column(items.digests),
        "scene_id": scenes["scene_id"].combine_chunks().take(pa.array(items.rows)),
        "subtask": pa.array(list(about)).take(pa.array(items.asked)),
        "granularity": pa.array([each.granularity for each in about.values()]).take(
            pa.array(items.asked)
        ),
        "question_type": pa.array(_TYPES).take(pa.array(items.kind)),
        "question": plan.sentences.take(
            pa.array(start + (words * items.phrasings).astype(np.int64))
        ),
        "options": pa.ListArray.from_arrays(offsets, texts.take(pa.array(options[there]))),
        "answer": texts.take(pa.array(answers)),
        "answer_index": pa.array(places.astype(np.int8), mask=free),
        "chance": pa.array(chance, mask=free),
        "key": pa.array(keys).take(pa.array(items.asked * len(_TYPES) + items.kind)),
        "claim": texts.take(pa.array(claims, mask=~truth)),
        "base": scenes["base"].combine_chunks().take(pa.array(items.rows)),
    }
    table = QUESTIONS.filled_up(columns)
    assert table.num_rows == n
    return table


def draw_questions(params: Params, plan: Plan, scenes: pa.Table) -> pa.Table:
    """Return the questions about scenes, in the order of the scenes, then of what is asked.

    Parameters
    ----------
    scenes
        Rows of :data:`lvlmbench.tables.SCENES`.

    Raises
    ------
    UserError
        A scene holds what the vocabulary lacks.
    """
    own, again = (scenes.filter(pc.equal(scenes["base"].is_null(), each)) for each in (True, False))
    if len(again):
        asked = [draw_questions(params, plan, own), _drawn_again(params, plan, again)]
        return behind_bases(pa.concat_tables(asked), own["scene_id"].combine_chunks())
    parts = [
        _select(params, plan, block, place, stream)
        for block in _blocks(plan, scenes, params.snapshot.seed)
        for place, stream in _streams(params, block)
    ]
    return _drawn(params, plan, scenes, parts)


def _drawn_again(params: Params, plan: Plan, scenes: pa.Table) -> pa.Table:
    blocks = _blocks(plan, scenes, params.snapshot.seed)
    parts = [items for block in blocks for items in _again(plan, block, params.snapshot.seed)]
    return _drawn(params, plan, scenes, parts)


def _drawn(params: Params, plan: Plan, scenes: pa.Table, parts: Sequence[_Items]) -> pa.Table:
    """Questions with their wording and options, in the order of the scenes."""
    if not parts:
        return QUESTIONS.empty_table()
    items = _Items.join(parts)
    items = items.take(np.argsort(items.rows * _PLACES + items.place, kind="stable"))
    counters = ids.counters(items.draws)
    seed = params.snapshot.seed
    words = uniform_columns(seed, "question", counters, 1)[:, 0]
    most = plan.scenery.counts[items.scenery, items.answers]
    wanted = np.where(items.kind == _CHOICE, most, 0)
    wanted[(items.kind == _TRUTH) & ~items.truths] = 1
    barred = Barred(plan.scenery.barred, items.scenery) if items.scenery.any() else None
    wrong = plan.label_index.distractors(seed, counters, items.answers, wanted, barred)
    alike = np.where(items.alike, wanted, 0)
    plan.fours.put(seed, counters, items.answers, alike, barred, wrong)
    return _table(plan, scenes, items, wrong, wanted, words)
