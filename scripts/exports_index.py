"""List the forms that a snapshot was written in."""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench.core.guard import main_guard
from lvlmbench.stages.exports.run import write_index


@main_guard
def main() -> None:
    """Read the manifests, write the index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="resolved parameters")
    parser.add_argument("--manifests", type=Path, nargs="*", default=[], help="of the forms")
    parser.add_argument("--out", type=Path, required=True, help="index.json")
    args = parser.parse_args()
    write_index(args.manifests, args.out)


if __name__ == "__main__":
    main()
