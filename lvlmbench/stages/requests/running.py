"""A run of requests to one server: its event loop, its client, its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from lvlmbench.stages.requests.client import Client, Replied, Ticket
from lvlmbench.stages.requests.dispatch import Dispatcher
from lvlmbench.stages.requests.throttle import Throttle

I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R", bound=Replied)


@contextmanager
def dispatching(
    make: Callable[[], Client[I, R]], throttle: Throttle
) -> Iterator[Dispatcher[Ticket[I], R]]:
    """Give what sends tickets to a server, for the length of the block.

    Parameters
    ----------
    make
        Makes the client; called once there is an event loop.
    throttle
        Closed at the end.

    Raises
    ------
    UserError
        Every single request failed on its connection.
    """
    try:
        with asyncio.Runner() as runner:
            client = make()
            try:
                yield Dispatcher(runner.get_loop(), client.ask, throttle)
            finally:
                runner.run(client.close())
    finally:
        throttle.close()
    client.raise_if_nothing_connected()
