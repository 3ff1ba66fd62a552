"""One model per section of params.yaml. Field descriptions become docs/configuration.md."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from lvlmbench.config.cleaning import Audit, Consensus, Filter
from lvlmbench.config.examiners import Examiners
from lvlmbench.config.exports import Exports
from lvlmbench.config.judging import Judging
from lvlmbench.config.labels import Labels
from lvlmbench.config.models import Answer
from lvlmbench.config.reference import Reference
from lvlmbench.config.render import Render, first_renderer
from lvlmbench.config.report import Figures, Report
from lvlmbench.config.scenarios import Scenarios
from lvlmbench.config.section import (
    Composed,
    Count,
    Known,
    Name,
    Section,
    each_once,
    inside,
    unknown_key,
    validated,
)
from lvlmbench.config.validators import Validators
from lvlmbench.config.validity import Validity
from lvlmbench.core.errors import meant
from lvlmbench.core.registry import kinds_of
from lvlmbench.scene.subtasks import subtasks_of

#: Which number heads a suite's results.
HeadlineChoice = Literal["own", "paper"]


class Snapshot(Section):
    """What identifies a benchmark snapshot."""

    name: Name = Field("default", description="Name shown in the report and used for tags.")
    seed: int = Field(
        20261120,
        ge=0,
        lt=2**63,
        description="Root of every random choice. Another seed gives another, disjoint benchmark.",
    )


class TypeProportions(Section):
    """Shares of the three question types (Dysca, Table 2); they must add up to 1."""

    multiple_choice: float = Field(0.407, ge=0, le=1, description="Share of multiple choice.")
    true_false: float = Field(0.405, ge=0, le=1, description="Share of true-or-false.")
    free_form: float = Field(0.188, ge=0, le=1, description="Share of free-form captioning.")

    @model_validator(mode="after")
    def _adds_up(self) -> TypeProportions:
        total = self.multiple_choice + self.true_false + self.free_form
        if abs(total - 1) > 1e-6:
            raise ValueError(f"the shares add up to {total:g}, not to 1")
        return self


class Corpus(Composed):
    """What scenes are planned and asked about (Dysca, sections 3.1 to 3.3).

    A kind of suite that has settings of its own takes them in a section here.
    """

    registry = "suites"

    drawable_by: Name | None = Field(
        default_factory=first_renderer,
        description="Sample (answers and distractors alike) only entries that this renderer can "
        "draw; a subtask of which it draws nothing is sampled whole and reported as not rendered. "
        "Null samples the whole vocabulary as a photographic renderer reads it.",
    )
    subtasks: tuple[str, ...] = Field(
        (),
        min_length=1,
        description="Subtasks to plan scenes for; by default all of the suite's kind.",
    )
    scenes_per_subtask: int = Field(
        10, ge=1, le=1_000_000, description="Scenes planned for each subtask."
    )
    scenes: dict[str, Count] = Field(
        default_factory=dict, description="Scenes of single subtasks, where they differ."
    )
    questions_per_scene: float = Field(
        3.34, gt=0, le=12, description="Mean number of questions a scene (Table 2: 156K on 46.7K)."
    )
    type_proportions: TypeProportions = Field(
        default_factory=lambda: TypeProportions(),  # type: ignore[call-arg]
        description="Shares of the question types.",
    )
    shard_scenes: int = Field(
        4000, ge=1, description="Scenes a corpus shard; changes no row, only how they are split."
    )

    @model_validator(mode="before")
    @classmethod
    def _sections_fit(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        kinds = {k.section: k.settings for k in cls.kinds().ordered() if k.settings is not None}
        taken = {key: value[key] for key in value if key in cls.model_fields}
        for key in value.keys() - taken.keys():
            if key not in kinds:
                raise unknown_key(key, value[key])
            # What is not written stays out: another suite's parameters are not to change with it.
            if value[key] is not None:
                taken |= validated({key: kinds[key]}, value)
        return taken

    @model_validator(mode="after")
    def _subtasks_differ(self) -> Corpus:
        each_once("subtask", self.subtasks)
        return self

    def of(self, kind: str) -> Corpus:
        """Return the same for a kind of suite, which says what the subtasks are.

        Of a kind that is not known, everything is taken as it is written.

        Raises
        ------
        ValueError
            A subtask is not one of the kind, or a section is that of another kind.
        """
        own, possible = subtasks_of(kind), subtasks_of(kind, wished=True)
        known = kind in self.kinds().names()
        for each in self.kinds().ordered():
            if known and each.name != kind and each.section in (self.__pydantic_extra__ or {}):
                raise ValueError(f"'{each.section}' is of no use to a suite of the kind '{kind}'")
        for name in (*self.subtasks, *self.scenes):
            if known and name not in possible:
                fix = meant(name, possible, f"use some of: {', '.join(possible)}")
                raise ValueError(f"'{name}' is not a subtask of {kind}; {fix}")
        given = "subtasks" in self.model_fields_set
        return self if given else self.model_copy(update={"subtasks": own})

    def read(self, kind: str) -> list[str]:
        """Return the folders whose files decide what it holds, as the kind's own settings say."""
        return [folder for own in self.settings(kind) for folder in own.folders()]

    def settings(self, kind: str) -> list[Section]:
        """Return the own settings of a kind of suite; its defaults where none are written."""
        held = (self.__pydantic_extra__ or {}).values()
        written: list[Section] = [own for own in held if isinstance(own, Section)]
        kinds = (each for each in self.kinds().ordered() if each.name == kind)
        return written or [each.settings() for each in kinds if each.settings is not None]

    def count(self, subtask: str) -> int:
        """Scenes planned for ``subtask``."""
        return self.scenes.get(subtask, self.scenes_per_subtask) if subtask in self.subtasks else 0

    @property
    def n_scenes(self) -> int:
        """Scenes planned in all."""
        return sum(self.count(s) for s in self.subtasks)


