"""The table requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT8, INT32, INT64, STRING, Column, Table

#: What may come of a request of a role.
REQUESTED_AS = ("answered", "refused", "malformed", "error", "timeout")

#: How a call was asked, what came back, and what it cost.
_HOW = (
    Column("template", STRING, "Template with its version, e.g. `claims@1`.", filled=True),
    Column("template_sha256", STRING, "SHA-256 of the template's file.", filled=True),
    Column("schema_sha256", STRING, "SHA-256 of the schema that binds replies.", filled=True),
    Column("request_sha256", STRING, "Key of the answer cache.", filled=True),
    Column("parameters", STRING, "What else decides the reply, as JSON.", filled=True),
    Column("served_model", STRING, "Model that the server says has answered."),
    Column(
        "structured",
        STRING,
        "How the reply was bound to its schema: `json_schema`, `json_object`, or `text` where "
        "the prompt alone asks for it.",
    ),
    Column("reply", STRING, "What came back; null where nothing did."),
    Column(
        "status",
        STRING,
        "`answered`, `refused`, `malformed` (it breaks the rules), `error` or `timeout`.",
        filled=True,
        words=REQUESTED_AS,
    ),
    Column("complaint", STRING, "What is wrong, in one line; null where nothing is."),
    Column("attempts", INT32, "Requests sent until this reply."),
    Column("prompt_tokens", INT64, "Tokens of the request, as the server counts them."),
    Column("completion_tokens", INT64, "Tokens of the reply, as the server counts them."),
    Column("cost_usd", FLOAT, "Cost in US dollars; null without prices.", between=(0, 1e9)),
    Column("latency_s", FLOAT, "Seconds from request to reply.", between=(0, 1e9)),
)


def calls(
    item: str, round_: str, *asked: Column, purpose: str = "the template's name"
) -> tuple[Column, ...]:
    """Return the columns of a table of calls of models in a role.

    Parameters
    ----------
    item, round_, purpose
        What the columns of these names hold, for the data dictionary.
    asked
        Columns that name the model that was asked, and for what.
    """
    return (
        *asked,
        Column("request_id", STRING, "Hash of purpose, item and round.", filled=True),
        Column("call", INT8, "Which call of the request, from 0; later ones mend.", filled=True),
        Column("purpose", STRING, f"What was asked for: {purpose}.", filled=True),
        Column("item", STRING, f"What it is about: {item}.", filled=True),
        Column("round", INT8, round_, filled=True),
        *_HOW,
    )


REQUESTS = Table(
    name="requests",
    what="One call of a model that judges: what was asked, what came back, and what it cost. What "
    "several answers took together stands with each of them, under one `request_sha256`.",
    place="requests/{judge}/{model}/{scenario}",
    key=("judge", "model", "scenario", "request_id", "call"),
    columns=calls(
        "the hash of an answer",
        "Which order of a pair, from 0.",
        Column("judge", STRING, "Name of the judge.", filled=True),
        Column("model", STRING, "Name of the model whose answer is judged.", filled=True),
        Column("scenario", STRING, "Condition under which the scene was shown.", filled=True),
    ),
)
