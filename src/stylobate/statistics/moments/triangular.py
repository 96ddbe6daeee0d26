"""TriangularFactor: the mergeable QR decomposition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.statistics.rows import csr_parts, log_weight_sum


class FactorSolution(NamedTuple):
    """Coefficients (k × targets), inverse Gram (k × k) and residual sums of squares (targets)."""

    coefficients: Array
    inverse_gram: Array | None
    residual_squares: Array


@dataclass(frozen=True, slots=True, eq=False)
class TriangularFactor:
    r"""The factor R of :math:`\sqrt w\,[1, X, y] = Q R`, in one pass, without Q.

    :math:`R^\top R` is the Gram matrix, but R is computed from the rows by Householder reflections,
    so it carries twice the digits the Gram can. Factors merge (the R of two stacked Rs), so this
    works on batches and clusters too. It does not subtract: removing rows loses digits.

    Parameters
    ----------
    n_rows : int
        Rows of positive weight.
    weight : float
        Sum of the weights.
    r, r_low : arrays of shape (1 + q, 1 + q)
        R as the unevaluated sum ``r + r_low``; `r_low` is zero in plain double precision.
    n_targets : int
        How many of the columns, the last ones, are targets.
    log_weight : float
        Sum of the logarithms of the positive weights.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[1.0], [2.0], [6.0]], [1.0, 3.0, 6.0], owner="example")
    >>> factor = TriangularFactor.of(table)
    >>> factor.solve().coefficients.round(12).ravel().tolist()  # intercept, slope
    [0.547619047619, 0.928571428571]

    References
    ----------
    Demmel, Grigori, Hoemmen & Langou (2012), Communication-optimal parallel and sequential QR and
    LU factorizations, SIAM J. Sci. Comput. 34.
    """

    n_rows: int
    weight: float
    r: Array
    r_low: Array
    n_targets: int = 0
    log_weight: float = 0.0

    subtractable: ClassVar[bool] = False
    extended: ClassVar[bool] = False

    @classmethod
    def of(cls, table: Table) -> Self:
        """The factor of a table."""
        y, w = table.y, table.weights
        if table.is_sparse:
            parts = csr_parts(table.x)
            r, low = _core.triangular_csr(*parts, y, w, cls.extended)
        else:
            r, low = _core.triangular(table.x, y, w, cls.extended)
        n_rows = table.n_rows if w is None else int(np.count_nonzero(w))
        weight = float(table.n_rows if w is None else w.sum())
        n_targets = 0 if y is None else y.shape[1]
        return cls(n_rows, weight, r, low, n_targets, log_weight_sum(w))

    @property
    def n_features(self) -> int:
        return len(self.r) - 1 - self.n_targets

    def update(self, table: Table) -> Self:
        """The factor after absorbing more rows."""
        return self.merge(type(self).of(table))

    def merge(self, other: Self) -> Self:
        """The factor of both parts' rows together."""
        if (self.n_features, self.n_targets) != (other.n_features, other.n_targets):
            raise InvalidDataError(
                f"TriangularFactor: these have {self.n_features} features and {self.n_targets} "
                f"targets, the others {other.n_features} and {other.n_targets}; they must describe "
                "the same columns."
            )
        r, low = _core.merge_triangular(self.r, self.r_low, other.r, other.r_low, self.extended)
        n_rows, weight = self.n_rows + other.n_rows, self.weight + other.weight
        log_weight = self.log_weight + other.log_weight
        return type(self)(n_rows, weight, r, low, self.n_targets, log_weight)

    def without_ones(self) -> tuple[Array, Array]:
        """R of √w[X, y] alone (no intercept), as high and low parts."""
        first = np.zeros((2, len(self.r) - 1, len(self.r) - 1))
        first[:, 0] = self.r[0, 1:], self.r_low[0, 1:]
        rest, low = (np.ascontiguousarray(part[1:, 1:]) for part in (self.r, self.r_low))
        return _core.merge_triangular(rest, low, first[0], first[1], self.extended)

    def solve(self, *, intercept: bool = True) -> FactorSolution:
        """Least squares of the targets on the features, which must be independent.

        With `intercept` the first coefficient is the intercept. Done with the digits of the factor;
        only the answers are rounded to double precision.
        """
        r, low = (self.r, self.r_low) if intercept else self.without_ones()
        return FactorSolution(*_core.solve_triangular(r, low, self.n_features + intercept))

    def column_lengths(self) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.sqrt((self.r[1:, 1:] ** 2).sum(axis=0)))

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.r).all())

    def to_arrays(self) -> dict[str, Array]:
        facts = np.array([self.n_rows, self.weight, self.n_targets, self.log_weight])
        return {"facts": facts, "r": self.r, "r_low": self.r_low}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Self:
        n_rows, weight, n_targets, log_weight = map(float, arrays["facts"])
        r, low = arrays["r"], arrays["r_low"]
        return cls(int(n_rows), weight, r, low, int(n_targets), log_weight)


class ExtendedTriangularFactor(TriangularFactor):
    """A triangular factor computed with 32 digits, for columns that are nearly dependent.

    About twenty times the arithmetic of `TriangularFactor`; the answers are those of exact
    arithmetic on the numbers given, up to condition numbers of about 1e30.

    Examples
    --------
    >>> from stylobate.data import read_table
    >>> table = read_table([[1.0], [2.0], [4.0]], [1.0, 3.0, 5.0], owner="example")
    >>> float(ExtendedTriangularFactor.of(table).solve().coefficients[1, 0]), 9 / 7
    (1.2857142857142858, 1.2857142857142858)
    """

    __slots__ = ()
    extended: ClassVar[bool] = True
