"""Large-sample inference for quantile regression."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidParameterError
from stylobate.inference.distributions import check_level, two_sided_p, two_sided_quantile
from stylobate.inference.summary.regression import Coefficients
from stylobate.splits.splitter import generator
from stylobate.statistics import Moments

Bandwidth = Literal["hall-sheather", "bofinger", "chamberlain"]
Refit = Callable[[float, Array | None], Array]
QuantileCovariance = Literal["robust", "iid", "bootstrap"]

_NAN = float("nan")


@dataclass(frozen=True, eq=False)
class QuantileSummary:
    """What a quantile regression says, as values; `print` it for a table.

    `sparsity` is 1/f̂(0), f̂ the density of the residuals at zero over `bandwidth`; `pseudo_r2` is
    Koenker and Machado's 1 − V/V₀, with V₀ the loss of the best constant. Quantities that do not
    exist are NaN, and `notes` says why.
    """

    tau: float
    coefficients: Coefficients
    n: int
    df_residual: int
    loss: float
    pseudo_r2: float
    sparsity: float
    bandwidth: float
    covariance_type: str
    covariance: NDArray[np.float64]
    level: float
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, strings and lists."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        plain["coefficients"] = self.coefficients.to_dict()
        plain["covariance"] = self.covariance.tolist()
        plain["notes"] = list(self.notes)
        return plain

    def __str__(self) -> str:
        from stylobate.inference.summary.text import (
            aligned,
            evidence,
            interval_label,
            number,
            p_value,
        )

        c = self.coefficients
        columns = [
            aligned([number(float(v)) for v in values]) for values in (c.estimate, c.std_error, c.t)
        ]
        columns.append([p_value(float(p)).rjust(6) for p in c.p])
        ends = zip(c.ci_low, c.ci_high, strict=True)
        spans = [f"[{number(float(low))}, {number(float(high))}]" for low, high in ends]
        columns += [[s.ljust(max(map(len, spans))) for s in spans], [evidence(p) for p in c.p]]
        titles = ["estimate", "std error", "t", "p", interval_label(self.level), "evidence"]
        widths = [max(len(t), len(cells[0])) for t, cells in zip(titles, columns, strict=True)]
        name = max(map(len, c.names))
        lines = [
            f"Quantile regression at {self.tau:g}: {self.n} rows, {self.df_residual} residual "
            "degrees of freedom",
            f"pseudo R² {number(self.pseudo_r2)}   mean loss {number(self.loss)}   sparsity "
            f"{number(self.sparsity)}   {self.covariance_type} standard errors",
            "",
            " " * name + "  " + "  ".join(t.rjust(w) for t, w in zip(titles, widths, strict=True)),
        ]
        for i, label in enumerate(c.names):
            cells = (column[i].rjust(w) for column, w in zip(columns, widths, strict=True))
            lines.append(label.ljust(name) + "  " + "  ".join(cells))
        return "\n".join([*lines, *(f"Note: {note}" for note in self.notes)])

    __repr__ = __str__


def summarize_quantile(
    table: Table,
    coef: Array,
    intercept: float,
    *,
    tau: float,
    names: tuple[str, ...],
    has_intercept: bool,
    penalised: bool = False,
    covariance: QuantileCovariance = "robust",
    bandwidth: Bandwidth = "hall-sheather",
    level: float = 0.95,
    refit: Refit,
    n_resamples: int = 200,
    random_state: Any = None,
) -> QuantileSummary:
    r"""Standard errors, tests and intervals of a quantile fit.

    "iid" is s² τ(1 − τ) (Σ ω x xᵀ)⁻¹ with the sparsity s = 1/f̂(0), one density of the residuals at
    every x (an Epanechnikov estimate; definitions are those of statsmodels' `QuantReg`). "robust"
    is the sandwich τ(1 − τ) H⁻¹ (Σ ω² x xᵀ) H⁻¹ of Hendricks and Koenker, H = Σ ω f̂ᵢ x xᵀ, whose
    density differs from row to row: f̂ᵢ = 2h / xᵢᵀ(β(τ + h) − β(τ − h)), by two more fits.
    "bootstrap" is the covariance of refits to resampled rows.

    Parameters
    ----------
    table : Table
        The rows of the fit; each has a positive weight.
    coef, intercept
        The fit.
    tau : float in (0, 1)
    names : tuple of str
        Of the columns.
    has_intercept, penalised : bool
    covariance : {"robust", "iid", "bootstrap"}
    bandwidth : {"hall-sheather", "bofinger", "chamberlain"}
    level : float in (0, 1)
    refit : callable of (tau, weights)
        Coefficients, intercept first, of a fit to the same rows.
    n_resamples : int in [2, inf)
        Fits of the bootstrap.
    random_state : int, RandomState or None
        Seed of its draws.

    Returns
    -------
    QuantileSummary

    References
    ----------
    Koenker (2005), Quantile Regression, Cambridge, chapter 3. Hendricks & Koenker
    (1992), Hierarchical spline models for conditional quantiles and the demand for electricity,
    JASA 87. Hall & Sheather (1988), On the distribution of a studentized quantile, JRSS B 50.
    """
    check_level(level)
    if covariance not in get_args(QuantileCovariance):
        allowed = ", ".join(map(repr, get_args(QuantileCovariance)))
        raise InvalidParameterError(f"covariance must be one of {allowed}, got {covariance!r}.")
    assert table.y is not None
    y = table.y[:, 0]
    weights = np.ones(len(y)) if table.weights is None else table.weights
    residual = y - np.asarray(table.x @ coef + intercept, dtype=np.float64)
    share = _share(len(y), tau, bandwidth)
    width = _width(residual, y, tau, share)
    density = _density(residual, weights, width)
    gram = _gram(table, weights, has_intercept)
    if penalised:
        matrix = np.full_like(gram, _NAN)
    elif covariance == "iid":
        matrix = _NAN * gram if density <= 0 else tau * (1 - tau) * _inverse(gram) / density**2
    elif covariance == "robust":
        near = weights * _densities(table, tau, share, refit, has_intercept)
        bread = _inverse(_gram(table, near, has_intercept))
        matrix = tau * (1 - tau) * bread @ _gram(table, weights**2, has_intercept) @ bread
    else:
        matrix = _resampled(weights, tau, refit, n_resamples, random_state)
    rank = int(np.linalg.matrix_rank(gram, hermitian=True))
    labels = (*(("intercept",) if has_intercept else ()), *names)
    estimate = np.concatenate([[intercept] if has_intercept else [], coef])
    notes = _notes(penalised, rank < len(gram), density if covariance == "iid" else 1.0)
    df = max(len(y) - rank, 0)
    return QuantileSummary(
        tau=tau,
        coefficients=_table(labels, estimate, matrix, df, level),
        n=len(y),
        df_residual=df,
        loss=_loss(residual, weights, tau),
        pseudo_r2=_pseudo_r2(residual, y, weights, tau),
        sparsity=1 / density if density > 0 else _NAN,
        bandwidth=width,
        covariance_type=covariance,
        covariance=matrix,
        level=level,
        notes=notes,
    )


def _share(n: int, tau: float, rule: str) -> float:
    """The window for the density, as a share of the rows on either side."""
    from scipy.special import ndtri

    z = float(ndtri(tau))
    phi = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    if rule == "hall-sheather":
        share = 1.5 * phi**2 / (2 * z * z + 1)
        h = n ** (-1 / 3) * float(ndtri(0.975)) ** (2 / 3) * share ** (1 / 3)
    elif rule == "bofinger":
        h = n**-0.2 * (4.5 * phi**4 / (2 * z * z + 1) ** 2) ** 0.2
    elif rule == "chamberlain":
        h = float(ndtri(0.975)) * math.sqrt(tau * (1 - tau) / n)
    else:
        raise InvalidParameterError(
            f"bandwidth must be 'hall-sheather', 'bofinger' or 'chamberlain', got {rule!r}."
        )
    return float(h)


def _width(residual: Array, y: Array, tau: float, h: float) -> float:
    """The same window in units of the residuals."""
    from scipy.special import ndtri

    low, high = np.percentile(residual, [25, 75])
    spread = min(float(np.std(y)), float(high - low) / 1.34)
    low, high = max(tau - h, 1e-10), min(tau + h, 1 - 1e-10)
    return spread * float(ndtri(high) - ndtri(low))


def _densities(table: Table, tau: float, h: float, refit: Refit, has_intercept: bool) -> Array:
    """The density of each row's error at zero, from the spacing of the quantiles around τ."""
    h = min(h, 0.5 * tau, 0.5 * (1.0 - tau))
    difference = refit(tau + h, table.weights) - refit(tau - h, table.weights)
    slopes, level = (difference[1:], difference[0]) if has_intercept else (difference, 0.0)
    spacing = np.asarray(table.x @ slopes + level, dtype=np.float64)
    least = 1e-9 * np.abs(spacing).max(initial=1e-300)
    # lines that cross say nothing of the density there, nor do those that coincide
    return np.where(spacing > least, 2.0 * h / np.where(spacing > least, spacing, 1.0), 0.0)


def _resampled(
    weights: Array, tau: float, refit: Refit, n_resamples: int, random_state: Any
) -> NDArray[np.float64]:
    """Covariance of the coefficients of fits to rows drawn with replacement."""
    if not isinstance(n_resamples, int | np.integer) or n_resamples < 2:
        raise InvalidParameterError(
            f"n_resamples must be an integer in [2, inf), got {n_resamples!r}."
        )
    draw, n = generator(random_state), len(weights)
    counts = (np.bincount(draw.randint(0, n, n), minlength=n) for _ in range(n_resamples))
    found = np.array([refit(tau, weights * count) for count in counts])
    return np.atleast_2d(np.cov(found, rowvar=False))


def _inverse(gram: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.linalg.pinv(gram, hermitian=True), dtype=np.float64)


def _density(residual: Array, weights: Array, width: float) -> float:
    if width <= 0:
        return 0.0
    u = residual / width
    kernel = np.where(np.abs(u) <= 1, 0.75 * (1 - u * u), 0.0)
    return float((weights * kernel).sum() / (weights.sum() * width))


def _gram(table: Table, weights: Array, has_intercept: bool) -> NDArray[np.float64]:
    """Σ v [1, x][1, x]ᵀ"""
    from dataclasses import replace

    m = Moments.of(replace(table, y=None, weights=np.ascontiguousarray(weights)))
    raw = m.about_zero().scatter
    if not has_intercept:
        return raw
    first = m.weight * m.mean
    return np.block([[np.array([[m.weight]]), first[None]], [first[:, None], raw]])


def _loss(residual: Array, weights: Array, tau: float) -> float:
    loss = np.maximum(tau * residual, (tau - 1) * residual)
    return float((weights * loss).sum() / weights.sum())


def _pseudo_r2(residual: Array, y: Array, weights: Array, tau: float) -> float:
    order = np.argsort(y)
    share = np.cumsum(weights[order])
    at = min(int(np.searchsorted(share, tau * share[-1])), len(y) - 1)
    constant = _loss(y - y[order[at]], weights, tau)
    return 1 - _loss(residual, weights, tau) / constant if constant > 0 else _NAN


def _notes(penalised: bool, deficient: bool, density: float) -> tuple[str, ...]:
    notes = []
    if penalised:
        notes.append(
            "The ℓ1 penalty chooses and shrinks coefficients: standard errors and p-values do not "
            "exist for it. Fit with alpha=0 for them."
        )
    if deficient:
        notes.append("Some columns are combinations of others: their coefficients are not unique.")
    if density <= 0:
        notes.append("The residuals near zero are too few or too equal to estimate their density.")
    return tuple(notes)


def _table(
    names: tuple[str, ...], estimate: Array, matrix: NDArray[np.float64], df: int, level: float
) -> Coefficients:
    se = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    if df == 0:
        se = np.full_like(se, _NAN)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = estimate / se
    half = two_sided_quantile(level, df) * se if df else se
    p = two_sided_p(t, df) if df else se
    return Coefficients(names, estimate, se, t, p, estimate - half, estimate + half)
