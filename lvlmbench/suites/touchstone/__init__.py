"""Dialogue about drawn scenes, whose answers are compared with references (TouchStone).

Importing this package only registers the suite and its tasks; what samples and asks is loaded when
it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lvlmbench.core.registry import import_modules
from lvlmbench.suites.dialogue import HEADLINE, TASKS
from lvlmbench.suites.suite import SUITES, Suite
from lvlmbench.suites.touchstone.settings import Conversing

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.config.headline import Headline
    from lvlmbench.scene.claims import Scope
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.suites.dialogue import Task

import_modules("lvlmbench.suites.touchstone.tasks")


@SUITES.register("touchstone", label="TouchStone", settings=Conversing)
class TouchStone(Suite):
    """The tasks of five abilities that a scene can be drawn for, a question a scene."""

    about = (
        "Models answer in their own words what they are asked about a picture, and a judge "
        "compares each answer with a reference answer. It measures how good and how helpful "
        "their answers are."
    )

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return the scenes of a range; see :func:`.scenes.sample`."""
        from lvlmbench.suites.touchstone.scenes import sample

        return sample(params, vocabulary, start, stop)

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return the questions about scenes that were drawn; see :func:`.questions.ask`."""
        from lvlmbench.suites.touchstone.questions import ask

        return ask(params, vocabulary, scenes, layouts)

    def truth(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return what the pictures show, of which only what a description is to say is owed."""
        from lvlmbench.suites.touchstone.questions import truth

        return truth(params, vocabulary, scenes, layouts)

    def scopes(self, params: Params) -> Mapping[str, Scope]:
        """Return what descriptions are to speak of; other answers may speak of anything."""
        from lvlmbench.suites.touchstone.scenes import task_of

        found = {name: task_of(name).scope for name in params.corpus.subtasks}
        return {name: scope for name, scope in found.items() if scope is not None}

    def headline(self, params: Params) -> Headline:
        """Return the mean score of the first judge."""
        return HEADLINE

    def dialogue(self, params: Params) -> Mapping[str, Task]:
        """Return the tasks: answers to all of them are compared with references."""
        return {name: TASKS[name] for name in params.corpus.subtasks}

    def planned(self, params: Params) -> tuple[float, float]:
        """Return a question a scene, each answered freely."""
        return params.corpus.n_scenes, params.corpus.n_scenes

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return what a model is sent: the question alone, so that an answer is as long as it
        likes to be; else as for all suites."""
        from lvlmbench.config.identity import templates_of
        from lvlmbench.suites.instructions import prompt_for
        from lvlmbench.suites.touchstone.questions import FREE_FORM

        if question_type == FREE_FORM:
            return question
        return prompt_for(templates_of(params).instructions, question_type, question, options)
