"""From images and questions to the answers table."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.corpus.instructions import prompt_for
from lvlmbench.errors import UserError
from lvlmbench.models.base import FINAL_STATUSES, Item, Model, Reply
from lvlmbench.models.cache import AnswerCache
from lvlmbench.models.progress import Progress

#: Questions of a shard that fail one after the other before its model is stopped.
MOST_FAILURES = 20


def kept_scenes(scene_ids: Sequence[str], verdicts: pa.Table, filters: Sequence[str]) -> set[str]:
    """Scenes whose clean image every filter keeps.

    Raises
    ------
    UserError
        One of ``filters`` has not judged one of the scenes.
    """
    judged: dict[str, set[str]] = {name: set() for name in filters}
    dropped: set[str] = set()
    columns = (verdicts[name].to_pylist() for name in ("scene_id", "filter", "keep"))
    for scene_id, name, keep in zip(*columns, strict=True):
        judged.setdefault(name, set()).add(scene_id)
        if not keep:
            dropped.add(scene_id)
    for name in filters:
        for scene_id in scene_ids:
            if scene_id not in judged[name]:
                raise UserError(
                    f"verdicts of filter '{name}'",
                    f"hold none for scene {scene_id}",
                    "run the rule 'filter' again for this shard",
                )
    return set(scene_ids) - dropped


def make_items(
    images: pa.Table, verdicts: pa.Table, questions: pa.Table, filters: Sequence[str]
) -> list[Item]:
    """Questions to ask, in the order of ``questions``, each with its image.

    An image that belongs to a question (print attack) is shown with that question alone, any
    other with every question about its scene; where a scene has several images, each question is
    asked with each of them. Filters judge the clean image: a scene that they keep is asked about
    in every scenario. Questions without an image in this scenario are not asked.
    """
    kept = kept_scenes(images["scene_id"].to_pylist(), verdicts, filters)
    by_question: dict[str, list[int]] = {}
    by_scene: dict[str, list[int]] = {}
    ids = images["image_id"].to_pylist()
    links = zip(images["scene_id"].to_pylist(), images["question_id"].to_pylist(), strict=True)
    for row, (scene_id, question_id) in enumerate(links):
        if scene_id not in kept:
            continue
        if question_id is not None:
            by_question.setdefault(question_id, []).append(row)
        else:
            by_scene.setdefault(scene_id, []).append(row)
    sha256 = images["sha256"].to_pylist()
    pictures = pc.struct_field(images["image"], "bytes")  # null where the struct is
    items = []
    columns = ("question_id", "scene_id", "subtask", "question_type", "question", "options")
    for values in zip(*(questions[name].to_pylist() for name in columns), strict=True):
        question_id, scene_id, subtask, question_type, question, options = values
        for found in by_question.get(question_id, by_scene.get(scene_id, [])):
            items.append(
                Item(
                    question_id=question_id,
                    scene_id=scene_id,
                    subtask=subtask,
                    question_type=question_type,
                    question=question,
                    options=tuple(options or ()),
                    prompt=prompt_for(question_type, question, list(options or ())),
                    image=pictures[found].as_py(),
                    image_id=ids[found],
                    image_sha256=sha256[found],
                )
            )
    return items


def answer_items(
    model: Model, items: Sequence[Item], cache: AnswerCache | None, label: str
) -> list[Reply]:
    """One reply for each item, in the items' order.

    What the cache knows is not asked; what is asked goes to the cache as it arrives.

    Raises
    ------
    UserError
        :data:`MOST_FAILURES` questions in a row failed: a table of failures helps nobody, and a
        server that hangs would be waited for once a question. Where some answers are known, the
        questions left may be those that always fail, so there it takes half of all.
    """
    requests = {item.key: model.request_sha256(item) for item in items}
    known: dict[tuple[str, str | None], Reply] = {}
    use = cache if model.cached else None
    if use is not None:
        by_request = use.get(list(requests.values()))
        known = {key: by_request[r] for key, r in requests.items() if r in by_request}
    replies = dict(known)
    progress = Progress(label, total=len(items), known=len(known))
    failed, most = 0, max(MOST_FAILURES, len(items) // 2 if known else 0)
    try:
        for item, reply in model.answer([i for i in items if i.key not in known]):
            if use is not None:
                use.put(requests[item.key], reply)
            replies[item.key] = reply
            progress.add(reply)
            failed = 0 if reply.status in FINAL_STATUSES else failed + 1
            if model.cached and failed >= most:
                raise UserError(
                    f"model {label}",
                    f"{failed} questions in a row failed, the last with: {reply.error}",
                    "see to its server and run again: what was answered is not asked again",
                )
    finally:
        progress.close()
    missing = [i.question_id for i in items if i.key not in replies]
    if missing:
        raise RuntimeError(f"{label}: the engine gave no reply for question {missing[0]}")
    return [replies[item.key] for item in items]


def answer_rows(
    model: Model,
    items: Sequence[Item],
    cache: AnswerCache | None,
    name: str,
    scenario: str,
) -> list[dict[str, object]]:
    """Rows of the answers table, one an item, in the items' order."""
    replies = answer_items(model, items, cache, f"{name}/{scenario}")
    parameters = json.dumps(model.parameters, sort_keys=True)
    return [
        {
            "model": name,
            "scenario": scenario,
            "question_id": item.question_id,
            "image_id": item.image_id,
            "image_sha256": item.image_sha256,
            "request_sha256": model.request_sha256(item),
            "prompt": item.prompt,
            "parameters": parameters,
            **{k: v for k, v in vars(reply).items() if k != "rejected"},
        }
        for item, reply in zip(items, replies, strict=True)
    ]
