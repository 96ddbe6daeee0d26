"""Logistic regression of two classes with an ℓ1 penalty over rows that are not in memory.

The steps are those of `PenalizedPasses`: a pass tells loss, gradient and Hessian, and the model of
second order is minimised with the penalty. The answer is held to the relative gap asked for, which
takes two passes; where it is wider, the steps go on to a smaller violation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from stylobate.arrays import Array
from stylobate.losses import Logistic
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.logistic.solution import LogisticSolution
from stylobate.optimize.penalized import PenalizedSolution, certify_penalized
from stylobate.optimize.penalized_passes import PenalizedPasses
from stylobate.optimize.trace import Trace
from stylobate.penalties import ElasticNet
from stylobate.statistics import Moments, Source

REASON = "an ℓ1 penalty on rows in batches: one mergeable pass per Newton step"
_CLOSER, _ROUNDS = 1e-2, 4  # of the violation, where the gap is wider than asked for


@dataclass(frozen=True, slots=True, eq=False)
class SparsePasses:
    """Rows whose target is 0 or 1, and what one pass tells of them.

    Parameters
    ----------
    problem : PenalizedPasses
        Of the mean loss, without a penalty.
    weight : float
        Σω, by which the objective of `LogisticSolution` is larger.
    """

    problem: PenalizedPasses
    weight: float

    @classmethod
    def of(cls, source: Source, *, fit_intercept: bool, max_iter: int) -> SparsePasses:
        """One pass for the moments, and one or a few for the best intercept by itself."""
        moments: Moments = source.compute(Moments)
        problem = PenalizedPasses(
            source,
            moments,
            Logistic(),
            ElasticNet(0.0, 0.0),
            fit_intercept=fit_intercept,
            max_iter=max_iter,
        )
        return cls(problem.begun(), float(moments.weight))

    def solve(
        self, l1: float, l2: float, *, tol: float, start: tuple[Array, Array] | None = None
    ) -> LogisticSolution:
        """Minimise Σ ωᵢℓᵢ + l1‖w‖₁ + ½·l2‖w‖², up to a relative gap of `tol`."""
        penalty = ElasticNet(l1 / self.weight, l2 / self.weight)
        problem = replace(self.problem, penalty=penalty, tol=tol)
        coef, intercept = (None, 0.0) if start is None else (start[0][0], float(start[1][0]))
        trace, steps = Trace(), 0
        for _ in range(_ROUNDS):
            found = problem.solve(coef, intercept)
            certificate = certify_penalized(problem, found)
            _go_on(trace, found.trace, self.weight)
            steps += found.iterations
            close = certificate.relative_gap <= tol
            if close or not found.converged or steps >= problem.max_iter:
                break
            coef, intercept = found.coef, found.intercept
            problem = replace(problem, tol=problem.tol * _CLOSER)
        return self._solution(found, certificate, trace, steps, close)

    def _solution(
        self,
        found: PenalizedSolution,
        certificate: Certificate,
        trace: Trace,
        steps: int,
        converged: bool,
    ) -> LogisticSolution:
        return LogisticSolution(
            found.coef[np.newaxis] + 0.0,
            np.array([found.intercept]),
            _of_sums(certificate, self.weight),
            trace,
            steps,
            converged,
            solver="newton-cholesky",
            reason=REASON,
        )


def _of_sums(certificate: Certificate, weight: float) -> Certificate:
    """The certificate of the sum over the rows from that of their mean."""
    scaled = {
        name: weight * getattr(certificate, name)
        for name in ("primal", "dual", "gap")
        if isfinite(getattr(certificate, name))
    }
    return replace(certificate, objective="Σ ω ℓ(y, Xw + b) + l1‖w‖₁ + ½ l2‖w‖²", **scaled)


def _go_on(trace: Trace, more: Trace, weight: float) -> None:
    """Add the course of further steps, as sums over the rows."""
    begun = trace.seconds[-1] if trace.seconds else 0.0
    trace.objective += [weight * value for value in more.objective]
    trace.gradient_norm += [weight * norm for norm in more.gradient_norm]
    trace.step += more.step
    trace.seconds += [begun + seconds for seconds in more.seconds]
