"""A script of eight fits with scikit-learn, run as it is and accelerated."""

from __future__ import annotations

from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload


def make(size: Size, seed: int) -> Data:
    draw = np.random.default_rng(seed)
    rows, columns = size["rows"], size["columns"]
    X = draw.normal(size=(rows, columns))
    y = X @ draw.normal(size=columns) + draw.normal(size=rows)
    return {"X": X, "y": y, "classes": (y > 0).astype(np.int64)}


def script(data: Data) -> np.ndarray[Any, Any]:
    """Eight everyday fits; the errors of their predictions."""
    from sklearn.cluster import DBSCAN
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LassoCV, LinearRegression, LogisticRegression, Ridge
    from sklearn.naive_bayes import GaussianNB
    from sklearn.svm import SVC

    X, y, classes = data["X"], data["y"], data["classes"]
    some = slice(0, min(len(X), 5000))
    numbers = [LinearRegression(), Ridge(), LassoCV()]
    labels = [LogisticRegression(), GaussianNB(), LinearDiscriminantAnalysis()]
    errors = [float(np.mean((m.fit(X, y).predict(X) - y) ** 2)) for m in numbers]
    errors += [float(np.mean(m.fit(X, classes).predict(X) != classes)) for m in labels]
    machine = SVC().fit(X[some], classes[some])
    errors.append(float(np.mean(machine.predict(X[some]) != classes[some])))
    groups = DBSCAN(eps=0.8 * X.shape[1] ** 0.5).fit(X[some])
    errors.append(float(np.mean(groups.labels_ < 0)))
    return np.array(errors)


def ours(data: Data) -> np.ndarray[Any, Any]:
    import stylobate

    with stylobate.accelerate():
        return script(data)


def sklearnex(data: Data) -> np.ndarray[Any, Any]:
    from sklearnex import patch_sklearn, unpatch_sklearn

    patch_sklearn(verbose=False)
    try:
        return script(data)
    finally:
        unpatch_sklearn()


def quality(errors: np.ndarray[Any, Any], data: Data) -> float:
    return float(errors.sum())


WORKLOAD = Workload(
    name="accelerate",
    title="a script of eight fits with scikit-learn, unchanged",
    sizes={
        "small": {"rows": 1_000, "columns": 10},
        "standard": {"rows": 100_000, "columns": 20},
        "large": {"rows": 1_000_000, "columns": 20},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", script),
        Contender("sklearnex", "sklearnex", sklearnex),
    ),
    quality=quality,
    tolerance=1e-3,
    goals=(Faster("sklearn", 2.0),),
)
