"""Bias–variance decomposition by fits to resampled rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import clone, is_classifier
from stylobate.base.jobs import run_jobs
from stylobate.data.indexing import indexable, take_rows
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.model_selection.decomposition.result import BiasVariance, BiasVarianceCurve
from stylobate.model_selection.decomposition.tallies import LabelTally, NumberTally
from stylobate.splits.splitter import count_rows, generator, is_integer
from stylobate.splits.strata import as_array

Draw = Callable[[np.random.Generator], tuple[Any, Any]]

LOSSES = ("squared", "zero_one")
_MOST_NUMBERS = 2e7  # predictions held at a time
_ATTEMPTS = 100  # at a resample with two classes in it


def bias_variance(
    estimator: Any,
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    *,
    loss: str | None = None,
    n_resamples: int = 200,
    truth: Any = None,
    draw: Draw | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> BiasVariance:
    """Decompose the expected loss of a learning method into bias, variance and noise.

    The method is fitted to bootstrap resamples of the training rows; see `BiasVariance` for what
    the parts are.

    Parameters
    ----------
    estimator : object with `fit` and `predict`
        Ours, or any that follows scikit-learn's protocol.
    X, y : array-like of shape (n, n_features) and (n,)
        Training rows; not looked at with `draw`.
    X_test, y_test : array-like of shape (m, n_features) and (m,)
        Test rows, on which the loss is measured.
    loss : {"squared", "zero_one"} or None, default=None
        None is "zero_one" for classifiers and "squared" for others.
    n_resamples : int in [1, inf), default=200
        Number of fits.
    truth : array-like of shape (m,), optional
        The best possible prediction of each test row, where that is known (made-up data): noise is
        then told apart from bias.
    draw : callable, optional
        ``draw(generator)`` that returns new training rows ``(X, y)``, in place of the bootstrap,
        where the law of the rows is known.
    random_state : int, RandomState or None, default=None
        Seed.
    n_jobs : int or None, default=None
        Fits at a time, see `cross_validate`.
    verbose : int, default=0
        1 prints a line when another tenth of the fits is done.

    Returns
    -------
    BiasVariance

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import train_test_split
    >>> parts = train_test_split(*load_diabetes(return_X_y=True), random_state=0)
    >>> X, X_test, y, y_test = parts
    >>> found = bias_variance(Ridge(0.1), X, y, X_test, y_test, n_resamples=50, random_state=0)
    >>> print(found)
    Expected squared loss 3171 = bias² (with the noise) 3121 + variance 50.3. Bias and noise
    together are 98%: which of them it is cannot be told without `truth`. A more flexible model
    lowers the bias alone; no model lowers the noise.

    References
    ----------
    Geman, Bienenstock & Doursat (1992), *Neural Computation* 4; Domingos (2000), *ICML*.
    """
    owner = "bias_variance"
    problem = _Problem.of(estimator, (X, y, X_test, y_test), loss, truth, draw, owner)
    seeds = _seeds(n_resamples, random_state, owner)
    return problem.solve(estimator, seeds, n_jobs, verbose, owner)


def bias_variance_curve(
    estimator: Any,
    X: Any,
    y: Any,
    X_test: Any,
    y_test: Any,
    *,
    param_name: str,
    param_range: Any,
    loss: str | None = None,
    n_resamples: int = 200,
    truth: Any = None,
    draw: Draw | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> BiasVarianceCurve:
    """Bias and variance for several values of a parameter, on the same resamples.

    Parameters
    ----------
    estimator, X, y, X_test, y_test, loss, n_resamples, truth, draw, random_state, n_jobs, verbose
        As of `bias_variance`.
    param_name : str
        The parameter.
    param_range : array-like of shape (n_values,)
        Its values, from simple to flexible models or the other way round.

    Returns
    -------
    BiasVarianceCurve
        `bias`, `variance`, `noise` and `expected_loss` as arrays; `best`, `words()`, `plot()`.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.model_selection import train_test_split
    >>> parts = train_test_split(*load_diabetes(return_X_y=True), random_state=0)
    >>> X, X_test, y, y_test = parts
    >>> curve = bias_variance_curve(
    ...     Ridge(), X, y, X_test, y_test, param_name="alpha", param_range=[0.001, 0.1, 10.0],
    ...     n_resamples=30, random_state=0
    ... )
    >>> curve.best, bool(curve.variance[0] > curve.variance[1] > curve.variance[2])
    (0.1, True)
    """
    owner = "bias_variance_curve"
    values = list(param_range)
    if not values:
        raise InvalidParameterError(f"{owner}: param_range is empty; give values of {param_name}.")
    models = [clone(estimator).set_params(**{param_name: clone(v, safe=False)}) for v in values]
    problem = _Problem.of(estimator, (X, y, X_test, y_test), loss, truth, draw, owner)
    seeds = _seeds(n_resamples, random_state, owner)
    results = []
    for value, model in zip(values, models, strict=True):
        results.append(problem.solve(model, seeds, n_jobs, 0, owner))
        if verbose:
            found = results[-1].expected_loss
            print(
                f"[{len(results)}/{len(values)}] {param_name}={value}: loss {found:.4g}", flush=True
            )
    return BiasVarianceCurve(param_name, values, tuple(results))


@dataclass(frozen=True)
class _Problem:
    """Training rows, or how to draw them, and test rows."""

    x: Any
    y: Any
    x_test: Any
    y_test: NDArray[Any]
    loss: str
    truth: NDArray[Any] | None
    draw: Draw | None

    @classmethod
    def of(
        cls,
        estimator: Any,
        rows: Sequence[Any],
        loss: str | None,
        truth: Any,
        draw: Any,
        owner: str,
    ) -> _Problem:
        """Check what the caller passed."""
        if loss is None:
            loss = "zero_one" if is_classifier(estimator) else "squared"
        if loss not in LOSSES:
            raise InvalidParameterError(f"{owner}: loss must be one of {LOSSES}, got {loss!r}.")
        if draw is not None and not callable(draw):
            raise InvalidParameterError(
                f"{owner}: draw must be a function of a random generator that returns (X, y), got "
                f"{type(draw).__name__}."
            )
        x, y, x_test, y_test = (indexable(each) for each in rows)
        if draw is None:
            _same_length("X", x, "y", y, owner)
        _same_length("X_test", x_test, "y_test", y_test, owner)
        labels = _vector(y_test, "y_test", loss, owner)
        known = None if truth is None else _vector(truth, "truth", loss, owner)
        if known is not None:
            _same_length("truth", known, "y_test", labels, owner)
        return cls(x, y, x_test, labels, loss, known, draw)

    def solve(
        self, estimator: Any, seeds: NDArray[Any], n_jobs: int | None, verbose: int, owner: str
    ) -> BiasVariance:
        """Fit to all resamples, in batches of which the predictions are tallied."""
        kind = NumberTally if self.loss == "squared" else LabelTally
        tally = kind(self.y_test, self.truth)
        size = max(1, min(int(_MOST_NUMBERS // max(len(self.y_test), 1)), -(-len(seeds) // 10)))
        for start in range(0, len(seeds), size):
            calls = [
                partial(self._predict, estimator, seed) for seed in seeds[start : start + size]
            ]
            tally.add(np.array(run_jobs(calls, n_jobs, estimator, "2*n_jobs")))
            if verbose:
                done = min(start + size, len(seeds))
                print(f"{owner}: {done} of {len(seeds)} fits", flush=True)
        return tally.result()

    def _predict(self, estimator: Any, seed: int) -> NDArray[Any]:
        random = np.random.default_rng(seed)
        x, y = self._resampled(random) if self.draw is None else self.draw(random)
        predicted = np.asarray(clone(estimator).fit(x, y).predict(self.x_test))
        if predicted.shape != self.y_test.shape:
            raise InvalidDataError(
                f"bias_variance: predictions have shape {predicted.shape} and y_test "
                f"{self.y_test.shape}; one target at a time."
            )
        return predicted

    def _resampled(self, random: np.random.Generator) -> tuple[Any, Any]:
        """Rows drawn with replacement, of two classes at least if there are labels."""
        n = count_rows(self.x)
        labels = as_array(self.y) if self.loss == "zero_one" else None
        for _ in range(_ATTEMPTS):
            rows = random.integers(n, size=n)
            if labels is None or (labels[rows] != labels[rows[0]]).any():
                break
        return take_rows(self.x, rows), take_rows(self.y, rows)


def _seeds(n_resamples: Any, random_state: Any, owner: str) -> NDArray[Any]:
    """One for each resample, so that the order of the fits does not matter."""
    if not is_integer(n_resamples) or n_resamples < 1:
        raise InvalidParameterError(
            f"{owner}: n_resamples must be a positive integer, got {n_resamples!r}."
        )
    return np.asarray(generator(random_state).randint(2**31 - 1, size=int(n_resamples)))


def _same_length(name: str, one: Any, other_name: str, other: Any, owner: str) -> None:
    lengths = [0 if each is None else count_rows(each) for each in (one, other)]
    if lengths[0] != lengths[1] or not lengths[0]:
        raise InvalidDataError(
            f"{owner}: {name} has {lengths[0]} rows and {other_name} {lengths[1]}; they need as "
            "many as each other, at least one."
        )


def _vector(values: Any, name: str, loss: str, owner: str) -> NDArray[Any]:
    found = as_array(values)
    if found.ndim == 2 and found.shape[1] == 1:
        found = found[:, 0]
    if found.ndim != 1:
        raise InvalidDataError(
            f"{owner}: {name} must be one-dimensional, got shape {found.shape}; decompose the "
            "targets one at a time."
        )
    if loss == "zero_one":
        return found
    try:
        numbers = found.astype(np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(
            f"{owner}: {name} holds {found[0]!r}, which is no number; squared loss needs numbers, "
            "loss='zero_one' takes labels."
        ) from None
    if not np.isfinite(numbers).all():
        raise InvalidDataError(f"{owner}: {name} holds missing or infinite values.")
    return numbers
