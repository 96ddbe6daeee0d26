"""What a program's solver found: an optimum with its proof, or a proof that there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from stylobate.arrays import Array

Status = Literal["optimal", "infeasible", "unbounded", "inaccurate"]


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """How well the conditions of Karush, Kuhn and Tucker hold, each relative to its data.

    Parameters
    ----------
    primal : float
        The worst violation of a constraint.
    dual : float
        The gradient of the Lagrangian, and negative multipliers.
    complementarity : float
        The worst product of a multiplier and its constraint's slack.
    gap : float
        |primal value − dual value|.
    """

    primal: float
    dual: float
    complementarity: float
    gap: float

    @property
    def worst(self) -> float:
        """The largest of them."""
        return max(0.0, self.primal, self.dual, self.complementarity, self.gap)


@dataclass(frozen=True, slots=True, eq=False)
class ProgramSolution:
    r"""The answer to a program.

    Parameters
    ----------
    status : {"optimal", "infeasible", "unbounded", "inaccurate"}
    x : array or None
        An optimal point; None where there is none. A matrix for semidefinite programs, a list of
        matrices for several blocks.
    value : float
        v*: the least value; +inf for an infeasible program, −inf for an unbounded one.
    dual_value : float
        The largest lower bound, from the multipliers.
    duals : dict of str to array
        The multipliers of each group of constraints ("A_ub" ≥ 0, "A_eq", "low", "high", …): by how
        much v* falls if the right-hand side grows by one (low: rises).
    residuals : Residuals or None
    ray : dict of str to array, or None
        The proof of infeasibility: multipliers y ≥ 0, ν of the constraints that add up to
        0ᵀx ≤ negative (Farkas); or of unboundedness: a direction d ("x") along which the objective
        falls for ever.
    solver : str
        Whose answer this is.
    iterations : int
    seconds : float
        In the solver alone.
    """

    status: Status
    x: Any
    value: float
    dual_value: float
    duals: dict[str, Array] = field(repr=False)
    residuals: Residuals | None
    ray: dict[str, Array] | None = field(repr=False)
    solver: str
    iterations: int
    seconds: float

    @property
    def optimal(self) -> bool:
        """Whether an optimum was found and its conditions hold."""
        return self.status == "optimal"

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        if self.status == "infeasible":
            return (
                "Infeasible: no point meets all constraints (v* = +∞); the multipliers in `ray` "
                "add them up to a contradiction."
            )
        if self.status == "unbounded":
            return "Unbounded: the objective falls for ever (v* = −∞) along the direction in `ray`."
        assert self.residuals is not None
        worst = f"the worst optimality condition is off by {self.residuals.worst:.1g}"
        if self.status == "inaccurate":
            return f"Not solved to the accuracy asked for: {worst}."
        return f"Optimal: v* = {self.value:.10g}; {worst} (relative)."

    def __str__(self) -> str:
        return f"{self.verdict} By {self.solver}, {self.iterations} iterations."

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {
            "status": self.status,
            "x": _plain(self.x),
            "value": self.value,
            "dual_value": self.dual_value,
            "duals": {name: _plain(values) for name, values in self.duals.items()},
            "solver": self.solver,
            "verdict": self.verdict,
        }


def _plain(values: Any) -> Any:
    """Arrays, or a list of them, as lists."""
    if isinstance(values, list):
        return [each.tolist() for each in values]
    return None if values is None else values.tolist()
