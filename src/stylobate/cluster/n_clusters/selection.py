"""`select_n_clusters`: all evidence on how many clusters a table has, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base.randomness import seed_of
from stylobate.cluster.n_clusters.choice import CRITERIA, Criterion, choose
from stylobate.cluster.n_clusters.elbow import elbow_of
from stylobate.cluster.n_clusters.evidence import NClustersEvidence
from stylobate.cluster.n_clusters.gap import (
    REFERENCES,
    GapStatistic,
    Reference,
    gap_statistic,
    reference_rows,
)
from stylobate.cluster.n_clusters.labelings import Labelings, count_parameter, takes_weights
from stylobate.cluster.n_clusters.progress import Fits, Listener
from stylobate.cluster.n_clusters.stability import (
    Stability,
    overlapping_subsamples,
    symmetric_strength,
)
from stylobate.data import read_table
from stylobate.data.weights import read_weights
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.cluster.contingency import contingency_of
from stylobate.metrics.cluster.pair_counts import adjusted_rand_of
from stylobate.metrics.cluster.silhouettes import silhouettes_of

_SHARE = 0.5  # of the rows in a subsample; larger ones overlap so much that anything is stable


def select_n_clusters(
    X: Any,
    n_clusters: Iterable[int] = range(1, 11),
    estimator: Any = None,
    *,
    criteria: Sequence[Criterion] = CRITERIA,
    reference: Reference = "pca",
    n_references: int = 20,
    n_resamples: int = 20,
    max_rows: int | None = 5_000,
    sample_weight: Any = None,
    random_state: Any = None,
    progress: bool | Listener | None = None,
) -> NClustersEvidence:
    r"""Say how many clusters there are: evidence for every k, a choice, and how sure it is.

    Every number of clusters is judged by up to four criteria:

    - *silhouette*: the k of the largest mean silhouette (all k in one pass over pairs of rows);
    - *gap*: :math:`\frac1B \sum_b \log W^*_{kb} - \log W_k`, the log dispersion within clusters
      against that of B tables without clusters; the smallest k within a standard error of the
      largest gap;
    - *elbow*: the k at which the dispersion's curve is farthest below its chord (kneedle);
    - *stability*: pairs of overlapping halves of the rows are clustered; of the worst cluster of
      one, the share of pairs of common rows that the other keeps together. The largest k at which
      it is 0.8 (within a standard error) and larger than for tables without clusters.

    One cluster is enough where neither gap nor stability finds more. Otherwise most criteria
    decide, and among equal votes stability.

    Parameters
    ----------
    X : table-like of shape (n, p)
        Rows of numbers, on scales that can be compared.
    n_clusters : iterable of int >= 1, default=range(1, 11)
        The numbers to try. Without 1 among them one cluster is still possible; larger numbers than
        there are different rows are left out.
    estimator : clusterer, default=None
        Any with a parameter ``n_clusters`` (or ``n_components``); None for `KMeans`.
    criteria : sequence of {"silhouette", "gap", "elbow", "stability"}
        What to judge by; all by default.
    reference : {"pca", "box", "permutation"}, default="pca"
        Tables without clusters: uniform in the box of the principal components, uniform in the
        ranges of the columns, or each column in an order of its own (for codes of categories).
    n_references : int >= 2, default=20
        How many of them.
    n_resamples : int >= 2, default=20
        Pairs of subsamples.
    max_rows : int >= 2 or None, default=5000
        Rows that the evidence comes from, drawn at random; None for all.
    sample_weight : array-like of shape (n,), default=None
        Weights of the rows, for the fits and for the mean silhouette.
    random_state : int, RandomState, Generator or None, default=None
        Seed of all draws.
    progress : bool, callable or None, default=None
        None shows a bar in terminals; a callable is told the fits done, those in all, and what the
        last was for.

    Returns
    -------
    NClustersEvidence
        `best` is the number chosen, `confidence` how sure it is; prints, and `plot()` draws.

    References
    ----------
    Rousseeuw (1987), Silhouettes. Tibshirani, Walther & Hastie (2001), Estimating the number of
    clusters in a data set via the gap statistic. Satopää et al. (2011), Finding a "kneedle" in a
    haystack. Ben-Hur, Elisseeff & Guyon (2002), A stability based method for discovering structure
    in clustered data. Tibshirani & Walther (2005), Cluster validation by prediction strength.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.cluster import select_n_clusters
    >>> draw = np.random.default_rng(0)
    >>> X = np.concatenate([draw.normal(at, 0.3, (40, 2)) for at in ([0, 0], [3, 0], [0, 3])])
    >>> found = select_n_clusters(X, range(1, 6), n_references=5, n_resamples=5, random_state=0)
    >>> found.best, found.confidence
    (3, 'high')
    """
    asked = _checked(criteria, reference, n_references, n_resamples, max_rows)
    if estimator is None:
        from stylobate.cluster import KMeans

        estimator = KMeans(n_init=4)
    count_parameter(estimator)
    x, weights = _read(X, sample_weight, estimator)
    seeds = np.random.SeedSequence(abs(seed_of(random_state))).spawn(4)
    rows = _sampled(len(x), max_rows, seeds[0])
    x, weights = x[rows], None if weights is None else weights[rows]
    ks, notes = _numbers(n_clusters, x, len(rows))
    if len(rows) < max_rows_of(X, x):
        notes = (*notes, "")
    steps = len(ks) * (
        1 + n_references * ("gap" in asked) + 2 * (n_resamples + n_references) * ("stability" in asked)
    )
    return None  # type: ignore
