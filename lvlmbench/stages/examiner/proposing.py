"""From what a suite tells of its pictures to what an examiner proposes to ask about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lvlmbench.scene.evidence import Fact, holds
from lvlmbench.scene.sets import Truth
from lvlmbench.stages.examiner.forms import (
    SaidAnswer,
    SaidQuestion,
    SaidTextQuestion,
    check_question,
    near,
    unfit,
)
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.replies import schema_text
from lvlmbench.stages.roles.request import Outcome, Request
from lvlmbench.stages.roles.templates import Template, load
from lvlmbench.suites.brief import Brief

Row: TypeAlias = dict[str, Any]

#: Purpose -> the fields of its template.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "question": ("description", "things", "aspect", "level", "defects", "schema"),
    "question_text": ("description", "things", "aspect", "level", "defects", "schema"),
    "eoa": ("description", "question", "wrong", "defects", "schema"),
}
#: Predicate of evidence that is a statement: validators have confirmed it of the picture.
CONFIRMED = "confirmed"
#: What came of a request for a harder option: it was taken, or stood there before.
TAKEN, THERE = "taken", "offered already"


def check_prompts(folder: str) -> dict[str, Template]:
    """Return the prompts of a folder by their purposes.

    Raises
    ------
    UserError
        One is missing or damaged, or lacks a field.
    """
    return {name: load(folder, name, f, "examiner.prompts") for name, f in FIELDS.items()}


@dataclass
class _Draft:
    """A question that the picture supports, while its options are adjusted.

    Attributes
    ----------
    wrong
        The wrong options that are offered: those that were taken for others, then the rest.
    told
        Answers that the examiner has given and been told are wrong.
    spare
        Options that were replaced, each by that which stands at its place in ``wrong``.
    adjustments
        What came of each request.
    """

    brief: Brief
    question: str
    right: str
    wrong: list[str]
    told: list[str] = field(default_factory=list)
    spare: list[str] = field(default_factory=list)
    adjustments: list[str] = field(default_factory=list)
    _kept: set[str] = field(default_factory=set)

    def take(self, outcome: Outcome) -> None:
        """Offer what was answered in the place of a wrong option, if it may stand there.

        One that stands there already has been chosen, too: it stays.
        """
        if outcome.status != "answered":
            self.adjustments.append(outcome.status)
            return
        answer = outcome.value.answer
        there = next((each for each in self.wrong if near(answer, each, self.brief)), None)
        known = [self.right, *self.wrong, *self.spare, *self.told]
        refused = THERE if there else unfit(answer, known, self.right, self.brief)
        self.told.append(answer)
        self.adjustments.append(refused or TAKEN)
        done = len(self.spare)
        if there is not None:
            self._kept.add(there)
        elif refused is None and (free := [w for w in self.wrong[done:] if w not in self._kept]):
            rest = [each for each in self.wrong[done:] if each != free[0]]
            self.wrong = [*self.wrong[:done], answer, *rest]
            self.spare.append(free[0])


class Proposing:
    """Has one examiner write a question about each picture, and harder wrong options for it.

    Parameters
    ----------
    name
        Of the examiner, in tables.
    adjust
        How many wrong options are to be replaced.
    prompts
        Folder of prompts, laid over the default one.

    Raises
    ------
    UserError
        A prompt is missing or damaged, or lacks a field.
    """

    def __init__(self, asker: Asker, name: str, adjust: int, prompts: str) -> None:
        self._asker, self._name, self._adjust = asker, name, adjust
        self._templates = check_prompts(prompts)

    def rows(self, briefs: Iterable[Brief]) -> list[Row]:
        """Return a row of the table ``proposals`` for each item, in their order.

        Raises
        ------
        UserError
            The examiner cannot be asked, or its budget is reached; what was answered is kept.
        """
        items = list(briefs)
        found = {brief.scene_id: self._row(brief) for brief in items}
        told = [brief for brief in items if brief.lacks is None]
        outcomes = self._asker.ask([self._question(brief) for brief in told])
        drafts = []
        for brief, outcome in zip(told, outcomes, strict=True):
            found[brief.scene_id] |= _proposal(brief, outcome)
            if found[brief.scene_id]["status"] == "made":
                drafts.append(_draft(brief, outcome.value))
        for number in range(self._adjust):
            again = self._asker.ask([self._another(draft, number) for draft in drafts])
            for draft, outcome in zip(drafts, again, strict=True):
                draft.take(outcome)
        for draft in drafts if self._adjust else ():
            row = found[draft.brief.scene_id]
            options = list(draft.wrong)
            options.insert(row["answer_index"], draft.right)
            row |= {
                "options": options,
                "spare": draft.spare or None,
                "adjustments": draft.adjustments,
            }
        return list(found.values())

    def _row(self, brief: Brief) -> Row:
        return {
            "examiner": self._name,
            "scene_id": brief.scene_id,
            "subtask": brief.subtask,
            "aspect": brief.aspect,
            "level": brief.level,
            "status": brief.lacks,
            "why": brief.why,
        }

    def _question(self, brief: Brief) -> Request:
        measured = brief.world is not None
        template = self._templates["question" if measured else "question_text"]
        form = SaidQuestion if measured else SaidTextQuestion
        things = [f"{name}: {said}" for name, said in brief.things]
        prompt = template.render(
            description=brief.description,
            things="\n".join([*things, *brief.planned]),
            aspect="\n".join(brief.about),
            level=brief.guidance,
            defects=_listed(brief.defects),
            schema=schema_text(form),
        )
        return Request(brief.scene_id, template, prompt, form, check_question(brief))

    def _another(self, draft: _Draft, number: int) -> Request:
        """The request for one more wrong option: all answers so far are said to be wrong."""
        template = self._templates["eoa"]
        prompt = template.render(
            description=draft.brief.description,
            question=draft.question,
            wrong=_listed([draft.right, *draft.told]),
            defects=_listed(draft.brief.defects),
            schema=schema_text(SaidAnswer),
        )
        return Request(
            draft.brief.scene_id, template, prompt, SaidAnswer, lambda said: None, number
        )


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"- {text}" for text in texts) or "none"


def _proposal(brief: Brief, outcome: Outcome) -> Row:
    """What became of the request for a question."""
    row: Row = {"status": outcome.status, "why": outcome.why, "defects": list(brief.defects)}
    if outcome.status != "answered":
        return row
    said = outcome.value
    evidence = _evidence(brief, said)
    failing = next(((fact, held) for fact, held in evidence if held is not True), None)
    why = failing and f"{failing[0]}: {'not clear' if failing[1] is None else 'not so'}"
    return row | {
        "status": "made" if failing is None else "unsupported",
        "why": why,
        "question": said.question,
        "options": list(said.options),
        "answer_index": said.answer_index,
        "evidence": [{**fact._asdict(), "holds": held} for fact, held in evidence],
    }


def _evidence(brief: Brief, said: SaidQuestion | SaidTextQuestion) -> list[tuple[Fact, Truth]]:
    """What a question rests on, and whether the picture shows it; statements are confirmed."""
    if isinstance(said, SaidTextQuestion):
        told = dict(brief.things)
        return [(Fact(each, CONFIRMED, told[each]), True) for each in said.evidence]
    assert brief.world is not None
    return [(one.fact, holds(one.fact, brief.world)) for one in said.evidence]


def _draft(brief: Brief, said: SaidQuestion | SaidTextQuestion) -> _Draft:
    wrong = list(said.options)
    return _Draft(brief, said.question, wrong.pop(said.answer_index), wrong)
