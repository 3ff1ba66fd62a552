"""The one reader of what a run made: the tables of a suite, column by column, no image bytes."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params, Project, suite_of
from lvlmbench.config.layers import load_layers
from lvlmbench.config.render import AUTO
from lvlmbench.core.errors import UserError
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.guessing import with_chance
from lvlmbench.snapshot.kept import WITHOUT, dropped_questions, kept_scenes, without

_IMAGE_COLUMNS = [name for name in tables.IMAGES.names if name != "image"]
_ATTEMPT_COLUMNS = [
    "scene_id", "subtask", "attempt", "renderer", "outcome", "filter", "reason", "method",
    "prompt_tokens", "prompt_chunks", "prompt_tokens_cut", "exact", "batch",
]  # fmt: skip

#: Which questions a table counts: all that were asked, or those that the consensus keeps.
Which = Literal["all", "consensus"]
ALL_QUESTIONS: Which = "all"
CONSENSUS: Which = "consensus"

#: The vocabulary audit, below the results.
AUDIT = "vocabulary_audit.csv"


def project_in(root: Path, config: Sequence[Path] = ()) -> Project:
    """Return the parameters of the snapshot in ``root``, the files of ``config`` laid over them.

    Raises
    ------
    UserError
        There is no such folder, or the parameters are wrong.
    """
    if not root.is_dir():
        fix = "name the folder that holds params.yaml and data"
        raise UserError(f"--snapshot {root}", "is not a folder", fix)
    base = root / "params.yaml"
    if not config and not base.is_file():
        fix = "name the folder of a snapshot, or its parameters with --config"
        if (root / "data/seals").is_dir():  # of a run with --directory, such as 'make demo'
            fix = "say what its run was given: --config params.yaml --config FILE"
        raise UserError(str(base), "is missing", fix)
    return load_layers([*([base] if base.is_file() else []), *config])


@dataclass(frozen=True)
class Snapshot:
    """The tables of a suite and what is asked of them.

    Tables are read when first used. Rows of one table come in the order of its shards, which is
    the canonical order of scenes, so that nothing depends on how many shards there are.

    Attributes
    ----------
    data, results
        Folders of the suite's tables and of what was computed from them.
    """

    params: Params
    data: Path
    results: Path = Path(tables.RESULTS)

    @classmethod
    def open(cls, root: Path, config: Sequence[Path] = (), suite: str | None = None) -> Self:
        """Open a suite of the snapshot in ``root``, with the files of ``config`` over params.yaml;
        its name may be left out where it is alone.

        Raises
        ------
        UserError
            There is no such folder, or the parameters are wrong.
        """
        return cls.of(project_in(root, config), root, suite)

    @classmethod
    def of(cls, project: Project, root: Path, suite: str | None = None) -> Self:
        """Open a suite of the snapshot in ``root``, made with the parameters of a project."""
        params = suite_of(project, suite, f"--snapshot {root}")
        return cls(params, root / tables.DATA / params.suite, root / tables.RESULTS / params.suite)

    def needed(self, path: Path) -> Path:
        """Return ``path``, which must be there.

        Raises
        ------
        UserError
            It is not.
        """
        if not path.exists():
            over = "if a file over params.yaml made it, name that: --config FILE"
            fix = f"{over}; else fetch it with 'dvc pull', or make it with 'make report'"
            raise UserError(str(path), "is missing", fix)
        return path

    def folder(self, table: tables.Table, **names: str) -> Path:
        """Return the folder of a table's shards, or its one file, be it there or not."""
        return table.folder(self.results if table.root == tables.RESULTS else self.data, **names)

    def parts(self, table: tables.Table, **names: str) -> list[Path]:
        """Return the shards of a table, in their order.

        Raises
        ------
        UserError
            There is none.
        """
        found = table.shards(self.data, **names)
        return found or [self.needed(self.folder(table, **names) / tables.part_name(0))]

    def read(
        self, table: tables.Table, columns: Sequence[str] | None = None, **names: str
    ) -> pa.Table:
        """Read a table whole, or some of its columns.

        Raises
        ------
        UserError
            A file is missing or damaged.
        """
        return tables.read(self.parts(table, **names), table, columns)

    def check_whole(self) -> None:
        """Make sure that all is there that a leaderboard needs.

        Raises
        ------
        UserError
            The first table that is missing.
        """
        self.parts(tables.SCENES)
        self.parts(tables.QUESTIONS)
        for name in self.filters:
            self.parts(tables.VERDICTS, filter=name)
        for name in self.params.scenarios.names:
            self.parts(tables.IMAGES, scenario=name)
        self.parts(tables.CONSENSUS)
        self.needed(self.results / AUDIT)

    def check_scenarios(self, names: Sequence[str], where: str) -> None:
        """Make sure that models are asked in these scenarios.

        Raises
        ------
        UserError
            The first that is none; ``where`` says who named it.
        """
        known = self.params.scenarios.counted
        if missing := [name for name in names if name not in known]:
            what = f"the snapshot has no scenario '{missing[0]}'"
            raise UserError(where, what, f"use some of: {', '.join(known)}")

    @property
    def filters(self) -> tuple[str, ...]:
        """Names of all that judge images: the renderer, then the filters."""
        return ("render", *self.params.filter.names)

    @cached_property
    def _all_scenes(self) -> pa.Table:
        return self.read(tables.SCENES)

    @cached_property
    def _planned_questions(self) -> pa.Table:
        return self.read(tables.QUESTIONS)

    @cached_property
    def _all_questions(self) -> pa.Table:
        return tables.of_scenario(self._planned_questions)

    @cached_property
    def checks(self) -> pa.Table:
        """Atomic checks of questions; no other property holds them."""
        return tables.of_scenario(self._planned_questions, checks=True)

    @cached_property
    def scenes(self) -> pa.Table:
        """Planned scenes (M and P), without those that show one again in another style."""
        return self._all_scenes.filter(self._all_scenes["base"].is_null())

    @cached_property
    def again(self) -> pa.Table:
        """Planned scenes that show one of :attr:`scenes` again in another style."""
        return self._all_scenes.filter(self._all_scenes["base"].is_valid())

    @cached_property
    def questions(self) -> pa.Table:
        """Questions of all planned scenes (Q), without those of :attr:`again`."""
        return self._all_questions.filter(self._all_questions["base"].is_null())

    def _first_time(self, rows: pa.Table) -> pa.Table:
        """Those of some rows, by ``scene_id``, that are about :attr:`scenes`."""
        if not len(rows) or not len(self.again):
            return rows
        return rows.filter(pc.invert(pc.is_in(rows["scene_id"], self.again["scene_id"])))

    def _result(self, table: tables.Table) -> pa.Table:
        return tables.read([self.needed(self.folder(table))], table)

    @cached_property
    def metrics(self) -> pa.Table:
        """Metrics in long format."""
        return self._result(tables.METRICS)

    @cached_property
    def comparisons(self) -> pa.Table:
        """Paired comparisons of models and of scenarios."""
        return self._result(tables.COMPARISONS)

    @cached_property
    def agreement(self) -> pa.Table:
        """How far examiners agree."""
        return self._result(tables.AGREEMENT)

    @cached_property
    def clusters(self) -> Mapping[str, str]:
        """Scene -> the cluster of scenes that it is of (:func:`lvlmbench.tables.clusters_of`)."""
        return tables.cluster_names(self.read(tables.SCENES, tables.CLUSTER_COLUMNS))

    @cached_property
    def hallucination(self) -> pa.Table:
        """What free answers make up and leave out."""
        return self._result(tables.HALLUCINATION)

    @cached_property
    def rendered(self) -> pa.Table:
        """Verdicts of the renderer: one row a planned scene."""
        return self._first_time(self.verdicts["render"])

    @cached_property
    def verdicts(self) -> dict[str, pa.Table]:
        """Verdicts of the renderer and of each filter, on scenes shown again too."""
        return {name: self.read(tables.VERDICTS, filter=name) for name in self.filters}

    @cached_property
    def filtered(self) -> dict[str, pa.Table]:
        """Verdicts of each configured filter, in the configured order."""
        return {n: self._first_time(self.verdicts[n]) for n in self.params.filter.names}

    @cached_property
    def images(self) -> dict[str, pa.Table]:
        """Images of each scenario whose answers count, without their bytes."""
        names = self.params.scenarios.counted
        return {n: self.read(tables.IMAGES, _IMAGE_COLUMNS, scenario=n) for n in names}

    @cached_property
    def attempts(self) -> pa.Table:
        """Attempts at drawing scenes, in order; no rows where nobody has recorded them."""
        found = tables.read(self.folder(tables.ATTEMPTS), tables.ATTEMPTS, _ATTEMPT_COLUMNS)
        return self._first_time(found)

    @cached_property
    def drawings(self) -> pa.Table:
        """Attempts that drew an image, whether it was kept or not."""
        return self.attempts.filter(self.attempts["method"].is_valid())

    @cached_property
    def of_images(self) -> pa.Table:
        """The attempts that the images come from: of each scene the last that drew one."""
        rows = pa.array(range(len(self.drawings)), pa.int64())
        numbered = self.drawings.append_column("row", rows)
        last = numbered.group_by("scene_id").aggregate([("row", "max")])["row_max"]
        return self.drawings.take(last.combine_chunks().sort())

    @property
    def given(self) -> bool:
        """Whether nobody drew the pictures: they and the truth are a user's own."""
        return {*self.of_images["renderer"].to_pylist()} == {tables.GIVEN}

    @cached_property
    def main_renderer(self) -> str | None:
        """The renderer that was to draw the scenes, which leaves some to ``render.fallback``; what
        ``auto`` stood for on the machine that drew is read from the attempts."""
        if self.params.render.renderer != AUTO:
            return self.params.render.renderer
        fallback = self.params.render.fallback
        found = self.attempts["renderer"].value_counts().to_pylist()
        ranked = sorted((v["values"] == fallback, -v["counts"], v["values"]) for v in found)
        return ranked[0][-1] if ranked else None

    @cached_property
    def kept_scenes(self) -> pa.Array:
        """Ids of the scenes whose image every filter keeps, those shown again among them."""
        rendered = self.verdicts["render"]
        drawn = rendered.filter(rendered["keep"])["scene_id"]
        judged = (self.verdicts[name] for name in self.params.filter.names)
        verdicts = pa.concat_tables([tables.VERDICTS.empty_table(), *judged])
        return kept_scenes(drawn, verdicts, self.params.filter.names)

    @cached_property
    def asked(self) -> dict[str, pa.Table]:
        """Questions asked in each scenario.

        An image that belongs to a question (print attack) is shown with that one, any other with
        every question about its scene. What filters drop, which judge the clean image, is asked
        about in no scenario. Short answers have their chance level.
        """
        out, questions = {}, with_chance(self._all_questions)
        for name, images in self.images.items():
            kept = images.filter(pc.is_in(images["scene_id"], value_set=self.kept_scenes))
            of_scenes = pc.unique(kept.filter(kept["question_id"].is_null())["scene_id"])
            own = pc.is_in(questions["question_id"], pc.unique(kept["question_id"]))
            out[name] = questions.filter(pc.or_(own, pc.is_in(questions["scene_id"], of_scenes)))
        return out

    @cached_property
    def subtasks(self) -> list[str]:
        """Subtasks that scenes are of or questions ask about, in canonical order."""
        found = {*self.scenes["subtask"].unique().to_pylist()}
        return sorted(found | {*self.questions["subtask"].unique().to_pylist()}, key=subtask_order)

    @cached_property
    def styles(self) -> list[str]:
        """Styles of the planned scenes, sorted by name, capitals among the rest."""
        found = pc.unique(pc.drop_null(self.scenes["style"])).to_pylist()
        return sorted(found, key=lambda name: (name.casefold(), name))

    @property
    def first_scenario(self) -> str:
        """The scenario that the charts show: clean where it was run."""
        return self.params.scenarios.first

    @property
    def curves(self) -> list[str]:
        """Scenarios that show each image in many forms, for severity curves alone."""
        return [s.name for s in self.params.scenarios.noisy if s.in_many_forms]

    @property
    def again_in(self) -> str | None:
        """The first scenario that models are asked in and that shows :attr:`again`."""
        return next((s.name for s in self.params.scenarios.noisy if s.again), None)

    @cached_property
    def consensus(self) -> pa.Table:
        """What the best models' consensus says of closed questions."""
        return self.read(tables.CONSENSUS)

    @cached_property
    def dropped(self) -> pa.Array:
        """Ids of the questions that the consensus drops."""
        return dropped_questions(self.parts(tables.CONSENSUS))

    @property
    def which(self) -> Which:
        """Which questions tables and figures count: ``statistics.questions``."""
        return self.params.statistics.questions

    @property
    def without(self) -> str:
        """Words for what tables and figures leave out; empty where they count all questions."""
        return WITHOUT if self.which == CONSENSUS else ""

    def counted(self, questions: pa.Table, which: Which | None = None) -> pa.Table:
        """The rows, by ``question_id``, that count when all do, or those the consensus keeps; by
        default as :attr:`which` says."""
        if (which or self.which) == ALL_QUESTIONS:
            return questions
        return without(questions, self.dropped)

    @cached_property
    def audit(self) -> list[dict[str, str]]:
        """Rows of the vocabulary audit, in the order of its file.

        Raises
        ------
        UserError
            There is no such file.
        """
        with self.needed(self.results / AUDIT).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def shards(
        self, table: tables.Table, columns: Sequence[str], **names: str
    ) -> Iterator[pa.Table]:
        """Read columns of a table shard by shard; none where it has no shard."""
        for path in table.shards(self.data, **names):
            yield tables.read([path], table, columns)

    def of_questions(
        self, table: tables.Table, ids: list[str], columns: Sequence[str], **names: str
    ) -> dict[str, dict[str, Any]]:
        """Read columns of ``answers`` or ``scores`` by question id."""
        wanted = pa.array(ids, pa.string())
        rows: dict[str, dict[str, Any]] = {}
        for shard in self.shards(table, ["question_id", *columns], **names):
            found = shard.filter(pc.is_in(shard["question_id"], value_set=wanted))
            rows |= {row["question_id"]: row for row in found.to_pylist()}
        return rows
