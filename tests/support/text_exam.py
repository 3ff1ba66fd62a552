"""An exam on pictures of texts: parameters, a renderer that writes prompts into pixels, tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.stages.check.looking import Looker
from lvlmbench.stages.examiner import run as examiner
from lvlmbench.stages.planner import run as planner
from lvlmbench.stages.render.renderer import Attempt, Depiction, Drawn, Failed, Making, Scene
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.shard import Outputs, Shard, write_shard
from lvlmbench.suites.suite import suite_of
from support.answer_tables import SERVER
from support.examined import at
from support.planned_exam import KIND, planned
from support.render_scenes import vocabulary
from support.written_pictures import spoiled, written

TEXT_SERVER = SERVER.with_name("text_exam_server.py")
Row = dict[str, Any]


def text_params(
    url: str, validators: Sequence[str] = ("eye",), rounds: int = 2, **own: Any
) -> Params:
    """Parameters of an exam in words of one's own, whose models are all at one server."""
    section = at(url)
    mine = {"words": "reading traffic", "truth": "description", "general": 2, "fine": 2, **own}
    pictures = rounds * 4 * len(mine.get("at", (1, 2, 3)))
    model = {"engine": "openai_chat", "endpoint": section}
    return validate({
        "suite": KIND, "kind": KIND, "snapshot": {"seed": 5},
        "render": {"size": 64, "renderer": "diffusion"},
        "corpus": {"subtasks": ["own_request"], "scenes_per_subtask": pictures, KIND: mine},
        "examiner": {"examiners": [{"name": "gpt", **model}], "planners": ["gpt"]},
        "validator": {"validators": [{"name": name, **model} for name in validators]},
    })  # fmt: skip


class Writes:
    """A sampler that writes prompts into pictures, spoiled in the first attempts if that is wanted.

    Parameters
    ----------
    spoils
        Attempts at each scene whose picture is not as described.
    failing
        Attempts at each scene that fail.
    """

    name, version = "writes", "writes-1"
    provenance: Mapping[str, Any] | None = None

    def __init__(self, spoils: int = 0, failing: Sequence[int] = ()) -> None:
        self._spoils, self._failing = spoils, failing
        self.asked: list[Attempt] = []

    def refuses(self, scene: Scene) -> str | None:
        """Nothing."""
        return None

    def draw(self, scene: Scene) -> Depiction:
        """The first attempt."""
        return Depiction(written(scene["prompt"], scene["seed"]))

    def batches(self, attempts: Sequence[Attempt]) -> list[list[Attempt]]:
        """Each by itself."""
        return [[attempt] for attempt in attempts]

    def draw_batches(self, batches: Iterable[Sequence[Attempt]]) -> Iterator[Drawn | Failed]:
        """What comes of each."""
        for [attempt] in batches:
            self.asked.append(attempt)
            if attempt.number in self._failing:
                yield Failed(attempt, "timeout", "no reply within 1 s")
                continue
            prompt = attempt.scene["prompt"]
            if attempt.number < self._spoils:
                prompt = spoiled(prompt)
            yield Drawn(attempt, written(prompt, attempt.seed), Making("text-to-image"))


class Exam(NamedTuple):
    """What came of an exam, up to its pictures."""

    params: Params
    scenes: pa.Table
    descriptions: pa.Table
    images: pa.Table
    verdicts: pa.Table
    attempts: pa.Table
    checks: pa.Table
    requests: pa.Table


def drawn(params: Params, renderer: Writes, folder: Path) -> Exam:
    """Plan and draw an exam; the answers of models are kept in the folder."""
    suite, known = suite_of(params), vocabulary()
    outs = planner.Outs(*(folder / f"{name}.parquet" for name in planner.Outs._fields))
    cache = folder / "answers.sqlite"
    planner.plan_files(params, "gpt", outs, cache)
    n = params.corpus.n_scenes
    scenes, descriptions = suite.planned_by(params, known, 0, n, planned(outs))
    confirmer = suite.confirmer(params, known, descriptions)
    assert confirmer is not None
    looker = Looker(params, confirmer, cache)
    shard = Shard(params, known, scenes, renderer, folder / "kept", Progress(), (), looker)
    names = (
        "images", "verdicts", "attempts", "layouts", "requests", "checks", "check_requests",
    )  # fmt: skip
    outputs = Outputs(*(folder / f"drawn-{name}.parquet" for name in names))
    write_shard(shard, outputs, "test")
    return Exam(
        params, scenes, descriptions,
        tables.read([outputs.images], tables.IMAGES),
        tables.read([outputs.verdicts], tables.VERDICTS),
        tables.read([outputs.attempts], tables.ATTEMPTS),
        tables.read([outputs.checks], tables.ATTEMPT_CHECKS),
        tables.read([outputs.check_requests], tables.ATTEMPT_REQUESTS),
    )  # fmt: skip


def asked(exam: Exam, folder: Path) -> tuple[pa.Table, pa.Table]:
    """Have the examiner ask; returns proposals and questions."""
    paths = {name: folder / f"{name}-in.parquet" for name in ("scenes", "layouts", "checks")}
    empty = tables.LAYOUTS.empty_table()
    for name, table, kind in (
        ("scenes", exam.scenes, tables.SCENES), ("layouts", empty, tables.LAYOUTS),
        ("checks", exam.checks, tables.ATTEMPT_CHECKS),
    ):  # fmt: skip
        tables.write(table, paths[name], kind, "s")
    outs = examiner.Outs(folder / "proposals.parquet", folder / "exam_requests.parquet")
    files = examiner.Files(
        [paths["scenes"]], [paths["layouts"]], [folder / "aspects.parquet"], [paths["checks"]]
    )
    examiner.propose_files(exam.params, "gpt", files, outs, folder / "answers.sqlite")
    proposals = tables.read([outs.proposals], tables.PROPOSALS)
    suite = suite_of(exam.params)
    questions = suite.proposed(
        exam.params, vocabulary(), exam.scenes, empty, proposals, exam.checks
    )
    return proposals, questions
