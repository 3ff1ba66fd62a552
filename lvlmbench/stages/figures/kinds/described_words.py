"""Words that descriptions are about: by level, and on a map (AutoDavis, figures 7 and 9 to 11)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lvlmbench.analysis.labels import plain
from lvlmbench.core.untrusted import plain_text
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.exams import Row, described, levels_in
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.score.encoder import SentenceEncoder

if TYPE_CHECKING:
    from matplotlib.axes import Axes

F64: TypeAlias = npt.NDArray[np.float64]

#: Words of a level that are drawn; panels side by side; longest word in characters.
_MOST, _ACROSS, _LONGEST = 15, 3, 24
_TOPIC, _KEY = plotting.MODELS[0], "#a9cbe6"
#: Digits of coordinates: below, sums differ by processor.
_DIGITS = 3
#: Words that are named on the map, and the height of their letters in points.
_NAMED, _SIZE = 90, 6.6


@figure(
    "level_words",
    "The commonest topic words and key words of descriptions, by level",
    "AutoDavis, figures 9 to 11",
)
def level_words(sources: Sources) -> Drawn:
    """Topic words and key words of descriptions, by level (AutoDavis, figures 9 to 11)."""
    rows = described(sources.snapshot)
    levels = levels_in(rows)
    found = {level: _counted([row for row in rows if row["level"] == level]) for level in levels}
    across = min(len(levels), _ACROSS)
    down = -(-len(levels) // across)
    deepest = max(min(len(words), _MOST) for words in found.values())
    from matplotlib.figure import Figure

    made = Figure(figsize=(2.55 * across + 0.4, (0.75 + 0.17 * deepest) * down + 0.35),
                  layout="constrained")  # fmt: skip
    axes = made.subplots(down, across, squeeze=False, sharex=True).flat
    for ax, level in zip(axes, levels, strict=False):
        n = sum(row["level"] == level for row in rows)
        _bars(ax, f"{plain(level)}, n {n:,}", found[level], deepest)
    for ax in list(axes)[len(levels) :]:
        ax.set_axis_off()
    from matplotlib.patches import Patch

    handles = [Patch(color=_TOPIC, lw=0, label="descriptions with it as topic word"),
               Patch(color=_KEY, lw=0, label="as key word")]  # fmt: skip
    made.legend(handles=handles, loc="outside upper left", ncols=2)
    table = {name: pa.string() for name in ("level", "word")}
    counts = {name: pa.int64() for name in ("topic", "key", "descriptions")}
    listed = [
        {"level": level, "word": plain_text(word), "topic": topic, "key": key,
         "descriptions": sum(row["level"] == level for row in rows)}
        for level in levels for word, topic, key in found[level]
    ]  # fmt: skip
    return Drawn(made, pa.Table.from_pylist(listed, pa.schema([*(table | counts).items()])))


def _counted(rows: Sequence[Row]) -> list[tuple[str, int, int]]:
    """Words with how many descriptions have them as topic word and as key word, common ones first;
    the topic word of one with no other counts once."""
    topics = Counter(row["topic_word"] for row in rows)
    keys = Counter(w for row in rows for w in {*row["key_words"]} - {row["topic_word"]})
    names = sorted({*topics, *keys}, key=lambda w: (-topics[w] - keys[w], -topics[w], w))
    return [(word, topics[word], keys[word]) for word in names]


def _bars(ax: Axes, title: str, words: Sequence[tuple[str, int, int]], deepest: int) -> None:
    from matplotlib.ticker import MaxNLocator

    shown = words[:_MOST]
    for y, (_, topic, key) in enumerate(shown):
        ax.barh(y, topic, height=0.7, color=_TOPIC, lw=0)
        ax.barh(y, key, left=topic, height=0.7, color=_KEY, lw=0)
    names = heat.short([word for word, _, _ in shown], _LONGEST)
    ax.set_yticks(range(len(shown)), names, fontsize=7.2)
    ax.set_ylim(min(deepest, _MOST) - 0.4, -0.6)
    ax.set_title(title, fontsize=8.6)
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.tick_params(axis="x", labelsize=7, labelbottom=True)
    ax.grid(axis="x")


@figure(
    "word_map",
    "Topic words of descriptions on a map by meaning, by request",
    "AutoDavis, figure 7",
)
def word_map(sources: Sources) -> Drawn:
    """Topic words, near where they mean alike: two main components of their vectors by the encoder
    of captions. The suite of ``figures.beside``, say one that plans without the semantic graph, has
    a map of its own on the same axes (AutoDavis, figure 7)."""
    counts = {sources.snapshot.params.suite: _topics(described(sources.snapshot))}
    if sources.beside is not None:
        with suppress(NotApplicable):  # it is no exam
            counts |= {sources.beside.params.suite: _topics(described(sources.beside))}
    words = sorted({word for of in counts.values() for word in of})
    if len(words) < 3:
        raise NotApplicable(f"A map needs three topic words; there are {len(words)}.")
    score = sources.snapshot.params.score
    vectors = SentenceEncoder(score.caption_encoder).exact(words, score.batch_size)
    places, kept = components(vectors)
    requests = list(
        dict.fromkeys(name for of in counts.values() for by in of.values() for name in by)
    )
    listed = [
        {"suite": suite, "word": plain_text(word), "request": request,
         "descriptions": of[word][request], "x": x, "y": y}
        for suite, of in counts.items()
        for word, (x, y) in zip(words, places.tolist(), strict=True)
        for request in requests if word in of and of[word][request]
    ]  # fmt: skip
    texts = {name: pa.string() for name in ("suite", "word", "request")}
    numbers = {"descriptions": pa.int64(), "x": pa.float64(), "y": pa.float64()}
    table = pa.Table.from_pylist(listed, pa.schema([*(texts | numbers).items()]))
    return Drawn(_maps(words, places, kept, counts, requests), table)


def _topics(rows: Sequence[Row]) -> dict[str, Counter[str]]:
    """Topic words, each with its descriptions by request."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        counts[row["topic_word"]][row["subtask"]] += 1
    return dict(counts)


