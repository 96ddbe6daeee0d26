"""Errors that name the part they come from, and the lines that say how long a part took."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

_WIDTH = 70  # of a line, as scikit-learn prints them
_MINUTE = 60


@contextmanager
def speaking_of(role: str, name: str, part: Any) -> Iterator[None]:
    """Let an error raised inside begin with the part it comes from; its class stays the same.

    >>> with speaking_of("step", "scale", 3.0):
    ...     raise ValueError("X holds NaN.")
    Traceback (most recent call last):
        ...
    ValueError: step 'scale' (float): X holds NaN.
    """
    try:
        yield
    except Exception as error:
        whose = f"{role} {name!r} ({_called(part)})"
        told = error.args[0] if len(error.args) == 1 else None
        if isinstance(told, str) and str(error) == told:
            told = told.removeprefix(f"{_called(part)}: ")  # our estimators begin with their name
            error.args = (f"{whose}: {told}",)
        else:  # its text is made otherwise, so it cannot be changed, only added to
            error.add_note(f"in {whose}")
        raise


@contextmanager
def timed(owner: str, message: str | None) -> Iterator[None]:
    """Print the message and how long the block took, in the format of scikit-learn.

    >>> with timed("Pipeline", "(step 1 of 2) Processing scale"):
    ...     pass
    [Pipeline] ............. (step 1 of 2) Processing scale, total=   0.0s
    """
    if message is None:
        yield
        return
    start = perf_counter()
    yield
    took = perf_counter() - start
    total = f"{took / _MINUTE:4.1f}min" if took > _MINUTE else f" {took:5.1f}s"
    left, right = f"[{owner}] ", f" {message}, total={total}"
    print(left + "." * (_WIDTH - len(left) - len(right)) + right)


def _called(part: Any) -> str:
    return repr(part) if isinstance(part, str) else type(part).__name__
