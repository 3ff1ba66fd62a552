"""What each column of each table means: the source of docs/data-dictionary.md."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.tables import files as tables
from lvlmbench.tables import graph, layouts

#: Table -> (schema, where it lies, key, what a row is).
TABLES: dict[str, tuple[pa.Schema, str, str, str]] = {
    "scenes": (
        tables.SCENES,
        "data/corpus/scenes/",
        "scene_id",
        "One planned scene: the metadata M and the prompt P (Dysca, sections 3.1 and 3.2).",
    ),
    "questions": (
        tables.QUESTIONS,
        "data/corpus/questions/",
        "question_id",
        "One question about a scene, with its reference answer (Q).",
    ),
    "images": (
        tables.IMAGES,
        "data/images/<scenario>/",
        "image_id",
        "One image (I). The struct `image` is what Hugging Face `datasets` decodes as an Image.",
    ),
    "layouts": (
        tables.LAYOUTS,
        "data/layouts/clean/",
        "image_id, instance",
        "One thing that an image shows, measured from what was drawn. Images of a renderer that "
        "cannot measure, such as `diffusion`, have no rows.",
    ),
    "attempts": (
        tables.ATTEMPTS,
        "data/attempts/",
        "scene_id, attempt",
        "One attempt at drawing a scene: the first one, and those after a filter of "
        "`render.rework` rejected the one before. The last one of a scene is its image.",
    ),
    "verdicts": (
        tables.VERDICTS,
        "data/verdicts/<filter>/",
        "image_id, filter",
        "What one filter says about one image. The filter `render` has a row for each scene and "
        "says which were not drawn, and why.",
    ),
    "answers": (
        tables.ANSWERS,
        "data/answers/<model>/<scenario>/",
        "model, scenario, question_id, image_id",
        "What one model was asked and what came back.",
    ),
    "scores": (
        tables.SCORES,
        "data/scores/<model>/<scenario>/",
        "model, scenario, question_id, image_id",
        "How one answer was read and scored. Where `scored` is true, exactly one of `correct` "
        "and `similarity` is set.",
    ),
    "consensus": (
        tables.CONSENSUS,
        "data/consensus/",
        "question_id",
        "Whether the best models agree with the answer of one closed question (Dysca, section 3.3, "
        "step 3). Questions that none of them was asked have no row.",
    ),
    "reference_scenes": (
        tables.REFERENCE_SCENES,
        "data/reference/scenes/",
        "scene_id",
        "One scene that the reference models are trained on or checked with: the columns of "
        "`scenes`, with a small image. No snapshot has any of them; the files hold `reference` "
        "where those of a snapshot hold its id.",
    ),
    "metrics": (
        tables.METRICS,
        "results/metrics.parquet",
        "questions, model, scenario, question_type, subtask, style, perturbation, severity, metric",
        "One number of the report. `all` in a key column means: over all of them. docs/metrics.md "
        "defines the metrics.",
    ),
    "comparisons": (
        tables.COMPARISONS,
        "results/comparisons.parquet",
        "family, model, scenario, baseline_model, baseline_scenario, question_type",
        "Whether a difference between models, or between scenarios, is more than chance. "
        "docs/metrics.md tells how it is tested.",
    ),
}

_SCENE_ID = "Id of the scene: hash of (snapshot seed, subtask, ordinal)."
_IMAGE_ID = "Id of the image."
_QUESTION_ID = "Id of the question: hash of (scene, subtask asked about, question type)."
_SUBTASK_ASKED = "Subtask that the question asks about."
_TYPE = "`multiple_choice`, `true_false` or `free_form`."

#: Table -> column -> meaning; parts of a struct are written ``column.part``.
COLUMNS: dict[str, dict[str, str]] = {
    "scenes": {
        "scene_id": _SCENE_ID,
        "subtask": "Subtask that the scene was planned for.",
        "ordinal": "Number of the scene within its subtask, from 0.",
        "foreground_list": "Vocabulary list that the foreground comes from.",
        "foreground": "Label of the foreground in that list.",
        "attributes": "Attributes of the foreground; null where the scene does not fix one.",
        "attributes.color": "Color of the foreground.",
        "attributes.number": "How many of the foreground there are.",
        "attributes.age": "Age of the person.",
        "attributes.gender": "Gender of the person.",
        "attributes.race": "Race of the person; in pictographs, the skin tone.",
        "attributes.expression": "Facial expression of the person.",
        "background": "Label of the background; null where the scene has none.",
        "style": "Label of the style.",
        "text": "The word that can be read in the image; null where there is none.",
        "prompt": "Prompt of a text-to-image model.",
        "negative_prompt": "What that model is told to avoid.",
        "caption": "Reference for free-form answers: what the scene holds.",
        "seed": "Seed of the image's random choices.",
        **graph.MEANINGS,
    },
    "questions": {
        "question_id": _QUESTION_ID,
        "scene_id": "Scene that the question is about.",
        "subtask": _SUBTASK_ASKED,
        "granularity": "`coarse` (style, background, color) or `fine`.",
        "question_type": _TYPE,
        "question": "The question; the instruction and the options are added when it is asked.",
        "options": "Options in the order shown; empty for free-form questions.",
        "answer": "The right option, or the reference caption.",
        "answer_index": "Place of the right option, from 0; null for free-form questions.",
        "chance": "Accuracy of guessing, in [0, 1]; null for free-form questions.",
        "claim": "Label that a true-or-false statement asserts; null for other types.",
        "key": "What is asked of the scene: with the scene's id it makes the question's.",
    },
    "images": {
        "image_id": _IMAGE_ID,
        "scene_id": "Scene that the image shows.",
        "question_id": "Question that the image was made for, where an attack needs one; or null.",
        "scenario": "Condition under which the scene is shown, e.g. `clean`.",
        "perturbation": "What was done to the clean image; null parts where nothing was.",
        "perturbation.kind": "Kind of corruption or attack.",
        "perturbation.severity": "Severity level of a corruption.",
        "perturbation.parameters": "Parameters as JSON.",
        "perturbation.printed_text": "Text that a print attack wrote on the image.",
        "perturbation.epsilon": "What an adversarial perturbation reaches on the stored bytes.",
        "perturbation.proxy": "Model that an adversarial perturbation was computed on.",
        "image": "The picture; null where the question is asked without one.",
        "image.bytes": "The file, as PNG.",
        "image.path": "A file name for tools that write the picture out.",
        "width": "Width in pixels.",
        "height": "Height in pixels.",
        "sha256": "SHA-256 of `image.bytes`.",
        "renderer": "Name of the renderer.",
        "renderer_version": "Version of the renderer's drawing rules.",
        "seed": "Seed of its scene or question at the stage that made the image.",
    },
    "layouts": layouts.MEANINGS,
    "attempts": {
        "image_id": "Id of the image, or the id it would have had.",
        "scene_id": "Scene that was to be drawn.",
        "subtask": "Its subtask.",
        "attempt": "0 for the first one.",
        "seed": "Seed of this attempt.",
        "renderer": "Name of the renderer that drew it.",
        "renderer_version": "Version of the renderer: its rules, weights and libraries.",
        "outcome": "`kept`, `rejected` by a filter of `render.rework`, or `refused` by the "
        "renderer, which drew nothing.",
        "filter": "Filter that rejected it; null where none did.",
        "reason": "Why it was rejected or refused; null where it was kept.",
        "score": "What that filter measured; null where it measures nothing.",
        "threshold": "What the score was compared with; null where there is none.",
        "method": "How the image came about: `drawn` from vector art, `text-to-image`, "
        "`composited` (a typeset word on a generated carrier), `textdiffuser2`; null where nothing "
        "was drawn.",
        "prompt_tokens": "Tokens of the prompt in the first text encoder; null where there is "
        "none.",
        "prompt_chunks": "Pieces that the prompt was encoded in.",
        "prompt_tokens_cut": "Tokens of the prompt that no text encoder has read.",
        "exact": "Whether the image was drawn alone, so that nothing of it depends on others.",
        "batch": "Images that were drawn with it, itself included.",
        "provenance": "What drew it, as JSON: model, weights' hashes, device, library versions; "
        "null for vector art.",
    },
    "verdicts": {
        "image_id": "Id of the image, or the id it would have had.",
        "scene_id": "Scene that the image shows.",
        "filter": "Name of the filter.",
        "score": "What the filter measured; null where it measures nothing.",
        "threshold": "What the score was compared with; null where there is none.",
        "keep": "Whether the image may be asked about.",
        "reason": "Why not; null where it may.",
        "note": "What to know of it though it removes nothing, e.g. that the text was longer than "
        "the model reads; null where there is nothing.",
    },
    "answers": {
        "model": "Name of the model in params.yaml.",
        "scenario": "Condition under which the scene was shown.",
        "question_id": "Question that was asked.",
        "image_id": "Image that was shown.",
        "image_sha256": "SHA-256 of its bytes: another image is asked about anew.",
        "request_sha256": "SHA-256 of the request without its key: the key of the answer cache.",
        "prompt": "The text that was sent beside the image, as it was sent.",
        "parameters": "What else decides the reply, as JSON: the model's id or weights, decoding.",
        "served_model": "Model that the server says has answered; null where it says nothing.",
        "text": "The answer; null where there is none.",
        "reasoning": "What the model thought aloud in front of it; null where it did not.",
        "logprobs": "Log-probability of each option's letter as the first token, where asked for; "
        "null for letters that are not among the likeliest tokens.",
        "status": "`answered`, `refused`, `truncated` (the answer reached the limit of tokens), "
        "`error` or `timeout`.",
        "finish_reason": "Why the model stopped, as the server says.",
        "error": "What went wrong, in one line; null where nothing did.",
        "latency_s": "Seconds from the request to the answer; null for models that compute here.",
        "prompt_tokens": "Tokens of the request, as the server counts them.",
        "completion_tokens": "Tokens of the answer, as the server counts them.",
        "cost_usd": "Cost in US dollars; null where no price is configured.",
        "attempts": "Requests sent until this answer.",
    },
    "scores": {
        "model": "Name of the model.",
        "scenario": "Condition under which the scene was shown.",
        "question_id": "Question that was answered.",
        "image_id": "Image that it was answered by.",
        "perturbation": "What was done to the image, e.g. `gaussian_noise`; null for clean ones.",
        "severity": "Severity of a corruption, 1 to 5; null where there is none.",
        "scene_id": "Its scene: standard errors are clustered by it.",
        "subtask": _SUBTASK_ASKED,
        "question_type": _TYPE,
        "style": "Style of the scene.",
        "status": "Status of the answer.",
        "parsed_index": "Option that the answer names, from 0; null where it names none.",
        "parse_method": "How it was found: `letter`, `edit_distance`, `logprobs`; `refusal` where "
        "the answer declines, `none_of_options` where it says that no option fits; `none` where "
        "nothing can be read from it.",
        "correct": "Whether that is the right option.",
        "similarity": "Cosine similarity of caption and reference.",
        "scored": "Whether the answer counts; what does not is counted in `n_unscored`.",
    },
    "consensus": {
        "question_id": "Question that was answered.",
        "scene_id": "Its scene.",
        "n_models": "Models of the consensus that were asked it.",
        "n_wrong": "How many of them chose another option than the answer.",
        "n_none": "How many others of them said that the answer is not among the options.",
        "keep": "Whether the question counts where only questions that consensus keeps do.",
        "models": "Their names, the best first.",
    },
    "metrics": {
        "questions": "Of which questions: `all`, or those that consensus keeps (`consensus`).",
        "model": "Name of the model.",
        "scenario": "Condition.",
        "question_type": "Question type, or `all`.",
        "subtask": "Subtask asked about, or `all`.",
        "style": "Style, or `all`.",
        "perturbation": "Kind of perturbation, or `all`.",
        "severity": "Severity of a corruption, `1` to `5`; `0`: the clean answers to the same "
        "questions; or `all`.",
        "metric": "Name of the metric.",
        "value": "Point estimate, in percent except SQ, SC (squared percentage points), counts. "
        "Differences are in percentage points.",
        "stderr": "Standard error, clustered by scene.",
        "low": "Lower end of the 95 % interval.",
        "high": "Upper end of the 95 % interval.",
        "n": "Answers that the number rests on; pairs of answers for differences.",
        "n_unscored": "Answers left out of it because they could not be scored.",
        "n_refused": "How many of these are refusals, the server's or in the answer's words.",
        "n_truncated": "How many of these were cut off at the limit of tokens.",
        "n_failed": "How many of these are failed requests: errors and time-outs.",
    },
    "comparisons": {
        "family": "`models`: a model and another one in the same scenario; `scenarios`: a model "
        "in a scenario and in clean.",
        "model": "Name of the model.",
        "scenario": "Condition.",
        "baseline_model": "Model that it is compared with.",
        "baseline_scenario": "Condition that it is compared with.",
        "question_type": "Question type, or `all`.",
        "difference": "Score less the baseline's over the paired answers, in percentage points.",
        "stderr": "Standard error, clustered by scene.",
        "low": "Lower end of the 95 % interval.",
        "high": "Upper end of the 95 % interval.",
        "p": "Two-sided p-value that there is no difference, by permutation of scenes.",
        "p_holm": "The same with Holm's correction over the family's rows of this question type.",
        "n": "Pairs of answers.",
        "n_better": "Pairs in which the model does better than the baseline.",
        "n_worse": "Pairs in which it does worse.",
        "n_unpaired": "Answers without a partner, because either is missing or unscored.",
    },
}

COLUMNS["reference_scenes"] = {
    **{name: said for name, said in COLUMNS["scenes"].items() if name not in graph.MEANINGS},
    "scene_id": "Id of the scene: hash of (a seed that no snapshot can have, subtask, ordinal).",
    "split": "`training` or `validation`.",
    "image": "The picture.",
    "image.bytes": "The file, as PNG, `reference.scenes.pixels` a side.",
    "image.path": "A file name for tools that write the picture out.",
    "plain": "The same scene without its style; null for scenes that validate.",
    "plain.bytes": "The file, as PNG.",
    "plain.path": "A file name.",
    "closeup": "Its foreground alone; null for scenes that validate.",
    "closeup.bytes": "The file, as PNG.",
    "closeup.path": "A file name.",
}

_INTRODUCTION = """\
# Data dictionary

