"""Predictions of many rows by a random forest of a hundred trees."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._forest import errors, trees_of, two_classes

TRAINING = 20_000


_models: dict[tuple[str, int, int], Any] = {}


def make(size: Size, seed: int) -> Data:
    train = {"rows": TRAINING, "columns": size["columns"], "trees": size["trees"]}
    return two_classes(train, seed, size["rows"])


def fitted(name: str, kind: Callable[[int], Any], data: Data) -> Any:
    """The forest, fitted when first asked for: the best of several runs is of predictions alone."""
    key = (name, data["X"].shape[1], trees_of(data))
    if key not in _models:
        _models[key] = kind(trees_of(data)).fit(data["X"], data["y"])
    return _models[key]


def _sklearn_forest(trees: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(trees, n_jobs=2, random_state=0)


def ours(data: Data) -> Any:
    from stylobate.ensemble import RandomForestClassifier

    model = fitted("ours", lambda trees: RandomForestClassifier(trees, random_state=0), data)
    return model.predict(data["X_new"])


def sklearn(data: Data) -> Any:
    return fitted("sklearn", _sklearn_forest, data).predict(data["X_new"])


def sklearnex(data: Data) -> Any:
    from sklearnex.ensemble import RandomForestClassifier

    def kind(trees: int) -> Any:
        return RandomForestClassifier(trees, n_jobs=2, random_state=0)

    return fitted("sklearnex", kind, data).predict(data["X_new"])


def snapml(data: Data) -> Any:
    from snapml import RandomForestClassifier

    def kind(trees: int) -> Any:
        return RandomForestClassifier(trees, n_jobs=2, random_state=0)

    return fitted("snapml", kind, data).predict(data["X_new"], n_jobs=2)


def onnxruntime(data: Data) -> Any:
    """scikit-learn's forest as an ONNX graph, which takes single precision."""
    from race.workloads._onnx_forest import onnx_session

    session = _converted("onnxruntime", lambda forest: onnx_session(forest, 2), data)
    (shares,) = session.run(["p"], {"X": data["X_new"].astype(np.float32)})
    return shares.argmax(axis=1)


def treelite(data: Data) -> Any:
    """scikit-learn's forest by Treelite's own predictor."""
    package = import_module("treelite")
    model = _converted("treelite", package.sklearn.import_model, data)
    shares = package.gtil.predict(model, data["X_new"], nthread=2)
    return shares.reshape(len(shares), -1).argmax(axis=1)


def _converted(name: str, convert: Callable[[Any], Any], data: Data) -> Any:
    key = (name, data["X"].shape[1], trees_of(data))
    if key not in _models:
        _models[key] = convert(fitted("sklearn", _sklearn_forest, data))
    return _models[key]


def lightgbm(data: Data) -> Any:
    from lightgbm import LGBMClassifier

    def kind(trees: int) -> Any:
        return LGBMClassifier(
            boosting_type="rf", n_estimators=trees, num_leaves=4096, min_child_samples=1,
            subsample=0.632, subsample_freq=1, colsample_bynode=0.17, n_jobs=2, verbose=-1,
        )  # fmt: skip

    return fitted("lightgbm", kind, data).predict(data["X_new"])


def work(size: Size) -> tuple[float, float]:
    """About fourteen comparisons of a row in each tree; the rows are read once."""
    return 14.0 * size["rows"] * size["trees"], 8.0 * size["rows"] * size["columns"]


WORKLOAD = Workload(
    name="predict_forest",
    title="predictions of a random forest, 100 trees",
    sizes={
        "small": {"rows": 1_000, "columns": 20, "trees": 100},
        "standard": {"rows": 1_000_000, "columns": 30, "trees": 100},
        "large": {"rows": 5_000_000, "columns": 30, "trees": 100},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("sklearnex", "sklearnex", sklearnex),
        Contender("snapml", "snapml", snapml),
        Contender("onnxruntime", "onnxruntime", onnxruntime),
        Contender("treelite", "treelite", treelite),
        Contender("LightGBM rf", "lightgbm", lightgbm, "reference"),
    ),
    quality=errors,
    tolerance=0.1,  # other draws make other forests
    floor=work,
    goals=(Faster("peers", 5.0),),
)
