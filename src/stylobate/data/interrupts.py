"""Ctrl-C that another library noticed first, and told in words of its own."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_WORDS = ("Query interrupted", "INTERRUPT Error")  # DuckDB's two ways to say it


def is_interrupt(error: object) -> bool:
    """Whether an error is Ctrl-C in disguise.

    >>> is_interrupt(RuntimeError("Query interrupted")), is_interrupt(ValueError("no such column"))
    (True, False)
    """
    return any(words in str(error) for words in _WORDS)


@contextmanager
def as_keyboard_interrupt() -> Iterator[None]:
    """Let Ctrl-C be KeyboardInterrupt, whoever noticed it."""
    try:
        yield
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        raise


class Remembered:
    """Ctrl-C that a library forgets is raised after its call.

    DuckDB runs steps of Python of its own inside of a query; what a signal raises there it drops.
    For calls without a ``yield`` in between; only the main thread hears signals.
    """

    def __init__(self) -> None:
        self._before: Any = None
        self._noticed = False

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            before = signal.getsignal(signal.SIGINT)
            if callable(before):  # else nobody turns the signal into an error
                self._before = before
                signal.signal(signal.SIGINT, self._notice)

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._noticed and kind is None:
            raise KeyboardInterrupt

    def _notice(self, number: int, frame: Any) -> None:
        self._noticed = True
        self._before(number, frame)
