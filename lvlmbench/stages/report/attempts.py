"""How the images came about: who drew them and how, what was drawn again and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.funnel import in_order, tally
from lvlmbench.analysis.labels import plain
from lvlmbench.core.registry import kinds_of
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import drawn_with

#: Distinct reasons that are listed for one filter.
MAX_REASONS = 8
#: How an image was made -> as readers see it.
METHODS = {
    "drawn": "drawn from vector art",
    "text-to-image": "text-to-image",
    "composited": "composited: a typeset word on a generated carrier",
}


def methods() -> dict[str, str]:
    """Return how an image was made, as readers see it; engines that draw text by themselves are
    methods of their own."""
    return METHODS | {kind.name: kind.words for kind in kinds_of("text_engines").ordered()}


@dataclass(frozen=True)
class Made:
    """Images that one renderer made in one way: all ``drawn``, and those in the ``snapshot``.

    ``batches`` are (images drawn together, how many of the images), nothing where each was drawn
    so that nothing of it depends on others (``exact``).
    """

    renderer: str
    method: str
    drawn: int
    in_snapshot: int
    exact: int
    batches: list[tuple[int, int]]


@dataclass(frozen=True)
class Yield:
    """What became of the scenes that the main renderer drew.

    Every scene is one of: kept at the ``first`` attempt, kept ``later``, given up and ``left`` to
    the filters as it is, given up and drawn by the ``fallback``. ``images`` were drawn for them
    by the main renderer.
    """

    subtask: str
    scenes: int
    first: int
    later: int
    left: int
    fallback: int
    images: int

    @property
    def per_kept(self) -> float | None:
        """Images drawn for one that is kept; None where none is."""
        kept = self.first + self.later
        return self.images / kept if kept else None


@dataclass(frozen=True)
class Reason:
    """Why attempts were rejected (``by`` a filter) or scenes left to another renderer."""

    by: str
    reason: str
    count: int
    subtasks: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Prompts:
    """Prompts that a text encoder has read: how many, how many in several chunks, in how many at
    most, tokens of the longest; tokens that were cut, and from how many prompts."""

    n: int
    longer: int
    most_chunks: int
    longest: int
    cut_tokens: int
    cut: int


@dataclass(frozen=True)
class Rendering:
    """All of it. ``yields`` and ``total`` are there only where an image was drawn again or
    rejected, ``passed_on`` counts scenes that the main renderer did not draw and another did."""

    main: str | None
    n_recorded: int
    made: list[Made]
    n_drawn: int
    n_images: int
    yields: list[Yield]
    total: Yield | None
    reasons: list[Reason]
    passed_on: int
    prompts: Prompts | None
    records: drawn_with.Records

    @property
    def plain(self) -> bool:
        """Whether one sentence tells it: one renderer, vector art, each scene once."""
        return (
            len(self.made) == 1
            and self.made[0].method == "drawn"
            and not (self.total or self.passed_on or self.records.listed)
        )


def _made(snapshot: Snapshot) -> list[Made]:
    """By renderer and method, what is most of the snapshot first."""
    names = ["renderer", "method"]
    table = snapshot.drawings.append_column("inexact", pc.invert(snapshot.drawings["exact"]))
    drawn = table.group_by([*names, "inexact", "batch"]).aggregate([([], "count_all")])
    ended = snapshot.of_images.group_by(names).aggregate([([], "count_all")])
    shown = {(r["renderer"], r["method"]): r["count_all"] for r in ended.to_pylist()}
    groups: dict[tuple[str, str], list[dict[str, int]]] = {}
    for row in drawn.to_pylist():
        groups.setdefault((row["renderer"], row["method"]), []).append(row)
    out = []
    for key, rows in groups.items():
        batches = sorted((r["batch"] or 1, r["count_all"]) for r in rows if r["inexact"])
        count = sum(r["count_all"] for r in rows)
        exact = count - sum(n for _, n in batches)
        out.append(Made(*key, count, shown.get(key, 0), exact, batches))
    return sorted(out, key=lambda m: (-m.in_snapshot, m.renderer, m.method))


def _scenes(snapshot: Snapshot) -> pa.Table:
    """One row a scene that the main renderer drew: ``subtask``, images drawn by it
    (``images_sum``), whether it was ``kept``, whether ``first``, whether another renderer drew
    it in the end (``passed``)."""
    drawings = snapshot.drawings
    ours = pc.equal(drawings["renderer"], snapshot.main_renderer or "")
    kept = pc.and_(ours, pc.equal(drawings["outcome"], "kept"))
    table = drawings.select(["scene_id", "subtask"])
    columns = {
        "images": pc.cast(ours, pa.int64()),
        "kept": kept,
        "first": pc.and_(kept, pc.equal(drawings["attempt"], 0)),
        "passed": pc.invert(ours),
    }
    for name, values in columns.items():
        table = table.append_column(name, values)
    found = table.group_by(["scene_id", "subtask"]).aggregate(
        [("images", "sum"), ("kept", "any"), ("first", "any"), ("passed", "any")]
    )
    return found.filter(pc.greater(found["images_sum"], 0))


def _yields(snapshot: Snapshot) -> tuple[list[Yield], Yield | None]:
    """By subtask in canonical order, and in all; nothing where every first attempt was kept."""
    scenes = _scenes(snapshot)
    if not pc.any(pc.invert(scenes["first_any"])).as_py():
        return [], None
    kept, first, passed = scenes["kept_any"], scenes["first_any"], scenes["passed_any"]
    gone = pc.invert(kept)
    columns = {
        "scenes": pc.is_valid(scenes["scene_id"]),
        "first": first,
        "later": pc.and_(kept, pc.invert(first)),
        "left": pc.and_(gone, pc.invert(passed)),
        "fallback": pc.and_(gone, passed),
        "images": scenes["images_sum"],
    }
    table = pa.table(
        {"subtask": scenes["subtask"]}
        | {name: pc.cast(values, pa.int64()) for name, values in columns.items()}
    )
    sums = table.group_by("subtask").aggregate([(name, "sum") for name in columns])
    rows = sorted(sums.to_pylist(), key=lambda row: subtask_order(row["subtask"]))
    yields = [Yield(r["subtask"], *(r[f"{name}_sum"] for name in columns)) for r in rows]
    counts = [sum(getattr(y, name) for y in yields) for name in columns]
    return yields, Yield("all", *counts)


def _listed(by: str, rows: pa.Table) -> Iterable[Reason]:
    reasons, subtasks = rows["reason"].to_pylist(), rows["subtask"].to_pylist()
    pairs = [(r or "no reason given", s) for r, s in zip(reasons, subtasks, strict=True)]
    for reason, counts in tally(pairs, MAX_REASONS):
        yield Reason(by, reason, sum(counts.values()), in_order(counts))


def _passed_on(snapshot: Snapshot) -> pa.Table:
    """Refusals of scenes that another renderer has drawn; of the others the funnel tells."""
    refused = snapshot.attempts.filter(pc.equal(snapshot.attempts["outcome"], "refused"))
    return refused.filter(pc.is_in(refused["scene_id"], value_set=_ids(snapshot.of_images)))


def _ids(table: pa.Table) -> pa.Array:
    return table["scene_id"].combine_chunks()


def _reasons(snapshot: Snapshot) -> list[Reason]:
    """Why attempts were rejected, by filter in the configured order; then what was refused."""
    rejected = snapshot.attempts.filter(pc.equal(snapshot.attempts["outcome"], "rejected"))
    named = [spec.name for spec in snapshot.params.render.retries.filters]
    found = pc.unique(pc.fill_null(rejected["filter"], "")).to_pylist()
    out: list[Reason] = []
    for name in [*(n for n in named if n in found), *sorted(set(found) - set(named))]:
        rows = rejected.filter(pc.equal(pc.fill_null(rejected["filter"], ""), name))
        out += _listed(f"Filter: {plain(name)}" if name else "No filter named", rows)
    refused = _passed_on(snapshot)
    for name in sorted(pc.unique(refused["renderer"]).to_pylist()):
        out += _listed(f"Not drawn by {name}", refused.filter(pc.equal(refused["renderer"], name)))
    return out


def _prompts(snapshot: Snapshot) -> Prompts | None:
    """Counted once a scene; None where nothing was drawn from a prompt."""
    read = snapshot.drawings.filter(snapshot.drawings["prompt_tokens"].is_valid())
    if not len(read):
        return None
    names = ["prompt_tokens", "prompt_chunks", "prompt_tokens_cut"]
    each = read.group_by("scene_id").aggregate([(name, "max") for name in names])
    tokens, chunks, cut = (pc.fill_null(each[f"{name}_max"], 0) for name in names)
    return Prompts(
        len(each),
        pc.sum(pc.greater(chunks, 1)).as_py(),
        pc.max(chunks).as_py(),
        pc.max(tokens).as_py(),
        pc.sum(cut).as_py(),
        pc.sum(pc.greater(cut, 0)).as_py(),
    )


def tags(snapshot: Snapshot, scene_ids: Iterable[str]) -> dict[str, str]:
    """Scene id -> what sets its image apart, of these scenes: a word that was put onto it
    afterwards, or a renderer other than the main one. Most scenes have none."""
    wanted = pa.array(list(scene_ids), pa.string())
    rows = snapshot.of_images
    out = {}
    for row in rows.filter(pc.is_in(rows["scene_id"], value_set=wanted)).to_pylist():
        words = [row["method"]] if row["method"] not in ("drawn", "text-to-image") else []
        if row["renderer"] != snapshot.main_renderer:
            words.append(f"by {row['renderer']}")
        if words:
            out[row["scene_id"]] = " ".join(words)
    return out


def build(snapshot: Snapshot) -> Rendering:
    """Count the attempts."""
    yields, total = _yields(snapshot)
    return Rendering(
        snapshot.main_renderer,
        len(snapshot.attempts),
        _made(snapshot),
        len(snapshot.drawings),
        len(snapshot.of_images),
        yields,
        total,
        _reasons(snapshot),
        pc.count_distinct(_passed_on(snapshot)["scene_id"]).as_py(),
        _prompts(snapshot),
        drawn_with.build(snapshot),
    )
