"""Submit a model by its answers, or drop one: the steps of ``lvlmbench score``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.engine.builds import remove
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.submissions.answers_file import AnswersFile
from lvlmbench.submissions.intake import take_in
from lvlmbench.submissions.leaderboard import judge, rebuild, score, write_record
from lvlmbench.submissions.place import SUBMISSIONS, check_name, renewed, submitted_models
from lvlmbench.submissions.text_table import leaderboard


def submit(snapshot: Asked, answers: Path, model: str, scenario: str | None) -> Iterator[str]:
    """Score a file of answers and renew the leaderboard; gives lines for the terminal.

    All lies in ``results/SUITE/submissions`` when the first line comes. A model that was submitted
    under this name before is replaced. Nothing else of the snapshot is changed.

    Parameters
    ----------
    scenario
        The one that the file is about; None: whatever its rows say, clean where they say nothing.

    Raises
    ------
    UserError
        The name is taken, the file or a row of it cannot be read, it answers nothing that was
        asked, or the snapshot lacks something. All is as before then.
    """
    file = AnswersFile(answers)
    check_name(model, snapshot.params, snapshot.data)
    snapshot.check_whole()
    with renewed(snapshot.results) as folder:
        mine = folder / model
        remove(mine)
        intake = take_in(snapshot, file, model, scenario, mine)
        score(snapshot, mine, intake.scenarios)
        judge(snapshot, mine, intake.scenarios)
        write_record(snapshot, mine, intake.scenarios)
        left_out = rebuild(snapshot, folder)
        which = snapshot.params.statistics.questions
        metrics, params = folder / "metrics.parquet", snapshot.params
        board = list(leaderboard(metrics, params, intake.scenarios, model, which))
    place = snapshot.results / SUBMISSIONS
    yield from intake.lines()
    if intake.listed:
        yield f"  all of them: {place / model / 'intake.csv'}"
    yield from board
    yield ""
    yield from _left_out(left_out)
    yield "*: submitted now; strict: headline with unscored answers taken for wrong"
    yield f"report: {place / 'report.html'}"


def drop(snapshot: Asked, model: str) -> Iterator[str]:
    """Remove a submitted model and renew the leaderboard; gives lines for the terminal.

    Raises
    ------
    UserError
        No such model was submitted. All is as before then.
    """
    snapshot.check_whole()
    with renewed(snapshot.results) as folder:
        names = submitted_models(folder)
        if model not in names:
            fix = f"use one of: {', '.join(names)}" if names else "there is nothing to remove"
            raise UserError(f"--model {model}", "was not submitted", fix)
        remove(folder / model)
        left_out = rebuild(snapshot, folder)
    yield f"{snapshot.results / SUBMISSIONS}: without {model}"
    yield from _left_out(left_out)


def _left_out(names: Mapping[str, str]) -> Iterator[str]:
    for name, reason in names.items():
        yield f"left out: {name}: {reason}"
