"""Boosting of histogram trees over a star of four tables: 50 iterations of 31 leaves."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads._joins import STAR, by_polars, features_of, joined, lookup_work, make_lookup

SETTINGS = {"max_iter": 50, "max_leaf_nodes": 31, "early_stopping": False, "random_state": 0}


def ours(data: Data) -> Any:
    from stylobate.ensemble import HistGradientBoostingClassifier

    model: Any = HistGradientBoostingClassifier(**SETTINGS)  # type: ignore[arg-type]
    return model.fit(joined(data, STAR), target="facts.y")


def in_memory(data: Data) -> Any:
    from stylobate.ensemble import HistGradientBoostingClassifier

    model: Any = HistGradientBoostingClassifier(**SETTINGS)  # type: ignore[arg-type]
    x, y = by_polars(data, STAR)
    return model.fit(x.to_numpy(), y.to_numpy())


def sklearn(data: Data) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    x, y = by_polars(data, STAR)
    return HistGradientBoostingClassifier(**SETTINGS).fit(x.to_numpy(), y.to_numpy())


def quality(model: Any, data: Data) -> float:
    """Mean log loss of rows held out."""
    names = getattr(model, "feature_names_in_", None)
    x = data["X"]
    if names is not None:
        import polars as pl

        x = pl.DataFrame(x, schema=list(names))
        assert len(names) == len(features_of(data))
    chance = np.clip(model.predict_proba(x)[:, 1], 1e-12, 1.0 - 1e-12)
    return float(-np.mean(np.where(data["y"] > 0.5, np.log(chance), np.log1p(-chance))))


WORKLOAD = Workload(
    name="join_boosting",
    title="histogram boosting over a star of tables, 50 iterations",
    sizes={
        "small": {"rows": 10_000, "keys": 500},
        "standard": {"rows": 500_000, "keys": 50_000},
        "large": {"rows": 5_000_000, "keys": 100_000},
    },
    make=partial(make_lookup, edges=STAR, classes=True),
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("polars + ours", "polars", in_memory),
        Contender("polars + sklearn", "sklearn", sklearn),
    ),
    quality=quality,
    tolerance=0.01,
    floor=lookup_work,
    goals=(Faster("sklearn", 1.0),),
)
