"""Rule ``check``: a model checks the pictures of one suite."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.config import load_params
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.check.run import Files, Outs, check_files


@main_guard
def main() -> None:
    """Read scenes, layouts and pictures; write what the validator sees, and what it was asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--suite", help="name of the suite; may be left out where it is alone")
    parser.add_argument("--validator", required=True, help="name under validator.validators")
    for name in Files._fields:
        nargs = "*" if name == "checks" else "+"
        parser.add_argument(f"--{name}", type=Path, nargs=nargs, required=True)
    for name in Outs._fields:
        parser.add_argument(f"--{name}", type=Path, required=True)
    args = parser.parse_args()

    check_files(
        load_params(args.config, args.suite),
        args.validator,
        Files(*(getattr(args, name) for name in Files._fields)),
        Outs(*(getattr(args, name) for name in Outs._fields)),
    )


if __name__ == "__main__":
    main()
