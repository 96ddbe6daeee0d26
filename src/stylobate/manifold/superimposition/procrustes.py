"""Procrustes analysis: one configuration of points laid upon another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False)
class Procrustes:
    r"""The similarity transform :math:`x \mapsto s\,xR + t` that lays A upon B.

    Parameters
    ----------
    rotation : array of shape (p, p)
        R, orthogonal.
    scale : float
        s.
    translation : array of shape (p,)
        t.
    disparity : float in [0, 1]
        Squares left over by the squares of B about its centre (about 0 without translation).
    residuals : array of shape (n,)
        Distance of each moved point to its counterpart.
    aligned, target : arrays of shape (n, p)
        A moved, and B.

    Examples
    --------
    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> turned = 2.0 * square @ [[0.0, 1.0], [-1.0, 0.0]] + 5.0
    >>> found = procrustes(square, turned)
    >>> round(found.scale, 9), found.is_reflection, bool(found.disparity < 1e-12)
    (2.0, False, True)
    >>> found.transform([[0.5, 0.5]]).round(9)
    array([[4., 6.]])
    """

    rotation: Array
    scale: float
    translation: Array
    disparity: float
    residuals: Array
    aligned: Array
    target: Array

    @property
    def is_reflection(self) -> bool:
        """Whether R turns left into right: its determinant is −1."""
        return bool(np.linalg.det(self.rotation) < 0)

    def transform(self, X: Any) -> Array:
        """Points of A's side moved to B's.

        Parameters
        ----------
        X : array-like of shape (m, p)

        Returns
        -------
        array of shape (m, p)
        """
        points = _points(X, "X", "Procrustes.transform", len(self.translation))
        return np.asarray(self.scale * points @ self.rotation + self.translation)

    def inverse_transform(self, X: Any) -> Array:
        """Points of B's side moved to A's.

        Parameters
        ----------
        X : array-like of shape (m, p)

        Returns
        -------
        array of shape (m, p)
        """
        points = _points(X, "X", "Procrustes.inverse_transform", len(self.translation))
        if self.scale == 0.0:
            raise InvalidDataError(
                "Procrustes.inverse_transform: the scale is 0, all points were moved to one place, "
                "and there is no way back."
            )
        return np.asarray((points - self.translation) @ self.rotation.T / self.scale)

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Both configurations, a line from each moved point to its counterpart."""
        from stylobate.plot import plot_procrustes

        return plot_procrustes(self, ax=ax)


def procrustes(
    A: Any,
    B: Any,
    *,
    reflection: bool = True,
    scale: bool = True,
    translation: bool = True,
    weights: Any = None,
) -> Procrustes:
    r"""Lay the points A upon their counterparts B by turning, scaling and shifting.

    .. math:: \min_{R^\top R = I,\,s,\,t} \sum_i w_i\,\|s\,a_iR + t - b_i\|^2

    With centred points and :math:`A^\top WB = UΣV^\top`: :math:`R = UV^\top` and
    :math:`s = \mathrm{tr}\,Σ / \mathrm{tr}\,A^\top WA`. Without reflections the last singular value
    counts with the sign of :math:`\det UV^\top`.

    Parameters
    ----------
    A, B : array-like of shape (n, p)
        Points that belong together row by row.
    reflection : bool, default=True
        Whether R may turn left into right.
    scale : bool, default=True
        Whether s is free; else 1.
    translation : bool, default=True
        Whether t is free; else 0.
    weights : array-like of shape (n,), default=None
        How much each point counts, not negative.

    Returns
    -------
    Procrustes
        Its disparity is that of `scipy.spatial.procrustes`; with neither scale nor translation its
        rotation is that of `scipy.linalg.orthogonal_procrustes`.

    References
    ----------
    Schönemann (1966), A generalized solution of the orthogonal Procrustes problem, Psychometrika
    31. Kabsch (1978), A discussion of the solution for the best rotation to relate two sets of
    vectors, Acta Crystallographica A34. Gower & Dijksterhuis (2004), Procrustes Problems, Oxford.

    Examples
    --------
    >>> a = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]
    >>> mirrored = [[0.0, 0.0], [-1.0, 0.0], [0.0, 2.0]]
    >>> procrustes(a, mirrored).is_reflection
    True
    >>> round(procrustes(a, mirrored, reflection=False).disparity, 3)
    0.48
    """
    a, b = _pair(A, B)
    w = _weights(weights, len(a))
    left, right = _centred(a, w, translation), _centred(b, w, translation)
    size, target = float((w * left.T**2).sum()), float((w * right.T**2).sum())
    if size == 0.0 or target == 0.0:
        which = "A" if size == 0.0 else "B"
        raise InvalidDataError(
            f"procrustes: all points of {which} are equal, so there is nothing to turn; it needs "
            "at least two different points."
        )
    rotation, overlap = best_rotation((left.T * w) @ right, reflection)
    factor = max(overlap, 0.0) / size if scale else 1.0
    shift = np.zeros(a.shape[1])
    if translation:
        shift = (
            np.average(b, axis=0, weights=w) - factor * np.average(a, axis=0, weights=w) @ rotation
        )
    aligned = factor * a @ rotation + shift
    squares = ((aligned - b) ** 2).sum(axis=1)
    disparity = float(w @ squares) / target
    return Procrustes(rotation, factor, shift, disparity, np.sqrt(squares), aligned, b)


def best_rotation(product: Array, reflection: bool) -> tuple[Array, float]:
    """The orthogonal R that makes the trace of Rᵀ·product largest, and that trace.

    >>> best_rotation(np.diag([2.0, -1.0]), True)[1]
    3.0
    >>> best_rotation(np.diag([2.0, -1.0]), False)[1]
    1.0
    """
    u, sizes, vt = np.linalg.svd(product)
    if not reflection and np.linalg.det(u) * np.linalg.det(vt) < 0:
        u[:, -1] *= -1.0
        sizes[-1] *= -1.0
    return u @ vt, float(sizes.sum())


def _centred(points: Array, weights: Array, translation: bool) -> Array:
    return points - np.average(points, axis=0, weights=weights) if translation else points


def _pair(A: Any, B: Any) -> tuple[Array, Array]:
    a = _points(A, "A", "procrustes")
    b = _points(B, "B", "procrustes")
    if a.shape != b.shape:
        raise InvalidDataError(
            f"procrustes: A has shape {a.shape} and B {b.shape}; both need one row for each point "
            "and as many columns (columns of zeros can be added to the one with fewer)."
        )
    return a, b


def _points(X: Any, name: str, owner: str, columns: int | None = None) -> Array:
    points = np.asarray(read_table(X, owner=f"{owner} ({name})").x, dtype=np.float64)
    if columns is not None and points.shape[1] != columns:
        raise InvalidDataError(f"{owner}: {name} has {points.shape[1]} columns, not {columns}.")
    return points


def _weights(weights: Any, n: int) -> Array:
    if weights is None:
        return np.ones(n)
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (n,) or not np.isfinite(given).all() or (given < 0).any() or not given.any():
        raise InvalidDataError(
            f"procrustes: weights must be {n} finite numbers, none negative and not all 0."
        )
    return given
