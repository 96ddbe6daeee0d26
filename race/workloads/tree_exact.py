"""One decision tree of unlimited depth, every split exact."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

Labels = NDArray[Any]
NEW_ROWS = 20_000


def make(size: Size, seed: int) -> Data:
    """Two classes by a sum, a product and a wave of a few columns, with noise."""
    generator = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    x = generator.standard_normal((rows + NEW_ROWS, columns))
    score = x[:, 0] + x[:, 1] * x[:, 2] + np.sin(3.0 * x[:, 3]) + 0.5 * x[:, 4:10].sum(axis=1)
    y = (score + generator.standard_normal(rows + NEW_ROWS) > 0.0).astype(np.float64)
    return {"X": x[:rows], "y": y[:rows], "X_new": x[rows:], "y_new": y[rows:]}


def fitted(model: Any, data: Data) -> Any:
    return model.fit(data["X"], data["y"])


def ours(data: Data) -> Any:
    from stylobate.tree import DecisionTreeClassifier

    return fitted(DecisionTreeClassifier(), data)


def sklearn(data: Data) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return fitted(DecisionTreeClassifier(random_state=0), data)


def snapml(data: Data) -> Any:
    from snapml import DecisionTreeClassifier

    return fitted(DecisionTreeClassifier(use_histograms=False, n_jobs=2, random_state=0), data)


def sklearnex(data: Data) -> Any:
    from sklearnex.ensemble import RandomForestClassifier

    model = RandomForestClassifier(1, bootstrap=False, max_features=None, n_jobs=2, random_state=0)
    return fitted(model, data)


def quality(model: Any, data: Data) -> float:
    """Share of new rows told wrongly; rows of the fit must all be told rightly."""
    if np.mean(np.asarray(model.predict(data["X"])).ravel() != data["y"]) > 1e-3:
        return float("inf")
    return float(np.mean(np.asarray(model.predict(data["X_new"])).ravel() != data["y_new"]))


def work(size: Size) -> tuple[float, float]:
    """About twenty levels; on each, every number is compared, and read and written as 4 bytes."""
    numbers = 20.0 * size["rows"] * size["columns"]
    return 4.0 * numbers, 8.0 * numbers


WORKLOAD = Workload(
    name="tree_exact",
    title="decision tree, unlimited depth, exact splits",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 100_000, "columns": 50},
        "large": {"rows": 500_000, "columns": 50},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("snapml exact", "snapml", snapml),
        Contender("sklearnex binned", "sklearnex", sklearnex, "reference"),
    ),
    quality=quality,
    tolerance=0.06,  # equally good splits make different trees
    floor=work,
    goals=(Faster("snapml", 3.0), Faster("sklearn", 20.0)),
)
