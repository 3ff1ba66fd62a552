"""How pictures agree with their descriptions, at first and at last (AutoDavis, figure 8)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.analysis.labels import plain
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures.exams import described, levels_in
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure

#: Least share of checks of each bracket, how it is called, and its color: dark and warm is worst.
_BRACKETS = (
    (0.0, "below 0.7", "#c2490c"),
    (0.7, "0.7 to 0.8", "#e8a33d"),
    (0.8, "0.8 to 0.9", "#a9cbe6"),
    (0.9, "0.9 and above", "#2f6db3"),
)
_UNKNOWN, _GRAY = "not told", plotting.FLOOR
_WHEN = ("first picture", "last picture")
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("level", "picture", "bracket")),
        *((name, pa.int64()) for name in ("scenes", "of")),
        ("mean", pa.float64()),
    ]
)


@figure(
    "alignment_brackets",
    "How far pictures agree with their descriptions, before and after they are drawn anew",
    "AutoDavis, table 8",
)
def alignment_brackets(sources: Sources) -> Drawn:
    """Share of checks that first and last pictures answer as described (AutoDavis, table 8)."""
    snapshot = sources.snapshot
    rows = described(snapshot)
    first, last = scores(snapshot)
    pictures: tuple[Mapping[str, float | None], ...] = (first, last)
    if not last:
        raise NotApplicable("No picture was held against its description.")
    counted: list[dict[str, Any]] = []
    for level in levels_in(rows):
        scenes = [r["scene_id"] for r in rows if r["level"] == level and r["scene_id"] in last]
        for when, of in zip(_WHEN, pictures, strict=True):
            counted += _counts(level, when, [of[scene] for scene in scenes])
    return _drawn(counted)


def scores(snapshot: Snapshot) -> tuple[dict[str, float | None], dict[str, float]]:
    """Return the share of checks that the first and the last picture of each scene answer as
    described; None where a first picture was rejected for something else, which is not kept, or
    where validators answered too little about it."""
    checks: dict[str, list[bool]] = defaultdict(list)
    columns = ["scene_id", "correct"]
    for row in tables.read(
        snapshot.folder(tables.VALIDATION), tables.VALIDATION, columns
    ).to_pylist():
        checks[row["scene_id"]].append(row["correct"])
    last = {scene: sum(right) / len(right) for scene, right in checks.items()}
    tries: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    columns = ["scene_id", "attempt", "outcome", "score", "method"]
    for row in tables.read(snapshot.folder(tables.ATTEMPTS), tables.ATTEMPTS, columns).to_pylist():
        if row["method"] is not None:
            tries[row["scene_id"]].append(row)
    first: dict[str, float | None] = {}
    for scene, score in last.items():
        drawn = tries.get(scene, [])
        first[scene] = score if len(drawn) < 2 else drawn[0]["score"]
    for scene, by_attempt in _looked_at(snapshot).items():
        found = by_attempt[max(by_attempt)]
        if found is not None:
            first[scene], last[scene] = by_attempt[min(by_attempt)], found
    return first, last


def _looked_at(snapshot: Snapshot) -> dict[str, dict[int, float | None]]:
    """Of scenes whose pictures validators looked at, the share of checks that they confirm of each
    attempt: of those that were answered, by more than half of who answered; None where fewer than
    half of the checks were answered."""
    columns = ["scene_id", "attempt", "number", "correct"]
    table = tables.read(snapshot.folder(tables.ATTEMPT_CHECKS), tables.ATTEMPT_CHECKS, columns)
    said: dict[tuple[str, int], dict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for row in table.to_pylist():
        answers = said[row["scene_id"], row["attempt"]][row["number"]]
        answers += [] if row["correct"] is None else [row["correct"]]
    found: dict[str, dict[int, float | None]] = defaultdict(dict)
    for (scene, attempt), checks in said.items():
        known = [2 * sum(answers) > len(answers) for answers in checks.values() if answers]
        enough = known and 2 * len(known) >= len(checks)
        found[scene][attempt] = sum(known) / len(known) if enough else None
    return found


def bracket(score: float | None) -> str:
    """Return what a share of checks is counted under."""
    if score is None:
        return _UNKNOWN
    return [name for least, name, _ in _BRACKETS if score >= least - 1e-9][-1]


def _counts(level: str, when: str, found: Sequence[float | None]) -> list[dict[str, Any]]:
    counts = Counter(map(bracket, found))
    known = [score for score in found if score is not None]
    mean = round(sum(known) / len(known), 4) if known else None
    names = [*(name for _, name, _ in _BRACKETS), _UNKNOWN]
    return [
        {
            "level": level, "picture": when, "bracket": name, "scenes": counts[name],
            "of": len(found), "mean": mean,
        }
        for name in names
        if name != _UNKNOWN or counts[name]
    ]  # fmt: skip


def _drawn(rows: list[dict[str, Any]]) -> Drawn:
    from matplotlib.patches import Patch

    bars = list(dict.fromkeys((row["level"], row["picture"]) for row in rows))
    made, (ax,) = plotting.figure(7.6, 1.1 + 0.3 * len(bars))
    colors = {name: color for _, name, color in _BRACKETS} | {_UNKNOWN: _GRAY}
    places: list[float] = []
    labels, at = [], 0.0
    for level, when in bars:
        at += 0.35 if when == _WHEN[0] and places else 0.0
        mine = [row for row in rows if (row["level"], row["picture"]) == (level, when)]
        left, total = 0.0, mine[0]["of"]
        for row in mine:
            wide = 100 * row["scenes"] / total if total else 0.0
            ax.barh(at, wide, left=left, height=0.72, color=colors[row["bracket"]], lw=0)
            if wide > 4:
                dark = row["bracket"] in (_BRACKETS[0][1], _BRACKETS[-1][1])
                ink = plotting.PAPER if dark else plotting.INK
                ax.text(left + wide / 2, at, f"{row['scenes']:,}", ha="center",
                        va="center_baseline", fontsize=7.6, color=ink)  # fmt: skip
            left += wide
        mean = "" if mine[0]["mean"] is None else f"mean {mine[0]['mean']:.3f}"
        ax.text(101.5, at, mean, va="center_baseline", fontsize=7.6, color=plotting.MUTED)
        places.append(at)
        labels.append(f"{plain(level)}, {when}")
        at += 1
    ax.set_yticks(places, labels)
    ax.set_ylim(at - 0.4, -0.6)
    ax.set_xlim(0, 118)
    ax.set_xticks([])
    ax.spines["bottom"].set_visible(False)
    used = [name for name in colors if any(r["bracket"] == name and r["scenes"] for r in rows)]
    handles = [Patch(color=colors[name], lw=0, label=name) for name in used]
    made.legend(handles=handles, loc="outside upper left", ncols=len(handles),
                title="Share of a picture's checks that it answers as described; numbers: scenes",
                title_fontsize=8.5, alignment="left")  # fmt: skip
    return Drawn(made, pa.Table.from_pylist(rows, _SCHEMA))
