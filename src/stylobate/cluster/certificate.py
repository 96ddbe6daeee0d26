"""What is proved of a clustering."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClusteringCertificate:
    r"""A lower bound of the smallest possible inertia, and how far above it the answer is.

    Lloyd's iterations end where no step lowers the inertia, which need not be the smallest
    possible. Whether it is can be told where a bound is known: for one cluster (the mean is best),
    for an inertia of 0, and in one dimension, where dynamic programming finds the optimum.

    Parameters
    ----------
    objective : str
        What is minimised.
    primal : float
        Its value at the answer.
    dual : float
        A lower bound of the smallest possible value; 0 where nothing better is known.
    fixed_point : bool
        Whether no row is nearer to another centre and every centre is the mean of its rows.
    proved : bool
        Whether the bound is that of the optimum: the answer is the best there is.
    reason : str
        Why the bound holds.

    Examples
    --------
    >>> print(ClusteringCertificate("Σ w ‖x − c‖²", 3.0, 0.0, True, False, "").verdict)
    A fixed point of Lloyd's iterations; whether another clustering is better is not known.
    """

    objective: str
    primal: float
    dual: float
    fixed_point: bool
    proved: bool
    reason: str

    @property
    def gap(self) -> float:
        """Primal − dual."""
        return max(self.primal - self.dual, 0.0)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the objective."""
        return self.gap / self.primal if self.primal > 0.0 else 0.0

    @property
    def optimal(self) -> bool:
        """Whether the answer is proved to be the best there is."""
        return self.proved and self.relative_gap <= 1e-6

    @property
    def verdict(self) -> str:
        """The certificate in one sentence."""
        if self.optimal:
            return f"Optimal: no clustering has a smaller inertia ({self.reason})."
        if self.fixed_point:
            return (
                "A fixed point of Lloyd's iterations; whether another clustering is better is not "
                "known."
            )
        return "Stopped before a fixed point: more iterations may lower the inertia."

    def to_dict(self) -> dict[str, float | str | bool]:
        """All numbers, and the verdict, as plain data."""
        return {
            "objective": self.objective,
            "primal": self.primal,
            "dual": self.dual,
            "gap": self.gap,
            "relative_gap": self.relative_gap,
            "fixed_point": self.fixed_point,
            "proved": self.proved,
            "optimal": self.optimal,
            "verdict": self.verdict,
        }

    def __str__(self) -> str:
        return (
            f"Certificate. {self.verdict}\n  objective            {self.objective}\n"
            f"  primal value         {self.primal:.10g}\n  dual bound           {self.dual:.10g}"
        )


def of_inertia(inertia: float, n_clusters: int, fixed_point: bool) -> ClusteringCertificate:
    """What is proved of a clustering by the inertia alone."""
    formula = "Σ w ‖x − c‖²"
    if inertia == 0.0:
        return ClusteringCertificate(formula, 0.0, 0.0, True, True, "it is 0")
    if n_clusters == 1:
        why = "the mean of all rows is the best single centre"
        return ClusteringCertificate(formula, inertia, inertia, True, True, why)
    return ClusteringCertificate(
        formula, inertia, 0.0, fixed_point, False, "squares are not negative"
    )
