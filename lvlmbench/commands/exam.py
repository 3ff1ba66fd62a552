"""``lvlmbench exam``: parameters of an exam from a request in words, and what can be asked."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands
    from lvlmbench.config import Params
    from lvlmbench.suites.suite import Suite

#: What is taken without another word: Snakemake reads it by itself.
_BASE = Path("params.yaml")
#: What the parameters allow of one request.
_MOST = 1_000_000
_HEAD = """\
# What was asked for: {words}
# Laid over {base}: snakemake --cores 8 results/report.html --configfile {files}
"""


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser("exam", help="exams from a request in words")
    parts = parser.add_subparsers(metavar="COMMAND", required=True)
    request = parts.add_parser(
        "request",
        help="write parameters of an exam",
        description="Prints parameters that are laid over params.yaml. WORDS name requests, "
        'aspects and levels by commas: "spatial understanding, hard". Where a model plans '
        "(examiner.planners), all else is taken for a request in words of your own.",
    )
    request.add_argument("words", metavar="WORDS")
    request.add_argument("--images", type=int, metavar="N", help="about so many in all")
    request.set_defaults(run=_request)
    show = parts.add_parser("show", help="print the aspects that can be asked about")
    show.add_argument("words", metavar="WORDS", nargs="?", default="", help="e.g. spatial")
    show.set_defaults(run=_show)
    for each in (request, show):
        each.add_argument("--base", type=Path, default=_BASE, help="lowest file (params.yaml)")


def _suite(base: Path) -> tuple[Suite, Params, list[str]]:
    """The suite that takes requests, parameters of it, and all suites that a run would have.

    A run lays the base over params.yaml, so its suites count, too. That which the base names is
    taken where it has one, else that of params.yaml, else the defaults.
    """
    from lvlmbench.config import validate_project
    from lvlmbench.config.layers import load_layers
    from lvlmbench.core.yaml_file import read_layer
    from lvlmbench.suites.suite import SUITES, suite_of

    lowest = [_BASE] if _BASE.is_file() else [base]
    project = load_layers([*lowest, base])
    named = [*(read_layer(base).get("suites") or ()), *project.suites]
    every = [*dict.fromkeys([*load_layers(lowest).suites, *project.suites])]
    for name in filter(project.suites.get, named):
        params = project.suite(name)
        if suite_of(params).takes_requests:
            return suite_of(params), params, every
    for kind in SUITES.ordered():
        make: Any = kind.make
        if make.takes_requests:
            asked = project.examiner.model_dump(mode="json", exclude_unset=True)
            given: dict[str, Any] = {"suites": {kind.name: {}}, "examiner": asked}
            params = validate_project(given).suite()
            return suite_of(params), params, every
    raise UserError("exam", "no suite takes requests", "install one")


def _request(arguments: argparse.Namespace) -> None:
    import yaml

    if arguments.images is not None and arguments.images < 1:
        raise UserError("--images", f"is {arguments.images}", "write 1 or more")
    suite, params, others = _suite(arguments.base)
    corpus = suite.requested(params, arguments.words, arguments.images)
    images = sum(
        corpus.get("scenes", {}).get(name, corpus["scenes_per_subtask"])
        for name in corpus["subtasks"]
    )
    most = max(corpus.get("scenes", {}).values(), default=0)
    if max(most, corpus["scenes_per_subtask"]) > _MOST:
        what = f"is {arguments.images}, and a request has at most {amount(_MOST, 'picture')}"
        raise UserError("--images", what, "write fewer")
    if arguments.images not in (None, images):
        print(f"{amount(images, 'image')}: as many of each aspect and level", file=sys.stderr)
    own = {"kind": params.kind, "corpus": corpus, "scenarios": _scenarios()}
    suites = dict.fromkeys([name for name in others if name != params.suite])
    found = {"snapshot": {"name": "exam"}, "suites": {**suites, params.suite: own}}
    words = " ".join(arguments.words.split())
    base = arguments.base
    files = "my.yaml" if base == _BASE else f"{shlex.quote(str(base))} my.yaml"
    print(_HEAD.format(words=ascii(words), base=ascii(str(base))[1:-1], files=files), end="")
    print(yaml.safe_dump(found, sort_keys=False, width=100), end="")


def _scenarios() -> dict[str, Any]:
    """How an exam is shown: as it is, and not at all, to see what the text alone gives away."""
    from lvlmbench.config.scenarios import CLEAN
    from lvlmbench.stages.scenario.scenario import SCENARIOS

    blind = next(kind.name for kind in SCENARIOS.ordered() if not kind.pictures)
    return {"names": [CLEAN, blind], "noisy": [{"name": blind}]}


def _show(arguments: argparse.Namespace) -> None:
    suite, params, _ = _suite(arguments.base)
    for line in suite.shown(params, arguments.words):
        print(line)
