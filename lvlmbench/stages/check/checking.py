"""From checks of pictures to what a validator sees in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from lvlmbench.core.seeding import item_id
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.replies import Bound, schema_text
from lvlmbench.stages.roles.request import Outcome, Request
from lvlmbench.stages.roles.templates import Template, load
from lvlmbench.suites.posed import Posed

Row: TypeAlias = dict[str, Any]

#: Fields of the template.
FIELDS = ("question", "options", "schema")
PURPOSE = "check"


Letter: TypeAlias = Literal["A", "B", "C", "D", "E", "F", "G", "H"]
LETTERS: tuple[str, ...] = get_args(Letter)


class SaidOption(Bound):
    """The option that a picture shows."""

    option: Letter


def check_prompts(folder: str) -> Template:
    """Return the prompt of a folder.

    Raises
    ------
    UserError
        It is missing or damaged, or lacks a field.
    """
    return load(folder, PURPOSE, FIELDS, "validator.prompts")


class Checking:
    """Has one validator look at pictures, one check at a time.

    Parameters
    ----------
    name
        Of the validator, in tables.
    prompts
        Folder of prompts, laid over the default one.

    Raises
    ------
    UserError
        The prompt is missing or damaged, or lacks a field.
    """

    def __init__(self, asker: Asker, name: str, prompts: str) -> None:
        self._asker, self._name, self._template = asker, name, check_prompts(prompts)

    def rows(
        self,
        checks: Sequence[Posed],
        images: Mapping[str, tuple[str, bytes]],
        attempts: Mapping[str, int] | None = None,
    ) -> list[Row]:
        """Return a row of the table ``check_answers`` for each check, in their order.

        Parameters
        ----------
        images
            Scene -> id and file of its picture; those of all checks.
        attempts
            Scene -> which attempt at it that picture is; by default there is one.

        Raises
        ------
        UserError
            The validator cannot be asked, or its budget is reached; what was answered is kept.
        """
        rounds = attempts or {}
        requests = [
            self._request(check, *images[check.shown_id], rounds.get(check.shown_id, 0))
            for check in checks
        ]
        outcomes = self._asker.ask(requests)
        return [
            self._row(check, images[check.shown_id][0], request, outcome)
            for check, request, outcome in zip(checks, requests, outcomes, strict=True)
        ]

    def _request(self, check: Posed, image_id: str, image: bytes, number: int) -> Request:
        letters = LETTERS[: len(check.options)]
        options = [f"({each}) {text}" for each, text in zip(letters, check.options, strict=True)]
        prompt = self._template.render(
            question=check.question, options="\n".join(options), schema=schema_text(SaidOption)
        )

        def fits(said: SaidOption) -> str | None:
            return None if said.option in letters else f"option: there is no {said.option}"

        item = item_id("check", image_id, check.check_id)
        return Request(item, self._template, prompt, SaidOption, fits, number, (image,))

    def _row(self, check: Posed, image_id: str, request: Request, outcome: Outcome) -> Row:
        answered = None if outcome.value is None else LETTERS.index(outcome.value.option)
        return {
            "validator": self._name,
            "scene_id": check.shown_id,
            "image_id": image_id,
            "subtask": check.subtask,
            "check_id": check.check_id,
            "planted": check.planted,
            "element_type": check.element_type,
            "answer_index": check.answer_index,
            "shown_index": check.shown_index,
            "status": outcome.status,
            "answered_index": answered,
            "correct": None if answered is None else answered == check.answer_index,
            "why": outcome.why,
            "request_id": request.request_id,
        }
