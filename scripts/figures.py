"""Draw tables and figures of a snapshot as PDF, SVG and CSV, into one archive."""

from __future__ import annotations

import argparse
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from lvlmbench.config import load_params
from lvlmbench.core.files import atomic
from lvlmbench.core.guard import main_guard
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures.figure import Sources
from lvlmbench.stages.figures.run import files


@main_guard
def main() -> None:
    """Read the tables, write the files of the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--figures", nargs="+", required=True, help="names of the figures")
    parser.add_argument("--data", type=Path, required=True, help="folder of the tables")
    parser.add_argument("--results", type=Path, required=True, help="folder of the results")
    parser.add_argument("--published", type=Path, required=True, help="data/published")
    parser.add_argument("--out", type=Path, required=True, help="archive of their files")
    args = parser.parse_args()
    params = load_params(args.config, args.suite)
    snapshot = Snapshot(params, args.data, args.results)
    beside, name = None, params.figures.beside
    if name not in (None, params.suite):
        folders = (each.with_name(str(name)) for each in (args.data, args.results))
        beside = Snapshot(load_params(args.config, name), *folders)
    sources = Sources(snapshot, args.results / "validity", args.published, beside)
    with atomic(args.out) as out, ZipFile(out, "w") as archive:
        for name in args.figures:
            for file, data in files(name, sources)[1].items():
                archive.writestr(ZipInfo(file), data)


if __name__ == "__main__":
    main()
