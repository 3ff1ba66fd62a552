"""Pages beside the report that hold every scene with its pictures in full size."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.core.untrusted import script_hash
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import browser
from lvlmbench.stages.report.formatting import asset, environment
from lvlmbench.stages.report.page import SCRIPTS, style


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
