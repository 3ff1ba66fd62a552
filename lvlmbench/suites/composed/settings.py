"""Settings of the suite ``composed``: what makes its levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from lvlmbench.config.section import Name, Section
from lvlmbench.suites.graphs.level import Level
from lvlmbench.suites.graphs.pairing import check_even

if TYPE_CHECKING:
    from lvlmbench.config import Params


def _levels() -> dict[str, Level]:
    easy = Level(
        things=(1, 3), span=(230, 340), background=False, style=False, weather=False, hops=0, near=0
    )
    medium = Level(
        things=(3, 5), span=(170, 260), background=True, style=False, weather=False, hops=1, near=1
    )
    hard = Level(
        things=(5, 6), span=(112, 150), background=True, style=True, weather=True, hops=2, near=3,
        panels=4,
    )  # fmt: skip
    return {"easy": easy, "medium": medium, "hard": hard}


class Composing(Section):
    """Scenes with several things."""

    twins: bool = Field(
        True,
        description="Whether each second scene is the twin of the one before it: the same but for "
        "one fact, asked the same question.",
    )
    questions: int = Field(
        1,
        ge=1,
        le=8,
        description="Questions of each type about a scene, at most: each is of another program, "
        "and the twin is asked the same where it can be. Fewer where a scene has no more to ask.",
    )
    levels: dict[Name, Level] = Field(
        default_factory=_levels,
        min_length=1,
        description="Levels of difficulty by name; scenes take them in turn.",
    )


def check_twins(params: Params, source: str) -> None:
    """Check that twins stand side by side in one shard.

    Raises
    ------
    UserError
        A number of scenes is odd.
    """
    corpus = params.corpus
    if not corpus.own(Composing).twins:
        return
    numbers = {"scenes_per_subtask": corpus.scenes_per_subtask, "shard_scenes": corpus.shard_scenes}
    numbers |= {f"scenes.{name}": n for name, n in corpus.scenes.items()}
    check_even(params, source, "composed", numbers)
