"""The ten leading principal components of a large table."""

from __future__ import annotations

from functools import partial
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._components import factor_rows, lost_variance

K = 10


def ours(data: Data) -> Any:
    from stylobate.decomposition import PCA

    return PCA(K, random_state=0).fit(data["X"]).components_


def sklearn(data: Data, solver: str) -> Any:
    from sklearn.decomposition import PCA

    return PCA(K, svd_solver=solver, random_state=0).fit(data["X"]).components_


def sklearnex(data: Data) -> Any:
    from sklearnex.decomposition import PCA

    return PCA(K, svd_solver="covariance_eigh").fit(data["X"]).components_


def quality(components: Any, data: Data) -> float:
    """Variance that the components leave."""
    return lost_variance(components, data["X"])


def floor(size: Size) -> tuple[float, float]:
    """Two products with ten columns, three times; the rows read as often."""
    cells = float(size["rows"]) * size["columns"]
    return 3.0 * 4.0 * K * cells, 3.0 * 8.0 * cells


WORKLOAD = Workload(
    name="pca_top10",
    title=f"the {K} leading principal components of a large table",
    sizes={
        "small": {"rows": 1200, "columns": 600},
        "standard": {"rows": 50_000, "columns": 2000},
        "large": {"rows": 100_000, "columns": 4000},
    },
    make=factor_rows,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn arpack", "sklearn", partial(sklearn, solver="arpack")),
        Contender("sklearn randomized", "sklearn", partial(sklearn, solver="randomized")),
        Contender("sklearnex covariance", "sklearnex", sklearnex),
    ),
    quality=quality,
    tolerance=1e-5,
    floor=floor,
    goals=(Faster("peers", 4.0),),
)
