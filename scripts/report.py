"""Write the offline HTML report of a snapshot; beside it how, where and when it was made."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_project
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.snapshot.identity import project_id
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import item_pages, overview, page, per_item, provenance, run_page
from lvlmbench.stages.report.beside import Beside


@main_guard
def main() -> None:
    """Read the tables and figures, write the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--data", type=Path, required=True, help="folder of the suites' tables")
    parser.add_argument("--results", type=Path, required=True, help="folder of their results")
    parser.add_argument("--published", type=Path, required=True, help="data/published")
    parser.add_argument("--state", type=Path, help="where runs leave what they have measured")
    parser.add_argument("--build", type=Path, help="folder in it that this report is built in")
    parser.add_argument("--out", type=Path, required=True, help="report.html")
    args = parser.parse_args()
    project = load_project(args.config)
    snapshots = {
        suite: Snapshot(project.suite(suite), args.data / suite, args.results / suite)
        for suite in project.suites
    }
    suites = {}
    for suite, snapshot in snapshots.items():
        results = snapshot.results
        folders = results / "figures", results / "validity", results / "exports"
        labels = PROJECT_ROOT / snapshot.params.labels.folder
        others = tuple(each for name, each in snapshots.items() if name != suite)
        beside = Beside(*folders, args.published, args.state, args.build, labels, others)
        suites[suite] = snapshot, beside
    pages = item_pages.pages(suites, args.out.parent)
    facts = provenance.collect(project_id(project, args.data))
    run = run_page.render(project, beside, facts, per_item.of_run(snapshots, beside))
    provenance.write(args.out.with_name("provenance.json"), facts)
    atomic_bytes(args.out.with_name(page.RUN_PAGE), run.encode())
    told = overview.build(snapshots)
    atomic_bytes(args.out, page.whole(project.snapshot.name, pages, told).encode())


if __name__ == "__main__":
    main()
