"""What free answers say, claim by claim, for people to say what of it is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lvlmbench.analysis.judged import claims_of, first_judge
from lvlmbench.core.seeding import item_id as hashed
from lvlmbench.labelling.sheet import SHEETS, Item
from lvlmbench.scene.claims import Feature
from lvlmbench.scene.truth_words import phrase
from lvlmbench.snapshot.reader import Snapshot

_ASKS = "Is what stands below the answer true of the picture?"


SHEET = "claims"


@SHEETS.register(SHEET, label="what free answers say")
def claims(snapshot: Snapshot) -> list[Item]:
    """Return the claims that the first judge reads in the answers, by what it says of them."""
    judge = first_judge(snapshot)
    if judge is None:
        return []
    found: dict[str, Item] = {}
    for _, item in said(snapshot, judge):
        found.setdefault(item.item_id, item)
    places = {words: place for place, words in enumerate(_groups(judge).values())}
    return sorted(found.values(), key=lambda item: places[item.group])


def said(snapshot: Snapshot, judge: str) -> Iterator[tuple[Mapping[str, Any], Item]]:
    """Yield each claim that a judge reads in clean answers, with the item about it."""
    for row in claims_of(snapshot, judge):
        yield row, _item(row, judge)


def _groups(judge: str) -> dict[str, str]:
    name = judge.replace("_", " ")
    true = f"claims that {name} finds true"
    return {
        "matched": true,
        "broader": true,
        "narrower": true,
        "hallucinated": f"claims that {name} finds hallucinated",
        "contradicted": f"claims that {name} finds contradicted",
        "true_denial": f"denials that {name} finds right",
        "false_denial": f"denials that {name} finds wrong",
        "unverifiable": f"claims that {name} cannot check",
    }


def _item(row: Mapping[str, Any], judge: str) -> Item:
    """The item about one claim: the answer with the words that say it, and the claim in words."""
    text, start, end = row["text"], row["start"], row["end"]
    marked = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    parts = (row[name] for name in ("kind", "subject", "relation", "object", "value"))
    words = phrase(Feature("", *parts), ())
    said = f"Not so: {words}" if row["negated"] else words
    lines = [row["question"], f"Answer: {marked}", f"It says: {said}"]
    image = row["image_id"], row["image_sha256"]
    return Item.of(image, _ASKS, lines, _groups(judge)[row["verdict"]], about_answer(row))


def about_answer(row: Mapping[str, Any]) -> str:
    """Return what items about one answer share, so that sheets show all about it or nothing."""
    return hashed(row["image_sha256"], row["question"], row["text"])
