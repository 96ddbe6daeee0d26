"""Topics of documents by variational Bayes (latent Dirichlet allocation)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from race.goals import Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads import pca_sparse

TOPICS = 20
PASSES = 5


def make(size: Size, seed: int) -> Data:
    """The words of `pca_sparse`, as counts."""
    data = pca_sparse.make(size, seed)
    return {**data, "values": np.asarray(np.round(np.exp(data["values"] - 1.0)), dtype=np.float64)}


def perplexity(package: str, data: Data) -> float:
    """That of the documents after a few passes over them."""
    kind = import_module(f"{package}.decomposition").LatentDirichletAllocation
    model = kind(TOPICS, max_iter=PASSES, random_state=0)
    return float(model.fit(pca_sparse.table_of(data)).bound_)


def ours(data: Data) -> Any:
    return perplexity("stylobate", data)


def sklearn(data: Data) -> Any:
    return perplexity("sklearn", data)


def quality(found: Any, data: Data) -> float:
    """Perplexity: lower is better."""
    return float(found)


def floor(size: Size) -> tuple[float, float]:
    """Two products a document and round, ten rounds, twenty topics."""
    entries = float(size["rows"]) * size["words"]
    return PASSES * 10.0 * 4.0 * TOPICS * entries, PASSES * 12.0 * entries


WORKLOAD = Workload(
    name="lda_topics",
    title=f"{TOPICS} topics of documents, {PASSES} passes",
    sizes={
        "small": {"rows": 300, "columns": 500, "words": 40},
        "standard": {"rows": 10_000, "columns": 10_000, "words": 80},
        "large": {"rows": 50_000, "columns": 30_000, "words": 100},
    },
    make=make,
    contenders=(
        Contender("ours", "stylobate", ours, "ours"),
        Contender("sklearn", "sklearn", sklearn),
    ),
    quality=quality,
    tolerance=1e-5,
    floor=floor,
    goals=(Faster("sklearn", 5.0),),
)
