"""The report itself: one HTML file that needs no network and runs no foreign script."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import jinja2
import yaml

from lvlmbench.analysis import (
    comparisons,
    funnel,
    outcomes,
    records,
    robustness,
    statistics,
)
from lvlmbench.analysis.inputs import ALL_QUESTIONS, CONSENSUS, Snapshot, Which
from lvlmbench.analysis.labels import TYPE_LABELS, inline, plain, scenario_label
from lvlmbench.analysis.readings import STRATEGIES, Reading, readings
from lvlmbench.analysis.standings import Panel, Row, Standings, Value
from lvlmbench.analysis.text import visible
from lvlmbench.config import QUESTION_TYPES, SUBTASKS, Params
from lvlmbench.config.identity import snapshot_id
from lvlmbench.figures import marks
from lvlmbench.figures.base import FIGURES
from lvlmbench.figures.run import read_about
from lvlmbench.report import (
    attacks,
    attempts,
    audit,
    consensus,
    cost,
    embed,
    filters,
    gallery,
    rates,
    side_by_side,
)
from lvlmbench.report.beside import Beside
from lvlmbench.report.robustness_words import sentences, signed

#: Keys that change how work is split or where files lie, but nothing that the report tells.
_LAYOUT = {
    ("corpus", "shard_scenes"),
    ("corpus", "vocabulary"),
    ("render", "shard_images"),
    ("reference", "scenes", "shard_scenes"),
    ("reference", "training", "checkpoint_every"),
}

#: Characters of a renderer's version that the head of the page has room for; longer ones stand
#: where it is told how the images came about.
SHORT_VERSION = 16


def number(value: float | None, digits: int = 1) -> str:
    """A number with thousands separators; a dash where there is none."""
    return "\N{EN DASH}" if value is None else f"{value:,.{digits}f}"


def whole(value: int | None) -> str:
    """A count with thousands separators; a dash where nobody counted."""
    return number(value, 0)


def dollars(value: float | None) -> str:
    """An amount of money, small ones to the hundredth of a cent."""
    return f"${number(value, 4 if value is not None and 0 < value < 1 else 2)}"


def seconds(value: float | None) -> str:
    """A time; a dash where none was taken."""
    return "\N{EN DASH}" if value is None else f"{value:.{2 if value < 10 else 1}f} s"


def parameters(params: Params) -> str:
    """The parameters as YAML, without what only splits the work; they hold no secrets."""
    data: dict[str, Any] = params.model_dump(mode="json")
    for *path, key in _LAYOUT:
        section = data
        for name in path:
            section = section[name]
        del section[key]
    for spec in data["filter"]["filters"]:
        for key in [key for key, value in spec.items() if value is None]:
            del spec[key]  # settings of another kind of filter
    return str(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=100))


def _asset(name: str) -> str:
    return files("lvlmbench.report").joinpath("templates", name).read_text(encoding="utf-8")


def _environment() -> jinja2.Environment:
    env = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(
        visible=visible,
        number=number,
        whole=whole,
        dollars=dollars,
        seconds=seconds,
        share=rates.share,
        warning=rates.warning,
        probability=comparisons.probability,
        plain=plain,
        type_label=lambda name: TYPE_LABELS.get(name, name),
        inline=inline,
        decimal=decimal,
        scenario_label=scenario_label,
        position=position,
        signed=signed,
        shown=robustness.shown,
        reach=records.reach,
    )
    return env


def decimal(value: float | None) -> str:
    """A score or threshold of a filter: up to four decimals, no zeros behind them."""
    return "\N{EN DASH}" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")


def position(value: float | None) -> str:
    """A percentage as a coordinate of the small score bars (0 to 100, two digits)."""
    return f"{min(100.0, max(0.0, value or 0.0)):.2f}"


@dataclass(frozen=True)
class View:
    """The tables over all questions, or over those that the consensus keeps."""

    which: Which
    label: str
    standings: Standings
    leaderboard: dict[str, list[Row]]
    chance: dict[str, dict[str, Value | None]]
    panels: dict[str, list[Panel]]
    readings: list[Reading]


def _view(snapshot: Snapshot, which: Which, label: str) -> View:
    standings, scenario = Standings(snapshot, which), snapshot.first_scenario
    board = standings.leaderboard()
    floors = {s: next((r for r in rows if r.kind == "floor"), None) for s, rows in board.items()}
    return View(
        which, label, standings, board,
        {s: floor.by_type if floor else {} for s, floor in floors.items()},
        {
            "subtask": standings.panels("subtask", scenario, list(SUBTASKS)),
            "style": standings.panels("style", scenario, snapshot.styles),
        },
        readings(snapshot, standings),
    )  # fmt: skip


def _renderers(snapshot: Snapshot) -> dict[str, list[str]]:
    """Renderers of the images, sorted by name, each with its versions that are short enough to
    be read in passing."""
    names = ["renderer", "renderer_version"]
    pairs = {
        (row["renderer"], row["renderer_version"])
        for images in snapshot.images.values()
        for row in images.select(names).group_by(names).aggregate([]).to_pylist()
    }
    out: dict[str, list[str]] = {}
    for name, version in sorted(pairs):
        out.setdefault(name, []).extend([version] if len(version) <= SHORT_VERSION else [])
    return out


def context(snapshot: Snapshot, beside: Beside) -> dict[str, Any]:
    """Everything that the template shows."""
    params, scenario = snapshot.params, snapshot.first_scenario
    agreed = consensus.build(snapshot)
    views = [_view(snapshot, ALL_QUESTIONS, "All questions")]
    if agreed.dropped:
        views.append(_view(snapshot, CONSENSUS, "Without what the consensus dropped"))
    standings = views[0].standings
    asked = snapshot.asked[scenario]
    shown = gallery.build(snapshot, standings)
    drew = _renderers(snapshot)
    robust, attacked = robustness.build(snapshot, standings), attacks.build(snapshot, standings)
    of_items = [q for item in shown.items for q in item.questions]
    return {
        "params": params,
        "snapshot_id": snapshot_id(params),
        "renderers": drew,
        "scenario": scenario,
        "n_scenes": len(snapshot.scenes),
        "n_asked": len(asked),
        "n_images": asked["scene_id"].combine_chunks().unique().__len__(),
        "n_subtasks": len(asked["subtask"].combine_chunks().unique()),
        "all_subtasks": len(SUBTASKS),
        "standings": standings,
        "views": views,
        "consensus": agreed,
        "filters": filters.build(snapshot),
        "audit": audit.build(snapshot),
        "question_types": QUESTION_TYPES,
        "comparisons": comparisons.build(snapshot, standings),
        "level": comparisons.LEVEL,
        "cost": cost.build(snapshot, standings),
        "strategies": STRATEGIES,
        "open_answers": gallery.OPEN_ANSWERS,
        "robustness": robust,
        "robustness_words": sentences(robust, attacked),
        "severities": robustness.SEVERITIES,
        "attacks": attacked,
        "side_by_side": side_by_side.build(snapshot, standings),
        "statistics": statistics.table2(snapshot),
        "funnel": funnel.build(snapshot),
        "rendering": attempts.build(snapshot),
        "methods": attempts.METHODS,
        "shown_models": marks.shown_models(standings, scenario),
        "figures": {
            name: embed.inline_svg(beside.figures / f"{name}.svg", about.title)
            for name in FIGURES
            if (about := read_about(beside.figures, name)).why_not is None
        },
        "gallery": shown,
        "outcomes": {
            k: v for k, v in outcomes.OUTCOMES.items() if any(k in q.outcomes for q in of_items)
        },
        "gallery_subtasks": [s for s in SUBTASKS if any(q.subtask == s for q in of_items)],
        "gallery_styles": [s for s in snapshot.styles if any(i.style == s for i in shown.items)],
        "parameters": parameters(params),
        "openmoji": "pictograph" in drew,
        "pictographs_alone": list(drew) == ["pictograph"],
    }


def render(snapshot: Snapshot, beside: Beside) -> str:
    """The report as HTML text."""
    script = _asset("report.js").strip()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    template = _environment().get_template("report.html.j2")
    return template.render(
        **context(snapshot, beside), css=_asset("report.css"), script=script, script_hash=digest
    )
