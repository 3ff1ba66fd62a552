"""Pictures of the report and of a contact sheet, small enough for a README."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from lvlmbench.core.errors import UserError

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
#: Bytes of one picture at most.
MAX_BYTES = 400_000
_PATIENCE = 120


def executable() -> str:
    """The Chromium that is installed.

    Raises
    ------
    UserError
        There is none.
    """
    found = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        raise UserError("chromium", "is not installed", "run: apt-get install chromium")
    return found


def screenshot(page: Path, width: int, height: int) -> Image.Image:
    """The top of a local page as headless Chromium shows it, ``width`` by ``height`` pixels.

    Raises
    ------
    UserError
        There is no Chromium, or it does not give a picture.
    """
    found = executable()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "page.png"
        command = [
            found, "--headless", "--disable-gpu", "--disable-background-networking",
            "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            f"--user-data-dir={folder}/profile", f"--window-size={width},{height}",
            f"--screenshot={out}", page.resolve().as_uri(),
        ]  # fmt: skip
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # Chromium refuses to start as root otherwise
        try:
            subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=True)
            with Image.open(out) as image:
                return image.convert("RGB")
        except (subprocess.SubprocessError, OSError) as error:
            raise UserError(
                found, f"took no picture of {page} ({type(error).__name__})",
                "open the file in it by hand to see why",
            ) from None  # fmt: skip


def shrink(image: Image.Image, width: int, limit: int = MAX_BYTES) -> bytes:
    """PNG of at most ``width`` pixels across and ``limit`` bytes, as large as that allows."""
    while True:
        height = round(image.height * min(width, image.width) / image.width)
        small = image.resize((min(width, image.width), height), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        small.quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(out, "PNG", optimize=True)
        if out.tell() <= limit or width <= 64:
            return out.getvalue()
        width = min(width, image.width) * 9 // 10
