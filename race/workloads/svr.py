"""Support vector regression with a Gaussian kernel, to a gap that is verified."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _svm

TOLERANCES = (1e-4, 1e-5, 1e-6)  # of peers: the loosest that reaches the gap counts


def quality(answer: _svm.Machine, data: Data) -> float:
    """One and the relative gap: what counts is within 1e-6 of none."""
    return 1.0 + _svm.regression_gap(answer, data)


def notes(answer: _svm.Machine, data: Data) -> str:
    return f"gap {_svm.regression_gap(answer, data):.1e}, {len(answer.support)} support vectors"


def floor(size: Size) -> tuple[float, float]:
    """Every row against the support vectors, about a third of the rows, once."""
    rows = float(size["rows"])
    return rows * rows / 3.0 * (2.0 * size["columns"] + 16.0), 8.0 * rows * size["columns"]


WORKLOAD = Workload(
    name="svr",
    title="support vector regression, Gaussian kernel, C = 1",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 10_000, "columns": 20},
        "large": {"rows": 50_000, "columns": 20},
    },
    make=_svm.regression_rows,
    contenders=(
        Contender(
            "ours", "stylobate", partial(_svm.regression, package="stylobate", tol=1e-3), "ours"
        ),
        *(
            Contender(
                f"{package} {tol:g}", package, partial(_svm.regression, package=package, tol=tol)
            )
            for package in ("sklearn", "sklearnex")
            for tol in TOLERANCES
        ),
    ),
    quality=quality,
    tolerance=1e-6,
    floor=floor,
    notes=notes,
    goals=(Faster("sklearnex", 3.0), Faster("sklearn", 12.0)),
)
