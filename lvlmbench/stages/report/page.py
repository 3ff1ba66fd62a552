"""The report itself: one HTML file that needs no network and runs no foreign script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import yaml

from lvlmbench import tables
from lvlmbench.analysis import comparisons, funnel, robustness
from lvlmbench.analysis.headlines import label_of
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Panel, Row, Value, by_strict
from lvlmbench.analysis.readings import Reading, readings
from lvlmbench.config import Params
from lvlmbench.config.headline import Headline
from lvlmbench.core.amounts import amount
from lvlmbench.core.untrusted import script_hash
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.snapshot.identity import snapshot_id
from lvlmbench.snapshot.reader import ALL_QUESTIONS, CONSENSUS, Snapshot, Which
from lvlmbench.stages.figures import legend
from lvlmbench.stages.render.renderer import RENDERERS, described
from lvlmbench.stages.report import (
    attacks,
    browser,
    consensus,
    filters,
    illustrations,
    opening,
    overview,
    sensitivity,
    summary,
    validity,
)
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.embed import variable
from lvlmbench.stages.report.formatting import asset, environment
from lvlmbench.stages.report.section import SECTIONS, menu_of
from lvlmbench.stages.stage import in_words
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import QUESTION_TYPES, TYPES

#: Keys that change how work is split or where files lie, but nothing that the report tells.
_LAYOUT = {
    ("corpus", "shard_scenes"),
    ("vocabulary", "folder"),
    ("render", "shard_images"),
    ("reference", "scenes", "shard_scenes"),
    ("reference", "training", "checkpoint_every"),
    ("validity", "rankings"),
    ("validity", "image_sets"),
    ("labels", "folder"),
}

#: Characters of a renderer's version that the head of the page has room for; longer ones stand
#: where it is told how the images came about.
SHORT_VERSION = 16
#: The page about the run, beside the report, and the folder of the whole sample browser, which lies
#: with the results of its suite.
RUN_PAGE = "run.html"
ITEM_PAGES = "report_items"
#: Where the browser goes in a page that is otherwise ready; no text can hold it, as ``<`` is
#: escaped.
_SECTION, _PICTURES = "<!--browser-->", "<!--browser pictures-->"
#: Bytes of the browser's section and of the elements around its data, at most.
_RESERVED = 32_768
#: Bytes of the page around those of several suites, and of what their quotation takes.
_AROUND = 400_000
#: The views of tables, in their order but for that of ``statistics.questions``, which is first.
_LABELS: dict[Which, str] = {
    ALL_QUESTIONS: "All questions",
    CONSENSUS: "Without what the consensus dropped",
}
#: Joined in this order; the page has one script, whose hash its policy names.
SCRIPTS = (
    "report.js", "browser_index.js", "browser_claims.js", "browser_pairs.js", "browser_item.js",
    "browser.js",
)  # fmt: skip
STYLES = ("report.css", "browser.css")


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


@dataclass(frozen=True)
class View:
    """The tables over all questions, or over those that the consensus keeps."""

    which: Which
    label: str
    leaderboard: Leaderboard
    ranked: dict[str, list[Row]]
    chance: dict[str, dict[str, Value | None]]
    panels: dict[str, list[Panel]]
    readings: list[Reading]


def _view(snapshot: Snapshot, which: Which) -> View:
    leaderboard, scenario = Leaderboard(snapshot, which), snapshot.first_scenario
    board = leaderboard.ranked()
    floors = {s: next((r for r in rows if r.kind == "floor"), None) for s, rows in board.items()}
    return View(
        which, _LABELS[which], leaderboard, board,
        {s: floor.by_type if floor else {} for s, floor in floors.items()},
        {
            "subtask": leaderboard.panels("subtask", scenario, snapshot.subtasks),
            "style": leaderboard.panels("style", scenario, snapshot.styles),
        },
        readings(snapshot, leaderboard),
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


@dataclass(frozen=True)
class Truth:
    """How it is known what a scenario's images show.

    ``described`` were made from a text by the ``renderers``, ``given`` are a user's own; the others
    were ``measured``. Validators in ``confirmed`` have looked whether pictures show their text.
    ``claimed`` of the ``asked`` questions are an examiner's own: their key is its claim.
    """

    images: int
    described: int
    renderers: list[str]
    given: int = 0
    confirmed: tuple[str, ...] = ()
    claimed: int = 0
    asked: int = 0

    @property
    def measured(self) -> int:
        """Images whose truth is neither a description alone nor what their owner says."""
        return self.images - self.described - self.given

    @property
    def words(self) -> str:
        """Where the truth comes from, by kind, in a few words."""
        text = "description"
        if self.confirmed:
            text += f", confirmed by {' and '.join(self.confirmed)},"
        kinds = {
            text: self.described, "given, annotated by their owner": self.given,
            "measured": self.measured, "claimed by examiners": self.claimed,
        }  # fmt: skip
        return " and ".join(words for words, n in kinds.items() if n).rstrip(",")


def _truth(snapshot: Snapshot, scenario: str) -> Truth:
    found = snapshot.images[scenario]["renderer"].value_counts().to_pylist()
    drew = {each["values"]: each["counts"] for each in found}
    told = described(drew)
    own = drew.get(tables.GIVEN, 0)
    params, asked = snapshot.params, snapshot.asked[scenario]
    writing = pa.array([model.name for model in params.examiner.examiners], pa.string())
    claimed = pc.sum(pc.is_in(asked["examiner"], value_set=writing)).as_py() or 0
    looked = suite_of(params).deciding(params) if told else ()
    return Truth(
        sum(drew.values()), sum(told.values()), sorted(told), own, looked, claimed, len(asked)
    )


def _head(snapshot: Snapshot) -> dict[str, Any]:
    """What the suite is about, and what the head counts.

    Scenes are planned for a subtask each and asked about other things as well, which are subtasks
    of their own.
    """
    suite, scenes = suite_of(snapshot.params), snapshot.scenes
    asked = snapshot.asked[snapshot.first_scenario]
    about = {*asked["subtask"].to_pylist()}
    images = asked["scene_id"].combine_chunks().unique()
    planned = scenes["subtask"].filter(pc.is_in(scenes["scene_id"], value_set=images))
    return {
        "about": suite.about,
        "what_images": "picture" if snapshot.given else "generated image",
        "n_scenes": len(scenes),
        "n_asked": len(asked),
        "n_images": len(images),
        "n_subtasks": len(about),
        "asked_about": about,
        "planned_subtasks": len(pc.unique(planned)),
        "all_subtasks": len(subtasks_of(snapshot.params.kind)),
        "again": summary.again(snapshot),
    }


def _unanswered(snapshot: Snapshot, leaderboard: Leaderboard) -> str:
    """Why there is no answer at all, in a sentence; empty where some model answered."""
    if leaderboard.models:
        return ""
    asked = amount(sum(map(len, snapshot.asked.values())), "question")
    return funnel.nothing_asked(snapshot) or f"no answer to {asked} came back"


def _scenarios(snapshot: Snapshot, leaderboard: Leaderboard) -> str:
    """The scenarios as readers see them: those of the tables, those with sections of their own,
    and those that nothing was asked in; all alike where nothing was asked at all."""
    names = snapshot.params.scenarios.names
    silent = [n for n in names if n in snapshot.asked and not len(snapshot.asked[n])]
    if not leaderboard.scenarios:
        return ", ".join(map(plain, names))
    apart = [n for n in names if n not in leaderboard.scenarios and n not in silent]
    parts = {
        "": leaderboard.scenarios,
        "in sections of their own: ": apart,
        "nothing asked in: ": silent,
    }
    return "; ".join(words + ", ".join(map(plain, part)) for words, part in parts.items() if part)


def _types(snapshot: Snapshot) -> list[str]:
    """Types of questions that are asked in some scenario, in the order of tables."""
    asked = {t for table in snapshot.asked.values() for t in table["question_type"].to_pylist()}
    return [t for t in QUESTION_TYPES if t in asked]


def _heading(snapshot: Snapshot, leaderboard: Leaderboard) -> dict[str, Any]:
    """What the number is that heads the page, and what its tables have beside it."""
    headline, named = leaderboard.headline, label_of(snapshot.params)
    types, outline = _types(snapshot), overview.outline(snapshot)
    return {
        "outline": outline,
        "tells": outline.tells,
        "coarse": outline.coarse,
        "columns": outline.columns(leaderboard),
        "headline": headline,
        "headline_title": named[:1].upper() + named[1:],
        "percent": Headline(),
        "caption_floor": leaderboard.caption_floor(snapshot.first_scenario),
        "scored_types": [t for t in types if TYPES[t].judged or headline.captions],
    }


def context(snapshot: Snapshot, beside: Beside) -> dict[str, Any]:
    """Everything that the template shows."""
    params, scenario = snapshot.params, snapshot.first_scenario
    agreed = consensus.build(snapshot)
    wanted = sorted(_LABELS, key=lambda which: which != snapshot.which)
    views = [_view(snapshot, which) for which in (wanted if agreed.dropped else wanted[:1])]
    leaderboard = views[0].leaderboard
    drew = _renderers(snapshot)
    drawers = [kind for name in drew if (kind := RENDERERS.find(name))]
    robust, attacked = robustness.build(snapshot, leaderboard), attacks.build(snapshot, leaderboard)
    differences = comparisons.build(snapshot, leaderboard)
    spread = sensitivity.build(snapshot, leaderboard, scenario)
    valid = validity.build(beside.validity)
    found: dict[str, Any] = {
        "params": params,
        "snapshot_id": snapshot_id(params, snapshot.data),
        "renderers": drew,
        "scenario": scenario,
        "unanswered": _unanswered(snapshot, leaderboard),
        **_head(snapshot),
        "leaderboard": leaderboard,
        "by_strict": by_strict,
        **_heading(snapshot, leaderboard),
        "scenarios": _scenarios(snapshot, leaderboard),
        "views": views,
        "without": snapshot.without,
        "counting": snapshot.without or "all questions",
        "summary": summary.build(snapshot, leaderboard, differences, robust, spread, valid),
        "opening": opening.build(snapshot, leaderboard),
        "consensus": agreed,
        "filters": filters.build(snapshot),
        "truth": _truth(snapshot, scenario),
        "all_types": _types(snapshot),
        "comparisons": differences,
        "robustness": robust,
        "attacks": attacked,
        "sensitivity": spread,
        "funnel": funnel.build(snapshot),
        "color_of": {
            model: variable(color)
            for model, (color, _) in legend.assigned(
                [*dict.fromkeys(m for view in views for m in view.leaderboard.listed)],
                leaderboard.guessers,
            ).items()
        },
        "shown_models": legend.shown_models(leaderboard, scenario),
        "illustrations": illustrations.build(params, beside.figures),
        "validity": valid,
        "validity_level": validity.LEVEL,
        "submitted": beside.submitted,
        "run_page": RUN_PAGE,
        "parameters": parameters(params),
        "picture": in_words(),
        "openmoji": any(kind.art for kind in drawers),
        "pictographs_alone": [kind.simple for kind in drawers] == [True] and len(drew) == 1,
    }
    for section in SECTIONS.ordered():
        found |= section(snapshot, beside, found)
    return found | _sections(found)


def _sections(found: Mapping[str, Any]) -> dict[str, Any]:
    """The sections that a page with these values has, and those that it lacks for a reason."""
    shown = [each for each in SECTIONS.ordered() if each.shown(found)]
    rest = [each for each in SECTIONS.ordered() if each.missing and each not in shown]
    absent = [] if found["unanswered"] else rest
    return {"sections": shown, "absent": absent, "menu": menu_of(shown)}


def style() -> str:
    """The style sheet of all pages."""
    return "\n".join(asset(name) for name in STYLES)


def render(snapshot: Snapshot, beside: Beside) -> str:
    """The report as HTML text, with as much of the sample browser as ``report.megabytes`` allows;
    without it where nothing was answered.

    Raises
    ------
    UserError
        A table, a figure, or what another stage has made is missing or damaged.
    """
    script = "\n".join(asset(name).strip() for name in SCRIPTS)
    env = environment()
    found = context(snapshot, beside)
    page = env.get_template("report.html.j2").render(
        **found, css=style(), script=script, script_hash=script_hash(script)
    )
    if found["unanswered"]:
        return page
    suites = 1 + len(beside.others)
    room = int(snapshot.params.report.megabytes * 1e6) - (_AROUND if suites > 1 else 0)
    room = room // suites - len(page.encode()) - _RESERVED
    made = browser.build(snapshot, found["leaderboard"], max(room, 0), beside.submitted)
    for mark, name in ((_SECTION, "browser.html.j2"), (_PICTURES, "browser_data.html.j2")):
        before, after = page.split(mark)
        page = (
            before
            + env.get_template(name).render(browser=made, suite=snapshot.params.suite)
            + after
        )
    return page


def whole(name: str, pages: Mapping[str, str], told: overview.Overview) -> str:
    """The report over all suites: the page of the one, or a page that opens with an overview of
    several and holds their pages."""
    if len(pages) == 1:
        return next(iter(pages.values()))
    template = environment().get_template("suites.html.j2")
    return template.render(name=name, pages=pages, overview=told, css=style())
