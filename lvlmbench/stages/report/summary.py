"""The overview: what came out, in a few sentences and numbers that the sections bear out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lvlmbench.analysis.comparisons import Differences, Pair
from lvlmbench.analysis.headlines import label_of
from lvlmbench.analysis.labels import inline
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import RANKS, Row, Value, by_strict, placed
from lvlmbench.analysis.robustness import Robustness
from lvlmbench.config.headline import Headline
from lvlmbench.core.amounts import amount
from lvlmbench.snapshot.reader import ALL_QUESTIONS, Snapshot
from lvlmbench.stages.report.formatting import missing
from lvlmbench.stages.report.robustness_words import joined, open_words, signed, span, unseen
from lvlmbench.stages.report.sensitivity import Sensitivity
from lvlmbench.stages.report.validity import Validity


@dataclass(frozen=True)
class Tile:
    """A number with what it is, a line below it, and the section that tells more; a ``warning`` of
    what the number leaves out, where that is worth one."""

    label: str
    value: str
    note: str
    section: str
    warning: str | None = None


@dataclass(frozen=True)
class Summary:
    """Sentences and tiles."""

    sentences: list[str]
    tiles: list[Tile]


def _interval(value: Value) -> str:
    if value.low is None or value.high is None:
        return "no interval"
    return f"95% interval {value.low:.1f} to {value.high:.1f}"


def _looking(rows: list[Row]) -> list[Row]:
    """All but those that guess."""
    return [row for row in rows if row.kind not in ("guesser", "floor")]


def _ranked(rows: list[Row]) -> list[Row]:
    """Models with a headline; those that guess do not count."""
    return [row for row in _looking(rows) if placed(row)]


def _best(ranked: list[Row]) -> Row | None:
    """The best model under test; the best reference model where none was tested."""
    tested = [r for r in ranked if r.kind in ("model", "brought")]
    return next(iter(tested or ranked), None)


def _none(rows: list[Row], headline: Headline) -> str:
    """Why no model that looks has a headline."""
    why = next((row.note for row in _looking(rows) if row.note), "nothing was answered")
    return f"No model that looks has a number ({headline.label}): {why}."


def _unplaced(rows: list[Row]) -> Iterator[str]:
    """The models under test that have no headline, where others have one."""
    without = [row for row in rows if row.kind in ("model", "brought") and not placed(row)]
    if without:
        have = "have" if without[1:] else "has"
        names = joined([row.model for row in without])
        yield f"{names} {have} no such number: {without[0].note or 'nothing was scored'}."


def _guessed(row: Row, rows: list[Row], of: Headline, among: Differences | None) -> Iterator[str]:
    """The best of those that guess, where the best model that looks is not shown to be above it."""
    best = next((r for r in rows if r.kind == "guesser" and placed(r)), None)
    if best is None:
        return
    value, guess = row.place, f"{best.model}, which only guesses, has {best.place:.1f}{of.unit}"
    if best.place >= value:
        yield f"{guess}, no less."
        return
    both = {row.model, best.model}
    pairs = [] if among is None else among.pairs
    pair = next((p for p in pairs if {p.model, p.baseline} == both), None)
    if pair is None or pair == _neighbour(row, among):
        return
    if pair.overall.verdict == "open":
        yield f"{guess}: no difference from it is shown."


def _though(row: Row, of: Headline) -> str:
    """What the headline of the best model leaves out, where the results warn of it."""
    if of.table is not None or (lost := missing(row)) is None:
        return ""
    strict = None if row.strict is None else row.strict.value
    if strict is None:
        return f", though {lost}"
    told = f"with what has no score counted as wrong it has {strict:.1f}{of.unit}"
    return f", though {lost}: {told}"


def _first(row: Row, ranked: list[Row], found: Value, label: str, of: Headline) -> Iterator[str]:
    what = ", a reference model trained on pictographs," if row.kind == "reference" else ""
    among = "Of all models" if what else "Of the models tested"
    why = by_strict(ranked).get(RANKS[row.kind], "")
    if why and row.judged:
        yield f"Models stand {why}."
    elif why and row.strict is not None and row.strict.value is not None:
        first = f"{among}, {row.model}{what} has the highest strict {label}: "
        told = f"{row.strict.value:.1f}{of.unit} ({_interval(row.strict)})"
        yield f"{first}{told}. Models stand {why}."
    else:
        n = f"n {found.n:,}" if of.table is None else row.note
        yield (
            f"{among}, {row.model}{what} has the highest {label}: {row.place:.1f}{of.unit} "
            f"({_interval(found)}, {n}){_though(row, of)}."
        )
    if not what and any(r.kind == "reference" for r in ranked):
        yield "Reference models, which were trained on such images, are not ranked with it."


def _neighbour(row: Row, found: Differences | None) -> Pair | None:
    """The comparison with who stands next below a model."""
    pairs = [] if found is None else found.neighbours
    return next((pair for pair in pairs if pair.model == row.model), None)


def _next(row: Row, rows: list[Row], found: Differences | None) -> Iterator[str]:
    """The best model against the next one, or against guessing where none stands below it."""
    pair = _neighbour(row, found)
    if pair is None or pair.overall.difference is None:
        return
    looks = any(r.model == pair.baseline for r in _looking(rows))
    other = f"{pair.baseline}, the next" if looks else f"guessing by {pair.baseline}"
    ends = f"{signed(pair.overall.low)} to {signed(pair.overall.high)}"
    by = f"{signed(pair.overall.difference)} points, {ends}, on "
    by += f"{amount(pair.overall.n, 'question')} scored for both"
    if pair.overall.verdict == "open":
        yield f"{open_words(row.model, other, pair.overall)}."
    elif pair.overall.verdict != "none":
        worse = " worse" if pair.overall.verdict == "worse" else " better"
        yield f"It is{worse} than {other} ({by})."


def _loss(row: Row, found: Robustness) -> Iterator[str]:
    """Where the best model loses, by scenario: the noisy ones, then controls, which tell whether
    it looks at pictures at all."""
    line = next((x for x in found.lines if x.model == row.model), None)
    changes = [] if line is None else [(c, line.changes.get(c.name)) for c in found.conditions]
    known = [
        (c, x.difference, x.sure) for c, x in changes if x and x.difference and _known(x.difference)
    ]
    noisy = [(c.inline, value, sure) for c, value, sure in known if not c.control]
    lost = [(value, label) for label, value, sure in noisy if sure < 0]
    if lost:
        value, label = min(lost, key=lambda pair: pair[0].value or 0.0)
        of, most = ("Of the noisy scenarios, it", " most") if noisy[1:] else ("It", "")
        yield f"{of} loses{most} under {label}: {span(value)}."
    elif noisy:
        told = joined([unseen(label, value) for label, value, _ in noisy])
        yield f"No loss is shown for it under {told}."
    controls = [(c.inline, value, sure < 0) for c, value, sure in known if c.control]
    apart = [f"{span(value)} in the control {label}" for label, value, loses in controls if loses]
    same = [unseen(label, value) for label, value, loses in controls if not loses]
    if apart:
        yield f"Where it cannot see what it is asked about it loses: {joined(apart)}."
    if same:
        which = "control" if len(same) == 1 else "controls"
        so = "" if apart else ": this run does not show that it uses the pictures"
        yield f"No loss is shown for it in the {which} {joined(same)}{so}."


def _known(value: Value) -> bool:
    return value.value is not None


def _spread(row: Row, found: Sensitivity) -> Iterator[str]:
    """How much the number hangs on the question type and on the style of pictures, in points."""
    line = next((x for x in found.lines if x.model == row.model), None)
    if line is not None and line.sq.above is not None:
        yield (
            "Multiple choice and true or false, each on a scale from guessing (0) to all right "
            f"(100): {line.sq.in_points}."
        )
    within = next((x for x in found.within if x.model == row.model), None)
    if within is not None:
        yield f"{within.words[:1].upper()}{within.words[1:]}."


def _unscored(snapshot: Snapshot, scenario: str) -> tuple[int, int]:
    """Answers that could not be scored, and all, of the models that look: to every question, as a
    failure is one whether the question counts or not."""
    rows = Leaderboard(snapshot, ALL_QUESTIONS).ranked().get(scenario, [])
    found = [row.headline for row in _looking(rows) if row.headline is not None]
    return sum(v.n_unscored for v in found), sum(v.asked for v in found)


@dataclass(frozen=True)
class Again:
    """The scenarios beside the one that the page opens with, and the questions in them."""

    scenarios: int
    questions: int


def again(snapshot: Snapshot) -> Again | None:
    """Return what is asked beside the scenario that the page opens with; None where nothing is."""
    others = [len(t) for name, t in snapshot.asked.items() if name != snapshot.first_scenario]
    others = [n for n in others if n]
    return Again(len(others), sum(others)) if others else None


def _whose(models: int, own: int) -> str:
    """How many models come with the pipeline, or guess."""
    if own == models:
        return "none under test: reference or guessing"
    return f"{own} of them reference or guessing" if own else "all under test"


def _all_asked(snapshot: Snapshot) -> str:
    """What the number of questions counts, and what it leaves out."""
    words, more = f"in the {inline(snapshot.first_scenario)} scenario", again(snapshot)
    if more is None:
        return words
    return f"{words}; {more.questions:,} more in {amount(more.scenarios, 'other scenario')}"


def _top(best: Row | None, rows: list[Row], leaderboard: Leaderboard, label: str) -> Tile:
    """The best headline, or the best strict one where these put models in order."""
    if best is None or best.headline is None:
        none = "no model that looks has a number"
        return Tile(f"Highest {label}", "\N{EN DASH}", none, "leaderboard")
    strict = best.strict if RANKS[best.kind] in by_strict(rows) else None
    shown, of = strict or best.headline, leaderboard.headline
    note, value = f"{best.model}, {_interval(shown)}", f"{shown.value:.1f}{of.unit}"
    title = f"Highest {'strict ' if strict else ''}{label}"
    return Tile(title, value, note, "leaderboard", missing(best))


def build(
    snapshot: Snapshot,
    leaderboard: Leaderboard,
    differences: Differences | None,
    robustness: Robustness,
    sensitivity: Sensitivity,
    validity: Validity | None,
) -> Summary:
    """Of the first scenario, over the questions that ``statistics.questions`` counts; what was not
    scored, over all."""
    scenario = snapshot.first_scenario
    rows = leaderboard.ranked().get(scenario, [])
    ranked = _ranked(rows)
    best = _best(ranked)
    asked = snapshot.asked[scenario]
    unscored, answers = _unscored(snapshot, scenario)
    sentences = []
    headline, label = leaderboard.headline, label_of(snapshot.params)
    if best is None or best.headline is None:
        sentences.append(_none(rows, headline))
    else:
        sentences += _first(best, ranked, best.headline, label, headline)
        sentences += _unplaced(rows)
        sentences += _guessed(best, rows, headline, differences)
        sentences += _next(best, rows, differences)
        sentences += _loss(best, robustness)
        sentences += _spread(best, sensitivity)
    kinds = [leaderboard.kind(m) for m in leaderboard.models]
    own = sum(kind in ("reference", "guesser") for kind in kinds)
    images = len(asked["scene_id"].combine_chunks().unique())
    planned = f"{amount(len(snapshot.scenes), 'scene')} planned"
    if (lost := len(snapshot.scenes) - images) > 0:
        planned += f"; {lost:,} not drawn, filtered out or not asked about"
    unscored_of = f"{unscored:,} of {amount(answers, 'answer')} of models that look"
    unscored_of += ", to all questions" if snapshot.without else ""
    share = f"{100 * unscored / answers:.1f}%" if answers else "\N{EN DASH}"
    lacking = "Unscored" if headline.table is None else "Not judged"
    tiles = [
        _top(best, ranked, leaderboard, label),
        Tile("Models", f"{len(kinds)}", _whose(len(kinds), own), "leaderboard"),
        Tile("Questions", f"{len(asked):,}", _all_asked(snapshot), "composition"),
        Tile("Images", f"{images:,}", f"of {planned}", "funnel"),
        Tile(lacking, share, unscored_of, "readings"),
    ]  # fmt: skip
    if validity is not None:
        sentences.append(validity.line)
    return Summary(sentences, tiles)
