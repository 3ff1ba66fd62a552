"""Unpack the figures that jobs have drawn."""

from __future__ import annotations

import argparse
from pathlib import Path
from zipfile import ZipFile

from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard


@main_guard
def main() -> None:
    """Write each file that is wanted, from whichever archive has it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drawn", type=Path, nargs="+", required=True, help="archives")
    parser.add_argument("--out", type=Path, nargs="+", required=True, help="files in them")
    args = parser.parse_args()
    wanted = {path.name: path for path in args.out}
    for path in args.drawn:
        with ZipFile(path) as archive:
            for name in archive.namelist():
                atomic_bytes(wanted[name], archive.read(name))


if __name__ == "__main__":
    main()
