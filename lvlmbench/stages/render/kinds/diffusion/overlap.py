"""Work that runs ahead of whoever takes its results, in a thread of its own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class Ahead(Generic[T], Iterator[T]):
    """The items of ``source``, which a thread takes from it before they are asked for.

    The order stays, and an error of the source is raised where the item would have come. Used as
    a context manager: the thread lives from its beginning to its end, however that comes.

    Parameters
    ----------
    source
        Iterated, and closed if it is a generator, by the thread alone.
    places
        Items that wait to be taken, at most; the thread holds one more.
    upstream
        What ``source`` takes from; it is told to stop as well, so that no thread waits for it.
    interrupt
        Called where the thread is told to stop before it is done: cuts what it works on short.
    """

    def __init__(
        self,
        source: Iterable[T],
        places: int,
        name: str,
        upstream: Ahead[Any] | None = None,
        interrupt: Callable[[], None] | None = None,
    ) -> None:
        self._places, self._upstream, self._interrupt = places, upstream, interrupt
        self._items: deque[T] = deque()
        self._changed = threading.Condition()
        self._stopped = self._ended = False
        self._error: BaseException | None = None
        # A daemon, so that a generator that nobody closes does not keep the process from ending.
        self._thread = threading.Thread(
            target=self._work, args=(source,), name=f"lvlmbench-{name}", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join()

    @property
    def stopped(self) -> bool:
        """Return whether nobody wants more items."""
        return self._stopped

    def stop(self) -> None:
        """Have the thread end with the item that it works on; that and what waits is dropped."""
        if self._upstream is not None:
            self._upstream.stop()
        with self._changed:
            self._stopped = True
            self._items.clear()
            self._changed.notify_all()
            at_work = not self._ended
        if at_work and self._interrupt is not None:
            self._interrupt()

    def __next__(self) -> T:
        with self._changed:
            self._changed.wait_for(lambda: self._items or self._ended or self._stopped)
            if self._items:
                item = self._items.popleft()
                self._changed.notify_all()
                return item
            error, self._error = self._error, None
        if error is not None and not self._stopped:
            raise error
        raise StopIteration

    def _put(self, item: T) -> bool:
        """Whether the item is still wanted; waits for a place."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._items) < self._places or self._stopped)
            if not self._stopped:
                self._items.append(item)
                self._changed.notify_all()
            return not self._stopped

    def _work(self, source: Iterable[T]) -> None:
        error: BaseException | None = None
        try:
            for item in source:
                if not self._put(item):
                    break
                del item  # what waits for the next one is not to keep the last
            if isinstance(source, Generator):
                source.close()
        except BaseException as caught:  # it is raised where the items are taken
            error = caught
        with self._changed:
            self._ended, self._error = True, error
            self._changed.notify_all()
