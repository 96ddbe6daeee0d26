"""A linear support vector machine with the hinge itself."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import _margins
from race.workloads._classes import Margins, make_classes

LOSS = "hinge"


def quality(answer: Margins, data: Data) -> float:
    return _margins.objective(answer, data, LOSS)


def work(size: Size) -> tuple[float, float]:
    """Products of all rows with the answer, and their sum."""
    rows, width = size["rows"], size["columns"] + 1
    return 4.0 * rows * width, 8.0 * rows * width


WORKLOAD = Workload(
    name="linear_svm_hinge",
    title="linear support vector machine, hinge, C = 1",
    sizes={
        "small": {"rows": 1_000, "columns": 20, "classes": 2},
        "standard": {"rows": 100_000, "columns": 100, "classes": 2},
    },
    make=make_classes,
    contenders=(
        Contender("ours", "stylobate", partial(_margins.ours, loss=LOSS), "ours"),
        *_margins.peers(LOSS),
        Contender("liblinear dual", "liblinear", partial(_margins.liblinear, method=3)),
        Contender("snapml", "snapml", _margins.snapml),
    ),
    quality=quality,
    tolerance=1e-3,  # no peer's default answer is better than a part in a thousand
    floor=work,
    goals=(Faster("peers", 4.0),),
)
