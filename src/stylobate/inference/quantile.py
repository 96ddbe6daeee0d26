"""Large-sample inference for quantile regression."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

from ..data import Table
from ..exceptions import InvalidParameterError
from ..statistics import Moments
from .distributions import check_level, two_sided_p, two_sided_quantile
from .summary import Coefficients

Bandwidth = Literal["hall-sheather", "bofinger", "chamberlain"]

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
        from .text import aligned, evidence, interval_label, number, p_value

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
    covariance: Literal["robust", "iid"] = "robust",
    bandwidth: Bandwidth = "hall-sheather",
    level: float = 0.95,
) -> QuantileSummary:
    r"""Standard errors, tests and intervals of a quantile fit.

    With the sparsity s = 1/f̂(0), G = Σ ω x xᵀ and ψ = τ or τ − 1 by the sign of the residual:
    "iid" is s² τ(1 − τ) G⁻¹ and "robust" s² G⁻¹ (Σ ω² ψ² x xᵀ) G⁻¹; f̂ is an Epanechnikov
    estimate. Definitions are those of statsmodels' `QuantReg`.

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
    covariance : {"robust", "iid"}
    bandwidth : {"hall-sheather", "bofinger", "chamberlain"}
    level : float in (0, 1)

    Returns
    -------
    QuantileSummary

    References
    ----------
    Koenker (2005), Quantile Regression, Cambridge, chapter 3. Hall & Sheather (1988), On the
    distribution of a studentized quantile, JRSS B 50.
    """
    check_level(level)
    if covariance not in ("robust", "iid"):
        raise InvalidParameterError(f"covariance must be 'robust' or 'iid', got {covariance!r}.")
    assert table.y is not None
    y = table.y[:, 0]
    weights = np.ones(len(y)) if table.weights is None else table.weights
    residual = y - np.asarray(table.x @ coef + intercept, dtype=np.float64)
    width = _width(residual, y, tau, bandwidth)
    density = _density(residual, weights, width)
    gram = _gram(table, weights, has_intercept)
    inverse: NDArray[np.float64] = np.asarray(np.linalg.pinv(gram, hermitian=True), dtype=float)
    if covariance == "iid":
        matrix = tau * (1 - tau) * inverse / density**2 if density > 0 else inverse * _NAN
    else:
        middle = _gram(table, weights**2 * _squared_psi(residual, y, tau), has_intercept)
        matrix = inverse @ middle @ inverse / density**2 if density > 0 else inverse * _NAN
    rank = int(np.linalg.matrix_rank(gram, hermitian=True))
    labels = (*(("intercept",) if has_intercept else ()), *names)
    estimate = np.concatenate([[intercept] if has_intercept else [], coef])
    notes = _notes(penalised, rank < len(gram), density)
    if penalised:
        matrix = np.full_like(matrix, _NAN)
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


def _width(residual: Array, y: Array, tau: float, rule: str) -> float:
    """The window for the density, in units of the residuals."""
    from scipy.special import ndtri

    n, z = len(residual), float(ndtri(tau))
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
    low, high = np.percentile(residual, [25, 75])
    spread = min(float(np.std(y)), float(high - low) / 1.34)
    low, high = max(tau - h, 1e-10), min(tau + h, 1 - 1e-10)
    return spread * float(ndtri(high) - ndtri(low))


def _squared_psi(residual: Array, y: Array, tau: float) -> Array:
    """τ² above, (1 − τ)² below, and their mean on the rows the fit goes through."""
    met = np.abs(residual) <= 1e-10 * (np.abs(y).max() + np.abs(residual).max())
    return np.where(met, tau * (1 - tau), np.where(residual > 0, tau**2, (1 - tau) ** 2))


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
