"""The table requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT16, INT32, INT64, STRING, Column, Table

#: What may come of asking a judge.
CALL_STATUSES = ("answered", "refused", "error", "timeout", "malformed")

REQUESTS = Table(
    name="requests",
    what="One call of a judge about a model's answers. Calls that agree in `request_sha256` are one "
    "request, which was paid once.",
    place="requests/{judge}/{model}",
    key=(
        "judge",
        "model",
        "request_id",
        "call",
    ),
    columns=(
        Column("judge", STRING, "Name of the judge in params.yaml.", filled=True),
        Column("model", STRING, "Model whose answers are judged.", filled=True),
        Column(
            "request_id", STRING, "Hash of purpose, item and round: what was asked.", filled=True
        ),
        Column(
            "call",
            INT16,
            "0 for the first call; after a malformed reply there is another.",
            filled=True,
        ),
        Column(
            "purpose",
            STRING,
            "What was asked for, e.g. `claims`, `matches` or `pair`.",
            filled=True,
        ),
        Column("item", STRING, "What it was asked about.", filled=True),
        Column(
            "round",
            INT16,
            "The how manieth time that it was asked about it, from 0: a pair has two orders.",
            filled=True,
        ),
        Column("template", STRING, "Name, version and hash of the prompt's templates."),
        Column("schema", STRING, "SHA-256 of the JSON schema of the reply."),
        Column("engine", STRING, "Registered engine that was asked."),
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
        Column(
            "structured",
            STRING,
            "What held the reply to its form: the server to the schema (`json_schema`) or to JSON "
            "(`json_object`), or the prompt alone (`text`).",
            words=("json_schema", "json_object", "text"),
        ),
        Column("reply", STRING, "The reply as it came; null where there is none."),
        Column(
            "status",
            STRING,
            "`answered`, `refused`, `error`, `timeout` or `malformed` (without its form, or cut "
            "off).",
            filled=True,
            words=CALL_STATUSES,
        ),
        Column("complaint", STRING, "What is wrong with the reply, or what failed, in one line."),
        Column("attempts", INT32, "Requests sent until this reply."),
        Column("prompt_tokens", INT64, "Tokens of the request, as the server counts them."),
        Column("completion_tokens", INT64, "Tokens of the reply, as the server counts them."),
        Column(
            "cost_usd",
            FLOAT,
            "Cost in US dollars; null where no price is configured.",
            between=(0, 1e9),
        ),
        Column(
            "latency_s",
            FLOAT,
            "Seconds from the request to the reply; null for models that compute here.",
            between=(0, 1e9),
        ),
        Column(
            "request_sha256",
            STRING,
            "SHA-256 of the request without its key: the key of the answer cache.",
        ),
    ),
)
