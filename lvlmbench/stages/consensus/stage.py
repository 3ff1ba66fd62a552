"""The stage ``consensus``: questions that the best models get wrong together."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import Out, Stage

STAGE = Stage(
    name="consensus",
    words="See which questions the best models get wrong together",
    artifact="questions kept",
    reads=("data/{suite}/questions", "data/{suite}/scores"),
    makes=(Out("data/{suite}/consensus", split="one"),),
    params=("snapshot", "answer", "consensus", "suite.scenarios"),
    promises=(Promise(Exactness.EVERYWHERE, "compares and counts"),),
)
