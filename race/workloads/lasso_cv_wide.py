"""The lasso with its penalty chosen among 100 by 5 folds: more columns than rows."""

from __future__ import annotations

from functools import partial
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._sparse_linear import (
    FOLDS,
    Choice,
    choice_notes,
    choice_quality,
    cross_validate,
    cross_validate_celer,
    make_sparse,
)


def make(size: Size, seed: int) -> Data:
    return make_sparse(size, seed, share=0.5)


def lasso_cv(data: Data, package: str, module: str, **params: Any) -> Choice:
    """Anything with the interface of scikit-learn's LassoCV."""
    from importlib import import_module

    kind = import_module(f"{package}{module}").LassoCV
    return cross_validate(data, kind(cv=FOLDS, **params))


def _contender(name: str, package: str, kind: Any = "peer", **params: Any) -> Contender:
    module = params.pop("module", ".linear_model")
    return Contender(
        name, package, partial(lasso_cv, package=package, module=module, **params), kind
    )


WORKLOAD = Workload(
    name="lasso_cv_wide",
    title="100 lasso penalties, 5 folds, more columns than rows",
    sizes={
        "small": {"rows": 200, "columns": 300},
        "standard": {"rows": 2_000, "columns": 5_000},
        "large": {"rows": 4_000, "columns": 10_000},
    },
    make=make,
    contenders=(
        _contender("ours", "stylobate", "ours"),
        _contender("sklearn", "sklearn"),
        _contender("sklearn jobs", "sklearn", n_jobs=-1),
        Contender("celer paths", "celer", cross_validate_celer),
    ),
    quality=choice_quality,
    floor=lambda size: (
        100.0 * 2 * size["rows"] * size["columns"],
        100.0 * 8 * size["rows"] * size["columns"],
    ),
    notes=choice_notes,
    goals=(Faster("peers", 4),),
)
