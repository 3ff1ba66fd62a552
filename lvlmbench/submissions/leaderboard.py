"""One leaderboard with the snapshot's own models and all that were submitted."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from lvlmbench import tables
from lvlmbench.analysis.headlines import ANSWERS_FILE
from lvlmbench.config import Params
from lvlmbench.config.models import Answer, Model
from lvlmbench.core.files import atomic_bytes
from lvlmbench.snapshot.reader import AUDIT, Snapshot
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.submissions.place import FILES, RECORD, submitted_models


def _record(snapshot: Asked, scenarios: Sequence[str]) -> dict[str, object]:
    """What a submitted model's scores rest on: what is asked, and how answers are read."""
    params = snapshot.params
    how = params.score.model_dump(mode="json", exclude={"batch_size"})
    judges = params.judge.model_dump(mode="json", exclude={"exam"})
    asked = {scenario: snapshot.digest(scenario) for scenario in scenarios}
    return {"asked": asked, "score": how, "judge": judges, "schema": tables.SCHEMA_VERSION}


def write_record(snapshot: Asked, folder: Path, scenarios: Sequence[str]) -> None:
    """Note in a submitted model's folder what its scores rest on."""
    text = json.dumps(_record(snapshot, scenarios), indent=1, sort_keys=True) + "\n"
    atomic_bytes(folder / RECORD, text.encode())


def why_not(snapshot: Asked, folder: Path) -> str | None:
    """Why a submitted model cannot stand on the leaderboard now; None where it can."""
    if folder.name in {model.name for model in snapshot.params.answer.models}:
        return "a model of the snapshot itself has this name now; drop it with --remove"
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        scenarios = list(record["asked"])
    except (OSError, ValueError, TypeError, KeyError):
        scenarios, record = [], None
    known = set(scenarios) <= set(snapshot.params.scenarios.counted)
    if known and record == _record(snapshot, scenarios):
        return None
    return (
        "it was scored on other questions or images than those of the snapshot now, or its answers "
        "were read in another way; score them again, or drop it with --remove"
    )


def score(snapshot: Asked, folder: Path, scenarios: Sequence[str]) -> None:
    """Scores of a submitted model's answers, beside them, as the pipeline makes them."""
    from lvlmbench.stages.score import vectors
    from lvlmbench.stages.score.run import score_files

    for scenario in scenarios:
        score_files(
            snapshot.params,
            answers=sorted((folder / "answers" / scenario).glob("part-*.parquet")),
            questions=snapshot.parts(tables.QUESTIONS),
            scenes=snapshot.parts(tables.SCENES),
            images=snapshot.parts(tables.IMAGES, scenario=scenario),
            out=folder / "scores" / scenario / tables.part_name(0),
            cache=vectors.default_path(),
        )


def judge(snapshot: Asked, folder: Path, scenarios: Sequence[str]) -> None:
    """Have the judges of the parameters judge a submitted model's free answers, as in a run."""
    from lvlmbench.stages.judge.run import Files, Outs, judge_files

    params = with_models(snapshot.params, [folder.name])
    for each in params.judge.judges:
        for scenario in scenarios:
            files = Files(
                sorted((folder / "answers" / scenario).glob("part-*.parquet")),
                snapshot.parts(tables.QUESTIONS),
                snapshot.parts(tables.SCENES),
                snapshot.parts(tables.LAYOUTS),
                snapshot.parts(tables.TRUTH),
            )
            outs = Outs(
                *(folder / name / each.name / scenario / tables.part_name(0)
                  for name in Outs._fields)
            )  # fmt: skip
            judge_files(params, each.name, (folder.name, scenario), files, outs)


def with_models(params: Params, names: Sequence[str]) -> Params:
    """The parameters with these models after the others."""
    submitted = (Model(name=n, engine=ANSWERS_FILE) for n in names)  # type: ignore[call-arg]
    return params.model_copy(update={"answer": Answer(models=(*params.answer.models, *submitted))})