def _label(value: object) -> object:
    """YAML takes some words for other things: ``no`` for false, ``1984`` for a number."""
    if value is None or isinstance(value, bool | int | float):
        raise ValueError("is no text to YAML; put the label in quotes")
    return value


class Vocabulary(Section):
    """Which labels scenes are sampled from (Dysca, section 3.3), and which not."""

    folder: Annotated[str, AfterValidator(inside)] = Field(
        "data/vocabulary",
        description="Folder of the vocabulary lists, relative to the project's root.",
    )
    exclude: dict[str, tuple[Annotated[str, BeforeValidator(_label)], ...]] = Field(
        default_factory=dict,
        description="Labels by list, e.g. `animal: [owl]`: scenes that show one are not rendered. "
        "All other scenes and their questions stay as they are, wrong options included.",
    )

    @field_validator("exclude")
    @classmethod
    def _each_once(cls, value: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for name, labels in value.items():
            each_once(f"label of {name}", labels)
        return value


class Templates(Section):
    """The sentences that questions are put in (Dysca, sections 3.3 and 3.4)."""

    folder: Annotated[str, AfterValidator(inside)] = Field(
        "data/templates/default",
        description="Folder of templates, relative to the project's root. It may hold only what "
        "differs from `data/templates/default`; `data/templates/paper` is beside it.",
    )


class Score(Section):
    """From answers to scores (Dysca, section 3.4)."""

    strategy: Annotated[Name, Known("strategies")] = Field(
        default_factory=lambda: kinds_of("strategies").first().name,
        description="How the chosen option is read; docs/metrics.md tells what each does.",
    )
    caption_encoder: str = Field(
        "packaged:all-MiniLM-L6-v2",
        min_length=1,
        description="Sentence encoder that compares captions: the packaged one, or a hub id or "
        "local folder that sentence-transformers loads.",
    )
    reference: Literal["caption", "prompt"] = Field(
        "caption",
        description="What captions are compared with: a sentence of what the scene holds and no "
        "more (`caption`), or the prompt that its image was drawn from, phrases of the style "
        "included (`prompt`: Dysca, section 3.4).",
    )
    batch_size: int = Field(64, ge=1, description="Captions encoded at once.")


class Statistics(Section):
    """What is counted, intervals and tests."""

    questions: Literal["all", "consensus"] = Field(
        "all",
        description="Which questions comparisons, correlations, tables and figures count: `all` "
        "that were asked, or without those that the `consensus` drops, as Dysca does (section "
        "3.3, data clean, step 3). To leave them out raises scores. The metrics table has both.",
    )
    resamples: int = Field(
        2000, ge=100, le=1_000_000, description="Bootstrap samples of scenes for an interval."
    )


class Shared(Section):
    """What all suites of a snapshot share: one section a stage."""

    snapshot: Snapshot = Field(default_factory=lambda: Snapshot())  # type: ignore[call-arg]
    render: Render = Field(default_factory=lambda: Render())  # type: ignore[call-arg]
    vocabulary: Vocabulary = Field(default_factory=lambda: Vocabulary())  # type: ignore[call-arg]
    templates: Templates = Field(default_factory=lambda: Templates())  # type: ignore[call-arg]
    reference: Reference = Field(default_factory=lambda: Reference())  # type: ignore[call-arg]
    filter: Filter = Field(default_factory=lambda: Filter())
    consensus: Consensus = Field(default_factory=lambda: Consensus())  # type: ignore[call-arg]
    audit: Audit = Field(default_factory=lambda: Audit())  # type: ignore[call-arg]
    answer: Answer = Field(default_factory=lambda: Answer())
    examiner: Examiners = Field(default_factory=lambda: Examiners())  # type: ignore[call-arg]
    validator: Validators = Field(default_factory=lambda: Validators())  # type: ignore[call-arg]
    judge: Judging = Field(default_factory=lambda: Judging())  # type: ignore[call-arg]
    score: Score = Field(default_factory=lambda: Score())  # type: ignore[call-arg]
    statistics: Statistics = Field(default_factory=lambda: Statistics())  # type: ignore[call-arg]
    validity: Validity = Field(default_factory=lambda: Validity())  # type: ignore[call-arg]
    figures: Figures = Field(default_factory=lambda: Figures())  # type: ignore[call-arg]
    exports: Exports = Field(default_factory=lambda: Exports())  # type: ignore[call-arg]
    labels: Labels = Field(default_factory=lambda: Labels())  # type: ignore[call-arg]
    report: Report = Field(default_factory=lambda: Report())  # type: ignore[call-arg]

    @field_validator("judge")
    @classmethod
    def _judges_leave_models(cls, value: Judging, info: ValidationInfo) -> Judging:
        if "answer" not in info.data:
            return value
        known = [model.name for model in info.data["answer"].models]
        for judge in value.judges:
            for name in set(judge.leaves).difference(known):
                fix = meant(name, known, f"use some of: {', '.join(known)}")
                raise ValueError(f"judge '{judge.name}' leaves '{name}', which is no model; {fix}")
        return value


class Params(Shared):
    """The parameters of one suite: its own, and what all share. What a job is given."""

    suite: Name = Field("dysca", description="Name of the suite.")
    kind: Name = Field("dysca", description="Registered kind of the suite.")
    corpus: Corpus = Field(  # type: ignore[call-overload]
        default_factory=lambda: Corpus(),  # type: ignore[call-arg]
        validate_default=True,
    )
    scenarios: Scenarios = Field(default_factory=lambda: Scenarios())
    headline: HeadlineChoice = "own"

    @property
    def private(self) -> bool:
        """Whether pictures and annotation are a user's own, as the kind of the suite says."""
        kind = kinds_of("suites").find(self.kind)
        return kind is not None and bool(getattr(kind.make, "private", False))

    @property
    def shows(self) -> bool:
        """Whether report and figures may show its pictures."""
        return self.report.private or not self.private

    @field_validator("corpus")
    @classmethod
    def _of_its_kind(cls, value: Corpus, info: ValidationInfo) -> Corpus:
        return value.of(info.data["kind"]) if "kind" in info.data else value
