"""Predictions of many rows by a hundred boosted trees of 31 leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._forest import errors, two_classes

TRAINING = 20_000
ITERATIONS = 100
LEAVES = 31

_models: dict[tuple[str, int], Any] = {}


def make(size: Size, seed: int) -> Data:
    train = {"rows": TRAINING, "columns": size["columns"], "trees": ITERATIONS}
    return two_classes(train, seed, size["rows"])


def predicted(name: str, kind: Callable[[], Any], data: Data) -> Any:
    """Labels by a model fitted when first asked for: the best run is of predictions alone."""
    key = (name, data["X"].shape[1])
    if key not in _models:
        _models[key] = kind().fit(data["X"], data["y"])
    return _models[key].predict(data["X_new"])


def ours(data: Data) -> Any:
    from stylobate.ensemble import HistGradientBoostingClassifier

    return predicted(
        "ours", lambda: HistGradientBoostingClassifier(max_iter=ITERATIONS, early_stopping=False),
        data,
    )  # fmt: skip


def sklearn(data: Data) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return predicted(
        "sklearn",
        lambda: HistGradientBoostingClassifier(max_iter=ITERATIONS, early_stopping=False),
        data,
    )


def lightgbm(data: Data) -> Any:
    from lightgbm import LGBMClassifier

    def kind() -> Any:
        return LGBMClassifier(n_estimators=ITERATIONS, num_leaves=LEAVES, n_jobs=2, verbose=-1)

    return np.asarray(predicted("lightgbm", kind, data))


def xgboost(data: Data) -> Any:
    from xgboost import XGBClassifier

    def kind() -> Any:
        return XGBClassifier(
            n_estimators=ITERATIONS, max_leaves=LEAVES, max_depth=0, grow_policy="lossguide",
            learning_rate=0.1, tree_method="hist", n_jobs=2,
        )  # fmt: skip

    return predicted("xgboost", kind, data)


def work(size: Size) -> tuple[float, float]:
    """About six comparisons of a row in each tree; the rows are read once."""
    return 6.0 * size["rows"] * ITERATIONS, 8.0 * size["rows"] * size["columns"]


WORKLOAD = Workload(
    name="predict_boosting",
    title=f"predictions of boosted trees, {ITERATIONS} of {LEAVES} leaves",
    sizes={
        "small": {"rows": 1_000, "columns": 20},
        "standard": {"rows": 1_000_000, "columns": 30},
        "large": {"rows": 5_000_000, "columns": 30},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("LightGBM", "lightgbm", lightgbm),
        Contender("XGBoost", "xgboost", xgboost),
        Contender("sklearn", "sklearn", sklearn),
    ),
    quality=errors,
    tolerance=0.1,  # other bins, other trees
    floor=work,
    goals=(Faster("peers", 2.0),),
)
