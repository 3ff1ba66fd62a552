"""The stage ``audit``: entries of the vocabulary that fail too often."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import Out, Stage

STAGE = Stage(
    name="audit",
    words="Audit the vocabulary",
    artifact="rejection rates",
    reads=(
        "data/{suite}/consensus",
        "data/{suite}/questions",
        "data/{suite}/scenes",
        "data/{suite}/verdicts",
    ),
    makes=(Out("results/{suite}/vocabulary_audit.csv"),),
    params=("filter", "vocabulary", "audit"),
    promises=(Promise(Exactness.EVERYWHERE, "compares and counts"),),
)
