"""From what judges say to the table ``hallucination``, one judge, model and scenario at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.hallucination.association import Design, associated, claims_it
from lvlmbench.analysis.hallucination.comparators import Closed, comparators
from lvlmbench.analysis.hallucination.gold import against
from lvlmbench.analysis.hallucination.order import by_prior, order
from lvlmbench.analysis.hallucination.probes import NEGATIVES, Probe, probe_of, probed
from lvlmbench.analysis.hallucination.reading import answers, judged_models
from lvlmbench.analysis.hallucination.released import released
from lvlmbench.analysis.hallucination.saying import at_length, by_kind, counts, headline
from lvlmbench.analysis.hallucination.told import ALL, Part, Told
from lvlmbench.analysis.hallucination.totals import Numbers, Totals
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id, vocabulary_dir
from lvlmbench.labelling.gold import Gold, gold_of
from lvlmbench.scene.claims import ANYTHING, Scope
from lvlmbench.scene.truth import from_rows
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.suites.suite import measuring, suite_of
from lvlmbench.tables.by_scene import ByScene

Row = dict[str, Any]

_QUESTIONS = ("question_id", "question_type", "scene_id", "key", "factors")
_DESIGNS = ("scene_id", "arm", "triplet", "expected", "statistic")
_SCORES = ("question_id", "scene_id", "subtask", "correct", "scored")


def write_hallucination(params: Params, data: Path, labels: Path, out: Path) -> None:
    """Write the table of a suite; it is empty where nothing is answered freely nor probed.

    Where nobody lists what any picture shows, free answers have no numbers. In dialogue
    descriptions alone have some: a story makes things up, as it should.

    Parameters
    ----------
    data
        Folder of the suite's tables.
    labels
        Folder of what people say; gold claims may be there.

    Raises
    ------
    UserError
        A file is missing, damaged or of other answers.
    """
    snapshot = Snapshot(params, data)
    found = tables.HALLUCINATION.of(rows(snapshot, labels))
    tables.write(found, out, tables.HALLUCINATION, params_id(params))


def rows(snapshot: Snapshot, labels: Path) -> Iterator[Row]:
    """Yield the rows of the table, judge by judge, model by model; then those of probes."""
    params = snapshot.params
    asked = snapshot.read(tables.QUESTIONS, _QUESTIONS)
    free = asked.filter(pc.invert(tables.judged(asked["question_type"])))
    known = Known(snapshot, free, labels)
    if len(free) and len(known.truths):
        for judge in params.judge.judges:
            for scenario in params.scenarios.names:
                for model in judged_models(snapshot, judge.name, scenario):
                    names = {"judge": judge.name, "model": model, "scenario": scenario}
                    found = Numbers(_judged(snapshot, known, names), snapshot.clusters)
                    for number in found.rows():
                        yield {**names, **number._asdict()}
    probes = {
        row["question_id"]: probe
        for row in asked.select(["question_id", "key"]).to_pylist()
        if (probe := probe_of(row["key"])) is not None
    }
    for names in _asked(snapshot) if probes else ():
        for probed_by in _probed(snapshot, probes, names).values():
            for number in Numbers(probed_by, snapshot.clusters).rows(headline=False):
                yield {"judge": ALL, **names, **number._asdict()}


def _asked(snapshot: Snapshot) -> Iterator[dict[str, str]]:
    """Each model with each scenario in which its answers are scored."""
    for scenario in snapshot.params.scenarios.names:
        for model in snapshot.params.answer.models:
            names = {"model": model.name, "scenario": scenario}
            if snapshot.folder(tables.SCORES, **names).exists():
                yield names


@dataclass
class Known:
    """What answers are held against.

    Attributes
    ----------
    free
        Questions that are answered freely.
    labels
        Folder of what people say.
    """

    snapshot: Snapshot
    free: pa.Table
    labels: Path

    @cached_property
    def priors(self) -> Mapping[str, str]:
        """Questions of which it is known whether the picture is as the world is -> whether."""
        rows = self.free.select(["question_id", "factors"]).to_pylist()
        found = {row["question_id"]: (row["factors"] or {}).get("prior") for row in rows}
        return {name: prior for name, prior in found.items() if prior is not None}

    @cached_property
    def designs(self) -> Mapping[str, Design]:
        """What scenes were made for; of suites without designs nothing."""
        found = self.snapshot.read(tables.DESIGNS, _DESIGNS).to_pylist()
        return {row["scene_id"]: Design(*(row[name] for name in _DESIGNS[1:])) for row in found}

    @cached_property
    def truths(self) -> ByScene:
        """Rows of ``truth`` by scene."""
        wanted = pc.field("scene_id").isin(pc.unique(self.free["scene_id"]))
        parts = self.snapshot.parts(tables.TRUTH)
        return ByScene(tables.read(parts, tables.TRUTH, where=wanted))

    @cached_property
    def closed(self) -> Closed:
        """Words that comparators know."""
        params = self.snapshot.params
        return Closed.of(load_vocabulary(vocabulary_dir(params)), measuring(params))

    @cached_property
    def scopes(self) -> Mapping[str, Scope]:
        """What answers are to speak of, by subtask."""
        params = self.snapshot.params
        return suite_of(params).scopes(params)

    @cached_property
    def no_descriptions(self) -> frozenset[str]:
        """Tasks of dialogue whose answers are no descriptions, so that no claims of them count."""
        params = self.snapshot.params
        tasks = suite_of(params).dialogue(params)
        return frozenset(name for name, task in tasks.items() if not task.rated)

    @cached_property
    def gold(self) -> Gold:
        """What people say of claims."""
        return gold_of(self.snapshot, self.labels)


def _judged(snapshot: Snapshot, known: Known, names: Mapping[str, str]) -> dict[str, Totals]:
    """What the answers of a model in a scenario add up to, as a judge sees them, by subtask."""
    found: dict[str, Totals] = {}
    for answer in answers(snapshot, **names):
        if answer.subtask in known.no_descriptions:
            continue
        totals = found.setdefault(answer.subtask, Totals())
        totals.count(answer.judged)
        if not answer.judged:
            continue
        scene, scope = answer.scene_id, known.scopes.get(answer.subtask, ANYTHING)
        truth = from_rows(known.truths.of(scene))
        told = Told(scene, answer.claims, answer.matches, truth, scope, answer.unsure)
        design = known.designs.get(scene)
        totals.add(scene, _parts(told, known, design))
        if answer.question_id in known.priors:
            totals.add(scene, by_prior(told, known.priors[answer.question_id]))
        if design is not None and design.triplet is not None and design.expected is not None:
            says = claims_it(told, design, known.closed)
            totals.add_pair(design.triplet, design.arm, says, design.statistic or ALL)
        whose = names["model"], names["scenario"], answer.question_id, answer.image_id
        if whose in known.gold:
            totals.add(scene, against(told, known.gold[whose], known.closed))
    return found


def _parts(told: Told, known: Known, design: Design | None) -> Iterator[Part]:
    for measure in (headline, by_kind, at_length, counts, order, released):
        yield from measure(told)
    yield from comparators(told, known.closed, None if design is None else design.absent)
    if design is not None:
        yield from associated(told, design, known.closed)


def _probed(
    snapshot: Snapshot, probes: Mapping[str, Probe], names: Mapping[str, str]
) -> dict[str, dict[str, Totals]]:
    """What a model's answers to probes add up to in a scenario, by negatives and subtask."""
    found: dict[str, dict[str, Totals]] = {negatives: {} for negatives in NEGATIVES}
    ids = pa.array(probes, pa.string())
    for shard in snapshot.shards(tables.SCORES, _SCORES, **names):
        for row in shard.filter(pc.is_in(shard["question_id"], value_set=ids)).to_pylist():
            probe = probes[row["question_id"]]
            totals = found[probe.negatives].setdefault(row["subtask"], Totals())
            totals.count(row["scored"])
            if row["scored"]:
                totals.add(row["scene_id"], probed(probe, row["correct"]))
    return found
