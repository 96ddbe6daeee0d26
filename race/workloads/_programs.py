"""What the races of programs share."""

from __future__ import annotations

from typing import Any

from race.workload import Data


def value_of(value: float, data: Data) -> float:
    """The objective itself, shifted to be positive."""
    return float(value) + float(data["shift"][0])


def clarabel_alone(P: Any, q: Any, A: Any, b: Any, cones: list[Any]) -> float:
    """The solver on matrices that are ready, at the accuracy ours asks for."""
    import clarabel

    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_rel = settings.tol_gap_abs = settings.tol_feas = 1e-9
    return float(clarabel.DefaultSolver(P, q, A, b, cones, settings).solve().obj_val)
