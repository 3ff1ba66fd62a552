"""The floor that every table shows: a model that never looks.

A closed question gets an option drawn uniformly, named by its letter. A question for a short answer
gets a number, a color or a word, as it is worded. A free-form question gets a
sentence that names, for each aspect such a scene has, a label drawn from the vocabulary: what
a caption scores that has the right form and random content. Where it is about several things, it
names things, colors, places, sizes and people at random, in the usual numbers.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from lvlmbench.config import Params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.seeding import generator
from lvlmbench.scene.answers import wanted
from lvlmbench.scene.structured import Form
from lvlmbench.stages.answer.engine import MODELS, Item, Model, Reply, Weights, request_hash
from lvlmbench.stages.answer.looking.captions import Someone, Thing, filled, told
from lvlmbench.stages.answer.looking.topics import COLORS, topics
from lvlmbench.tables import TYPES

_NUMBERS = ("one", "two", "three")
#: The largest number that is guessed, where one is asked for.
_MOST = 9


class Chance:
    """Guesses; the guess depends on (snapshot seed, model name, question id) alone."""

    cached = False

    def __init__(self, params: Params, name: str) -> None:
        self._params, self._name = params, name
        self._labels: dict[str, tuple[str, ...]] | None = None

    @property
    def parameters(self) -> Mapping[str, object]:
        """The seed."""
        return {"seed": self._params.snapshot.seed}

    def request_sha256(self, item: Item) -> str:
        """Hash of everything the guess depends on."""
        return request_hash("chance", self._params.snapshot.seed, self._name, item.question_id)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """One guess an item. Takes no time worth recording, so that equal runs give equal bytes."""
        for item in items:
            rng = generator(self._params.snapshot.seed, f"answer/{self._name}", item.question_id)
            if item.options:
                text = f"({string.ascii_uppercase[int(rng.integers(len(item.options)))]})"
            elif TYPES[item.question_type].judged:
                text = self._short(item.question, rng)
            elif item.schema is not None:
                form = Form.of_schema(item.schema.text)
                text = filled(form, *self._several("color" in form.things, rng))
            elif asked := topics(item.question):
                text = told(asked, *self._several(COLORS in asked, rng))
            else:
                text = self._caption(item.subtask, rng)
            yield item, Reply(text=text, status="answered", finish_reason="stop", cost_usd=0.0)

    def _pools(self) -> dict[str, tuple[str, ...]]:
        """Labels by aspect, as the snapshot draws them."""
        if self._labels is None:
            from lvlmbench.scene.vocabulary import load_vocabulary

            vocabulary = load_vocabulary(vocabulary_dir(self._params))
            renderer = self._params.corpus.drawable_by
            self._labels = {
                name: tuple(entry.label for entry in full.for_renderer(renderer).entries)
                for name, full in vocabulary.lists.items()
            }
            self._labels |= {"number": _NUMBERS, "text": vocabulary.words}
        return self._labels

    def _several(
        self, colored: bool, rng: np.random.Generator
    ) -> tuple[list[Thing], list[Someone]]:
        from lvlmbench.scene.vocabulary import load_vocabulary
        from lvlmbench.scene.vocabulary.keys import THINGS
        from lvlmbench.stages.answer.looking.guessed import guessed

        lists = load_vocabulary(vocabulary_dir(self._params)).lists
        renderer = self._params.corpus.drawable_by
        return guessed(colored, {n: lists[n].for_renderer(renderer).entries for n in THINGS}, rng)

    def _short(self, question: str, rng: np.random.Generator) -> str:
        sort = wanted(question)
        if sort == "number":
            return str(1 + int(rng.integers(_MOST)))
        labels = self._pools()["color" if sort == "color" else "text"]
        return labels[int(rng.integers(len(labels)))]

    def _caption(self, subtask: str, rng: np.random.Generator) -> str:
        from lvlmbench.scene.subtasks import SETTING, SUBTASKS, foreground_lists

        recipe, lists = SUBTASKS[subtask], foreground_lists()
        if recipe.foregrounds:
            aspects = recipe.aspects(int(rng.integers(len(recipe.foregrounds))))
        else:  # several things, whatever they are
            things = [lists[int(rng.integers(len(lists)))] for _ in _NUMBERS]
            aspects = (*things, *SETTING)
        named = []
        for aspect in aspects:
            labels = self._pools().get(aspect, (aspect,))  # "person" stands for itself
            named.append(labels[int(rng.integers(len(labels)))])
        return f"The image shows {', '.join(named)}."


@MODELS.register(
    "chance",
    place=1,
    defaults={10: {"name": "chance", "engine": "chance"}},
    guesses=True,
    exactness=(Promise(Exactness.EVERYWHERE, "draws from the question's id"),),
)
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Engine ``chance``: needs no further parameters."""
    return Chance(params, model.name)
