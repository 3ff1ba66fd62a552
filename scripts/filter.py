"""Rule ``filter``: one filter's verdicts on one shard of images."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.config import load_params
from lvlmbench.config.identity import params_id
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.filter.filter import FILTERS, Filter, Passes, verdict_rows
from lvlmbench.stages.reference.folder import WEIGHTS_HELP, folders
from lvlmbench.stages.render.given import given_of


@main_guard
def main() -> None:
    """Read images and their scenes, write verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--filter", required=True, help="name of a filter in filter.filters")
    parser.add_argument("--images", type=Path, required=True)
    parser.add_argument("--scenes", type=Path, nargs="+", required=True)
    parser.add_argument("--weights", type=Path, nargs="*", default=[], help=WEIGHTS_HELP)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()

    params = load_params(args.config, args.suite)
    where = f"{args.config}: filter.filters"
    chosen = next((f for f in params.filter.filters if f.name == args.filter), None)
    if chosen is None:
        names = ", ".join(params.filter.names)
        raise UserError(where, f"there is no filter '{args.filter}'", f"use one of: {names}")
    kind = FILTERS.get(chosen.registered, f"{where}: {chosen.name}")
    images = tables.read([args.images], tables.IMAGES)
    judge: Filter = Passes(chosen.name)
    if given_of(params) is None:
        judge = kind(params, chosen, folders(args.weights))
    rows = verdict_rows(judge, images, tables.read(args.scenes, tables.SCENES))
    tables.write_rows(rows, args.out, tables.VERDICTS, params_id(params))


if __name__ == "__main__":
    main()
