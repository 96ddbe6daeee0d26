"""Small problems made for an estimator from its tags, and what it answers to them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, clone
from stylobate.data.sparse import is_sparse

DENSE_CELLS = 10_000_000
METHODS = ("predict", "predict_proba", "decision_function", "transform", "score_samples")


@dataclass(frozen=True)
class ExampleProblem:
    """Rows and, for estimators that need one, a target."""

    X: NDArray[Any]
    y: NDArray[Any] | None


def problem_for(estimator: BaseEstimator, n_rows: int = 60, n_features: int = 4) -> ExampleProblem:
    """Data the estimator can learn from; every number is exact in single precision too.

    Parameters
    ----------
    estimator : BaseEstimator
        Its tags say what X and y must be.
    n_rows, n_features : int
        Shape of X (pairwise estimators get a square Gram matrix).

    Returns
    -------
    Problem
    """
    rng = np.random.default_rng(20)
    tags = estimator._tags()
    if tags.text:
        words = np.array(["tea", "Coffee", "naïve", "日本語", "don't", "42", "x", "the"])
        texts = [" ".join(words[rng.integers(0, len(words), 12)]) for _ in range(n_rows)]
        return ExampleProblem(np.array(texts, dtype=object), None)
    labels = rng.integers(0, 2, n_rows)
    n_features = 1 if tags.one_d else n_features
    X = rng.standard_normal((n_rows, n_features)) + 1.5 * labels[:, np.newaxis] + 0.5
    X = np.round(X * 256) / 256
    if tags.positive_only:
        X = np.abs(X)
    y: NDArray[Any] | None = None
    if tags.estimator_type == "classifier":
        y = np.array(["no", "yes"])[labels]
        y = y if tags.single_output else np.column_stack([labels, labels[::-1]])
    elif tags.requires_y or _hands_target_on(estimator):
        y = X @ np.arange(1.0, n_features + 1) + 3.0 + rng.standard_normal(n_rows)
        y = np.round(y * 256) / 256
        y = np.abs(y) + 1 if tags.positive_y else y
        y = y if tags.single_output else np.column_stack([y, y[::-1]])
    if tags.pairwise:
        X = np.round(X @ X.T * 16) / 16
    return ExampleProblem(X, y)


def _hands_target_on(estimator: BaseEstimator) -> bool:
    """Whether y is not needed by the estimator itself but by what it is built around."""
    return not {"estimator", "score_func", "steps"}.isdisjoint(estimator.get_params(deep=False))


def takes_weights(estimator: BaseEstimator) -> bool:
    """Whether `fit` has an argument ``sample_weight``."""
    return "sample_weight" in inspect.signature(estimator.fit).parameters  # type: ignore[attr-defined]


def fitted(estimator: BaseEstimator, X: Any, y: Any, weights: Any = None) -> Any:
    """A clone, its randomness fixed, fitted to the data."""
    twin = clone(estimator)
    if "random_state" in twin.get_params():
        twin.set_params(random_state=0)
    return twin.fit(X, y) if weights is None else twin.fit(X, y, sample_weight=weights)


def learnt(estimator: BaseEstimator) -> dict[str, NDArray[Any]]:
    """The numbers `fit` found: public attributes that are floats or arrays of them, and labels."""
    found = {
        name: as_array(value)
        for name, value in vars(estimator).items()
        if name.endswith("_")
        and not name.startswith("_")
        and (isinstance(value, float | np.floating | np.ndarray) or is_sparse(value))
    }
    return {
        name: value
        for name, value in found.items()
        if value.dtype.kind == "f" or (name == "labels_" and value.dtype.kind == "i")
    }


def answers(estimator: Any, X: Any) -> dict[str, NDArray[Any]]:
    """What was learnt, and what each method says about X, as arrays by name."""
    said = {
        method: as_array(getattr(estimator, method)(X))
        for method in METHODS
        if hasattr(estimator, method)
    }
    return learnt(estimator) | said


def as_array(value: Any) -> NDArray[Any]:
    """Sparse answers made dense; those too large for it as rows, columns and values of entries."""
    if not hasattr(value, "toarray"):
        return np.asarray(value)
    if value.shape[0] * value.shape[-1] <= DENSE_CELLS:
        return np.asarray(value.toarray())
    entries = value.tocsr(copy=True)
    entries.sum_duplicates()
    entries = entries.tocoo()
    return np.column_stack([entries.row, entries.col, entries.data])
