"""The section on an exam: what was asked for, what came of it, and how it was checked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.metrics.independent import dependent
from lvlmbench.stages.metrics.rows import ALL
from lvlmbench.stages.render.retries.records import KEPT, REFUSED
from lvlmbench.stages.report import planned, proposed
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.kinds.levels import levels_of
from lvlmbench.stages.report.section import SECTIONS, Values
from lvlmbench.suites.instructions import letter
from lvlmbench.suites.suite import suite_of

Row = Mapping[str, Any]

#: Accuracy without what is not independent of the model; there where that is some.
_INDEPENDENT = "accuracy_independent"
#: What becomes of a planned item, in the order of the steps; the last one is asked.
STEPS = (
    "needs_endpoint", "not_described", "not_drawable", "not_drawn", "given_up", "filtered",
    "not_asked", "asked",
)  # fmt: skip

#: Where the truth comes from of what an examiner behind an endpoint asks.
CLAIMED = "claimed by the examiner"


@dataclass
class Request:
    """What became of one request.

    Attributes
    ----------
    steps
        Step -> how many of its items ended there.
    general
        General aspect -> its fine-grained ones, each with its name, its truth and how many of its
        items were asked.
    attempts
        Pictures drawn.
    """

    name: str
    steps: Counter[str] = field(default_factory=Counter)
    general: dict[str, dict[str, tuple[str, str, int]]] = field(default_factory=dict)
    attempts: int = 0

    @property
    def planned(self) -> int:
        """How many items were asked for."""
        return self.steps.total()


@dataclass(frozen=True)
class Scored:
    """What a model reaches in one request: by level, in all, and without the picture.

    What an examiner of its own family asked counts in ``plain`` alone, which is None where that is
    nothing.
    """

    request: str
    model: str
    by_level: list[Value | None]
    total: Value | None
    blind: Value | None
    plain: Value | None = None


@dataclass(frozen=True)
class Exam:
    """All that the section shows; ``by_text`` where texts say what pictures show."""

    requests: list[Request]
    scored: list[Scored]
    blind: str | None
    rejected: list[tuple[str, int]]
    checks: list[tuple[str, int, int]]
    letters: list[tuple[str, int]]
    repeated: int
    examiners: list[proposed.Examiner]
    planners: list[planned.Planner] = field(default_factory=list)
    by_text: bool = False


def _step(row: Row, drawn: Mapping[str, bool], last: Mapping[str, Row], kept: set[str],
          asked: set[str]) -> str:  # fmt: skip
    scene = row["scene_id"]
    if row["status"] != "made":
        return str(row["status"]) if row["status"] in STEPS else "not_described"
    if not drawn.get(scene, False):
        return "not_drawn"
    if scene in last and last[scene]["outcome"] != KEPT:
        return "given_up"
    if scene not in kept:
        return "filtered"
    return "asked" if scene in asked else "not_asked"


def _requests(
    snapshot: Snapshot,
    descriptions: Sequence[Row],
    claimed: Set[str] = frozenset(),
    deciding: Sequence[str] = (),
) -> list[Request]:
    """What became of all requests; of ``claimed`` scenes examiners behind endpoints say what is
    right, and ``deciding`` validators have confirmed texts."""
    rendered = snapshot.rendered
    drawn = dict(zip(rendered["scene_id"].to_pylist(), rendered["keep"].to_pylist(), strict=True))
    last: dict[str, Row] = {}
    tries: Counter[str] = Counter()
    for attempt in snapshot.attempts.to_pylist():
        last[attempt["scene_id"]] = attempt
        tries[attempt["scene_id"]] += attempt["outcome"] != REFUSED
    kept = {*snapshot.kept_scenes.to_pylist()}
    asked = {*snapshot.questions["scene_id"].to_pylist()}
    found: dict[str, Request] = {}
    for row in descriptions:
        one = found.setdefault(row["subtask"], Request(row["subtask"]))
        step = _step(row, drawn, last, kept, asked)
        one.steps[step] += 1
        one.attempts += tries[row["scene_id"]]
        fine = one.general.setdefault(row["general"], {})
        _, before, n = fine.get(row["aspect"], ("", "", 0))
        truth = row["truth"] if row["family"] else "cannot be planned yet"
        by_model = row["family"] is None and row["status"] != "needs_endpoint"
        if row["truth"] == "description":
            truth = f"description (confirmed by {' and '.join(deciding)})"
        elif by_model or (row["status"] == "made" and row["scene_id"] in claimed):
            truth = CLAIMED
        words = dict.fromkeys([*filter(None, before.split(", ")), truth])
        fine[row["aspect"]] = row["called"], ", ".join(words), n + (step == "asked")
    return list(found.values())


def _scored(snapshot: Snapshot, board: Leaderboard, requests: Sequence[Request]) -> list[Scored]:
    levels, first, blind = levels_of(snapshot), snapshot.first_scenario, _blind(snapshot)
    asked_by = {*snapshot.questions["examiner"].to_pylist()}
    own = {name for name, of in dependent(snapshot.params).items() if asked_by & {*of}}

    def plain(model: str, request: str, level: str = ALL, scenario: str = first,
              metric: str = "accuracy") -> Value | None:  # fmt: skip
        return board.value(model, scenario, metric, tables.OFFERING[0], request, level=level)

    def value(model: str, request: str, level: str = ALL, scenario: str = first) -> Value | None:
        metric = _INDEPENDENT if model in own else "accuracy"
        return plain(model, request, level, scenario, metric)

    return [
        Scored(
            request.name,
            model,
            [value(model, request.name, level) for level in levels],
            value(model, request.name),
            value(model, request.name, scenario=blind) if blind else None,
            plain(model, request.name) if model in own else None,
        )
        for request in requests
        for model in board.models
        if request.steps["asked"]
    ]


def _blind(snapshot: Snapshot) -> str | None:
    """The scenario that shows no picture, where there is one."""
    noisy = snapshot.params.scenarios.noisy
    kinds = {spec.name: spec.made_by() for spec in noisy if not (spec.drafts or spec.checks)}
    names = [n for n in snapshot.params.scenarios.names if n in kinds]
    return next((n for n in names if kinds[n] is not None and not kinds[n].pictures), None)


def _rejected(snapshot: Snapshot) -> list[tuple[str, int]]:
    """Why pictures were rejected, by what stands before a colon."""
    reasons = Counter(
        str(row["reason"]).partition(":")[0]
        for row in snapshot.attempts.to_pylist()
        if row["outcome"] not in (KEPT, REFUSED)
    )
    return reasons.most_common()


def _checks(rows: Sequence[Row]) -> list[tuple[str, int, int]]:
    by_type: dict[str, list[bool]] = defaultdict(list)
    for row in rows:
        by_type[row["element_type"]].append(row["correct"])
    return sorted((name, len(right), sum(right)) for name, right in by_type.items())


@SECTIONS.register(
    "exam",
    place=20,
    menu="Exam",
    title="Requests and aspects",
    when=lambda found: found["exam"] is not None,
    missing="the suite plans no exam",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what an examiner planned and what came of it; nothing where none did."""
    folder = snapshot.folder(tables.DESCRIPTIONS)
    descriptions = tables.read(folder, tables.DESCRIPTIONS).to_pylist()
    if not descriptions:
        return {"exam": None}
    examiners = proposed.build(snapshot)
    claimed = frozenset[str]().union(*(each.scenes for each in examiners))
    deciding = suite_of(snapshot.params).deciding(snapshot.params)
    requests = _requests(snapshot, descriptions, claimed, deciding)
    checks = tables.read(snapshot.folder(tables.VALIDATION), tables.VALIDATION)
    checks = checks.filter(pc.is_in(checks["scene_id"], value_set=snapshot.scenes["scene_id"]))
    places = Counter(snapshot.questions["answer_index"].to_pylist())
    scored = _scored(snapshot, found["leaderboard"], requests)
    of_levels = [value for each in scored for value in each.by_level if value is not None]
    return {
        "exam_levels": levels_of(snapshot) if any(map(found["tells"], of_levels)) else [],
        "exam_steps": STEPS,
        "exam": Exam(
            requests,
            scored,
            _blind(snapshot),
            _rejected(snapshot),
            _checks(checks.to_pylist()),
            [(letter(at), places[at]) for at in sorted(p for p in places if p is not None)],
            sum(bool(row["repeated"]) for row in descriptions),
            examiners,
            planned.build(snapshot),
            any(row["truth"] == "description" for row in descriptions),
        ),
    }
