"""Contract, part three: the same data give the same answer, however they come."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator
from stylobate.exceptions import InvalidDataError
from stylobate.testing.containers import FRAMES, column_names, containers
from stylobate.testing.problems import (
    METHODS,
    answers,
    as_array,
    fitted,
    problem_for,
    takes_weights,
)

THREADS = (1, 2, 7)
TOLERANCE = 1e-9
TOLERANCE_FLOAT32 = 1e-3

Answers = dict[str, NDArray[Any]]


def assert_same(expected: Answers, found: Answers, *, tolerance: float = 0.0) -> None:
    """Compare answers by name: bits when the tolerance is 0, else relative to the largest value.

    Infinities must be the same ones, and say nothing about the scale; NaN is never the same.
    """
    assert expected.keys() == found.keys(), f"{sorted(expected)} against {sorted(found)}"
    for name, value in expected.items():
        other = found[name]
        assert value.shape == other.shape, f"{name}: shape {value.shape} against {other.shape}"
        if value.dtype.kind != "f" or tolerance == 0.0:
            assert value.dtype.kind == other.dtype.kind, f"{name}: {value.dtype}, {other.dtype}"
            assert np.array_equal(value, other), f"{name} differs"
            continue
        endless = np.isinf(value)
        assert np.array_equal(value[endless], other[endless]), f"{name}: infinities differ"
        finite = value[~endless]
        scale = float(np.max(np.abs(finite), initial=0.0))
        error = float(np.max(np.abs(finite - other[~endless].astype(np.float64)), initial=0.0))
        assert error <= tolerance * scale, (
            f"{name} differs by {error:.3g} where values reach {scale:.3g}"
        )


def same_answer_from(name: str, estimator: BaseEstimator) -> None:
    """The container called `name` gives the answer plain NumPy gives."""
    problem = problem_for(estimator)
    X = containers(sparse=True)[name](problem.X)
    y = problem.y.tolist() if name == "list" and problem.y is not None else problem.y
    expected = answers(fitted(estimator, problem.X, problem.y), problem.X)
    found = answers(fitted(estimator, X, y), X)
    tolerance = TOLERANCE_FLOAT32 if name == "float32" else TOLERANCE
    assert_same(expected, found, tolerance=tolerance)


def names_are_remembered(estimator: BaseEstimator) -> None:
    """`feature_names_in_` holds a frame's names; other names are refused, and arrays have none."""
    problem = problem_for(estimator)
    names = column_names(problem.X)
    plain = fitted(estimator, problem.X, problem.y)
    assert plain.n_features_in_ == problem.X.shape[1]
    assert not hasattr(plain, "feature_names_in_"), "names appear though X had none"
    for library in FRAMES.keys() & containers(sparse=False).keys():
        frame = FRAMES[library](problem.X)
        model = fitted(estimator, frame, problem.y)
        seen = list(getattr(model, "feature_names_in_", ()))
        assert seen == names, f"{library}: columns {names} are remembered as {seen}"
        turned = FRAMES[library](problem.X[:, ::-1])
        turned = turned.select(names[::-1]) if library != "pandas" else turned[names[::-1]]
        for method in (each for each in METHODS if hasattr(model, each)):
            try:
                getattr(model, method)(turned)
            except InvalidDataError:
                continue
            raise AssertionError(f"{library}: {method} accepts columns in another order")


def fitting_twice_gives_same_bits(estimator: BaseEstimator) -> None:
    """A second `fit` of the same object starts afresh and finds the same bits."""
    problem = problem_for(estimator)
    model = fitted(estimator, problem.X, problem.y)
    first = answers(model, problem.X)
    other = problem_for(estimator, n_rows=37)
    model.fit(other.X, other.y)
    model.fit(problem.X, problem.y)
    assert_same(first, answers(model, problem.X))


def input_is_left_alone(estimator: BaseEstimator) -> None:
    """Neither `fit` nor any method writes into the caller's arrays."""
    problem = problem_for(estimator)
    X, y = problem.X.copy(), None if problem.y is None else problem.y.copy()
    answers(fitted(estimator, X, y), X)
    assert np.array_equal(X, problem.X), "X is changed"
    assert y is None or np.array_equal(y, problem.y), "y is changed"  # type: ignore[arg-type]


def pickles(estimator: BaseEstimator) -> None:
    """A stored and loaded estimator answers with the same bits, and the version is written."""
    problem = problem_for(estimator)
    model = fitted(estimator, problem.X, problem.y)
    stored = pickle.dumps(model)
    assert b"_stylobate_version" in stored, "the version is not stored"
    assert_same(answers(model, problem.X), answers(pickle.loads(stored), problem.X))


def threads_give_same_bits(estimator: BaseEstimator) -> None:
    """1, 2 and 7 threads find the same bits, on data long enough to be cut into pieces."""
    from stylobate.parallel import threads

    few = estimator._tags().tier == "all rows" or estimator._tags().text
    rows = 500 if few else 20_000
    problem = problem_for(estimator, n_rows=rows)
    results = []
    for count in THREADS:
        with threads(count):
            results.append(answers(fitted(estimator, problem.X, problem.y), problem.X))
    for count, result in zip(THREADS[1:], results[1:], strict=True):
        try:
            assert_same(results[0], result)
        except AssertionError as error:
            raise AssertionError(f"{count} threads against 1: {error}") from error


def weights_equal_repeats(estimator: BaseEstimator) -> None:
    """A row of weight 3 counts as three rows, and one of weight 0 as none."""
    if not takes_weights(estimator):
        return
    problem = problem_for(estimator)
    counts = np.arange(len(problem.X)) % 4
    repeated_y = None if problem.y is None else np.repeat(problem.y, counts, axis=0)
    repeated = fitted(estimator, np.repeat(problem.X, counts, axis=0), repeated_y)
    weighted = fitted(estimator, problem.X, problem.y, counts.astype(float))
    expected = {name: getattr(repeated, name)(problem.X) for name in _outputs(repeated)}
    found = {name: getattr(weighted, name)(problem.X) for name in _outputs(weighted)}
    assert_same(
        {name: as_array(value) for name, value in expected.items()},
        {name: as_array(value) for name, value in found.items()},
        tolerance=TOLERANCE,
    )


def _outputs(model: Any) -> list[str]:
    return [name for name in METHODS if hasattr(model, name)]
