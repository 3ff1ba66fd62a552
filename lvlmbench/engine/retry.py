"""Having failed questions asked again.

A finished stage is up to date even where some of its answers are failures, so nothing would run.
Here the seals of such stages go, and with them what was built of them and from them: a build
folder's name says what its files are made from, and answers that come anew are not in it. The next
run finds those stages not made yet. What was answered is in the answer cache; the rest is asked.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.core.errors import UserError, meant_or
from lvlmbench.core.files import atomic_bytes
from lvlmbench.engine.builds import BUILDS, STATE, read_plan, remove
from lvlmbench.engine.process import RUN_LOCK, take_lock
from lvlmbench.engine.seals import Seal, read_seal
from lvlmbench.engine.stages import SEALS
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import FINAL_STATUSES
from lvlmbench.stages.answer.requests.cache import answered_mark, default_path, may_hold

_ANSWER = "answer/"
#: Why the answers had failed that were to be asked again.
_RETRIED = f"{STATE}/retried.json"
#: What names an answer of a model of a suite.
_KEY = ("scenario", "question_id", "image_id")
#: Place of who is asked in the name of a stage that asks: answer/SUITE/MODEL/SCENARIO,
#: judge/SUITE/JUDGE/MODEL/SCENARIO, examiner/SUITE/EXAMINER, planner/SUITE/PLANNER,
#: check/SUITE/VALIDATOR. Pictures of a suite, render/SUITE, are drawn and looked at by several.
_MODEL = 2
#: Stage that asks -> the tables that it makes with what became of it, and their columns of it.
_TOLD: dict[str, dict[str, list[str]]] = {
    "answer": {"answers": ["status"]},
    "judge": {"judgements": ["status"], "pairwise": ["status"]},
    "planner": {"planned_aspects": ["status"], "planned_descriptions": ["status"]},
    "examiner": {"proposals": ["status", "adjustments"]},
    "check": {"check_answers": ["status"]},
    "render": {
        name: ["scene_id", "attempt", "status"] for name in ("attempt_checks", "image_requests")
    },
}
#: Statuses after which the next run asks again: of answers, and of pictures.
_FAILED = {*tables.STATUSES, *tables.PICTURED_AS} - FINAL_STATUSES - {"made"}


def _who(name: str) -> str:
    """Who is asked in a stage; the stage's own name where several are."""
    parts = name.split("/")
    return parts[_MODEL] if len(parts) > _MODEL else parts[0]


def _counted(stage: str, folders: Iterable[Path], counts: Collection[str]) -> int:
    """Rows of what a stage has made that have a status that counts; of several attempts at a scene
    the last one alone."""
    told, found = _TOLD[stage.partition("/")[0]], 0
    for folder in folders:
        columns = next((told[part] for part in folder.parts if part in told), None)
        for file in sorted(folder.glob("part-*.parquet")) if columns else ():
            with tables.open_shard(file) as shard:
                rows = shard.read(columns=columns).to_pylist()
            last = {row["scene_id"]: row["attempt"] for row in rows if "attempt" in row}
            rows = [row for row in rows if row.get("attempt") == last.get(row.get("scene_id"))]
            found += sum(any(one in counts for one in _statuses(row)) for row in rows)
    return found


def _statuses(row: Mapping[str, Any]) -> list[str]:
    return [row["status"], *(row.get("adjustments") or ())]


def outcomes(folders: Iterable[Path]) -> tuple[int, dict[str, str]]:
    """Return how many answers below folders came, be they cut off or refused, and why the others
    failed, by suite, scenario, question and picture; what cannot be read is left out.
    """
    came, why = 0, dict[str, str]()
    for file in (part for folder in folders for part in sorted(folder.glob("part-*.parquet"))):
        try:
            with tables.open_shard(file) as shard:
                rows = shard.read(columns=[*_KEY, "status", "error"])
        except UserError:
            continue
        for row in rows.to_pylist():
            if row["status"] in _FAILED:
                suite = file.parts[-5]  # .../SUITE/answers/MODEL/SCENARIO/FILE
                why["/".join([suite, *(row[name] or "" for name in _KEY)])] = (
                    row["error"] or row["status"]
                )
            else:
                came += 1
    return came, why


def may_have_answered(endpoint: Endpoint) -> bool:
    """Return whether a server may have answered as a model before, whatever it calls itself.

    Where none has left a mark, as where an older version kept them, answers may be of any server.
    """
    mark = answered_mark(endpoint.base_url, endpoint.model)
    if mark.parent.is_dir():
        return mark.exists()
    return may_hold(default_path(), endpoint.model)


