"""From what judges say of pairs to the table ``dialogue``."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.analysis.dialogue.compared import Compared, Scores
from lvlmbench.analysis.dialogue.numbers import ALL, Number, common_items, numbers
from lvlmbench.analysis.dialogue.ranking import REFERENCE, strengths
from lvlmbench.analysis.hallucination.reading import judged_models
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.dialogue.agreeing import judges, with_people
from lvlmbench.suites.dialogue import Task
from lvlmbench.suites.suite import suite_of

Row = dict[str, Any]

_KEY = ("question_id", "image_id")
_JUDGEMENTS = (
    *(*_KEY, "scene_id", "subtask", "status"),
    *("true_claims", "wrong_claims", "invented"),
)
_PAIRWISE = (*_KEY, "status", *Scores._fields)


def write_dialogue(params: Params, data: Path, labels: Path, out: Path) -> None:
    """Write the table of a suite; it is empty where no task is of dialogue.

    Parameters
    ----------
    data
        Folder of the suite's tables.
    labels
        Folder of what people say; labels of pairs of answers may be there.

    Raises
    ------
    UserError
        A file is missing, damaged or of other answers.
    """
    found = tables.DIALOGUE.of(rows(Snapshot(params, data), labels))
    tables.write(found, out, tables.DIALOGUE, params_id(params))


def rows(snapshot: Snapshot, labels: Path) -> Iterator[Row]:
    """Yield the rows of the table: scenario by scenario those of each judge, then agreement."""
    params = snapshot.params
    tasks = suite_of(params).dialogue(params)
    clusters = snapshot.clusters if tasks else {}
    for scenario in params.scenarios.names if tasks else ():
        found: dict[str, dict[str, list[Compared]]] = {}
        for judge in params.judge.judges:
            names = {"judge": judge.name, "scenario": scenario}
            found[judge.name] = {
                model: compared(snapshot, tasks, {**names, "model": model})
                for model in judged_models(snapshot, judge.name, scenario)
            }
            yield from _judged(found[judge.name], tasks, names, params.snapshot.seed, clusters)
        yield from _agreed(snapshot, labels, found, tasks, scenario)


def compared(
    snapshot: Snapshot, tasks: Mapping[str, Task], names: Mapping[str, str]
) -> list[Compared]:
    """Return the answers of a model in a scenario to questions of dialogue, as a judge sees them.

    Parameters
    ----------
    names
        ``judge``, ``model`` and ``scenario``.

    Raises
    ------
    UserError
        A file is missing or damaged, or one of the answers was never compared.
    """
    pairs = snapshot.read(tables.PAIRWISE, _PAIRWISE, **names).to_pylist()
    judgements = snapshot.read(tables.JUDGEMENTS, _JUDGEMENTS, **names).to_pylist()
    try:
        return joined(judgements, pairs, tasks)
    except KeyError as missing:
        raise UserError(
            str(snapshot.folder(tables.PAIRWISE, **names)),
            f"has no pair of question {missing.args[0][0]}, which is among the judgements",
            "delete judgements and pairs and run the rule 'judge' again",
        ) from None


def joined(
    judgements: Iterable[Row], pairs: Iterable[Row], tasks: Container[str]
) -> list[Compared]:
    """Return the answers to questions of some tasks, by rows of both tables about them.

    Raises
    ------
    KeyError
        One of them has no pair.
    """
    by_item = {(row["question_id"], row["image_id"]): row for row in pairs}
    found = []
    for row in judgements:
        if row["subtask"] not in tasks:
            continue
        item = row["question_id"], row["image_id"]
        pair = by_item[item]
        judged = pair["status"] == "judged"
        scores = Scores(*(pair[name] for name in Scores._fields)) if judged else None
        claims = row.get("true_claims"), row.get("wrong_claims")
        about = row["scene_id"], row["subtask"]
        found.append(Compared(item, *about, scores, row["invented"], *claims))
    return found


def _judged(
    models: Mapping[str, list[Compared]],
    tasks: Mapping[str, Task],
    names: Mapping[str, str],
    seed: int,
    clusters: Mapping[str, str],
) -> Iterator[Row]:
    """Numbers of each model in a scenario as a judge sees them, then how strong models are."""
    abilities = {name: task.ability for name, task in tasks.items()}
    rated = {name for name, task in tasks.items() if task.rated}
    common = common_items(models.values())
    for model, answers in models.items():
        for number in numbers(answers, abilities, rated, common, clusters):
            yield {**names, "model": model, "beside": ALL, **number._asdict()}
    rng = generator(seed, "dialogue", f"{names['judge']}/{names['scenario']}")
    for model, each in strengths(models, rng).items():
        mine = [a for m, answers in models.items() if model in (m, REFERENCE) for a in answers]
        unjudged = sum(answer.scores is None for answer in mine)
        for measure, found in (("strength", each.strength), ("rank", each.rank)):
            number = Number(ALL, measure, *found, each.n, len(mine), unjudged)
            yield {**names, "model": model, "beside": ALL, **number._asdict()}


def _agreed(
    snapshot: Snapshot,
    labels: Path,
    found: Mapping[str, Mapping[str, list[Compared]]],
    tasks: Mapping[str, Task],
    scenario: str,
) -> Iterator[Row]:
    """How far judges agree in a scenario, and in the clean one with people, over all models."""
    seed = snapshot.params.snapshot.seed
    abilities = {name: task.ability for name, task in tasks.items()}
    agreed = [*judges(found, abilities, seed)]
    if scenario == CLEAN:
        agreed += with_people(snapshot, labels, found, abilities, seed)
    for judge, beside, number in agreed:
        yield {
            **{"judge": judge, "model": ALL, "scenario": scenario, "beside": beside},
            **number._asdict(),
        }
