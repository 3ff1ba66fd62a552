"""What a suite is: what it samples and what it asks; it is one folder that registers itself.

To add one, write a package in this folder (or an outside one with an entry point in the group
``lvlmbench.suites``) that registers a class; its settings are a section of ``corpus``::

    @SUITES.register("mine", settings=MySettings)
    class Mine(Suite): ...

A suite that scores or reports in a way of its own registers a strategy, a metric or a section of
the report beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from lvlmbench.config.headline import Headline
from lvlmbench.core.registry import Kind, Kinds, kinds_of
from lvlmbench.tables import DESCRIPTIONS, DESIGNS, LAYOUTS, SCENES, VALIDATION

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from lvlmbench.config import Params
    from lvlmbench.core.decoding import Held
    from lvlmbench.scene.claims import Scope
    from lvlmbench.scene.vocabulary import Vocabulary
    from lvlmbench.suites.brief import Brief
    from lvlmbench.suites.dialogue import Task
    from lvlmbench.suites.drawing import Confirmer, Drawing, Validator
    from lvlmbench.suites.look import Look
    from lvlmbench.suites.planned import AspectsBrief, PictureBrief, Planned
    from lvlmbench.suites.posed import Posed


class Suite(Protocol):
    """One kind of benchmark. What it does not say is the same for all.

    Attributes
    ----------
    takes_requests
        Whether users ask for it in words; then it has :meth:`requested` and :meth:`shown`.
    most_options
        Options that a question offers at most; None where that is not known.
    private
        Whether its pictures and annotation are a user's own: they are not pinned, no exports are
        made of them, and no storage holds them (:attr:`lvlmbench.config.Params.private`).
    listed
        Whether what its pictures show is listed, so that claims can be held against it.
    scored_forms
        Types of its questions that registered judges score beside those of the parameters.
    about
        One or two sentences for readers of a report: what models do, and what is measured.
    """

    takes_requests: bool = False
    most_options: int | None = None
    private: bool = False
    listed: bool = True
    scored_forms: tuple[str, ...] = ()
    about: str = ""

    def requested(self, params: Params, words: str, images: int | None) -> dict[str, Any]:
        """Return a section ``corpus`` that asks for what words say, with about so many images.

        Raises
        ------
        UserError
            The words ask for something that is not known.
        """
        raise NotImplementedError

    def shown(self, params: Params, words: str) -> Iterator[str]:
        """Yield lines about what can be asked for, by words, or about all of it.

        Raises
        ------
        UserError
            The words name something that is not known.
        """
        raise NotImplementedError

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return the scenes with global indices ``start`` to ``stop`` (exclusive), in their order.

        They are rows of ``tables.SCENES``. A row depends on the snapshot's seed and on what the
        suite says; not on the range, nor on how many scenes there are.

        Raises
        ------
        UserError
            The vocabulary has too few entries to draw from.
        """
        ...

    def pictures(self, params: Params) -> Callable[[Mapping[str, Any]], Path | Held] | None:
        """Return what names the file, or part of one, that is the picture of a row of
        ``tables.SCENES``; by default scenes are drawn."""
        return None

    def released(self, params: Params) -> Callable[[Mapping[str, Any]], Mapping[str, str]] | None:
        """Return what gives the row of a user's own table, by its columns, that a row of
        ``tables.SCENES`` is made of; by default there is no such table."""
        return None

    def look(
        self, folder: Path, images: Path | None = None, tasks: Mapping[str, str] | None = None
    ) -> Look | None:
        """Return what a user's folder or file holds; None where it is of another kind, the default.
        ``images`` may hold its pictures, ``tasks`` says what its names mean."""
        return None

    def selection(self, source: Path, support: int | None) -> Iterator[Mapping[str, Any]] | None:
        """Yield which pictures of a user's annotation show what is hardly seen together, and why.

        Things in fewer than ``support`` pictures do not count, by default in fewer than usual. None
        where the suite selects nothing, as by default all.

        Raises
        ------
        UserError
            The annotation cannot be read, or names no pictures.
        """
        return None

    def planned_by(
        self, params: Params, vocabulary: Vocabulary, start: int, stop: int, planned: Planned
    ) -> tuple[pa.Table, pa.Table]:
        """Return :meth:`scenes` and :meth:`described` where a model has planned some of them; by
        default none has."""
        return (
            self.scenes(params, vocabulary, start, stop),
            self.described(params, vocabulary, start, stop),
        )

    def aspects_wanted(self, params: Params) -> Sequence[AspectsBrief]:
        """Return the requests that a model is to think of aspects for; by default there are none.

        Their number and their ids follow from the parameters.
        """
        return ()

    def planning(self, params: Params) -> int:
        """Return how many requests a model gets that plans; none by default. A run tells it."""
        return 0

    def headline(self, params: Params) -> Headline:
        """Return the number that heads the results; by default accuracy, mean over subtasks."""
        return Headline()

    def pictures_wanted(
        self, params: Params, vocabulary: Vocabulary, planned: Planned
    ) -> Sequence[PictureBrief]:
        """Return the pictures that a model is to describe next; none where all are described.

        Their descriptions hang on none of each other, only on those in ``planned``. By default
        there are none.
        """
        return ()

    def restyled(self, params: Params, vocabulary: Vocabulary, scenes: pa.Table) -> pa.Table:
        """Return scenes that show some of ``scenes`` in other styles; by default there are none.

        They are rows of ``tables.SCENES`` whose ``base`` is set, of one base side by side, in the
        order of the bases. They are drawn and filtered like all; one scenario alone shows them.
        """
        return SCENES.empty_table()

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return the questions about scenes, rows of ``tables.QUESTIONS``, in the scenes' order.

        Those about a scene do not depend on which other scenes are there. ``layouts`` are the
        rows of ``tables.LAYOUTS`` about these scenes: what was drawn where, for suites that ask
        about it; scenes that were not drawn, or that nobody measured, have none.

        Raises
        ------
        UserError
            More questions are wanted than a scene has aspects, or the vocabulary does not hold
            what the scenes show, or has too few entries for some question.
        """
        ...

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
        """Yield what an examiner behind an endpoint is told of its scenes; by default none has any.

        Scenes and layouts are as for :meth:`questions`; ``aspects`` are rows of
        ``tables.PLANNED_ASPECTS``, ``seen`` rows of ``tables.ATTEMPT_CHECKS``, where models have
        thought of aspects, or have looked at pictures.
        """
        return iter(())

    def proposed(
        self,
        params: Params,
        vocabulary: Vocabulary,
        scenes: pa.Table,
        layouts: pa.Table,
        proposals: pa.Table,
        seen: pa.Table | None = None,
    ) -> pa.Table:
        """Return :meth:`questions` where ``proposals``, rows of ``tables.PROPOSALS``, has some; by
        default it has none. ``seen`` is as for :meth:`briefs`."""
        return self.questions(params, vocabulary, scenes, layouts)

    def truth(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return what the pictures of scenes show, rows of ``tables.TRUTH``, in the scenes' order.

        By default it follows from the scenes' graphs and from what was measured of the pictures;
        ``layouts`` are as for :meth:`questions`.
        """
        from lvlmbench.scene.truth import table_of

        drawn_by = measuring(params)
        return table_of(scenes, layouts, params.render.size, vocabulary, drawn_by)

    def scopes(self, params: Params) -> Mapping[str, Scope]:
        """Return what free answers are to speak of, by subtask; by default of anything."""
        return {}

    def dialogue(self, params: Params) -> Mapping[str, Task]:
        """Return the tasks whose answers are compared with references, by subtask; by default
        none, and the parameters say whether free answers are."""
        return {}

    def described(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return what was planned of a range of scenes, rows of ``tables.DESCRIPTIONS``; by default
        there is no examiner that plans."""
        return DESCRIPTIONS.empty_table()

    def designs(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return why scenes of a range show what they show, rows of ``tables.DESIGNS``; by default
        there is no design."""
        return DESIGNS.empty_table()

    def validated(
        self,
        params: Params,
        vocabulary: Vocabulary,
        scenes: pa.Table,
        layouts: pa.Table,
        seen: pa.Table | None = None,
    ) -> pa.Table:
        """Return how pictures were compared with descriptions, rows of ``tables.VALIDATION``; by
        default they were not. ``seen`` is as for :meth:`briefs`."""
        return VALIDATION.empty_table()

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
        """Yield the checks that a validator is asked of all pictures; by default there are none.

        So many more of each picture are planted: a picture is known to show another option. Scenes
        and layouts are as for :meth:`questions`, ``seen`` is as for :meth:`briefs`.
        """
        return iter(())

    def posing(self, params: Params, planted: int) -> int:
        """Return how many checks :meth:`posed` yields, at most; by default there are none."""
        return 0

    def examiners(self, params: Params) -> Mapping[str, str | None]:
        """Return who asks, as the column ``examiner`` of the questions names them, each with the
        family of models that it belongs to, if any; by default nobody.

        Raises
        ------
        UserError
            One is not registered.
        """
        return {}

    def unplanned(self, scene: Mapping[str, Any]) -> str | None:
        """Return why a row of ``tables.SCENES`` shows nothing: it was asked for and not planned."""
        return None

    def validator(self, params: Params, vocabulary: Vocabulary) -> Validator | None:
        """Return what pictures are held against while they are drawn; by default nothing."""
        return None

    def deciding(self, params: Params) -> tuple[str, ...]:
        """Return which validators look at pictures while they are drawn; none by default."""
        return ()

    def confirmer(
        self, params: Params, vocabulary: Vocabulary, described: pa.Table
    ) -> Confirmer | None:
        """Return what has :meth:`deciding` validators look at pictures, by rows of
        ``tables.DESCRIPTIONS``; by default nothing."""
        return None

    def drawing(self, params: Params) -> Drawing | None:
        """Return which drawing of its plan it is; by default a plan is drawn once, and this None.

        Two suites of one plan have the same items: rows of ``tables.DESCRIPTIONS`` with the same
        subtask, aspect, level and number.
        """
        return None

    def planned(self, params: Params) -> tuple[float, float]:
        """Return about how many questions there will be, and how many are answered freely."""
        corpus = params.corpus
        questions = corpus.n_scenes * corpus.questions_per_scene
        return questions, questions * corpus.type_proportions.free_form

    def turns(self, params: Params) -> Callable[[str, int], int]:
        """Return what gives a scene's turn, by subtask and ordinal, where few scenes are shown.

        Each scene of a subtask has another turn, from 0; the first so many are shown. By default it
        is the ordinal."""
        return lambda subtask, ordinal: ordinal

    def crossed(self, params: Params) -> Mapping[str, tuple[str, str]]:
        """Return of each level the level of its picture and of its question; none by default."""
        return {}

    def has_checks(self, params: Params) -> bool:
        """Return whether its questions have atomic checks; by default none has."""
        return False

    def planned_checks(self, params: Params) -> float:
        """Return about how many atomic checks its questions have together; by default none."""
        return 0.0

    def notices(self, params: Params) -> list[str]:
        """Return lines about parameters that are allowed and hardly meant, for the run's start."""
        return []

    def schema(self, params: Params, question_type: str, subtask: str) -> str | None:
        """Return the JSON schema, as text, that answers to some questions are to have; by default
        they are words."""
        return None

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return the whole text that is sent to a model along with the image."""
        ...


#: Kinds of suites by name; what is registered makes a :class:`Suite`.
SUITES: Kinds[Kind] = Kinds("suites", "lvlmbench.suites", Kind)


def measuring(params: Params) -> str:
    """Return the renderer that drew what was measured: one of the parameters, or the first."""
    able = [str(kind.name) for kind in kinds_of("renderers").ordered() if not kind.prompts]
    named = (params.render.renderer, params.render.fallback)
    return next((name for name in named if name in able), able[0])


def suite_of(params: Params) -> Suite:
    """Return the suite that parameters are of.

    Raises
    ------
    UserError
        No suite of this kind is registered.
    """
    suite: Suite = SUITES.get(params.kind, f"suites.{params.suite}: kind")()
    return suite


def build_shard(
    params: Params, vocabulary: Vocabulary, start: int, stop: int
) -> tuple[pa.Table, pa.Table]:
    """Return scenes and the questions about them that need no picture."""
    suite = suite_of(params)
    scenes = suite.scenes(params, vocabulary, start, stop)
    return scenes, suite.questions(params, vocabulary, scenes, LAYOUTS.empty_table())
