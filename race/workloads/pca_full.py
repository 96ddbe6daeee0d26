"""All principal components of a tall table."""

from __future__ import annotations

from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._components import factor_rows, gram_work, lost_variance

KEPT = 50  # by which answers are judged: of all of them nothing is lost


def ours(data: Data) -> Any:
    from stylobate.decomposition import PCA

    return PCA().fit(data["X"]).components_


def sklearn(data: Data) -> Any:
    from sklearn.decomposition import PCA

    return PCA().fit(data["X"]).components_


def sklearnex(data: Data) -> Any:
    from sklearnex.decomposition import PCA

    return PCA().fit(data["X"]).components_


def numpy(data: Data) -> Any:
    import numpy as np

    x = data["X"] - data["X"].mean(axis=0)
    return np.linalg.eigh(x.T @ x)[1].T[::-1]


def quality(components: Any, data: Data) -> float:
    """Variance that the first components leave."""
    return lost_variance(components[:KEPT], data["X"])


WORKLOAD = Workload(
    name="pca_full",
    title="all principal components of a tall table",
    sizes={
        "small": {"rows": 2000, "columns": 60},
        "standard": {"rows": 100_000, "columns": 200},
        "large": {"rows": 400_000, "columns": 400},
    },
    make=factor_rows,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("sklearnex", "sklearnex", sklearnex),
        Contender("numpy", "numpy", numpy, "reference"),
    ),
    quality=quality,
    floor=gram_work,
    goals=(Faster("peers", 1.6),),
)
