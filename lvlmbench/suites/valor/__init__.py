"""What a model makes up and what it leaves out, on drawn scenes (VALOR-Eval).

Importing this package only registers the suite and its subsets; what samples and asks is loaded
when it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lvlmbench.core.registry import import_modules
from lvlmbench.suites.claimed import STRUCTURED
from lvlmbench.suites.suite import SUITES, Suite
from lvlmbench.suites.valor.settings import Hallucinating

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.config.headline import Headline
    from lvlmbench.scene.claims import Scope
    from lvlmbench.scene.vocabulary import Vocabulary

import_modules("lvlmbench.suites.valor.subsets")


@SUITES.register("valor", label="VALOR-Eval", settings=Hallucinating)
class Valor(Suite):
    """Five subsets of scenes that are to be described."""

    about = (
        "Models describe pictures, in a form and in their own words, and each claim is compared "
        "with what the picture shows. It measures what they make up (hallucination) and what they "
        "leave out."
    )

    most_options = 2
    scored_forms = ("structured",)

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return the scenes of a range; see :func:`.scenes.sample`."""
        from lvlmbench.suites.valor.scenes import sample

        return sample(params, vocabulary, start, stop)

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return the questions about scenes that were drawn; see :func:`.questions.ask`."""
        from lvlmbench.suites.valor.questions import ask

        return ask(params, vocabulary, scenes, layouts)

    def truth(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return what the pictures show, of which only what is asked for is owed."""
        from lvlmbench.suites.valor.questions import truth

        return truth(params, vocabulary, scenes, layouts)

    def designs(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return which associations the scenes of a range are about; see :mod:`.design`."""
        from lvlmbench.suites.valor.scenes import designs

        return designs(params, vocabulary, start, stop)

    def selection(self, source: Path, support: int | None) -> Iterator[Mapping[str, Any]]:
        """Yield the pictures of C by each statistic; see :mod:`.association.chosen`."""
        from lvlmbench.suites.valor.association.chosen import rows

        return rows(source, support)

    def headline(self, params: Params) -> Headline:
        """Return F1 of structured descriptions."""
        return STRUCTURED

    def scopes(self, params: Params) -> Mapping[str, Scope]:
        """Return what descriptions are to speak of, by subset."""
        from lvlmbench.suites.valor.scenes import subset_of

        return {name: subset_of(name).scope for name in params.corpus.subtasks}

    def schema(self, params: Params, question_type: str, subtask: str) -> str | None:
        """Return the schema of structured descriptions."""
        from lvlmbench.suites.valor.questions import STRUCTURED
        from lvlmbench.suites.valor.scenes import subset_of

        return subset_of(subtask).form.schema if question_type == STRUCTURED else None

    def planned(self, params: Params) -> tuple[float, float]:
        """Return two descriptions a scene, and probes of those about objects."""
        from lvlmbench.analysis.hallucination.probes import NEGATIVES
        from lvlmbench.suites.valor.scenes import subset_of

        corpus, each = params.corpus, params.corpus.own(Hallucinating).probes * 2 * len(NEGATIVES)
        probed = sum(corpus.count(name) for name in corpus.subtasks if subset_of(name).probed)
        return 2 * corpus.n_scenes + each * probed, corpus.n_scenes

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return what a model is sent: a request for a description alone, as "in one or two
        sentences" would cap what can be covered, or with its form; else as for all suites."""
        from lvlmbench.config.identity import templates_of
        from lvlmbench.suites.instructions import prompt_for
        from lvlmbench.suites.valor.questions import FREE_FORM, STRUCTURED

        if question_type in (FREE_FORM, STRUCTURED):
            return question
        return prompt_for(templates_of(params).instructions, question_type, question, options)
