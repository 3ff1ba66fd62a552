"""Rule ``examiner``: a model writes questions about the pictures of one suite."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.examiner.run import Files, Outs, propose_files


@main_guard
def main() -> None:
    """Read scenes and layouts; write what the examiner proposes, and what it was asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--examiner", required=True, help="name under examiner.examiners")
    for name in Files._fields:
        parser.add_argument(
            f"--{name}",
            type=Path,
            nargs="*" if name in ("aspects", "checks") else "+",
            required=True,
        )
    for name in Outs._fields:
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()

    propose_files(
        load_params(args.config, args.suite),
        args.examiner,
        Files(*(getattr(args, name) for name in Files._fields)),
        Outs(*(getattr(args, name) for name in Outs._fields)),
    )


if __name__ == "__main__":
    main()
