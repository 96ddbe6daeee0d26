"""Influence of single rows on a least-squares fit, all from one pass over the rows.

References
----------
Belsley, Kuh & Welsch (1980), Regression Diagnostics; Cook & Weisberg (1982), Residuals and
Influence in Regression.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.covariance.least_squares import LEVERAGE_ONE
from stylobate.inference.fit import LinearFit
from stylobate.inference.rows import FittedRows, leverage

_MEASURES = ("cooks_distance", "dffits", "externally_studentized", "leverage", "covratio")


@dataclass(frozen=True, eq=False)
class Influence:
    """What each row does to the fit; one value per row unless said otherwise.

    With weights, `residuals` and `press_residuals` are in the units of y and everything
    studentised is in the metric `√w`, that is, ordinary least squares on `√w·y`, `√w·X`. Rows of
    zero weight have no influence. Measures that do not exist are NaN, and `notes` says why.

    Attributes
    ----------
    leverage : (n,) array
        Diagonal `h` of the hat matrix.
    residuals : (n,) array
        `y − ŷ`.
    """

    fit: LinearFit
    rows: FittedRows
    leverage: Array
    residuals: Array

    @cached_property
    def _root_weights(self) -> Array:
        w = self.rows.weights
        return np.ones(len(self.residuals)) if w is None else np.sqrt(w)

    @cached_property
    def _slack(self) -> Array:
        """`1 − h`, NaN where it is zero up to rounding."""
        slack = 1.0 - self.leverage
        return np.where(slack < LEVERAGE_ONE, np.nan, slack)

    @cached_property
    def _leave_one_out_sigma2(self) -> Array:
        """Residual variance without the row: `(rss − w e²/(1−h)) / (df − 1)`."""
        fit = self.fit
        if fit.df_residual < 2 or fit.rss == 0:
            return np.full_like(self.residuals, np.nan)
        weighted = (self._root_weights * self.residuals) ** 2
        without = np.maximum(fit.rss - weighted / self._slack, 0.0) / (fit.df_residual - 1)
        return np.where(self._root_weights > 0, without, fit.sigma2)

    @cached_property
    def press_residuals(self) -> Array:
        """Residual of each row against the fit without it: `e / (1 − h)`."""
        return np.asarray(self.residuals / self._slack)

    @property
    def press(self) -> float:
        """PRESS statistic `Σ w (e/(1−h))²`; rows of leverage 1 are left out (see `notes`)."""
        return float(np.nansum((self._root_weights * self.press_residuals) ** 2))

    def _studentized(self, sigma2: Array | float) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return self._root_weights * self.residuals / np.sqrt(sigma2 * self._slack)

    @cached_property
    def internally_studentized(self) -> Array:
        """`√w e / (s √(1−h))`, with s from all rows."""
        return self._studentized(self.fit.sigma2 if self.fit.rss else np.nan)

    @cached_property
    def externally_studentized(self) -> Array:
        """`√w e / (s₍ᵢ₎ √(1−h))`, with s from the other rows; Student's t under the model."""
        return self._studentized(self._leave_one_out_sigma2)

    @cached_property
    def cooks_distance(self) -> Array:
        """Cook's distance `r² h / (rank (1−h))`, r internally studentised."""
        factor = self.leverage / self._slack / self.fit.rank
        return np.asarray(self.internally_studentized**2 * factor)

    @cached_property
    def dffits(self) -> Array:
        """Change of the row's own fitted value in standard errors: `t √(h/(1−h))`."""
        return np.asarray(self.externally_studentized * np.sqrt(self.leverage / self._slack))

    @cached_property
    def covratio(self) -> Array:
        """Determinant of the coefficient covariance without the row over that with it."""
        ratio = (self._leave_one_out_sigma2 / self.fit.sigma2) ** self.fit.rank / self._slack
        return np.asarray(ratio)

    @cached_property
    def dfbetas(self) -> Array:
        """Change of each coefficient in standard errors, (n, k); computed on first use."""
        fit = self.fit
        changes = np.empty((len(self.residuals), len(fit.names)))
        scale = np.sqrt(np.where(fit.estimable, np.diag(fit.unscaled_covariance), np.nan))
        with np.errstate(divide="ignore", invalid="ignore"):
            for index, design, residual, w in self.rows.chunks():
                factor = w * residual / self._slack[index]
                factor /= np.sqrt(self._leave_one_out_sigma2[index])
                changes[index] = design @ fit.root @ fit.root.T * factor[:, None] / scale
        return changes

    @property
    def notes(self) -> tuple[str, ...]:
        """Why some measures are missing, if any are."""
        notes, fit = [], self.fit
        alone = np.flatnonzero(np.isnan(self._slack))
        if len(alone):
            named = ", ".join(map(str, alone[:8])) + (" …" if len(alone) > 8 else "")
            notes.append(
                f"Leverage is 1 for row(s) {named}: the fit passes through them whatever their "
                f"value, so leave-one-out measures do not exist there and PRESS leaves them out."
            )
        if fit.rss == 0 or fit.df_residual == 0:
            notes.append("There is no residual variance, so nothing can be studentised.")
        elif fit.df_residual == 1:
            notes.append(
                "One residual degree of freedom: without a row none is left, so externally "
                "studentised residuals, DFFITS, DFBETAS and covratio do not exist."
            )
        return tuple(notes)

    def worst(self, n: int = 10, by: str = "cooks_distance") -> WorstRows:
        """The n rows of largest `|by|`.

        Parameters
        ----------
        n : int >= 1
        by : {"cooks_distance", "dffits", "externally_studentized", "leverage", "covratio"}
            covratio is ranked by its distance from 1.
        """
        if by not in _MEASURES:
            raise InvalidParameterError(f"by must be one of {', '.join(_MEASURES)}, got {by!r}.")
        key = np.abs(getattr(self, by) - (by == "covratio"))
        order = np.argsort(np.where(np.isnan(key), -1.0, key), kind="stable")[::-1][: max(n, 1)]
        columns = {name: getattr(self, name)[order] for name in ("residuals", *_MEASURES)}
        return WorstRows(order, columns, by, self.fit.rank, self.fit.n_rows, self.notes)

    def hat_matrix(self, max_bytes: int = 1 << 30) -> Array:
        """The hat matrix `H = X C XᵀW` with `ŷ = H y`, all n × n of it.

        Parameters
        ----------
        max_bytes : int
            Refuse to build a larger one; one gibibyte unless told otherwise.
        """
        n = len(self.residuals)
        if 8 * n * n > max_bytes:
            raise InvalidDataError(
                f"The hat matrix of {n} rows takes {8 * n * n / 2**30:.1f} GiB, more than the "
                f"{max_bytes / 2**30:.3g} GiB allowed: its diagonal is `leverage`, or pass a "
                f"larger max_bytes."
            )
        whitened = np.vstack([block @ self.fit.root for _, block, _, _ in self.rows.chunks()])
        return np.asarray(whitened @ whitened.T * self._root_weights**2)

    def plot(self, **options: Any) -> Any:
        """Draw Cook's distances and where they come from; see `stylobate.plot.plot_influence`."""
        from stylobate.plot import plot_influence

        return plot_influence(self, **options)

    def __repr__(self) -> str:
        return str(self.worst())


