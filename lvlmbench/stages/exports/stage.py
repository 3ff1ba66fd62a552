"""The stage ``exports``: the snapshot in the forms of other tools."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.exports.export import EXPORTS, INDEX, MANIFEST
from lvlmbench.stages.stage import TEMPLATES, Needs, Out, Stage


def _files(params: Params) -> list[str]:
    return [INDEX, *(f"{name}/{MANIFEST}" for name in params.exports.formats)]


def needed(params: Params, name: str) -> list[str]:
    """Return the exports that one refers to."""
    return list(EXPORTS.get(name, "exports.formats").needs)


STAGE = Stage(
    name="exports",
    words="Write the snapshot for other tools",
    artifact="files for other tools",
    reads=(
        "CREDITS.md",
        *TEMPLATES,
        *(
            f"data/{{suite}}/{table}"
            for table in ("scenes", "questions", "truth", "images", "verdicts", "consensus")
        ),
    ),
    runs_none=("models", "judges"),
    makes=(Out("results/{suite}/exports", names=_files),),
    params=(
        *("snapshot", "render", "filter", "consensus", "exports"),
        *("suite.corpus", "suite.scenarios"),
    ),
    needs=lambda params, values: Needs(minutes=240),
    promises=(Promise(Exactness.EVERYWHERE, "choose and copy"),),
    scripts=("exports", "exports_index"),
    at_home=True,
)
