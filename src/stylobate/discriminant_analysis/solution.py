"""Linear discriminant analysis from moments: three ways to weights and directions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.discriminant_analysis.covariances import (
    class_covariances,
    pooled_of,
    total_covariance,
)
from stylobate.discriminant_analysis.singular import SingularCovarianceError
from stylobate.exceptions import NumericalError
from stylobate.interrupts import interruptible
from stylobate.parallel import one_blas_thread
from stylobate.statistics import (
    DiagonalClassMoments,
    FullClassMoments,
    Source,
    TriangularFactor,
    rows_at_hand,
)

_DOUBTFUL = 1e-3  # singular values below it are known to fewer than ten digits from the Gram


@dataclass(frozen=True)
class Projection:
    """What was found: scores are ``bias + weights (x − center)``; the rest as of the estimator."""

    center: Array
    weights: Array
    bias: Array
    condition: float
    covariance: Array | None = None
    scalings: Array | None = None
    explained_variance_ratio: Array | None = None
    xbar: Array | None = None


def solve(model: Any, moments: Any, source: Source) -> Projection:
    """Weights, directions and shares of the spread, by the model's solver."""
    with one_blas_thread():
        if model.solver == "svd":
            return _by_directions(model, moments, source)
        covariance = _common_covariance(model, moments, rows_at_hand(source))
        if model.solver == "lsqr":
            return _by_least_squares(model, covariance)
        return _by_eigenvalues(model, moments, covariance, rows_at_hand(source))


def _log_priors(model: Any) -> Array:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(model.priors_))


def _common_covariance(model: Any, moments: Any, table: Table | None) -> Array:
    """Covariances of the classes weighted by the priors."""
    if not isinstance(moments, FullClassMoments):  # priors are shares of the rows: it is the pooled
        from stylobate.statistics.moments.shrinkage import shrunk

        plain = moments.scatter / moments.weight.sum()
        return plain if model.shrinkage is None else shrunk(plain, float(model.shrinkage))
    each = class_covariances(moments, model.shrinkage, model.covariance_estimator, table)
    return np.asarray(np.tensordot(model.priors_, each, axes=1))


def _by_least_squares(model: Any, covariance: Array) -> Projection:
    from scipy.linalg import lstsq

    center = model.priors_ @ model.means_
    weights = np.ascontiguousarray(interruptible(lstsq, covariance, model.means_.T)[0].T)
    own = ((model.means_ - 2.0 * center) * weights).sum(axis=1)
    bias = _log_priors(model) - 0.5 * own
    return Projection(center, weights, bias, _condition(covariance), covariance=covariance)


def _by_eigenvalues(model: Any, moments: Any, covariance: Array, table: Table | None) -> Projection:
    from scipy.linalg import LinAlgError, eigh

    total = total_covariance(
        moments, pooled_of(moments), model.shrinkage, model.covariance_estimator, table
    )
    try:
        values, axes = interruptible(eigh, total - covariance, covariance)
    except LinAlgError as error:
        raise SingularCovarianceError(
            f"{type(model).__name__}: the covariance matrix within classes is singular, so "
            "solver='eigen' cannot divide by it. Set shrinkage, for instance to 'auto', or use "
            "solver='svd'."
        ) from error
    order = np.argsort(values)[::-1]
    scalings = axes[:, order]
    center = model.priors_ @ model.means_
    weights = model.means_ @ scalings @ scalings.T
    own = ((model.means_ - 2.0 * center) * weights).sum(axis=1)
    return Projection(
        center,
        np.ascontiguousarray(weights),
        _log_priors(model) - 0.5 * own,
        _condition(covariance),
        covariance=covariance,
        scalings=scalings,
        explained_variance_ratio=np.sort(values / values.sum())[::-1],
    )


