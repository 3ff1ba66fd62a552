"""The pipeline and one scene on its way through it, with the numbers and pictures of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis import walkthrough
from lvlmbench.analysis.headlines import label_of
from lvlmbench.analysis.labels import TYPE_LABELS, plain
from lvlmbench.analysis.thumbnails import folder_of
from lvlmbench.analysis.walkthrough import Answered, Asked
from lvlmbench.core.untrusted import KEPT, plain_text
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures import thumbnails as pictures
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.sheet import Sheet
from lvlmbench.tables import QUESTION_TYPES

if TYPE_CHECKING:
    from lvlmbench.stages.figures.thumbnails import Pixels

_MARGIN, _GAP, _PAD = 10.0, 20.0, 6.0
#: Columns: metadata, prompt, image, questions.
_WIDE = (112.0, 118.0, 118.0, 220.0)
_SIZE, _SMALL, _HEAD = 7.8, 7.0, 9.4
_WIDTH = 2 * _MARGIN + sum(_WIDE) + 3 * _GAP
_ARROW = "\N{RIGHTWARDS ARROW}"
#: Who made the pictures and how they came about, by whether they are a user's own.
_MAKER = {False: ("Renderer", "drawn"), True: ("Pictures", "given")}
_SCHEMA = pa.schema(
    [("part", pa.string()), ("item", pa.string()), ("count", pa.int64()), ("sample", pa.string())]
)


class _Page:
    """A sheet with what stands on it as rows of a table."""

    def __init__(self) -> None:
        self.sheet = Sheet(_WIDTH)
        self.rows: list[dict[str, Any]] = []

    def note(self, part: str, item: str, count: int | None, sample: str = "") -> None:
        """Keep a row of the CSV file, without what a spreadsheet would run."""
        shown = plain_text(sample[:KEPT])
        shown = f"'{shown}" if shown[:1] in ("=", "+", "-", "@") else shown
        self.rows.append({"part": part, "item": item, "count": count, "sample": shown})

    def heading(self, y: float, text: str) -> float:
        """Put the name of a part."""
        return self.sheet.paragraph(_MARGIN, y, _WIDTH - 2 * _MARGIN, text, _HEAD, weight="bold")

    def words(
        self, x: float, y: float, wide: float, text: str, most: int = 6, **look: Any
    ) -> float:
        """Put lines inside a box."""
        size = look.pop("size", _SIZE)
        return self.sheet.paragraph(x + _PAD, y, wide - 2 * _PAD, text, size, most=most, **look)

    def small(self, x: float, y: float, wide: float, text: str) -> float:
        """Put small gray lines inside a box."""
        return self.words(x, y, wide, text, size=_SMALL, color=plotting.MUTED)

    def framed(self, y: float, end: float, wide: tuple[float, ...], arrows: bool = True) -> float:
        """Put a box around each column, and arrows between them; return where the next begins."""
        x = _MARGIN
        for i, column in enumerate(wide):
            self.sheet.frame(x, y, column, end - y, plotting.MUTED)
            if arrows and i:
                self.sheet.text(x - _GAP / 2, (y + end) / 2 + 4, _ARROW, 13, plotting.MUTED,
                                align="center")  # fmt: skip
            x += column + _GAP
        return end + 9

    def picture(self, x: float, y: float, wide: float, pixels: Pixels | None) -> float:
        """Put a picture as wide as a box, or say that there is none."""
        room = wide - 2 * _PAD
        if pixels is None:
            return self.small(x, y, wide, "no picture")
        rows, columns = (float(side) for side in pixels.shape[:2])
        high, broad = (room * side / max(rows, columns) for side in (rows, columns))
        self.sheet.picture(x + _PAD, y, broad, high, pixels)
        return y + high + 4

    def drawn(self, y: float, legend: str) -> Drawn:
        """Return the page, with how to read it at its foot."""
        room = _WIDTH - 2 * _MARGIN
        self.sheet.rule(_MARGIN, _WIDTH - _MARGIN, y, plotting.GRID)
        y = self.sheet.paragraph(_MARGIN, y + 4, room, legend, _SMALL, plotting.MUTED)
        return Drawn(self.sheet.figure(y + 6), pa.Table.from_pylist(self.rows, _SCHEMA))


def _left(column: int) -> float:
    return _MARGIN + sum(_WIDE[:column]) + column * _GAP


def _question(page: _Page, x: float, y: float, wide: float, row: Mapping[str, Any]) -> float:
    """One question with its answer."""
    kind = row["question_type"]
    page.sheet.text(x + _PAD, y + _SIZE, TYPE_LABELS[kind], _SIZE, plotting.TYPES[kind], "bold")
    y = page.words(x, y + 1.38 * _SIZE, wide, row["question"])
    for i, option in enumerate(row["options"]):
        right = i == row["answer_index"]
        y = page.words(x, y, wide, f"({chr(ord('A') + i)}) {option}", 2,
                       weight="bold" if right else "normal")  # fmt: skip
    if not row["options"]:
        y = page.words(x, y, wide, row["answer"], weight="bold")
    return y + 3


def _made(
    page: _Page, y: float, asked: Asked, kinds: list[str], image: Pixels | None,
    counts: tuple[str, str, str, str],
) -> float:  # fmt: skip
    """A row of boxes: metadata, prompt, image, questions; ``counts`` stand above what they hold."""
    heads = ("Metadata M", "Prompt P", "Image I", "Questions and answers Q")
    top, ends = y + 4, []
    tops = []
    for i, (head, count) in enumerate(zip(heads, counts, strict=True)):
        at = page.words(_left(i), top, _WIDE[i], head, weight="bold")
        tops.append((page.small(_left(i), at, _WIDE[i], count) if count else at) + 2)
    at = tops[0]
    for name, label in asked.metadata:
        at = page.words(_left(0), at, _WIDE[0], f"{name}: {label}", 2)
    ends.append(at)
    ends.append(page.words(_left(1), tops[1], _WIDE[1], asked.scene["prompt"] or "", 14))
    ends.append(page.picture(_left(2), tops[2], _WIDE[2], image))
    at = tops[3]
    for kind in kinds:
        at = _question(page, _left(3), at, _WIDE[3], asked.questions[kind])
    ends.append(at)
    return page.framed(y, max(ends) + 3, _WIDE)


def _samples(snapshot: Snapshot) -> list[Asked]:
    found = walkthrough.chosen(snapshot)
    if not found:
        again = len(snapshot.asked[snapshot.first_scenario])
        rest = " but about scenes that are shown again in other styles" if again else ""
        raise NotApplicable(f"No question was asked{rest}.")
    return found


def _verdict(row: Mapping[str, Any] | None) -> str:
    """What a filter said of an image."""
    if row is None:
        return "not judged"
    said = "kept" if row["keep"] else "removed"
    for name in ("score", "threshold"):
        said += f", {name} {row[name]:.2f}" if row[name] is not None else ""
    return said


def _cleaned(page: _Page, y: float, snapshot: Snapshot, asked: Asked) -> float:
    """A box a filter: how many images it keeps, and what it said of the sample."""
    mine = walkthrough.verdicts(snapshot, asked.scene["scene_id"])
    maker, how = _MAKER[snapshot.given]
    judged = {maker: (snapshot.rendered, how)}
    for name, table in snapshot.filtered.items():
        judged[f"Filter: {plain(name)}"] = (table, _verdict(mine.get(name)))
    boxes = [
        (label, len(table), pc.sum(table["keep"]).as_py() or 0, f"the sample: {said}")
        for label, (table, said) in judged.items()
    ]
    first = snapshot.asked[snapshot.first_scenario]
    kept = len(snapshot.counted(first, "consensus"))
    boxes.append(("Consensus of models", len(first), kept, "questions, not images"))
    room = _WIDTH - 2 * _MARGIN - (len(boxes) - 1) * _GAP
    wide = (room / len(boxes),) * len(boxes)
    ends, x = [], _MARGIN
    for label, before, after, said in boxes:
        at = page.words(x, y + 4, wide[0], label, 2, weight="bold")
        at = page.words(x, at, wide[0], f"keeps {after:,} of {before:,}")
        ends.append(page.small(x, at, wide[0], said))
        page.note("filter", label, after, said)
        x += wide[0] + _GAP
    return page.framed(y, max(ends) + 3, wide)


def _shown(page: _Page, y: float, snapshot: Snapshot, asked: Asked, question_id: str) -> float:
    """A box a scenario: the sample there, and how many questions are asked; none for severity
    curves, which show each image in many forms."""
    ids = walkthrough.image_ids(snapshot, asked, question_id)
    names = [name for name in snapshot.params.scenarios.counted if name not in snapshot.curves]
    if not names:
        return page.small(_MARGIN, y, _WIDTH - 2 * _MARGIN, "severity curves alone") + 9
    room = _WIDTH - 2 * _MARGIN - (len(names) - 1) * _GAP / 2
    wide = min(room / len(names), 104.0)
    ends, x = [], _MARGIN
    for name in names:
        image_id = ids.get(name)
        folder = folder_of(snapshot, name)
        found = pictures.of(folder, {image_id}) if image_id else {}
        at = page.words(x, y + 4, wide, plain(name), 2, weight="bold")
        n = len(snapshot.asked[name])
        at = page.small(x, at, wide, f"{n:,} questions") + 2
        ends.append(page.picture(x, at, wide, found.get(image_id or "")))
        page.note("scenario", name, n, image_id or "")
        x += wide + _GAP / 2
    end = max(ends) + 2
    for i in range(len(names)):
        page.sheet.frame(_MARGIN + i * (wide + _GAP / 2), y, wide, end - y, plotting.MUTED)
    return end + 9


def _scored(page: _Page, y: float, snapshot: Snapshot, given: Answered) -> float:
    """Boxes of the question, the answer as it was read, and the score."""
    right = given.correct
    verdict = "not scored" if right is None else "right" if right else "wrong"
    if right is None and given.similarity is not None:
        verdict = f"similarity {given.similarity:.1f}"
    found, label = given.headline, label_of(snapshot.params)
    total = f"no {label}"
    if found is not None and found.value is not None:
        total = f"{label} {found.value:.1f}, n {found.n:,}"
        if found.low is not None and found.high is not None:
            total += f", 95% interval {found.low:.1f} to {found.high:.1f}"
        total += f", {snapshot.without}" if snapshot.without else ""
    boxes = (
        ("Question", given.question["question"]),
        (f"Answer of {given.model}", given.text or "nothing"),
        ("Read as", given.chosen or given.text),
        ("Score", f"{verdict}; {total}"),
    )
    wide = ((_WIDTH - 2 * _MARGIN - 3 * _GAP) / 4,) * 4
    ends, x = [], _MARGIN
    for head, text in boxes:
        at = page.words(x, y + 4, wide[0], head, 2, weight="bold")
        ends.append(page.words(x, at, wide[0], text))
        page.note("score", head, None, text)
        x += wide[0] + _GAP
    return page.framed(y, max(ends) + 3, wide)


@figure("pipeline_overview", "The pipeline with the numbers of this run", "Dysca, figure 1")
def pipeline_overview(sources: Sources) -> Drawn:
    """The steps from scenes to scores with what this run made at each, and one scene on its way
    (Dysca, figure 1)."""
    snapshot = sources.snapshot
    asked = max(_samples(snapshot), key=lambda each: len(each.questions))
    kinds = [kind for kind in QUESTION_TYPES if kind in asked.questions]
    page, scenes = _Page(), snapshot.scenes
    image = pictures.of(folder_of(snapshot, snapshot.first_scenario), {asked.image_id}).get(
        asked.image_id
    )
    shown = pc.is_in(snapshot.scenes["scene_id"], value_set=snapshot.kept_scenes)
    kept, planned = pc.sum(shown).as_py() or 0, len(snapshot.questions)
    counts = (
        f"{len(scenes):,} scenes of {walkthrough.distinct(scenes, 'subtask')} subtasks, "
        f"{len(snapshot.styles)} styles",
        f"{walkthrough.distinct(scenes, 'prompt'):,} distinct prompts",
        f"{len(snapshot.of_images):,} {_MAKER[snapshot.given][1]}, {kept:,} kept",
        f"{planned:,} planned, {len(snapshot.asked[snapshot.first_scenario]):,} asked in "
        f"{plain(snapshot.first_scenario).lower()}",
    )
    for item, count, sample in (
        ("scenes", len(scenes), "; ".join(f"{k}: {v}" for k, v in asked.metadata)),
        ("prompts", walkthrough.distinct(scenes, "prompt"), asked.scene["prompt"] or ""),
        ("images kept", kept, asked.image_id), ("questions planned", planned, ""),
    ):  # fmt: skip
        page.note("generate", item, count, sample)
    y = _made(page, page.heading(5, "(a) Generate") + 2, asked, kinds, image, counts)
    y = _cleaned(page, page.heading(y, "(b) Clean") + 2, snapshot, asked)
    y = page.heading(y, "(c) Show in scenarios, ask, score") + 2
    first = asked.questions[kinds[0]]["question_id"]
    y = _shown(page, y, snapshot, asked, first)
    given = walkthrough.answered(snapshot, sources.leaderboard, asked)
    if given is not None:
        y = _scored(page, y, snapshot, given)
    return page.drawn(y, "Which scene is shown follows from ids and question types, not from "
                      "answers. Counts are those of the whole snapshot.")  # fmt: skip


@figure("scene_to_questions", "From metadata to prompt, image and questions", "Dysca, figure 3")
def scene_to_questions(sources: Sources) -> Drawn:
    """One scene for each question type: what it is made of, its prompt, its image, a question and
    the right answer (Dysca, figure 3)."""
    snapshot, page = sources.snapshot, _Page()
    found = _samples(snapshot)
    kinds = [k for k in QUESTION_TYPES if any(k in each.questions for each in found)]
    folder = folder_of(snapshot, snapshot.first_scenario)
    images = pictures.of(folder, {each.image_id for each in found})
    y = 6.0
    for kind, asked in zip(kinds, found, strict=True):
        page.note(kind, "metadata", None, "; ".join(f"{k}: {v}" for k, v in asked.metadata))
        page.note(kind, "prompt", None, asked.scene["prompt"] or "")
        page.note(kind, "image", None, asked.image_id)
        page.note(kind, "question", None, asked.questions[kind]["question"])
        page.note(kind, "answer", None, asked.questions[kind]["answer"])
        y = _made(page, y, asked, [kind], images.get(asked.image_id), ("", "", "", ""))
    return page.drawn(y, "Bold: the right answer; of free-form questions the reference caption.")
