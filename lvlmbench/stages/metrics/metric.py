"""What a metric is: rows that it adds to the table, of one model in one scenario.

To add one, write a module in ``kinds`` (or an outside package with an entry point in the group
``lvlmbench.metrics``) that registers a function; metrics add their rows in the order of their
places::

    @METRICS.register("mine")
    def add(out: Rows, of: Answers) -> None: ...
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lvlmbench.core.registry import Kind, Kinds

if TYPE_CHECKING:
    import pandas as pd

    from lvlmbench.stages.metrics.headline import Judged, Measured
    from lvlmbench.stages.metrics.sample import Sample
    from lvlmbench.stats.resampling import Bootstrap


@dataclass(frozen=True)
class Answers:
    """The answers of one model in one scenario.

    Attributes
    ----------
    asked
        All of them (:func:`lvlmbench.stages.metrics.frame.prepared`).
    table
        Those that count here: without the questions that the consensus drops, where it is asked.
    clean
        The model's answers in the clean scenario; None where that is this one or was not asked.
    noisy
        Whether the scenario is another than clean.
    sample, strict
        The answers that count, as they are scored; and with unscored ones taken for wrong. Where
        captions are not scored (:attr:`Headline.captions`), their type is not one that scores need.
    headline, headline_strict
        The same as the suite's headline has them.
    judged
        The headline as a judge sees it; None where no judge gives it, or has seen the model.
    bootstrap
        Draws of scenes for intervals.
    """

    asked: pd.DataFrame
    table: pd.DataFrame
    clean: pd.DataFrame | None
    noisy: bool
    sample: Sample
    strict: Sample
    headline: Measured
    headline_strict: Measured
    judged: Judged | None
    bootstrap: Bootstrap


METRICS: Kinds[Kind] = Kinds("metrics", "lvlmbench.stages.metrics.kinds", Kind)