@dataclass(frozen=True, eq=False)
class WorstRows:
    """The most influential rows, as columns; `print` it for a table."""

    rows: np.ndarray[Any, np.dtype[np.intp]]
    columns: dict[str, Array]
    by: str
    rank: int
    n_rows: int
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, list[Any]]:
        """Plain lists, ready for JSON or a data frame."""
        plain = {name: column.tolist() for name, column in self.columns.items()}
        return {"row": self.rows.tolist(), **plain}

    def __str__(self) -> str:
        from stylobate.inference.summary.text import worst_text

        return worst_text(self)

    __repr__ = __str__


def influence(fit: LinearFit, X: Any, y: ArrayLike, weights: ArrayLike | None = None) -> Influence:
    """Leverage, studentised residuals, Cook's distance, DFFITS, DFBETAS, PRESS of every row.

    Parameters
    ----------
    fit : LinearFit
        Unpenalised.
    X, y, weights
        The rows of the fit. X is kept by reference and read in chunks.

    Returns
    -------
    Influence

    Examples
    --------
    >>> from stylobate.inference import fit_from_factor
    >>> x, y = np.arange(5.0), np.array([0.0, 1.1, 1.9, 3.1, 9.0])
    >>> r = np.linalg.qr(np.column_stack([np.ones(5), x, y]), mode="r")
    >>> effect = influence(fit_from_factor(r, n_rows=5), x[:, None], y)
    >>> effect.leverage.round(2).tolist(), int(effect.worst(1).rows[0])
    ([0.6, 0.3, 0.2, 0.3, 0.6], 4)
    """
    if fit.penalised:
        raise InvalidDataError(
            "Influence measures are those of least squares; a penalised fit has another hat "
            "matrix. Refit without a penalty."
        )
    rows = FittedRows.of(fit, X, y, weights)
    h, residuals, rss = np.empty(len(rows.y)), np.empty(len(rows.y)), 0.0
    for index, design, residual, w in rows.chunks():
        h[index] = leverage(design @ fit.root, w)
        residuals[index] = residual
        rss += float(w @ residual**2)
    rows.check_rss(rss)
    return Influence(fit, rows, h, residuals)
