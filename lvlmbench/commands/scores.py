"""``lvlmbench scores``: numbers of the metrics table, found by name."""

from __future__ import annotations

import argparse
import csv
import difflib
import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lvlmbench.analysis.headlines import is_headline, label_of, note_of
from lvlmbench.commands.arguments import add_suite
from lvlmbench.commands.constants import CONSTANT_COLUMNS, CONSTANTS, below, constant_rows
from lvlmbench.config.headline import headline_of
from lvlmbench.core.errors import UserError, meant, not_here
from lvlmbench.engine.under_way import under_way

if TYPE_CHECKING:
    from lvlmbench.commands.arguments import Commands
    from lvlmbench.config import Params
    from lvlmbench.versions.outdated import Given

Row: TypeAlias = dict[str, Any]

ALL = "all"
#: Asks for every value of a key column but "all".
EACH = "each"
#: Filters, which are columns of the table, and what they say in the help.
FILTERS = {
    "model": "model",
    "scenario": "scenario, e.g. clean or corruption",
    "question_type": "multiple_choice, true_false, short_answer, free_form or structured",
    "subtask": "subtask, e.g. animal",
    "style": "style of the image",
    "perturbation": "what was done to the image",
    "severity": "how severely, a digit",
    "level": "level of difficulty, e.g. hard",
    "metric": "metric, e.g. accuracy or headline",
}
#: Columns in which "all" means: over all of them.
KEYS = ("question_type", "subtask", "style", "perturbation", "severity", "level")
#: Tables of numbers that judges give rise to, beside the metrics: file names without the ending.
MEASURES = ("hallucination", "dialogue")
#: Filters of these tables alone.
OF_MEASURES = {
    "judge": "judge; with --table",
    "stratum": "what of the answers is counted; with --table",
    "beside": "the other judge, or people; with --table",
    "measure": "measure, e.g. faithfulness or win_rate; with --table",
}
#: What is shown of them.
_SHOWN_OF = ("value", "low", "high", "n", "answers", "unjudged")
#: What is shown where no metric is named.
MAIN = ("headline", "score", "accuracy", "similarity", "difference")
#: Metrics that have a standard error wherever they rest on two scenes or more.
WITH_ERROR = (*MAIN, "above_chance", *(f"{m}_strict" for m in MAIN))
SHOWN = ("value", "low", "high", "n", "n_unscored")
CONSENSUS_NOTE = "biased upward: without the questions that the models' consensus drops"
#: Columns that count answers without a score -> why they have none.
UNSCORED = {"n_refused": "refused", "n_truncated": "cut off", "n_failed": "failed"}
#: Metrics that count pairs of answers, of which both have to be scored.
PAIRED = ("difference", "pair_accuracy")
ONE_SCENE_NOTE = "rests on one scene"


