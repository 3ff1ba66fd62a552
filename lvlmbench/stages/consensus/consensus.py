"""Questions that the best models get wrong together (Dysca, section 3.3, data clean, step 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa

from lvlmbench.config.cleaning import Consensus
from lvlmbench.config.models import Model, guessing
from lvlmbench.core.errors import UserError
from lvlmbench.stages.metrics.metrics import totals
from lvlmbench.tables import TYPES

#: Fewer models than this agree on nothing.
FEWEST = 2


def counted_models(scores: pa.Table, models: Sequence[Model], most: int) -> list[str]:
    """Names of the models whose answers count, the best by ``total`` first, at most ``most``.

    Models that guess never count, nor do those without a total: one that has no scored answer of
    some question type, for instance because its server was down, would keep every question.
    Equal totals go by the order of ``models``.

    Parameters
    ----------
    scores
        Rows of :data:`lvlmbench.tables.SCORES`, all of one scenario.
    models
        The configured ones.

    Raises
    ------
    UserError
        The scores are of several scenarios, or of a model that is not configured.
    """
    found = totals(scores)
    scenarios = sorted({scenario for _, scenario in found})
    if len(scenarios) > 1:
        raise UserError(
            "--scores",
            f"are of the scenarios {' and '.join(scenarios)}",
            "give those of one scenario, the clean one where there is one",
        )
    place = {model.name: i for i, model in enumerate(models)}
    guesses = guessing(models)  # their mistakes say nothing about a question
    ranked = []
    for (name, _), total in found.items():
        if name not in place:
            raise UserError(
                "--scores",
                f"are of '{name}', too, which answer.models does not list",
                "leave its scores out",
            )
        if total is not None and name not in guesses:
            ranked.append((-total, place[name], name))
    return [name for _, _, name in sorted(ranked)[:most]]


class _Said(NamedTuple):
    """An answer: about which image, and whether it is wrong or says that no option fits."""

    image: str | None
    wrong: bool
    none: bool


def _asked(scores: pa.Table, rank: Mapping[str, int]) -> dict[str, dict[int, list[_Said]]]:
    """Closed question -> place of a counted model -> what it said, image by image."""
    asked: dict[str, dict[int, list[_Said]]] = {}
    columns = ["question_id", "model", "question_type", "correct", "parse_method", "image_id"]
    for row in zip(*(scores[name].to_pylist() for name in columns), strict=True):
        question, model, kind, correct, method, image = row
        if model in rank and TYPES[kind].offers:
            said = _Said(image, correct is False, method == "none_of_options")
            asked.setdefault(question, {}).setdefault(rank[model], []).append(said)
    return asked


def consensus_rows(
    scores: pa.Table, questions: pa.Table, models: Sequence[Model], consensus: Consensus
) -> list[dict[str, object]]:
    """Rows of :data:`lvlmbench.tables.CONSENSUS` in the order of ``questions``.

    One row for each closed question that a counted model was asked. ``n_wrong`` of these models
    chose another option, ``n_none`` said that no option fits. Answers that are missing, declined
    or unreadable are neither. Of several images of a question a model is against it that is so on
    all of them. A question is kept while the two together are fewer than
    ``consensus.wrong`` (by default the number of counted models), and all are kept where fewer
    than two models count. Questions that offer no options have no row: that two models say
    something else is what a hard question does, too.

    Parameters
    ----------
    scores
        Rows of :data:`lvlmbench.tables.SCORES`, all of one scenario, of all models.
    questions
        Rows of :data:`lvlmbench.tables.QUESTIONS`.

    Raises
    ------
    UserError
        As :func:`counted_models`; or a question that was scored is not among ``questions``.
    """
    chosen = counted_models(scores, models, consensus.models)
    enough = len(chosen) if consensus.wrong is None else consensus.wrong
    rank = {name: i for i, name in enumerate(chosen)}
    asked = _asked(scores, rank)
    rows: list[dict[str, object]] = []
    ids = (questions[name].to_pylist() for name in ("question_id", "scene_id"))
    for question, scene in zip(*ids, strict=True):
        answers = asked.pop(question, {})
        if not answers:
            continue
        if any(len({s.image for s in said}) < len(said) for said in answers.values()):
            what = f"hold question {question} twice of one model"
            raise UserError("--scores", what, "give each file of scores once")
        against = [said for said in answers.values() if all(s.wrong or s.none for s in said)]
        n_none = sum(all(s.none for s in said) for said in against)
        n_wrong = len(against) - n_none
        rows.append(
            {
                "question_id": question,
                "scene_id": scene,
                "n_models": len(answers),
                "n_wrong": n_wrong,
                "n_none": n_none,
                "keep": len(chosen) < FEWEST or n_wrong + n_none < enough,
                "models": [chosen[i] for i in sorted(answers)],
            }
        )
    if asked:
        what = f"hold question {min(asked)}, which --questions do not"
        raise UserError("--scores", what, "give the questions that were asked, all shards")
    return rows
