"""Contract, part two: impossible data are refused, odd data get a defined answer; no silent NaN."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.base import BaseEstimator
from stylobate.exceptions import StylobateError
from stylobate.testing.problems import ExampleProblem, answers, fitted, problem_for, takes_weights

Spoil = Callable[[ExampleProblem], tuple[Any, Any, Any]]


def _cell(value: float) -> Spoil:
    def spoil(problem: ExampleProblem) -> tuple[Any, Any, Any]:
        X = problem.X.copy()
        X[3, 1] = value
        return X, problem.y, None

    return spoil


def _text(problem: ExampleProblem) -> tuple[Any, Any, Any]:
    X = problem.X.astype(object)
    X[2, 0] = "seven"
    return X, problem.y, None


def _target(value: float) -> Spoil:
    def spoil(problem: ExampleProblem) -> tuple[Any, Any, Any]:
        y = np.zeros(len(problem.X)) if problem.y is None else problem.y
        y = (np.arange(y.size) % 2.0).reshape(y.shape) if y.dtype.kind != "f" else y.copy()
        y[3] = value
        return problem.X, y, None

    return spoil


def _weights(value: float) -> Spoil:
    def spoil(problem: ExampleProblem) -> tuple[Any, Any, Any]:
        weights = np.ones(len(problem.X))
        weights[3] = value
        return problem.X, problem.y, weights

    return spoil


def _first_rows(count: int) -> Spoil:
    return lambda problem: (
        problem.X[:count],
        None if problem.y is None else problem.y[:count],
        None,
    )


def _column(values: Callable[[ExampleProblem], Any]) -> Spoil:
    def change(problem: ExampleProblem) -> tuple[Any, Any, Any]:
        X = problem.X.copy()
        X[:, 0] = values(problem)
        return X, problem.y, None

    return change


ALWAYS_REFUSED: dict[str, Spoil] = {
    "infinity in X": _cell(np.inf),
    "text in X": _text,
    "no rows": _first_rows(0),
    "no columns": lambda problem: (problem.X[:, :0], problem.y, None),
    "one-dimensional X": lambda problem: (problem.X[:, 0], problem.y, None),
    "three-dimensional X": lambda problem: (problem.X[:, :, np.newaxis], problem.y, None),
}
REFUSED_TARGETS: dict[str, Spoil] = {
    "missing y": lambda problem: (problem.X, None, None),
    "y of another length": lambda problem: (problem.X[:-1], problem.y, None),
    "NaN in y": _target(np.nan),
    "infinity in y": _target(np.inf),
}
REFUSED_WEIGHTS: dict[str, Spoil] = {
    "a negative weight": _weights(-1.0),
    "NaN among the weights": _weights(np.nan),
    "an infinite weight": _weights(np.inf),
    "weights of another length": lambda problem: (problem.X, problem.y, np.ones(3)),
    "weights all zero": lambda problem: (problem.X, problem.y, np.zeros(len(problem.X))),
}
ODD: dict[str, Spoil] = {
    "one row": _first_rows(1),
    "two rows": _first_rows(2),
    "a constant column": _column(lambda problem: 2.0),
    "a repeated column": _column(lambda problem: problem.X[:, 1]),
    "a column of order 1e300": _column(lambda problem: problem.X[:, 0] * 1e300),
    "a column of order 1e-300": _column(lambda problem: problem.X[:, 0] * 1e-300),
}


def refused_data(estimator: BaseEstimator) -> dict[str, Spoil]:
    """The ways to spoil data that this estimator must refuse, by name."""
    tags = estimator._tags()
    cases = dict(ALWAYS_REFUSED)
    if tags.categorical:
        del cases["text in X"]
    if not tags.allow_nan:
        cases["NaN in X"] = _cell(np.nan)
    if tags.requires_y:
        cases |= REFUSED_TARGETS
    if takes_weights(estimator):
        cases |= REFUSED_WEIGHTS
    if not tags.sparse:
        cases["sparse X"] = _as_sparse
    return cases


def _as_sparse(problem: ExampleProblem) -> tuple[Any, Any, Any]:
    from scipy import sparse

    return sparse.csr_array(problem.X), problem.y, None


def impossible_data_are_refused(estimator: BaseEstimator) -> None:
    """Each spoiled data set is refused with a sentence, by an error of this library."""
    problem = problem_for(estimator)
    for name, spoil in refused_data(estimator).items():
        refusal = _refusal(name, estimator, *spoil(problem))
        assert refusal is not None, f"{name}: accepted"
        assert len(refusal.split()) > 3, f"{name}: the refusal says only {refusal!r}"
        culprit = next((word for word in ("NaN", "inf") if word in name), "")
        assert culprit in refusal, f"{name}: the refusal does not say so: {refusal}"


def _refusal(name: str, estimator: BaseEstimator, X: Any, y: Any, weights: Any) -> str | None:
    """What `fit` says when it refuses the data; None if it takes them."""
    try:
        fitted(estimator, X, y, weights)
    except StylobateError as error:
        return str(error)
    except Exception as error:
        raise AssertionError(f"{name}: {type(error).__name__} ({error}) escapes") from error
    return None


def odd_data_get_an_answer(estimator: BaseEstimator) -> None:
    """Each odd data set is refused with a sentence or gives only finite numbers."""
    problem = problem_for(estimator)
    for name, change in ODD.items():
        X, y, _ = change(problem)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = answers(fitted(estimator, X, y), X)
        except StylobateError:
            continue
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__} ({error}) escapes") from error
        silent = [key for key, value in found.items() if not _finite(value)]
        assert not silent, f"{name}: {', '.join(silent)} hold NaN or infinity without a word"


def _finite(value: Any) -> bool:
    return value.dtype.kind != "f" or bool(np.isfinite(value).all())


def unfitted_is_refused(estimator: BaseEstimator) -> None:
    """Methods that need a fit say so."""
    from stylobate.exceptions import NotFittedError
    from stylobate.testing.problems import METHODS

    problem = problem_for(estimator)
    if not estimator._tags().requires_fit:
        return
    for method in (each for each in METHODS if hasattr(estimator, each)):
        try:
            getattr(estimator, method)(problem.X)
        except NotFittedError:
            continue
        raise AssertionError(f"{method} answers before fit")
