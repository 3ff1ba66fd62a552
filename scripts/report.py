"""Write the offline HTML report of a snapshot; beside it how, where and when it was made."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.config.identity import snapshot_id
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import (
    item_pages,
    page,
    provenance,
    run_page,
)
from lvlmbench.stages.report.beside import Beside


@main_guard
def main() -> None:
    """Read the tables and figures, write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--results", type=Path, required=True, help="folder of the results")
    parser.add_argument("--figures", type=Path, required=True, help="folder of the figures")
    parser.add_argument("--validity", type=Path, required=True, help="folder of the validity")
    parser.add_argument("--exports", type=Path, required=True, help="folder of the exports")
    parser.add_argument("--published", type=Path, required=True, help="data/published")
    parser.add_argument("--state", type=Path, help="where runs leave what they have measured")
    parser.add_argument("--build", type=Path, help="folder in it that this report is built in")
    parser.add_argument("--out", type=Path, required=True, help="report.html")
    args = parser.parse_args()
    params = load_params(args.config)
    snapshot = Snapshot(params, args.data, args.results)
    beside = Beside(
        args.figures, args.validity, args.exports, args.published, args.state, args.build
    )
    html = page.render(snapshot, beside)
    facts = provenance.collect(snapshot_id(params))
    run = run_page.render(params, beside, facts)
    provenance.write(args.out.with_name("provenance.json"), facts)
    atomic_bytes(args.out.with_name(page.RUN_PAGE), run.encode())
    for name, text in item_pages.render(snapshot):
        atomic_bytes(args.out.with_name(page.ITEM_PAGES) / name, text.encode())
    atomic_bytes(args.out, html.encode())


if __name__ == "__main__":
    main()
