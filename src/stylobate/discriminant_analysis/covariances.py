"""Covariance matrices of classes under every choice of shrinkage, from moments and, if need be,
rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import clone
from stylobate.data import Table
from stylobate.exceptions import InvalidParameterError
from stylobate.statistics import FullClassMoments
from stylobate.statistics.moments.shrinkage import fourth_moment, ledoit_wolf_of, oas_of, shrunk

Shrinkage = str | float | None


def class_covariances(
    moments: FullClassMoments, shrinkage: Shrinkage, estimator: Any, table: Table | None
) -> Array:
    """The covariance matrix of each class (k × p × p), shrunk as asked for.

    Parameters
    ----------
    moments : FullClassMoments
    shrinkage : "auto", "oas", float or None
    estimator : object with fit and covariance_, or None
        Fitted to the rows of each class instead.
    table : Table or None
        The rows, which "auto" and `estimator` need.
    """
    plain = moments.scatter / np.where(moments.weight > 0, moments.weight, 1.0)[:, None, None]
    if estimator is None and not isinstance(shrinkage, str):
        return plain if shrinkage is None else shrunk(plain, float(shrinkage))
    found = []
    for c, covariance in enumerate(plain):
        rows = None
        if table is not None and (estimator is not None or shrinkage == "auto"):
            rows = rows_of_class(table, moments.classes[c])
        n = float(moments.weight[c])
        found.append(covariance_of(covariance, moments.mean[c], n, shrinkage, estimator, rows))
    return np.stack(found)


def total_covariance(
    moments: Any, within: Array, shrinkage: Shrinkage, estimator: Any, table: Table | None
) -> Array:
    """The covariance matrix of all rows about their common mean, shrunk as asked for.

    `within` is the scatter of the rows about the means of their classes.
    """
    n, mean = float(moments.weight.sum()), moments.total_mean
    deviation = moments.mean - mean
    plain = (within + (moments.weight[:, None] * deviation).T @ deviation) / n
    return covariance_of(plain, mean, n, shrinkage, estimator, table)


def covariance_of(
    covariance: Array,
    mean: Array,
    n: float,
    shrinkage: Shrinkage,
    estimator: Any,
    table: Table | None,
) -> Array:
    """One covariance matrix, shrunk; "auto" and "oas" do so in units of the standard deviations."""
    if estimator is not None:
        assert table is not None
        return _estimated(estimator, table)
    if not isinstance(shrinkage, str):
        return covariance if shrinkage is None else shrunk(covariance, float(shrinkage))
    if shrinkage == "oas":
        return shrunk(covariance, oas_of(covariance, n))
    assert table is not None
    scale = np.sqrt(np.diag(covariance))
    scale[scale == 0] = 1.0
    correlation = covariance / scale / scale[:, None]
    amount = ledoit_wolf_of(correlation, fourth_moment(table, mean, scale), n)
    return shrunk(correlation, amount) * scale * scale[:, None]


def rows_of_class(table: Table, label: Any) -> Table:
    """The rows of one class, without a target."""
    assert table.y is not None
    assert table.classes is not None
    number = int(np.searchsorted(table.classes, label))
    rows = np.flatnonzero(table.y[:, 0] == number)
    return replace(table.take(rows), y=None, classes=None)


def _estimated(estimator: Any, table: Table) -> Array:
    twin = clone(estimator)
    twin.fit(table.x)
    if not hasattr(twin, "covariance_"):
        raise InvalidParameterError(
            f"covariance_estimator: {type(estimator).__name__} does not have a covariance_ "
            "attribute after fit; pass an estimator of covariance matrices."
        )
    return np.atleast_2d(np.asarray(twin.covariance_, dtype=np.float64))


def pooled_of(moments: Any) -> Array:
    """The scatter of all classes together, of full or of pooled moments."""
    scatter: Array = moments.scatter
    return scatter.sum(axis=0) if isinstance(moments, FullClassMoments) else scatter
