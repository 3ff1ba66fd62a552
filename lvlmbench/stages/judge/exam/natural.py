"""The exam of judges on natural text: descriptions in the style of real models, labelled by people.

The descriptions lie in ``data/natural`` (its README tells how they were made). They were written
from pictures, without the key; every false statement in them is marked, and of every feature that
an answer owes it is known whether it is left out. Rules were tuned on the part ``dev`` alone;
``faithful`` has careful descriptions, in which nothing false was planted.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pyarrow.parquet as pq

from lvlmbench.scene.claims import WRONG, Claim, Match, Scope, Truth, counting, missed, tally
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import truth_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.judge.exam.outcome import ALL, Cell, Number, Outcome, Spent, of_share, outcome
from lvlmbench.stages.judge.judge import Answer, Judge
from lvlmbench.stats.ratios import share

Part = Literal["dev", "test", "faithful"]

#: Folder of the descriptions, relative to the project's root.
FOLDER = "data/natural"
#: Requests to a served judge for each description: to read it, and to compare its claims.
PER_TEXT = 2
#: Treatment of the exam that these descriptions are.
NATURAL = "natural"
_MEASURES = ("made_up", "left_out", "found", "undecided")

_Spans = list[tuple[int, int]]


@dataclass(frozen=True)
class Described:
    """A labelled description.

    Attributes
    ----------
    answer
        The text, and what its picture shows.
    scene, style
        Of the picture, and of the text.
    scope
        What it was to speak of.
    errors, doubtful
        Characters of its false statements, by kind; of statements that people could not decide.
    left_out, open
        Owed features that it does not state; those of which people could not say whether it does.
    """

    answer: Answer
    scene: str
    style: str
    scope: Scope
    errors: Sequence[tuple[str, tuple[int, int]]]
    doubtful: _Spans
    left_out: frozenset[str]
    open: frozenset[str]


def descriptions(folder: Path, part: Part, vocabulary: Vocabulary) -> list[Described]:
    """Return the labelled descriptions of a part, in their order.

    Parameters
    ----------
    folder
        ``data/natural``.
    """
    about = json.loads((folder / "pictures.json").read_text(encoding="utf-8"))
    pictures = about["pictures"]
    truths = dict(_truths(folder, about, vocabulary))
    lines = (folder / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_described(json.loads(line), pictures, truths) for line in lines]


def _truths(
    folder: Path, drawing: Mapping[str, Any], vocabulary: Vocabulary
) -> Iterator[tuple[str, Truth]]:
    """What each picture shows, by its name; owed is what was owed when texts were labelled."""
    scenes, layouts = (
        pq.read_table(folder / f"{name}.parquet").to_pylist() for name in ("scenes", "layouts")
    )
    side, renderer = drawing["side"], drawing["renderer"]
    by_id = {row["scene_id"]: row for row in scenes}
    drawn = defaultdict[str, list[Any]](list)
    for row in layouts:
        drawn[row["scene_id"]].append(row)
    for name, about in drawing["pictures"].items():
        scene, owed = by_id[about["scene_id"]], frozenset(about["owed"])
        layout = drawn[about["scene_id"]]
        truth = truth_of(Graph.of(scene), layout, side, vocabulary, renderer=renderer)
        features = (replace(each, optional=each.feature not in owed) for each in truth.features)
        yield name, replace(truth, features=tuple(features))


def _described(
    row: Mapping[str, Any], pictures: Mapping[str, Any], truths: Mapping[str, Truth]
) -> Described:
    about, text = pictures[row["picture"]], row["text"]
    last = Counter[str]()
    errors = []
    for each in row["errors"]:
        start = text.index(each["span"], last[each["span"]])
        last[each["span"]] = start + len(each["span"])
        errors.append((each["what"], (start, last[each["span"]])))
    return Described(
        Answer(row["id"], about["question"], text, truths[row["picture"]]),
        about["scene_id"],
        row["style"],
        Scope(tuple(about["scope"]["kinds"]), about["scope"]["relations"]),
        errors,
        [(at, at + len(span)) for span in row["unclear"] if (at := text.find(span)) >= 0],
        frozenset(row["left_out"]),
        frozenset(row["not_judged"]),
    )


@dataclass
class Flags:
    """What a judge says of some descriptions beside what people do: hits and trials by scene.

    Attributes
    ----------
    counts
        Measure -> scene -> hits and trials. ``made_up`` counts the claims that the judge calls
        wrong, ``left_out`` the features that it finds missing, ``found`` the false statements of
        people; hits are those that the other side says too. ``undecided`` counts claims and owed
        features; hits are those that the judge leaves open.
    statuses
        Descriptions by what came of judging them.
    """

    counts: dict[str, dict[str, list[int]]] = field(
        default_factory=lambda: {name: defaultdict(lambda: [0, 0]) for name in _MEASURES}
    )
    statuses: Counter[str] = field(default_factory=Counter)

    def add(self, measure: str, scene: str, hits: int, trials: int = 1) -> None:
        """Add what a description adds."""
        cell = self.counts[measure][scene]
        cell[0], cell[1] = cell[0] + hits, cell[1] + trials

    def numbers(self) -> Iterator[Number]:
        """Yield the shares, with intervals clustered by scene."""
        for measure in _MEASURES:
            scenes = ((hits, trials) for hits, trials in self.counts[measure].values())
            yield from of_share(measure, share(scenes))


def flags(judge: Judge, some: Sequence[Described]) -> dict[str, Flags]:
    """Return what a judge says of descriptions beside what people do, by style and over all."""
    found: dict[str, Flags] = defaultdict(Flags)
    by_key = {each.answer.key: each for each in some}
    claims: dict[str, Sequence[Claim]] = {}
    given = []
    for answer, reading in judge.read(each.answer for each in some):
        if reading.status == "judged":
            claims[answer.key] = reading.claims
            given.append((replace(answer, unread=reading.unread), reading.claims))
        else:
            for name in (ALL, by_key[answer.key].style):
                found[name].statuses[reading.status] += 1
    for answer, holding in judge.hold(given):
        one = by_key[answer.key]
        for name in (ALL, one.style):
            found[name].statuses[holding.status] += 1
            if holding.status == "judged":
                _mark(one, claims[answer.key], holding.matches, holding.unsure, found[name])
    return found


def _mark(
    one: Described,
    claims: Sequence[Claim],
    matches: Sequence[Match],
    unsure: Sequence[str],
    sheet: Flags,
) -> None:
    """Mark what a judge says of one description."""
    errors = [span for _, span in one.errors]
    by_number = {claim.number: claim for claim in claims}
    for claim, match in counting(claims, matches, one.scope):
        if match.verdict in WRONG:
            about = by_number.get(-1 if claim.about is None else claim.about, claim)
            spans = [(each.start, each.end) for each in (claim, about)]
            right = any(_meets(span, errors) for span in spans)
            if right or not _meets(spans[0], one.doubtful):
                sheet.add("made_up", one.scene, right)
    wrong = [(by_number[m.claim].start, by_number[m.claim].end)
             for m in matches if m.verdict in WRONG]  # fmt: skip
    for kind, span in one.errors:
        if kind in one.scope.kinds:
            sheet.add("found", one.scene, _meets(span, wrong))
    truth = one.answer.truth
    for feature in missed(claims, matches, truth, one.scope, unsure):
        if feature.feature not in one.open:
            sheet.add("left_out", one.scene, feature.feature in one.left_out)
    sums = tally(claims, matches, truth, one.scope, unsure)
    left = sums.unverifiable + sums.unsure
    sheet.add("undecided", one.scene, left, left + sums.true + sums.wrong + sums.owed)


def _meets(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    """Whether a span shares characters with others."""
    return any(span[0] < end and start < span[1] for start, end in others)


def outcomes(name: str, judge: Judge, some: Sequence[Described]) -> Iterator[Outcome]:
    """Yield what comes of giving a judge natural descriptions, by style and over all."""
    before = len(judge.requests)
    found = flags(judge, some) if some else {}
    rows = judge.requests[before:]
    costs = [row["cost_usd"] for row in rows if row.get("cost_usd") is not None]
    spent = Spent(len(rows), sum(costs) if costs else None)
    for style in sorted(found, key=lambda each: (each != ALL, each)):
        cell = Cell(name, "text", NATURAL, style)
        for number in found[style].numbers():
            yield outcome(cell, number, found[style].statuses, spent if style == ALL else None)
