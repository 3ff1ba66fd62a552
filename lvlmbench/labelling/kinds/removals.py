"""What cleaning removed and what it kept, mixed (Dysca, section 3.3)."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.labels import inline
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.labelling.sheet import SHEETS, Item
from lvlmbench.snapshot.reader import Snapshot

_SHOWS = "Does the picture show all of this?"
_ANSWERS = "Is this answer right, and no other option?"

#: What the consensus says of a question -> its group.
_VERDICTS = {
    "dropped": "questions that the consensus dropped",
    "unreliable": "questions that the models missed, kept as they are weak",
    "off": "questions that the models missed, kept as the consensus is off",
    "kept": "questions that the consensus kept",
}


@SHEETS.register("removals", label="what cleaning removed and kept")
def removals(snapshot: Snapshot) -> list[Item]:
    """Return the removed images by the first filter that removed them, the kept images, and the
    questions by what the consensus says of them."""
    if CLEAN not in snapshot.params.scenarios.names:
        return []  # what cleaning looked at is not kept
    columns = ["image_id", "scene_id", "sha256"]
    rows = snapshot.read(tables.IMAGES, columns, scenario=CLEAN).to_pylist()
    pictures = {row["scene_id"]: (row["image_id"], row["sha256"]) for row in rows if row["sha256"]}
    found = [*_images(snapshot, pictures), *_questions(snapshot, pictures)]
    places = {group: n for n, group in enumerate(_groups(snapshot))}
    return sorted(found, key=lambda item: places[item.group])


def _groups(snapshot: Snapshot) -> Iterator[str]:
    yield from (_removed_by(name) for name in snapshot.params.filter.names)
    yield _KEPT
    yield from _VERDICTS.values()


_KEPT = "images that all filters kept"


def _removed_by(name: str) -> str:
    return f"images that the filter {inline(name)} removed"


def _images(snapshot: Snapshot, pictures: dict[str, tuple[str, str]]) -> Iterator[Item]:
    """Every drawn image with what it should show."""
    first: dict[str, str] = {}
    for name, verdicts in snapshot.filtered.items():
        for scene in verdicts.filter(pc.invert(verdicts["keep"]))["scene_id"].to_pylist():
            first.setdefault(scene, _removed_by(name))
    scenes = snapshot.scenes.select(["scene_id", "caption"]).to_pylist()
    for scene in scenes:
        if scene["scene_id"] in pictures:
            group = first.get(scene["scene_id"], _KEPT)
            yield Item.of(pictures[scene["scene_id"]], _SHOWS, [scene["caption"]], group)


def _questions(snapshot: Snapshot, pictures: dict[str, tuple[str, str]]) -> Iterator[Item]:
    """Every question that the consensus looked at, with the answer that counts as right."""
    said = snapshot.consensus
    verdict = dict(zip(said["question_id"].to_pylist(), said["verdict"].to_pylist(), strict=True))
    wanted = pa.array(list(verdict), pa.string())
    asked = snapshot.questions
    asked = asked.filter(pc.is_in(asked["question_id"], value_set=wanted))
    for row in asked.to_pylist():
        if row["scene_id"] in pictures:
            options = [f"({ascii_uppercase[n]}) {text}" for n, text in enumerate(row["options"])]
            lines = [row["question"], *options, f"Answer: {options[row['answer_index']]}"]
            group = _VERDICTS[verdict[row["question_id"]]]
            yield Item.of(pictures[row["scene_id"]], _ANSWERS, lines, group)
