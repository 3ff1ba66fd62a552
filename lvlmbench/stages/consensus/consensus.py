"""Questions that the best models get wrong together (Dysca, section 3.3, data clean, step 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa

from lvlmbench.config.cleaning import Consensus
from lvlmbench.config.headline import PAPER, Headline
from lvlmbench.config.models import Model, guessing
from lvlmbench.core.errors import UserError
from lvlmbench.stages.consensus.voters import (
    AGAINST,
    RIGHT,
    SILENT,
    Ballot,
    Group,
    Vote,
    Voters,
    reliability,
)
from lvlmbench.stages.metrics.metrics import totals
from lvlmbench.tables import TYPES

#: Fewer models than this agree on nothing.
FEWEST = 2


def counted_models(
    scores: pa.Table, models: Sequence[Model], most: int, headline: Headline = PAPER
) -> list[str]:
    """Names of the models whose answers count, the best first, at most ``most``.

    They are ranked as :func:`lvlmbench.stages.metrics.metrics.totals` says. Models that guess never
    count, nor do those without a number: one that has no scored answer of some question type, for
    instance because its server was down, would keep every question. Equal numbers go by the order
    of ``models``.

    Parameters
    ----------
    scores
        Rows of :data:`lvlmbench.tables.SCORES`, all of one scenario.
    models
        The configured ones.
    headline
        Of the suite.

    Raises
    ------
    UserError
        The scores are of several scenarios, or of a model that is not configured.
    """
    found = totals(scores, headline)
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
    """An answer: about which image, which option, and whether it is right, wrong or says that no
    option fits. One of the three at most: what a strategy makes of the last does not count."""

    image: str | None
    option: int | None
    right: bool
    wrong: bool
    none: bool


class _Asked(NamedTuple):
    """A closed question: its subtask and type, and what counted models, by place, said of it."""

    group: Group
    said: dict[int, list[_Said]]

    def vote(self, place: int) -> Vote:
        """Return what a model's answers come to: of several images all must be alike."""
        said = self.said.get(place, [])
        if said and all(each.wrong or each.none for each in said):
            options = {each.option for each in said}
            return Vote(AGAINST, options.pop() if len(options) == 1 else None)
        return Vote(RIGHT if said and all(each.right for each in said) else SILENT)


def _asked(scores: pa.Table, rank: Mapping[str, int]) -> dict[str, _Asked]:
    """Closed questions that a counted model was asked."""
    asked: dict[str, _Asked] = {}
    columns = ["question_id", "model", "question_type", "correct", "parse_method", "image_id",
               "subtask", "parsed_index"]  # fmt: skip
    for row in zip(*(scores[name].to_pylist() for name in columns), strict=True):
        question, model, kind, correct, method, image, subtask, option = row
        if model in rank and TYPES[kind].offers:
            if method == "none_of_options":
                said = _Said(image, None, False, False, True)
            else:
                said = _Said(image, option, correct is True, correct is False, False)
            about = asked.setdefault(question, _Asked((subtask, kind), {}))
            about.said.setdefault(rank[model], []).append(said)
    return asked


def consensus_rows(
    scores: pa.Table,
    questions: pa.Table,
    models: Sequence[Model],
    consensus: Consensus,
    headline: Headline = PAPER,
) -> list[dict[str, object]]:
    """Rows of :data:`lvlmbench.tables.CONSENSUS` in the order of ``questions``.

    One row for each closed question that a counted model was asked. ``n_wrong`` of these models
    chose another option, ``n_none`` said that no option fits. Answers that are missing, declined
    or unreadable are neither. Of several images of a question a model is against it that is so on
    all of them. A question is kept while the two together are fewer than
    ``consensus.wrong`` (by default the number of counted models), and all are kept where fewer
    than two models count. Of others ``consensus.apply`` decides whether they are dropped; see
    :mod:`lvlmbench.stages.consensus.voters`. Questions that offer no options have no row: that two
    models say something else is what a hard question does, too.

    Parameters
    ----------
    scores
        Rows of :data:`lvlmbench.tables.SCORES`, all of one scenario, of all models.
    questions
        Rows of :data:`lvlmbench.tables.QUESTIONS`, with their ``chance``.
    headline
        Of the suite: the best models by it count.

    Raises
    ------
    UserError
        As :func:`counted_models`; or a question that was scored is not among ``questions``.
    """
    chosen = counted_models(scores, models, consensus.models, headline)
    enough = len(chosen) if consensus.wrong is None else consensus.wrong
    rank = {name: i for i, name in enumerate(chosen)}
    asked = _asked(scores, rank)
    order = [key for key in questions["question_id"].to_pylist() if key in asked]
    if len(order) < len(asked):
        what = f"hold question {min(asked.keys() - {*order})}, which --questions do not"
        raise UserError("--scores", what, "give the questions that were asked, all shards")
    for key in order:
        for said in asked[key].said.values():
            if len({s.image for s in said}) < len(said):
                what = f"hold question {key} twice of one model"
                raise UserError("--scores", what, "give each file of scores once")
    chance = dict(zip(*(questions[n].to_pylist() for n in ("question_id", "chance")), strict=True))
    votes = [
        Ballot(asked[key].group, chance[key], [asked[key].vote(at) for at in range(len(chosen))])
        for key in order
    ]
    if len(chosen) < FEWEST:
        enough = FEWEST  # which nobody reaches
    groups = reliability(votes, len(chosen), enough)
    scenes = dict(
        zip(*(questions[n].to_pylist() for n in ("question_id", "scene_id")), strict=True)
    )
    return [
        _row(key, scenes[key], asked[key], chosen, groups[asked[key].group], enough, consensus)
        for key in order
    ]


def _row(
    key: str, scene: str, asked: _Asked, chosen: Sequence[str], voters: Voters, enough: int,
    consensus: Consensus,
) -> dict[str, object]:  # fmt: skip
    places = sorted(asked.said)
    against = [asked.said[at] for at in places if asked.vote(at).way == AGAINST]
    n_none = sum(all(s.none for s in said) for said in against)
    verdict = "kept"
    if len(against) >= enough:
        reliable = voters.reliable(consensus.precision)
        by_rule = {"always": "dropped", "never": "off"}
        verdict = by_rule.get(consensus.apply, "dropped" if reliable else "unreliable")
    return {
        "question_id": key,
        "scene_id": scene,
        "n_models": len(places),
        "n_wrong": len(against) - n_none,
        "n_none": n_none,
        "keep": verdict != "dropped",
        "models": [chosen[at] for at in places],
        "verdict": verdict,
        "expected_bad": None if verdict == "kept" else voters.expected_bad,
        "above_guessing": [voters.above_guessing[at] for at in places],
    }
