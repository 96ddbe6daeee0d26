"""`fit` of a class of scikit-learn, answered by our class of the same name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.accelerate.adapter import (
    Allowed,
    described_parameters,
    refused_parameter,
    with_parameters_of,
)


@dataclass(frozen=True)
class Data:
    """The rows of a call as scikit-learn's own checks leave them."""

    X: Any
    y: Any = None
    weight: Any = None


_ABSENT_AS_ZERO = "intercept_", "noise_variance_"  # Python's 0.0 where a model has none


def _nothing(model: Any, data: Data) -> None:
    return None


def _no_more(theirs: Any, ours: Any, data: Data) -> None:
    return None


@dataclass(frozen=True)
class FitAdapter:
    """`fit`, answered by ours where the conditions hold.

    Parameters
    ----------
    home, name : str
        The package and the class, the same in both libraries.
    learnt : tuple of str
        What `fit` learns under names that both libraries share.
    free : tuple of str
        Parameters that ours honours whatever their value.
    fixed : mapping of str to tuple or function
        Parameters with the values that ours answers for. One in neither must have its default.
    checks : mapping
        Options of scikit-learn's `validate_data`, as its own `fit` gives them.
    smallest : int
        Cells of X from which ours is not slower.
    supervised, classifies : bool
        Whether `fit` needs y, and whether y is classes.
    signless : tuple of str
        What is learnt up to signs.
    instead : mapping
        Parameters that ours gets other values of than theirs has.
    odd : function of (model, Data), returning a reason or None
        Further conditions on the rows.
    finish : function of (theirs, ours, Data)
        Writes what `learnt` does not.
    """

    home: str
    name: str
    learnt: tuple[str, ...]
    free: tuple[str, ...] = ()
    fixed: Mapping[str, Allowed] = field(default_factory=dict)
    checks: Mapping[str, Any] = field(default_factory=dict)
    smallest: int = 20_000
    supervised: bool = True
    classifies: bool = False
    signless: tuple[str, ...] = ()
    instead: Mapping[str, Any] = field(default_factory=dict)
    odd: Callable[[Any, Data], str | None] = _nothing
    finish: Callable[[Any, Any, Data], None] = _no_more
    method: str = "fit"

    def prepared(self, model: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Data | str:
        """The checked rows, or why the call is left to scikit-learn."""
        given = given_rows(type(model).fit, model, args, options)
        if isinstance(given, str):
            return given
        if (reason := refused_rows(given.X, self.smallest)) is not None:
            return reason
        model._validate_params()  # what is wrong is said in scikit-learn's words
        if (refused := refused_parameter(model, self.free, self.fixed)) is not None:
            return refused
        data = self._checked(model, given)
        if data.X.dtype != np.float64:
            return f"rows of {data.X.dtype}"
        if self.classifies and len(np.unique(data.y)) < 2:
            return "y of one class"
        return self.odd(model, data) or data

    def answer(self, model: Any, prepared: Data) -> Any:
        """Fit ours and write what it learnt into theirs."""
        ours = with_parameters_of(model, self.home, self.name, **self.instead)
        weights = {} if prepared.weight is None else {"sample_weight": prepared.weight}
        targets = (prepared.y,) if self.supervised else ()
        ours.fit(prepared.X, *targets, **weights)
        for name in self.learnt:
            setattr(model, name, getattr(ours, name))
        self.finish(model, ours, prepared)
        return model

    def learnt_by(self, model: Any) -> dict[str, Any]:
        """What `fit` learnt, to be compared; not how many steps it took."""
        names = [name for name in self.learnt if name not in ("n_iter_", "dual_gap_")]
        found: dict[str, Any] = {name: getattr(model, name, None) for name in names}
        return found | {name: np.abs(found[name]) for name in self.signless}

    def describe(self) -> str:
        """The conditions in words."""
        return (
            f"dense float64 rows of {self.smallest:,} cells or more; "
            f"{described_parameters(self.free, self.fixed)}"
        )

    def _checked(self, model: Any, given: Data) -> Data:
        """The rows through scikit-learn's own checks, which raise its own errors."""
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import _check_sample_weight, validate_data

        checks = {"dtype": [np.float64, np.float32]} | dict(self.checks)
        if not self.supervised:
            X, y = validate_data(model, given.X, **checks), None
        else:
            X, y = validate_data(model, given.X, given.y, **checks)
        if self.classifies:
            check_classification_targets(y)
        weight = given.weight
        if weight is not None:
            weight = _check_sample_weight(weight, X, dtype=X.dtype)
        return Data(X, y, weight)


def given_rows(
    method: Callable[..., Any], model: Any, args: tuple[Any, ...], options: dict[str, Any]
) -> Data | str:
    """X, y and weights as they were passed; a reason where there is more, or less."""
    try:
        bound = inspect.signature(method).bind(model, *args, **options).arguments
    except TypeError:  # scikit-learn's own error is the right one
        return "other arguments"
    bound.pop("self", None)
    given = Data(bound.pop("X", None), bound.pop("y", None), bound.pop("sample_weight", None))
    return "other arguments" if bound else given


def refused_rows(X: Any, smallest: int) -> str | None:
    """Why rows are left to scikit-learn before anything is read, or None."""
    from scipy import sparse
    from sklearn import get_config

    if sparse.issparse(X):
        return "sparse rows"
    shape = getattr(X, "shape", None)
    if not isinstance(shape, tuple) or len(shape) != 2:
        return "rows that are no table"
    if shape[0] * shape[1] < smallest:
        return "few rows"
    if get_config()["array_api_dispatch"]:
        return "array_api_dispatch"
    kind = getattr(X, "dtype", None)
    if kind is not None and isinstance(X, np.ndarray) and kind not in (np.float64, np.int64):
        return f"rows of {kind}"
    return None


def numpy_scalars(*names: str) -> Callable[[Any, Any, Data], None]:
    """Write numbers as NumPy's, as scikit-learn's `fit` leaves them, but for absent parts."""

    def finish(theirs: Any, ours: Any, data: Data) -> None:
        for name in names:
            value = getattr(theirs, name)
            if isinstance(value, float) and (value != 0.0 or name not in _ABSENT_AS_ZERO):
                setattr(theirs, name, np.float64(value))

    return finish
