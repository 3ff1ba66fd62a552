"""An examiner that plans, draws, asks and controls its own bias (AutoBench-V, AutoDavis).

Importing this package only registers the suite and its requests; what plans and asks is loaded
when it is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lvlmbench.config.headline import Beside, Headline
from lvlmbench.core.seeding import digest
from lvlmbench.suites.autodavis import inputs as inputs
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.drawing import Confirmer, Drawing, Validator
from lvlmbench.suites.planned import AspectsBrief, PictureBrief, Planned
from lvlmbench.suites.suite import SUITES, Suite
from lvlmbench.tables import PROPOSALS

if TYPE_CHECKING:
    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.suites.brief import Brief
    from lvlmbench.suites.posed import Posed


def _check(params: Params, source: str) -> None:
    from lvlmbench.suites.autodavis.check_plan import check_plan

    check_plan(params, source)


@SUITES.register("autodavis", label="AutoDavis", settings=Examining, check=_check)
class AutoDavis(Suite):
    """Five requests, each with aspects at several levels."""

    about = (
        "An examiner, a program or a model, has made requests such as spatial understanding "
        "into pictures with questions of four options. It measures what models can do, by "
        "request and level."
    )

    takes_requests = True
    most_options = 4

    def headline(self, params: Params) -> Headline:
        """Return accuracy by level, mean over aspects, mean over levels."""
        return Headline(
            label="accuracy over levels and aspects",
            about="Share of right answers, mean over the aspects of each level, mean over levels.",
            over=("level", "aspect"),
            beside=(
                Beside("accuracy", "score", by="level"),
                Beside("accuracy", "score", by="subtask"),
            ),
        )

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
        return self.planned_by(params, vocabulary, start, stop, Planned.nothing())[0]

    def described(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return what was planned of a range of scenes; see :func:`.scenes.described`."""
        return self.planned_by(params, vocabulary, start, stop, Planned.nothing())[1]

    def planned_by(
        self, params: Params, vocabulary: Vocabulary, start: int, stop: int, planned: Planned
    ) -> tuple[pa.Table, pa.Table]:
        """Return scenes and descriptions of a range, some by a model; see :mod:`.scenes`."""
        from lvlmbench.suites.autodavis.plan import Planner
        from lvlmbench.suites.autodavis.scenes import described, sample

        planner = Planner(params, vocabulary, planned)
        return sample(planner, params, start, stop), described(planner, params, start, stop)

    def aspects_wanted(self, params: Params) -> Sequence[AspectsBrief]:
        """Return the requests whose aspects no file names; see :mod:`.catalogue`."""
        from lvlmbench.suites.autodavis.catalogue import aspects_wanted

        return [*aspects_wanted(params)]

    def planning(self, params: Params) -> int:
        """Return the requests for aspects, and one for each picture that no family plans; two for
        each that a text describes."""
        from lvlmbench.suites.autodavis.catalogue import unplanned

        wanted = self.aspects_wanted(params)
        aspects = sum(1 if each.raw else 1 + each.general for each in wanted)
        each = 2 if params.corpus.own(Examining).by_text else 1  # its text, then its checks
        return aspects + each * unplanned(params)

    def pictures_wanted(
        self, params: Params, vocabulary: Vocabulary, planned: Planned
    ) -> Sequence[PictureBrief]:
        """Return the pictures that a model describes next; see :mod:`.describing`."""
        from lvlmbench.suites.autodavis.describing import pictures_wanted

        return [*pictures_wanted(params, vocabulary, planned)]

    def restyled(self, params: Params, vocabulary: Vocabulary, scenes: pa.Table) -> pa.Table:
        """Return some scenes in other styles; see :mod:`.restyled`."""
        from lvlmbench.suites.autodavis.plan import Planner
        from lvlmbench.suites.autodavis.restyled import restyled

        return restyled(Planner(params, vocabulary), scenes)

    def briefs(
        self,
        params: Params,
        vocabulary: Vocabulary,
        scenes: pa.Table,
        layouts: pa.Table,
        examiner: str,
        aspects: pa.Table | None = None,
        seen: pa.Table | None = None,
    ) -> Iterator[Brief]:
        """Yield what an examiner behind an endpoint is told; see :mod:`.briefs`, :mod:`.texts`."""
        from lvlmbench.suites.autodavis import texts
        from lvlmbench.suites.autodavis.briefs import briefs

        if params.corpus.own(Examining).by_text:
            return texts.briefs(params, vocabulary, scenes, seen, examiner, aspects)
        return briefs(params, vocabulary, scenes, layouts, examiner, aspects, seen)

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return the questions about scenes that were drawn, asked by rules."""
        return self.proposed(params, vocabulary, scenes, layouts, PROPOSALS.empty_table())

    def proposed(
        self,
        params: Params,
        vocabulary: Vocabulary,
        scenes: pa.Table,
        layouts: pa.Table,
        proposals: pa.Table,
        seen: pa.Table | None = None,
    ) -> pa.Table:
        """Return the questions about scenes that were drawn; see :func:`.questions.ask` and
        :mod:`.texts`."""
        from lvlmbench.suites.autodavis import texts
        from lvlmbench.suites.autodavis.questions import ask

        if params.corpus.own(Examining).by_text:
            return texts.ask(params, vocabulary, scenes, seen, proposals)

        return ask(params, vocabulary, scenes, layouts, proposals, seen)

    def examiners(self, params: Params) -> Mapping[str, str | None]:
        """Return the examiners that parameters name, each with its family."""
        from lvlmbench.suites.autodavis.examiner import examiner_kinds

        where = f"params.yaml: suites.{params.suite}.corpus.autodavis"
        kinds = examiner_kinds(params, where).items()
        served = {model.name: model.family for model in params.examiner.examiners}
        return {name: kind.family(params) for name, kind in kinds} | served

    def unplanned(self, scene: Mapping[str, Any]) -> str | None:
        """Return why nothing was planned of a scene; the table ``descriptions`` says which."""
        from lvlmbench.suites.autodavis.scenes import UNPLANNED

        if scene["foreground_list"] != UNPLANNED:
            return None
        return "nothing was planned: no family of questions, or nothing to show at its level"

    def validator(self, params: Params, vocabulary: Vocabulary) -> Validator | None:
        """Return what compares layouts with descriptions; None where texts describe pictures."""
        from lvlmbench.suites.autodavis.validating import LayoutValidator

        if params.corpus.own(Examining).by_text:
            return None
        return LayoutValidator(params, vocabulary)

    def deciding(self, params: Params) -> tuple[str, ...]:
        """Return who looks at pictures while they are drawn: of those of texts, all validators."""
        named = params.validator.deciding
        if named or not params.corpus.own(Examining).by_text:
            return named
        return tuple(model.name for model in params.validator.validators)

    def confirmer(
        self, params: Params, vocabulary: Vocabulary, described: pa.Table
    ) -> Confirmer | None:
        """Return what has validators look at pictures; None where nobody looks."""
        from lvlmbench.suites.autodavis.confirming import GraphConfirming, TextConfirming

        if not self.deciding(params):
            return None
        if params.corpus.own(Examining).by_text:
            return TextConfirming(params, vocabulary, described)
        return GraphConfirming(params, vocabulary)

    def validated(
        self,
        params: Params,
        vocabulary: Vocabulary,
        scenes: pa.Table,
        layouts: pa.Table,
        seen: pa.Table | None = None,
    ) -> pa.Table:
        """Return how pictures were checked; see :func:`.questions.validated` and :mod:`.texts`."""
        from lvlmbench.suites.autodavis import texts
        from lvlmbench.suites.autodavis.questions import validated

        if params.corpus.own(Examining).by_text:
            return texts.validated(scenes, seen)
        return validated(params, vocabulary, scenes, layouts)

    def posed(
        self,
        params: Params,
        vocabulary: Vocabulary,
        scenes: pa.Table,
        layouts: pa.Table,
        planted: int,
        seen: pa.Table | None = None,
        validator: str = "",
    ) -> Iterator[Posed]:
        """Yield the checks of pictures for validators behind endpoints; see :mod:`.posing` and
        :mod:`.texts`."""
        from lvlmbench.suites.autodavis import texts
        from lvlmbench.suites.autodavis.posing import posed

        if params.corpus.own(Examining).by_text:
            return texts.posed(params, vocabulary, scenes, seen, planted, validator)
        return posed(params, vocabulary, scenes, layouts, planted)

    def posing(self, params: Params, planted: int) -> int:
        """Return the checks of all pictures; none is planted of what is shown in other styles."""
        from lvlmbench.suites.autodavis.restyled import shown_again

        checks = params.corpus.own(Examining).checks
        first = params.corpus.n_scenes * (checks + min(checks, planted))
        return first + shown_again(params) * checks

    def drawing(self, params: Params) -> Drawing | None:
        """Return which regeneration it is, and what it is one of."""
        corpus = params.corpus.model_dump(mode="json", exclude={"shard_scenes"})
        own = params.corpus.own(Examining)
        again = own.model_dump(mode="json", exclude={"regeneration"})
        plan = json.dumps({**corpus, "autodavis": again}, sort_keys=True)
        return Drawing(own.regeneration, digest("plan", plan).hex())

    def planned(self, params: Params) -> tuple[float, float]:
        """Return about as many questions as pictures have; none is answered freely."""
        return params.corpus.n_scenes * params.corpus.own(Examining).about_each, 0

    def has_checks(self, params: Params) -> bool:
        """Return whether ``atomic`` is set."""
        return params.corpus.own(Examining).atomic

    def planned_checks(self, params: Params) -> float:
        """Return those of the questions that rules ask, of pictures that have a family."""
        from lvlmbench.suites.autodavis.atom_questions import EACH
        from lvlmbench.suites.autodavis.catalogue import unplanned

        if params.examiner.examiners or not self.has_checks(params):
            return 0.0
        pictures = params.corpus.n_scenes - unplanned(params)
        return EACH * pictures * params.corpus.own(Examining).about_each

    def turns(self, params: Params) -> Callable[[str, int], int]:
        """Return what spreads few scenes over aspects; see :func:`.plan.turns`."""
        from lvlmbench.suites.autodavis.plan import turns

        return turns(params)

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
