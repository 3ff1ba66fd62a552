"""Answers of many styles, with the reading that was written down before the code was run.

Those whose name begins with w are of readers who had not seen the code, s and t of its author.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from lvlmbench.stages.judge.kinds.lexical.exact import Verdict, read_value

REPLIES = Path(__file__).parents[3] / "data" / "replies" / "values.jsonl"
#: Readings that an answer may have; one that gives no single value scores as a wrong one.
_AS_LABELLED = {
    "right": {Verdict.RIGHT},
    "wrong": {Verdict.WRONG},
    None: {Verdict.UNCLEAR, Verdict.WRONG},
}


def test_values_are_read_as_labelled_and_never_as_the_opposite() -> None:
    items = [json.loads(line) for line in REPLIES.read_text("utf-8").splitlines()]
    read: Counter[str] = Counter()
    opposite = []
    for each in items:
        found = read_value(each["answer"], each["prompt"], each["accepted"], each["rivals"])
        if found in _AS_LABELLED[each["meant"]]:
            read["as labelled"] += 1
        elif found is Verdict.UNCLEAR:
            read["abstained"] += 1
        else:
            opposite.append((each["id"], each["answer"]))
    assert not opposite and len(items) >= 638
    assert read["as labelled"] >= 0.97 * len(items), read
