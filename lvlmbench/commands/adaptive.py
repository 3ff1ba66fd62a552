"""``lvlmbench adaptive``: ask a model no more questions than it takes to know how good it is."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from lvlmbench.commands.arguments import add_snapshot, open_snapshot
from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands

_ABOUT = """\
Asks a model of answer.models some questions of a finished snapshot, a few at a time, and stops as
soon as it is clear whether it is better than another model, or, without one, how able it is. All
answers are kept: the same command goes on where it was stopped, and a run of the whole snapshot
asks none of them again.
"""


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "adaptive", help="ask a model until it is clear how good it is", description=_ABOUT
    )
    parser.add_argument("model", metavar="MODEL", help="under answer.models")
    parser.add_argument("--against", metavar="OTHER", help="a model that was asked everything")
    parser.add_argument(
        "--by", choices=("accuracy", "ability"), default="accuracy",
        help="of whole scenes in random order, as in the leaderboard, or of the most telling "
        "questions, which takes fewer (accuracy)",
    )  # fmt: skip
    parser.add_argument("--most", type=int, metavar="N", help="questions at most (a fifth of all)")
    parser.add_argument("--batch", type=int, metavar="N", help="questions asked at once (24)")
    add_snapshot(parser, required=False)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench.analysis.session import BATCH
    from lvlmbench.stages.adaptive.live import Aim, ask
    from lvlmbench.stages.answer.asked import Asked

    for name in ("most", "batch"):
        number = getattr(arguments, name)
        if number is not None and number < 1:
            raise UserError(f"--{name} {number}", "is less than 1", "give at least 1")
    snapshot = open_snapshot(Asked, arguments)
    aim = Aim(
        arguments.model, arguments.against, arguments.by == "ability", arguments.most,
        BATCH if arguments.batch is None else arguments.batch,
    )  # fmt: skip
    for line in ask(snapshot, aim):
        print(line, flush=True)
