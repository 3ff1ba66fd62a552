"""What cards, datasheets and licences say of a snapshot, counted from its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.stages.exports.source import Source
from lvlmbench.stages.render.renderer import described
from lvlmbench.tables import GIVEN, QUESTION_TYPES

#: Subtasks whose pictures are of persons or works with a name.
NAMED = ("celebrity", "movie", "anime", "tv_show")
#: Attributes of persons, as the table scenes has them.
_PERSONAL = ("age", "gender", "race")


@dataclass(frozen=True)
class Asked:
    """One scenario: questions, their images and scenes, and the questions by kind."""

    questions: int
    images: int
    scenes: int
    dropped: int
    types: Mapping[str, int]
    subtasks: Mapping[str, int]


@dataclass(frozen=True)
class Facts:
    """A snapshot in numbers; a mapping is empty where there is nothing to count.

    Attributes
    ----------
    planned, drawn, kept
        Scenes that were planned, drawn, and kept by all filters.
    undrawn
        Scenes that were not drawn, by subtask.
    removed
        Scenes that each filter removes of those that the ones before it keep, by its name.
    scenarios
        The exported scenarios, in the order of the parameters.
    renderers
        Different exported pictures by the renderer that drew them.
    styles
        Kept scenes by style.
    persons
        Kept scenes by age, gender and race of the person in them.
    sizes
        Width and height of exported pictures, in pixels.
    """

    name: str
    suite: str
    snapshot_id: str
    planned: int
    drawn: int
    kept: int
    undrawn: Mapping[str, int]
    removed: Mapping[str, int]
    scenarios: Mapping[str, Asked]
    renderers: Mapping[str, int]
    styles: Mapping[str, int]
    persons: Mapping[str, Mapping[str, int]]
    sizes: tuple[tuple[int, int], ...]

    @property
    def questions(self) -> int:
        """Exported questions, over all scenarios."""
        return sum(asked.questions for asked in self.scenarios.values())

    @property
    def truth(self) -> str:
        """How it is known what the pictures show, in a sentence."""
        told, pictures = described(self.renderers), sum(self.renderers.values())
        if GIVEN in self.renderers:
            return (
                "Truth: given. The pictures are a user's own and were not drawn: right answers are "
                "what their owner says, and nobody measured that the pictures show it."
            )
        if not told:
            return "Truth: measured. All pictures were drawn from their scenes."
        return (
            f"Truth: description. {sum(told.values()):,} of {pictures:,} pictures were made from a "
            f"text ({', '.join(sorted(told))}): right answers about these are what the text asked "
            "for, and nobody measured that the pictures show it."
        )

    @property
    def types(self) -> list[str]:
        """Types of the exported questions, in the order of tables."""
        asked = {kind for each in self.scenarios.values() for kind in each.types}
        return [kind for kind in QUESTION_TYPES if kind in asked]

    @property
    def named(self) -> list[str]:
        """Exported subtasks whose pictures are of persons or works with a name."""
        found = {subtask for asked in self.scenarios.values() for subtask in asked.subtasks}
        return [subtask for subtask in NAMED if subtask in found]


def _in_order(counts: Counter[str], order: tuple[str, ...]) -> dict[str, int]:
    """Counts in a canonical order, unknown names behind it."""
    known = [name for name in order if name in counts]
    return {name: counts[name] for name in [*known, *sorted(set(counts) - set(order))]}


def _by_subtask(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts, key=subtask_order)}


def _ranked(values: pa.ChunkedArray) -> dict[str, int]:
    """Distinct values and how often they occur, the most frequent first."""
    counts = Counter(value for value in values.to_pylist() if value is not None)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _funnel(source: Source) -> tuple[list[str], dict[str, int], list[str]]:
    """Ids of the scenes drawn, how many of them each filter removes, ids of those left."""

    def keeps(verdicts: pa.Table) -> list[str]:
        kept: list[str] = verdicts.filter(verdicts["keep"])["scene_id"].to_pylist()
        return kept

    drawn = left = keeps(source.rendered)
    removed = {}
    for name, verdicts in source.filtered.items():
        kept = set(keeps(verdicts))
        before, left = left, [scene for scene in left if scene in kept]
        removed[name] = len(before) - len(left)
    return drawn, removed, left


def _asked(source: Source, scenario: str) -> Asked:
    types: Counter[str] = Counter()
    subtasks: Counter[str] = Counter()
    images: set[str] = set()
    scenes: set[str] = set()
    dropped = 0
    for item in source.items(scenario):
        types[item.question_type] += 1
        subtasks[item.subtask] += 1
        images.add(item.image_sha256 or "")
        scenes.add(item.scene_id)
        dropped += not source.keeps(item.question_id)
    return Asked(
        questions=types.total(),
        images=len(images),
        scenes=len(scenes),
        dropped=dropped,
        types=_in_order(types, QUESTION_TYPES),
        subtasks=_by_subtask(subtasks),
    )


def _pictures(source: Source, kept: pa.Array) -> tuple[dict[str, int], tuple[tuple[int, int], ...]]:
    """Different exported pictures of the kept scenes by renderer, and their sizes."""
    columns = ["scene_id", "sha256", "renderer", "width", "height"]
    read = [
        source.read(tables.IMAGES, columns, scenario=name)
        for name in source.params.exports.scenarios
    ]
    found = pa.concat_tables(read)
    found = found.filter(pc.is_in(found["scene_id"], value_set=kept))
    one = found.group_by(columns[1:]).aggregate([])
    sizes = set(zip(one["width"].to_pylist(), one["height"].to_pylist(), strict=True))
    return _ranked(one["renderer"]), tuple(sorted(sizes))


def facts(source: Source) -> Facts:
    """Count a snapshot's tables.

    Raises
    ------
    UserError
        A table is missing or damaged, or a scenario is none of the snapshot's.
    """
    drawn, removed, left = _funnel(source)
    kept = source.kept_scenes
    for scenario in source.params.exports.scenarios:
        source.check_asked(scenario)
    columns = ["scene_id", "subtask", "style", "attributes"]
    planned = source.scenes.select(columns)
    is_drawn = pc.is_in(planned["scene_id"], value_set=pa.array(drawn, pa.string()))
    undrawn = Counter(planned.filter(pc.invert(is_drawn))["subtask"].to_pylist())
    scenes = planned.filter(pc.is_in(planned["scene_id"], value_set=kept))
    renderers, sizes = _pictures(source, kept)
    return Facts(
        name=source.params.snapshot.name,
        suite=source.params.suite,
        snapshot_id=source.snapshot_id,
        planned=len(planned),
        drawn=len(drawn),
        kept=len(left),
        undrawn=_by_subtask(undrawn),
        removed=removed,
        scenarios={name: _asked(source, name) for name in source.params.exports.scenarios},
        renderers=renderers,
        styles=_ranked(scenes["style"]),
        persons={
            name: counts
            for name in _PERSONAL
            if (counts := _ranked(pc.struct_field(scenes["attributes"], name)))
        },
        sizes=sizes,
    )
