"""A random forest of a hundred trees, a few columns for each split."""

from __future__ import annotations

from math import isqrt
from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._forest import NEW_ROWS, errors, trees_of, two_classes


def make(size: Size, seed: int) -> Data:
    return two_classes(size, seed, NEW_ROWS)


def ours(data: Data) -> Any:
    from stylobate.ensemble import RandomForestClassifier

    return RandomForestClassifier(trees_of(data), random_state=0).fit(data["X"], data["y"])


def sklearn(data: Data) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(trees_of(data), n_jobs=2, random_state=0)
    return model.fit(data["X"], data["y"])


def sklearnex(data: Data) -> Any:
    from sklearnex.ensemble import RandomForestClassifier

    model = RandomForestClassifier(trees_of(data), n_jobs=2, random_state=0)
    return model.fit(data["X"], data["y"])


def snapml(data: Data) -> Any:
    from snapml import RandomForestClassifier

    columns = isqrt(data["X"].shape[1])
    model = RandomForestClassifier(
        trees_of(data), n_jobs=2, random_state=0, max_features=columns, use_histograms=False
    )
    return model.fit(data["X"], data["y"])


def lightgbm(data: Data) -> Any:
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(
        boosting_type="rf", n_estimators=trees_of(data), num_leaves=16_384, min_child_samples=1,
        subsample=0.632, subsample_freq=1, colsample_bynode=0.17, n_jobs=2, verbose=-1,
    )  # fmt: skip
    return model.fit(data["X"], data["y"])


def xgboost(data: Data) -> Any:
    from xgboost import XGBRFClassifier

    model = XGBRFClassifier(
        n_estimators=trees_of(data), max_depth=16, subsample=0.632, colsample_bynode=0.17, n_jobs=2
    )
    return model.fit(data["X"], data["y"])


def quality(model: Any, data: Data) -> float:
    return errors(model.predict(data["X_new"]), data)


def work(size: Size) -> tuple[float, float]:
    """About sixteen levels of 63 % of the rows; √p columns counted and one row number written."""
    rows = 16.0 * 0.632 * size["rows"] * size["trees"]
    visits = rows * isqrt(size["columns"])
    return 4.0 * visits, 4.0 * visits + 8.0 * rows


WORKLOAD = Workload(
    name="forest",
    title="random forest, 100 trees",
    sizes={
        "small": {"rows": 1_000, "columns": 20, "trees": 100},
        "standard": {"rows": 100_000, "columns": 30, "trees": 100},
        "large": {"rows": 1_000_000, "columns": 30, "trees": 100},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("sklearnex", "sklearnex", sklearnex),
        Contender("snapml exact", "snapml", snapml),
        Contender("LightGBM rf", "lightgbm", lightgbm, "reference"),
        Contender("XGBoost rf", "xgboost", xgboost, "reference"),
    ),
    quality=quality,
    tolerance=0.06,  # other draws make other forests
    floor=work,
    goals=(Faster("sklearnex", 3.0), Faster("sklearn", 3.0), Faster("snapml", 3.0)),
)
