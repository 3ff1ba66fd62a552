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
    """Return the features that judged answers owe, by subtask and by whether the first judge finds
    that the answer states them."""
    judge = first_judge(snapshot)
    if judge is None:
        return []
    found: dict[str, Item] = {}
    subtasks = set()
    for row, told in told_of(snapshot, judge):
        subtasks.add(row["subtask"])
        for _, item in owed(row, told, judge):
            found.setdefault(item.item_id, item)
    in_order = sorted(subtasks, key=subtask_order)
    groups = [group for subtask in in_order for group in _groups(subtask, judge)]
    return sorted(found.values(), key=lambda item: groups.index(item.group))


def owed(row: Mapping[str, Any], told: Told, judge: str) -> Iterator[tuple[bool | None, Item]]:
    """Yield the features that an answer owes, each as its item, with whether the judge finds it
    stated; None where the judge cannot tell.

    Parameters
    ----------
    row, told
        As :func:`lvlmbench.analysis.judged.told_of` yields them.
    """
    truth, scope = told.truth, told.scope
    open_ = missed(told.claims, told.matches, truth, scope)
    left_out = missed(told.claims, told.matches, truth, scope, told.unsure)
    covered, lacking, unsure = _groups(row["subtask"], judge)
    for feature in missed((), (), truth, scope):  # who claims nothing leaves out all
        if feature in left_out:
            yield False, _item(row, feature, truth.features, lacking)
        elif feature in open_:
            yield None, _item(row, feature, truth.features, unsure)
        else:
            yield True, _item(row, feature, truth.features, covered)


def _groups(subtask: str, judge: str) -> tuple[str, str, str]:
    about, name = inline(subtask), judge.replace("_", " ")
    return (
        f"{about}: features that {name} finds stated",
        f"{about}: features that {name} finds left out",
        f"{about}: features of which {name} cannot tell",
    )


def _item(
    row: Mapping[str, Any], feature: Feature, features: tuple[Feature, ...], group: str
) -> Item:
    """The item about one feature: the answer, and the feature in words."""
    # Two dogs are owed once: any dog will do.
    words = phrase(feature, () if feature.kind in ONCE else features)
    lines = [row["question"], f"Answer: {row['text']}", f"The picture shows: {words}"]
    image = row["image_id"], row["image_sha256"]
    return Item.of(image, _ASKS, lines, group, about_answer(row))
