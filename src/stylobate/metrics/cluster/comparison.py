"""Several clusterings of one table side by side: scores, intervals, agreement, and a sentence."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.randomness import seed_of
from stylobate.exceptions import InferenceWarning, InvalidDataError
from stylobate.metrics.classification.label_codes import code
from stylobate.metrics.cluster.clustered_rows import (
    ClusteredRows,
    MeasuredRows,
    read_clustered,
)
from stylobate.metrics.cluster.contingency import contingency_of
from stylobate.metrics.cluster.dispersion import (
    calinski_harabasz_of,
    clusters_of,
    davies_bouldin_of,
)
from stylobate.metrics.cluster.labelings import named_labelings, read_clusters, read_labeling
from stylobate.metrics.cluster.left_out_groups import (
    groups_of,
    jackknife_interval,
    left_out_silhouettes,
    left_out_values,
)
from stylobate.metrics.cluster.pair_counts import adjusted_rand_of
from stylobate.metrics.cluster.parts import clusterings_of
from stylobate.metrics.cluster.separation import dunn_of
from stylobate.metrics.intervals.confidence import check_choices, confidence_interval
from stylobate.metrics.intervals.interval import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OF_MEANS = {
    "calinski_harabasz": calinski_harabasz_of,
    "davies_bouldin": davies_bouldin_of,
}
_TO_REFERENCE = ("adjusted_rand", "adjusted_mutual_info", "v_measure")


@dataclass(frozen=True, repr=False)
class ClusteringComparison:
    """Clusterings of the same rows and what scores say of them; see `compare_clusterings`.

    Parameters
    ----------
    names : tuple of str
        The clusterings.
    labels : tuple of ndarray of shape (n,)
        The number of each row's cluster.
    scores : dict of ndarray
        By score, a value for each clustering.
    intervals : dict of tuple of Interval
        Of the scores that have them.
    agreement : ndarray of shape (clusterings, clusterings)
        Adjusted Rand index of each pair.
    silhouettes : ndarray of shape (clusterings, n)
        Of every row in each clustering.
    lead : Interval or None
        Of the difference of mean silhouettes, the best minus the second.
    """

    names: tuple[str, ...]
    labels: tuple[NDArray[np.int64], ...]
    scores: dict[str, Array]
    intervals: dict[str, tuple[Interval, ...]]
    agreement: Array
    silhouettes: Array
    lead: Interval | None = None

    @property
    def order(self) -> NDArray[np.intp]:
        """Places of the clusterings, the highest mean silhouette first."""
        return np.asarray(np.argsort(-self.scores["silhouette"], kind="stable"))

    @property
    def best(self) -> str:
        """The name of the clustering with the highest mean silhouette."""
        return self.names[int(self.order[0])]

    @property
    def sentence(self) -> str:
        """What the silhouettes say, with how sure they are."""
        first = self.order[0]
        top = self.intervals["silhouette"][first]
        text = f"{self.best!r} has the highest mean silhouette, {_said(top)}"
        if self.lead is None:
            return text + "."
        second = self.order[1]
        ahead = f"the difference is {_said(self.lead)}"
        verdict = (
            "and rows drawn again would hardly change that"
            if self.lead.low > 0.0
            else "which is no more than chance can make"
        )
        value = self.scores["silhouette"][second]
        return f"{text}; {self.names[second]!r} follows with {value:.3g}: {ahead}, {verdict}."

    def plot(self, *, ax: Any = None) -> Axes:
        """Mean silhouettes with their intervals (`stylobate.plot.plot_clusterings`)."""
        from stylobate.plot.clusters.clusterings import plot_clusterings

        return plot_clusterings(self, ax=ax)

    def plot_agreement(self, *, ax: Any = None) -> Axes:
        """The adjusted Rand index of every pair as a map."""
        from stylobate.plot.clusters.clusterings import plot_agreement

        return plot_agreement(self, ax=ax)

    def plot_silhouettes(self, name: str | None = None, *, ax: Any = None) -> Axes:
        """The silhouettes of one clustering, the best by default, cluster by cluster."""
        from stylobate.plot.clusters.silhouettes import plot_silhouettes

        place = self.names.index(self.best if name is None else name)
        return plot_silhouettes(self.silhouettes[place], self.labels[place], ax=ax)

    def __str__(self) -> str:
        columns = ["", "clusters", *self.scores]
        lines = [columns]
        for place in self.order:
            sizes = int(self.labels[place].max()) + 1
            numbers = [f"{values[place]:.4g}" for values in self.scores.values()]
            lines.append([self.names[place], str(sizes), *numbers])
        widths = [max(len(line[c]) for line in lines) for c in range(len(columns))]
        table = "\n".join(
            "  ".join([line[0].ljust(widths[0])] + [t.rjust(w) for t, w in _rest(line, widths)])
            for line in lines
        )
        return f"{table}\n{self.sentence}"

    def __repr__(self) -> str:
        return str(self)


def compare_clusterings(
    X: Any,
    labelings: Any,
    reference: Any = None,
    *,
    metric: Any = "euclidean",
    confidence: float = 0.95,
    random_state: Any = 0,
    **kwds: Any,
) -> ClusteringComparison:
    """Scores of several clusterings of one table, their intervals and their agreement.

    All silhouettes, and those with a group of rows left out that the intervals are made of, come
    from one pass over the pairs of rows.

    Parameters
    ----------
    X : table-like of shape (n, p), or distances of shape (n, n)
        Rows, or with ``metric="precomputed"`` their distances.
    labelings : dict, or sequence, of array-likes of shape (n,)
        The clusterings by name, of 2 to n - 1 clusters each.
    reference : array-like of shape (n,), default=None
        Labels that are known; adds scores of agreement with them.
    metric : str, callable or Metric, default="euclidean"
        Of silhouettes and of Dunn's index, as of `pairwise_distances`. Caliński-Harabasz and
        Davies-Bouldin go by means of the columns and are left out where there are none.
    confidence : float in (0, 1), default=0.95
        Of the intervals: a jackknife that leaves out a twentieth of the rows at a time (Dunn's
        index, made of two extremes, has none), the bootstrap for agreement.
    random_state : int, Generator, RandomState or None, default=0
        Seed of the groups left out and of the bootstrap.
    **kwds
        Parameters of the metric.

    Returns
    -------
    ClusteringComparison
        With `scores`, `intervals`, `agreement`, `sentence`, `best` and `plot()`.

    Examples
    --------
    >>> X = [[0.0], [0.5], [1.0], [4.0], [4.5], [5.0], [9.0], [9.5], [10.0]]
    >>> two, three = [0, 0, 0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1, 2, 2, 2]
    >>> compared = compare_clusterings(X, {"two": two, "three": three})
    >>> compared.best, compared.agreement.round(2).tolist()
    ('three', [[1.0, 0.5], [0.5, 1.0]])
    """
    check_choices(confidence, "auto", 1, ("auto",))
    rows = read_clustered(X, metric, kwds, "compare_clusterings")
    given = named_labelings(labelings)
    names = tuple(given)
    codes = [read_clusters(given[name], rows.count, f"labels {name!r}") for name in names]
    random = np.random.default_rng(seed_of(random_state))
    groups = groups_of(rows.count, random)
    silhouettes = rows.silhouettes(clusterings_of(codes), len(codes))
    left_out = {"silhouette": left_out_silhouettes(rows, codes, groups)}
    scores = {"silhouette": silhouettes.mean(axis=1)}
    _add_scores_of_means(rows, codes, groups, scores, left_out)
    scores["dunn"] = np.array(
        [dunn_of(*ends) for ends in np.transpose(rows.extents(clusterings_of(codes)))]
    )
    intervals = {
        name: tuple(
            jackknife_interval(float(value), without, confidence)
            for value, without in zip(scores[name], left_out[name], strict=True)
        )
        for name in left_out
    }
    if reference is not None:
        _add_reference(reference, codes, scores, intervals, confidence, int(random.integers(2**31)))
    tables = [[contingency_of(a, b) for b in codes] for a in codes]
    agreement = np.array([[adjusted_rand_of(table) for table in line] for line in tables])
    lead = _lead(scores["silhouette"], left_out["silhouette"], confidence)
    return ClusteringComparison(
        names, tuple(codes), scores, intervals, agreement, silhouettes, lead
    )


def _add_scores_of_means(
    rows: ClusteredRows,
    codes: list[NDArray[np.int64]],
    groups: NDArray[np.int64],
    scores: dict[str, Array],
    left_out: dict[str, Array],
) -> None:
    """Scores that go by the means of columns, where rows are numbers."""
    if not isinstance(rows, MeasuredRows) or not isinstance(rows.x, np.ndarray):
        return
    if rows.metric.domain != "numbers" or not np.isfinite(rows.x).all():
        return
    x = rows.x

    def of_rows(each: NDArray[np.int64], score: Any) -> Any:
        def value(kept: NDArray[np.int64]) -> float:
            labels = code(each[kept])[1]
            if not 0 < labels.max() < len(kept) - 1:
                return float("nan")
            return float(score(clusters_of(x[kept], labels, "compare_clusterings")))

        return value

    everything = np.arange(rows.count)
    for name, score in _OF_MEANS.items():
        values = [of_rows(each, score) for each in codes]
        scores[name] = np.array([value(everything) for value in values])
        left_out[name] = np.array([left_out_values(value, groups) for value in values])


def _add_reference(
    reference: Any,
    codes: list[NDArray[np.int64]],
    scores: dict[str, Array],
    intervals: dict[str, tuple[Interval, ...]],
    confidence: float,
    seed: int,
) -> None:
    """Scores of agreement with labels that are known."""
    truth = read_labeling(reference, "reference")
    if len(truth) != len(codes[0]):
        raise InvalidDataError(
            f"compare_clusterings: reference has {len(truth)} labels for {len(codes[0])} rows."
        )
    for name in _TO_REFERENCE:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InferenceWarning)  # perfect agreement has no spread
            found = [
                confidence_interval(
                    f"{name}_score",
                    truth,
                    each,
                    confidence=confidence,
                    method="percentile",
                    n_resamples=200,
                    random_state=seed,
                )
                for each in codes
            ]
        scores[name] = np.array([each.estimate for each in found])
        intervals[name] = tuple(found)


def _lead(scores: Array, left_out: Array, confidence: float) -> Interval | None:
    """The interval of the difference of the two best, paired by the groups left out."""
    if len(scores) < 2:
        return None
    first, second = np.argsort(-scores, kind="stable")[:2]
    difference = left_out[first] - left_out[second]
    return jackknife_interval(float(scores[first] - scores[second]), difference, confidence)


def _said(interval: Interval) -> str:
    ends = f"{interval.low:.3g} to {interval.high:.3g}"
    return f"{interval.estimate:.3g} ({100 * interval.confidence:g} % interval {ends})"


def _rest(line: list[str], widths: list[int]) -> list[tuple[str, int]]:
    return list(zip(line[1:], widths[1:], strict=True))
