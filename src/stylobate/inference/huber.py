"""Large-sample inference for Huber's regression.

References
----------
Huber & Ronchetti (2009), Robust Statistics, Wiley, section 7.6, whose three covariances R's `rlm`
and statsmodels have as well; White (1980), Econometrica 48 (without equal variances).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.distributions import check_level, two_sided_p, two_sided_quantile
from stylobate.inference.rows import design_chunks
from stylobate.inference.summary.regression import Coefficients
from stylobate.inference.summary.text import coefficients_text, legend, notes_text, number

HuberCovariance = Literal["H1", "H2", "H3", "robust"]


@dataclass(frozen=True, eq=False)
class HuberSummary:
    """What a Huber regression says, as values; `print` it for a table.

    `n_far` are the rows beyond the threshold ε·σ, whose size counts no more.
    """

    coefficients: Coefficients
    n: int
    df_residual: int
    epsilon: float
    scale: float
    n_far: int
    covariance_type: str
    covariance: Array
    level: float
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, strings and lists."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain["coefficients"] = self.coefficients.to_dict()
        plain["covariance"], plain["notes"] = self.covariance.tolist(), list(self.notes)
        return plain

    def __str__(self) -> str:
        body = coefficients_text(self.coefficients, self.level, "z")
        return (
            f"Huber regression: {self.n} rows, {self.df_residual} residual degrees of freedom\n"
            f"scale {number(self.scale)}, {self.n_far} rows beyond {number(self.epsilon)} of it; "
            f"{self.covariance_type} standard errors\n\n{body}\n{legend()}{notes_text(self.notes)}"
        )

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class _Sums:
    """Σ xxᵀ, Σ ω ψ′ xxᵀ and Σ ω² ψ² xxᵀ of the rows, and Σ ψ², Σ ψ′, Σ ψ′²."""

    gram: Array
    near: Array
    scores: Array
    psi: float
    slope: float


def summarize_huber(
    table: Table,
    coef: Array,
    intercept: float,
    scale: float,
    *,
    epsilon: float,
    names: tuple[str, ...],
    has_intercept: bool,
    penalised: bool = False,
    covariance: HuberCovariance = "H1",
    level: float = 0.95,
) -> HuberSummary:
    r"""Standard errors, tests and intervals of Huber's regression.

    With :math:`\psi` cut at ε, m the mean of ψ′ (the share of rows within the threshold) and
    :math:`\kappa = 1 + k (1 - m) / (n m)`, the covariances are

    .. math:: H_1 = \kappa^2 \frac{s^2}{m^2} (X^\top X)^{-1}, \quad
              H_2 = \kappa \frac{s^2}{m} W^{-1}, \quad
              H_3 = \frac{s^2}{\kappa} W^{-1} X^\top X W^{-1}, \qquad
              s^2 = \frac{\sigma^2}{n - k} \sum \psi_i^2, \; W = X^\top \psi' X

    and "robust" :math:`\sigma^2 W^{-1} (\sum \omega_i^2 \psi_i^2 x_i x_i^\top) W^{-1}`, which asks
    for no equal variances.

    Parameters
    ----------
    table : Table
        The rows of the fit; each has a positive weight.
    coef, intercept, scale
        The fit.
    epsilon : float
    names : tuple of str
        Of the columns.
    has_intercept, penalised : bool
    covariance : {"H1", "H2", "H3", "robust"}
    level : float in (0, 1)

    Returns
    -------
    HuberSummary
    """
    check_level(level)
    if covariance not in get_args(HuberCovariance):
        allowed = ", ".join(map(repr, get_args(HuberCovariance)))
        raise InvalidParameterError(f"covariance must be one of {allowed}, got {covariance!r}.")
    if table.weights is not None and covariance != "robust":
        raise InvalidParameterError(
            f"covariance={covariance!r} is that of rows that count alike; with weights ask for "
            "covariance='robust'."
        )
    theta = np.concatenate([[intercept], coef]) if has_intercept else np.asarray(coef)
    n, k = table.n_rows, len(theta)
    if n <= k:
        raise InvalidDataError(f"{n} rows leave no residual degrees of freedom for {k} columns.")
    sums, far = _sums(table, theta, scale, epsilon, has_intercept)
    matrix = _covariance(sums, covariance, n, k) * scale**2
    error = np.sqrt(np.diag(matrix))
    z = theta / error
    half = two_sided_quantile(level, math.inf) * error
    labels = ("intercept", *names) if has_intercept else names
    table_of = Coefficients(
        labels, theta, error, z, two_sided_p(z, math.inf), theta - half, theta + half
    )
    shrunk = ("The penalty alpha shrinks the coefficients; errors are those without it.",)
    return HuberSummary(
        table_of, n, n - k, epsilon, scale, far, covariance, matrix, level,
        shrunk if penalised else (),
    )  # fmt: skip


def _sums(
    table: Table, theta: Array, scale: float, epsilon: float, has_intercept: bool
) -> tuple[_Sums, int]:
    assert table.y is not None
    y, w = table.y[:, 0], table.weights
    k = len(theta)
    gram, near, scores = (np.zeros((k, k)) for _ in range(3))
    psi_squares = slope = 0.0
    for index, design in design_chunks(table.x, has_intercept):
        r = (y[index] - design @ theta) / scale
        psi, inside = np.clip(r, -epsilon, epsilon), np.abs(r) <= epsilon
        omega = np.ones(len(r)) if w is None else w[index]
        gram += design.T @ design
        near += design.T @ (design * (omega * inside)[:, None])
        scores += design.T @ (design * (omega * psi)[:, None] ** 2)
        psi_squares += float(psi @ psi)
        slope += float(inside.sum())
    return _Sums(gram, near, scores, psi_squares, slope), table.n_rows - int(slope)


def _covariance(sums: _Sums, kind: str, n: int, k: int) -> Array:
    """At scale 1."""
    try:
        inverse = np.linalg.inv(sums.gram if kind == "H1" else sums.near)
    except np.linalg.LinAlgError:
        raise InvalidDataError(
            "The rows within the threshold do not determine every coefficient (collinear columns, "
            "or too small an epsilon); leave columns out, or raise epsilon."
        ) from None
    if kind == "robust":
        return np.asarray(inverse @ sums.scores @ inverse)
    share, spread = sums.slope / n, sums.psi / (n - k)
    kappa = 1.0 + k * (1.0 - share) / (n * share)  # the variance of a share is m (1 − m)
    if kind == "H1":
        return np.asarray(kappa**2 * spread / share**2 * inverse)
    if kind == "H2":
        return np.asarray(kappa * spread / share * inverse)
    return np.asarray(spread / kappa * inverse @ sums.gram @ inverse)
