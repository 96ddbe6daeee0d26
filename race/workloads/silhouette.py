"""Mean silhouettes of one table clustered into 2 to 20 clusters: how many are there?"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload

CLUSTERS = range(2, 21)
STEPS = 5  # of Lloyd's iterations, for labels as k-means gives them


def make(size: Size, seed: int) -> Data:
    generator = np.random.default_rng(seed)
    centres = 3.0 * generator.standard_normal((12, size["columns"]))
    rows = centres[generator.integers(0, 12, size["rows"])]
    x = rows + generator.standard_normal(rows.shape)
    return {"X": x, "labels": np.array([labels(x, k, generator) for k in CLUSTERS])}


def labels(x: Any, k: int, generator: Any) -> Any:
    """The clusters after some iterations of k-means from random rows."""
    means = x[generator.choice(len(x), k, replace=False)]
    nearest = np.zeros(len(x), dtype=np.int64)
    for _ in range(STEPS):
        nearest = ((means**2).sum(axis=1) - 2.0 * x @ means.T).argmin(axis=1)
        found = [x[nearest == c].mean(axis=0) for c in range(k) if (nearest == c).any()]
        means = np.array(found)
    return nearest


def ours(data: Data) -> Any:
    """All of them in one pass over the pairs of rows."""
    from stylobate.metrics import silhouette_scores

    return silhouette_scores(data["X"], data["labels"])


def one_by_one(data: Data, package: str) -> Any:
    """A pass for each clustering, as others offer it."""
    score = import_module(f"{package}.metrics").silhouette_score
    return np.array([score(data["X"], each) for each in data["labels"]])


def ours_one_by_one(data: Data) -> Any:
    return one_by_one(data, "stylobate")


def sklearn(data: Data) -> Any:
    return one_by_one(data, "sklearn")


def sklearnex(data: Data) -> Any:
    """With the distances of scikit-learn's extension, which has no silhouettes of its own."""
    patched = import_module("sklearnex")
    patched.patch_sklearn(verbose=False)
    try:
        return one_by_one(data, "sklearn")
    finally:
        patched.unpatch_sklearn()


def quality(scores: Any, data: Data) -> float:
    """1 plus the largest error of two of the scores, from distances computed plainly.

    Of long tables only some rows are looked at, and an error has to be larger than chance.
    """
    x = data["X"]
    if np.shape(scores) != (len(data["labels"]),) or not np.isfinite(scores).all():
        return float("inf")
    whole = len(x) <= 20_000
    some = np.arange(len(x)) if whole else np.linspace(0, len(x) - 1, 2000).astype(int)
    error = 0.0
    for place in (0, len(scores) - 1):
        found = [_values(x, part, data["labels"][place]) for part in np.array_split(some, 20)]
        values = np.concatenate(found)
        chance = 0.0 if whole else 5.0 * values.std() / np.sqrt(len(some))
        error = max(error, abs(float(scores[place]) - float(values.mean())) - chance)
    return 1.0 + max(error, 0.0)


def _values(x: Any, some: Any, own: Any) -> Any:
    """Silhouettes of some rows."""
    from scipy.spatial.distance import cdist

    member = np.equal.outer(own, np.arange(int(own.max()) + 1)).astype(float)
    sums, sizes = cdist(x[some], x) @ member, member.sum(axis=0)
    mine = own[some]
    a = sums[np.arange(len(some)), mine] / np.maximum(sizes[mine] - 1, 1)
    means = np.where(sizes > 0, sums / np.maximum(sizes, 1), np.inf)
    means[np.arange(len(some)), mine] = np.inf
    b = means.min(axis=1)
    return np.where(sizes[mine] > 1, (b - a) / np.maximum(a, b), 0.0)


def floor(size: Size) -> tuple[float, float]:
    """A product and a root for each pair; the rows are read."""
    pairs = float(size["rows"]) ** 2
    return pairs * (2.0 * size["columns"] + 2.0), 8.0 * size["rows"] * size["columns"]


WORKLOAD = Workload(
    name="silhouette",
    title="mean silhouettes of 19 clusterings, 2 to 20 clusters",
    sizes={
        "small": {"rows": 400, "columns": 5},
        "standard": {"rows": 10_000, "columns": 10},
        "large": {"rows": 100_000, "columns": 10},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("ours, one after another", "stylobate", ours_one_by_one, "reference"),
        Contender("sklearn", "sklearn", sklearn),
        Contender("sklearnex", "sklearnex", sklearnex),
    ),
    quality=quality,
    floor=floor,
    goals=(Faster("peers", 10.0),),
)
