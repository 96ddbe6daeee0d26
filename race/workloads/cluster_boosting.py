"""Boosting of histogram trees of rows that two local workers hold."""

from __future__ import annotations

from typing import Any

from race.goals import Faster
from race.workload import Contender, Data, Workload
from race.workloads import hist_boosting as memory
from race.workloads._cluster import dask_client, dask_rows

ITERATIONS = 20


def ours(data: Data) -> Any:
    from stylobate.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=ITERATIONS,
        max_leaf_nodes=memory.LEAVES,
        learning_rate=memory.RATE,
        l2_regularization=memory.SHRINKAGE,
        max_bins=memory.BINS,
        early_stopping=False,
    )
    return model.fit(*dask_rows(data))


def xgboost(data: Data) -> Any:
    from xgboost.dask import DaskXGBClassifier

    model = DaskXGBClassifier(
        n_estimators=ITERATIONS,
        max_leaves=memory.LEAVES,
        max_depth=0,
        grow_policy="lossguide",
        learning_rate=memory.RATE,
        reg_lambda=memory.SHRINKAGE,
        max_bin=memory.BINS,
        tree_method="hist",
    )
    model.client = dask_client()
    model.fit(*dask_rows(data))
    return _Here(model.get_booster())


class _Here:
    """A booster of XGBoost's, asked in this process."""

    def __init__(self, booster: Any) -> None:
        self.booster = booster

    def predict_proba(self, x: Any) -> Any:
        import numpy as np

        up = self.booster.inplace_predict(x)
        return np.column_stack([1.0 - up, up])


def lightgbm(data: Data) -> Any:
    from lightgbm import DaskLGBMClassifier

    model = DaskLGBMClassifier(
        client=dask_client(),
        n_estimators=ITERATIONS,
        num_leaves=memory.LEAVES,
        learning_rate=memory.RATE,
        reg_lambda=memory.SHRINKAGE,
        max_bin=memory.BINS,
        verbose=-1,
    )
    return model.fit(*dask_rows(data)).to_local()


WORKLOAD = Workload(
    name="cluster_boosting",
    title=f"boosting on a cluster of two workers, {ITERATIONS} trees",
    sizes={
        "small": {"rows": 10_000, "columns": 20},
        "standard": {"rows": 500_000, "columns": 20},
    },
    make=memory.make,
    contenders=(
        Contender("ours on Dask", "dask", ours, "ours"),
        Contender("xgboost.dask", "xgboost", xgboost),
        Contender("lightgbm.dask", "lightgbm", lightgbm),
    ),
    quality=memory.quality,
    tolerance=memory.spread,
    goals=(Faster("peers", 2.0),),
)
