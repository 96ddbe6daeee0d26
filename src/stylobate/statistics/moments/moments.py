"""Moments: weighted count, mean and centred scatter of the columns of [X, y]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.rows import csr_parts, log_weight_sum

if TYPE_CHECKING:
    from stylobate.statistics.moments.stack import MomentsStack


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    r"""First and second moments of the columns :math:`z = [x, y]` in one pass.

    .. math:: n = \sum_i w_i, \quad m = \frac1n \sum_i w_i z_i, \quad
              S = \sum_i w_i (z_i - m)(z_i - m)^\top

    Held as (n, m, S), never as raw sums of squares, so no digits are lost to a large mean. All of
    least squares, ridge, the lasso on many rows, principal components and their cross-validation
    follow from this value.

    Parameters
    ----------
    n_rows : int
        Rows of positive weight.
    weight : float
        Sum of the weights (= `n_rows` without weights).
    mean : array of shape (q,)
    scatter : array of shape (q, q)
    n_targets : int
        How many of the q columns, the last ones, are targets.
    log_weight : float
        Sum of the logarithms of the positive weights (the likelihood asks for it).

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.data import read_table
    >>> left = Moments.of(read_table([[1.0], [2.0]], [1.0, 3.0], owner="example"))
    >>> right = Moments.of(read_table([[6.0]], [5.0], owner="example"))
    >>> whole = left.merge(right)
    >>> whole.mean
    array([3., 3.])
    >>> whole.xx, whole.xy
    (array([[14.]]), array([[10.]]))

    References
    ----------
    Chan, Golub & LeVeque (1979), Updating formulae and a pairwise algorithm for computing sample
    variances, Stanford STAN-CS-79-773.
    """

    n_rows: int
    weight: float
    mean: Array
    scatter: Array
    n_targets: int = 0
    log_weight: float = 0.0

    subtractable: ClassVar[bool] = True

    @classmethod
    def of(cls, table: Table) -> Self:
        """The moments of a table."""
        y, w = table.y, table.weights
        if table.is_sparse:
            n_rows, weight, mean, scatter = _core.moments_csr(*csr_parts(table.x), y, w)
        else:
            n_rows, weight, mean, scatter = _core.moments(table.x, y, w)
        n_targets = 0 if y is None else y.shape[1]
        return cls(n_rows, weight, mean, scatter, n_targets, log_weight_sum(w))

    @classmethod
    def of_parts(cls, table: Table, parts: Sequence[NDArray[np.intp] | slice]) -> MomentsStack:
        """The moments of some rows of a table each, in one pass."""
        from stylobate.statistics.moments.stack import MomentsStack

        return MomentsStack.of_parts(table, parts)

    @property
    def n_features(self) -> int:
        return len(self.mean) - self.n_targets

    @property
    def x_mean(self) -> Array:
        return self.mean[: self.n_features]

    @property
    def y_mean(self) -> Array:
        return self.mean[self.n_features :]

    @property
    def xx(self) -> Array:
        """Centred scatter of the features."""
        return self.scatter[: self.n_features, : self.n_features]

    @property
    def xy(self) -> Array:
        """Centred cross scatter, features × targets."""
        return self.scatter[: self.n_features, self.n_features :]

    @property
    def yy(self) -> Array:
        """Centred scatter of the targets."""
        return self.scatter[self.n_features :, self.n_features :]

    def update(self, table: Table) -> Self:
        """The moments after absorbing more rows."""
        return self.merge(type(self).of(table))

    def merge(self, other: Self) -> Self:
        """S = S₁ + S₂ + n₁n₂/n · δδᵀ with δ the difference of the means."""
        self._require_same_columns(other)
        n = self.weight + other.weight
        if other.weight == 0.0:
            return self
        if self.weight == 0.0:
            return other
        delta = other.mean - self.mean
        return type(self)(
            self.n_rows + other.n_rows,
            n,
            self.mean + delta * (other.weight / n),
            self.scatter + other.scatter + _outer(delta, self.weight * (other.weight / n)),
            self.n_targets,
            self.log_weight + other.log_weight,
        )

    def subtract(self, other: Self) -> Self:
        """The moments of the rows here that are not in `other`, which must be a part of these."""
        self._require_same_columns(other)
        n_rows, n = self.n_rows - other.n_rows, self.weight - other.weight
        if n_rows < 0:
            raise InvalidDataError(
                f"Moments.subtract: cannot take {other.n_rows} rows from {self.n_rows}."
            )
        if n_rows == 0:
            zero = np.zeros_like(self.mean)
            return type(self)(0, 0.0, zero, np.zeros_like(self.scatter), self.n_targets)
        if other.weight == 0.0:
            return self
        mean = self.mean + (self.mean - other.mean) * (other.weight / n)
        delta = other.mean - mean
        scatter = self.scatter - other.scatter - _outer(delta, n * (other.weight / self.weight))
        np.fill_diagonal(scatter, np.maximum(np.diag(scatter), 0.0))  # rounding may fall below
        log_weight = self.log_weight - other.log_weight
        return type(self)(n_rows, n, mean, scatter, self.n_targets, log_weight)

    def scaled(self, factor: float) -> Self:
        """The moments of the same rows with all weights multiplied by a factor above 0.

        >>> from stylobate.data import read_table
        >>> half = Moments.of(read_table([[1.0], [3.0]], owner="example")).scaled(0.5)
        >>> half.weight, half.mean, half.scatter
        (1.0, array([2.]), array([[1.]]))
        """
        return replace(
            self,
            weight=self.weight * factor,
            scatter=self.scatter * factor,
            log_weight=self.log_weight + self.n_rows * float(np.log(factor)),
        )

    def subset(self, features: Sequence[int] | NDArray[Any]) -> Self:
        """The moments of some of the features (indices or a mask), targets kept."""
        chosen = np.arange(self.n_features)[np.asarray(features)]
        columns = np.concatenate([chosen, np.arange(self.n_features, len(self.mean))])
        scatter = self.scatter[np.ix_(columns, columns)]
        return replace(self, mean=self.mean[columns], scatter=scatter)

    def about_zero(self) -> Self:
        """The same second moments taken about the origin: Σ w z zᵀ, mean 0 (no intercept)."""
        raw = self.scatter + _outer(self.mean, self.weight)
        return replace(self, mean=np.zeros_like(self.mean), scatter=raw)

    def covariance(self, ddof: int = 1) -> Array:
        """S / (n − ddof), all columns."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.scatter / (self.weight - ddof))

    def correlation(self) -> Array:
        """Pearson correlations; those of a constant column are NaN, as nothing can be said."""
        root = np.sqrt(np.diag(self.scatter))
        with np.errstate(invalid="ignore", divide="ignore"):
            r = self.scatter / root[:, None] / root
        np.fill_diagonal(r, np.where(root > 0, 1.0, np.nan))
        return np.asarray(np.clip(r, -1.0, 1.0))

    def column_lengths(self) -> Array:
        return np.asarray(np.sqrt(np.diag(self.scatter)))

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.scatter).all() and np.isfinite(self.mean).all())

    def to_arrays(self) -> dict[str, Array]:
        facts = np.array([self.n_rows, self.weight, self.n_targets, self.log_weight])
        return {"facts": facts, "mean": self.mean, "scatter": self.scatter}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Self:
        n_rows, weight, n_targets, log_weight = map(float, arrays["facts"])
        mean, scatter = arrays["mean"], arrays["scatter"]
        return cls(int(n_rows), weight, mean, scatter, int(n_targets), log_weight)

    def _require_same_columns(self, other: Self) -> None:
        if (self.n_features, self.n_targets) != (other.n_features, other.n_targets):
            raise InvalidDataError(
                f"Moments: these have {self.n_features} features and {self.n_targets} targets, the "
                f"others {other.n_features} and {other.n_targets}; they must describe the same "
                "columns."
            )


def _outer(v: Array, scale: float) -> Array:
    return np.asarray(np.multiply.outer(v * scale, v))
