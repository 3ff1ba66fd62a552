"""What the tasks of this folder do with a row of the dataset, for lmms-eval.

The dataset is the Hugging Face export beside this folder; its columns are described there. Answers
to questions with options, and short answers, are read by the rules in reading.py. One from which
nothing can be read (a refusal, an empty answer, two letters or numbers) is counted as unscored and
is neither right nor wrong.
Free-form answers are not compared here: `lvlmbench score` does that (see README.md).
"""

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

Row = dict[str, Any]


def _sibling(name: str) -> ModuleType:
    """A file of this folder; lmms-eval does not put the folder on the path."""
    path = Path(__file__).resolve().with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"lvlmbench_{name}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be read")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reading = _sibling("reading")


def doc_to_visual(doc: Row) -> list[Any]:
    """The image, as a list of one."""
    return [doc["image"].convert("RGB")]


def doc_to_text(doc: Row, lmms_eval_specific_kwargs: Row | None = None) -> str:
    """The text that every model of the snapshot was sent, word for word, in one turn."""
    return str(doc["prompt"])


def doc_to_target(doc: Row) -> str:
    """The right option's letter; else the short answer or the reference description."""
    index = doc["answer_index"]
    return str(doc["answer"]) if index is None else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index]


def process_results(doc: Row, results: Sequence[str]) -> dict[str, Any]:
    """What an answer adds to the metrics; an accuracy gets nothing from an unscored answer.

    One of them carries ``item_id`` into the logged samples, which hold no rows of the dataset.
    """
    answer = results[0] if results else ""
    if doc["question_type"] in ("free_form", "structured"):
        return {"captions": {"count": 1, "item_id": doc["item_id"]}}
    if doc["options"]:
        index, why = reading.read_choice(answer, doc["options"])
        correct = None if index is None else index == doc["answer_index"]
    else:
        correct, why = reading.read_short(answer, doc["accepted"])
    found: dict[str, Any] = {
        "scored": {"count": int(correct is not None), "item_id": doc["item_id"]},
        "unscored": {"count": int(correct is None)},
        "refused": {"count": int(why == reading.REFUSAL)},
    }
    if correct is None:
        return found
    # Questions about one scene are not independent of each other (`cluster_key`).
    right = {"score": int(correct), "scene_id": doc["scene_id"]}
    found["accuracy"] = found[doc["question_type"]] = right
    if doc["kept"]:
        found["accuracy_kept"] = right
    return found


def mean(items: Sequence[Row]) -> float:
    """Mean from 0 to 1; not a number where nothing could be scored."""
    return sum(item["score"] for item in items) / len(items) if items else float("nan")


def count(items: Sequence[Row]) -> int:
    """How many."""
    return sum(int(item["count"]) for item in items)
