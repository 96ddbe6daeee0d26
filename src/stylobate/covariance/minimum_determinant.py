"""The rows of least spread: the minimum covariance determinant, searched by concentration steps."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf
from typing import Any

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.base.randomness import stream_of
from stylobate.covariance.functions import empirical_covariance
from stylobate.covariance.normal import pseudo_inverse, squared_distances
from stylobate.data import read_table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidParameterError, StylobateWarning

_TRIALS, _KEPT = 30, 10  # starts, and those of them followed to the end
_SMALL, _LARGE, _PART = 500, 1500, 300  # rows: searched whole; parts of parts; size of a part
Estimate = Callable[[Array], Array]


class IncreasingDeterminantWarning(StylobateWarning, RuntimeWarning):
    """A concentration step that did not concentrate."""


@dataclass(frozen=True)
class Concentrated:
    """Rows with a small determinant, and what they say."""

    location: Array
    covariance: Array
    logdet: float
    support: Mask  # of the rows, true where among them
    distances: Array


def fast_mcd(
    X: Any,
    support_fraction: float | None = None,
    cov_computation_method: Any = empirical_covariance,
    random_state: Any = None,
) -> tuple[Array, Array, Mask, Array]:
    r"""The rows whose covariance has the least determinant, by the FastMCD algorithm.

    A step takes the h rows nearest to the mean by the covariance of the h rows before, which cannot
    raise the determinant; steps from many small random subsets end in the best answer found. One
    column is searched exactly.

    Parameters
    ----------
    X : array-like of shape (n, p)
        Rows.
    support_fraction : float in (0, 1], default=None
        The share h/n of the rows; None takes ⌈(n + p + 1)/2⌉ of them.
    cov_computation_method : callable, default=empirical_covariance
        From rows to their covariance.
    random_state : int, RandomState, Generator or None, default=None
        Of the subsets.

    Returns
    -------
    location : array of shape (p,)
    covariance : array of shape (p, p)
    support : array of bool, shape (n,)
        Which rows.
    dist : array of shape (n,)
        Squared Mahalanobis distances of all rows.

    Examples
    --------
    >>> rows = np.random.default_rng(0).normal(size=(50, 2))
    >>> rows[:10] += 20.0
    >>> fast_mcd(rows, random_state=0)[2][:10].any()
    np.False_

    References
    ----------
    Rousseeuw & Van Driessen (1999), A fast algorithm for the minimum covariance determinant
    estimator, Technometrics 41.
    """
    if support_fraction is not None and not 0.0 < support_fraction <= 1.0:
        raise InvalidParameterError(
            f"fast_mcd: support_fraction must be in (0, 1] or None, got {support_fraction!r}."
        )
    rows = np.asarray(read_table(X, owner="fast_mcd", accept_sparse=False).x, dtype=np.float64)
    found = least_determinant(
        rows, support_fraction, cov_computation_method, stream_of(random_state)
    )
    return found.location, found.covariance, found.support, found.distances


def least_determinant(
    rows: Array, fraction: float | None, estimate: Estimate, draw: Any
) -> Concentrated:
    """The h rows of least determinant that are found."""
    n, p = rows.shape
    h = min(ceil(0.5 * (n + p + 1)), n) if fraction is None else max(int(fraction * n), 1)
    if p == 1:
        return _shortest_half(rows, h)
    if n <= _SMALL:
        return _best(_followed(rows, h, _starts(rows, h, _TRIALS, estimate, draw), estimate, inf))
    parts = np.array_split(draw.permutation(n)[: _PART * min(n // _PART, 5)], min(n // _PART, 5))
    centres: list[Concentrated] = []
    for part in parts:
        of_part, trials = rows[part], max(_TRIALS * 17 // len(parts), 10)
        share = ceil(len(part) * h / n)
        centres += _starts(of_part, share, trials, estimate, draw)[:_KEPT]
    some = np.concatenate(parts) if n > _LARGE else np.arange(n)
    merged = _followed(rows[some], ceil(len(some) * h / n), centres, estimate, 2)
    return _best(_followed(rows, h, sorted(merged, key=_size)[:_KEPT], estimate, inf))


def _starts(rows: Array, h: int, trials: int, estimate: Estimate, draw: Any) -> list[Concentrated]:
    """The best of many random subsets of p + 1 rows after two steps, best first."""
    n, p = rows.shape
    found = []
    for _ in range(trials):
        order, size = draw.permutation(n), min(p + 1, n)
        some = rows[order[:size]]
        while size < min(n, h) and np.linalg.matrix_rank(some - some.mean(axis=0)) < p:
            size += 1  # until they span the space
            some = rows[order[:size]]
        first = _measured(rows, some, np.zeros(n, dtype=bool), estimate)
        found.append(_concentrated(rows, h, first, estimate, 2))
    return sorted(found, key=_size)[:_KEPT]


def _followed(
    rows: Array, h: int, starts: list[Concentrated], estimate: Estimate, steps: float
) -> list[Concentrated]:
    """Steps from each mean and covariance, on these rows."""
    answers = []
    for each in starts:
        distances = squared_distances(rows, each.location, pseudo_inverse(each.covariance))
        begun = Concentrated(
            each.location, each.covariance, inf, np.zeros(len(rows), dtype=bool), distances
        )
        answers.append(_concentrated(rows, h, begun, estimate, steps))
    return answers


def _concentrated(
    rows: Array, h: int, found: Concentrated, estimate: Estimate, steps: float
) -> Concentrated:
    """Steps while the determinant falls, at most so many."""
    found, taken = _step(rows, h, found, estimate), 1
    while taken < min(steps, 100) and np.isfinite(found.logdet):
        after, taken = _step(rows, h, found, estimate), taken + 1
        if (after.support == found.support).all():
            return found
        if after.logdet >= found.logdet:
            if after.logdet > found.logdet + 1e-8 * max(1.0, abs(found.logdet)):
                warnings.warn(
                    "Determinant has increased; this should not happen: log(det) > "
                    f"log(previous_det) ({after.logdet:.15f} > {found.logdet:.15f}). You may want "
                    "to try with a higher value of support_fraction (current value: "
                    f"{h / len(rows):.3f}).",
                    IncreasingDeterminantWarning,
                    stacklevel=user_stacklevel(),
                )
            return found
        found = after
    return found


def _step(rows: Array, h: int, found: Concentrated, estimate: Estimate) -> Concentrated:
    support = np.zeros(len(rows), dtype=bool)
    support[np.argsort(found.distances, kind="stable")[:h]] = True
    return _measured(rows, rows[support], support, estimate)


def _measured(rows: Array, some: Array, support: Mask, estimate: Estimate) -> Concentrated:
    """Mean and covariance of some rows, and the distances of all to them."""
    location = some.mean(axis=0)
    covariance = np.atleast_2d(estimate(some))
    sign, size = np.linalg.slogdet(covariance)
    distances = squared_distances(rows, location, pseudo_inverse(covariance))
    return Concentrated(location, covariance, size if sign > 0 else -inf, support, distances)


def _size(found: Concentrated) -> float:
    return found.logdet


def _best(found: list[Concentrated]) -> Concentrated:
    return min(found, key=_size)


def _shortest_half(rows: Array, h: int) -> Concentrated:
    """One column: among all runs of h neighbours in order the one of least variance."""
    order = np.argsort(rows[:, 0], kind="stable")
    values = rows[order, 0] - np.median(rows[:, 0])
    sums, squares = (np.concatenate([[0.0], np.cumsum(values**k)]) for k in (1, 2))
    means = (sums[h:] - sums[:-h]) / h
    variances = (squares[h:] - squares[:-h]) / h - means**2
    support = np.zeros(len(rows), dtype=bool)
    start = int(np.argmin(variances))
    support[order[start : start + h]] = True
    location = rows[support].mean(axis=0)
    covariance = np.atleast_2d(rows[support, 0].var())
    distances = squared_distances(rows, location, pseudo_inverse(covariance))
    with np.errstate(divide="ignore"):
        size = float(np.log(covariance[0, 0]))
    return Concentrated(location, covariance, size, support, distances)
