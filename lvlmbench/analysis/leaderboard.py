"""Results as tables: leaderboard, values per subtask and per style, and what guessing gets."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.headlines import ANSWERS_FILE, HEADLINE, note_of, silent_parts
from lvlmbench.analysis.leaderboard_rows import (
    RANKS,
    Column,
    Kind,
    Panel,
    Row,
    Series,
    Value,
    finite,
    order,
)
from lvlmbench.config.headline import headline_of
from lvlmbench.config.models import guessing
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.guessing import best_constants
from lvlmbench.snapshot.reader import Snapshot, Which
from lvlmbench.tables import QUESTION_TYPES, TABLES, TYPES, read

ALL = "all"
#: Metric of single groups (subtask, style) for each question type.
GROUP_METRIC = {name: "accuracy" if each.judged else "similarity" for name, each in TYPES.items()}
_KEY = (
    "model", "scenario", "question_type", "subtask", "style", "perturbation", "severity",
    "level", "metric",
)  # fmt: skip
_NUMBERS = (
    "value", "low", "high", "n", "n_unscored", "n_refused", "n_truncated", "n_failed", "n_scenes",
)  # fmt: skip


class Leaderboard:
    """Metrics of a snapshot by key, with the chance levels of its questions: of all, or of those
    that the consensus keeps; by default as ``statistics.questions`` says."""

    def __init__(self, snapshot: Snapshot, which: Which | None = None) -> None:
        questions = which or snapshot.which
        self._snapshot, self.questions = snapshot, questions
        params = snapshot.params
        self._values: dict[tuple[str, ...], Value] = {}
        metrics = snapshot.metrics
        metrics = metrics.filter(pc.equal(metrics["questions"], questions))
        keys = zip(*(metrics[name].to_pylist() for name in _KEY), strict=True)
        numbers = zip(*(metrics[name].to_pylist() for name in _NUMBERS), strict=True)
        for key, (value, low, high, n, unscored, *why) in zip(keys, numbers, strict=True):
            self._values[key] = Value(
                finite(value), finite(low), finite(high), int(n or 0), int(unscored or 0), *why
            )
        self.headline = headline_of(params)
        self.guessers = guessing(params.answer.models)
        self.references = {
            m.name for m in params.answer.models if m.engine in params.reference.models
        }
        #: Model -> what it is made of, where its parameters say it.
        self.built_of = {m.name: m.built_of for m in params.answer.models if m.built_of}
        self.brought = {m.name for m in params.answer.models if m.engine == ANSWERS_FILE}
        models = self._seen(0, configured := [m.name for m in params.answer.models])
        #: All models, in the order of the parameters, then any others: what charts color by.
        self.listed = [*configured, *(m for m in models if m not in configured)]
        self.models = sorted(models, key=lambda name: RANKS[self.kind(name)])
        found = self._seen(1, list(params.scenarios.counted))
        #: Those that show each image in many forms, and all others.
        self.curves = [s for s in found if s in snapshot.curves]
        self.scenarios = [s for s in found if s not in snapshot.curves]

    def _seen(self, position: int, configured: list[str]) -> list[str]:
        """Names that have metrics: the configured ones in their order, then any others."""
        found = {key[position] for key in self._values}
        return [n for n in configured if n in found] + sorted(found - set(configured))

    def kind(self, model: str) -> Kind:
        """What a model is."""
        if model in self.guessers:
            return "guesser"
        if model in self.references:
            return "reference"
        return "brought" if model in self.brought else "model"

    def value(
        self, model: str, scenario: str, metric: str, question_type: str = ALL,
        subtask: str = ALL, style: str = ALL, perturbation: str = ALL, severity: str = ALL,
        level: str = ALL,
    ) -> Value | None:  # fmt: skip
        """One metric, or None where it does not exist."""
        return self._values.get(
            (model, scenario, question_type, subtask, style, perturbation, severity, level, metric)
        )

    def caption_floor(self, scenario: str) -> tuple[float, float] | None:
        """Return what "A picture." and the caption of another scene get by similarity, in percent;
        None where captions are not scored so."""
        for model in self.models:
            found = [
                self.value(model, scenario, f"floor_{name}", kind)
                for name in ("vague", "other")
                for kind, each in TYPES.items()
                if not each.judged
            ]
            values = [each.value for each in found if each is not None and each.value is not None]
            if len(values) == 2:
                return values[0], values[1]
        return None

    def damages(self, scenario: str) -> list[tuple[str, str]]:
        """Pairs (kind of perturbation, severity) that a scenario has metrics of, sorted."""
        return sorted({(k[5], k[6]) for k in self._values if k[1] == scenario})

    @cached_property
    def _styles(self) -> dict[str, str]:
        scenes = self._snapshot.scenes
        return dict(zip(scenes["scene_id"].to_pylist(), scenes["style"].to_pylist(), strict=True))

    def chance(self, scenario: str, by: Literal["subtask", "style"]) -> dict[str, dict[str, float]]:
        """Question type -> group -> mean accuracy of guessing, in percent."""
        questions = self._snapshot.asked.get(scenario)
        if questions is None:
            return {}
        questions = self._snapshot.counted(questions, self.questions)
        questions = questions.filter(pc.is_valid(questions["chance"]))
        if by == "style":
            groups = [self._styles.get(s, "") for s in questions["scene_id"].to_pylist()]
            column = questions.schema.get_field_index("subtask")
            questions = questions.set_column(column, "subtask", pa.array(groups, pa.string()))
        means = questions.group_by(["question_type", "subtask"]).aggregate([("chance", "mean")])
        out: dict[str, dict[str, float]] = {}
        for row in means.to_pylist():
            out.setdefault(row["question_type"], {})[row["subtask"]] = 100 * row["chance_mean"]
        return out

    def _row(self, model: str, scenario: str) -> Row:
        found = self.value(model, scenario, HEADLINE)
        of = (None, 0, 0) if found is None else (found.value, found.n, found.asked)
        return Row(
            model, scenario, self.kind(model), found,
            {t: self.value(model, scenario, "score", t) for t in QUESTION_TYPES},
            {t: self.value(model, scenario, "above_chance", t) for t in QUESTION_TYPES},
            self.value(model, scenario, f"{HEADLINE}_strict"),
            {column: self._beside(model, scenario, column) for column in self.columns},
            note_of(
                self.headline, self._snapshot.params, *of, self._silent.get((model, scenario), ()),
            ),
            self.headline.table is not None,
        )  # fmt: skip

    @cached_property
    def _silent(self) -> dict[tuple[str, str], list[str]]:
        return silent_parts(self._snapshot.params, self._snapshot.results)

    @cached_property
    def columns(self) -> list[Column]:
        """The numbers beside the headline that some model has, in the suite's order."""
        found = []
        for beside in self.headline.beside:
            if not beside.by:
                found.append(Column(beside))
                continue
            if beside.table is not None:
                wanted = (beside.measure, beside.judge)
                keys = {key[2] for key in self._judged if key[3:] == wanted}
            else:
                keys = {
                    key[_KEY.index(beside.by)] for key in self._values if key[-1] == beside.measure
                }
            order = list(beside.among) or (
                LEVELS if beside.by == "level" else self._snapshot.subtasks
            )
            found += [Column(beside, name) for name in order if name in keys]
        pairs = {(key[0], key[1]) for key in self._values}
        return [c for c in found if any(self._valued(*pair, c) for pair in pairs)]

    def _valued(self, model: str, scenario: str, column: Column) -> bool:
        found = self._beside(model, scenario, column)
        return found is not None and found.value is not None

    def _beside(self, model: str, scenario: str, column: Column) -> Value | None:
        of = column.of
        if of.table is not None:
            return self._judged.get((model, scenario, column.name or ALL, of.measure, of.judge))
        key = {of.by: column.name} if of.by else {}
        return self.value(model, scenario, of.measure, of.question_type, **key)

    @cached_property
    def _judged(self) -> dict[tuple[str, str, str, str, int], Value]:
        """(Model, scenario, part, measure, place of the judge) -> what the judge makes of it."""
        judges = {each.name: at for at, each in enumerate(self._snapshot.params.judge.judges)}
        found: dict[tuple[str, str, str, str, int], Value] = {}
        for table in {b.table for b in self.headline.beside if b.table is not None and judges}:
            path = self._snapshot.folder(TABLES[table])
            rows = read([path] if path.is_file() else [], TABLES[table])
            rows = rows.filter(pc.is_in(rows["judge"], value_set=pa.array([*judges])))
            for row in rows.to_pylist():
                parts = [row.get(name, ALL) for name in ("subtask", "stratum", "beside")]
                part = [name for name in parts if name != ALL]
                if len(part) < 2 and row["model"] != ALL:
                    whose = row["model"], row["scenario"], part[0] if part else ALL
                    key = (*whose, row["measure"], judges[row["judge"]])
                    n, unjudged = row["n"], row["unjudged"]
                    value, low, high = (finite(row[name]) for name in ("value", "low", "high"))
                    found[key] = Value(value, low, high, n, unjudged)
        return found

    def _floor(self, scenario: str) -> Row:
        """What guessing gets on average: the mean over subtasks of the mean chance level."""
        levels = self.chance(scenario, "subtask")
        by_type: dict[str, Value | None] = {}
        for kind in QUESTION_TYPES:
            values = [levels[kind][s] for s in sorted(levels[kind])] if kind in levels else []
            mean = math.fsum(values) / len(values) if values else None
            by_type[kind] = Value(mean, None, None, 0, 0) if mean is not None else None
        return Row("", scenario, "floor", None, by_type, {}, None)

    def _constant(self, scenario: str) -> list[Row]:
        """What the best constant answers get, by question type; ``model`` says which they are."""
        questions = self._snapshot.counted(self._snapshot.asked[scenario], self.questions)
        best = best_constants(questions)
        if not best:
            return []
        by_type: dict[str, Value | None] = dict.fromkeys(QUESTION_TYPES)
        by_type |= {kind: Value(c.value, None, None, 0, 0) for kind, c in best.items()}
        names = "; ".join(f"{TYPES[kind].label.lower()}: {c.answer}" for kind, c in best.items())
        return [Row(names, scenario, "floor", None, by_type, {}, None)]

    def ranked(self) -> dict[str, list[Row]]:
        """Scenario -> rows of the models asked in it, best first (:func:`order`); the chance level
        and what constant answers get follow them."""
        out = {}
        for scenario in self.scenarios:
            rows = order(row for m in self.models if (row := self._row(m, scenario)).asked)
            if scenario in self._snapshot.asked:
                rows += [self._floor(scenario), *self._constant(scenario)]
            out[scenario] = rows
        return out

    def panels(
        self, by: Literal["subtask", "style"], scenario: str, groups: list[str]
    ) -> list[Panel]:
        """Values of every model by subtask or by style, one panel a question type.

        ``groups`` gives the order; a group without any value is left out of its panel.
        """
        chance = self.chance(scenario, by)
        out = []
        for kind in QUESTION_TYPES:
            series = []
            for model in self.models:
                found = {
                    g: v
                    for g in groups
                    if (v := self._grouped(model, scenario, kind, by, g)) and v.value is not None
                }
                if found:
                    series.append(Series(model, found))
            shown = [g for g in groups if any(g in s.values for s in series)]
            if shown:
                metric = GROUP_METRIC[kind]
                out.append(Panel(kind, metric, shown, chance.get(kind, {}), series))
        return out

    def _grouped(self, model: str, scenario: str, kind: str, by: str, group: str) -> Value | None:
        metric = GROUP_METRIC[kind]
        if by == "subtask":
            return self.value(model, scenario, metric, kind, subtask=group)
        return self.value(model, scenario, metric, kind, style=group)