def asked_again(root: Path) -> dict[str, dict[str, str]]:
    """Return why answers had failed that :func:`forget_failures` was to have asked again, below
    ``root``, by model, and by what :func:`outcomes` names them.
    """
    try:
        found = json.loads((root / _RETRIED).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _note(failed: Mapping[str, Iterable[Path]]) -> None:
    """Leave why the answers of items failed."""
    found: dict[str, dict[str, str]] = {}
    for name, folders in failed.items():
        found.setdefault(_who(name), {}).update(outcomes(folders)[1])
    atomic_bytes(Path(_RETRIED), json.dumps({**asked_again(Path()), **found}).encode())


def _seals() -> dict[str, Seal]:
    """The seals of published stages by name."""
    found = {}
    for path in sorted(Path(SEALS).rglob("*.json")):
        if (seal := read_seal(path)) is not None:
            found[str(path.relative_to(SEALS).with_suffix(""))] = seal
    return found


def _builds() -> list[tuple[Path, str, Seal]]:
    """Build folders with their stages and the seals to be."""
    found = []
    for build in sorted(Path(BUILDS).glob("*")):
        try:
            plan = read_plan(build)
        except UserError:  # nothing that a run would take
            continue
        found.append((build, str(plan["stage"]), plan["seal"]))
    return found


def _made_from(outs: set[str], seals: Iterable[Seal]) -> set[str]:
    """``outs`` and all that is made from them, at whatever remove."""
    found, known = set(outs), list(seals)
    while new := {o for s in known if found & set(s["inputs"]) for o in s["outs"]} - found:
        found |= new
    return found


def _asked(
    seals: dict[str, Seal],
    builds: list[tuple[Path, str, Seal]],
    model: str | None,
    stages: Collection[str],
    published: Mapping[str, Path] | None = None,
) -> dict[str, list[Path]]:
    """Folders of what stages that ask have made, by stage, of one model or of all; of what is
    ``published`` also where there is no seal.

    Raises
    ------
    UserError
        There are none of such a model.
    """
    folders = {n: [Path(out) for out in seals[n]["outs"]] for n in seals}
    for build, name, seal in builds:
        if name not in seals:  # of a run that has not ended
            folders.setdefault(name, []).extend(build / out for out in seal["outs"])
    folders = {n: [folder] for n, folder in (published or {}).items()} | folders
    folders = {n: found for n, found in folders.items() if n.partition("/")[0] in stages}
    there = (n for n, found in folders.items() if any(any(f.glob("*.parquet")) for f in found))
    models = sorted({_who(name) for name in there if name.count("/") >= _MODEL})
    if model is not None and model not in models and model in asked_again(Path()):
        what = "what failed of it is to be asked again already"
        raise UserError(f"model '{model}'", what, "run the same command as before: 'make report'")
    if model is not None and model not in models:
        fix = meant_or(model, models) if models else "run the pipeline first"
        raise UserError(f"model '{model}'", "has no answers here", fix)
    return {n: found for n, found in folders.items() if model in (None, _who(n))}


def _answers() -> dict[str, Path]:
    """Folders of published answers by their stage, also of those that are to be made again."""
    found = sorted(Path(tables.DATA).glob("*/answers/*/*"))
    return {f"{_ANSWER}{each.parts[1]}/{each.parts[3]}/{each.name}": each for each in found}


def truncated(model: str | None = None) -> dict[str, int]:
    """Model -> how many of its answers in this directory were cut off, where any was.

    Raises
    ------
    UserError
        There are no answers of such a model.
    """
    found: dict[str, int] = {}
    for name, folders in _asked(_seals(), _builds(), model, ["answer"], _answers()).items():
        count = _counted(name, folders, ["truncated"])
        if count:
            key = _who(name)
            found[key] = found.get(key, 0) + count
    return found


def forget_failures(model: str | None = None) -> dict[str, int]:
    """Have the next run in this directory ask the questions again that have failed.

    Parameters
    ----------
    model
        Name of the one model, judge, examiner, planner or validator to look at; None: all.

    Returns
    -------
    dict
        ``"SUITE/MODEL/SCENARIO"`` -> how many questions have failed, where any has; of who is
        asked in another stage the same of its item, e.g. ``"examiner/SUITE/EXAMINER"``. What was
        not asked as it hangs on a failure counts, too.

    Raises
    ------
    UserError
        A run is under way here, or there are no answers of such a model.
    """
    lock = take_lock(RUN_LOCK)
    try:
        seals, builds = _seals(), _builds()
        folders = _asked(seals, builds, model, _TOLD)
        counts = {n: _counted(n, found, _FAILED) for n, found in folders.items()}
        failed = {n: count for n, count in counts.items() if count}
        if of_models := {n: folders[n] for n in failed if n.startswith(_ANSWER)}:
            _note(of_models)
        outs = {out for b, n, s in builds if n in failed for out in s["outs"]}
        outs |= {out for n, s in seals.items() if n in failed for out in s["outs"]}
        gone = _made_from(outs, [*seals.values(), *(seal for _, _, seal in builds)])
        for name in failed:
            remove(Path(SEALS, f"{name}.json"))
        for build, _, seal in builds:
            if gone & set(seal["outs"]):
                remove(build)
    finally:
        os.close(lock)
    return {name.removeprefix(_ANSWER): count for name, count in failed.items()}
