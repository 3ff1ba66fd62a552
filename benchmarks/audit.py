"""What the vocabulary audit finds of planted bad entries, and what it proposes falsely.

For each seed a copy of the vocabulary gets bad entries (``benchmarks/harness/bad_entries.py`` says
which), and the pipeline runs in this process: scenes, images, filters with a reference model,
questions, answers of the reference models, consensus, audit. A proposal is true where its entry, or
one of its pair, was planted. Backgrounds whose ``shows`` is missing are counted apart: they make a
question unfair, and only a model that falls for it shows that. The last line of standard output is
one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.harness.bad_entries import Planted, Row, audited, parameters, plant
from lvlmbench.core.guard import main_guard
from lvlmbench.stats.estimate import wilson

#: Kind of fault -> entries of a seed that get it.
COUNTS = {"label": 12, "background": 3, "style": 3, "shows": 2}
#: Faults that need not lead to a wrong sample.
UNSEEN = ("shows",)


def judged(rows: list[Row], planted: Planted) -> tuple[Counter[str], Counter[str], list[str]]:
    """Count what was planted and what of it found, by fault; and name the false proposals."""
    proposed = [row for row in rows if row["proposed"]]
    by_row = [
        {(str(row["list"]), str(row["label"])), ("style", str(row["in_style"]))} for row in proposed
    ]
    found = {entry for entries in by_row for entry in entries}
    caught = Counter(fault for entry, fault in planted.faults.items() if entry in found)
    false = [
        f"{row['list']} {row['label']} {row['in_style']}: {row['n_wrong']} of {row['n']}"
        for row, entries in zip(proposed, by_row, strict=True)
        if not entries & planted.faults.keys()
    ]
    return Counter(planted.faults.values()), caught, false


def share(count: int, of: int) -> str:
    """A share with its 95 % interval, in words."""
    if not of:
        return "none"
    low, high = wilson(count / of, of)
    return f"{count} of {of}, {count / of:.1%} ({low:.1%} to {high:.1%})"


def summary(there: Counter[str], caught: Counter[str], true: int, false: int) -> Row:
    """Recall by fault and in all, and precision, with intervals."""
    seen = [fault for fault in there if fault not in UNSEEN]
    n, found, proposals = sum(there[f] for f in seen), sum(caught[f] for f in seen), true + false
    row: Row = {"planted": n, "found": found, "proposals": proposals, "false": false}
    for name, hits, of in (("recall", found, n), ("precision", true, proposals)):
        if of:
            low, high = wilson(hits / of, of)
            row |= {name: round(hits / of, 4), f"{name}_low": round(low, 4)}
            row[f"{name}_high"] = round(high, 4)
    return row | {f"found_{f}": f"{caught[f]}/{there[f]}" for f in sorted(there)}


@main_guard
def main() -> None:
    """Run each seed and print a line about it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=9_101, help="first seed; no snapshot's")
    parser.add_argument("--scenes", type=int, default=60, help="scenes of each subtask")
    parser.add_argument("--size", type=int, default=512, help="side of the images in pixels")
    parser.add_argument("--least", type=int, default=3, help="images that show a planted entry")
    args = parser.parse_args()

    there, caught, true, false = Counter[str](), Counter[str](), 0, 0
    for seed in range(args.first, args.first + args.seeds):
        params = parameters(seed, args.scenes, args.size)
        with tempfile.TemporaryDirectory() as name:
            params, planted = plant(params, Path(name) / "vocabulary", COUNTS, args.least)
            rows, told = audited(params, planted)
        n, hits, wrong = judged(rows, planted)
        right = sum(bool(row["proposed"]) for row in rows) - len(wrong)
        there, caught, true, false = there + n, caught + hits, true + right, false + len(wrong)
        print(f"seed {seed}: {told}; planted {dict(n)}, found {dict(hits)}; false: {wrong}")
        missed = {e: f for e, f in planted.faults.items() if f not in UNSEEN}
        for row in rows:
            entry = (row["list"], row["label"])
            if row["proposed"]:
                missed.pop(entry, None)
            elif entry in missed:
                print(f"  missed {missed[entry]} {entry}: {row['n_wrong_alone']} of "
                      f"{row['n_alone']} alone, {row['n_wrong']} of {row['n']}")  # fmt: skip
        sys.stdout.flush()
    seen = [f for f in there if f not in UNSEEN]
    print(f"found: {share(sum(caught[f] for f in seen), sum(there[f] for f in seen))}")
    print(f"true proposals: {share(true, true + false)}")
    print(json.dumps({"benchmark": "audit"} | summary(there, caught, true, false)))


if __name__ == "__main__":
    main()
