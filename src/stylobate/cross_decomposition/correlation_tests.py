"""Whether canonical correlations differ from chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array, Integers


@dataclass(frozen=True, slots=True)
class CorrelationSummary:
    r"""Wilks' lambda and Bartlett's test of each canonical correlation and all that follow it.

    .. math:: Λ_k = \prod_{i \ge k} (1 - ρ_i^2),\qquad
              χ^2_k = -\Big(n - 1 - \frac{p + q + 1}{2}\Big) \log Λ_k,\quad
              \text{df} = (p - k + 1)(q - k + 1)

    Under normal rows without correlation from the k-th pair on, :math:`χ^2_k` follows that law for
    large n. With n too small for it, statistics and p values are NaN.

    Parameters
    ----------
    correlations, wilks, chi2, df, p_values : arrays of shape (m,)
        For each k, of the hypothesis that correlations k, k+1, … are all zero.
    n_rows, x_rank, y_rank : int
        n, p and q.

    Examples
    --------
    >>> print(CorrelationSummary.of(np.array([0.6, 0.1]), n_rows=100, x_rank=3, y_rank=2))
    100 rows; 3 independent columns of X, 2 of y
    pair  correlation  Wilks' Λ      χ²  df       p
       1        0.600     0.634   43.81   6  <0.001
       2        0.100     0.990  0.9648   2   0.617

    References
    ----------
    Bartlett (1941), The statistical significance of canonical correlations, Biometrika 32.
    """

    correlations: Array
    wilks: Array
    chi2: Array
    df: Integers
    p_values: Array
    n_rows: int
    x_rank: int
    y_rank: int

    @classmethod
    def of(cls, correlations: Array, n_rows: int, x_rank: int, y_rank: int) -> CorrelationSummary:
        """The tests of all correlations of two blocks of so many rows and independent columns."""
        from scipy import stats

        with np.errstate(divide="ignore"):  # a correlation of 1 leaves nothing
            remaining = np.log1p(-(correlations**2))
        log_wilks = np.cumsum(remaining[::-1])[::-1]
        k = np.arange(len(correlations))
        df = (x_rank - k) * (y_rank - k)
        factor = n_rows - 1 - (x_rank + y_rank + 1) / 2
        enough = n_rows > x_rank + y_rank + 1
        chi2 = -factor * log_wilks if enough else np.full(len(k), np.nan)
        p_values = np.asarray(stats.chi2.sf(chi2, df))
        return cls(correlations, np.exp(log_wilks), chi2, df, p_values, n_rows, x_rank, y_rank)

    def __str__(self) -> str:
        from stylobate.inference.summary.text import number, p_value

        head = ("pair", "correlation", "Wilks' Λ", "χ²", "df", "p")
        cells = [
            (str(k + 1), f"{r:.3f}", f"{w:.3f}", number(c), str(d), p_value(p))
            for k, (r, w, c, d, p) in enumerate(
                zip(self.correlations, self.wilks, self.chi2, self.df, self.p_values, strict=True)
            )
        ]
        widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in (head, *cells)]
        first = f"{self.n_rows} rows; {self.x_rank} independent columns of X, {self.y_rank} of y"
        if self.n_rows <= self.x_rank + self.y_rank + 1:
            first += (
                "\nWith so few rows for so many columns some correlations are 1 whatever the data "
                "say, and there is no test"
            )
        return "\n".join([first, *lines])
