"""The next item is made on a thread while the last one is worked on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from contextvars import copy_context
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

T = TypeVar("T")

_WAIT = 0.1  # seconds between two looks whether anybody still wants the items
_END = object()


class _Failure:
    """What ended the items before their end."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


def ahead(items: Iterator[T], most: int = 1) -> Iterator[T]:
    """Items of an iterator that a thread advances, at most so many before they are asked for.

    Errors come where the items would have; closing the iterator ends the thread and closes the
    items. The thread sees the context (settings) of the one who asked for the first item.

    Examples
    --------
    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    ready: Queue[Any] = Queue(most)
    left = Event()

    def give(item: Any) -> bool:
        while not left.is_set():
            try:
                ready.put(item, timeout=_WAIT)
            except Full:
                continue
            return True
        return False

    def produce() -> None:
        try:
            for item in items:
                if not give(item):
                    break
            else:
                give(_END)
        except BaseException as error:
            give(_Failure(error))
        finally:
            close = getattr(items, "close", None)
            if close is not None:
                close()

    thread = Thread(target=copy_context().run, args=(produce,), name="stylobate-ahead", daemon=True)
    thread.start()
    try:
        while (item := ready.get()) is not _END:
            if isinstance(item, _Failure):
                raise item.error
            yield item
    finally:
        left.set()
        with suppress(Empty):  # so that the thread, if it waits for room, goes on at once
            ready.get_nowait()
        thread.join()