def components(vectors: F64) -> tuple[F64, float]:
    """Return places on the two main components, shape (n, 2), and the share of variance that they
    keep.

    Each axis points where its largest weight is above 0. Places are rounded: what is left out is
    more than sums differ by on another processor.
    """
    centered = vectors - vectors.mean(axis=0)
    left, sizes, axes = np.linalg.svd(centered, full_matrices=False)
    places = left[:, :2] * sizes[:2]
    for at in range(2):
        weights = np.round(axes[at], 6)
        places[:, at] *= 1.0 if weights[np.argmax(np.abs(weights))] >= 0 else -1.0
    total = float((sizes * sizes).sum())
    kept = float((sizes[:2] * sizes[:2]).sum()) / total if total else 0.0
    return np.round(places, _DIGITS) + 0.0, round(kept, _DIGITS)


def _maps(
    words: Sequence[str], places: F64, kept: float,
    counts: Mapping[str, Mapping[str, Counter[str]]], requests: Sequence[str],
) -> Any:  # fmt: skip
    """A map a suite, on the same axes."""
    from matplotlib.lines import Line2D

    made, axes = plotting.grid(7.6, 0.4 + 6.0 * len(counts), len(counts), 1)
    looks = {
        request: (plotting.MODELS[at % 8], plotting.MARKERS[at % 8])
        for at, request in enumerate(requests)
    }
    for ax, (suite, of) in zip(axes, counts.items(), strict=True):
        _map(ax, words, places, of, looks)
        if len(counts) > 1:
            ax.set_title(f"{suite}: {_spread(of)}", fontsize=9)
    axes[-1].set_xlabel(
        f"{len(words):,} topic words; the axes keep {100 * kept:.0f}% of how their vectors vary. "
        "Larger: more descriptions. Names that would cover others are in the table alone.",
        fontsize=7.2,
    )
    handles = [
        Line2D([], [], color=c, marker=m, lw=0, ms=5.2, label=plain(request))
        for request, (c, m) in looks.items()
    ]
    made.legend(handles=handles, loc="outside upper left", ncols=min(len(handles), 3))
    return made


def _spread(of: Mapping[str, Counter[str]]) -> str:
    """How many topic words there are, and what share of descriptions the ten commonest have."""
    times = sorted((by.total() for by in of.values()), reverse=True)
    share = 100 * sum(times[:10]) / sum(times)
    told = f"{len(times):,} topic words of {sum(times):,} descriptions"
    return f"{told}, the ten commonest in {share:.0f}%"


def _map(
    ax: Axes, words: Sequence[str], places: F64, of: Mapping[str, Counter[str]],
    looks: Mapping[str, tuple[str, str]],
) -> None:  # fmt: skip
    for word, (x, y) in zip(words, places, strict=True):
        if word not in of:
            continue
        color, marker = looks[max(looks, key=lambda request: of[word][request])]
        size = 3.2 + 1.6 * min(of[word].total(), 9) ** 0.5
        ax.plot(x, y, marker, color=color, ms=size, mec=plotting.PAPER, mew=0.5, alpha=0.85)
    low, high = places.min(axis=0), places.max(axis=0)
    room = np.maximum(high - low, 1e-3)
    ax.set_xlim(low[0] - 0.04 * room[0], high[0] + 0.16 * room[0])
    ax.set_ylim(low[1] - 0.05 * room[1], high[1] + 0.05 * room[1])
    own = [at for at, word in enumerate(words) if word in of]
    _name(ax, [words[at] for at in own], places[own], of, room)
    ax.set_xticks([])
    ax.set_yticks([])


def _name(
    ax: Axes, words: Sequence[str], places: F64, counts: Mapping[str, Counter[str]], room: F64
) -> None:
    """Names of the commonest words that cover no other name and no other word's point."""
    wide, high = 1.2 * room[0] / 7.2, 1.1 * room[1] / 5.4  # of an inch, about
    taken: list[tuple[float, float, float, float]] = []
    order = sorted(range(len(words)), key=lambda at: (-counts[words[at]].total(), words[at]))
    names = heat.short(words, _LONGEST)
    for at in order:
        x, y = places[at] + (0.07 * wide, 0.0)
        end = x + heat.text_width(names[at], _SIZE) * wide
        box = (x, end, y - 0.055 * high, y + 0.055 * high)
        free = all(
            box[1] < a or b < box[0] or box[3] < c or d < box[2] for a, b, c, d in taken
        )  # fmt: skip
        points = sum(
            box[0] - 0.01 * wide < px < box[1] + 0.04 * wide and box[2] < py < box[3]
            for px, py in places
        )
        if free and not points and len(taken) < _NAMED:
            ax.text(x, y, names[at], fontsize=_SIZE, va="center_baseline", clip_on=True)
            taken.append(box)
