"""Least squares on changing sets of columns, from moments, by sweeping columns in and out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Indices

PIVOT = 1e-8  # share of a column the others must leave for sums of squares to keep their digits


@dataclass(slots=True, eq=False)
class Sweeps:
    r"""The state of least squares on a set S of columns, for several data sets (folds) at once.

    For each fold a symmetric matrix over the columns [X, y], swept on S:

    .. math:: A_{SS} = -(G_{SS})^{-1}, \quad A_{SN} = (G_{SS})^{-1} G_{SN}, \quad
              A_{NN} = G_{NN} - G_{NS} (G_{SS})^{-1} G_{SN}

    with G the (penalised) second moments of the training rows. A column goes in or out in O(q²),
    and what *would* happen if it did can be read off in O(1), for all columns together.

    Beside it, second moments W of other (validation) rows in the same coordinates: of the residual
    of each column outside S, and of the dual vector :math:`X_S (G_{SS})^{-1} e_i` of each inside.
    The validation error of a model one column away is then a quadratic in one number.

    Parameters
    ----------
    a, w : arrays of shape (folds, q, q)
        As above; `w` may be empty (0 folds) if only the training rows matter.
    scale : array of shape (folds, q)
        Diagonal of G at the start, which pivots are compared with.
    inside : array of bool of shape (p,)
        S.

    References
    ----------
    Goodnight (1979), A tutorial on the SWEEP operator, The American Statistician 33.
    """

    a: Array
    w: Array
    scale: Array
    inside: NDArray[np.bool_]

    @classmethod
    def of(cls, gram: Array, validation: Array | None, n_features: int) -> Self:
        """The state without columns; `gram` and `validation` are (folds, q, q)."""
        a = np.array(gram, dtype=float)
        w = np.empty((0, *a.shape[1:])) if validation is None else np.array(validation, dtype=float)
        scale = np.diagonal(a, axis1=1, axis2=2).copy()
        return cls(a, w, scale, np.zeros(n_features, dtype=bool))

    @property
    def n_features(self) -> int:
        return len(self.inside)

    def reliable(self, columns: Indices) -> NDArray[np.bool_]:
        """Whether each column (outside) could go in without loss of digits, in every fold."""
        pivots = self.a[:, columns, columns]
        return np.asarray((pivots > PIVOT * self.scale[:, columns]).all(axis=0))

    def flip(self, k: int) -> None:
        """Column k goes in if it is outside, and out if it is inside."""
        goes_in = not self.inside[k]
        _core.flip_column(self.a, self.w, k, goes_in)
        self.inside[k] = goes_in

    def squares(self, columns: Indices) -> Array:
        """Sums of squared errors (folds × columns × targets) if each column were flipped.

        On the validation rows, or on the training rows if there are no others.
        """
        return _core.flipped_squares(self.a, self.w, columns.astype(np.int64), self.n_features)

    def current_squares(self) -> Array:
        """Sums of squared errors (folds × targets) with S as it is, on the same rows."""
        p = self.n_features
        squares = self.w if len(self.w) else self.a
        return np.diagonal(squares[:, p:, p:], axis1=1, axis2=2).copy()

    def reach(self, wanted: NDArray[np.bool_]) -> bool:
        """Flip columns until S is `wanted`; False if some cannot go in reliably."""
        for k in np.flatnonzero(self.inside & ~wanted):
            self.flip(int(k))
        for k in np.flatnonzero(wanted & ~self.inside):
            if self.reliable(np.array([k]))[0]:
                self.flip(int(k))
        return bool((self.inside == wanted).all())
