"""Settings of the suite ``autodavis``: what a request is made into, and what makes its levels."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, field_validator, model_validator

from lvlmbench.config.section import Name, Section, inside, once
from lvlmbench.core.registry import kinds_of
from lvlmbench.suites.autodavis.inputs import OWN
from lvlmbench.suites.graphs.level import Level

#: What of a level is about questions; the rest is about pictures (AutoDavis, section 2.2).
OF_QUESTIONS = ("hops", "near")


class ExamLevel(Level):
    """How difficult pictures and questions of a level are (AutoDavis, section 2.2)."""

    instances: int = Field(
        8, ge=1, le=8, description="Most things in a picture, of all kinds together."
    )
    threshold: float = Field(
        0.8,
        ge=0,
        le=1,
        description="Least share of the checks that a picture must answer as described.",
    )

    @model_validator(mode="after")
    def _fits(self) -> ExamLevel:
        if self.instances < self.things[0]:
            raise ValueError(
                f"instances: {self.things[0]} kinds of things are more than {self.instances}"
            )
        if self.panels > 1:
            raise ValueError("panels: an exam shows one picture")
        return self

    overlap: bool = Field(
        False,
        description="Whether, where things have room, one hides 15 to 40 % of another that is not "
        "asked about.",
    )


def _levels() -> dict[str, ExamLevel]:
    easy = ExamLevel(
        things=(1, 3), instances=4, span=(300, 480), background=False, style=False, weather=False,
        hops=0, near=0, overlap=False, threshold=1.0,
    )  # fmt: skip
    medium = ExamLevel(
        things=(3, 4), instances=6, span=(200, 340), background=True, style=False, weather=False,
        hops=1, near=1, overlap=False, threshold=0.8,
    )  # fmt: skip
    hard = ExamLevel(
        things=(5, 7), instances=8, span=(112, 240), background=True, style=False, weather=True,
        hops=2, near=3, overlap=True, threshold=0.8,
    )  # fmt: skip
    return {"easy": easy, "medium": medium, "hard": hard}


#: How words that were used are banned from the descriptions that follow (AutoDavis, Algorithm 1).
Mode = Literal["graph", "paper", "code", "log", "none"]


class Exclusion(Section):
    """What later descriptions of an aspect at a level must do without."""

    mode: Mode = Field(
        "graph",
        description="`graph`: before description e the e words with most neighbors in the graph "
        "of all words so far are banned; `paper`: the same, and they leave the graph; `code`: as "
        "the published code, the e - 1 first of a graph that never shrinks; `log`: as its other "
        "function, the whole part of ln(e) + 1 of them; `none`: nothing is banned.",
    )


class ShownAgain(Section):
    """The same pictures in other styles, for the scenario `restyled` (AutoDavis, appendix N)."""

    pictures: int = Field(
        0,
        ge=0,
        le=100_000,
        description="The first so many planned items of each request and level; the paper has 60.",
    )
    styles: tuple[str, ...] = Field(
        (),
        description="Labels of styles; a picture is not shown in one that hides what its things "
        "are told by. By default `each` that suit it, drawn at random.",
    )
    each: int = Field(
        2, ge=1, le=64, description="Styles of a picture, where none are named by `styles`."
    )

    _once = field_validator("styles")(once("style"))


def _examiners() -> tuple[str, ...]:
    return (kinds_of("examiners").first().name,)


class Examining(Section):
    """Aspects of a request, each with descriptions at several levels (AutoDavis, section 2)."""

    aspects: Annotated[str, AfterValidator(inside)] = Field(
        "data/aspects",
        description="Folder of the catalogue of aspects, relative to the project's root.",
    )
    truth: Literal["measured", "description"] = Field(
        "measured",
        description="How it is known what pictures show: `measured` from what was drawn of a "
        "planned graph; or by a `description`, a text that a model writes and that is the prompt "
        "of a text-to-image renderer, as far as the models under `validator.validators` confirm "
        "it from the picture (AutoDavis, sections 2.2 and 2.3).",
    )
    words: str | None = Field(
        None,
        min_length=3,
        max_length=400,
        description="What the subtask `own_request` asks for, in words of one's own; the model "
        "under `examiner.planners` thinks of aspects, and describes pictures of them.",
    )
    think: bool = Field(
        False,
        description="Whether that model thinks of aspects for the other requests, too, in place "
        "of those of the catalogue (AutoDavis, section 2.1).",
    )
    raw: bool = Field(
        False,
        description="Whether that model thinks of all fine-grained aspects of a request at once, "
        "without general ones: what a hierarchy is compared with (AutoDavis, table 1).",
    )
    regeneration: int = Field(
        0,
        ge=0,
        le=1_000_000,
        description="Which drawing of the same plan: another number asks for the same requests, "
        "aspects and levels, and draws other pictures and questions (AutoDavis, section 3.6).",
    )
    general: int = Field(4, ge=1, le=24, description="General aspects of a request.")
    fine: int = Field(6, ge=1, le=24, description="Fine-grained aspects of each.")
    only: tuple[Name, ...] = Field(
        (),
        description="Aspects to ask about, by their ids, as `lvlmbench exam show` prints them; by "
        "default all.",
    )
    levels: dict[Name, ExamLevel] = Field(
        default_factory=_levels, min_length=1, description="Levels of difficulty by name."
    )
    at: tuple[Name, ...] = Field(
        (), description="Levels to ask at, in this order; by default all of `levels`."
    )
    examiners: tuple[Name, ...] = Field(
        default_factory=_examiners,
        min_length=1,
        description="Registered examiners, who ask in turn: each about as many items of a request "
        "and level as any other. From two on, the report has how far they agree.",
    )
    crossed: bool = Field(
        False,
        description="Whether a picture of each level is asked a question of each, so that the two "
        "vary apart: `easy_hard` has things, sizes and backdrop of `easy`, steps and wrong options "
        "of `hard`. Where both are of one level, all is as without it.",
    )
    checks: int = Field(
        6, ge=0, le=24, description="Checks of a picture against its description, at most."
    )
    whole: bool = Field(
        True,
        description="Whether a picture that was measured must show all that is described. If not, "
        "it passes from the level's `threshold` on, and nothing is asked about what differs.",
    )
    questions: int = Field(
        1,
        ge=1,
        le=8,
        description="Questions that rules ask about a picture, at most: each is of another "
        "program. Fewer where a picture has no more to ask; an examiner behind an endpoint asks "
        "one.",
    )
    replaced: int = Field(
        3,
        ge=0,
        le=3,
        description="Wrong options of a question that are adjusted, at most; 0: they stay as they "
        "were drawn at first.",
    )
    habit: bool = Field(
        False,
        description="Whether the first draft of a question takes its wrong options from a fixed "
        "third of all values, the same in each exam, where it can. A model that knows other drafts "
        "can then guess the right option without the picture, which shows what adjusting the "
        "options changes (AutoDavis, figure 2). By default all wrong options are equally likely. "
        "With `replaced: 3` the final questions are the same either way.",
    )
    twins: bool = Field(
        False,
        description="Whether each second picture is the twin of the one before it: the same but "
        "for one fact, asked the same question, where the family of its aspect knows of twins; "
        "else another picture.",
    )
    atomic: bool = Field(
        False,
        description="Whether each question that rules ask has atomic checks: closed questions "
        "about the single facts that its answer rests on. A scenario of their own asks them, two "
        "to three for each question; they count in no other number (AutoDavis, appendix R).",
    )
    attempts: int = Field(
        3, ge=0, le=100, description="Further pictures of a scene that is not as described."
    )
    restyled: ShownAgain = Field(
        default_factory=lambda: ShownAgain(),  # type: ignore[call-arg]
        description="Pictures that are shown again in other styles.",
    )
    exclusion: Exclusion = Field(
        default_factory=lambda: Exclusion(),  # type: ignore[call-arg]
        description="Which words later descriptions must do without.",
    )

    @field_validator("words")
    @classmethod
    def _one_line(cls, value: str | None) -> str | None:
        if value is not None and not value.isprintable():
            raise ValueError("write it in one line, without control characters")
        return value

    _once = field_validator("only", "at", "examiners")(once("name"))

    @property
    def about_each(self) -> float:
        """About how many questions a picture has: most have no second one to ask."""
        return 1 + (self.questions - 1) / 4

    @property
    def by_text(self) -> bool:
        """Whether texts say what pictures show, and nothing measures them."""
        return self.truth == "description"

    def thought_of(self, request: str) -> bool:
        """Return whether a model thinks of the aspects of a request."""
        return self.think or request == OWN

    def crossing(self, at: tuple[str, ...] = ()) -> dict[str, tuple[str, str]]:
        """Return of each level that is asked at the level of its picture and of its question.

        By default those of :attr:`at`; two of one level have its name.
        """
        names = at or self.at or tuple(self.levels)
        if not self.crossed:
            return {name: (name, name) for name in names}
        return {
            picture if picture == question else f"{picture}_{question}": (picture, question)
            for picture in names
            for question in names
        }

    @property
    def asked(self) -> tuple[str, ...]:
        """The levels that are asked at."""
        return tuple(self.crossing())

    def made_of(self) -> dict[str, ExamLevel]:
        """Return the levels that are asked at: what pictures show of one, what is asked of one."""
        return {
            name: self.levels[picture].model_copy(
                update={key: getattr(self.levels[question], key) for key in OF_QUESTIONS}
            )
            for name, (picture, question) in self.crossing().items()
        }

    def folders(self) -> tuple[str, ...]:
        """Return the folders whose files decide what is planned."""
        return (self.aspects,)
