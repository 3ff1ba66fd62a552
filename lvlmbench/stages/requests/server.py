"""What is known of any server that is asked over HTTP: its address, its key, and its limits."""

from __future__ import annotations

import os
from typing import ClassVar
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from lvlmbench.config.section import VARIABLE, Count, Price, Section
from lvlmbench.core.errors import UserError


class Server(Section):
    """Where and how a server is asked. A section of parameters; messages name its ``place``.

    Attributes
    ----------
    who
        What is asked there: a ``model``, a ``renderer``.
    priced
        Whether it is known what a reply costs.
    limits
        Requests and tokens by the minute; None: no limit.
    """

    changes_no_row = frozenset(
        {"api_key_env", "concurrency", "requests_per_minute", "timeout_s", "retries", "budget_usd"}
    )
    place: ClassVar[str] = ""
    who: ClassVar[str] = ""

    base_url: str = Field(
        "https://api.openai.com/v1", pattern=r"^https?://", description="The server's base URL."
    )
    model: str = Field(min_length=1, description="Model id as the server knows it.")
    api_key_env: str | None = Field(
        "OPENAI_API_KEY",
        pattern=VARIABLE,
        description="Environment variable that holds the key; null for a server without keys.",
    )
    concurrency: int = Field(
        8,
        ge=1,
        le=512,
        description="Requests in flight at most, over all jobs of the model on this machine. Fewer "
        "while the server pushes back or slows down.",
    )
    requests_per_minute: Count | None = Field(
        None, description="Requests sent in a minute at most; null: as many as the server takes."
    )
    timeout_s: float = Field(
        60.0, gt=0, allow_inf_nan=False, description="Seconds after which a request has failed."
    )
    retries: int = Field(4, ge=0, le=20, description="Retries of 408, 409, 429, 5xx, lost links.")
    budget_usd: Price | None = Field(
        None,
        description="US dollars to spend on the model at most, over all runs; needs a price. A run "
        "that reaches it stops, and goes on once it is raised.",
    )

    @field_validator("base_url")
    @classmethod
    def _without_secrets(cls, value: str) -> str:
        # Parameters are published with the results; a key in an address would be, too.
        try:
            parts = urlsplit(value)
            named = bool((parts.hostname or "").encode("idna")) and parts.port != 0
        except ValueError:
            named = False
        if not named:
            raise ValueError("names no server")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("must hold no user, password or query; give a key by 'api_key_env'")
        return value

    @property
    def priced(self) -> bool:
        return False

    @property
    def limits(self) -> tuple[int | None, int | None]:
        return self.requests_per_minute, None


def read_key(name: str, server: Server) -> str | None:
    """Return the key for a server; None where it needs none.

    Raises
    ------
    UserError
        The variable is unset or empty, or holds what cannot be a key. The message names the
        variable and never shows its value.
    """
    variable = server.api_key_env
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    where = f"{server.who} '{name}': environment variable {variable}"
    if not key:
        fix = f"export {variable}=<your key>, or set {server.place}.api_key_env to null for a "
        raise UserError(where, "is not set", fix + "server without keys")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise UserError(where, "holds characters that no key has", "set it to the key alone")
    return key
