"""Ranges of the parameters that all kernel machines share."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Literal

from stylobate.base import Interval, Options
from stylobate.base.constraints import CallableObject, Instance
from stylobate.base.study_role import StudyRole
from stylobate.kernels import Kernel

KERNEL_NAMES = ("linear", "poly", "rbf", "sigmoid", "precomputed")

KernelChoice = (
    Annotated[str, Options(*KERNEL_NAMES)]
    | Annotated[Any, Instance(Kernel)]
    | Annotated[Any, CallableObject()]
)
Degree = Annotated[int, Interval(0, inf)]
Gamma = Annotated[str, Options("scale", "auto")] | Annotated[float, Interval(0, inf)]
Coef0 = Annotated[float, Interval(-inf, inf, closed="neither")]
Cost = Annotated[float, Interval(0, inf, closed="right")]
FiniteCost = Annotated[float, Interval(0, inf, closed="neither")]
Nu = Annotated[float, Interval(0, 1, closed="right")]
Epsilon = Annotated[float, Interval(0, inf)]
Tolerance = Annotated[float, Interval(0, inf, closed="neither")]
CacheSize = Annotated[float, Interval(0, inf, closed="neither")]
MaxIter = Annotated[int, Interval(-1, inf)]
Verbose = Annotated[int, Interval(0, inf)] | bool
Probability = bool | Annotated[str, Options("deprecated")]
ClassWeight = Literal["balanced"] | Annotated[Any, Instance(dict)] | None
Solver = Annotated[str, Options("auto", "newton", "block", "smo")]
DecisionShape = Annotated[str, Options("ovo", "ovr")]


def machine_role(tube: dict[str, tuple[float, ...]] | None = None) -> StudyRole:
    """What studies try of a kernel machine; time and memory grow with the square of the rows.

    `tube`: parameters of a regression that are in units of its target, beside C.
    """
    return StudyRole(
        "svm",
        "Support vector machine",
        60,
        space={"C": (1.0, 10.0, 0.1), **(tube or {})},  # gamma="scale" suits scaled columns
        max_rows=5_000,
        max_columns=1_000,
        target_units=() if tube is None else ("C", *tube),
        calibrated=tube is None,
    )
