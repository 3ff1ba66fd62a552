"""Single cases with their pictures: where a model is right, and wrong about the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis import cases, records
from lvlmbench.analysis.cases import Case, Place
from lvlmbench.analysis.labels import TYPE_LABELS, plain
from lvlmbench.analysis.thumbnails import folder_of
from lvlmbench.core.untrusted import KEPT, plain_text
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures import thumbnails as pictures
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.sheet import Sheet
from lvlmbench.stages.figures.typeset import one_line

if TYPE_CHECKING:
    from lvlmbench.stages.figures.thumbnails import Pixels

#: Cases of two question types that are shown.
COUNT = 4
_MARGIN, _GAP = 10.0, 16.0
_SIDE = 122.0
_COLUMN = 196.0
_GUTTER, _LABEL = 12.0, 50.0
_SIZE, _SMALL = 8.6, 7.2
RIGHT, WRONG = "\N{CHECK MARK}", "\N{BALLOT X}"
_COLORS = {True: plotting.MODELS[2], False: plotting.MODELS[1]}
_READ = {
    "letter": "by its letter",
    "edit_distance": "by edit distance",
    "logprobs": "the likeliest first letter",
    "none_of_options": "none of the options",
    "none": "no option",
}
_SCHEMA = pa.schema(
    [
        ("case", pa.int64()),
        ("model", pa.string()),
        ("model_kind", pa.string()),
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("style", pa.string()),
        ("scenario", pa.string()),
        ("done", pa.string()),
        ("image_id", pa.string()),
        ("question_id", pa.string()),
        ("question_type", pa.string()),
        ("question", pa.string()),
        ("options", pa.string()),
        ("right_option", pa.string()),
        ("answer", pa.string()),
        ("parse_method", pa.string()),
        ("chosen_option", pa.string()),
        ("correct", pa.bool_()),
        ("n", pa.int64()),
        ("n_lost", pa.int64()),
        ("n_gained", pa.int64()),
    ]
)


@dataclass(frozen=True)
class _Answer:
    """One answer of a case with all that is shown of it; options as its image offers them."""

    place: Place
    question: Mapping[str, Any]
    text: str
    method: str
    chosen: int | None
    done: list[str]
    printed: str | None
    picture: Pixels | None


def _letter(index: int) -> str:
    return f"({chr(ord('A') + index)})"


#: What is read of an answer, and of its score.
_READ_OF = ((tables.ANSWERS, ["text"]), (tables.SCORES, ["parsed_index", "parse_method"]))


def _of_places(
    snapshot: Snapshot, table: tables.Table, columns: list[str], model: str, places: set[Place]
) -> Iterator[tuple[Place, dict[str, Any]]]:
    """What a table holds of answers; a scenario may ask a question several times."""
    at = {(place.question_id, place.image_id): place for place in places}
    keys = ["question_id", "image_id"]
    wanted = pa.array(sorted({question for question, _ in at}), pa.string())
    for scenario in sorted({place.scenario for place in places}):
        read = snapshot.shards(table, [*keys, *columns], model=model, scenario=scenario)
        for shard in read:
            found = shard.filter(pc.is_in(shard["question_id"], value_set=wanted))
            for row in found.to_pylist():
                place = at.get((row["question_id"], row["image_id"]))
                if place is not None:
                    yield place, {name: row[name] for name in columns}


def _answers(sources: Sources, found: Sequence[Case]) -> list[tuple[Case, _Answer, _Answer]]:
    """The answers of all cases; each shard of images is opened once."""
    snapshot = sources.snapshot
    questions = cases.questions_of(snapshot, found)
    places = [(case, place) for case in found for place in (case.first, case.second)]
    texts: dict[tuple[str, Place], dict[str, Any]] = {}
    images: dict[str, Pixels] = {}
    made: dict[str, dict[str, Any]] = {}
    for scenario in sorted({place.scenario for _, place in places}):
        ids = {place.image_id for _, place in places if place.scenario == scenario}
        images |= pictures.of(folder_of(snapshot, scenario), ids)
        table = snapshot.images[scenario]
        here = table.filter(
            pc.is_in(table["image_id"], value_set=pa.array(sorted(ids), pa.string()))
        )
        made |= {row["image_id"]: row for row in here.to_pylist()}
        for model in sorted({case.model for case in found}):
            asked = {p for c, p in places if c.model == model and p.scenario == scenario}
            for table, columns in _READ_OF:
                for place, row in _of_places(snapshot, table, columns, model, asked):
                    texts.setdefault((model, place), {}).update(row)

    def answer(case: Case, place: Place) -> _Answer:
        row, image = texts.get((case.model, place), {}), made.get(place.image_id, {})
        question, order = questions[place.question_id], image.get("order")
        index = tables.place_of(row.get("parsed_index"), order)
        options = tables.offered(question["options"], question["replaced"], order)
        right = tables.place_of(question["answer_index"], order)
        question = {**question, "options": options, "answer_index": right}
        inside = index is not None and 0 <= index < len(options)
        record = image.get("perturbation")
        return _Answer(
            place, question, row.get("text") or "", row.get("parse_method") or "",
            index if inside else None, records.done(record),
            record["printed_text"] if record else None, images.get(place.image_id),
        )  # fmt: skip

    return [(case, answer(case, case.first), answer(case, case.second)) for case in found]


def _cell(text: str | None) -> str:
    """An untrusted text in the CSV file: no hidden characters, no formula to a spreadsheet."""
    shown = plain_text((text or "")[:KEPT])
    return f"'{shown}" if shown[:1] in ("=", "+", "-", "@") else shown


def _row(number: int, case: Case, answer: _Answer) -> dict[str, Any]:
    question, place = answer.question, answer.place
    lettered = (f"{_letter(i)} {_cell(text)}" for i, text in enumerate(question["options"]))
    printed = [] if answer.printed is None else [f"printed: {_cell(answer.printed)}"]
    return {
        "case": number, "model": case.model, "model_kind": case.kind, "scene_id": case.scene_id,
        "subtask": case.subtask, "style": case.style, "scenario": place.scenario,
        "done": "; ".join([*answer.done, *printed]) or None, "image_id": place.image_id,
        "question_id": place.question_id, "question_type": place.question_type,
        "question": _cell(question["question"]), "options": "\n".join(lettered),
        "right_option": _letter(question["answer_index"]), "answer": _cell(answer.text),
        "parse_method": answer.method,
        "chosen_option": None if answer.chosen is None else _letter(answer.chosen),
        "correct": place.correct, "n": case.n, "n_lost": case.n_lost, "n_gained": case.n_gained,
    }  # fmt: skip


def _table(found: Sequence[tuple[Case, _Answer, _Answer]]) -> pa.Table:
    rows = [_row(i, case, a) for i, (case, *answers) in enumerate(found, 1) for a in answers]
    return pa.Table.from_pylist(rows, _SCHEMA)


def _picture(sheet: Sheet, x: float, y: float, pixels: Pixels | None) -> float:
    """A picture as large as its place allows; returns where it ends."""
    if pixels is None:
        sheet.box(x, y, _SIDE, _SIDE, plotting.FLOOR)
        sheet.text(x + _SIDE / 2, y + _SIDE / 2, "no picture", _SMALL, plotting.MUTED,
                   align="center")  # fmt: skip
        return y + _SIDE
    rows, columns = (float(side) for side in pixels.shape[:2])
    high, wide = (_SIDE * side / max(rows, columns) for side in (rows, columns))
    sheet.picture(x, y, wide, high, pixels)
    return y + high


def _verdict(sheet: Sheet, x: float, y: float, label: str, correct: bool) -> float:
    """A heading that says whether the answer is right; not by its color alone."""
    word = f"{RIGHT} right" if correct else f"{WRONG} wrong"
    sheet.text(x, y + _SIZE, word, _SIZE, _COLORS[correct], "bold")
    sheet.text(x + _LABEL, y + _SIZE, label, _SIZE, weight="bold")
    return y + 1.5 * _SIZE


def _asked(sheet: Sheet, x: float, y: float, wide: float, answers: Sequence[_Answer]) -> float:
    """The question and its options, with the right one and those chosen wrongly marked."""
    question = answers[0].question
    y = sheet.paragraph(x, y, wide, question["question"], _SIZE, most=6) + 2
    wrong = {a.chosen for a in answers if not a.place.correct}
    for i, text in enumerate(question["options"]):
        right = i == question["answer_index"]
        if right or i in wrong:
            mark = RIGHT if right else WRONG
            sheet.text(x, y + _SIZE, mark, _SIZE, _COLORS[right], "bold")
        y = sheet.paragraph(
            x + _GUTTER, y, wide - _GUTTER, f"{_letter(i)} {text}", _SIZE,
            weight="bold" if right else "normal", most=2,
        )  # fmt: skip
    return y + 2


def _said(sheet: Sheet, x: float, y: float, wide: float, answer: _Answer) -> float:
    """What was answered, and how it was read."""
    how = _READ.get(answer.method, answer.method)
    read = how if answer.chosen is None else f"{_letter(answer.chosen)}, {how}"
    for label, text in (("answered", answer.text or "nothing"), ("read as", read)):
        sheet.text(x, y + _SMALL, label, _SMALL, plotting.MUTED)
        y = sheet.paragraph(x + _LABEL, y, wide - _LABEL, text, _SMALL, most=3)
    return y


def _title(sheet: Sheet, y: float, words: Sequence[str], rest: str) -> float:
    sheet.rule(_MARGIN, sheet.width - _MARGIN, y, plotting.GRID)
    room = sheet.width - 2 * _MARGIN
    head = " \N{MIDDLE DOT} ".join(one_line(word) for word in words)
    y = sheet.paragraph(_MARGIN, y + 5, room, head, 9.4, weight="bold", most=2)
    return sheet.paragraph(_MARGIN, y, room, rest, _SMALL, plotting.MUTED) + 5


def _legend(sheet: Sheet, y: float, text: str) -> float:
    """How to read the page, below it; returns its height."""
    room = sheet.width - 2 * _MARGIN
    sheet.rule(_MARGIN, sheet.width - _MARGIN, y, plotting.GRID)
    marks = f"{RIGHT} the right option; {WRONG} an option that was chosen wrongly. {text}"
    return sheet.paragraph(_MARGIN, y + 5, room, marks, _SMALL, plotting.MUTED) + _MARGIN - 4


_CHOSEN = (
    "Which cases are shown follows from their ids, spread over subtasks and styles, models under "
    "test before reference models; questions that the models' consensus drops are left out."
)


@figure(
    "question_type_cases", "Cases that a model sees in one question type and misses in the other",
    "Dysca, figure 5",
)  # fmt: skip
def question_type_cases(sources: Sources) -> Drawn:
    """Same image, same thing asked in two ways, one answer right (Dysca, figure 5)."""
    found = _answers(sources, cases.across_types(sources.snapshot, sources.leaderboard, COUNT))
    if not found:
        raise NotApplicable(
            "No model was right in one question type and wrong in the other about the same thing."
        )
    sheet = Sheet(2 * _MARGIN + _SIDE + 2 * (_GAP + _COLUMN))
    y = 4.0
    for case, *answers in found:
        y = _title(
            sheet, y, [case.model, plain(case.subtask), case.style],
            f"Of {case.n:,} things that it was asked in both ways, {case.n_lost:,} are right only "
            f"with several options and {case.n_gained:,} only as true or false.",
        )  # fmt: skip
        ends = [_picture(sheet, _MARGIN, y, answers[0].picture)]
        for i, answer in enumerate(answers):
            x = _MARGIN + _SIDE + _GAP + i * (_COLUMN + _GAP)
            label = TYPE_LABELS[answer.place.question_type]
            at = _verdict(sheet, x, y, label, answer.place.correct)
            at = _asked(sheet, x, at, _COLUMN, [answer])
            ends.append(_said(sheet, x, at, _COLUMN, answer))
        y = max(ends) + 9
    return Drawn(sheet.figure(_legend(sheet, y, _CHOSEN)), _table(found))


@figure(
    "failure_cases", "Cases that a model sees in clean images and misses in noisy ones",
    "Dysca, figure 4",
)  # fmt: skip
def failure_cases(sources: Sources) -> Drawn:
    """Of each noisy scenario a question right in clean and wrong there (Dysca, figure 4)."""
    chosen = cases.against_clean(sources.snapshot, sources.leaderboard)
    if not chosen:
        raise NotApplicable("No noisy scenario was run beside clean.")
    found = _answers(sources, [case for _, case in chosen if case is not None])
    if not found:
        raise NotApplicable("No answer that was right in clean is wrong in a noisy scenario.")
    sheet = Sheet(2 * _MARGIN + 2 * (_SIDE + _GAP) + 1.35 * _COLUMN)
    y = 4.0
    for case, *answers in found:
        y = _title(
            sheet, y,
            [plain(case.second.scenario), case.model, plain(case.subtask), case.style],
            f"Of {case.n:,} closed questions that are scored in both, {case.n_lost:,} turned wrong "
            f"here and {case.n_gained:,} turned right.",
        )  # fmt: skip
        ends = []
        for i, answer in enumerate(answers):
            x = _MARGIN + i * (_SIDE + _GAP)
            at = _picture(sheet, x, y, answer.picture) + 3
            label = plain(answer.place.scenario)
            at = sheet.paragraph(x, at, _SIDE, label, _SMALL, weight="bold", most=2)
            if answer.done:
                words = ", ".join(answer.done)
                at = sheet.paragraph(x, at, _SIDE, words, _SMALL, plotting.MUTED, most=4)
            if answer.printed is not None:
                at = sheet.paragraph(x, at, _SIDE, f"printed: {answer.printed}", _SMALL, most=3)
            ends.append(at)
        x = _MARGIN + 2 * (_SIDE + _GAP)
        room = sheet.width - _MARGIN - x
        same = answers[0].question["options"] == answers[1].question["options"]
        at = _asked(sheet, x, y - 1, room, answers) + 2 if same else y - 1
        for answer in answers:
            at = at if same else _asked(sheet, x, at, room, [answer])
            label = plain(answer.place.scenario)
            at = _verdict(sheet, x, at, label, answer.place.correct)
            at = _said(sheet, x, at, room, answer) + 3
        y = max(*ends, at) + 7
    missing = [c.label for c, case in chosen if case is None]
    rest = f"No such case in: {', '.join(missing)}. {_CHOSEN}" if missing else _CHOSEN
    return Drawn(sheet.figure(_legend(sheet, y, rest)), _table(found))
