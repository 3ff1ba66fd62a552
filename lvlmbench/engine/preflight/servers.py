"""Whether the servers that a run will ask are there, before it computes anything."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from lvlmbench.config.models import Model
from lvlmbench.config.sections import Shared
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import PLACES, Asked, missing_keys, models_asked
from lvlmbench.engine.retry import may_have_answered
from lvlmbench.stages.answer.chat.probe import Wrong, probe
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import request_hash
from lvlmbench.stages.answer.requests.cache import default_path

#: Seconds that a server gets to take a connection.
_PATIENCE_S = 5.0
_END = "unless all its answers are known, the run will end once it is asked"
#: Where one is set, requests go by another machine.
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def check_servers(params: Shared, asking: Collection[tuple[str, str]], source: str) -> list[str]:
    """Check that servers take connections and that their keys are set; return what may be wrong.

    A server is also asked whether it has the model, once: for its list of models, and where that
    does not tell, for a few tokens.

    A model whose answers are all known needs none of it. Where it never answered anything, none
    are: then it is an error, else a line for each.

    Parameters
    ----------
    asking
        Stages and names of who is asked in jobs of this run.

    Raises
    ------
    UserError
        The first server that cannot be asked.
    """
    found = list(_wrong(params, asking))
    models = dict(models_asked(params)) if found else {}
    for asked, key, what, fix in found:
        if not _may_know(models[asked]):
            raise UserError(f"{source}: {PLACES[asked.stage]}: {asked.name}: {key}", what, fix)
    return [
        f"{asked}: {what}; {f'{fix} ' if fix.startswith('did you mean') else ''}{_END}"
        for asked, _, what, fix in found
    ]


def key_lines(params: Shared, asking: Collection[tuple[str, str]], source: str = "") -> list[str]:
    """Return a line for each who is asked and whose key is not set here.

    No more than a line: where jobs run on other machines the key may be there alone. But who
    starts a run that renders for hours before it asks is to know at once.
    """
    return [
        f"{asked}: the environment variable {variable} is not set; {_END}"
        for asked, variable in missing_keys(params).items()
        if (asked.stage, asked.name) in asking
    ]


def _wrong(
    params: Shared, asking: Collection[tuple[str, str]]
) -> Iterator[tuple[Asked, str, str, str]]:
    """What is wrong with who is asked: key of the parameters, what, what to do."""
    keyless = missing_keys(params)
    for asked, variable in keyless.items():
        if tuple(asked) not in asking:
            continue
        fix = f"run 'export {variable}=...', or write null for a server without keys"
        what = f"the environment variable {variable} is not set"
        yield asked, "endpoint.api_key_env", what, fix
    seen: dict[str, str | None] = {}
    tried: dict[str, Wrong | None] = {}
    for asked, model in models_asked(params):
        url = _server(model)
        if url is None or tuple(asked) not in asking:
            continue
        if url not in seen:
            seen[url] = unreachable(url)
        if (why := seen[url]) is not None:
            fix = "start the server, or correct the address"
            yield asked, "endpoint.base_url", f"no server answers at {url} ({why})", fix
        elif asked not in keyless and (wrong := _unknown(model, tried)) is not None:
            yield asked, f"endpoint.{wrong.key}", wrong.what, wrong.fix


def _unknown(model: Model, tried: dict[str, Wrong | None]) -> Wrong | None:
    """What a server says is wrong with a model and its key; nobody is asked twice.

    A server that was found right is remembered, for all runs.
    """
    endpoint = model.find(Endpoint)
    if endpoint is None:
        return None
    key = _key(endpoint)
    if key is not None and not (key.isascii() and key.isprintable()):
        what = f"what {endpoint.api_key_env} holds is no key: letters that no header may have"
        return Wrong("api_key_env", what, f"export {endpoint.api_key_env} again, in one line")
    met = _met(endpoint)
    own = met.name
    if own not in tried:
        tried[own] = None
        if not met.exists():
            tried[own], answered = probe(endpoint, key)
            if answered:
                _remember(met)
    return tried[own]


def _key(endpoint: Endpoint) -> str | None:
    variable = endpoint.api_key_env
    return os.environ.get(variable, "").strip() if variable else None


def _met(endpoint: Endpoint) -> Path:
    """Mark, beside the answers, that a server was found to have a model and to take this key."""
    own = request_hash(endpoint.base_url, endpoint.model, _key(endpoint) or "")[:16]
    return default_path().parent / "met" / own


def _may_know(model: Model) -> bool:
    """Whether some answers of a model may be known."""
    endpoint = model.find(Endpoint)
    return endpoint is None or _met(endpoint).exists() or may_have_answered(endpoint)


def _remember(mark: Path) -> None:
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    except OSError:  # it will be asked again
        return


def _server(model: Model) -> str | None:
    kind = model.made_by()
    return None if kind is None or kind.server is None else kind.server(model)


def unreachable(url: str) -> str | None:
    """Return why nobody takes a connection at an address, in a few words; None where one does.

    Nothing is sent. Where requests go through a proxy, nothing is tried.
    """
    if any(os.environ.get(name) or os.environ.get(name.upper()) for name in _PROXIES):
        return None
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with socket.create_connection((parts.hostname or "", port), _PATIENCE_S):
            return None
    except TimeoutError:
        return f"no connection within {_PATIENCE_S:.0f} s"
    except OSError as error:
        return (error.strerror or str(error)).lower()
