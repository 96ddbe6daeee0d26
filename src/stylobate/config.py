"""Global settings: containers returned, how estimators are shown, trust in input, shortcuts.

Settings belong to the current context (`contextvars`): a change made in one thread or asynchronous
task is not seen by another, as in scikit-learn. The number of threads is set in
`stylobate.parallel`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from stylobate.exceptions import InvalidParameterError

_ALLOWED: dict[str, tuple[Any, ...]] = {
    "transform_output": ("input", "default", "pandas", "polars", "pyarrow"),
    "display": ("diagram", "text"),
    "assume_finite": (False, True),
    "cross_validation": ("auto", "refit"),
}
_SIZES = {"collect_limit": 1 << 30}  # bytes, and what they are at first
_INITIAL = {name: allowed[0] for name, allowed in _ALLOWED.items()} | _SIZES
_settings: ContextVar[dict[str, Any]] = ContextVar("stylobate_settings", default=_INITIAL)


def get_config() -> dict[str, Any]:
    """The settings now in force, as a dictionary of one's own.

    Returns
    -------
    dict
        ``transform_output``, ``display``, ``assume_finite``, ``cross_validation`` and
        ``collect_limit``; see `set_config`.

    Examples
    --------
    >>> get_config()["display"]
    'diagram'
    """
    return dict(_settings.get())


def set_config(
    *,
    transform_output: str | None = None,
    display: str | None = None,
    assume_finite: bool | None = None,
    cross_validation: str | None = None,
    collect_limit: int | None = None,
) -> None:
    """Change settings for the current context; ``None`` leaves a setting as it is.

    Parameters
    ----------
    transform_output : {"input", "default", "pandas", "polars", "pyarrow"}, default=None
        What transformers return: the kind of container they were given ("input", at first), a
        NumPy array ("default") or the named frame. `set_output` of one transformer goes first.
    display : {"diagram", "text"}, default=None
        How notebooks show an estimator: as HTML ("diagram", at first) or as plain text.
    assume_finite : bool, default=None
        If True, input is not searched for NaN and infinities. Faster; the answer is undefined
        if there are any.
    cross_validation : {"auto", "refit"}, default=None
        Whether cross-validation may take fits and scores from statistics of the folds where the
        estimator allows it ("auto", at first), or fits every model to its rows ("refit").
    collect_limit : int >= 0, default=None
        How many bytes of a stream, file or relation an estimator that needs all rows in memory may
        collect (1 GiB at first); more are refused. Models that pass over a file several times keep
        it in memory if it takes no more than a quarter of that.

    Examples
    --------
    >>> set_config(display="text")
    >>> get_config()["display"]
    'text'
    >>> set_config(display="diagram")
    """
    given = {
        "transform_output": transform_output,
        "display": display,
        "assume_finite": assume_finite,
        "cross_validation": cross_validation,
        "collect_limit": collect_limit,
    }
    _settings.set(_changed(given))


@contextmanager
def config_context(**settings: Any) -> Iterator[None]:
    """Change settings inside a ``with`` block; they return to what they were afterwards.

    Parameters
    ----------
    **settings : object
        As in `set_config`.

    Examples
    --------
    >>> with config_context(assume_finite=True):
    ...     get_config()["assume_finite"]
    True
    >>> get_config()["assume_finite"]
    False
    """
    token = _settings.set(_changed(settings))
    try:
        yield
    finally:
        _settings.reset(token)


def _changed(given: dict[str, Any]) -> dict[str, Any]:
    """The settings in force with those of `given` that are not None put in their place."""
    for name, value in given.items():
        if name not in _INITIAL:
            raise InvalidParameterError(
                f"There is no setting {name!r}; the settings are {', '.join(_INITIAL)}."
            )
        if name in _SIZES:
            if value is not None and (type(value) is not int or value < 0):
                raise InvalidParameterError(f"{name} must be a number of bytes, got {value!r}.")
            continue
        allowed = _ALLOWED[name]
        # `1 in (False, True)` holds in Python, so the type is compared as well
        if value is not None and not any(type(value) is type(a) and value == a for a in allowed):
            words = ", ".join(repr(option) for option in allowed)
            raise InvalidParameterError(f"{name} must be one of {words}, got {value!r}.")
    return _settings.get() | {name: value for name, value in given.items() if value is not None}
