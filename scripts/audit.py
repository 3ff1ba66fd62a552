"""Rule ``audit``: which entries of the vocabulary make wrong samples."""

from __future__ import annotations

import argparse
from pathlib import Path

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.audit.audit import audit_rows, csv_bytes
from lvlmbench.tables import graph


@main_guard
def main() -> None:
    """Read scenes, questions, verdicts and consensus; write one line an entry as CSV."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument(
        "--verdicts", type=Path, nargs="+", required=True, help="of the renderer and all filters"
    )
    parser.add_argument("--consensus", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True, help="vocabulary_audit.csv")
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    shown = ["scene_id", *(column.name for column in graph.COLUMNS)]
    # A scene that is shown again is no other trial of what it shows.
    scenes = tables.read(args.scenes, tables.SCENES, ["base", *shown], pc.field("base").is_null())
    rows = audit_rows(
        scenes,
        tables.read(args.questions, tables.QUESTIONS, ["question_id", "subtask"]),
        tables.read(args.verdicts, tables.VERDICTS, ["scene_id", "filter", "keep"]),
        tables.read(args.consensus, tables.CONSENSUS, ["question_id", "scene_id", "keep"]),
        filters=params.filter.names,
        exclude=params.vocabulary.exclude,
        audit=params.audit,
    )
    atomic_bytes(args.out, csv_bytes(rows, params.filter.names))
    print(f"{sum(bool(row['proposed']) for row in rows)} of {len(rows)} entries proposed")


if __name__ == "__main__":
    main()