def rebuild(snapshot: Asked, folder: Path) -> dict[str, str]:
    """Write metrics, agreement, comparisons and report over all models into ``folder``.

    The consensus is the snapshot's own: submitted models drop no question.

    Returns
    -------
    dict
        Submitted models that were left out, each with the reason.

    Raises
    ------
    UserError
        A table of the snapshot is missing or damaged.
    """
    found = {name: why_not(snapshot, folder / name) for name in submitted_models(folder)}
    models = [name for name, reason in found.items() if reason is None]
    left_out = {name: reason for name, reason in found.items() if reason is not None}
    if not models:
        for name in FILES:
            (folder / name).unlink(missing_ok=True)
        return left_out
    params = with_models(snapshot.params, models)
    pairs = [(m.name, s) for m in snapshot.params.answer.models for s in params.scenarios.counted]
    shards = [tables.SCORES.shards(snapshot.data, model=m, scenario=s) for m, s in pairs]
    shards += [sorted((folder / name).glob("scores/*/part-*.parquet")) for name in models]
    scores = [path for found in shards for path in found]
    with tempfile.TemporaryDirectory(prefix="lvlmbench-") as temporary:
        both = Snapshot(params, Path(temporary, "data"), Path(temporary, "results"))
        _link(both, snapshot.data, {name: folder / name for name in models})
        _write_numbers(both, folder, scores)
        _report(snapshot, both, folder)
    return left_out


def _write_numbers(both: Snapshot, folder: Path, scores: Sequence[Path]) -> None:
    """Write what judges say of all models, metrics, agreement and comparisons."""
    from lvlmbench.config.identity import PROJECT_ROOT
    from lvlmbench.stages.dialogue.run import write_dialogue
    from lvlmbench.stages.hallucination.run import write_hallucination
    from lvlmbench.stages.metrics.agreement import write_agreement
    from lvlmbench.stages.metrics.comparisons import write_comparisons
    from lvlmbench.stages.metrics.metrics import write_costs, write_metrics
    from lvlmbench.stages.score import vectors

    params, labels = both.params, PROJECT_ROOT / both.params.labels.folder
    write_hallucination(params, both.data, labels, folder / "hallucination.parquet")
    write_dialogue(params, both.data, labels, folder / "dialogue.parquet")
    consensus, scenes, questions = map(
        both.parts, (tables.CONSENSUS, tables.SCENES, tables.QUESTIONS)
    )
    write_metrics(
        params,
        scores=scores,
        consensus=consensus,
        questions=questions,
        scenes=scenes,
        hallucination=folder / "hallucination.parquet",
        dialogue=folder / "dialogue.parquet",
        cache=vectors.default_path(),
        costs=write_costs(params, both.data, folder / "costs.parquet"),
        out_parquet=folder / "metrics.parquet",
        out_json=folder / "metrics.json",
    )
    out = folder / "agreement.parquet"
    write_agreement(params, scores=scores, consensus=consensus, questions=questions, out=out)
    out = folder / "comparisons.parquet"
    write_comparisons(
        params,
        scores=scores,
        consensus=consensus,
        questions=questions,
        scenes=scenes,
        out=out,
        data=both.data,
    )


def _report(snapshot: Asked, both: Snapshot, folder: Path) -> None:
    from lvlmbench.config.identity import PROJECT_ROOT
    from lvlmbench.stages.figures.figure import Sources
    from lvlmbench.stages.figures.run import draw
    from lvlmbench.stages.report import page
    from lvlmbench.stages.report.beside import Beside
    from lvlmbench.stages.report.illustrations import shown

    both.results.mkdir()
    for path in (*folder.glob("*.parquet"), snapshot.results / AUDIT):
        (both.results / path.name).symlink_to(path.resolve())
    published = PROJECT_ROOT / "data" / "published"
    measured = snapshot.results / "validity"
    validity = measured if measured.is_dir() else None  # older snapshots have none
    sources, figures = Sources(both, validity, published), both.results / "figures"
    for name in shown(both.params):
        draw(name, sources, figures)
    labels = PROJECT_ROOT / both.params.labels.folder
    html = page.render(both, Beside(figures, validity, None, published, labels=labels))
    atomic_bytes(folder / "report.html", html.encode())


#: Tables by model, and those by judge and model.
_BY_MODEL = ("answers", "scores")
_BY_JUDGE = ("claims", "matches", "judgements", "pairwise", "requests")


def _link(both: Snapshot, own: Path, submitted: Mapping[str, Path]) -> None:
    """Make a folder like the snapshot's ``data``, by links, with the submitted models' tables."""
    own = own.resolve()
    both.data.mkdir(parents=True)
    for path in own.iterdir():
        if path.name not in (*_BY_MODEL, *_BY_JUDGE):
            (both.data / path.name).symlink_to(path)
    places = [Path(table) for table in _BY_MODEL]
    judges = [judge.name for judge in both.params.judge.judges]
    places += [Path(table, judge) for table in _BY_JUDGE for judge in judges]
    for place in places:
        (both.data / place).mkdir(parents=True)
        found = {path.name: path for path in (own / place).glob("*")}
        found |= {name: path.resolve() / place for name, path in submitted.items()}
        for name, path in found.items():
            if path.is_dir():
                (both.data / place / name).symlink_to(path)
