"""What judges say of answers beside their references in the browser: both orders, with reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.hallucination.reading import judged_models
from lvlmbench.snapshot.reader import Snapshot

#: Characters kept of a judge's reasons, and of why there is no score.
_REASONS, _WHY = 1500, 300
_SCORES = ("as_first", "reference_second", "as_second", "reference_first")
_COLUMNS = ["question_id", "status", "why", "reasons", "reasons_swapped", *_SCORES]

#: (judge, model, scenario, question).
Key: TypeAlias = tuple[str, str, str, str]


class Pairs:
    """What judges say of the answers to some questions.

    Parameters
    ----------
    questions
        Their ids.
    names
        Scenarios that are shown.
    models
        Whose answers are shown.

    Attributes
    ----------
    judges
        Names of the judges that have compared one of the answers.
    questions
        Ids of the questions to which an answer was compared.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        questions: Collection[str],
        names: Sequence[str],
        models: Sequence[str],
    ) -> None:
        self._rows: dict[Key, dict[str, Any]] = {}
        wanted = pa.array(sorted(questions), pa.string())
        for judge in snapshot.params.judge.judges:
            for scenario in names:
                known = judged_models(snapshot, judge.name, scenario)
                for model in (each for each in models if each in known):
                    where = {"judge": judge.name, "model": model, "scenario": scenario}
                    for row in _read(snapshot, wanted, where):
                        self._rows[judge.name, model, scenario, row["question_id"]] = row
        self.judges = list(dict.fromkeys(judge for judge, *_ in self._rows))
        self.questions = {question for *_, question in self._rows}

    def of(
        self, model: str, scenario: str, question: str, judges: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Return what each judge says of an answer; templates/browser_pairs.js tells the keys.

        Parameters
        ----------
        judges
            Those that are told by their place in this list.
        """
        out = []
        for place, judge in enumerate(judges):
            row = self._rows.get((judge, model, scenario, question))
            if row is not None and row["status"] != "unanswered":
                out.append({"j": place, **_told(row)})
        return out


def _read(snapshot: Snapshot, wanted: pa.Array, where: dict[str, str]) -> Iterable[dict[str, Any]]:
    for shard in snapshot.shards(tables.PAIRWISE, _COLUMNS, **where):
        yield from shard.filter(pc.is_in(shard["question_id"], value_set=wanted)).to_pylist()


def _told(row: dict[str, Any]) -> dict[str, Any]:
    scores = [row[name] for name in _SCORES]
    reasons = [(row[name] or "")[:_REASONS] for name in ("reasons", "reasons_swapped")]
    told = {"reasons": reasons} if any(reasons) else {}
    if None in scores:
        return {**told, "status": row["status"], "why": (row["why"] or "")[:_WHY]}
    return {**told, "scores": scores}
