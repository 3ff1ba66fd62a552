"""The table attempts."""

from __future__ import annotations

from lvlmbench.tables.declaration import BOOL, FLOAT, INT16, INT32, INT64, STRING, Column, Table

ATTEMPTS = Table(
    name="attempts",
    what="One attempt at drawing a scene: the first one, and those after a filter of "
    "`render.retries` rejected the one before, or after it failed. The last one that drew is the "
    "scene's image.",
    place="attempts",
    key=(
        "scene_id",
        "attempt",
    ),
    columns=(
        Column("image_id", STRING, "Id of the image, or the id it would have had.", filled=True),
        Column("scene_id", STRING, "Scene that was to be drawn.", filled=True),
        Column("subtask", STRING, "Its subtask."),
        Column("attempt", INT16, "0 for the first one.", filled=True),
        Column("seed", INT64, "Seed of this attempt."),
        Column("renderer", STRING, "Name of the renderer that drew it."),
        Column(
            "renderer_version", STRING, "Version of the renderer: its rules, weights and libraries."
        ),
        Column(
            "outcome",
            STRING,
            "`kept`, `rejected` by a filter of `render.retries`, `refused` by the renderer, which "
            "cannot draw the scene, or `failed` while it drew: a server was asked in vain.",
            filled=True,
        ),
        Column("filter", STRING, "Filter that rejected it; null where none did."),
        Column(
            "reason",
            STRING,
            "Why it was rejected or refused, or what failed; null where it was kept.",
        ),
        Column("score", FLOAT, "What that filter measured; null where it measures nothing."),
        Column("threshold", FLOAT, "What the score was compared with; null where there is none."),
        Column(
            "method",
            STRING,
            "How the image came about: `drawn` from vector art, `text-to-image`, `composited` (a "
            "typeset word on a generated carrier), `textdiffuser2`; null where nothing was drawn.",
        ),
        Column(
            "prompt_tokens",
            INT32,
            "Tokens of the prompt in the first text encoder; null where there is none.",
        ),
        Column("prompt_chunks", INT16, "Pieces that the prompt was encoded in."),
        Column("prompt_tokens_cut", INT32, "Tokens of the prompt that no text encoder has read."),
        Column(
            "exact",
            BOOL,
            "Whether the image was drawn alone, so that nothing of it depends on others.",
        ),
        Column("batch", INT16, "Images that were drawn with it, itself included."),
        Column(
            "prompt",
            STRING,
            "What the scene's prompt was changed to for this attempt; null where it is unchanged.",
        ),
        Column(
            "provenance",
            STRING,
            "What drew it, as JSON: model, weights' hashes, device, library versions; null for "
            "vector art.",
        ),
    ),
    once=False,
)
