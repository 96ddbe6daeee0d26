"""How near a pair of non-negative factors is to a stationary point, and how well it fits."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.nonnegative.problem import FactorizationProblem


@dataclass(frozen=True, slots=True)
class FactorizationCertificate:
    r"""What is proved of non-negative factors: stationarity, never the global optimum.

    W and F are stationary (Karush, Kuhn and Tucker) if and only if the gradient G of each obeys
    :math:`W = \max(W - G/s, 0)` for positive scales s. The residual of this equation is measured
    in the norm :math:`\sum_t s_t \|W_t\|^2` and divided by that of the factors; scales
    :math:`s_t` are the mean push on component t over its mean size, so that neither the units of X
    nor those of single components matter.

    Parameters
    ----------
    stationarity : float
        The residual, relative; 0 at a stationary point.
    relative_error : float
        For the squared loss :math:`\|X - WH\| / \|X\|`; for the others the divergence as a share
        of that of a table that is constant at X's mean.
    objective : float
        Loss and penalties.
    beta : float
        The loss.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.decomposition import NMF
    >>> x = np.outer([1.0, 2.0, 3.0], [1.0, 0.5, 2.0])
    >>> NMF(1).fit(x).certificate_.relative_error < 1e-6
    True
    """

    stationarity: float
    relative_error: float
    objective: float
    beta: float

    @classmethod
    def of(cls, problem: FactorizationProblem, w: Array, f: Array, loss: float) -> Self:
        """The certificate of factors W (n × k) and F (p × k) whose divergence from X is known."""
        missed, size = 0.0, 0.0
        parts = (problem.row_parts(w, f), problem.column_parts(w, f))
        for factor, (up, down) in zip((w, f), parts, strict=True):
            scale = _scales(factor, down)
            left = factor - np.maximum(factor - (down - up) / scale, 0.0)
            missed += float((scale * left**2).sum())
            size += float((scale * factor**2).sum())
        penalties = problem.of_w.value(w) + problem.of_f.value(f)
        stationarity = 0.0 if missed == 0.0 else sqrt(missed / size) if size else float("inf")
        return cls(stationarity, _relative_error(problem, loss), loss + penalties, problem.beta)

    @property
    def verdict(self) -> str:
        """The certificate in words."""
        if self.beta == 2.0:
            fit = f"The product misses the table by {100.0 * self.relative_error:.3g} % of its norm"
        else:
            fit = (
                f"The product's divergence from the table is {100.0 * self.relative_error:.3g} % "
                "of that of a constant"
            )
        return (
            f"{fit}. The factors are a stationary point to {self.stationarity:.1e}: small changes "
            "of them gain no more. That is no proof of the best factors: the problem is not "
            "convex, and other starts may end lower."
        )


def _scales(factor: Array, down: Array) -> Array:
    """Of each component the mean push over the mean size; 1 where a component is zero."""
    size, push = factor.sum(axis=0), np.asarray(down).sum(axis=0)
    known = (size > 0.0) & (push > 0.0)
    return np.where(known, push / np.where(known, size, 1.0), 1.0)


def _relative_error(problem: FactorizationProblem, loss: float) -> float:
    table = problem.table
    if problem.beta == 2.0:
        reference = table.squares
        return sqrt(2.0 * loss / reference) if reference else 0.0
    n, p = table.shape
    constant = np.full((p, 1), table.mean)
    reference = table.divergence(np.ones((n, 1)), constant, problem.beta)
    return loss / reference if reference else 0.0
