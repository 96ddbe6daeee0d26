"""The lasso with its penalty chosen among 100 by 5 folds: many more rows than columns."""

from __future__ import annotations

from functools import partial
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._linear import moments_work
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
    name="lasso_cv_tall",
    title="100 lasso penalties, 5 folds, many rows",
    sizes={
        "small": {"rows": 2_000, "columns": 20},
        "standard": {"rows": 100_000, "columns": 200},
        "large": {"rows": 500_000, "columns": 200},
    },
    make=make,
    contenders=(
        _contender("ours", "stylobate", "ours"),
        _contender("sklearn", "sklearn"),
        _contender("sklearn jobs", "sklearn", n_jobs=-1),
        Contender("celer paths", "celer", cross_validate_celer),
    ),
    quality=choice_quality,
    floor=moments_work,
    notes=choice_notes,
    goals=(Faster("peers", 50),),
)
