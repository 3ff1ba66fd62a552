"""How far image sets are from each other (Dysca, section 4.4, figure 6)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.config.validity import Kmmd
from lvlmbench.core.decoding import pictures_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.distances.given import given_sets
from lvlmbench.stages.distances.kmmd import F64, kmmd
from lvlmbench.stages.distances.own import Own, own_sets
from lvlmbench.stages.distances.pictures import Pictures
from lvlmbench.stages.distances.styles import Styles
from lvlmbench.stages.validity.files import COLUMNS


class ImageEncoder(Protocol):
    """What is needed of :class:`lvlmbench.stages.reference.encoder.Encoder`."""

    threads: int

    def images(self, pictures: list[Image.Image]) -> NDArray[np.float64]:
        """Unit vectors, (n, d)."""
        ...


@dataclass(frozen=True)
class ImageSet:
    """A set before and after its images were embedded.

    Attributes
    ----------
    scenes
        Of a set of the snapshot: the scene of each vector.
    vectors
        (n, d), in the order in which they were drawn.
    skipped
        Images that were drawn and could not be decoded.
    """

    name: str
    label: str
    images: int
    own: Own | None
    scenes: list[str]
    vectors: F64
    skipped: int


class _Embedding:
    """Vectors of pictures, each computed once however many sets it is in."""

    def __init__(self, encoder: ImageEncoder, batch: int) -> None:
        self._encoder, self._batch = encoder, batch
        self._known: dict[tuple[int, int], NDArray[np.float64] | None] = {}

    def _fill(self, pictures: Pictures, numbers: list[int]) -> None:
        read = iter(pictures.read(numbers))
        while files := dict(islice(read, self._batch)):
            decoded = pictures_of(list(files.values()), self._encoder.threads)
            whole = {
                n: picture for n, picture in zip(files, decoded, strict=True) if picture is not None
            }
            rows = self._encoder.images(list(whole.values())) if whole else ()
            vectors = dict(zip(whole, rows, strict=True))
            self._known |= {(id(pictures), number): vectors.get(number) for number in files}

    def first(
        self, pictures: Pictures, order: Sequence[int], limit: int
    ) -> Iterator[tuple[int, NDArray[np.float64] | None]]:
        """Places in ``order`` and vectors, None for what cannot be decoded, until ``limit`` of
        them are vectors."""
        place = good = 0
        while good < limit and place < len(order):
            stop = min(len(order), place + limit - good)
            new = {n for n in order[place:stop] if (id(pictures), n) not in self._known}
            self._fill(pictures, sorted(new))
            for at in range(place, stop):
                vector = self._known[id(pictures), order[at]]
                good += vector is not None
                yield at, vector
            place = stop


def load_encoder(settings: Kmmd, weights: dict[str, Path]) -> ImageEncoder:
    """The encoder that the parameters name.

    Raises
    ------
    UserError
        Its weights cannot be had.
    """
    from lvlmbench.stages.reference.encoder import load_folder, load_open_clip
    from lvlmbench.stages.reference.folder import NAMES

    engine = str(settings.encoder)
    if engine in NAMES:
        if engine not in weights:
            raise UserError("--weights", f"hold no {engine}", "give the files of its folder")
        return load_folder(weights[engine])
    where = "validity.kmmd"
    return load_open_clip(engine, settings.pretrained, settings.device, where)


def embedded(
    params: Params, data: Path, folder: Path, styles: Styles, encoder: ImageEncoder | None
) -> list[ImageSet]:
    """All sets with the vectors of at most ``validity.kmmd.images`` images of each.

    Without an encoder they have none.

    Raises
    ------
    UserError
        A given set has the name of one of the snapshot's, or fewer than 2 images that can be
        decoded.
    """
    settings = params.validity.kmmd
    embedding = _Embedding(encoder, settings.batch_size) if encoder is not None else None
    found: list[ImageSet] = []

    def add(
        name: str, label: str, pictures: Pictures, order: list[int], own: Own | None
    ) -> ImageSet:
        good: list[int] = []
        vectors: list[NDArray[np.float64]] = []
        skipped = 0
        if embedding is not None:
            for at, vector in embedding.first(pictures, order, settings.images):
                if vector is None:
                    skipped += 1
                else:
                    good.append(at)
                    vectors.append(vector)
        scenes = list(own.rows) if own is not None else []
        made = ImageSet(
            name, label, len(order), own, [scenes[at] for at in good] if own else [],
            np.stack(vectors) if vectors else np.zeros((0, 0)), skipped,
        )  # fmt: skip
        found.append(made)
        if skipped:
            print(f"{name}: warning: {skipped} images cannot be decoded", file=sys.stderr)
        return made

    for own in own_sets(Snapshot(params, data), styles):
        add(own.name, own.label, own.pictures, list(own.rows.values()), own)
    names = {each.name for each in found}
    for given in given_sets(folder):
        where = f"{folder}: {given.name}"
        if given.name in names:
            raise UserError(where, "the snapshot has a set of this name", "rename yours")
        random = generator(params.snapshot.seed, "validity/sample", given.name)
        order = random.permutation(len(given.pictures)).tolist()
        made = add(given.name, given.name, given.pictures, order, None)
        if made.images < 2 or (embedding is not None and len(made.vectors) < 2):
            what = f"has {made.images} images, of which {made.skipped} cannot be decoded"
            raise UserError(where, what, "give a set of two images or more")
    return found


def _pair(a: ImageSet, b: ImageSet) -> tuple[F64, F64, bool] | None:
    """What of two sets is held against each other, and whether it is paired; None: nothing.

    A scene is never on both sides but as a pair: where a family is part of the clean images, it is
    held against the rest of them; two scenarios are compared on the scenes that both show.
    """
    if a.own is None or b.own is None or (a.own.family and b.own.family):
        return a.vectors, b.vectors, False
    if a.own.family or b.own.family:
        family, other = (a, b) if a.own.family else (b, a)
        assert other.own is not None
        if other.own.pictures is not family.own.pictures:  # type: ignore[union-attr]
            return None  # a part of the scenes against all of them in another guise
        inside = set(family.own.rows)  # type: ignore[union-attr]
        rest = [i for i, scene in enumerate(other.scenes) if scene not in inside]
        one, two = family.vectors, other.vectors[rest]
        return (one, two, False) if a.own.family else (two, one, False)
    at = {scene: i for i, scene in enumerate(b.scenes)}
    common = [(i, at[scene]) for i, scene in enumerate(a.scenes) if scene in at]
    rows = np.array(common, dtype=np.int64).reshape(-1, 2)
    return a.vectors[rows[:, 0]], b.vectors[rows[:, 1]], True


def distance_rows(params: Params, sets: Sequence[ImageSet]) -> pa.Table:
    """``distances.csv``: one row a pair of sets that can be compared, in the order of the sets."""
    rows: list[dict[str, Any]] = []
    for a, b in combinations(sets, 2):
        compared = _pair(a, b)
        if compared is None or min(len(compared[0]), len(compared[1])) < 2:
            continue
        random = generator(params.snapshot.seed, "validity/kmmd", f"{a.name}\n{b.name}")
        permutations = params.validity.kmmd.permutations
        found = kmmd(compared[0], compared[1], random, permutations, paired=compared[2])
        counts = {"n_a": len(compared[0]), "n_b": len(compared[1])}
        rows.append({"a": a.name, "b": b.name, **vars(found), **counts})
    return pa.Table.from_pylist(rows, COLUMNS["distances.csv"])


def set_rows(sets: Sequence[ImageSet]) -> pa.Table:
    """``image_sets.csv``: one row a set."""
    rows = [
        {
            "name": each.name, "label": each.label, "own": each.own is not None,
            "images": each.images, "used": len(each.vectors), "skipped": each.skipped,
        }
        for each in sets
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, COLUMNS["image_sets.csv"])
