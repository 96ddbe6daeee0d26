"""Ridge regression at one penalty."""

from __future__ import annotations

from functools import partial

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._linear import (
    Line,
    line_of,
    make_regression,
    moments_work,
    normal_equations,
    objective,
)

ALPHA = 1.0
# every solver scikit-learn offers here (lbfgs is for positive coefficients only)
SOLVERS = ("auto", "cholesky", "svd", "lsqr", "sparse_cg", "sag", "saga")


def ours(data: Data) -> Line:
    from stylobate.linear_model import Ridge

    return line_of(Ridge(alpha=ALPHA).fit(data["X"], data["y"]))


def sklearn(data: Data, solver: str) -> Line:
    from sklearn.linear_model import Ridge

    return line_of(Ridge(alpha=ALPHA, solver=solver).fit(data["X"], data["y"]))


def sklearnex(data: Data) -> Line:
    from sklearnex.linear_model import Ridge

    return line_of(Ridge(alpha=ALPHA).fit(data["X"], data["y"]))


def quality(line: Line, data: Data) -> float:
    return objective(line, data, ALPHA)


WORKLOAD = Workload(
    name="ridge",
    title=f"ridge regression, alpha = {ALPHA:g}",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 200_000, "columns": 200},
        "large": {"rows": 1_000_000, "columns": 200},
    },
    make=make_regression,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        *(Contender(f"sklearn {s}", "sklearn", partial(sklearn, solver=s)) for s in SOLVERS),
        Contender("sklearnex", "sklearnex", sklearnex),
        Contender("numpy by hand", "numpy", partial(normal_equations, alpha=ALPHA), "reference"),
    ),
    quality=quality,
    floor=moments_work,
    goals=(Faster("peers", 1.8),),
)
