"""The lasso with many more columns than rows, at one penalty."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import Line, line_of
from race.workloads._sparse_linear import largest_alpha, lasso_objective, make_sparse


def make(size: Size, seed: int) -> Data:
    """A twentieth of the penalty at which all coefficients are zero."""
    data = make_sparse(size, seed, share=0.5)
    return {**data, "alpha": np.array(0.05 * largest_alpha(data))}


def by_class(data: Data, package: str, module: str, **params: Any) -> Line:
    """Anything with the interface of scikit-learn's Lasso."""
    from importlib import import_module

    model = import_module(f"{package}{module}").Lasso(alpha=float(data["alpha"]), **params)
    return line_of(model.fit(data["X"], data["y"]))


def adelie(data: Data) -> Line:
    """Its path down to the penalty asked for."""
    from adelie import glm, grpnet

    alpha = float(data["alpha"])
    path = np.geomspace(largest_alpha(data), alpha, 20)
    state = grpnet(
        X=np.asfortranarray(data["X"]),
        glm=glm.gaussian(data["y"]),
        lmda_path=path,
        progress_bar=False,
        early_exit=False,
        tol=1e-9,
    )
    return Line(np.ravel(state.betas[-1].toarray()), float(state.intercepts[-1]))


def quality(line: Line, data: Data) -> float:
    return lasso_objective(line, data, float(data["alpha"]))


def notes(line: Line, data: Data) -> str:
    return f"{np.count_nonzero(line.coef)} columns"


def _contender(name: str, package: str, kind: Any = "peer", **params: Any) -> Contender:
    module = params.pop("module", ".linear_model")
    return Contender(
        name, package, partial(by_class, package=package, module=module, **params), kind
    )


WORKLOAD = Workload(
    name="lasso_wide",
    title="Lasso, many more columns than rows, 0.05 of the largest penalty",
    sizes={
        "small": {"rows": 200, "columns": 1_000},
        "standard": {"rows": 1_000, "columns": 20_000},
        "large": {"rows": 2_000, "columns": 100_000},
    },
    make=make,
    contenders=(
        _contender("ours", "stylobate", "ours"),
        _contender("sklearn", "sklearn"),
        _contender("sklearn tight", "sklearn", tol=1e-7, max_iter=10_000),
        _contender("sklearnex", "daal4py", module=".sklearn.linear_model"),
        _contender("celer", "celer", module=""),
        _contender("skglm", "skglm", module=""),
        Contender("adelie", "adelie", adelie),
    ),
    quality=quality,
    floor=lambda size: (
        4.0 * size["rows"] * size["columns"],
        16.0 * size["rows"] * size["columns"],
    ),
    notes=notes,
    goals=(Faster("peers", 3),),
)
