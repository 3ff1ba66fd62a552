"""The table answers."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.tables.declaration import FLOAT, INT32, INT64, STRING, Column, Table

#: What may come of asking.
STATUSES = ("answered", "refused", "truncated", "error", "timeout")

ANSWERS = Table(
    name="answers",
    what="What one model was asked and what came back.",
    place="answers/{model}/{scenario}",
    key=(
        "model",
        "scenario",
        "question_id",
        "image_id",
    ),
    columns=(
        Column("model", STRING, "Name of the model in params.yaml.", filled=True),
        Column("scenario", STRING, "Condition under which the scene was shown.", filled=True),
        Column("question_id", STRING, "Question that was asked.", filled=True),
        Column("image_id", STRING, "Image that was shown."),
        Column("image_sha256", STRING, "SHA-256 of its bytes: another image is asked about anew."),
        Column(
            "request_sha256",
            STRING,
            "SHA-256 of the request without its key: the key of the answer cache.",
        ),
        Column("prompt", STRING, "The text that was sent beside the image, as it was sent."),
        Column(
            "parameters",
            STRING,
            "What else decides the reply, as JSON: the model's id or weights, decoding.",
        ),
        Column(
            "served_model",
            STRING,
            "Model that the server says has answered; null where it says nothing.",
        ),
        Column("text", STRING, "The answer; null where there is none."),
        Column(
            "reply",
            STRING,
            "What the model sent, where `text` leaves out a part of it: thoughts, marks of a chat "
            "template, a repeated prompt, turns that it invented; null where it is the answer.",
        ),
        Column(
            "reasoning",
            STRING,
            "What the model thought aloud in front of it; null where it did not.",
        ),
        Column(
            "logprobs",
            pa.list_(pa.float64()),
            "Log-probability of each option's letter as the first token, where asked for; null "
            "for letters that are not among the likeliest tokens.",
        ),
        Column(
            "status",
            STRING,
            "`answered`, `refused`, `truncated` (the answer reached the limit of tokens), `error`"
            " or `timeout`.",
            filled=True,
            words=STATUSES,
        ),
        Column("finish_reason", STRING, "Why the model stopped, as the server says."),
        Column("error", STRING, "What went wrong, in one line; null where nothing did."),
        Column(
            "latency_s",
            FLOAT,
            "Seconds from the request to the answer; null for models that compute here.",
            between=(0, 1e9),
        ),
        Column("prompt_tokens", INT64, "Tokens of the request, as the server counts them."),
        Column("completion_tokens", INT64, "Tokens of the answer, as the server counts them."),
        Column(
            "cost_usd",
            FLOAT,
            "Cost in US dollars; null where no price is configured.",
            between=(0, 1e9),
        ),
        Column("attempts", INT32, "Requests sent until this answer."),
    ),
)
