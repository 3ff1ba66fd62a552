"""Ask a model until it is known how good it is, or whether it is better than another.

Answers go the way of all answers, through the cache: what was asked is not asked again, by the same
command after a kill or by a run of the whole snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

import numpy as np

from lvlmbench import tables
from lvlmbench.analysis.adaptive import ENOUGH
from lvlmbench.analysis.lltm import F64
from lvlmbench.analysis.replay import FEWEST_OTHERS, Stored, stored_of
from lvlmbench.analysis.session import BATCH, Session
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.config.models import guessing
from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import answer_rows
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS, Item, Model
from lvlmbench.stages.answer.requests.cache import AnswerCache, default_path
from lvlmbench.stages.requests.budget import Budget
from lvlmbench.stages.score import rows
from lvlmbench.stages.score.captions import Pair

#: Of a bank no more than one in so many questions is asked, where nobody says how many.
PART = 5


@dataclass(frozen=True)
class Aim:
    """What is to be found out.

    Attributes
    ----------
    model
        Who is asked.
    against
        Whom it is held against; None: its ability is wanted.
    by_ability
        Whether that is by ability, else by accuracy.
    most
        Questions to ask at most; None: one in :data:`PART`.
    batch
        Questions that are asked at once, about.
    """

    model: str
    against: str | None = None
    by_ability: bool = False
    most: int | None = None
    batch: int = BATCH


def ask(snapshot: Asked, aim: Aim) -> Iterator[str]:
    """Ask until enough is known; gives a line after each batch and, in the end, what was found.

    Raises
    ------
    UserError
        The model cannot be asked, the other one has no answers here, or too few others have, who
        say how hard questions are. What was answered is kept.
    """
    chosen, model = _engine(snapshot, aim.model)
    models = [m.name for m in snapshot.params.answer.models]
    stored = stored_of(snapshot, models, guessing(snapshot.params.answer.models))
    session = _session(snapshot, stored, aim)
    most = aim.most or max(1, -(-len(stored.ids) // PART))
    about = _About(snapshot, stored)
    path = default_path()
    budget = Budget.of(chosen.find(Endpoint), path) if model.cached else None
    known = False
    with AnswerCache(path) as cache:
        while not known and len(session.asked) < most:
            questions = session.next(min(aim.batch, most - len(session.asked)))
            if not questions:
                break
            items = about.items(questions)
            said = answer_rows(model, items, cache, aim.model, snapshot.first_scenario, budget)
            session.add(questions, about.right(questions, said))
            known = session.over
            yield _line(session, aim, len(stored.ids))
    yield _found(session, aim, known, len(session.asked) >= most)


def _engine(snapshot: Asked, name: str) -> tuple[ModelParams, Model]:
    listed = snapshot.params.answer.models
    chosen = next((m for m in listed if m.name == name), None)
    if chosen is None:
        names = ", ".join(m.name for m in listed)
        raise UserError(f"model '{name}'", "is not under answer.models", f"use one of: {names}")
    kind = chosen.made_by()
    if kind is not None and (kind.guesses or kind.weights is not None):
        raise UserError(f"model '{name}'", "costs nothing to ask", "ask it all: make report")
    make = MODELS.get(chosen.engine, f"answer.models: {name}: engine")
    model: Model = make(snapshot.params, chosen, {})
    return chosen, model


def _session(snapshot: Asked, stored: Stored, aim: Aim) -> Session:
    where, rival = f"model '{aim.model}'", None
    if not stored.ids:
        fix = "use a suite with questions that have right answers"
        raise UserError(str(snapshot.data), "asks none whose answers are right or wrong", fix)
    if aim.against is not None:
        rival = _rival(stored, aim)
    tested = [aim.model, *([aim.against] if aim.against else [])]
    bank = stored.bank(*tested)
    if bank is None and (rival is None or aim.by_ability):
        others = len([name for name in stored.above if name not in tested])
        raise UserError(
            where,
            f"has only {others} others beside it whose answers say how hard questions are",
            f"have at least {FEWEST_OTHERS} more asked that do not guess (make report)"
            + (", or compare by accuracy" if aim.by_ability else ", or name a model: --against"),
        )
    rng = stored.rng(*tested)
    return Session(stored.scene, stored.weight, rng, bank, rival, aim.by_ability)


def _rival(stored: Stored, aim: Aim) -> F64:
    if aim.against == aim.model:
        raise UserError(f"--against {aim.against}", "is the model itself", "name another one")
    if aim.against is None or aim.against not in stored.right:
        names = ", ".join(name for name in stored.right if name != aim.model)
        fix = f"use one of: {names}" if names else "have it asked first: make report"
        raise UserError(f"--against {aim.against}", "has no scored answers here", fix)
    return stored.right[aim.against]


class _About:
    """Questions by their numbers, and what answers to them are worth."""

    def __init__(self, snapshot: Asked, stored: Stored) -> None:
        self._snapshot, self._stored = snapshot, stored
        self._scenario = snapshot.first_scenario

    @cached_property
    def _scene_of(self) -> dict[str, str]:
        asked = self._snapshot.asked[self._scenario]
        names = ("question_id", "scene_id")
        return dict(zip(*(asked[name].to_pylist() for name in names), strict=True))

    def items(self, questions: Sequence[int]) -> list[Item]:
        """Return the questions with their pictures, in their order."""
        ids = [self._stored.ids[n] for n in questions]
        scenes = dict.fromkeys(self._scene_of[each] for each in ids)
        found: dict[str, Item] = {}
        for item in self._snapshot.items_about(self._scenario, scenes):
            found.setdefault(item.question_id, item)
        return [found[each] for each in ids]

    @cached_property
    def _truth(self) -> rows.Asked:
        snapshot = self._snapshot
        return rows.Asked(
            snapshot.read(tables.QUESTIONS, rows.QUESTIONS),
            snapshot.read(tables.SCENES, rows.SCENES),
            snapshot.read(tables.IMAGES, rows.IMAGES, scenario=self._scenario),
        )

    def right(self, questions: Sequence[int], said: Sequence[dict[str, object]]) -> F64:
        """Return how answers count: 1, 0, or nan where they do not."""
        strategy = self._snapshot.params.score.strategy
        answers = tables.ANSWERS.of(said).select(rows.ANSWERS)
        scores = rows.score_rows(answers, self._truth, _no_captions, strategy)
        pairs = (scores[name].to_pylist() for name in ("question_id", "correct"))
        correct = dict(zip(*pairs, strict=True))
        found = [correct[self._stored.ids[n]] for n in questions]
        return np.array([np.nan if each is None else float(each) for each in found])


def _no_captions(pairs: Sequence[Pair]) -> NoReturn:
    raise RuntimeError("captions are not right or wrong")


def _ability(session: Session) -> str:
    if session.ability is None:
        return ""
    low, high = session.ability.interval
    return f"ability {session.ability.value:+.2f} ({low:+.2f} to {high:+.2f})"


def _difference(session: Session) -> str:
    duel = session.duel
    low, high = duel.interval()
    if np.isnan(duel.difference):
        return ""
    return f"difference {100 * duel.difference:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"


def _line(session: Session, aim: Aim, of: int) -> str:
    """How it stands after a batch."""
    scored = int(np.isfinite(session.right).sum())
    parts = [f"{len(session.asked):,} of {amount(of, 'question')}"]
    if scored < len(session.asked):
        parts.append(f"{len(session.asked) - scored:,} unscored")
    if aim.against is not None:
        parts.append(_difference(session))
    parts.append(_ability(session))
    return "; ".join(part for part in parts if part)


def _found(session: Session, aim: Aim, known: bool, stopped: bool) -> str:
    """What was found out, in a sentence."""
    n = amount(len(session.asked), "question")
    if aim.against is None:
        assert session.ability is not None
        if known:
            return f"{aim.model}: {_ability(session)} logits, after {n}"
        sure = f"standard error {session.ability.error:.2f}, not {ENOUGH}"
        return f"{aim.model}: {_ability(session)} logits, after {n}: {sure}{_more(stopped)}"
    pair = f"{aim.model} and {aim.against}"
    if not known:
        return f"no verdict about {pair} after {n}: {_difference(session)}{_more(stopped)}"
    names = (aim.model, aim.against)
    better, worse = names if session.better == "first" else names[::-1]
    way = "ability" if aim.by_ability else "accuracy"
    return f"verdict: {better} is better than {worse} by {way}, after {n}: {_difference(session)}"


def _more(stopped: bool) -> str:
    return "; --most N asks on, and none again" if stopped else "; there are no more to ask"