<!-- Generated from lvlmbench/tables/dictionary.py by 'make docs'. Do not edit. -->

Tables are Parquet files. A table is a folder of `part-NNNNN.parquet`, one file a shard; read the
folder as a whole, e.g. `pyarrow.dataset.dataset("data/corpus/scenes").to_table()`. The metadata of
each file holds the version of the schema (`lvlmbench.schema_version`, now {version}) and the id of
the snapshot (`lvlmbench.snapshot_id`). Times, host names and versions of software are not in the
tables but in `results/provenance.json`.
"""


def flatten(schema: pa.Schema) -> list[tuple[str, str]]:
    """Columns and struct parts of a schema, each with its type in words."""
    return [row for field in schema for row in _flat(field.name, field.type)]


def _flat(name: str, kind: pa.DataType) -> list[tuple[str, str]]:
    """The rows of one column: itself, and its parts where it has any."""
    listed = pa.types.is_list(kind)
    inner = kind.value_type if listed else kind
    said = "struct" if pa.types.is_struct(inner) else str(inner)
    rows = [(name, f"list of {said}" if listed else said)]
    if pa.types.is_struct(inner):
        parts = [inner.field(i) for i in range(inner.num_fields)]
        rows += [row for part in parts for row in _flat(f"{name}.{part.name}", part.type)]
    return rows


def markdown() -> str:
    """docs/data-dictionary.md.

    Raises
    ------
    KeyError
        A column has no description: write one above.
    """
    parts = [_INTRODUCTION.format(version=tables.SCHEMA_VERSION)]
    for name, (schema, place, key, what) in TABLES.items():
        lines = [f"## {name}", "", f"`{place}` · key: {key}", "", what, ""]
        lines += ["| column | type | meaning |", "| --- | --- | --- |"]
        lines += [f"| `{c}` | {kind} | {COLUMNS[name][c]} |" for c, kind in flatten(schema)]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
