"""Composed scenes: several things in a picture, with truth measured from what was drawn.

Importing this package only registers the suite and its skills; what samples and asks is loaded
when it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lvlmbench.config.headline import Beside, Headline
from lvlmbench.core.registry import import_modules
from lvlmbench.suites.composed.settings import Composing, check_twins
from lvlmbench.suites.suite import SUITES, Suite

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary

import_modules("lvlmbench.suites.composed.skills")


@SUITES.register("composed", settings=Composing, check=check_twins)
class Composed(Suite):
    """Twelve skills at three levels."""

    about = (
        "Models look at pictures of several things and are asked to count, compare, relate and "
        "read them, at three levels of difficulty. It measures how well they see more than one "
        "thing."
    )

    most_options = 4

    def headline(self, params: Params) -> Headline:
        """Return accuracy on single questions, mean over skills."""
        return Headline(
            label="accuracy on single questions",
            about="Share of right answers, each question alone, mean over skills.",
            beside=(
                Beside(
                    "accuracy on twins",
                    "pair_accuracy",
                    about="Share of pairs of which both questions are answered rightly: the same "
                    "question about a scene and about its twin, which differs in what is asked.",
                ),
                Beside("accuracy", "score", by="level"),
            ),
        )

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return the scenes of a range; see :func:`.scenes.sample`."""
        from lvlmbench.suites.composed.scenes import sample

        return sample(params, vocabulary, start, stop)

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return the questions about scenes that were drawn; see :func:`.questions.ask`."""
        from lvlmbench.suites.composed.questions import ask

        return ask(params, vocabulary, scenes, layouts)

    def planned(self, params: Params) -> tuple[float, float]:
        """Return one question of each type a scene, and of more each a quarter, as most scenes have
        no more to ask; none is answered freely."""
        from lvlmbench.suites.composed.questions import TYPES

        each = 1 + (params.corpus.own(Composing).questions - 1) / 4
        return params.corpus.n_scenes * len(TYPES) * each, 0

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return what a model is sent; see :func:`lvlmbench.suites.instructions.prompt_for`."""
        from lvlmbench.config.identity import templates_of
        from lvlmbench.suites.instructions import prompt_for

        return prompt_for(templates_of(params).instructions, question_type, question, options)