def add(commands: Commands) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "scores",
        help="look up numbers by model, scenario, subtask ...",
        description="Numbers of results/SUITE/metrics.parquet. A filter takes a name, or several by"
        " commas, or 'each'. Of what no filter names, the numbers over all of it are shown"
        " where there are any, so that wholes and parts are never mixed.",
    )
    parser.add_argument(
        "--snapshot", type=Path, default=Path(), metavar="DIR", help="holds results (.)"
    )
    add_suite(parser)
    parser.add_argument(
        "--submissions", action="store_true", help="with the models that were submitted"
    )
    parser.add_argument(
        "--table", choices=("metrics", *MEASURES, CONSTANTS), default="metrics",
        help="of the numbers: what models make up, how they do beside references, or what one and "
        "the same answer to all questions gets (metrics)",
    )  # fmt: skip
    for name, about in (FILTERS | OF_MEASURES).items():
        flag = "--" + name.replace("_", "-")
        parser.add_argument(flag, metavar="NAME", dest=name, help=about)
    parser.add_argument(
        "--consensus", action="store_true",
        help="only the questions that the models' consensus keeps: biased upward",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=("table", "csv", "json"), default="table", help="of the output (table)"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> None:
    from lvlmbench import tables
    from lvlmbench.submissions.place import RECORD, SUBMISSIONS
    from lvlmbench.versions.outdated import outdated, parameters

    name, root = arguments.table, arguments.snapshot
    _check_fit(name, arguments.consensus, arguments.submissions)
    told = parameters(root)
    wanted = {k: v for k in (*FILTERS, *OF_MEASURES) if (v := getattr(arguments, k)) is not None}
    text: Callable[[Sequence[Row]], str] = as_table
    if name == CONSTANTS:
        known = constant_rows(root, arguments.suite, told, arguments.consensus)
        _check_columns(name, wanted, CONSTANT_COLUMNS)
        text = partial(as_table, keys=(), first=CONSTANT_COLUMNS[:3], shown=CONSTANT_COLUMNS[3:])
        _print(select_measures(known, wanted), arguments.format, text)
        return
    path = _file(root / "results", arguments.suite, name, arguments.submissions, told)
    suite = path.relative_to(root / "results").parts[0]
    if (line := outdated(root, suite, told)) is not None:
        print(f"{line}; {run}, wait for it" if (run := under_way(root)) else line, file=sys.stderr)
    rows: list[Row] = tables.read([path], tables.TABLES[name]).to_pylist()
    if name not in MEASURES and not any(row["metric"] in MAIN for row in rows):
        raise _no_score(root, suite, told)
    _check_columns(name, wanted, tables.TABLES[name].names)
    brought = path.parent / SUBMISSIONS / (arguments.model or "") / RECORD
    if not arguments.submissions and brought.is_file():
        what = f"'{arguments.model}' was brought by 'lvlmbench score'"
        raise UserError("--model", what, "add --submissions")
    if name in MEASURES:
        found, keys = select_measures(rows, wanted), tables.TABLES[name].key[2:]
        text = partial(as_table, keys=keys, first=("judge", "model"), shown=_SHOWN_OF)
    else:
        params = next((g.project.suite(suite) for g in told if suite in g.project.suites), None)
        found = select(rows, wanted, arguments.consensus, params)
        if params is not None and any(is_headline(row) for row in found):
            text = partial(_headed, label_of(params))
    _print(found, arguments.format, text)
    scores = any(row.get("metric") in MAIN[:3] for row in found)
    if scores and arguments.format == "table" and not arguments.submissions:
        print(below(root, suite, told, arguments.consensus, bare=not wanted), end="")


def _print(found: Sequence[Row], form: str, text: Callable[[Sequence[Row]], str]) -> None:
    if form == "json":
        print(json.dumps(found, indent=1, ensure_ascii=False))
    elif form == "csv":
        writer = csv.DictWriter(sys.stdout, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    else:
        print(text(found))


def _check_columns(table: str, wanted: Collection[str], columns: Collection[str]) -> None:
    """Refuse a filter that a table has no column for."""
    if strange := [name for name in wanted if name not in columns]:
        fix = "leave it out, or name another table with --table"
        raise UserError(_flag(strange[0]), f"the table '{table}' has no such column", fix)


def _headed(label: str, rows: Sequence[Row]) -> str:
    """The table, below what its headline is."""
    return f"headline: {label}\n{as_table(rows)}"


def _check_fit(table: str, consensus: bool, submissions: bool) -> None:
    """Refuse what a table of measures does not have."""
    if submissions and table == CONSTANTS:
        raise UserError("--submissions", "constant answers are no model's", "leave it out")
    if table not in MEASURES:
        return
    if consensus:
        what = f"the table '{table}' has no numbers without the questions that consensus drops"
        raise UserError("--consensus", what, "leave it out")
    if submissions:
        what = f"the table '{table}' has no models that were submitted: no judge reads them"
        raise UserError("--submissions", what, "leave it out")


def _file(
    results: Path, suite: str | None, table: str, submissions: bool, told: Sequence[Given]
) -> Path:
    """A table of a suite, or of the one that has any; suites are told in the order of params."""
    name = f"{table}.parquet"
    file = Path("submissions", name) if submissions else Path(name)
    found = sorted(results.glob(f"{suite or '*'}/{file}"))
    if not found:
        raise _missing(results, suite, table, file, submissions, told)
    if len(found) > 1:
        from lvlmbench.config import several

        names = [path.relative_to(results).parts[0] for path in found]
        listed = [suite for each in told for suite in each.project.suites]
        raise several(str(results), dict.fromkeys([n for n in listed if n in names] + names))
    return found[0]


def _missing(
    results: Path, suite: str | None, table: str, file: Path, submissions: bool,
    told: Sequence[Given],
) -> UserError:  # fmt: skip
    """What is said where no such table is there."""
    from lvlmbench.config.layers import BASE

    if not results.parent.is_dir():
        fix = "name the folder that holds results"
        return UserError(f"--snapshot {results.parent}", "is not a folder", fix)
    suites = sorted(path.parent.name for path in results.glob("*/metrics.parquet"))
    if suite is not None and suites and suite not in suites:
        fix = meant(suite, suites, f"there are: {', '.join(suites)}")
        return UserError("--suite", f"there are no numbers of a suite '{suite}'", fix)
    place = str(results / (suite or "SUITE") / file)
    if submissions:
        return UserError(place, "is not there", "run 'lvlmbench score' first")
    if (run := under_way(results.parent)) is not None:
        fix = "wait for it to end; what is published of it comes all at once"
        return UserError(place, f"is not there yet: {run}", fix)
    if suites and table in MEASURES:
        return UserError(place, "is not there", f"leave out --table {table}")
    if told:
        return UserError(place, "is not there", told[0].command)
    base = results.parent / BASE
    if base.is_file():
        return UserError(str(base), "cannot be used", "run 'lvlmbench config check' to see why")
    if results.parent == Path():
        return not_here(BASE)
    return UserError(place, "is not there", "name the folder that holds results with --snapshot")


def _no_score(root: Path, suite: str, told: Sequence[Given]) -> UserError:
    """What is said where a suite has no score: why, and where more is to be read."""
    from lvlmbench.engine.outcome import why_none

    why = next(
        (why_none(g.project.suite(suite), root) for g in told if suite in g.project.suites), ""
    )
    fix = f"the funnel in {root / 'results/report.html'} says what became of all"
    what = f"there is no score at all{why and ': '}{why}"
    return UserError(f"{root / 'results' / suite}", what, fix)


def select(
    rows: Sequence[Row],
    wanted: Mapping[str, str],
    consensus: bool = False,
    params: Params | None = None,
) -> list[Row]:
    """The rows that filters leave, each with a ``note``: what makes it unlike the others.

    Parameters
    ----------
    rows
        Of the metrics table.
    wanted
        By column: names with commas between them, or ``each``.
    consensus
        Take the questions that the models' consensus keeps in place of all.
    params
        Of the suite, where they are known.

    Raises
    ------
    UserError
        A name is not in the table, or no row has all of them.
    """
    questions = "consensus" if consensus else ALL
    left = [row for row in rows if row["questions"] == questions]
    for name, text in wanted.items():
        left = [row for row in left if row[name] in _values(rows, name, text)]
    if "metric" not in wanted:
        left = [row for row in left if row["metric"] in MAIN]
    open_keys = [name for name in KEYS if name not in wanted]
    left = _of_one_kind(left, open_keys, merge="metric" not in wanted)
    if not left:
        said = ", ".join(f"{_flag(k)} {v}" for k, v in wanted.items())
        fix = "leave one out, or put 'each' in its place to see what there is"
        raise UserError("lvlmbench scores", f"no row is of {said or 'any main metric'}", fix)
    return [{**row, "note": note(row, params)} for row in left]


def select_measures(rows: Sequence[Row], wanted: Mapping[str, str]) -> list[Row]:
    """Return the rows of a table of measures that filters leave.

    Of key columns that no filter names, those over all values, where there are such.

    Raises
    ------
    UserError
        A name is not in the table, or no row has all of them.
    """
    left = list(rows)
    for name, text in wanted.items():
        left = [row for row in left if row[name] in _values(rows, name, text)]
    for name in ("subtask", "stratum", "beside"):
        whole = [row for row in left if row.get(name, ALL) == ALL]
        if name not in wanted and whole:
            left = whole
    if not left:
        said = ", ".join(f"{_flag(k)} {v}" for k, v in wanted.items())
        fix = "leave one out, or put 'each' in its place; or the suite has none"
        raise UserError("lvlmbench scores", f"no row is of {said or 'this table'}", fix)
    return [{**row, "note": ""} for row in left]


def _of_one_kind(rows: Sequence[Row], open_keys: Sequence[str], merge: bool) -> list[Row]:
    """The rows over all values of the keys without a filter; of a metric that has none, those that
    are by the fewest and first of these keys. Where metrics ``merge``, they do so together."""

    def by(row: Row) -> tuple[int, tuple[int, ...]]:
        places = tuple(i for i, name in enumerate(open_keys) if row[name] != ALL)
        return len(places), places

    least: dict[str, tuple[int, tuple[int, ...]]] = {}
    for row in rows:
        metric = "" if merge else row["metric"]
        least[metric] = min(least.get(metric, by(row)), by(row))
    return [row for row in rows if by(row) == least["" if merge else row["metric"]]]


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _values(rows: Sequence[Row], name: str, text: str) -> set[str]:
    """The values of a column that a filter names."""
    known = sorted({str(row[name]) for row in rows})
    if text == EACH:
        return set(known) - {ALL}
    asked = [text] if text in known else [part.strip() for part in text.split(",")]
    for each in asked:
        if each not in known:
            near = difflib.get_close_matches(each, known, n=3)
            more = f", ... {len(known) - 20} more" if len(known) > 20 else ""
            fix = f"there are: {', '.join(known[:20])}{more}"
            if near:
                fix = f"did you mean {', '.join(near)}? {fix}"
            raise UserError(_flag(name), f"'{each}' is not in the table", fix)
    return set(asked)


def note(row: Mapping[str, Any], params: Params | None = None) -> str:
    """Why a row cannot be compared with others; empty where it can. ``params`` are
    those of the suite, which say what its headline is."""
    notes = [] if row["questions"] == ALL else [CONSENSUS_NOTE]
    if params is not None and is_headline(row):
        value, n = row["value"], row["n"] or 0
        asked = n + (row["n_unscored"] or 0)
        said = note_of(headline_of(params), params, value, n, asked)
        if headline_of(params).table is not None:
            return "; ".join([*notes, said])
        notes += [said] if value is None else []
    why = [f"{row[key]:,} {said}" for key, said in UNSCORED.items() if row.get(key)]
    if row["metric"].removesuffix("_strict") in PAIRED:  # of which one half may be why
        why = [f"{row['n_unscored']:,} pairs of answers"] if row["n_unscored"] else []
    elif all(row.get(key) is not None for key in UNSCORED):
        left = row["n_unscored"] - sum(row[key] for key in UNSCORED)
        why += [f"{left:,} could not be read"] if left else []
    if why:
        notes.append(f'not scored: {", ".join(why)} (docs/models.md, "What becomes of a reply")')
    if row["metric"] in WITH_ERROR and row["value"] is not None and row.get("n_scenes") == 1:
        notes.append(ONE_SCENE_NOTE)
    return "; ".join(notes)


def as_table(
    rows: Sequence[Row],
    keys: Sequence[str] = (*KEYS, "metric"),
    first: Sequence[str] = ("model", "scenario"),
    shown: Sequence[str] = SHOWN,
) -> str:
    """Rows as text: the first columns, those of ``keys`` that say something, the numbers, the notes
    below."""
    saying = [k for k in keys if any(row[k] != ALL for row in rows)]
    head = [*first, *saying, *shown]
    notes = list(dict.fromkeys(row["note"] for row in rows if row["note"]))
    cells = [head]
    for row in rows:
        mark = f" [{notes.index(row['note']) + 1}]" if row["note"] else ""
        cells.append([_cell(row[k]) + (mark if k == "value" else "") for k in head])
    widths = [max(len(line[i]) for line in cells) for i in range(len(head))]
    words = len(head) - len(shown)
    lines = [
        "  ".join(
            cell.ljust(width) if i < words else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in cells
    ]
    lines += [f"[{number}] {text}" for number, text in enumerate(notes, 1)]
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
