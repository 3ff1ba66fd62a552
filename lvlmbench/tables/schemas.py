"""The Arrow schemas of the tables that the stages exchange.

docs/data-dictionary.md describes the columns for readers of a snapshot.
"""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.tables import graph

SCHEMA_VERSION = "7"

ATTRIBUTES = pa.struct(
    [
        ("color", pa.string()),
        ("number", pa.int8()),
        ("age", pa.string()),
        ("gender", pa.string()),
        ("race", pa.string()),
        ("expression", pa.string()),
    ]
)

#: M and P: one row a planned scene. ``foreground_list`` is the vocabulary list of the foreground.
SCENES = pa.schema(
    [
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("ordinal", pa.int32()),
        ("foreground_list", pa.string()),
        ("foreground", pa.string()),
        ("attributes", ATTRIBUTES),
        ("background", pa.string()),
        ("style", pa.string()),
        ("text", pa.string()),
        ("prompt", pa.string()),
        ("negative_prompt", pa.string()),
        ("caption", pa.string()),
        ("seed", pa.int64()),
        *graph.COLUMNS,
    ]
)

#: Q: one row a question. ``chance`` is the accuracy of guessing (null for free-form); ``claim``
#: is the label that a true-or-false statement asserts; ``key`` is what is asked of the scene.
QUESTIONS = pa.schema(
    [
        ("question_id", pa.string()),
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("granularity", pa.string()),
        ("question_type", pa.string()),
        ("question", pa.string()),
        ("options", pa.list_(pa.string())),
        ("answer", pa.string()),
        ("answer_index", pa.int8()),
        ("chance", pa.float64()),
        ("claim", pa.string()),
        ("key", pa.string()),
    ]
)

#: I: one row an image; the struct is the layout that Hugging Face ``datasets`` decodes.
IMAGES = pa.schema(
    [
        ("image_id", pa.string()),
        ("scene_id", pa.string()),
        ("question_id", pa.string()),
        ("scenario", pa.string()),
        (
            "perturbation",
            pa.struct(
                [
                    ("kind", pa.string()),
                    ("severity", pa.int8()),
                    ("parameters", pa.string()),
                    ("printed_text", pa.string()),
                    ("epsilon", pa.float64()),
                    ("proxy", pa.string()),
                ]
            ),
        ),
        ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        ("width", pa.int32()),
        ("height", pa.int32()),
        ("sha256", pa.string()),
        ("renderer", pa.string()),
        ("renderer_version", pa.string()),
        ("seed", pa.int64()),
    ]
)

#: One row per attempt at drawing a scene: the first, and those after a filter rejected the one
#: before. ``provenance`` is JSON.
ATTEMPTS = pa.schema(
    [
        ("image_id", pa.string()),
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("attempt", pa.int16()),
        ("seed", pa.int64()),
        ("renderer", pa.string()),
        ("renderer_version", pa.string()),
        ("outcome", pa.string()),
        ("filter", pa.string()),
        ("reason", pa.string()),
        ("score", pa.float64()),
        ("threshold", pa.float64()),
        ("method", pa.string()),
        ("prompt_tokens", pa.int32()),
        ("prompt_chunks", pa.int16()),
        ("prompt_tokens_cut", pa.int32()),
        ("exact", pa.bool_()),
        ("batch", pa.int16()),
        ("provenance", pa.string()),
    ]
)

#: One row per (image, filter). Verdicts of the filter ``render`` say which scenes were not drawn
#: and why; there ``image_id`` is the id the image would have had.
VERDICTS = pa.schema(
    [
        ("image_id", pa.string()),
        ("scene_id", pa.string()),
        ("filter", pa.string()),
        ("score", pa.float64()),
        ("threshold", pa.float64()),
        ("keep", pa.bool_()),
        ("reason", pa.string()),
        ("note", pa.string()),
    ]
)

