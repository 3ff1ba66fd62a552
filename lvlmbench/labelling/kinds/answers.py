"""Two free answers to one question, for people to say which is better (TouchStone, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lvlmbench.analysis.dialogue.compared import standing
from lvlmbench.analysis.judged import first_judge, free_answers, harmonic, points
from lvlmbench.core.seeding import digest
from lvlmbench.labelling.sheet import RIGHT, SHEETS, UNCLEAR, WRONG, Item
from lvlmbench.snapshot.reader import Snapshot

_ASKS = "Which answer says more that is true of the picture, and less that is not?"
#: As judges are asked who compare answers with references.
_ASKS_OF_DIALOGUE = (
    "Which answer is better? A good one helps who asked, keeps to the question, says what is so in "
    "the picture and nothing that is not, and leaves out nothing that matters. A longer one is not "
    "better for its length."
)
_SAYS = {RIGHT: "The first", WRONG: "The second", UNCLEAR: "As good as each other"}
#: What answers score beside references, by model, question and image.
_Points = Mapping[tuple[str, str, str | None], float]

#: Name of the sheet.
SHEET = "answers"


@SHEETS.register(SHEET, label="pairs of free answers", says=_SAYS)
def answers(snapshot: Snapshot) -> list[Item]:
    """Return a pair of two models' answers for each free question, by what the first judge says.

    Which two models, and which of them stands first, is drawn by the question: a pair says
    nothing of whose answers they are. About questions of a dialogue people are asked what judges
    are, and see what was said before.
    """
    judge = first_judge(snapshot)
    if judge is None:
        return []
    places = {words: place for place, words in enumerate(_groups(judge))}
    items: dict[str, Item] = {}
    for _, _, pair in paired(snapshot, judge):
        items.setdefault(pair.item_id, pair)  # two questions may have the same words
    return sorted(items.values(), key=lambda item: places[item.group])


def paired(
    snapshot: Snapshot, judge: str
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any], Item]]:
    """Yield the pairs of the sheet: the rows of ``judgements`` of both answers, in the order in
    which they are shown, and the pair as it is shown."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in free_answers(snapshot, judge):
        found.setdefault((row["question_id"], row["image_id"]), []).append(row)
    scores = None
    for rows in found.values():
        if _of_dialogue(rows[0]):
            scores = points(snapshot, judge) if scores is None else scores
            yield from _pair(rows, judge, scores)
        else:
            yield from _pair(rows, judge, {})


def _of_dialogue(row: Mapping[str, Any]) -> bool:
    """Whether answers to a question are compared with a reference, by a description."""
    return row["description"] is not None or bool(row["turns"])


def _groups(judge: str) -> tuple[str, ...]:
    name = judge.replace("_", " ")
    return (
        f"pairs whose first answer {name} finds better",
        f"pairs whose second answer {name} finds better",
        f"pairs whose answers {name} finds as good as each other",
        f"pairs that {name} does not judge",
    )


def _pair(
    rows: list[Mapping[str, Any]], judge: str, scores: _Points
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any], Item]]:
    """The pair about one question, if two models have answered it otherwise."""
    drawn = sorted(rows, key=lambda row: digest("pair", row["question_id"], row["model"]))
    first = drawn[0]
    second = next((row for row in drawn if row["text"] != first["text"]), None)
    if second is None:
        return
    before = [
        line
        for turn in first["turns"] or ()
        for line in (f"Asked before: {turn['question']}", f"Answered: {turn['answer']}")
    ]
    # The last line stands out on the page: neither answer is to.
    lines = [f"First: {first['text']}", f"Second: {second['text']}", *before, first["question"]]
    image = first["image_id"], first["image_sha256"]
    if _of_dialogue(first):
        better, asks = _scored_better(first, second, scores), _ASKS_OF_DIALOGUE
    else:
        better, asks = _better(first, second), _ASKS
    yield first, second, Item.of(image, asks, lines, _groups(judge)[better])


def _scored_better(first: Mapping[str, Any], second: Mapping[str, Any], scores: _Points) -> int:
    """Which group a pair is of, by the scores of both answers beside references."""
    keys = [(row["model"], row["question_id"], row["image_id"]) for row in (first, second)]
    if any(key not in scores for key in keys):
        return 3
    return {"better": 0, "worse": 1, "tie": 2}[standing(scores[keys[0]], scores[keys[1]])]


def _better(first: Mapping[str, Any], second: Mapping[str, Any]) -> int:
    """Which group a pair is of, by the claims of both answers."""
    a, b = harmonic(first), harmonic(second)
    if a is None or b is None:
        return 3
    return 0 if a > b else 1 if b > a else 2
