"""Expectation and maximisation: a pass over the rows and a step, until the bound stands still."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, nan
from typing import Generic, Protocol, TypeVar

import numpy as np

from stylobate.arrays import Array
from stylobate.mixture.covariance_types import CovarianceType
from stylobate.optimize import Certificate, Trace
from stylobate.statistics import MixtureAt, MixtureSums, Source

# What scikit-learn adds to the weights of components, which keeps those without rows defined.
FLOOR = 10.0 * float(np.finfo(np.float64).eps)


class HasComponents(Protocol):
    """What the loop asks of parameters, whatever else they hold."""

    @property
    def means(self) -> Array: ...

    @property
    def covariances(self) -> Array: ...

    @property
    def precisions_cholesky(self) -> Array: ...


P = TypeVar("P", bound=HasComponents)


class Model(Protocol[P]):
    """What is particular to a mixture: its densities, its maximisation, its bound."""

    reg_covar: float

    @property
    def _type(self) -> CovarianceType: ...

    def _at(self, parameters: P) -> MixtureAt:
        """The densities under parameters."""

    def _maximized(self, sums: MixtureSums) -> P:
        """Parameters from the sums of the rows."""

    def _bound(self, sums: MixtureSums, parameters: P) -> float:
        """What each iteration raises."""


@dataclass(slots=True)
class Run(Generic[P]):
    """One run from one start."""

    parameters: P
    bound: float = -inf
    bounds: list[float] = field(default_factory=list)
    converged: bool = False
    trace: Trace = field(default_factory=Trace)


def iterate(
    model: Model[P],
    source: Source,
    run: Run[P],
    *,
    tol: float,
    max_iter: int,
    report: Callable[[int, float], None],
) -> None:
    """Passes and steps until the bound changes by less than `tol`; `run` is carried on."""
    for n_iter in range(1, max_iter + 1):
        sums = sums_at(model, source, run.parameters)
        before, run.parameters = run.parameters, model._maximized(sums)
        bound = model._bound(sums, run.parameters)
        change, run.bound = bound - run.bound, bound
        run.bounds.append(bound)
        residual = displacement(model._type, before, run.parameters, sums)
        run.trace.record(objective=-bound, gradient_norm=residual, step=1.0)
        report(n_iter, change)
        if abs(change) < tol:
            run.converged = True
            return


def sums_at(model: Model[P], source: Source, parameters: P) -> MixtureSums:
    """The sums of the rows under parameters, about points that cost no digits."""
    at = model._at(parameters)
    sums = source.compute(at)
    if sums.far(model.reg_covar):
        return source.compute(at.about(sums.means()))
    return sums


def displacement(kind: CovarianceType, before: P, after: P, sums: MixtureSums) -> float:
    r"""How far a step leads, in standard deviations: zero at a fixed point and only there.

    .. math:: \max_c \sqrt{\pi_c} \max\big(\|F_c (m_c' - m_c)\|, \|F_c \Sigma_c' F_c^\top - I\|\big)

    The gradient of the mean log-likelihood in :math:`m_c`, measured in the component's own metric,
    is :math:`\pi_c` times the first norm; half of :math:`\pi_c` times the second belongs to
    :math:`\Sigma_c`.
    """
    k, p = before.means.shape
    share = np.sqrt(sums.weight / max(sums.weight.sum(), np.finfo(float).tiny))
    factors = kind.factors(before.precisions_cholesky, k, p)
    moved = after.means - before.means
    if factors.ndim == 2:
        ratio = factors**2 * kind.factors(after.covariances, k, p) - 1.0
        steps = np.linalg.norm(factors * moved, axis=1), np.linalg.norm(ratio, axis=1)
    else:
        each = kind.each(after.covariances, k)
        ratio = factors @ each @ factors.transpose(0, 2, 1) - np.eye(p)
        first = np.linalg.norm(np.einsum("cij,cj->ci", factors, moved), axis=1)
        steps = first, np.linalg.norm(ratio, axis=(1, 2))
    return float((share * np.maximum(*steps)).max())


def certificate(objective: str, value: float, residual: float) -> Certificate:
    """What can be said of a local maximum: its value, and how near to a fixed point it is."""
    return Certificate(objective, value, -inf, inf, inf, residual, nan, nan, proved=False)
