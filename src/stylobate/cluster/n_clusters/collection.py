"""All fits that the evidence on the number of clusters comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster.n_clusters.choice import Criterion, choose
from stylobate.cluster.n_clusters.elbow import elbow_of
from stylobate.cluster.n_clusters.evidence import NClustersEvidence
from stylobate.cluster.n_clusters.gap import (
    GapStatistic,
    Reference,
    gap_statistic,
    reference_rows,
)
from stylobate.cluster.n_clusters.labelings import Labelings
from stylobate.cluster.n_clusters.stability import (
    Stability,
    overlapping_subsamples,
    symmetric_strength,
)
from stylobate.metrics.cluster.clustered_rows import read_clustered
from stylobate.metrics.cluster.contingency import contingency_matrix
from stylobate.metrics.cluster.labelings import read_clusters
from stylobate.metrics.cluster.pair_counts import adjusted_rand_score
from stylobate.metrics.cluster.parts import clusterings_of

_SHARE = 0.5  # of the rows in a subsample; larger ones overlap so much that anything is stable
_SEEDS = 2**31 - 1  # what estimators take as a random_state


@dataclass(frozen=True, slots=True)
class Resampling:
    """Which criteria are asked, and how many tables and subsamples they get."""

    criteria: tuple[Criterion, ...]
    reference: Reference
    n_references: int
    n_resamples: int

    def fits(self, count: int) -> int:
        """How many fits it takes for so many numbers of clusters."""
        if count == 1:
            return 1
        pairs = 2 * (count - 1) * ("stability" in self.criteria)  # one cluster is always stable
        own = count * ("gap" in self.criteria)
        return count + self.n_references * (own + pairs) + self.n_resamples * pairs


def collect(
    rows: Labelings, ks: Indices, resampling: Resampling, seeds: list[Any]
) -> NClustersEvidence:
    """Fit everything, and say what follows."""
    seed = int(np.random.default_rng(seeds[0]).integers(_SEEDS))
    fitted = [rows.fit(int(k), seed, f"{k} clusters") for k in ks]
    labels = np.array([each for each, _ in fitted])
    inertia = np.array([each for _, each in fitted])
    asked = resampling.criteria
    votes: dict[str, int] = {}
    means, errors = np.full(len(ks), np.nan), np.full(len(ks), np.nan)
    gap: GapStatistic | None = None
    stability: Stability | None = None
    if len(ks) > 1:
        if "silhouette" in asked:
            means, errors = _silhouettes(rows, labels)
            if np.isfinite(means).any():
                votes["silhouette"] = int(ks[np.nanargmax(means)])
        gap, stability = _resampled(rows, ks, inertia, resampling, seeds[1])
        if gap is not None:
            votes["gap"] = gap.best
        elbow = elbow_of(ks, inertia) if "elbow" in asked else None
        if elbow is not None:
            votes["elbow"] = elbow
        if stability is not None:
            votes["stability"] = stability.best
    everything = np.arange(labels.shape[1])
    return NClustersEvidence(
        ks,
        inertia,
        means,
        errors,
        gap,
        stability,
        labels,
        everything,
        votes,
        choose(votes, int(ks[-1])),
    )


def _silhouettes(rows: Labelings, labels: Indices) -> tuple[Array, Array]:
    """Mean silhouettes and their standard errors, of all clusterings in one pass over pairs."""
    metric = getattr(rows.estimator, "metric", None) or "euclidean"
    params = getattr(rows.estimator, "metric_params", None) or {}
    w = np.ones(len(rows.x)) if rows.weights is None else rows.weights
    w = w / w.sum()
    means, errors = np.full(len(labels), np.nan), np.full(len(labels), np.nan)
    able = [at for at, each in enumerate(labels) if 2 <= len(np.unique(each)) < len(each)]
    if able:
        pairs = read_clustered(rows.x, metric, params, "select_n_clusters")
        codes = [read_clusters(labels[at], pairs.count) for at in able]
        found = pairs.silhouettes(clusterings_of(codes), len(codes))
        means[able] = found @ w
        errors[able] = np.sqrt((found - means[able, None]) ** 2 @ w**2)
    return means, errors


def _resampled(
    rows: Labelings, ks: Indices, inertia: Array, resampling: Resampling, seed: Any
) -> tuple[GapStatistic | None, Stability | None]:
    """Gaps and stabilities, with the tables without clusters made once for both."""
    asked = resampling.criteria
    for_references, for_rows = seed.spawn(2)
    dispersions: list[Array] = []
    by_chance: list[Array] = []
    if "gap" in asked or "stability" in asked:
        for child in for_references.spawn(resampling.n_references):
            draw = np.random.default_rng(child)
            other = rows.on(reference_rows(rows.x, resampling.reference, draw))
            if "gap" in asked:
                at = int(draw.integers(_SEEDS))
                fits = [other.fit(int(k), at, "tables without clusters") for k in ks]
                dispersions.append(np.array([each for _, each in fits]))
            if "stability" in asked:
                by_chance.append(_strengths(other, ks, draw, "tables without clusters")[0])
    gap = gap_statistic(ks, inertia, dispersions) if "gap" in asked else None
    if "stability" not in asked:
        return gap, None
    children = for_rows.spawn(resampling.n_resamples)
    pairs = [_strengths(rows, ks, np.random.default_rng(c), "subsamples") for c in children]
    strength, rand = (np.array(each).T for each in zip(*pairs, strict=True))
    return gap, Stability(ks, strength, rand, np.array(by_chance).T)


def _strengths(
    rows: Labelings, ks: Indices, draw: np.random.Generator, what: str
) -> tuple[Array, Array]:
    """Agreement of one pair of subsamples for every k: prediction strength, adjusted Rand."""
    one, other, common = overlapping_subsamples(len(rows.x), _SHARE, draw)
    strength, rand = np.ones(len(ks)), np.ones(len(ks))
    for at, k in enumerate(ks):
        if k == 1:
            continue
        a, b = (
            rows.fit_rows(part, int(k), int(draw.integers(_SEEDS)), what)[
                np.searchsorted(part, common)
            ]
            for part in (one, other)
        )
        if len(common):
            counts = contingency_matrix(a, b).astype(np.float64)
            strength[at], rand[at] = symmetric_strength(counts), adjusted_rand_score(a, b)
    return strength, rand
