"""Area under the ROC curve of ten million scores."""

from __future__ import annotations

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload


def make(size: Size, seed: int) -> Data:
    rng = np.random.default_rng(seed)
    y = (rng.random(size["rows"]) < 0.3).astype(np.int64)
    score = 1.0 / (1.0 + np.exp(-(y + rng.normal(size=size["rows"]))))
    return {"y": y, "score": score}  # type: ignore[dict-item]


def ours(data: Data) -> float:
    from stylobate.metrics import roc_auc_score

    area = roc_auc_score(data["y"], data["score"])
    assert isinstance(area, float)
    return area


def sklearn(data: Data) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(data["y"], data["score"]))


def sklearnex(data: Data) -> float:
    from sklearnex.metrics import roc_auc_score

    return float(roc_auc_score(data["y"], data["score"]))


def scipy(data: Data) -> float:
    """Through the Mann–Whitney statistic."""
    from scipy.stats import rankdata

    up = data["y"] == 1
    n, ranks = np.count_nonzero(up), rankdata(data["score"])
    return float((ranks[up].sum() - n * (n + 1) / 2) / (n * (len(up) - n)))


def polars(data: Data) -> float:
    import polars as pl

    frame = pl.DataFrame({"y": data["y"], "score": data["score"]})
    n = int(data["y"].sum())
    total = frame.select(pl.col("score").rank().filter(pl.col("y") == 1).sum()).item()
    return float((total - n * (n + 1) / 2) / (n * (len(data["y"]) - n)))


def by_hand(data: Data) -> float:
    """NumPy's sort of the positive scores and two searches of the negative ones."""
    up = data["y"] == 1
    positive, negative = np.sort(data["score"][up]), np.sort(data["score"][~up])
    below = np.searchsorted(negative, positive, "left").sum()
    level = np.searchsorted(negative, positive, "right").sum()
    return float(0.5 * (below + level) / (len(positive) * len(negative)))


def quality(area: float, data: Data) -> float:
    """1 + distance from the definition by sorted searches."""
    return 1.0 + max(0.0, abs(area - by_hand(data)) - 1e-10)


def work(size: Size) -> tuple[float, float]:
    """Labels and scores are read once, and the scores written and read in buckets."""
    return 20.0 * size["rows"], 32.0 * size["rows"]


WORKLOAD = Workload(
    name="roc_auc",
    title="area under the ROC curve",
    sizes={
        "small": {"rows": 1_000},
        "standard": {"rows": 10_000_000},
        "large": {"rows": 30_000_000},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearnex", "sklearnex", sklearnex),
        Contender("sklearn", "sklearn", sklearn),
        Contender("scipy ranks", "scipy", scipy),
        Contender("polars ranks", "polars", polars),
        Contender("numpy by hand", "numpy", by_hand, "reference"),
    ),
    quality=quality,
    floor=work,
    goals=(Faster("peers", 5),),
)
