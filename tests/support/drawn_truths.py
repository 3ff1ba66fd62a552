"""Scenes at random, as a renderer might have drawn and measured them, and what they show."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from lvlmbench.core.seeding import generator
from lvlmbench.scene.claims import Truth
from lvlmbench.scene.figures.people import person_of
from lvlmbench.scene.figures.sampling import sample
from lvlmbench.scene.graph import Graph, Object, Relation, Setting
from lvlmbench.scene.lists import COUNTABLE, PERSON
from lvlmbench.scene.truth import truth_of
from support.planted_truth import SIDE, Row, drawn, vocabulary

RENDERER = "pictograph"

#: Where things stand, so that left and right, above and below are clear; sizes that are, too.
_PLACES = ((200, 250), (500, 700), (800, 300), (220, 760), (790, 790))
_SIZES = (300, 220, 160, 110, 75)


def drawn_truths(number: int, seed: int) -> dict[str, Truth]:
    """What so many scenes show, by name."""
    return {f"scene{at:05d}": drawn_truth(seed, at) for at in range(number)}


def drawn_truth(seed: int, number: int) -> Truth:
    """What one scene shows: of things with colors and numbers, of people, or of sizes."""
    rng = generator(seed, "drawn_truths", str(number))
    kind = ("things", "people", "sizes", "signs")[number % 4]
    if kind == "people":
        objects, rows = _people(rng)
    elif kind == "signs":
        objects, rows = _signs(rng)
    else:
        objects, rows = _things(rng, kind == "sizes")
    relations = ()
    if kind == "sizes":
        relations = tuple(Relation(one.id, "larger", other.id) for one, other in pairwise(objects))
    elif kind == "things":
        relations = (Relation("o1", "left_of", "o3"),)
    graph = Graph(tuple(objects), relations, _setting(rng))
    return truth_of(graph, rows, SIDE, vocabulary(), renderer=RENDERER)


def _setting(rng: np.random.Generator) -> Setting:
    entries = vocabulary().lists["background"].for_renderer(RENDERER).entries
    background = entries[int(rng.integers(len(entries)))].label if rng.integers(2) else None
    return Setting(background, "flat illustration")


def _things(rng: np.random.Generator, sizes: bool) -> tuple[list[Object], list[Row]]:
    lists = vocabulary().lists
    entries = {
        entry.label: (name, entry)
        for name in COUNTABLE
        for entry in lists[name].for_renderer(RENDERER).entries
        if entry.article in ("a", "an")
    }
    labels = sorted(entries)
    colors = [entry.label for entry in lists["color"].entries[:8]]
    objects: list[Object] = []
    rows: list[Row] = []
    taken: set[str] = set()
    while len(objects) < (4 if sizes else 3):
        label = labels[int(rng.integers(len(labels)))]
        name, entry = entries[label]
        if entry.group.partition("/")[0] in taken or label in taken:
            continue
        taken |= {entry.group.partition("/")[0], label}
        at = len(objects)
        color = colors[int(rng.integers(len(colors)))] if entry.fills else None
        count = None if sizes else int(rng.integers(1, 4))
        objects.append(Object(f"o{at + 1}", name, label, color=color, count=count, span=200))
        x, y = _PLACES[at]
        size = _SIZES[at] if sizes else 90
        for copy in range(count or 1):
            row = drawn(len(rows), f"o{at + 1}", (x, y + 100 * (copy - 1)), size)
            rows.append({**row, "copy": copy})
    return objects, rows


def _people(rng: np.random.Generator) -> tuple[list[Object], list[Row]]:
    objects = [
        Object(f"o{at}", PERSON, PERSON, person=person_of(sample(rng)), span=400) for at in (1, 2)
    ]
    return objects, [drawn(0, "o1", (280, 500), 400), drawn(1, "o2", (750, 500), 380)]


def _signs(rng: np.random.Generator) -> tuple[list[Object], list[Row]]:
    words = ("spring", "harbor", "orchid", "seven", "cinema", "garden", "bakery", "museum")
    carriers = ("billboard", "license plate", "road sign", "wooden sign")
    first, second = (int(at) for at in rng.choice(len(carriers), 2, replace=False))
    texts = [words[int(at)] for at in rng.choice(len(words), 2, replace=False)]
    objects = [
        Object("o1", "carrier", carriers[first], text=texts[0], span=300),
        Object("o2", "carrier", carriers[second], text=texts[1], span=300),
    ]
    return objects, [drawn(0, "o1", (260, 300), 300), drawn(1, "o2", (740, 700), 280)]
