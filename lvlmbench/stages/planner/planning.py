"""From what a suite wants planned to aspects and descriptions that a model gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from lvlmbench.scene.graph import Graph
from lvlmbench.stages.planner.forms import (
    SaidChecks,
    SaidDescription,
    SaidFine,
    SaidFines,
    SaidGenerals,
    SaidRaw,
    SaidText,
    check_checks,
    check_key_words,
    check_names,
    check_text,
)
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.replies import schema_text
from lvlmbench.stages.roles.request import Outcome, Request
from lvlmbench.stages.roles.templates import Template, load
from lvlmbench.suites.planned import AspectsBrief, PictureBrief

Row: TypeAlias = dict[str, Any]

#: Name of the general aspect of aspects that were asked for without one.
RAW = "no general aspect"
#: Purpose -> the fields of its template.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "general": ("wish", "pictures", "number", "schema"),
    "fine": ("wish", "general", "taken", "pictures", "number", "schema"),
    "raw": ("wish", "pictures", "number", "schema"),
    "describe": ("aspect", "level", "banned", "known", "schema"),
    "describe_text": ("aspect", "level", "banned", "known", "schema"),
    "describe_checks": ("description", "number", "schema"),
}


def check_prompts(folder: str) -> dict[str, Template]:
    """Return the prompts of a folder by their purposes.

    Raises
    ------
    UserError
        One is missing or damaged, or lacks a field.
    """
    return {name: load(folder, name, f, "examiner.prompts") for name, f in FIELDS.items()}


class Planning:
    """Has one model think of aspects, and describe pictures.

    Parameters
    ----------
    name
        Of the model, in tables.
    prompts
        Folder of prompts, laid over the default one.

    Raises
    ------
    UserError
        A prompt is missing or damaged, or lacks a field.
    """

    def __init__(self, asker: Asker, name: str, prompts: str) -> None:
        self._asker, self._name = asker, name
        self._templates = check_prompts(prompts)

    def aspects(self, briefs: Sequence[AspectsBrief]) -> list[Row]:
        """Return rows of the table ``planned_aspects``: as many for each request as are wanted.

        General aspects come first; then the fine-grained ones of one after the other, so that each
        can be told which names are taken. Where no general ones are wanted, one request has all.

        Raises
        ------
        UserError
            The model cannot be asked, or its budget is reached; what was answered is kept.
        """
        raw = {at: brief for at, brief in enumerate(briefs) if brief.raw}
        outcomes = self._asker.ask([self._raw(brief) for brief in raw.values()])
        at_once = dict(zip(raw, outcomes, strict=True))
        by_general = iter(self._in_two([brief for brief in briefs if not brief.raw]))
        rows = [
            self._aspects_raw(brief, at_once[at]) if brief.raw else next(by_general)
            for at, brief in enumerate(briefs)
        ]
        return [row for each in rows for row in each]

    def _in_two(self, briefs: Sequence[AspectsBrief]) -> list[list[Row]]:
        """The rows of each request: general aspects first, then those of each."""
        generals = self._asker.ask([self._general(brief) for brief in briefs])
        taken = [_names(outcome) for outcome in generals]
        # What is asked next hangs on names so far: where there was no answer, it can wait.
        broken = {at: o for at, o in enumerate(generals) if o.status != "answered"}
        found: list[list[Row]] = [[] for _ in briefs]
        for number in range(max((brief.general for brief in briefs), default=0)):
            wanted = [at for at, brief in enumerate(briefs) if number < brief.general]
            asked = [at for at in wanted if at not in broken]
            requests = [self._fine(briefs[at], generals[at], number, taken[at]) for at in asked]
            fine = dict(zip(asked, self._asker.ask(requests), strict=True))
            for at in wanted:
                outcome = broken.get(at) or fine[at]
                found[at] += self._aspects(briefs[at], generals[at], outcome, number)
                taken[at] += _names(fine.get(at))
                if outcome.status in ("error", "timeout"):
                    broken[at] = outcome
        return found

    def _raw(self, brief: AspectsBrief) -> Request:
        template, number = self._templates["raw"], brief.general * brief.fine
        prompt = template.render(
            wish=brief.words, pictures=brief.pictures, number=number, schema=schema_text(SaidRaw)
        )
        return Request(brief.subtask, template, prompt, SaidRaw, check_names(number, ()))

    def _general(self, brief: AspectsBrief) -> Request:
        template = self._templates["general"]
        schema = schema_text(SaidGenerals)
        prompt = template.render(
            wish=brief.words, pictures=brief.pictures, number=brief.general, schema=schema
        )
        check = check_names(brief.general, ())
        return Request(brief.subtask, template, prompt, SaidGenerals, check)

    def _fine(
        self, brief: AspectsBrief, generals: Outcome, number: int, taken: Sequence[str]
    ) -> Request:
        template, general = self._templates["fine"], generals.value.aspects[number]
        prompt = template.render(
            wish=brief.words,
            general=f"{general.name}. {general.introduction}",
            taken=_listed(taken),
            pictures=brief.pictures,
            number=brief.fine,
            schema=schema_text(SaidFines),
        )
        check = check_names(brief.fine, taken)
        return Request(brief.subtask, template, prompt, SaidFines, check, number)

    def _aspects(
        self, brief: AspectsBrief, generals: Outcome, outcome: Outcome, number: int
    ) -> list[Row]:
        """The rows of one general aspect, whatever came of it."""
        general = generals.value.aspects[number].name if generals.value else None
        said = outcome.value.aspects if outcome.status == "answered" else None
        return [
            self._aspect(brief, number, fine_no, general, outcome, said and said[fine_no])
            for fine_no in range(brief.fine)
        ]

    def _aspects_raw(self, brief: AspectsBrief, outcome: Outcome) -> list[Row]:
        """The rows of a request whose aspects were asked for at once."""
        said = outcome.value.aspects if outcome.status == "answered" else None
        general = None if said is None else RAW
        return [
            self._aspect(brief, *divmod(at, brief.fine), general, outcome, said and said[at])
            for at in range(brief.general * brief.fine)
        ]

    def _aspect(
        self,
        brief: AspectsBrief,
        number: int,
        fine_no: int,
        general: str | None,
        outcome: Outcome,
        said: SaidFine | None,
    ) -> Row:
        row: Row = {
            "planner": self._name,
            "subtask": brief.subtask,
            "general_no": number,
            "general": general,
            "fine_no": fine_no,
            "aspect": brief.ids[number * brief.fine + fine_no],
            "status": "made" if said else outcome.status,
            "why": outcome.why,
        }
        if said is not None:
            row |= {
                "called": said.name,
                "introduction": said.introduction,
                "guidance": said.guidance,
            }
        return row

    def descriptions(self, briefs: Sequence[PictureBrief]) -> list[Row]:
        """Return a row of the table ``planned_descriptions`` for each picture, in their order.

        Raises
        ------
        UserError
            As for :meth:`aspects`.
        """
        found = {brief.scene_id: self._row(brief) for brief in briefs}
        told = [brief for brief in briefs if brief.lacks is None]
        outcomes = self._asker.ask([self._picture(brief) for brief in told])
        for brief, outcome in zip(told, outcomes, strict=True):
            found[brief.scene_id] |= _described(brief, outcome)
        self._check(told, found)
        return list(found.values())

    def _check(self, briefs: Sequence[PictureBrief], found: dict[str, Row]) -> None:
        """Have checks written of the texts among descriptions; without, there is no picture."""
        texts = {
            brief.scene_id: self._checks(brief.scene_id, found[brief.scene_id], brief.checks)
            for brief in briefs
            if brief.checks and found[brief.scene_id]["status"] == "made"
        }
        outcomes = self._asker.ask([*texts.values()])
        for scene_id, outcome in zip(texts, outcomes, strict=True):
            found[scene_id] |= _checked(outcome)

    def _checks(self, scene_id: str, row: Row, wanted: int) -> Request:
        template = self._templates["describe_checks"]
        text = row["description"]
        prompt = template.render(description=text, number=wanted, schema=schema_text(SaidChecks))
        return Request(scene_id, template, prompt, SaidChecks, check_checks(text, wanted))

    def _row(self, brief: PictureBrief) -> Row:
        return {
            "planner": self._name,
            "scene_id": brief.scene_id,
            "subtask": brief.subtask,
            "aspect": brief.aspect,
            "level": brief.level,
            "number": brief.number,
            "status": brief.lacks,
            "why": brief.why,
        }

    def _picture(self, brief: PictureBrief) -> Request:
        by_text = brief.checks is not None
        template = self._templates["describe_text" if by_text else "describe"]
        form = SaidText if by_text else SaidDescription
        prompt = template.render(
            aspect="\n".join(brief.about),
            level=_listed(brief.guidance),
            banned=_listed(brief.banned),
            known="\n".join(brief.known),
            schema=schema_text(form),
        )
        check = check_text(brief.banned) if by_text else _check(brief)
        return Request(brief.scene_id, template, prompt, form, check)


def _names(outcome: Outcome | None) -> list[str]:
    """Names of aspects that were given."""
    return [each.name for each in outcome.value.aspects] if outcome and outcome.value else []


def _check(brief: PictureBrief) -> Callable[[SaidDescription], str | None]:
    """A check that says why a description cannot be drawn, or None."""

    def check(said: SaidDescription) -> str | None:
        if (wrong := check_key_words(said.key_words)) is not None:
            return wrong
        found = brief.bound(said.description)
        return found if isinstance(found, str) else None

    return check


def _described(brief: PictureBrief, outcome: Outcome) -> Row:
    """What became of the request for a description."""
    row: Row = {"status": outcome.status, "why": outcome.why, "banned": list(brief.banned)}
    if outcome.status != "answered":
        return row
    if isinstance(text := outcome.value, SaidText):
        return row | {"status": "made", "checks": [], **text.model_dump()}
    said = outcome.value.description
    graph = brief.bound(said)
    assert isinstance(graph, Graph)
    return row | {
        "status": "made",
        "description": brief.said(graph),
        "topic_word": said.topic_word,
        "key_words": list(said.key_words),
        **graph.row(),
    }


def _checked(outcome: Outcome) -> Row:
    """What became of the request for the checks of a text."""
    if outcome.status != "answered":
        nothing = dict.fromkeys(("description", "topic_word", "key_words", "checks"))
        return {"status": outcome.status, "why": f"no checks: {outcome.why}", **nothing}
    return {"checks": [said.check._asdict() for said in outcome.value.checks]}


def _listed(texts: Sequence[str]) -> str:
    return "\n".join(f"- {text}" for text in texts) or "none"
