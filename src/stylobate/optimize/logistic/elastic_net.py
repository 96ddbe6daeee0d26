"""Logistic regression with ℓ1 and ℓ2 penalties, for two classes and more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.logistic.solution import LogisticSolution
from stylobate.optimize.trace import Trace

Start = tuple[Array, Array]  # coefficients (k, p) and intercepts (k,)

SOLVER = "prox-newton"
REASON = "ℓ1 penalty: proximal Newton steps on working sets, solved by coordinate descent"


def solve_elastic_net(
    x: Any,
    codes: NDArray[np.int64],
    n_classes: int,
    weights: Array | None,
    *,
    l1: float,
    l2: float,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    start: Start | None = None,
) -> LogisticSolution:
    r"""Minimise the penalised negative log-likelihood to a relative duality gap of `tol`.

    .. math:: \sum_i \omega_i\,\ell_i(w, b) + \lambda_1\|w\|_1 + \tfrac{\lambda_2}{2}\|w\|^2

    with ℓ the logistic loss for two classes and that of the softmax for more. Proximal Newton
    steps: the loss is replaced by its second-order model in a working set of coefficients, the
    intercepts eliminated, and minimised by coordinate descent with Anderson's extrapolation. The
    Hessian of the working set is formed (from a sample of the rows while far away, and again only
    once it has become too old) unless the set is too large. Coefficients proved to be zero by the
    gap are left out. The dual point is the vector of residuals, scaled to be feasible.

    Parameters
    ----------
    x : array of shape (n, p), dense of any strides or SciPy CSR or CSC
        float32 or float64.
    codes : array of shape (n,)
        Classes, 0 … n_classes − 1.
    n_classes : int, >= 2
        Two: one row of coefficients, for class 1. More: one row per class.
    weights : array of shape (n,) or None
        Of the rows, at least 0.
    l1, l2 : float, >= 0
        λ₁ and λ₂, not both 0.
    fit_intercept : bool
        Whether there are intercepts, which are not penalised.
    tol : float, >= 0
        Relative gap to stop at.
    max_iter : int, >= 0
        Newton steps to stop after.
    start : pair of arrays of shapes (k, p) and (k,), optional
        Coefficients and intercepts to start from.

    Returns
    -------
    LogisticSolution

    Examples
    --------
    >>> x = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0], [3.0, 0.0]])
    >>> answer = solve_elastic_net(
    ...     x, np.array([0, 1, 0, 1]), 2, None, l1=0.5, l2=0.0, fit_intercept=True, tol=1e-8,
    ...     max_iter=50,
    ... )
    >>> answer.coef.round(3).tolist(), answer.certificate.optimal
    ([[0.0, -2.197]], True)

    References
    ----------
    Lee, Sun & Saunders (2014), Proximal Newton-type methods for minimizing composite functions,
    SIAM J. Optim. 24. Ndiaye, Fercoq, Gramfort & Salmon (2017), Gap safe screening rules for
    sparsity enforcing penalties, JMLR 18. Massias, Gramfort & Salmon (2018), Celer, ICML.
    """
    if not (isfinite(l1) and isfinite(l2) and l1 >= 0 and l2 >= 0 and l1 + l2 > 0):
        raise InvalidParameterError(
            f"solve_elastic_net: l1 and l2 must be finite, at least 0 and not both 0, got {l1!r} "
            f"and {l2!r}; without a penalty use solve_l2."
        )
    more = (codes, n_classes, weights, float(l1), float(l2), fit_intercept, float(tol), max_iter)
    begin = (None, None) if start is None else tuple(map(_contiguous, start))
    if isinstance(x, np.ndarray):
        answer = _core.logistic_l1(x, *more, *begin)
    else:
        columns = x.tocsc()
        answer = _core.logistic_l1_csc(
            columns.data, columns.indices, columns.indptr, columns.shape[0], *more, *begin
        )
    return _solution(answer, l1, l2)


def logistic_path(
    x: Any,
    codes: NDArray[np.int64],
    n_classes: int,
    weights: Array | None,
    *,
    l1: Sequence[float] | Array,
    l2: Sequence[float] | Array,
    fit_intercept: bool,
    tol: float,
    max_iter: int,
    start: Start | None = None,
) -> Iterator[LogisticSolution]:
    """Solve for one pair of penalties after the other, each from the last answer.

    Parameters
    ----------
    x, codes, n_classes, weights, fit_intercept, tol, max_iter, start
        As of `solve_elastic_net`.
    l1, l2 : sequences of float
        Penalties, as many of each; in decreasing order each answer is near the next.

    Yields
    ------
    LogisticSolution

    Examples
    --------
    >>> x, codes = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    >>> path = logistic_path(
    ...     x, codes, 2, None, l1=[1.1, 0.5], l2=[0.0, 0.0], fit_intercept=True, tol=1e-8,
    ...     max_iter=50,
    ... )
    >>> [bool(answer.coef.any()) for answer in path]
    [False, True]
    """
    if not isinstance(x, np.ndarray):
        x = x.tocsc()
    for first, second in zip(l1, l2, strict=True):
        answer = solve_elastic_net(
            x,
            codes,
            n_classes,
            weights,
            l1=first,
            l2=second,
            fit_intercept=fit_intercept,
            tol=tol,
            max_iter=max_iter,
            start=start,
        )
        start = (answer.coef, answer.intercept)
        yield answer


def _contiguous(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=np.float64)


def _solution(answer: dict[str, Any], l1: float, l2: float) -> LogisticSolution:
    trace = Trace()
    trace.objective = answer["objectives"].tolist()
    trace.gradient_norm = answer["violations"].tolist()
    trace.step = answer["steps"].tolist()
    trace.seconds = answer["seconds"].tolist()
    loss = "log(1 + exp(-yᵢzᵢ))" if len(answer["coef"]) == 1 else "-log softmax(zᵢ)[yᵢ]"
    lasso = f" + {l1:g}‖w‖₁" if l1 > 0 else ""
    ridge = f" + {l2 / 2:g}‖w‖²" if l2 > 0 else ""
    proof = Certificate.from_gap(
        f"Σ ωᵢ {loss}{lasso}{ridge}",
        primal=answer["primal"],
        gap=answer["primal"] - answer["dual"],
        at_zero=answer["at_zero"],
        kkt=answer["kkt"],
        condition=answer["condition"],
    )
    return LogisticSolution(
        answer["coef"],
        answer["intercept"],
        proof,
        trace,
        answer["iterations"],
        answer["converged"],
        solver=SOLVER,
        reason=REASON,
    )
