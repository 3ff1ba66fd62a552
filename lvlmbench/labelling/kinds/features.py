"""What pictures show, feature by feature, for people to say what of it free answers leave out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.hallucination.reading import judged_models
from lvlmbench.analysis.hallucination.told import Told
from lvlmbench.analysis.judged import first_judge, told_of
from lvlmbench.analysis.labels import inline
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.labelling.kinds.claims import about_answer
from lvlmbench.labelling.sheet import SHEETS, Item
from lvlmbench.scene.claims import ONCE, Feature, missed
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.scene.truth_words import phrase
from lvlmbench.snapshot.reader import Snapshot

_ASKS = "Does the answer say what stands below it?"

SHEET = "features"


def _owed(snapshot: Snapshot) -> bool:
    """Whether an answer that the first judge has judged owes anything."""
    judge = first_judge(snapshot)
    return judge is not None and any(
        pc.any(pc.greater(shard["owed"], 0)).as_py()
        for model in judged_models(snapshot, judge, CLEAN)
        for shard in snapshot.shards(
            tables.JUDGEMENTS, ["owed"], judge=judge, model=model, scenario=CLEAN
        )
    )


@SHEETS.register(SHEET, label="what free answers leave out", when=_owed)
def features(snapshot: Snapshot) -> list[Item]:
    """Return the features that judged answers owe, by what was to be described: whatever the judge
    says of them, so that a sheet is a fair sample of answers."""
    judge = first_judge(snapshot)
    if judge is None:
        return []
    found: dict[str, tuple[str, Item]] = {}
    for row, told in told_of(snapshot, judge):
        for _, item in owed(row, told):
            found.setdefault(item.item_id, (row["subtask"], item))
    in_order = sorted(found.values(), key=lambda each: subtask_order(each[0]))
    return [item for _, item in in_order]


def owed(row: Mapping[str, Any], told: Told) -> Iterator[tuple[bool | None, Item]]:
    """Yield whether the judge finds each feature that an answer owes stated, with its item; None
    where the judge cannot tell.

    Parameters
    ----------
    row, told
        As :func:`lvlmbench.analysis.judged.told_of` yields them.
    """
    truth, scope = told.truth, told.scope
    open_ = missed(told.claims, told.matches, truth, scope)
    left_out = missed(told.claims, told.matches, truth, scope, told.unsure)
    for feature in missed((), (), truth, scope):  # who claims nothing leaves out all
        stated = feature not in open_
        known = stated or feature in left_out
        yield stated if known else None, _item(row, feature, truth.features)


def _item(row: Mapping[str, Any], feature: Feature, features: tuple[Feature, ...]) -> Item:
    """The item about one feature: the answer, and the feature in words."""
    # Two dogs are owed once: any dog will do.
    words = phrase(feature, () if feature.kind in ONCE else features)
    lines = [row["question"], f"Answer: {row['text']}", f"The picture shows: {words}"]
    image = row["image_id"], row["image_sha256"]
    return Item.of(image, _ASKS, lines, f"features: {inline(row['subtask'])}", about_answer(row))
