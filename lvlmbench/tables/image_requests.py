"""The table image_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT16, INT32, INT64, STRING, Column, Table

#: What may come of a request for a picture.
PICTURED_AS = ("made", "refused", "wrong_size", "damaged", "error", "timeout")

IMAGE_REQUESTS = Table(
    name="image_requests",
    what="One request for a picture to a server: what was asked, what came back, and what it cost. "
    "Each belongs to an attempt of the table `attempts`; without rows where no server draws.",
    place="image_requests",
    key=("scene_id", "attempt"),
    columns=(
        Column("image_id", STRING, "Id of the image, or the id it would have had.", filled=True),
        Column("scene_id", STRING, "Scene that was to be drawn.", filled=True),
        Column("attempt", INT16, "Which attempt at the scene, from 0.", filled=True),
        Column("renderer", STRING, "Renderer that asked.", filled=True),
        Column("model", STRING, "Model that was asked for.", filled=True),
        Column(
            "request_sha256",
            STRING,
            "Hash of the request: its key in the store of pictures. Attempts that asked the same "
            "share what came back, and its cost.",
            filled=True,
        ),
        Column("prompt", STRING, "Prompt that was sent.", filled=True),
        Column(
            "revised_prompt",
            STRING,
            "Prompt that the server says it drew instead; null where it says nothing.",
        ),
        Column("seed", INT64, "Seed that was sent; null where none was."),
        Column("size", STRING, "Size that was asked for, e.g. `1024x1024`.", filled=True),
        Column(
            "status",
            STRING,
            "`made`; `refused` (by the server's policy), `wrong_size` (another size than was asked "
            "for), `damaged` (no picture that can be read), `error` or `timeout`.",
            filled=True,
            words=PICTURED_AS,
        ),
        Column("why", STRING, "What went wrong, in one line; null where a picture was made."),
        Column("served_model", STRING, "Model that the server says has drawn."),
        Column("attempts", INT32, "Requests sent until this reply.", filled=True),
        Column("prompt_tokens", INT64, "Tokens of the request, as the server counts them."),
        Column("completion_tokens", INT64, "Tokens of the reply, as the server counts them."),
        Column(
            "latency_s",
            FLOAT,
            "Seconds from request to reply, when the picture was paid for.",
            between=(0, 1e9),
        ),
        Column(
            "cost_usd",
            FLOAT,
            "What the reply cost when it came, in US dollars; null where no picture came, or no "
            "price is known.",
            between=(0, 1e9),
        ),
    ),
)
