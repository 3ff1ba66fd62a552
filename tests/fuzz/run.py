"""Run the fuzz: ``python tests/fuzz/run.py [--seed N] [--cases N] [--only KIND] [--case N]``.

``--cases`` counts bad inputs. Of the mutants some are still valid, and are taken: another is drawn
for each of them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

for _variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")
sys.path[:0] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]

from fuzz.case import Kind, generator  # noqa: E402
from fuzz.child import forked  # noqa: E402
from fuzz.oracle import judge  # noqa: E402

#: Seconds after which a case counts as hung, on a busy machine.
LIMIT = 240.0


def kinds(work: Path, only: str | None = None) -> list[Kind]:
    """The kinds of input, ready to make cases; their bases lie below ``work``."""
    from fuzz.answers import AnswerFiles
    from fuzz.own_copies import OwnCopies
    from fuzz.own_tables import OwnTables
    from fuzz.params import ParamsFiles
    from fuzz.shards import Shards
    from fuzz.vocabulary import Vocabularies

    every = (ParamsFiles, Vocabularies, AnswerFiles, Shards, OwnCopies, OwnTables)
    makers = {kind.name: kind for kind in every}
    wanted = [maker for name, maker in makers.items() if only in (None, name)]
    found: list[Kind] = []
    for maker in wanted:
        place = work / f"base-{len(found)}"
        place.mkdir()
        found.append(maker(place))
    return found


def sound(kind: Kind, folder: Path) -> None:
    """Make sure that a kind's bases are taken."""
    folder.mkdir()
    case = kind.sound(folder)
    outcome = forked(case.action, folder, LIMIT)
    verdict = judge(case, outcome, folder)
    if verdict.result != "taken":
        raise SystemExit(f"{kind.name}: the base itself is bad: {verdict} {outcome.err}")


def main() -> int:
    """Run the cases, tell of each defect, count the results; 1 if there is a defect."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=100, help="how many bad inputs (100)")
    parser.add_argument("--only", help="one kind of input")
    parser.add_argument("--case", type=int, help="this one alone, and all that it said")
    parser.add_argument("--out", type=Path, help="results, one JSON object a line")
    args = parser.parse_args()

    began = time.monotonic()
    counts: Counter[tuple[str, str]] = Counter()
    seconds: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as top:
        work = Path(top)
        found = kinds(work, args.only)
        for kind in found:
            sound(kind, work / f"sound-{kind.name}")
        ready = time.monotonic() - began
        out = args.out.open("w") if args.out else None
        bad = 0
        for number in itertools.count() if args.case is None else [args.case]:
            if bad >= args.cases:
                break
            kind = found[number % len(found)]
            folder = work / "case" / str(number)
            folder.mkdir(parents=True)
            case = kind.case(generator(args.seed, number), folder)
            outcome = forked(case.action, folder, LIMIT)
            verdict = judge(case, outcome, folder)
            counts[kind.name, verdict.result] += 1
            bad += verdict.result != "taken"
            seconds[kind.name] += outcome.seconds
            line = {
                "seed": args.seed, "case": number, "kind": kind.name, "said": case.said,
                "result": verdict.result, "why": verdict.why, "seconds": round(outcome.seconds, 2),
            }  # fmt: skip
            if out:
                out.write(json.dumps(line) + "\n")
            if verdict.result == "defect" or args.case is not None:
                print(json.dumps(line, ensure_ascii=True), flush=True)
            if args.case is not None:
                print(outcome.out, outcome.err, sep="\n")
                print("kept in", shutil.copytree(folder, Path(tempfile.mkdtemp()) / "case"))
            shutil.rmtree(folder)
            if (number + 1) % 100 == 0:
                results = dict(Counter(result for _, result in counts.elements()))
                print(f"{number + 1} cases: {results}", flush=True)
    for kind in found:
        of = {result: counts[kind.name, result] for result in ("rejected", "taken", "defect")}
        print(f"{kind.name}: {of}, {seconds[kind.name]:.1f} s")
    took = f"{time.monotonic() - began:.1f} s ({ready:.1f} s to begin)"
    print(f"{bad} bad inputs in {sum(counts.values())} cases of seed {args.seed}, {took}")
    return int(any(result == "defect" for _, result in counts))


if __name__ == "__main__":
    sys.exit(main())
