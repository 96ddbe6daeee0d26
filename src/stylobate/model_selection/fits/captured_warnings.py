"""The warnings of one fit, told apart from those of fits in other threads."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, NamedTuple


class CapturedWarning(NamedTuple):
    """A warning and the line that issued it."""

    message: Warning
    filename: str
    lineno: int

    @property
    def text(self) -> str:
        """``ConvergenceWarning: …``."""
        return f"{type(self.message).__name__}: {self.message}"


class _Never(Warning):
    """Issued by nobody."""


_INERT = ("default", None, _Never, None, 0)
_heard: ContextVar[list[CapturedWarning] | None] = ContextVar("stylobate_heard", default=None)
_lock = threading.Lock()
_listeners = 0
_shown: Callable[..., None] = warnings.showwarning


@contextmanager
def listening() -> Iterator[list[CapturedWarning]]:
    """Collect the warnings issued in this context, and in no other thread's.

    `warnings.catch_warnings` changes what all threads share; here one listener stands in for
    `warnings.showwarning` and asks whose warning it is. Filters stay as they are: what is ignored
    is not heard, and what is an error is raised.

    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("always")
    ...     with listening() as heard:
    ...         warnings.warn("steep")
    >>> [each.text for each in heard]
    ['UserWarning: steep']
    """
    found: list[CapturedWarning] = []
    _listen()
    token = _heard.set(found)
    try:
        yield found
    finally:
        _heard.reset(token)
        _leave()


def inside_a_fit() -> bool:
    """Whether this is part of a fit that somebody listens to: a search within a validation."""
    return _heard.get() is not None


def issue(heard: Iterable[CapturedWarning], registry: dict[Any, Any]) -> None:
    """Issue warnings heard before, as the filters now in force will have it.

    `registry` remembers which were shown, so that a hundred fits that warn of the same show it
    once where the filters ask for that.
    """
    for each in heard:
        warnings.warn_explicit(
            each.message, type(each.message), each.filename, each.lineno, registry=registry
        )


def _listen() -> None:
    global _listeners, _shown
    with _lock:
        _listeners += 1
        if warnings.showwarning is not _dispatch:
            _shown = warnings.showwarning
            warnings.showwarning = _dispatch
        # A change of the filters makes Python forget which warnings it has shown already; else
        # only the first of several fits would be heard.
        warnings.simplefilter("default", _Never, append=True)


def _leave() -> None:
    global _listeners
    with _lock:
        _listeners -= 1
        if _listeners:
            return
        if warnings.showwarning is _dispatch:
            warnings.showwarning = _shown
        with suppress(ValueError):
            warnings.filters.remove(_INERT)  # type: ignore[attr-defined]


def _dispatch(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    heard = _heard.get()
    if heard is None:
        _shown(message, category, filename, lineno, file, line)
        return
    warning = message if isinstance(message, Warning) else category(message)
    heard.append(CapturedWarning(warning, filename, lineno))
