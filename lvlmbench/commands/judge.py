"""``lvlmbench judge``: the exam of judges."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lvlmbench.commands.arguments import add_snapshot, open_snapshot
from lvlmbench.config.judging import MOST_PLANTED
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands
    from lvlmbench.config import Params
    from lvlmbench.snapshot.reader import Snapshot
    from lvlmbench.stages.judge.exam.outcome import Outcome
    from lvlmbench.stages.judge.exam.planting.ground import Ground

#: Answers of each treatment and kind, where nobody says how many.
_ANSWERS = 100


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("judge", help="examine judges of free answers")
    inner = parser.add_subparsers(metavar="COMMAND", required=True)
    exam = inner.add_parser("exam", help="have judges judge answers whose truth was planted")
    exam.add_argument(
        "--judge", action="append", default=[], metavar="NAME",
        help="under judge.judges; may be given again (all of them)",
    )  # fmt: skip
    exam.add_argument(
        "--answers", type=int, default=_ANSWERS, metavar="N",
        help=f"of each treatment and kind, at most ({_ANSWERS})",
    )  # fmt: skip
    add_snapshot(exam, required=False)
    exam.add_argument(
        "--out", type=Path, metavar="FILE", help="new table to write, FILE.parquet or .csv"
    )
    exam.set_defaults(run=_exam)


def _exam(arguments: argparse.Namespace) -> None:
    from lvlmbench.snapshot.reader import Snapshot
    from lvlmbench.stages.examine.examine import outcomes
    from lvlmbench.stages.judge.exam.telling import told
    from lvlmbench.stages.judge.making import judge_of

    _check(arguments.answers, arguments.out)
    snapshot = open_snapshot(Snapshot, arguments)
    params = snapshot.params
    names = list(dict.fromkeys(arguments.judge)) or [each.name for each in params.judge.judges]
    for name in names:  # whose mistakes are told before scenes are read
        judge_of(params, name)
    scenes = _scenes(snapshot)
    number = arguments.answers
    print(
        f"{amount(len(scenes), 'scene')}, at most {amount(number, 'answer')} "
        "of each treatment and kind"
    )
    found = list(outcomes(params, names, scenes, number))
    for line in told(found):
        print(line)
    if arguments.out is not None:
        _write(found, arguments.out, params)
        print(f"{arguments.out}: {len(found):,} numbers")


def _check(answers: int, out: Path | None) -> None:
    if answers < 1:
        raise UserError(f"--answers {answers}", "is less than 1", "give at least 1")
    if answers > MOST_PLANTED:
        fix = f"give {MOST_PLANTED} at most"
        raise UserError(f"--answers {answers}", f"is more than {MOST_PLANTED:,}", fix)
    if out is None:
        return
    if out.suffix not in (".parquet", ".csv"):
        raise UserError(f"--out {out}", "is neither .parquet nor .csv", "name one of these")
    if out.exists():
        raise UserError(f"--out {out}", "is there already", "name a new file")
    if not out.parent.is_dir():
        raise UserError(f"--out {out}", "its folder is not there", f"make {out.parent} first")


def _scenes(snapshot: Snapshot) -> list[Ground]:
    """The drawn scenes of a suite whose features are all known."""
    from lvlmbench import tables
    from lvlmbench.stages.examine.examine import scenes_of

    found = scenes_of(
        snapshot.params,
        snapshot.parts(tables.SCENES),
        snapshot.parts(tables.LAYOUTS),
        snapshot.parts(tables.TRUTH),
    )
    if not found:
        raise UserError(
            str(snapshot.data),
            "holds no scene of which all is known",
            "draw some by a renderer that measures, e.g. pictograph",
        )
    return found


def _write(found: Sequence[Outcome], out: Path, params: Params) -> None:
    from lvlmbench import tables
    from lvlmbench.config.identity import params_id

    rows = [each.row() for each in found]
    if out.suffix == ".parquet":
        tables.write_rows(rows, out, tables.JUDGE_EXAM, params_id(params))
        return
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, tables.JUDGE_EXAM.names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
