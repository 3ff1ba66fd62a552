"""Keeps the answers of different models and runs apart. This file needs Python alone.

Folders of logs hold all that was ever run. Answers of one model alone become a file of answers;
runs of it are put together only where no question was asked in two of them.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

#: Of many runs so many are named.
_NAMED = 12


class Answer(NamedTuple):
    """A line of the file of answers, and the model and the run that it is of."""

    model: str
    run: str
    item_id: str
    line: Mapping[str, Any]


def files(path: Path, wanted: Callable[[Path], object]) -> list[Path]:
    """A file itself; of a folder, and of folders linked into it, the files that are wanted, each
    once, whatever links lead to it."""
    if not path.is_dir():
        return [path]
    walked = os.walk(path, followlinks=True)
    found = sorted(Path(top, name) for top, _, names in walked for name in names)
    return sorted({f.resolve(): f for f in found if wanted(f) and f.is_file()}.values())


def arguments(about: str | None, argv: list[str] | None = None) -> argparse.Namespace:
    """What was asked for: ``paths``, and ``model`` and ``run``, None where all are."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--model", metavar="NAME", help="take this model's answers alone")
    parser.add_argument("--run", metavar="NAME", help="take this run's answers alone")
    return parser.parse_args(argv)


def _named(counts: Mapping[tuple[str, str], int]) -> str:
    shown = [f"model {m!r} run {r!r} ({n:,} answers)" for (m, r), n in sorted(counts.items())]
    more = [f"and {len(shown) - _NAMED} more"] if len(shown) > _NAMED else []
    return ", ".join(shown[:_NAMED] + more)


def chosen(found: Iterable[Answer], model: str | None, run: str | None) -> list[Mapping[str, Any]]:
    """The lines of one model, the last one where a run asked a question again.

    Raises
    ------
    SystemExit
        There are several models, or two runs of the model asked the same question, and nobody chose
        one; or there is no such model or run. All that were found are named.
    """
    runs: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for each in found:
        runs.setdefault((each.model, each.run), {})[each.item_id] = each.line
    counts = {key: len(lines) for key, lines in runs.items()}
    mine = {
        key: lines
        for key, lines in runs.items()
        if model in (None, key[0]) and run in (None, key[1])
    }
    if runs and not mine:
        sys.exit(f"no such model or run there; there are: {_named(counts)}")
    if len({name for name, _ in mine}) > 1:
        sys.exit(f"answers of several models are there; choose with --model NAME: {_named(counts)}")
    lines: dict[str, Mapping[str, Any]] = {}
    for answers in mine.values():
        if lines.keys() & answers.keys():
            told = _named({key: counts[key] for key in mine})
            sys.exit(f"several runs asked the same questions; choose with --run NAME: {told}")
        lines |= answers
    if len(mine) > 1:
        told = _named({key: counts[key] for key in mine})
        print(f"put together from several runs: {told}", file=sys.stderr)
    return list(lines.values())


def write(lines: list[Mapping[str, Any]]) -> None:
    """Write them, one JSON object a line, and say how many."""
    for line in lines:
        print(json.dumps(line))
    print(f"{len(lines):,} answers", file=sys.stderr)
