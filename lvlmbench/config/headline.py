"""What a suite's headline number is, and what stands beside it.

Console, report, leaderboard, ``lvlmbench scores``, metrics.json, exports and figures take the
number from the rows ``headline`` of the metrics table; this says what it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from lvlmbench.core.registry import kinds_of

if TYPE_CHECKING:
    from lvlmbench.config.sections import Params

#: Tables that numbers beside the metrics come from, by what judges say.
JudgedTable = Literal["hallucination", "dialogue"]
JUDGED_TABLES: tuple[JudgedTable, ...] = get_args(JudgedTable)


@dataclass(frozen=True)
class Beside:
    """A number that stands beside the headline.

    Attributes
    ----------
    label
        What it is, for readers, within a sentence.
    measure
        Metric of the metrics table, or measure of ``table``.
    table
        Table of judged answers that it is in; None: the metrics table.
    by
        Column whose values it has one number each of; empty: one number over all.
    among
        Values of that column that count; empty: all that are there.
    question_type
        Question type of rows of the metrics table.
    percent
        Whether it is a percentage.
    about
        What it is in one sentence, where the label does not say it.
    judge
        Of a table of judged answers: the judge, by its place among those of the suite.
    """

    label: str
    measure: str
    table: JudgedTable | None = None
    by: str = ""
    among: tuple[str, ...] = ()
    question_type: str = "all"
    percent: bool = True
    about: str = ""
    judge: int = 0


@dataclass(frozen=True)
class Headline:
    """The number that a suite is headed by.

    Attributes
    ----------
    label
        What it is, for readers, within a sentence.
    about
        How it is made, in one sentence.
    table
        Table of judged answers that it is taken from, as the first judge sees them; None: it is
        computed from the scores of closed questions.
    answered
        Of a table: types of questions whose answers it judges; empty: all that are free text.
    measure
        Its name there. Of scores: ``accuracy``, or ``total``, Dysca's mean over question types with
        captions by their similarity to a reference.
    over
        Columns that accuracies are averaged over, the outermost first.
    least, most
        Ends of its scale; percent by default.
    captions
        Whether captions are scored by their similarity to a reference, as numbers beside the
        headline, or of a ``total``.
    beside
        Numbers that stand beside it.
    """

    label: str = "accuracy"
    about: str = "Share of right answers to closed questions, mean over subtasks."
    table: JudgedTable | None = None
    answered: tuple[str, ...] = ()
    measure: str = "accuracy"
    over: tuple[str, ...] = ("subtask",)
    least: float = 0.0
    most: float = 100.0
    captions: bool = False
    beside: tuple[Beside, ...] = ()

    @property
    def percent(self) -> bool:
        """Whether it is a percentage."""
        return self.most == 100

    @property
    def title(self) -> str:
        """The label as it opens a line."""
        return self.label[:1].upper() + self.label[1:]

    @property
    def unit(self) -> str:
        """What stands behind a value: a percent sign, or nothing."""
        return "%" if self.percent else ""

    def place(self, value: float) -> float:
        """Return where a value lies on the scale, in percent of it."""
        return 100 * (value - self.least) / (self.most - self.least)


#: Dysca's score (section 3.4): the mean over question types of the mean over subtasks.
PAPER = Headline(
    label="the paper's score",
    about="Mean over question types of the mean over subtasks, captions by their similarity to a "
    "reference (Dysca, section 3.4).",
    measure="total",
    captions=True,
)


def headline_of(params: Params) -> Headline:
    """Return the headline of the suite that parameters are of; the default where its kind is not
    registered here."""
    kind = kinds_of("suites").find(params.kind)
    found: Headline = Headline() if kind is None else kind.make().headline(params)
    return found
