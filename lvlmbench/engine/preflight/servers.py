"""Whether the servers that a run will ask are there, before it computes anything."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection, Iterator
from urllib.parse import urlsplit

from lvlmbench.config.models import Model
from lvlmbench.config.sections import Shared
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import PLACES, Asked, missing_keys, models_asked
from lvlmbench.stages.answer.requests.cache import default_path, holds_any

#: Seconds that a server gets to take a connection.
_PATIENCE_S = 5.0
_END = "unless all its answers are known, the run will end once it is asked"
#: Where one is set, requests go by another machine.
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


def check_servers(params: Shared, asking: Collection[tuple[str, str]], source: str) -> list[str]:
    """Check that servers take connections and that their keys are set; return what may be wrong.

    A model whose answers are all known needs neither. Where nothing was ever answered, none are:
    then it is an error, else a line for each.

    Parameters
    ----------
    asking
        Stages and names of who is asked in jobs of this run.

    Raises
    ------
    UserError
        The first server that cannot be asked.
    """
    found = [each for each in _wrong(params) if (each[0].stage, each[0].name) in asking]
    if found and not holds_any(default_path()):
        asked, key, what, fix = found[0]
        raise UserError(f"{source}: {PLACES[asked.stage]}: {asked.name}: {key}", what, fix)
    return [f"{asked}: {what}; {_END}" for asked, _, what, _ in found]


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


def _wrong(params: Shared) -> Iterator[tuple[Asked, str, str, str]]:
    """What is wrong with who is asked: key of the parameters, what, what to do."""
    for asked, variable in missing_keys(params).items():
        fix = f"run 'export {variable}=...', or write null for a server without keys"
        what = f"the environment variable {variable} is not set"
        yield asked, "endpoint.api_key_env", what, fix
    seen: dict[str, str | None] = {}
    for asked, model in models_asked(params):
        url = _server(model)
        if url is None:
            continue
        if url not in seen:
            seen[url] = unreachable(url)
        if (why := seen[url]) is not None:
            fix = "start the server, or correct the address"
            yield asked, "endpoint.base_url", f"no server answers at {url} ({why})", fix


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
