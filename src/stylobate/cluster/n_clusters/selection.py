"""`select_n_clusters`: all evidence on how many clusters a table has, in one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.base.randomness import seed_of
from stylobate.cluster.n_clusters.choice import CRITERIA, Criterion
from stylobate.cluster.n_clusters.collection import Resampling, collect
from stylobate.cluster.n_clusters.evidence import NClustersEvidence
from stylobate.cluster.n_clusters.gap import REFERENCES, Reference
from stylobate.cluster.n_clusters.labelings import Labelings, count_parameter, takes_weights
from stylobate.cluster.n_clusters.progress import Fits, Listener
from stylobate.data import read_table
from stylobate.data.weights import read_weights
from stylobate.exceptions import InvalidParameterError


def select_n_clusters(
    X: Any,
    n_clusters: Iterable[int] = range(1, 11),
    estimator: Any = None,
    *,
    criteria: Sequence[Criterion] = CRITERIA,
    reference: Reference = "pca",
    n_references: int = 10,
    n_resamples: int = 10,
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
      largest gap, if that is three standard errors above the gap of one cluster;
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
        The numbers to try; 1 always is, and as many as there are different rows never are.
    estimator : clusterer, default=None
        Any with a parameter ``n_clusters`` (or ``n_components``); None for `KMeans`.
    criteria : sequence of {"silhouette", "gap", "elbow", "stability"}
        What to judge by; all by default.
    reference : {"pca", "box", "permutation"}, default="pca"
        Tables without clusters: uniform in the box of the principal components, uniform in the
        ranges of the columns, or each column in an order of its own (for codes of categories).
    n_references : int >= 2, default=10
        How many of them.
    n_resamples : int >= 2, default=10
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
    seeds = np.random.SeedSequence(abs(seed_of(random_state))).spawn(3)
    rows = _sampled(len(x), max_rows, seeds[0])
    notes = [f"The evidence comes from {len(rows):,} of {len(x):,} rows."] * (len(rows) < len(x))
    x, weights = x[rows], None if weights is None else weights[rows]
    ks = _numbers(n_clusters, x, notes)
    resampling = Resampling(asked, reference, n_references, n_resamples)
    with Fits(progress, resampling.fits(len(ks))) as fits:
        found = collect(Labelings(estimator, x, weights, fits.advance), ks, resampling, seeds[1:])
    return replace(found, rows=rows, notes=tuple(notes))


def _checked(
    criteria: Any, reference: Any, n_references: Any, n_resamples: Any, max_rows: Any
) -> tuple[Criterion, ...]:
    asked = (criteria,) if isinstance(criteria, str) else tuple(criteria)
    wrong = [name for name in asked if name not in CRITERIA]
    if wrong or not asked:
        raise InvalidParameterError(
            f"select_n_clusters: criteria must be some of {', '.join(map(repr, CRITERIA))}, got "
            f"{criteria!r}."
        )
    if reference not in REFERENCES:
        raise InvalidParameterError(
            f"select_n_clusters: reference must be one of {', '.join(map(repr, REFERENCES))}, got "
            f"{reference!r}."
        )
    counts = {"n_references": n_references, "n_resamples": n_resamples, "max_rows": max_rows}
    for name, value in counts.items():
        if value is None and name == "max_rows":
            continue
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 2:
            raise InvalidParameterError(
                f"select_n_clusters: {name} must be a whole number from 2 on, got {value!r}."
            )
    return tuple(name for name in CRITERIA if name in asked)


def _read(X: Any, sample_weight: Any, estimator: Any) -> tuple[Array, Array | None]:
    if getattr(estimator, "metric", None) == "precomputed":
        raise InvalidParameterError(
            "select_n_clusters: tables without clusters and subsamples are made of rows; give an "
            "estimator of rows, not one with metric='precomputed'."
        )
    tags = getattr(estimator, "_tags", None)
    gaps: Any = "allow-nan" if tags is not None and tags().allow_nan else "now"
    table = read_table(
        X, owner="select_n_clusters", accept_sparse=False, check_finite=gaps, min_rows=2
    )
    x = np.asarray(table.x)
    weights = read_weights(sample_weight, len(x), owner="select_n_clusters")
    if weights is not None and not takes_weights(estimator):
        raise InvalidParameterError(
            f"select_n_clusters: {type(estimator).__name__} takes no sample_weight."
        )
    return x, weights


def _sampled(n: int, most: int | None, seed: Any) -> Indices:
    if most is None or n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).permutation(n)[:most])


def _numbers(given: Iterable[int], x: Array, notes: list[str]) -> Indices:
    """The numbers to try in order, 1 among them; none above the number of different rows."""
    listed = [given] if isinstance(given, int) else list(given)
    if any(isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1 for k in listed):
        raise InvalidParameterError(
            f"select_n_clusters: n_clusters must be whole numbers from 1 on, such as range(1, 11); "
            f"got {listed!r}."
        )
    different = len(np.unique(x, axis=0))
    ks = sorted({1, *map(int, listed)})
    kept = [k for k in ks if k == 1 or k < different]
    if len(kept) < len(ks):
        verb = "is one different row" if different == 1 else f"are {different} different rows"
        notes.append(f"Not tried: more than {kept[-1]}, for there {verb}.")
    return np.array(kept, dtype=np.intp)
