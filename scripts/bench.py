"""``make bench``: run the benchmarks, keep what they say, write the tables of docs/performance.md.

What was measured stays when a later benchmark fails or is interrupted; ``--only-missing`` goes on
from there. With ``--no-run`` the tables are written from what is kept.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.harness import table
from benchmarks.harness.run import Benchmark, chosen, found, keep, kept, run
from benchmarks.harness.stages import about, measured
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.guard import main_guard


def _write(document: Path, results: Path, benchmarks: list[Benchmark], snapshot: Path) -> None:
    """Both tables; what nothing is known of stays as it stands there."""
    if told := kept(results, benchmarks):
        table.put(document, "benchmarks", table.benchmarks_table(told))
    if rows := measured(snapshot):
        table.put(document, "stages", table.stages_table(about(snapshot), rows))


def _missing(results: Path, benchmarks: list[Benchmark]) -> list[Benchmark]:
    done = {result.name for result in kept(results, benchmarks) if result.error is None}
    return [benchmark for benchmark in benchmarks if benchmark.name not in done]


@main_guard
def main() -> int:
    """Run them one after the other; 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run (all)")
    parser.add_argument("--list", action="store_true", help="only say which there are")
    parser.add_argument("--only-missing", action="store_true", help="only those not yet measured")
    parser.add_argument("--no-run", action="store_true", help="only write the tables")
    parser.add_argument(
        "--snapshot", type=Path, default=PROJECT_ROOT, metavar="DIR",
        help="finished snapshot whose stages are told (the checkout's)",
    )  # fmt: skip
    parser.add_argument("--root", type=Path, default=PROJECT_ROOT, help=argparse.SUPPRESS)
    args = parser.parse_args()

    root = args.root.resolve()
    document, results = root / "docs" / "performance.md", root / "benchmarks" / "results"
    benchmarks = found(root / "benchmarks")
    picked = chosen(benchmarks, args.names)
    if args.list:
        for benchmark in picked:
            print(f"{benchmark.name:14s} {benchmark.what}")
        return 0
    if args.only_missing:
        picked = _missing(results, picked)
    _write(document, results, benchmarks, args.snapshot)  # no markers: said before hours of work
    failed = 0
    for i, benchmark in enumerate([] if args.no_run else picked, start=1):
        print(f"[{i}/{len(picked)}] {benchmark.name}: {benchmark.what}", flush=True)
        result = run(benchmark, root, results)
        keep(result, results)
        _write(document, results, benchmarks, args.snapshot)
        failed += result.error is not None
        told = result.error or "; ".join(table.figures(result.figures))
        print(f"        {result.seconds:.0f} s: {told}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
