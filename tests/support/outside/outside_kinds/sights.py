"""The suite ``sights``: what there is to see, asked twice a scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.core.seeding import generator, item_id, seed_of
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Graph, Object, Setting, flat
from lvlmbench.suites.suite import SUITES, Suite
from lvlmbench.tables import QUESTIONS, SCENES

if TYPE_CHECKING:
    from lvlmbench.config import Params
    from lvlmbench.scene.vocabulary import Vocabulary

LIST, NO_YES = "vehicle", ("no", "yes")


class Sightseeing(Section):
    """What there is to see."""

    asks_for: str = Field("canoe", description="Label that statements claim to be there.")


@SUITES.register("sights", settings=Sightseeing)
class Sights(Suite):
    """One vehicle a scene: which it is, and whether it is a certain one."""

    def scenes(self, params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
        """Return the scenes of a range."""
        rows = [self._scene(params, vocabulary, ordinal) for ordinal in range(start, stop)]
        graphs = pa.Table.from_pylist(rows, SCENES.schema)
        columns = {name: graphs[name] for name in SCENES.names} | flat(graphs)
        return pa.table(columns, schema=SCENES.schema)

    def _scene(self, params: Params, vocabulary: Vocabulary, ordinal: int) -> dict[str, Any]:
        seed = params.snapshot.seed
        scene_id = item_id(seed, "sights", ordinal)
        rng = generator(seed, "sights", scene_id)

        def drawn(name: str) -> str:
            entries = vocabulary.lists[name].for_renderer(params.corpus.drawable_by).entries
            clear = [entry.label for entry in entries if not entry.hidden]
            return clear[int(rng.integers(len(clear)))]

        thing = Object(id="o1", list=LIST, label=drawn(LIST))
        setting = Setting(background=drawn("background"), style=drawn("style"))
        return {
            "scene_id": scene_id,
            "subtask": LIST,
            "ordinal": ordinal,
            "prompt": thing.label,
            "negative_prompt": "",
            "caption": f"A sight: {thing.label}.",
            "seed": seed_of(seed, "sights", scene_id),
            **Graph((thing,), setting=setting).row(),
        }

    def questions(
        self, params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
    ) -> pa.Table:
        """Return two questions a scene."""
        labels = sorted(entry.label for entry in vocabulary.lists[LIST].entries)
        rows, claim = [], params.corpus.own(Sightseeing).asks_for
        for scene in scenes.to_pylist():
            shown = Graph.of(scene).main.label
            right = NO_YES[shown == claim]
            rows += [
                _row(scene, "multiple_choice", "What is there to see?", labels, shown),
                _row(scene, "true_false", f"There is a {claim}.", NO_YES, right, claim),
            ]
        return pa.Table.from_pylist(rows, QUESTIONS.schema)

    def prompt(
        self, params: Params, question_type: str, question: str, options: Sequence[str]
    ) -> str:
        """Return what a model is sent."""
        lines = [f"({'ABCDEFGH'[at]}) {option}" for at, option in enumerate(options)]
        return "\n".join(["Sights!", question, *lines])


def _row(
    scene: dict[str, Any],
    question_type: str,
    question: str,
    options: Sequence[str],
    answer: str,
    claim: str | None = None,
) -> dict[str, Any]:
    key = Key(LIST, question_type)
    return {
        "question_id": key.question_id(scene["scene_id"]),
        "scene_id": scene["scene_id"],
        "subtask": LIST,
        "granularity": "fine",
        "question_type": question_type,
        "question": question,
        "options": list(options),
        "answer": answer,
        "answer_index": options.index(answer),
        "chance": 1 / len(options),
        "claim": claim,
        "key": str(key),
    }
