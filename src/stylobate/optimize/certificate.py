"""Certificate: how good an answer is, proved after the fact."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import isfinite, isnan, log10, nan, sqrt
from typing import Self

import numpy as np

from stylobate.arrays import Array

_EPS = 2.0**-52
_TINY = 2.0**-1022
OPTIMAL = 1e-6  # relative gap below which an answer counts as optimal


@dataclass(frozen=True, slots=True)
class Certificate:
    r"""Evidence of optimality for a convex fit.

    For a minimisation problem with optimum :math:`f^*`, any dual feasible point gives a lower bound
    :math:`d \le f^*`; so :math:`f(w) - f^* \le f(w) - d`, the gap, whatever path led to w.

    Parameters
    ----------
    objective : str
        What is minimised, as a formula.
    primal : float
        Its value at the answer (summed over targets).
    dual : float
        A lower bound of the smallest possible value; where `proved` is False an estimate of it,
        which may lie above.
    gap : float, >= 0
        primal − dual.
    relative_gap : float
        The gap as a share of the objective's scale (the larger of primal and 2⁻⁵² times the
        objective at zero coefficients, so that a perfect fit has a scale too).
    kkt : float
        Worst violation of the optimality conditions, relative (for least squares: the largest
        correlation left between a column and the residual).
    condition : float
        Condition number of the problem with columns scaled to equal length.
    digits : float
        Decimal digits of the coefficients, beside the largest of them, that rounding leaves, given
        the condition, the method and, in linear least squares, the units of the columns.
    proved : bool
        False where the dual bound rests on an estimate and not on a feasible dual point: a
        condition number seen by an iterative solver, or directions in which the moments of the
        columns cannot be told from zero.

    Examples
    --------
    >>> proof = Certificate("‖y − Xw‖²", 2.0, 2.0 - 1e-15, 1e-15, 5e-16, 1e-17, 3.0, 15.0)
    >>> proof.optimal
    True
    >>> print(proof.verdict)
    Optimal: no coefficients lower the objective by more than 5e-16 of it; about 15 digits can be
    trusted.
    """

    objective: str
    primal: float
    dual: float
    gap: float
    relative_gap: float
    kkt: float
    condition: float
    digits: float
    proved: bool = True

    @classmethod
    def from_gap(
        cls,
        objective: str,
        *,
        primal: float,
        gap: float,
        at_zero: float,
        kkt: float,
        condition: float,
        lost: float | None = None,
        proved: bool = True,
    ) -> Self:
        """A certificate for a gap found by whatever means.

        Parameters
        ----------
        objective, primal, gap, kkt, condition, proved
            As above.
        at_zero : float
            The objective at zero coefficients.
        lost : float, optional
            By what factor the method amplifies rounding; the condition number by default, its
            square for methods that solve with the Gram.
        """
        primal = max(primal, 0.0)  # of a perfect fit rounding may leave less than nothing
        if isfinite(gap):  # a sum of squares: 0 is always a lower bound
            gap = min(max(gap, 0.0), primal)
        relative = gap / max(primal, _EPS * at_zero, _TINY)
        # Fitted values are off by the root of the gap, coefficients by the condition times that.
        explained = max(at_zero - primal, _EPS * at_zero, _TINY)
        far = digits_left(condition * sqrt(gap / explained) / _EPS)
        near = digits_left(condition if lost is None else lost)
        digits = nan if isnan(far) else min(near, far)
        return cls(objective, primal, primal - gap, gap, relative, kkt, condition, digits, proved)

    def in_units(self, coef: Array, lengths: Array) -> Self:
        """The certificate with the digits of coefficients in the units of their columns.

        What rounding leaves of coefficients of columns of one length is a share of the largest of
        them, c = max lⱼ|wⱼ|: an error of wⱼ of that share of c/lⱼ. Beside the largest wⱼ it counts
        for more where a long column needs a coefficient as large as a short one does.

        Parameters
        ----------
        coef : array of shape (p, t)
        lengths : array of shape (p,)
            Of the columns; those of length zero have no part.
        """
        there = lengths > 0
        largest = np.abs(coef).max(axis=0, initial=0.0)
        if not there.any() or not largest.any():
            return self
        scaled = (lengths[:, None] * np.abs(coef)).max(axis=0, initial=0.0)
        told = largest > 0
        worst = float((scaled[told] / largest[told]).max()) / float(lengths[there].min())
        lost = log10(worst) if worst > 1.0 and isfinite(worst) else 0.0
        return replace(self, digits=max(self.digits - lost, 0.0))

    def measured(self, primal: float, *, at_zero: float, gap: float | None = None) -> Self:
        """The certificate beside a value of the objective that was found on the rows.

        The lower bound stays, unless the value is below it, where the bound has rounding of its
        own: then the gap stays.

        Parameters
        ----------
        primal : float
            The objective at the answer, as it was found.
        at_zero : float
            The objective at zero coefficients.
        gap : float, optional
            A bound of what is left to gain that was found with it.
        """
        if gap is None:
            gap = primal - self.dual if primal > self.primal else self.gap
        gap = min(max(gap, 0.0), primal) if isfinite(gap) else gap
        relative = gap / max(primal, _EPS * at_zero, _TINY)
        return replace(self, primal=primal, dual=primal - gap, gap=gap, relative_gap=relative)

    @property
    def optimal(self) -> bool:
        """Whether it is proved that the relative gap is at most 1e-6."""
        return self.proved and self.relative_gap <= OPTIMAL

    @property
    def verdict(self) -> str:
        """The certificate in one sentence."""
        if not isfinite(self.relative_gap):
            return "Not certified: no lower bound of the objective is known."
        share = f"{self.relative_gap:.1g}"
        # where the condition is not known, nothing is said of the digits
        digits = "" if isnan(self.digits) else f"; about {int(self.digits)} digits can be trusted"
        if self.relative_gap > OPTIMAL and not self.proved:
            return (
                f"Not optimal: by an estimate, which is no proof, the objective may be lowered by "
                f"about {share} of it."
            )
        if self.relative_gap > OPTIMAL:
            return f"Not optimal: the objective may be lowered by up to {share} of it."
        if not self.proved:
            return (
                f"Probably optimal: by an estimate, which is no proof, no coefficients lower the "
                f"objective by more than {share} of it{digits}."
            )
        return f"Optimal: no coefficients lower the objective by more than {share} of it{digits}."

    def to_dict(self) -> dict[str, float | str | bool]:
        """All numbers, and the verdict, as plain data."""
        return asdict(self) | {"optimal": self.optimal, "verdict": self.verdict}

    def __str__(self) -> str:
        rows = [
            ("objective", self.objective),
            ("primal value", f"{self.primal:.10g}"),
            ("dual bound" if self.proved else "dual estimate", f"{self.dual:.10g}"),
            ("gap (relative)", f"{self.gap:.2g} ({self.relative_gap:.2g})"),
            ("worst KKT violation", f"{self.kkt:.2g}"),
        ]
        if not isnan(self.condition):
            rows.append(("condition number", f"{self.condition:.3g}"))
        if not isnan(self.digits):
            rows.append(("trusted digits", f"{self.digits:.1f}"))
        lines = [f"  {name:<20} {value}" for name, value in rows]
        return "\n".join([f"Certificate. {self.verdict}", *lines])


def digits_left(condition: float) -> float:
    """Decimal digits that survive a computation of this condition in double precision.

    Of a condition that is not known (NaN) they are not known either.
    """
    if isnan(condition):
        return nan
    if not isfinite(condition):
        return 0.0
    return max(0.0, min(15.65, -log10(_EPS * max(condition, 1.0))))
