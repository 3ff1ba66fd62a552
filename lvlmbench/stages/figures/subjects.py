"""Models as the paper's observations look at them: those of a run, and those of its Table 3."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lvlmbench.analysis import controls, table3
from lvlmbench.analysis.comparisons import Comparison, Comparisons
from lvlmbench.analysis.leaderboard import ALL, Leaderboard
from lvlmbench.analysis.table3 import Line, Table3
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.registry import kinds_of
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.published import Published

#: Size in the name of a language model: 7B, 13B, 1.5B.
_SIZE = re.compile(r"[-_ ]?(\d+(?:\.\d+)?)[bB]\b")
#: Sizes that have a word, in their order.
_WORDS = ("small", "base", "large", "xl", "xxl")


@dataclass(frozen=True)
class Above:
    """Points above guessing, with the 95 % interval where it is known."""

    points: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Subject:
    """A model with its numbers: ``changes`` of the score by noisy scenario, in points, ``attacked``
    the scenarios made with its encoder, ``built`` what models share that differ in their language
    model alone, where it is known.

    ``before`` is its clean score over the questions of a noisy scenario alone, which may ask fewer;
    it lacks scenarios of which that is not known. ``against`` has its clean score held against
    those of other models, by their names, and ``guessed`` how far it is above guessing by noisy
    scenario and question type; where the type is ``all``, it is its score less the one that it has
    without the image.
    """

    model: str
    language_model: str
    visual_encoder: str
    clean: float
    changes: Mapping[str, float]
    sq: float | None
    sc: float | None
    attacked: Collection[str] = ()
    built: str = ""
    before: Mapping[str, float] = field(default_factory=dict)
    against: Mapping[str, Comparison] = field(default_factory=dict)
    guessed: Mapping[str, Mapping[str, Above]] = field(default_factory=dict)

    @property
    def called(self) -> str:
        """Return the name, and the language model where the name does not tell it."""
        known = not self.language_model or self.language_model in self.model
        return self.model if known else f"{self.model} ({self.language_model})"


def own_subjects(snapshot: Snapshot, leaderboard: Leaderboard) -> list[Subject]:
    """Return the models of a run that look at pictures and have a clean headline."""
    table, tests = table3.build(snapshot, leaderboard), Comparisons(snapshot)
    looking = [line for line in table.lines if line.kind != "guesser"]
    found = (_own(table, line, looking, tests, leaderboard) for line in looking)
    return [subject for subject in found if subject is not None]


def _own(
    table: Table3, line: Line, looking: Sequence[Line], tests: Comparisons, board: Leaderboard
) -> Subject | None:
    shown = {m.name: entry for m, entry in zip(table.measures, line.entries, strict=True)}
    values = {n: e.value.value for n, e in shown.items() if e.value and e.value.value is not None}
    if CLEAN not in values:
        return None
    changes = {  # paired: a scenario may ask fewer questions than clean does
        n: e.test.difference for n, e in shown.items() if e.test and e.test.difference is not None
    }
    before = {n: values[n] - change for n, change in changes.items() if n in values}
    attacked = [name for name, entry in shown.items() if entry.white_box]
    against = {
        other.model: test
        for other in looking
        if (test := tests.between(line.model, other.model, CLEAN)) is not None
    }
    noisy = [m.name for m in table.measures if m.better == "high" and m.name != CLEAN]
    return Subject(
        line.model, line.language_model, line.visual_encoder, values[CLEAN], changes,
        values.get("sq"), values.get("sc"), attacked, "", before, against,
        {name: _guessed(board, line.model, name) for name in noisy},
    )  # fmt: skip


def _guessed(leaderboard: Leaderboard, model: str, scenario: str) -> dict[str, Above]:
    """Accuracies above what guessing gets on the same questions, by question type."""
    found = {k: leaderboard.value(model, scenario, "above_chance", k) for k in controls.CLOSED}
    return {
        kind: Above(value.value, value.low, value.high)
        for kind, value in found.items()
        if value is not None and value.value is not None
    }


def printed_subjects(rows: Sequence[Published]) -> list[Subject]:
    """Return the models of the paper's Table 3."""
    out = []
    for row in rows:
        found = {k: row.difference(k) for k in row.scores}
        changes = {k: change for k, change in found.items() if change is not None}
        attacked = [k for k in changes if row.white_box and _attack(k)]
        name = f"{row.model} ({row.language_model})" if row.language_model else row.model
        blind = [row.scores[k] for k in row.scores if k != CLEAN and k not in changes]
        guessed = {k: {ALL: Above(row.scores[k] - score)} for k in changes for score in blind}
        out.append(
            Subject(
                name, row.language_model, row.visual_encoder, row.scores[CLEAN], changes, row.sq,
                row.sc, attacked, row.model, guessed=guessed,
            )
        )  # fmt: skip
    return out


def _attack(kind: str) -> bool:
    found = kinds_of("scenarios").find(kind)
    return found is not None and found.attack is not None


def family(language_model: str) -> tuple[str, float] | None:
    """Return (family, size) of a language model by its name; None where it tells no size.

    Vicuna-7B is ("vicuna", 7.0); Flan-T5-XL is smaller than Flan-T5-XXL.
    """
    found = _SIZE.search(language_model)
    if found is not None:
        rest = language_model[: found.start()] + language_model[found.end() :]
        return rest.strip("- ").casefold(), float(found.group(1))
    head, _, last = language_model.rpartition("-")
    if head and last.casefold() in _WORDS:
        return head.casefold(), float(_WORDS.index(last.casefold()))
    return None


def lineage(language_model: str) -> str:
    """Return the family of a language model by its name, be its size told or not."""
    found = family(language_model)
    return language_model.strip().casefold() if found is None else found[0]
