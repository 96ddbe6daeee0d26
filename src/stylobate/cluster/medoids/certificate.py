"""What is proved of medoids and centres."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite

OPTIMAL = 1e-6  # relative gap below which an answer counts as the best there is


@dataclass(frozen=True, slots=True)
class PartitionCertificate:
    """A lower bound of the objective over all choices of centres, and how far above it we are.

    The bound is of the dissimilarities as they are computed, the numbers that the objective adds
    up; what rounding may add to the bound is taken off.

    Parameters
    ----------
    objective : str
        What is minimised, as a formula.
    primal : float
        Its value at the answer.
    dual : float
        No choice of centres among the rows has a smaller value; 0 where nothing better is known.
    method : str
        Where the bound comes from.
    local : bool
        Whether it was seen that no exchange of one centre for another row lowers the objective.
    approximate : bool
        Whether the answer comes from a method that looks at a sample.
    proved : bool
        Whether a bound was computed. It is a proof then, not an estimate.

    Examples
    --------
    >>> print(PartitionCertificate("Σ w d", 10.0, 9.9, "Lagrangian", True).verdict)
    Within 1% of the best: no choice of centres is below 9.9 (Lagrangian).
    """

    objective: str
    primal: float
    dual: float
    method: str
    local: bool
    approximate: bool = False
    proved: bool = True

    @property
    def gap(self) -> float:
        """Primal − dual."""
        return max(self.primal - self.dual, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the objective; infinite where no bound was computed."""
        if not self.proved:
            return float("inf")
        return self.gap / self.primal if self.primal > 0.0 else 0.0

    @property
    def factor(self) -> float:
        """How many times the smallest possible value the answer is at most."""
        if self.primal == 0.0 and self.proved:
            return 1.0
        return self.primal / self.dual if self.proved and self.dual > 0.0 else float("inf")

    @property
    def optimal(self) -> bool:
        """Whether it is proved that the relative gap is at most 1e-6."""
        return self.proved and self.relative_gap <= OPTIMAL

    @property
    def verdict(self) -> str:
        """The certificate in one sentence."""
        found = "By a sample of the rows. " if self.approximate else ""
        if self.optimal:
            return f"{found}Optimal: no choice of centres is better ({self.method})."
        if self.proved and isfinite(self.factor):
            return (
                f"{found}Within {100 * self.relative_gap:.2g}% of the best: no choice of centres "
                f"is below {self.dual:.4g} ({self.method})."
            )
        if self.local:
            return f"{found}No exchange of one centre is better; no bound was computed."
        return f"{found}Nothing is proved."

    def to_dict(self) -> dict[str, float | str | bool]:
        """All numbers, and the verdict, as plain data."""
        more = {"gap": self.gap, "relative_gap": self.relative_gap, "factor": self.factor}
        return asdict(self) | more | {"optimal": self.optimal, "verdict": self.verdict}

    def __str__(self) -> str:
        return (
            f"Certificate. {self.verdict}\n  objective            {self.objective}\n"
            f"  value                {self.primal:.10g}\n"
            f"  lower bound          {self.dual:.10g}"
        )
