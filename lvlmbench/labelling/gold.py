"""What people say of the objects that single answers claim: gold for measures of judges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from lvlmbench.analysis.judged import first_judge
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.labelling.agreement import most_say
from lvlmbench.labelling.given import read_folder
from lvlmbench.labelling.kinds.claims import SHEET, said
from lvlmbench.labelling.sheet import RIGHT, UNCLEAR
from lvlmbench.snapshot.reader import Snapshot

#: (model, scenario, question, image) -> object that is claimed -> whether it is there.
Gold = Mapping[tuple[str, str, str, str | None], Mapping[str, bool]]


def gold_of(snapshot: Snapshot, labels: Path) -> Gold:
    """Return what more than half of the people say of each object that an answer claims.

    Of the clean answers, as the first judge reads them, on the sheet of claims; what nobody has
    labelled, and what is unclear, is not among it. What an answer claims several times is there
    where each claim of it is right.

    Raises
    ------
    UserError
        A file of labels is damaged.
    """
    judge = first_judge(snapshot)
    people = most_say(read_folder(labels, snapshot.params.suite, SHEET))
    if judge is None or not people:
        return {}
    found: dict[tuple[str, str, str, str | None], dict[str, bool]] = defaultdict(dict)
    for row, item in said(snapshot, judge):
        if row["kind"] != "object" or row["negated"] or item.item_id not in people:
            continue
        most = people[item.item_id]
        if most != UNCLEAR:
            answer = row["model"], CLEAN, row["question_id"], row["image_id"]
            there = found[answer].get(row["subject"], True)
            found[answer][row["subject"]] = there and most == RIGHT
    return found
