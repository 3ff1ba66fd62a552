"""Contact sheets of the scenario corruption: one PNG a kind, severities in rows, to be looked at.

The top row shows the clean images, taken from all over the given shards.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS


@main_guard
def main() -> None:
    """Damage some clean images in every way and write a sheet for each kind."""
    names = [kind.name for kind in CORRUPTIONS.ordered()]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=Path, nargs="+", required=True, help="clean shards")
    parser.add_argument("--out", type=Path, required=True, help="folder for the sheets")
    parser.add_argument("--count", type=int, default=8, help="images on a sheet")
    parser.add_argument("--side", type=int, default=256, help="side of each in pixels")
    parser.add_argument("--kinds", nargs="+", choices=names, default=names, metavar="KIND")
    args = parser.parse_args()
    for name in ("count", "side"):
        if getattr(args, name) < 1:
            raise UserError(f"--{name}", f"{getattr(args, name)} is too few", "give 1 or more")

    from lvlmbench.stages.scenario.kinds.corruption.sheets import sheet, spread
    from lvlmbench.stages.scenario.pixels import encode

    rows = spread(tables.read(args.images, tables.IMAGES).to_pylist(), args.count)
    if not rows:
        raise UserError("--images", "hold no image that can be decoded", "give other shards")
    for kind in args.kinds:
        path = args.out / f"{kind}.png"
        atomic_bytes(path, encode(sheet(rows, kind, args.side)))
        print(path)


if __name__ == "__main__":
    main()
