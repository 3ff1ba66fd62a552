"""An examiner that plans, draws, asks and controls its own bias (AutoBench-V, AutoDavis).

Importing this package only registers the suite and its requests; what plans and asks is loaded
when it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lvlmbench.suites.autodavis import inputs as inputs
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.suite import SUITES, Suite, Validator

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary


def _check(params: Params, source: str) -> None:
    from lvlmbench.suites.autodavis.catalogue import check_plan

    check_plan(params, source)


@SUITES.register("autodavis", label="AutoDavis", settings=Examining, check=_check)
class AutoDavis(Suite):
    """Five requests, each with aspects at several levels."""

    takes_requests = True

    def requested(self, params: Params, words: str, images: int | None) -> dict[str, Any]:
        """Return parameters from words; see :mod:`.wishes`."""
        from lvlmbench.suites.autodavis.wishes import understood

        return understood(params, words).corpus(params.corpus.own(Examining), images)

    def shown(self, params: Params, words: str) -> Iterator[str]:
        """Yield the aspects that words name; see :mod:`.wishes`."""
        from lvlmbench.suites.autodavis.wishes import shown

        return shown(params, words)

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return the scenes of a range; see :func:`.scenes.sample`."""
        from lvlmbench.suites.autodavis.scenes import sample

        return sample(params, vocabulary, start, stop)

    def described(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return what was planned of a range of scenes; see :func:`.scenes.described`."""
        from lvlmbench.suites.autodavis.scenes import described

        return described(params, vocabulary, start, stop)

    def restyled(self, params: Params, vocabulary: Vocabulary, scenes: pa.Table) -> pa.Table:
        """Return some scenes in other styles; see :mod:`.restyled`."""
        from lvlmbench.suites.autodavis.plan import Planner
        from lvlmbench.suites.autodavis.restyled import restyled

        return restyled(Planner(params, vocabulary), scenes)

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return the questions about scenes that were drawn; see :func:`.questions.ask`."""
        from lvlmbench.suites.autodavis.questions import ask

        return ask(params, vocabulary, scenes, layouts)

    def unplanned(self, scene: Mapping[str, Any]) -> str | None:
        """Return why nothing was planned of a scene; the table ``descriptions`` says which."""
        from lvlmbench.suites.autodavis.scenes import UNPLANNED

        if scene["foreground_list"] != UNPLANNED:
            return None
        return "nothing was planned: its aspect needs an endpoint, or its level has nothing to show"

    def validator(self, params: Params, vocabulary: Vocabulary) -> Validator | None:
        """Return what holds layouts against descriptions."""
        from lvlmbench.suites.autodavis.validating import LayoutValidator

        return LayoutValidator(params, vocabulary)

    def validated(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return how pictures were checked; see :func:`.questions.validated`."""
        from lvlmbench.suites.autodavis.questions import validated

        return validated(params, vocabulary, scenes, layouts)

    def planned(self, params: Params) -> tuple[float, float]:
        """Return one question a scene at most; none is answered freely."""
        return params.corpus.n_scenes, 0

    def crossed(self, params: Params) -> Mapping[str, tuple[str, str]]:
        """Return what the levels are made of, where ``crossed`` is set."""
        own = params.corpus.own(Examining)
        return own.crossing() if own.crossed else {}

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return what a model is sent; see :func:`lvlmbench.suites.instructions.prompt_for`."""
        from lvlmbench.config.identity import templates_of
        from lvlmbench.suites.instructions import prompt_for

        return prompt_for(templates_of(params).instructions, question_type, question, options)
