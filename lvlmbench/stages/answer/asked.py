"""What is asked in a snapshot: questions with their images, a few at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.core import seeding
from lvlmbench.snapshot import identity
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.answer.answering import make_items
from lvlmbench.stages.answer.engine import Item
from lvlmbench.suites.instructions import prompts_of, schemas_of

#: Images read at once: with their pictures, and without.
_WITH, _WITHOUT = 32, 4096
_COLUMNS = ["image_id", "scene_id", "question_id", "order", "sha256"]
#: What a model may see of a question. The right answer is not read at all.
_ASKED = [
    "question_id", "scene_id", "subtask", "question_type", "question", "options", "replaced",
    "program", "key", "turns", "panels",
]  # fmt: skip


def item_id(scenario: str, item: Item) -> str:
    """Return the id of a question as it is asked: a hash that names image, bytes and prompt, too.

    So answers to an image that was drawn anew, or to another wording, are never taken for answers
    to what is asked now. Of what was said before it is a part where something was.
    """
    before = [text for turn in item.turns for text in turn]
    return seeding.item_id(
        "asked", scenario, item.question_id, item.image_id, item.image_sha256, item.prompt, *before
    )


#: Scene -> shards and the row groups in them.
_Places: TypeAlias = dict[str, set[tuple[Path, int]]]


class _ByScene:
    """A table in memory, and which of its rows are about each scene."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table.combine_chunks()
        self._rows: dict[str, list[int]] = {}
        for row, scene in enumerate(table["scene_id"].to_pylist()):
            self._rows.setdefault(scene, []).append(row)

    def of(self, scenes: Iterable[str]) -> pa.Table:
        """Return the rows about these scenes, scene by scene."""
        rows = [row for scene in scenes for row in self._rows.get(scene, [])]
        return self._table.take(pa.array(rows, pa.int64()))


class Asked(Snapshot):
    """A snapshot with what its models are asked."""

    @cached_property
    def snapshot_id(self) -> str:
        """The id that readers see; see :mod:`lvlmbench.snapshot.identity`."""
        return identity.snapshot_id(self.params, self.data)

    @cached_property
    def _prompts(self) -> dict[bool, _ByScene]:
        """Atomic checks, and all other questions."""
        found = self.read(tables.QUESTIONS, _ASKED)
        return {checks: _ByScene(tables.of_scenario(found, checks)) for checks in (False, True)}

    def _questions(self, scenario: str) -> _ByScene:
        return self._prompts[self.params.scenarios.spec(scenario).checks]

    @cached_property
    def _verdicts(self) -> _ByScene:
        columns = ["scene_id", "filter", "keep"]
        read = [self.read(tables.VERDICTS, columns, filter=name) for name in self.filters]
        return _ByScene(pa.concat_tables(read))

    @cached_property
    def _digests(self) -> dict[str, str]:
        return {}

    def items(self, scenario: str, pictures: bool = False) -> Iterator[Item]:
        """Give what is asked in a scenario, scene by scene: what every model is asked.

        The order does not depend on shards. Without ``pictures`` the items have no image, though
        they have its hash.

        Raises
        ------
        UserError
            A table is missing or damaged.
        """
        for images in _groups(self.parts(tables.IMAGES, scenario=scenario), pictures):
            scenes = list(dict.fromkeys(images["scene_id"].to_pylist()))
            verdicts, questions = self._verdicts.of(scenes), self._questions(scenario).of(scenes)
            yield from self._items(images, verdicts, questions)

    def items_about(self, scenario: str, scenes: Iterable[str]) -> list[Item]:
        """Return what is asked about these scenes in a scenario, with pictures, scene by scene.

        Of the pictures no more is read than the row groups in which these scenes lie.
        """
        wanted = list(scenes)
        images = _of_scenes(self._row_groups(scenario), wanted)
        verdicts, questions = self._verdicts.of(wanted), self._questions(scenario).of(wanted)
        return self._items(images, verdicts, questions)

    def _items(self, images: pa.Table, verdicts: pa.Table, questions: pa.Table) -> list[Item]:
        params = self.params
        words = prompts_of(params), schemas_of(params)
        return make_items(images, verdicts, questions, params.filter.names, *words)

    def _row_groups(self, scenario: str) -> _Places:
        """Where the pictures of each scene lie."""
        if scenario not in self._found:
            self._found[scenario] = _places(self.parts(tables.IMAGES, scenario=scenario))
        return self._found[scenario]

    @cached_property
    def _found(self) -> dict[str, _Places]:
        return {}

    def digest(self, scenario: str) -> str:
        """Return a hash of all that is asked in a scenario: of its items' ids, in their order."""
        if scenario not in self._digests:
            ids = (item_id(scenario, item) for item in self.items(scenario))
            self._digests[scenario] = seeding.digest(*ids).hex()
        return self._digests[scenario]


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


def _places(files: list[Path]) -> _Places:
    out: _Places = {}
    for path in files:
        with tables.open_shard(path) as shard:
            for group in range(shard.num_row_groups):
                column = shard.read_row_group(group, columns=["scene_id"])["scene_id"]
                for scene in column.unique().to_pylist():
                    out.setdefault(scene, set()).add((path, group))
    return out


def _of_scenes(places: _Places, scenes: list[str]) -> pa.Table:
    """Images of these scenes."""
    found = [tables.IMAGES.empty_table([*_COLUMNS, "image"])]
    wanted = pa.array(scenes, pa.string())
    for path, group in sorted(set().union(*(places.get(scene, set()) for scene in scenes))):
        with tables.open_shard(path) as shard:
            rows = shard.read_row_group(group, columns=[*_COLUMNS, "image"])
        rows = rows.replace_schema_metadata(None).cast(found[0].schema)
        found.append(rows.filter(pc.is_in(rows["scene_id"], value_set=wanted)))
    return pa.concat_tables(found).combine_chunks()
