"""A linear support vector machine with the squared hinge, LinearSVC's default."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _margins
from race.workloads._classes import Margins, make_classes

LOSS = "squared_hinge"


def quality(answer: Margins, data: Data) -> float:
    return _margins.objective(answer, data, LOSS)


def work(size: Size) -> tuple[float, float]:
    """A Gram of the rows within the margin (about half), a gradient, and one pass."""
    rows, width = size["rows"], size["columns"] + 1
    return 0.5 * rows * width * (width + 8), 8.0 * rows * width


WORKLOAD = Workload(
    name="linear_svm",
    title="linear support vector machine, squared hinge, C = 1",
    sizes={
        "small": {"rows": 1_000, "columns": 20, "classes": 2},
        "standard": {"rows": 100_000, "columns": 100, "classes": 2},
        "large": {"rows": 1_000_000, "columns": 100, "classes": 2},
    },
    make=make_classes,
    contenders=(
        Contender("ours", "stylobate", partial(_margins.ours, loss=LOSS), "ours"),
        *_margins.peers(LOSS),
        Contender("sklearn tight", "sklearn", partial(_margins.sklearn, loss=LOSS, tol=1e-6)),
        Contender("liblinear primal", "liblinear", partial(_margins.liblinear, method=2)),
        Contender("liblinear dual", "liblinear", partial(_margins.liblinear, method=1)),
    ),
    quality=quality,
    tolerance=1e-6,
    floor=work,
    notes=_margins.gap,
    goals=(Faster("peers", 4.0),),
)
