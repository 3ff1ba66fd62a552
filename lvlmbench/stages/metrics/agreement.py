"""How far examiners agree on models: the table agreement, for suites in which several ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from lvlmbench import tables
from lvlmbench.analysis.examiners import Answered, findings
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id
from lvlmbench.config.models import guessing
from lvlmbench.core.seeding import generator
from lvlmbench.scene.asking import Key
from lvlmbench.snapshot.kept import left_out, without
from lvlmbench.stages.metrics.frame import canonical, scenario_order
from lvlmbench.stages.metrics.independent import own_examiners
from lvlmbench.stages.metrics.rows import rounded

#: What of the questions and of the scores is looked at.
_QUESTIONS = ["question_id", "subtask", "key", "examiner"]
_SCORES = ["model", "scenario", "question_id", "correct", "scored"]
_STAGE = "agreement"


def write_agreement(
    params: Params,
    *,
    scores: Sequence[Path],
    consensus: Sequence[Path],
    questions: Sequence[Path],
    out: Path,
) -> None:
    """Write the table agreement from shards of these tables; empty where fewer than two ask.

    Raises
    ------
    UserError
        A file is missing, damaged or of another schema.
    """
    rows: list[dict[str, object]] = []
    asked = tables.read(questions, tables.QUESTIONS, ["examiner"])["examiner"].unique()
    if len(asked.drop_null()) > 1:
        about = tables.of_scenario(tables.read(questions, tables.QUESTIONS, _QUESTIONS))
        dropped = left_out(params, consensus)
        answers = without(tables.read(scores, tables.SCORES, _SCORES), dropped)
        models = guessing(params.answer.models)
        own = own_examiners(params)
        rows = [*agreement_rows(answers, about, params.snapshot.seed, models, own)]
    tables.write_rows(rows, out, tables.AGREEMENT, params_id(params))


def agreement_rows(
    scores: pa.Table,
    questions: pa.Table,
    seed: int,
    guessers: set[str],
    own: Mapping[str, Sequence[str]],
) -> Iterator[dict[str, object]]:
    """Yield rows of the table, scenario by scenario.

    Models that guess are left out, and those that some examiner has no scored answer of.

    Parameters
    ----------
    scores, questions
        Rows of these tables, of which only some columns are looked at.
    seed
        Of the snapshot, for the draws of aspects.
    own
        Model -> examiners of its own family.
    """
    about = questions.to_pandas()
    about["aspect"] = [
        f"{subtask}/{Key.read(key).about[-1]}"
        for subtask, key in zip(about["subtask"], about["key"], strict=True)
    ]
    known = about[about["examiner"].notna()][["question_id", "aspect", "examiner"]]
    answers = scores.to_pandas().merge(known, on="question_id")
    answers = answers[~answers["model"].isin(guessers)]
    order = scenario_order()
    for scenario in sorted(answers["scenario"].unique(), key=lambda name: canonical(order, name)):
        given = counted(answers[answers["scenario"] == scenario])
        if given is None:
            continue
        for each in findings(given, own, partial(generator, seed, _STAGE, scenario)):
            numbers = {"value": each.value, "low": each.low, "high": each.high}
            yield {
                "scenario": scenario,
                **each._asdict(),
                **{name: None if v is None else rounded(v) for name, v in numbers.items()},
            }


def counted(answers: pd.DataFrame) -> Answered | None:
    """Return answers of one scenario by aspect, model and examiner.

    None where fewer than two examiners asked, or no model has a scored answer by each.
    """
    examiners = sorted(answers["examiner"].unique())
    aspects = sorted(answers["aspect"].unique())
    scored = answers[answers["scored"].astype(bool) & answers["correct"].notna()]
    by = scored.groupby("model")["examiner"].nunique()
    models = sorted(name for name, n in by.items() if n == len(examiners))
    if len(examiners) < 2 or not models:
        return None
    mine = scored[scored["model"].isin(models)]
    right, n = np.zeros((2, len(aspects), len(models), len(examiners)))
    places = tuple(
        pd.Categorical(mine[column], categories=names).codes.astype(np.int64)
        for column, names in (("aspect", aspects), ("model", models), ("examiner", examiners))
    )
    np.add.at(right, places, mine["correct"].astype(bool).to_numpy(dtype=np.float64))
    np.add.at(n, places, 1.0)
    return Answered(models, examiners, right, n)
