"""Euclidean distances in other units: of columns by their variance, of rows by their covariance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.distances.maps import ROOT
from stylobate.distances.metric import Form, Metric, scaling
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.interrupts import interruptible


@dataclass(frozen=True, eq=False)
class StandardizedEuclidean(Metric):
    r""":math:`\sqrt{\sum_l (x_l - y_l)^2 / V_l}`.

    Parameters
    ----------
    V : array of shape (columns,), default=None
        The variance of every column; None takes those of the rows (`learnt`).

    Examples
    --------
    >>> StandardizedEuclidean([4.0, 1.0])([0.0, 0.0], [2.0, 0.0])
    1.0
    """

    V: Any = None
    names: ClassVar[tuple[str, ...]] = ("seuclidean",)
    triangle = balls = graph = True

    def learnt(self, x: Any) -> StandardizedEuclidean:
        """With the sample variances of the rows."""
        return self if self.V is not None else replace(self, V=_variances(x))

    def form(self, columns: int) -> Form:
        """Each column divided by its standard deviation."""
        if self.V is None:
            raise InvalidParameterError(
                "The 'V' parameter is required for the seuclidean metric when Y is passed or a "
                "tree is grown: give V, the variance of every column."
            )
        variances = np.asarray(self.V, dtype=np.float64)
        if variances.shape != (columns,) or not (variances > 0).all():
            raise InvalidParameterError(
                f"seuclidean: V must be {columns} variances of the columns, all above 0; got "
                f"{self.V!r}. A constant column has none: leave it out."
            )
        return Form("squared", ROOT, change=scaling(1.0 / np.sqrt(variances)))


def _variances(x: Any) -> Array:
    variances: Array = np.var(x, axis=0, ddof=1, dtype=np.float64)
    return variances


@dataclass(frozen=True, eq=False)
class Mahalanobis(Metric):
    r""":math:`\sqrt{(x - y)^T V^{-1} (x - y)}`.

    Parameters
    ----------
    V : array of shape (columns, columns), default=None
        The covariance matrix.
    VI : array of shape (columns, columns), default=None
        Its inverse, which is taken if both are given; None and None: that of the rows (`learnt`).

    Examples
    --------
    >>> Mahalanobis(VI=[[4.0, 0.0], [0.0, 1.0]])([0.0, 0.0], [2.0, 0.0])
    4.0
    """

    V: Any = None
    VI: Any = None
    names: ClassVar[tuple[str, ...]] = ("mahalanobis",)
    triangle = balls = graph = True

    def learnt(self, x: Any) -> Mahalanobis:
        """With the sample covariance of the rows."""
        if self.V is not None or self.VI is not None:
            return self
        return replace(self, V=np.atleast_2d(np.cov(x.T, dtype=np.float64)))

    @cached_property
    def _whitening(self) -> Array:
        return whitening(_inverse(self.V) if self.VI is None else self.VI)

    def form(self, columns: int) -> Form:
        """Rows times W with W Wᵀ = V⁻¹."""
        if self.V is None and self.VI is None:
            raise InvalidParameterError(
                "The 'VI' parameter is required for the mahalanobis metric when Y is passed or a "
                "tree is grown: give V, the covariance matrix, or VI, its inverse."
            )
        whiten = self._whitening
        if len(whiten) != columns:
            raise InvalidParameterError(
                f"mahalanobis: VI must be a matrix of {columns} rows and columns, got "
                f"{whiten.shape}."
            )
        return Form("squared", ROOT, change=lambda x: x @ whiten)


def _inverse(V: Any) -> NDArray[Any]:
    try:
        return interruptible(np.linalg.inv, np.asarray(V, dtype=np.float64))
    except np.linalg.LinAlgError as error:
        raise InvalidDataError(
            f"mahalanobis: the covariance matrix V has no inverse ({error}): columns are constant, "
            "depend on each other, or there are fewer rows than columns. Give VI, for example the "
            "inverse of a shrunk covariance of stylobate.covariance."
        ) from None


def whitening(VI: Any) -> Array:
    """W with W Wᵀ = VI, so that rows times W have the mahalanobis distance as their euclidean."""
    inverse = np.asarray(VI, dtype=np.float64)
    if inverse.ndim != 2 or inverse.shape[0] != inverse.shape[1]:
        raise InvalidParameterError(
            f"mahalanobis: VI must be a square matrix, got shape {inverse.shape}."
        )
    values, vectors = interruptible(np.linalg.eigh, (inverse + inverse.T) / 2.0)
    if values[0] < -1e-10 * max(values[-1], 0.0) or values[-1] < 0.0:
        raise InvalidParameterError(
            "mahalanobis: VI must be positive semidefinite, its smallest eigenvalue is "
            f"{values[0]:.3g}."
        )
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))
