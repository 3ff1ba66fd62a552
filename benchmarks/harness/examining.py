"""Exams for benchmarks: parameters of their own, pictures that are drawn once, questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks.harness.composing import kin_of, vocabulary_of
from benchmarks.harness.guesser import Kin, Question, words
from lvlmbench.config import Params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.core.files import atomic_bytes
from lvlmbench.scene.subtasks import subtasks_of
from lvlmbench.scene.world import Facts
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.suites.autodavis.catalogue import chosen
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.autodavis.settings import Examining
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import LAYOUTS, SCENES

Row = dict[str, Any]

KIND = "autodavis"
#: Aspects of a request, times levels.
_ROUND = 24 * 3
#: Scenes that are drawn before they are written down.
_PIECE = 60


def parameters(
    seed: int, rounds: int = 1, only: Sequence[str] = (), size: int = 512, habit: bool = False
) -> Params:
    """Return parameters of an exam: so many pictures of each aspect and level, or of these."""
    whole = _params(seed, size, {"scenes_per_subtask": _ROUND})
    levels = len(whole.corpus.own(Examining).asked)
    scenes = {
        request: levels * rounds * sum(not only or each.fine.name in only for each in aspects)
        for request, aspects in chosen(whole, "params.yaml").items()
    }
    scenes = {request: n for request, n in scenes.items() if n}
    asked_of = {"subtasks": [*scenes], "scenes": scenes, KIND: {"only": [*only], "habit": habit}}
    return _params(seed, size, asked_of)


def chain_parameters(request: str, level: str, aspects: int, pictures: int, size: int) -> Params:
    """Return parameters of the first aspects of a request at one level, with so many pictures of
    each, one planned after the other.

    Raises
    ------
    UserError
        The request has fewer aspects that rules plan, or there is no such level.
    """
    own = chosen(_params(1, size, {"scenes_per_subtask": _ROUND}), "params.yaml")
    names = [each.fine.name for each in own.get(request, ()) if each.fine.family is not None]
    if aspects > len(names):
        fix = f"use at most {len(names)} aspects, of one of: {', '.join(own)}"
        raise UserError("--request", f"'{request}' has {len(names)} aspects", fix)
    only = {"only": names[:aspects], "at": [level]}
    corpus = {"subtasks": [request], "scenes_per_subtask": aspects * pictures, KIND: only}
    return _params(1, size, corpus)


def _params(seed: int, size: int, corpus: Row) -> Params:
    given: Row = {
        "suite": KIND, "kind": KIND, "snapshot": {"seed": seed}, "render": {"size": size},
        "corpus": {"drawable_by": "pictograph", "subtasks": [*subtasks_of(KIND)], **corpus},
    }  # fmt: skip
    return validate(given)


class Kept:
    """Scenes that were drawn, with what each picture shows where, in a file or in memory alone."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, tuple[Row, list[Row]]] = {}
        if path is not None and path.exists():
            for line in path.read_text().splitlines():
                scene, layout = json.loads(line)
                self._known[scene["scene_id"]] = scene, layout

    def layouts(self, params: Params, scenes: pa.Table) -> pa.Table:
        """Return the layouts of scenes; what is not known, or was planned otherwise, is drawn."""
        rows = scenes.to_pylist()
        lacking = [row for row in rows if self._known.get(row["scene_id"], ({},))[0] != _plan(row)]
        vocabulary = vocabulary_of(params)
        renderer = make_renderer(params, vocabulary) if lacking else None
        for start in range(0, len(lacking), _PIECE):
            piece = lacking[start : start + _PIECE]
            table = pa.Table.from_pylist(piece, SCENES.schema)
            *_, found = render_shard(params, vocabulary, table, renderer)
            drawn: dict[str, list[Row]] = {row["scene_id"]: [] for row in piece}
            for row in found.to_pylist():
                drawn[row["scene_id"]].append(row)
            self._known |= {row["scene_id"]: (_plan(row), drawn[row["scene_id"]]) for row in piece}
            self._write()
        return LAYOUTS.of([each for row in rows for each in self._known[row["scene_id"]][1]])

    def _write(self) -> None:
        if self._path is not None:
            lines = (f"{json.dumps(each)}\n" for each in self._known.values())
            atomic_bytes(self._path, "".join(lines).encode())


def _plan(scene: Row) -> Row:
    """A scene without its place among others, which says nothing of its picture."""
    return {name: value for name, value in scene.items() if name != "ordinal"}


def asked(params: Params, kept: Kept) -> Iterator[Row]:
    """Yield the questions of an exam, with the ``aspect`` and ``family`` of each."""
    suite, vocabulary = suite_of(params), vocabulary_of(params)
    planner = Planner(params, vocabulary)
    scenes = suite.scenes(params, vocabulary, 0, params.corpus.n_scenes)
    fine = {
        row["scene_id"]: planner.item(row["subtask"], row["ordinal"]).aspect.fine
        for row in scenes.to_pylist()
    }
    layouts = kept.layouts(params, scenes)
    for row in suite.questions(params, vocabulary, scenes, layouts).to_pylist():
        of = fine[row["scene_id"]]
        yield row | {"aspect": of.name, "family": of.family}


def planned(params: Params) -> int:
    """Return how many pictures of an exam an embedded family asks about."""
    vocabulary = vocabulary_of(params)
    found = suite_of(params).described(params, vocabulary, 0, params.corpus.n_scenes)
    return sum(family is not None for family in found["family"].to_pylist())


class Knowing(Kin):
    """What anybody knows of things: also what they are for, where they belong, and so on.

    Parameters
    ----------
    kin
        Which things look alike, are of one sort, and how large they are.
    facts
        Property -> label -> what is so.
    """

    def __init__(self, kin: Kin, facts: Facts) -> None:
        self._kin, self._facts = kin, facts

    def features(self, question: Question) -> list[list[str]]:
        """Return those of the kin, and what is known of each option, beside what is asked."""
        asked = sorted({*words(question["question"])})
        found = self._kin.features(question)
        for at, option in enumerate(question["options"]):
            label = re.sub(r"^(the|an?) ", "", option.lower())
            own = [f"{name}={of[label]}" for name, of in self._facts.items() if label in of]
            found[at] += [*own, *(f"{word}>{fact}" for word in asked for fact in own)]
        return found


def knowledge(params: Params) -> Knowing:
    """Return what a guesser may know of the things of an exam."""
    planner = Planner(params, vocabulary_of(params))
    return Knowing(kin_of(planner), planner.facts)
