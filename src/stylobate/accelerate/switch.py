"""On and off: methods of scikit-learn's classes replaced by ours, and put back exactly."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable
from copy import copy
from time import perf_counter
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np

from stylobate.accelerate.adapter import Adapter, class_of
from stylobate.accelerate.book import Book, Call, Report
from stylobate.accelerate.children import inherit, inherit_no_more
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning

SUPPORTED = ("1.9",)  # releases of scikit-learn whose classes the table was checked against
_ABSENT = object()
_book = Book()
_replaced: dict[tuple[type, str], Any] = {}
_options: dict[str, Any] = {}


class Acceleration:
    """What `accelerate` returns: a context manager, or kept and undone by hand.

    Examples
    --------
    >>> import stylobate
    >>> with stylobate.accelerate(only=["Ridge"]) as active:
    ...     active.names
    ['Ridge']
    """

    def __init__(self, before: dict[str, Any] | None, active: list[str]) -> None:
        self._before = before
        self.names = active

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.undo()

    def undo(self) -> None:
        """Put back what was before."""
        undo()
        if self._before is not None:
            accelerate(**self._before)

    def report(self) -> Report:
        """Who answered each call, why, and how long it took."""
        return report()


class CallableModule(Protocol):
    """What ``stylobate.accelerate`` is to those who check types: a module that can be called."""

    def __call__(
        self, only: Iterable[str] | None = None, *, verbose: bool = False, measure: bool = False
    ) -> Acceleration:
        """`accelerate`."""

    def report(self) -> Report:
        """`report`."""

    def undo(self) -> None:
        """`undo`."""

    def names(self) -> list[str]:
        """`names`."""

    def conditions(self, name: str) -> str:
        """`conditions`."""


def accelerate(
    only: Iterable[str] | None = None, *, verbose: bool = False, measure: bool = False
) -> Acceleration:
    """Let Stylobate answer the slow methods of scikit-learn's own classes.

    Parameters
    ----------
    only : iterable of str, default=None
        Classes to accelerate, as ``["Ridge", "SVC"]``; all in `names` if None.
    verbose : bool, default=False
        Whether to print a line for each call on standard error.
    measure : bool, default=False
        Whether scikit-learn answers each call too, so that the report tells the time won and how
        far the answers are apart.

    Returns
    -------
    Acceleration
        A context manager whose end is exact; without ``with`` it lasts until `undo`.

    Notes
    -----
    Subclasses are left alone. Processes that joblib starts for scikit-learn inherit it. With a
    release of scikit-learn that was not tested nothing is replaced, and a warning says so.

    Examples
    --------
    >>> import numpy as np
    >>> import stylobate
    >>> from sklearn.linear_model import Ridge
    >>> X = np.random.default_rng(0).normal(size=(5000, 20))
    >>> with stylobate.accelerate() as active:
    ...     model = Ridge().fit(X, X @ np.arange(20.0))
    ...     active.report().calls[-1].ours
    True
    >>> type(model).__module__.startswith("sklearn")
    True
    """
    wanted = _wanted(only)
    before = dict(_options) if _replaced else None
    undo()
    _book.verbose = verbose
    if not _is_supported():
        return Acceleration(before, [])
    _options.update(only=sorted({each.name for each in wanted}), verbose=verbose, measure=measure)
    for adapter in wanted:
        _replace(adapter, measure)
    inherit(accelerate, _options)
    return Acceleration(before, _options["only"])


def undo() -> None:
    """Put every method back as it was."""
    for (owner, method), original in _replaced.items():
        if original is _ABSENT:
            delattr(owner, method)
        else:
            setattr(owner, method, original)
    if _replaced:
        inherit_no_more()
    _replaced.clear()
    _options.clear()


def report() -> Report:
    """Who answered each call since the start of the process."""
    return _book.report()


def names() -> list[str]:
    """The classes that can be accelerated."""
    return sorted({each.name for each in _table()})


def conditions(name: str) -> str:
    """When a class is answered by Stylobate, in words.

    >>> print(conditions("GaussianNB"))
    fit: dense float64 rows of 20,000 cells or more; any var_smoothing; other parameters at their defaults
    """  # noqa: E501
    found = [each for each in _table() if each.name == name]
    if not found:
        raise InvalidParameterError(_unknown(name))
    return "\n".join(f"{each.method}: {each.describe()}" for each in found)


def _table() -> tuple[Adapter, ...]:
    from stylobate.accelerate.table import ADAPTERS

    return ADAPTERS


def _wanted(only: Iterable[str] | None) -> list[Adapter]:
    if only is None:
        return list(_table())
    asked = [only] if isinstance(only, str) else list(only)
    known = names()
    for name in asked:
        if name not in known:
            raise InvalidParameterError(_unknown(name))
    return [each for each in _table() if each.name in asked]


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(name), names(), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names())}."
    return f"accelerate: no class {name!r} can be accelerated; {hint}"


def _is_supported() -> bool:
    try:
        import sklearn
    except ImportError:
        raise InvalidParameterError(
            "accelerate: scikit-learn is not installed, so there is nothing to accelerate."
        ) from None
    if sklearn.__version__.rpartition(".")[0] in SUPPORTED:
        return True
    warnings.warn(
        f"accelerate: scikit-learn {sklearn.__version__} was not tested; nothing is accelerated. "
        f"Tested: {', '.join(SUPPORTED)}.",
        StylobateWarning,
        stacklevel=user_stacklevel(),
    )
    return False


def _replace(adapter: Adapter, measure: bool) -> None:
    owner = class_of(adapter.home, adapter.name)
    original = getattr(owner, adapter.method)
    _replaced[owner, adapter.method] = owner.__dict__.get(adapter.method, _ABSENT)
    setattr(owner, adapter.method, _replacement(adapter, owner, original, measure))


def _replacement(
    adapter: Adapter, owner: type, original: Callable[..., Any], measure: bool
) -> Callable[..., Any]:
    @functools.wraps(original)
    def method(self: Any, *args: Any, **options: Any) -> Any:
        if type(self) is not owner:
            return original(self, *args, **options)
        began = perf_counter()
        prepared = adapter.prepared(self, args, options)
        if isinstance(prepared, str):
            began = perf_counter()
            answer = original(self, *args, **options)
            _note(adapter, args, options, prepared, perf_counter() - began)
            return answer
        answer = adapter.answer(self, prepared)
        seconds = perf_counter() - began
        theirs = _measured(adapter, self, original, args, options) if measure else (None, None)
        _note(adapter, args, options, "", seconds, *theirs)
        return answer

    return method


def _measured(
    adapter: Adapter, model: Any, original: Callable[..., Any], args: Any, options: Any
) -> tuple[float, float]:
    """How long scikit-learn takes for the same, and how far its answer is from ours."""
    other = copy(model)
    began = perf_counter()
    original(other, *args, **options)
    seconds = perf_counter() - began
    ours, theirs = adapter.learnt_by(model), adapter.learnt_by(other)
    apart = [difference(ours[name], value) for name, value in theirs.items()]
    return seconds, max(apart, default=0.0)


def difference(ours: Any, theirs: Any) -> float:
    """The largest difference of two arrays, relative to the largest entry; 1 where shapes differ.

    >>> float(difference([1.0, 2.0], [1.0, 2.5]))
    0.2
    """
    if ours is None or theirs is None:
        return 0.0 if ours is theirs else 1.0
    a, b = np.asarray(ours), np.asarray(theirs)
    if a.shape != b.shape:
        return 1.0
    if a.dtype.kind not in "fiub":
        return 0.0 if np.array_equal(a, b) else 1.0
    if not a.size:
        return 0.0
    largest = np.abs(b.astype(np.float64)).max()
    apart = np.abs(a.astype(np.float64) - b.astype(np.float64)).max()
    return float(apart / largest) if largest > 0 else float(apart)


def _note(
    adapter: Adapter,
    args: tuple[Any, ...],
    options: dict[str, Any],
    why: str,
    seconds: float,
    theirs: float | None = None,
    apart: float | None = None,
) -> None:
    rows = args[0] if args else next(iter(options.values()), None)
    shape = getattr(rows, "shape", None)
    text = "×".join(map(str, shape)) if isinstance(shape, tuple) else ""
    _book.write(Call(adapter.name, adapter.method, text, not why, why, seconds, theirs, apart))
