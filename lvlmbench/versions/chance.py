"""How much two snapshots share by chance: the generator draws one of them anew, seed by seed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lvlmbench.config import Params, suite_of, validate_project
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import digest
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.snapshot.place import Place
from lvlmbench.suites.suite import suite_of as the_suite
from lvlmbench.versions.content import Scenes

#: A is drawn with so many seeds; fewer where that would be more than ``MOST_SCENES``.
SEEDS, FEWEST_SEEDS = 20, 2
MOST_SCENES = 20_000


def drawn(params: Params, vocabulary: Vocabulary) -> Scenes:
    """Draw the scenes of a parameter set."""
    return Scenes.of([the_suite(params).scenes(params, vocabulary, 0, params.corpus.n_scenes)])


def fresh(params: Params, vocabulary: Vocabulary) -> Iterator[Scenes]:
    """Draw them with other seeds, always the same ones."""
    seeds = max(FEWEST_SEEDS, min(SEEDS, MOST_SCENES // max(1, params.corpus.n_scenes)))
    for number in range(seeds):
        raw = digest("overlap", "chance", params.snapshot.seed, number, size=4)
        snapshot = params.snapshot.model_copy(update={"seed": int.from_bytes(raw, "little") >> 1})
        yield drawn(params.model_copy(update={"snapshot": snapshot}), vocabulary)


def shared_by_chance(params: Params, vocabulary: Vocabulary, b: Scenes) -> dict[str, float]:
    """Count at each level the scenes of ``b`` that a fresh A has, too: the mean over seeds."""
    found: dict[str, list[int]] = {level: [] for level in b.keys}
    for a in fresh(params, vocabulary):
        for level, keys in b.keys.items():
            found[level].append(int(np.count_nonzero((keys != 0) & np.isin(keys, a.keys[level]))))
    return {level: float(np.mean(counts)) for level, counts in found.items()}


def _drawn_from(view: Place) -> tuple[Params, Vocabulary]:
    """Parameters and vocabulary of a snapshot; the checkout's where it has no vocabulary.

    Raises
    ------
    UserError
        This version does not understand them.
    """
    source = f"{view.name}: params.yaml"
    params = suite_of(validate_project(view.params, source), view.suite, source)
    files = view.files(params.vocabulary.folder)
    if not files:
        return params, load_vocabulary(vocabulary_dir(params))
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            if path.endswith(".yaml"):
                Path(folder, Path(path).name).write_bytes(view.read(path))
        return params, load_vocabulary(Path(folder))


def chance_for(view: Place, a: Scenes, b: Scenes) -> tuple[dict[str, float], str]:
    """What ``b`` would share by chance with the snapshot of ``view``; else why that is not known.

    It is known where the generator makes the scenes that the snapshot has, ``a``.
    """
    try:
        params, vocabulary = _drawn_from(view)
        again = drawn(params, vocabulary)
        if not np.array_equal(np.sort(again.keys["content"]), np.sort(a.keys["content"])):
            return {}, f"{view.name}: its scenes are not from its params.yaml and vocabulary"
        return shared_by_chance(params, vocabulary, b), ""
    except UserError as error:
        return {}, str(error)
