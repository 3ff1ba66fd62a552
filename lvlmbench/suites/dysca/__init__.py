"""Dysca: one subject a scene, in many styles, asked about in three ways (sections 3.1 to 3.3).

Importing this package only registers the suite and its subtasks; what samples and asks is loaded
when it is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lvlmbench.config.headline import PAPER, Beside, Headline
from lvlmbench.core.registry import import_modules
from lvlmbench.suites.dysca.settings import Harder
from lvlmbench.suites.suite import SUITES, Suite

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary

import_modules("lvlmbench.suites.dysca.subtasks")


def _check(params: Params, source: str) -> None:
    """Scenes have as many aspects as are asked about, and templates have words for these: a job
    would say minutes later that they have not.

    Raises
    ------
    UserError
        Something is asked more often than it can be, or has no words.
    """
    from lvlmbench.config.identity import templates_of
    from lvlmbench.scene.subtasks import SUBTASKS
    from lvlmbench.suites.dysca.selection import closed_rates, free_form_rate

    templates = templates_of(params)
    for name in params.corpus.subtasks:
        recipe = SUBTASKS[name]
        closed_rates(params, name, recipe)
        for variant in range(len(recipe.foregrounds)):
            for aspect in recipe.asked(variant):
                templates.aspect(aspect)
    free_form_rate(params)


@SUITES.register("dysca", settings=Harder, check=_check)
class Dysca(Suite):
    """The suite of the paper."""

    about = (
        "Models look at pictures of one subject each, drawn in many styles, and are asked what "
        "is there, such as which animal, how many, or which color. It measures how well they "
        "perceive."
    )

    most_options = 4

    def headline(self, params: Params) -> Headline:
        """Return accuracy on closed questions; the paper's score where that is asked for."""
        question_types = Beside("SQ", "sq", percent=False)
        captions = Beside(
            "captions' F1", "f1", "hallucination",
            about="Harmonic mean of the share of what captions claim that is true and the share of "
            "what is to be said that they say.",
        )  # fmt: skip
        if params.headline == "paper":
            return replace(PAPER, beside=(question_types, captions))
        return Headline(
            label="accuracy on closed questions",
            captions=True,
            beside=(
                Beside(PAPER.label, PAPER.measure, about=PAPER.about),
                question_types,
                captions,
            ),
        )

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return the scenes of a range; see :func:`.scenes.sample`."""
        from lvlmbench.suites.dysca.scenes import sample

        return sample(params, vocabulary, start, stop)

    def restyled(self, params: Params, vocabulary: Vocabulary, scenes: pa.Table) -> pa.Table:
        """Return some of the scenes in other styles; see :func:`.restyled.restyled`."""
        from lvlmbench.suites.dysca.plan import plan_for
        from lvlmbench.suites.dysca.restyled import restyled

        settings = params.corpus.own(Harder).restyled
        return restyled(settings, plan_for(params, vocabulary), params.snapshot.seed, scenes)

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return the questions about scenes; see :func:`.questions.draw_questions`."""
        from lvlmbench.suites.dysca.plan import plan_for
        from lvlmbench.suites.dysca.questions import draw_questions
        from lvlmbench.suites.dysca.staging import unfit

        asked = draw_questions(params, plan_for(params, vocabulary), scenes)
        left_out = unfit(params.corpus.own(Harder), layouts, params.render.size)
        if left_out:
            asked = asked.filter([name not in left_out for name in asked["scene_id"].to_pylist()])
        return asked

    def notices(self, params: Params) -> list[str]:
        """Return a line where scenes are drawn again in other styles that no scenario shows."""
        settings = params.corpus.own(Harder).restyled
        if not settings.scenes_per_subtask or any(s.again for s in params.scenarios.noisy):
            return []
        key = f"suites.{params.suite}.corpus.dysca.restyled.scenes_per_subtask"
        what = "scenes are drawn again in other styles, and no scenario shows them"
        return [f"{what}; {key}: 0 saves the time"]

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return what a model is sent; see :func:`.instructions.prompt_for`."""
        from lvlmbench.config.identity import templates_of
        from lvlmbench.suites.instructions import prompt_for

        return prompt_for(templates_of(params).instructions, question_type, question, options)
