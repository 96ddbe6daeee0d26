"""What can be said of a model whose columns the data chose."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stylobate.optimize.certificate import Certificate

AFTER_SELECTION = (
    "no standard errors or p values are given after selection: the same data chose the columns and "
    "shrank their coefficients, so that the usual ones would be too small. Fit LinearRegression to "
    "the selected columns on rows that took no part in the selection."
)


@dataclass(frozen=True, eq=False, repr=False)
class SelectionSummary:
    """Selected coefficients with objective and certificate, and no p values.

    Parameters
    ----------
    model : str
        Name of the estimator.
    names : tuple of str
        Of all columns.
    coef : array (p,)
    intercept : float
    has_intercept : bool
    certificate : Certificate

    Examples
    --------
    >>> from stylobate.linear_model import Lasso
    >>> X, y = [[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]], [0.0, 1.0, 2.0, 3.0]
    >>> summary = Lasso(alpha=0.5).fit(X, y).summary()
    >>> summary.degrees_of_freedom, summary.selected
    (1, ('x0',))
    """

    model: str
    names: tuple[str, ...]
    coef: NDArray[np.float64]
    intercept: float
    has_intercept: bool
    certificate: Certificate

    @property
    def selected(self) -> tuple[str, ...]:
        """Names of the columns whose coefficient is not zero."""
        return tuple(name for name, w in zip(self.names, self.coef, strict=True) if w != 0.0)

    @property
    def degrees_of_freedom(self) -> int:
        """Number of coefficients that are not zero.

        For the lasso its expectation is that of the fit's degrees of freedom (Zou, Hastie &
        Tibshirani 2007).
        """
        return int(np.count_nonzero(self.coef))

    @property
    def warning(self) -> str:
        """Why there are no p values."""
        return AFTER_SELECTION[0].upper() + AFTER_SELECTION[1:]

    def __str__(self) -> str:
        order = np.argsort(-np.abs(self.coef), kind="stable")[: self.degrees_of_freedom]
        rows = [(self.names[j], self.coef[j]) for j in order]
        if self.has_intercept:
            rows.insert(0, ("(Intercept)", self.intercept))
        width = max([len(name) for name, _ in rows], default=0)
        lines = [f"{name:<{width}}  {value:>12.6g}" for name, value in rows]
        proof = self.certificate
        head = (
            f"{self.model}: {self.degrees_of_freedom} of {len(self.coef)} coefficients are not "
            f"zero; objective {proof.primal:.8g}, at most {proof.gap:.2g} above the optimum."
        )
        return "\n".join([head, *lines, proof.verdict, self.warning])

    def __repr__(self) -> str:
        return str(self)
