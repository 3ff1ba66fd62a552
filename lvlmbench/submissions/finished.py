"""A finished snapshot on disk, and what is asked about it: read a few images at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa

from lvlmbench.config import Params, suite_of
from lvlmbench.config.layers import load_layers
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import make_items
from lvlmbench.stages.answer.engine import Item
from lvlmbench.tables import files as tables

#: Images read at once: with their pictures, and without.
_WITH, _WITHOUT = 32, 4096
_COLUMNS = ["image_id", "scene_id", "question_id", "sha256"]
#: What a model may see of a question. The right answer is not read at all.
_ASKED = ["question_id", "scene_id", "subtask", "question_type", "question", "options"]


def item_id(scenario: str, item: Item) -> str:
    """Id of a question as it is asked: hash of scenario, question, image, its bytes and the prompt.

    So answers to an image that was drawn anew, or to another wording, are never taken for answers
    to what is asked now.
    """
    return seeding.item_id(
        "asked", scenario, item.question_id, item.image_id, item.image_sha256, item.prompt
    )


class _ByScene:
    """A table in memory, and which of its rows are about each scene."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table.combine_chunks()
        self._rows: dict[str, list[int]] = {}
        for row, scene in enumerate(table["scene_id"].to_pylist()):
            self._rows.setdefault(scene, []).append(row)

    def of(self, scenes: Iterable[str]) -> pa.Table:
        """The rows about these scenes, scene by scene."""
        rows = [row for scene in scenes for row in self._rows.get(scene, [])]
        return self._table.take(pa.array(rows, pa.int64()))


@dataclass(frozen=True)
class Finished:
    """Tables of a snapshot below ``root``, made with ``params``."""

    root: Path
    params: Params

    @property
    def data(self) -> Path:
        """Folder of the tables."""
        return self.root / "data"

    @property
    def results(self) -> Path:
        """Folder of what was computed from them."""
        return self.root / "results"

    def needed(self, path: Path) -> Path:
        """``path``, which must be there.

        Raises
        ------
        UserError
            It is not.
        """
        if not path.exists():
            raise UserError(
                str(path),
                "is missing",
                f"fetch the snapshot with 'dvc pull' in {self.root}, or make it with 'make "
                "report'; if a file over params.yaml made it, name that: --config FILE",
            )
        return path

    def parts(self, *folders: str) -> list[Path]:
        """Shards of the tables in these folders below ``data``, each in the order of its shards.

        Raises
        ------
        UserError
            A folder holds none.
        """
        found: list[Path] = []
        for folder in folders:
            files = sorted((self.data / folder).glob("part-*.parquet"))
            found += files or [self.needed(self.data / folder / tables.part_name(0))]
        return found

    def images(self, scenario: str) -> list[Path]:
        """Shards of a scenario's images."""
        return self.parts(f"images/{scenario}")

    def check_whole(self) -> None:
        """Make sure that all is there that a leaderboard needs.

        Raises
        ------
        UserError
            The first table that is missing.
        """
        filters = ("render", *self.params.filter.names)
        self.parts("scenes", "questions", *(f"verdicts/{name}" for name in filters))
        self.parts(*(f"images/{name}" for name in self.params.scenarios.names), "consensus")
        self.needed(self.audit)

    @property
    def audit(self) -> Path:
        """Rejection rates of the vocabulary, which the report shows."""
        return self.results / "vocabulary_audit.csv"

    def scores(self) -> list[Path]:
        """Scores of the snapshot's own models, as far as there are any."""
        names = self.params.scenarios.names
        folders = [
            self.data / "scores" / m.name / s for m in self.params.answer.models for s in names
        ]
        return [file for folder in folders for file in sorted(folder.glob("part-*.parquet"))]

    def check_scenarios(self, names: Sequence[str]) -> None:
        """Make sure that models are asked in these scenarios.

        Raises
        ------
        UserError
            The first that is none.
        """
        known = self.params.scenarios.names
        for name in names:
            if name not in known:
                raise UserError(
                    "--scenario",
                    f"the snapshot has no scenario '{name}'",
                    f"use some of: {', '.join(known)}",
                )

    @cached_property
    def _questions(self) -> _ByScene:
        files = self.parts("questions")
        return _ByScene(tables.read(files, tables.QUESTIONS, _ASKED))

    @cached_property
    def _verdicts(self) -> _ByScene:
        folders = [f"verdicts/{name}" for name in ("render", *self.params.filter.names)]
        columns = ["scene_id", "filter", "keep"]
        return _ByScene(tables.read(self.parts(*folders), tables.VERDICTS, columns))

    def items(self, scenario: str, pictures: bool = False) -> Iterator[Item]:
        """What is asked in a scenario, scene by scene: what every model of the snapshot is asked.

        The order does not depend on shards. Without ``pictures`` the items have no image, though
        they have its hash.

        Raises
        ------
        UserError
            A table is missing or damaged.
        """
        for images in _groups(self.images(scenario), pictures):
            scenes = list(dict.fromkeys(images["scene_id"].to_pylist()))
            verdicts, questions = self._verdicts.of(scenes), self._questions.of(scenes)
            yield from make_items(images, verdicts, questions, self.params.filter.names)

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {}

    def asked_digest(self, scenario: str) -> str:
        """Hash of all that is asked in a scenario: of the ids of its items, in their order."""
        if scenario not in self._digests:
            ids = (item_id(scenario, item) for item in self.items(scenario))
            self._digests[scenario] = seeding.digest(*ids).hex()
        return self._digests[scenario]


def open_finished(root: Path, config: Sequence[Path] = (), suite: str | None = None) -> Finished:
    """Open a suite of the snapshot in ``root``; ``config`` is laid over its params.yaml.

    Raises
    ------
    UserError
        There is no such folder, or the parameters are wrong.
    """
    if not root.is_dir():
        raise UserError(
            f"--snapshot {root}",
            "is not a folder",
            "name the folder that holds params.yaml and data",
        )
    base = root / "params.yaml"
    if not config and not base.is_file():
        raise UserError(
            str(base),
            "is missing",
            "name the folder of a snapshot, or its parameters with --config",
        )
    project = load_layers([*([base] if base.is_file() else []), *config])
    return Finished(root, suite_of(project, suite, f"--snapshot {root}"))


def _groups(files: list[Path], pictures: bool) -> Iterator[pa.Table]:
    """Images in groups that split no scene."""
    carry: pa.Table | None = None
    for batch in _batches(files, pictures):
        carry = batch if carry is None else pa.concat_tables([carry, batch])
        scenes = carry["scene_id"].to_pylist()
        cut = next((n for n in range(len(scenes), 0, -1) if scenes[n - 1] != scenes[-1]), 0)
        if cut:
            yield carry.slice(0, cut)
            carry = carry.slice(cut)
    if carry is not None and len(carry):
        yield carry


def _batches(files: list[Path], pictures: bool) -> Iterator[pa.Table]:
    for path in files:
        ids = tables.read([path], tables.IMAGES, _COLUMNS)
        if not pictures:
            none = pa.nulls(len(ids), tables.IMAGES.field("image").type)
            for batch in ids.append_column("image", none).to_batches(_WITHOUT):
                yield pa.Table.from_batches([batch])
            continue
        with tables.open_shard(path, pre_buffer=False, buffer_size=1 << 20) as shard:
            for batch in shard.iter_batches(batch_size=_WITH, columns=[*_COLUMNS, "image"]):
                yield pa.Table.from_batches([batch]).replace_schema_metadata(None)
