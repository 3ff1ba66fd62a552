"""What a report opens with: all suites' headlines side by side, what stands out in each, and what a
run of this size cannot tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lvlmbench.analysis.comparisons import Comparison, Comparisons
from lvlmbench.analysis.dialogue.results import Results
from lvlmbench.analysis.headlines import HeadlineRow, headlines, ordered
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import RANKS, Column, Kind, Panel, Value
from lvlmbench.analysis.power import Power, power
from lvlmbench.core.amounts import amount
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.opening import Picture, pictures
from lvlmbench.stages.report.robustness_words import joined, open_words
from lvlmbench.stages.report.talked import floored

#: Pictures of a suite.
PICTURES = 4
#: Scenes that a headline rests on, below which readers are told that they are few.
FEW_SCENES = 20


@dataclass(frozen=True)
class Outline:
    """A suite in a few lines, of its first scenario.

    Attributes
    ----------
    label
        What its headline is.
    numbers
        Headlines by model, the best model first.
    kinds
        What each model is.
    best
        The model that is better than the next of its kind; empty where no difference is shown.
    stands_out
        Which model is better, and by how much, in sentences.
    limits
        What else its numbers cannot tell, in sentences.
    power
        The smallest differences that it shows; None where nothing was asked or judged.
    """

    label: str
    numbers: Mapping[str, HeadlineRow]
    kinds: Mapping[str, Kind]
    best: str
    stands_out: Sequence[str]
    limits: Sequence[str]
    power: Power | None
    pictures: Sequence[Picture] = ()

    def tells(self, value: Value | None) -> bool:
        """Return whether a part of the questions is enough to be shown by itself."""
        return self.power is None or value is None or self.power.tells(value.asked)

    def coarse(self, panel: Panel) -> list[str]:
        """Return the groups of a panel of right answers that are not enough by themselves."""
        if panel.metric != "accuracy":
            return []
        return [
            group
            for group in panel.groups
            if not any(
                self.tells(each.values[group]) for each in panel.series if group in each.values
            )
        ]

    def columns(self, board: Leaderboard) -> list[Column]:
        """Return the numbers beside the headline that are enough by themselves."""
        rows = [row for each in board.ranked().values() for row in each]
        found = {column: [row.beside.get(column) for row in rows] for column in board.columns}
        return [
            column
            for column, values in found.items()
            if not column.name or any(v is not None and self.tells(v) for v in values)
        ]


@dataclass(frozen=True)
class Overview:
    """All suites of a run: ``outlines`` by suite; ``models`` with what they are, in one order for
    all; ``limits`` are sentences about what the run cannot tell."""

    outlines: Mapping[str, Outline]
    models: Mapping[str, Kind]
    limits: Sequence[str]


def build(snapshots: Mapping[str, Snapshot]) -> Overview:
    """Return what is said of all suites of a run."""
    outlines = {
        suite: outline(snapshot, pictures(snapshot, PICTURES))
        for suite, snapshot in snapshots.items()
    }
    kinds = {m: kind for each in outlines.values() for m, kind in each.kinds.items()}
    models = {m: kinds[m] for m in sorted(kinds, key=lambda m: RANKS[kinds[m]])}
    return Overview(outlines, models, [*_limits(outlines, models)])


def outline(snapshot: Snapshot, shown: Sequence[Picture] = ()) -> Outline:
    """Return a suite in a few lines."""
    board = Leaderboard(snapshot)
    scenario = snapshot.first_scenario
    rows = [row for row in headlines(snapshot) if row.scenario == scenario]
    kinds = {row.model: board.kind(row.model) for row in rows}
    ranks = {rank: [row for row in rows if RANKS[kinds[row.model]] == rank] for rank in range(3)}
    sorted_, why = {}, []
    for rank, of_rank in ranks.items():
        sorted_[rank], because = ordered(of_rank)
        why += [because] if because and rank < RANKS["guesser"] else []
    looking = [row for rank in range(2) for row in sorted_[rank]]
    placed = [row for row in looking if row.value is not None]
    judged = board.headline.table is not None
    found, guessing = Comparisons(snapshot), [row for row in sorted_[2] if row.value is not None]
    best = placed[0] if placed else None
    rivals = [r for r in placed if best and RANKS[kinds[r.model]] == RANKS[kinds[best.model]]]
    pair = found.between(best.model, rivals[1].model, scenario) if best and rivals[1:] else None
    leads = rivals[0].model if len(rivals) == 1 else ""
    if pair is not None and pair.verdict in ("better", "worse"):
        leads = rivals[pair.verdict == "worse"].model
    stands_out = [
        *(_against(rivals[0], rivals[1], pair) if pair is not None else ()),
        *([f"Nothing stands beside {best.model}"] if best and len(rivals) == 1 else ()),
        *(_guessing(placed, guessing[0], found, snapshot) if guessing else ()),
    ]
    limits = [*_lacking(looking, judged), *(f"Models stand {each}" for each in why)]
    if board.headline.table == "dialogue" and rows and (scores := Results(snapshot)):
        limits += floored(snapshot, scores, scores.judges[0])
    strength = power(snapshot)
    images = len(snapshot.asked[snapshot.first_scenario]["scene_id"].unique())
    if images < FEW_SCENES and placed:
        limits.append(f"All numbers rest on {amount(images, 'picture')}")
    return Outline(
        board.headline.title if not rows else rows[0].label,
        {row.model: row for each in sorted_.values() for row in each},
        kinds,
        leads,
        stands_out,
        [*limits, *_coarse(strength)],
        strength,
        shown,
    )


def _against(best: HeadlineRow, after: HeadlineRow, pair: Comparison) -> Iterator[str]:
    """The best model against the next of its kind."""
    if pair.difference is not None:
        if pair.verdict == "open":
            yield open_words(best.model, after.model, pair)
        elif pair.verdict != "none":
            first, second = (best, after) if pair.verdict == "better" else (after, best)
            own = pair if pair.verdict == "better" else pair.reversed
            yield f"{first.model} is better than {second.model} by {by_points(own)}"


def by_points(pair: Comparison) -> str:
    """Return how much better a model is, such as "18.7 points (10.3 to 27.2)"."""
    ends = "" if pair.low is None or pair.high is None else f" ({pair.low:.1f} to {pair.high:.1f})"
    return f"{pair.difference:.1f} points{ends}"


def _guessing(
    rows: Sequence[HeadlineRow], guess: HeadlineRow, found: Comparisons, snapshot: Snapshot
) -> Iterator[str]:
    """Models that are not shown to be above one that guesses."""
    pairs = {r.model: found.between(r.model, guess.model, snapshot.first_scenario) for r in rows}
    below = [name for name, pair in pairs.items() if pair is not None and pair.verdict != "better"]
    if below:
        which = f"{joined(below)} {'are' if below[1:] else 'is'} not"
        which = "No model is" if len(below) == len(rows) > 1 else which
        yield f"{which} shown to be above guessing ({guess.value:.1f})"


def _lacking(rows: Sequence[HeadlineRow], judged: bool) -> Iterator[str]:
    """Which models have no number and why, and of how many answers judges say nothing."""
    why: dict[str, list[str]] = {}
    for row in rows:
        if row.value is None:
            why.setdefault(row.note, []).append(row.model)
    for note, models in why.items():
        yield f"Nothing is known of {joined(models)}: {note.removeprefix('none: ')}"
    least = min((r for r in rows if r.value is not None), key=lambda r: r.n, default=None)
    if judged and least is not None and least.n < least.asked:
        alike = len({row.n for row in rows}) == 1
        of = "each model" if alike else least.model
        left = f"{least.asked - least.n:,} of {amount(least.asked, 'answer')} by {of}"
        yield f"{left} could not be judged and may be good or bad"


def _coarse(strength: Power | None) -> Iterator[str]:
    """Which parts cannot tell models apart that are far from each other."""
    if strength is None:
        return
    for name, parts in (("subtask", strength.by_subtask), ("level", strength.by_level)):
        coarse = [part for part, size in parts.items() if size > strength.too_coarse]
        if len(parts) > 1 and coarse:
            which = f"No single {name}" if len(coarse) == len(parts) else None
            which = which or f"{len(coarse)} of {len(parts)} {name}s"
            can = "tells" if len(coarse) == len(parts) else "do not tell"
            yield f"{which} {can} {strength.too_coarse:.0f} points apart"


def _limits(outlines: Mapping[str, Outline], models: Mapping[str, Kind]) -> Iterator[str]:
    """What the run as a whole cannot tell; each suite's own behind it."""
    sizes = [f"{s} {o.power.whole:.1f}" for s, o in outlines.items() if o.power is not None]
    if sizes:
        yield (
            "Smaller differences between two models are missed in more than 1 of 5 runs of this "
            f"size: {', '.join(sizes)} points."
        )
    if not {"model", "brought"} & {*models.values()}:
        yield "No model was under test: reference models and those that guess come with lvlmbench."
    told: dict[str, list[str]] = {}
    for suite, each in outlines.items():
        for text in each.limits:
            told.setdefault(text, []).append(suite)
    for text, suites in told.items():
        yield f"{', '.join(suites)}: {text[:1].lower()}{text[1:]}."
