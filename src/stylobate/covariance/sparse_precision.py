"""Sparse inverse covariances: the graphical lasso."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import log, pi
from typing import Any

import numpy as np

from stylobate import _core
from stylobate.arrays import Array
from stylobate.covariance.normal import pseudo_inverse
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
    joined,
)

_START = 0.95  # of the off-diagonal entries: positive definite where S itself is singular


class IllConditionedError(NumericalError, FloatingPointError):
    """A system that a sweep lost all digits of."""


@dataclass(frozen=True)
class SparsePrecision:
    """A covariance and its sparse inverse.

    Parameters
    ----------
    covariance, precision : arrays (p, p)
    costs : list of (float, float)
        Objective and duality gap after each sweep.
    n_iter : int
        Sweeps.
    """

    covariance: Array
    precision: Array
    costs: list[tuple[float, float]]
    n_iter: int


def sparse_precision(
    empirical: Array,
    alpha: float,
    *,
    tol: float = 1e-4,
    inner_tol: float = 1e-4,
    max_iter: int = 100,
    start: Array | None = None,
) -> SparsePrecision:
    r"""Minimise over positive definite K, by sweeps over the columns of its inverse W.

    .. math:: \operatorname{tr}(SK) - \log\det K + α \sum_{i \ne j} |K_{ij}|

    Each column solves a lasso whose Gram matrix is W without that column (Friedman, Hastie &
    Tibshirani). The gap tr(SK) − p + α Σ|Kᵢⱼ| is that to the dual point W.
    """
    p = len(empirical)
    if alpha == 0.0:
        return _unpenalised(empirical)
    covariance = _START * (empirical if start is None else start)
    np.fill_diagonal(covariance, empirical.diagonal())
    precision = pseudo_inverse(covariance)
    rules = _core.DescentRules()
    rules.tol, rules.max_iter, rules.polish = inner_tol, max(20, max_iter), True
    costs: list[tuple[float, float]] = []
    for _ in range(max_iter):
        with np.errstate(over="ignore", invalid="ignore"):  # told below, once for all columns
            for column in range(p):
                _solve_column(column, empirical, covariance, precision, alpha, rules)
        if not np.isfinite(precision).all():
            raise _ill_conditioned()
        costs.append((_objective(empirical, precision, alpha), _gap(empirical, precision, alpha)))
        if not np.isfinite(costs[-1][0]):
            raise _ill_conditioned()
        if abs(costs[-1][1]) < tol:
            break
    else:
        gap = costs[-1][1] if costs else np.inf
        warnings.warn(
            f"graphical_lasso: did not converge after {max_iter} iteration: dual gap: {gap:.3e}, "
            f"tol is {tol:g}; raise max_iter or alpha.",
            joined(ConvergenceWarning),
            stacklevel=user_stacklevel(),
        )
    return SparsePrecision(covariance, precision, costs, len(costs))


def _solve_column(
    column: int, empirical: Array, covariance: Array, precision: Array, alpha: float, rules: Any
) -> None:
    """One column of W and K given the others, in place."""
    others = np.arange(len(empirical)) != column
    gram = np.ascontiguousarray(covariance[np.ix_(others, others)])
    target = np.ascontiguousarray(empirical[others, column])[None]
    start = np.ascontiguousarray(-precision[others, column] / precision[column, column])[None]
    # ½wᵀGw − qᵀw + ½·yy: the constant must leave it positive for the gap to be a share of it
    square = np.array([max(2.0 * float(np.abs(target @ start.T).sum()), empirical[column, column])])
    answers = _core.elastic_net_gram(
        gram[None], np.zeros(1, dtype=np.int64), target, square, np.full((1, 1), alpha),
        np.zeros((1, 1)), np.ascontiguousarray(start), rules,
    )  # fmt: skip
    weights = np.asarray(answers[0]).reshape(-1)
    moved = gram @ weights
    inverse = 1.0 / (covariance[column, column] - float(moved @ weights))
    precision[column, column] = inverse
    precision[others, column] = precision[column, others] = -inverse * weights
    covariance[others, column] = covariance[column, others] = moved


def _unpenalised(empirical: Array) -> SparsePrecision:
    try:
        precision: Array = np.asarray(np.linalg.inv(empirical), dtype=np.float64)
    except np.linalg.LinAlgError:
        raise _ill_conditioned() from None
    cost = _objective(empirical, precision, 0.0), _gap(empirical, precision, 0.0)
    return SparsePrecision(empirical.copy(), precision, [cost], 0)


def _objective(empirical: Array, precision: Array, alpha: float) -> float:
    """−2 log likelihood of a row, and the penalty."""
    sign, size = np.linalg.slogdet(precision)
    size = size if sign > 0 else -np.inf
    p = len(empirical)
    cost = float((empirical * precision).sum()) - size + p * log(2.0 * pi)
    return float(cost + alpha * _off_diagonal(precision))


def _gap(empirical: Array, precision: Array, alpha: float) -> float:
    gap = float((empirical * precision).sum()) - len(empirical)
    return gap + alpha * _off_diagonal(precision)


def _off_diagonal(matrix: Array) -> float:
    return float(np.abs(matrix).sum() - np.abs(matrix.diagonal()).sum())


def _ill_conditioned() -> Exception:
    return IllConditionedError(
        "graphical_lasso: Non SPD result. The system is too ill-conditioned for this solver; "
        "raise alpha, or scale the columns to one size."
    )


def largest_alpha(empirical: Array) -> float:
    """The least penalty at which no column is linked to another."""
    return float(np.abs(empirical - np.diag(empirical.diagonal())).max())


def graphical_lasso(
    emp_cov: Any,
    alpha: float,
    *,
    mode: str = "cd",
    tol: float = 1e-4,
    enet_tol: float = 1e-4,
    max_iter: int = 100,
    verbose: bool = False,
    return_costs: bool = False,
    eps: float = float(np.finfo(np.float64).eps),
    return_n_iter: bool = False,
) -> tuple[Any, ...]:
    r"""A covariance whose inverse K is sparse.

    .. math:: \min_{K \succ 0} \operatorname{tr}(SK) - \log\det K + α \sum_{i \ne j} |K_{ij}|

    Parameters
    ----------
    emp_cov : array-like of shape (p, p)
        The empirical covariance S.
    alpha : float in [0, inf)
        Penalty; larger makes K sparser.
    mode : {"cd", "lars"}, default="cd"
        For compatibility; columns are solved by coordinate descent and finished exactly.
    tol : float in (0, inf), default=1e-4
        Duality gap at which sweeps end.
    enet_tol : float in (0, inf), default=1e-4
        Relative gap at which each column's lasso ends.
    max_iter : int, default=100
        Sweeps at most.
    verbose : bool, default=False
        For compatibility; nothing is printed.
    return_costs : bool, default=False
        Whether to return objective and duality gap of each sweep.
    eps : float
        For compatibility.
    return_n_iter : bool, default=False
        Whether to return the number of sweeps.

    Returns
    -------
    covariance, precision : arrays of shape (p, p)
    costs : list of (float, float)
        If asked for.
    n_iter : int
        If asked for.

    Examples
    --------
    >>> S = np.array([[1.0, 0.5, 0.1], [0.5, 1.0, 0.1], [0.1, 0.1, 1.0]])
    >>> covariance, precision = graphical_lasso(S, 0.2)
    >>> precision.round(4)
    array([[ 1.0989, -0.3297, -0.    ],
           [-0.3297,  1.0989, -0.    ],
           [-0.    , -0.    ,  1.    ]])

    References
    ----------
    Friedman, Hastie & Tibshirani (2008), Sparse inverse covariance estimation with the graphical
    lasso, Biostatistics 9.
    """
    matrix = np.array(emp_cov, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidDataError(
            f"graphical_lasso: emp_cov must be square, got shape {matrix.shape}."
        )
    if mode not in ("cd", "lars"):
        raise InvalidParameterError(f"graphical_lasso: mode must be 'cd' or 'lars', got {mode!r}.")
    if not alpha >= 0.0:
        raise InvalidParameterError(f"graphical_lasso: alpha must be in [0, inf), got {alpha!r}.")
    found = sparse_precision(matrix, alpha, tol=tol, inner_tol=enet_tol, max_iter=max_iter)
    answer: list[Any] = [found.covariance, found.precision]
    answer += [found.costs] if return_costs else []
    answer += [found.n_iter] if return_n_iter else []
    return tuple(answer)
