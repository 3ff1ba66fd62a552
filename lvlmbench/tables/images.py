"""The table images."""

from __future__ import annotations

from lvlmbench.tables.declaration import (
    FLOAT,
    INT8,
    INT8S,
    INT32,
    INT64,
    STRING,
    Column,
    Table,
    picture,
    struct,
)

#: What stands as the renderer of pictures that nobody drew: files of a user's own.
GIVEN = "given"

IMAGES = Table(
    name="images",
    what="One image (I). The struct `image` is what Hugging Face `datasets` decodes as an Image.",
    place="images/{scenario}",
    key=("image_id",),
    columns=(
        Column("image_id", STRING, "Id of the image.", filled=True),
        Column("scene_id", STRING, "Scene that the image shows.", filled=True),
        Column(
            "question_id",
            STRING,
            "Question that the image was made for, where an attack needs one; or null.",
        ),
        Column(
            "order",
            INT8S,
            "Options that its question offers here, in the order shown: indices into `options` and "
            "`replaced` of the question, one behind the other; null where it offers its `options`.",
        ),
        Column(
            "scenario",
            STRING,
            "Condition under which the scene is shown, e.g. `clean`.",
            filled=True,
        ),
        struct(
            "perturbation",
            "What was done to the clean image; null parts where nothing was.",
            Column("kind", STRING, "Kind of corruption or attack."),
            Column("severity", INT8, "Severity of a corruption, or rank of a lower resolution."),
            Column("parameters", STRING, "Parameters as JSON."),
            Column("printed_text", STRING, "Text that a print attack wrote on the image."),
            Column(
                "epsilon", FLOAT, "What an adversarial perturbation reaches on the stored bytes."
            ),
            Column("proxy", STRING, "Model that an adversarial perturbation was computed on."),
        ),
        picture(
            "image",
            "The picture; null where the question is asked without one.",
            "The file, as PNG.",
            "A file name for tools that write the picture out.",
        ),
        Column("width", INT32, "Width in pixels.", between=(1, 2**15)),
        Column("height", INT32, "Height in pixels.", between=(1, 2**15)),
        Column("sha256", STRING, "SHA-256 of `image.bytes`."),
        Column("renderer", STRING, "Name of the renderer."),
        Column("renderer_version", STRING, "Version of the renderer's drawing rules."),
        Column("seed", INT64, "Seed of its scene or question at the stage that made the image."),
    ),
)
