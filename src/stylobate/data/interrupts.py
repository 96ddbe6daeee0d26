"""Ctrl-C that another library noticed first, and told in words of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_WORDS = ("Query interrupted", "INTERRUPT Error")  # DuckDB's two ways to say it


def is_interrupt(error: object) -> bool:
    """Whether an error is Ctrl-C in disguise.

    >>> is_interrupt(RuntimeError("Query interrupted")), is_interrupt(ValueError("no such column"))
    (True, False)
    """
    return any(words in str(error) for words in _WORDS)


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C be KeyboardInterrupt, whoever noticed it."""
    try:
        yield
    except Exception as error:
        if is_interrupt(error):
            raise KeyboardInterrupt from error
        raise