#: One row per (model, scenario, question, image): what was asked, what came back, and how.
#: ``parameters`` is JSON; ``logprobs`` has one number an option, null where the server gave none.
ANSWERS = pa.schema(
    [
        ("model", pa.string()),
        ("scenario", pa.string()),
        ("question_id", pa.string()),
        ("image_id", pa.string()),
        ("image_sha256", pa.string()),
        ("request_sha256", pa.string()),
        ("prompt", pa.string()),
        ("parameters", pa.string()),
        ("served_model", pa.string()),
        ("text", pa.string()),
        ("reasoning", pa.string()),
        ("logprobs", pa.list_(pa.float64())),
        ("status", pa.string()),
        ("finish_reason", pa.string()),
        ("error", pa.string()),
        ("latency_s", pa.float64()),
        ("prompt_tokens", pa.int64()),
        ("completion_tokens", pa.int64()),
        ("cost_usd", pa.float64()),
        ("attempts", pa.int32()),
    ]
)

#: One row an answer. Exactly one of ``correct`` and ``similarity`` is set where ``scored``.
#: ``perturbation`` and ``severity`` are of the image, null where nothing was done to it.
SCORES = pa.schema(
    [
        ("model", pa.string()),
        ("scenario", pa.string()),
        ("question_id", pa.string()),
        ("image_id", pa.string()),
        ("perturbation", pa.string()),
        ("severity", pa.int8()),
        ("scene_id", pa.string()),
        ("subtask", pa.string()),
        ("question_type", pa.string()),
        ("style", pa.string()),
        ("status", pa.string()),
        ("parsed_index", pa.int8()),
        ("parse_method", pa.string()),
        ("correct", pa.bool_()),
        ("similarity", pa.float64()),
        ("scored", pa.bool_()),
    ]
)

#: One row per closed question that was answered: whether the best models agree with it.
CONSENSUS = pa.schema(
    [
        ("question_id", pa.string()),
        ("scene_id", pa.string()),
        ("n_models", pa.int32()),
        ("n_wrong", pa.int32()),
        ("n_none", pa.int32()),
        ("keep", pa.bool_()),
        ("models", pa.list_(pa.string())),
    ]
)

_PICTURE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])

#: What the reference models are trained on: small images with what they show. ``plain`` is the
#: image without its style, ``closeup`` its foreground; null for scenes that validate.
REFERENCE_SCENES = pa.schema(
    [
        *(field for field in SCENES if field not in graph.COLUMNS),
        pa.field("split", pa.string()),
        pa.field("image", _PICTURE),
        pa.field("plain", _PICTURE),
        pa.field("closeup", _PICTURE),
    ]
)

#: Long format. ``questions`` says of which questions: ``all``, or those that the models' consensus
#: keeps (``consensus``). "all" in another key column means: over all of them; ``severity`` is a
#: digit as text. Values are in percent except SQ, SC (squared percentage points) and counts.
METRICS = pa.schema(
    [
        ("questions", pa.string()),
        ("model", pa.string()),
        ("scenario", pa.string()),
        ("question_type", pa.string()),
        ("subtask", pa.string()),
        ("style", pa.string()),
        ("perturbation", pa.string()),
        ("severity", pa.string()),
        ("metric", pa.string()),
        ("value", pa.float64()),
        ("stderr", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("n", pa.int64()),
        ("n_unscored", pa.int64()),
        ("n_refused", pa.int64()),
        ("n_truncated", pa.int64()),
        ("n_failed", pa.int64()),
    ]
)

#: One row a comparison of paired answers: a model with another one in the same scenario (family
#: ``models``), or with itself in the clean scenario (family ``scenarios``).
COMPARISONS = pa.schema(
    [
        ("family", pa.string()),
        ("model", pa.string()),
        ("scenario", pa.string()),
        ("baseline_model", pa.string()),
        ("baseline_scenario", pa.string()),
        ("question_type", pa.string()),
        ("difference", pa.float64()),
        ("stderr", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("p", pa.float64()),
        ("p_holm", pa.float64()),
        ("n", pa.int64()),
        ("n_better", pa.int64()),
        ("n_worse", pa.int64()),
        ("n_unpaired", pa.int64()),
    ]
)
