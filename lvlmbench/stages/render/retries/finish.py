"""Work on finished images while the next ones are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

#: Threads that encode and store; one of them at a time asks the filters.
THREADS = 2
#: Images that wait for them at most, so that memory stays flat.
WAITING = 16


def finished(
    made: Iterable[T], finish: Callable[[T], R], threads: int = THREADS, waiting: int = WAITING
) -> Iterator[R]:
    """What ``finish`` makes of each of ``made``, as it is done.

    ``made`` is asked for the next one by the calling thread while others work on those before. An
    error of either ends both.
    """
    source = iter(made)
    pool = ThreadPoolExecutor(threads, "finish")
    pending: set[Future[R]] = set()
    try:
        for each in source:
            pending.add(pool.submit(finish, each))
            del each  # an image need not outlive its work
            if len(pending) >= waiting:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
            else:
                done = {future for future in pending if future.done()}
                pending -= done
            for future in done:
                yield future.result()
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        close = getattr(source, "close", None)
        if close is not None:  # a generator: its own threads end, too
            close()
