"""Make the README's pictures: the top of the report, and a contact sheet."""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.guard import main_guard
from lvlmbench.stages.report import thumbnails as pictures


@main_guard
def main() -> None:
    """Read the report and the sheet, write report.png and contact_sheet.png."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, default=Path("results/report.html"))
    parser.add_argument(
        "--sheet", type=Path, default=Path("results/contact_sheets/subtasks/style.png")
    )
    parser.add_argument("--out", type=Path, default=Path("docs/images"))
    args = parser.parse_args()
    if not args.report.is_file():
        raise UserError(str(args.report), "is missing", "run 'snakemake results/report.html'")
    try:
        with Image.open(args.sheet) as image:
            sheet = image.convert("RGB")
    except (OSError, UnidentifiedImageError):
        raise UserError(
            str(args.sheet), "is not a readable image", "run 'snakemake contact_sheets'"
        ) from None
    report = pictures.screenshot(args.report, 1280, 720)
    atomic_bytes(args.out / "report.png", pictures.shrink(report, 1280))
    atomic_bytes(args.out / "contact_sheet.png", pictures.shrink(sheet, 1280))


if __name__ == "__main__":
    main()