def _by_directions(model: Any, moments: Any, source: Source) -> Projection:
    """Whiten by the spread within classes, then turn to the spread of the means."""
    n = moments.weight.sum()
    deviation = np.sqrt(np.maximum(moments.within, 0.0) / n)
    deviation[deviation == 0] = 1.0
    sizes, axes = _spread_within(model, moments, source, deviation)
    rank = int((sizes > model.tol).sum())
    if rank == 0:
        raise NumericalError(
            f"{type(model).__name__}: no column varies within the classes, so there is nothing to "
            "measure the distance of their means by. Use solver='lsqr' with shrinkage, or a rule "
            "on the columns themselves."
        )
    white = axes[:, :rank] / deviation[:, None] / sizes[:rank]
    xbar = model.priors_ @ model.means_
    apart = model.means_ - xbar
    share = n * model.priors_ / max(len(model.classes_) - 1, 1)
    _, lengths, turns = interruptible(
        np.linalg.svd, (np.sqrt(share)[:, None] * apart) @ white, full_matrices=False
    )
    kept = int((lengths > model.tol * lengths[0]).sum())
    scalings = white @ turns[:kept].T
    places = apart @ scalings
    weights = np.ascontiguousarray(places @ scalings.T)
    bias = _log_priors(model) - 0.5 * (places**2).sum(axis=1)
    spread = (lengths**2).sum()
    covariance = _common_covariance(model, moments, None) if model.store_covariance else None
    return Projection(
        xbar,
        weights,
        bias,
        float(sizes[0] / sizes[rank - 1]) ** 2,
        covariance=covariance,
        scalings=scalings,
        explained_variance_ratio=lengths**2 / spread if spread > 0 else np.zeros_like(lengths),
        xbar=xbar,
    )


def _spread_within(
    model: Any, moments: Any, source: Source, deviation: Array
) -> tuple[Array, Array]:
    """Singular values, largest first, and axes of rows about their classes' means, standardised."""
    root = np.sqrt(moments.weight.sum())
    if isinstance(moments, DiagonalClassMoments) and not isinstance(moments, FullClassMoments):
        rows = _centred(moments, rows_at_hand(source)) / deviation / root
        _, sizes, axes = interruptible(np.linalg.svd, rows, full_matrices=False)
        return sizes, axes.T
    correlation = pooled_of(moments) / moments.weight.sum() / deviation / deviation[:, None]
    squares, axes = interruptible(np.linalg.eigh, correlation)
    sizes = np.sqrt(np.maximum(squares[::-1], 0.0))
    doubtful = ((sizes > model.tol) & (sizes < _DOUBTFUL)).any()
    if not doubtful or not source.capabilities.rows_in_memory:
        return sizes, axes[:, ::-1]
    # the triangular factor of the rows has twice the digits of their Gram
    table = replace(source.rows(), x=_centred(moments, source.rows(), weigh=False), y=None)
    factor = TriangularFactor.of(replace(table, classes=None)).r[1:, 1:] / deviation / root
    _, sizes, turned = interruptible(np.linalg.svd, factor)
    return sizes, turned.T


def _centred(moments: Any, table: Table | None, *, weigh: bool = True) -> Array:
    """Rows less the mean of their class, times the root of their weight."""
    assert table is not None
    assert table.y is not None
    assert table.classes is not None
    place = np.searchsorted(moments.classes, table.classes[table.y[:, 0].astype(np.intp)])
    rows = table.x - moments.mean[np.minimum(place, len(moments.classes) - 1)]
    if table.weights is not None and weigh:
        rows = rows * np.sqrt(table.weights)[:, None]
    return np.asarray(rows, dtype=np.float64)


def _condition(covariance: Array) -> float:
    """Condition number of the columns scaled to variance 1."""
    scale = np.sqrt(np.diag(covariance))
    scale[~(scale > 0)] = 1.0
    squares = interruptible(np.linalg.eigvalsh, covariance / scale / scale[:, None])
    return float(squares[-1] / squares[0]) if squares[0] > 0 else float("inf")
