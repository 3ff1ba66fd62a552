"""The pages of suites, and those beside the report with every scene's pictures in full size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.core.files import atomic_bytes
from lvlmbench.core.untrusted import script_hash
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import browser, page
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.formatting import asset, environment
from lvlmbench.stages.report.page import ITEM_PAGES, SCRIPTS, style

#: Suites whose pages are made at once.
WORKERS = 2


def pages(suites: Mapping[str, tuple[Snapshot, Beside]], folder: Path) -> dict[str, str]:
    """Return the page of each suite as HTML text, and write the pages beside the report into
    ``folder``.

    Raises
    ------
    UserError
        What another stage has made is missing or damaged.
    """
    work = [(*of, folder / name / ITEM_PAGES) for name, of in suites.items()]
    with ProcessPoolExecutor(min(WORKERS, len(work)), get_context("fork")) as pool:
        return dict(zip(suites, pool.map(_page, work), strict=True))


def _page(work: tuple[Snapshot, Beside, Path]) -> str:
    """The page of a suite; those beside it are written."""
    snapshot, beside, folder = work
    for name, text in render(snapshot):
        atomic_bytes(folder / name, text.encode())
    return page.render(snapshot, beside)


def render(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Pairs (file, HTML) where ``report.full`` asks for them, one page in memory at a time."""
    if not snapshot.params.report.full:
        return
    script = "\n".join(asset(name).strip() for name in SCRIPTS)
    template = environment().get_template("item_page.html.j2")
    for name, made in browser.pages(snapshot, Leaderboard(snapshot)):
        yield (
            name,
            template.render(
                params=snapshot.params, browser=made, css=style(), script=script,
                script_hash=script_hash(script),
            ),
        )  # fmt: skip
