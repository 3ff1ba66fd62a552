"""What figures and report read: the tables of a snapshot, column by column, no image bytes."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.config import Params
from lvlmbench.config.render import AUTO
from lvlmbench.core.errors import UserError
from lvlmbench.tables import files as tables

_IMAGE_COLUMNS = [
    "image_id",
    "scene_id",
    "question_id",
    "scenario",
    "perturbation",
    "width",
    "height",
    "sha256",
    "renderer",
    "renderer_version",
]

_ATTEMPT_COLUMNS = [
    "scene_id",
    "subtask",
    "attempt",
    "renderer",
    "outcome",
    "filter",
    "reason",
    "method",
    "prompt_tokens",
    "prompt_chunks",
    "prompt_tokens_cut",
    "exact",
    "batch",
]

#: Which questions a table counts: all that were asked, or those that the consensus keeps.
Which = Literal["all", "consensus"]
ALL_QUESTIONS: Which = "all"
CONSENSUS: Which = "consensus"


@dataclass(frozen=True)
class Snapshot:
    """The tables below ``data`` and what the report asks of them.

    Tables are read when first used. Rows of one table come in the order of its shards, which is
    the canonical order of scenes, so that nothing depends on how many shards there are.
    """

    params: Params
    data: Path
    metrics_path: Path
    audit_path: Path | None = None
    comparisons_path: Path | None = None

    @cached_property
    def scenes(self) -> pa.Table:
        """Planned scenes (M and P)."""
        return self._read(self.data / "corpus" / "scenes", tables.SCENES)

    @cached_property
    def questions(self) -> pa.Table:
        """Questions of all planned scenes (Q)."""
        return self._read(self.data / "corpus" / "questions", tables.QUESTIONS)

    @cached_property
    def metrics(self) -> pa.Table:
        """Metrics in long format."""
        if not self.metrics_path.is_file():
            raise UserError(str(self.metrics_path), "is missing", "run the rule 'metrics' first")
        return tables.read([self.metrics_path], tables.METRICS)

    @cached_property
    def comparisons(self) -> pa.Table:
        """Paired comparisons of models and of scenarios; no rows where no path is given.

        Raises
        ------
        UserError
            There is no such file.
        """
        if self.comparisons_path is None:
            return tables.COMPARISONS.empty_table()
        if not self.comparisons_path.is_file():
            fix = "run the rule 'comparisons' first"
            raise UserError(str(self.comparisons_path), "is missing", fix)
        return tables.read([self.comparisons_path], tables.COMPARISONS)

    @cached_property
    def rendered(self) -> pa.Table:
        """Verdicts of the renderer: one row a planned scene."""
        return self._read(self.verdict_folder("render"), tables.VERDICTS)

    def verdict_folder(self, filter_name: str) -> Path:
        """Folder of one filter's verdicts."""
        return self.data / "verdicts" / filter_name

    @cached_property
    def filtered(self) -> dict[str, pa.Table]:
        """Verdicts of each configured filter, in the configured order."""
        return {
            name: self._read(self.verdict_folder(name), tables.VERDICTS)
            for name in self.params.filter.names
        }

    @cached_property
    def images(self) -> dict[str, pa.Table]:
        """Images of each scenario, without their bytes."""
        return {
            name: self._read(self.data / "images" / name, tables.IMAGES, _IMAGE_COLUMNS)
            for name in self.params.scenarios.names
        }

    @cached_property
    def attempts(self) -> pa.Table:
        """Attempts at drawing scenes, in order; no rows where nobody has recorded them."""
        folder = self.data / "attempts"
        if not folder.is_dir():
            return pa.schema([tables.ATTEMPTS.field(c) for c in _ATTEMPT_COLUMNS]).empty_table()
        return tables.read(folder, tables.ATTEMPTS, _ATTEMPT_COLUMNS)

    @cached_property
    def drawings(self) -> pa.Table:
        """Attempts that drew an image, whether it was kept or not."""
        return self.attempts.filter(self.attempts["method"].is_valid())

    @cached_property
    def of_images(self) -> pa.Table:
        """The attempts that the images come from: of each scene the last that drew one."""
        numbered = self.drawings.append_column(
            "row", pa.array(range(len(self.drawings)), pa.int64())
        )
        last = numbered.group_by("scene_id").aggregate([("row", "max")])["row_max"]
        return self.drawings.take(last.combine_chunks().sort())

    @cached_property
    def main_renderer(self) -> str | None:
        """The renderer that was to draw the scenes, which leaves some to ``render.fallback``.

        What ``auto`` stood for on the machine that drew is read from the attempts.
        """
        if self.params.render.renderer != AUTO:
            return self.params.render.renderer
        fallback = self.params.render.fallback
        found = self.attempts["renderer"].value_counts().to_pylist()
        ranked = sorted((v["values"] == fallback, -v["counts"], v["values"]) for v in found)
        return ranked[0][-1] if ranked else None

    @cached_property
    def kept_scenes(self) -> pa.Array:
        """Ids of the scenes whose image every filter keeps."""
        ids = self.rendered.filter(self.rendered["keep"])["scene_id"]
        for verdicts in self.filtered.values():
            kept = verdicts.filter(verdicts["keep"])["scene_id"]
            ids = ids.filter(pc.is_in(ids, value_set=pc.unique(kept)))
        return pc.unique(ids)

    @cached_property
    def asked(self) -> dict[str, pa.Table]:
        """Questions asked in each scenario.

        An image that belongs to a question (print attack) is shown with that one, any other with
        every question about its scene. Filters judge the clean image: what they drop is asked
        about in no scenario.
        """
        out = {}
        for name, images in self.images.items():
            kept = images.filter(pc.is_in(images["scene_id"], value_set=self.kept_scenes))
            own = kept["question_id"].is_valid()
            of_scenes = pc.unique(kept.filter(pc.invert(own))["scene_id"])
            mask = pc.or_(
                pc.is_in(self.questions["question_id"], value_set=pc.unique(kept["question_id"])),
                pc.is_in(self.questions["scene_id"], value_set=of_scenes),
            )
            out[name] = self.questions.filter(mask)
        return out

    @cached_property
    def styles(self) -> list[str]:
        """Styles of the planned scenes, sorted by name, capitals among the rest."""
        found = pc.unique(pc.drop_null(self.scenes["style"])).to_pylist()
        return sorted(found, key=lambda name: (name.casefold(), name))

    @property
    def first_scenario(self) -> str:
        """The scenario that the charts show: clean where it was run."""
        names = self.params.scenarios.names
        return "clean" if "clean" in names else names[0]

    @property
    def curves(self) -> list[str]:
        """Scenarios that show each image in many forms, for severity curves alone."""
        noisy = self.params.scenarios.noisy
        return [s.name for s in noisy if s.in_many_forms]

    @cached_property
    def consensus(self) -> pa.Table:
        """What the best models' consensus says of closed questions."""
        return self._read(self.data / "consensus", tables.CONSENSUS)

    @cached_property
    def dropped(self) -> pa.Array:
        """Ids of the questions that the consensus drops."""
        return pc.unique(self.consensus.filter(pc.invert(self.consensus["keep"]))["question_id"])

    def counted(self, questions: pa.Table, which: Which) -> pa.Table:
        """The rows, by ``question_id``, that count when all do, or those the consensus keeps."""
        if which == ALL_QUESTIONS:
            return questions
        return questions.filter(
            pc.invert(pc.is_in(questions["question_id"], value_set=self.dropped))
        )

    @cached_property
    def audit(self) -> list[dict[str, str]]:
        """Rows of the vocabulary audit, in the order of its file.

        Raises
        ------
        UserError
            There is no such file.
        """
        if self.audit_path is None or not self.audit_path.is_file():
            raise UserError(str(self.audit_path), "is missing", "run the rule 'audit' first")
        with self.audit_path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def shards(
        self, table: str, schema: pa.Schema, model: str, scenario: str, columns: list[str]
    ) -> Iterator[pa.Table]:
        """Columns of ``answers`` or ``scores`` of one model and scenario, shard by shard."""
        for path in sorted((self.data / table / model / scenario).glob("part-*.parquet")):
            yield tables.read([path], schema, columns)

    def of_questions(
        self,
        table: str,
        schema: pa.Schema,
        model: str,
        scenario: str,
        ids: list[str],
        columns: Sequence[str],
    ) -> dict[str, dict[str, Any]]:
        """Columns of ``answers`` or ``scores`` of one model and scenario, by question id."""
        wanted = pa.array(ids, pa.string())
        rows: dict[str, dict[str, Any]] = {}
        for shard in self.shards(table, schema, model, scenario, ["question_id", *columns]):
            found = shard.filter(pc.is_in(shard["question_id"], value_set=wanted))
            rows |= {row["question_id"]: row for row in found.to_pylist()}
        return rows

    @staticmethod
    def _read(folder: Path, schema: pa.Schema, columns: list[str] | None = None) -> pa.Table:
        if not folder.is_dir():
            raise UserError(str(folder), "is missing", "run the pipeline up to the report first")
        return tables.read(folder, schema, columns)
