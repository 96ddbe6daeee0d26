"""What is known of every number of clusters, the choice, and its words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.cluster.n_clusters.choice import Choice, Confidence
from stylobate.cluster.n_clusters.gap import GapStatistic
from stylobate.cluster.n_clusters.stability import Stability

_HOW_SURE = {"high": "sure", "moderate": "fairly sure", "low": "unsure"}
_STRUCTURE = ((0.71, "strong"), (0.51, "reasonable"), (0.26, "weak"), (-1.0, "no substantial"))


@dataclass(frozen=True, slots=True, eq=False)
class NClustersEvidence:
    """Evidence for every number of clusters; prints as a sentence and a table.

    Made by `select_n_clusters`.

    Attributes
    ----------
    n_clusters : array of int of shape (m,)
        The numbers tried, k.
    inertia : array of shape (m,)
        Dispersion within clusters.
    silhouette, silhouette_error : array of shape (m,)
        Mean silhouette and its standard error (standard deviation over rows / √n); NaN for k = 1.
    gap : GapStatistic or None
    stability : Stability or None
        None for criteria that were not asked for.
    labels : array of int of shape (m, n)
        The clusterings, of the rows in `rows`.
    rows : array of int of shape (n,)
        Which rows of X the evidence comes from.
    votes : dict from str to int
        The k that each criterion says.
    choice : Choice
        The number chosen, and who agrees.
    notes : tuple of str
        What was left out, and why.
    """

    n_clusters: Indices
    inertia: Array
    silhouette: Array
    silhouette_error: Array
    gap: GapStatistic | None
    stability: Stability | None
    labels: Indices
    rows: Indices
    votes: dict[str, int]
    choice: Choice
    notes: tuple[str, ...] = ()

    @property
    def best(self) -> int:
        """The number of clusters chosen."""
        return self.choice.n_clusters

    @property
    def confidence(self) -> Confidence:
        """How many criteria agree: high, moderate or low."""
        return self.choice.confidence

    @property
    def sentence(self) -> str:
        """The choice, how sure it is, and why."""
        choice = self.choice
        if choice.n_clusters == 1:
            if not choice.asked and self.inertia[0] > 0.0:
                return "One cluster, for no other number could be tried: that is no evidence."
            return f"One cluster is enough: {choice.reason or 'all rows are alike'}."
        count = f"{len(choice.agreeing)} of {len(choice.asked)} criteria"
        said = f"{choice.n_clusters} clusters, {_HOW_SURE[self.confidence]} ({count} agree)"
        last = len(self.n_clusters) > 1 and choice.n_clusters == self.n_clusters[-1]
        more = " It is the largest number tried; there may be more." if last else ""
        return f"{said}: {choice.reason}.{more}{self._structure()}"

    def _structure(self) -> str:
        value = self.silhouette[self._at(self.best)]
        if not np.isfinite(value):
            return ""
        word = next(word for least, word in _STRUCTURE if value >= least)
        return f" The mean silhouette of {value:.2f} tells of {word} structure."

    def _at(self, k: int) -> int:
        return int(np.flatnonzero(self.n_clusters == k)[0])

    def labels_for(self, k: int) -> Indices:
        """The clustering into k clusters."""
        return np.asarray(self.labels[self._at(k)])

    def table(self) -> dict[str, Array | Indices]:
        """One column for each kind of evidence, one row for each k."""
        columns: dict[str, Array | Indices] = {"n_clusters": self.n_clusters}
        columns["inertia"] = self.inertia
        if "silhouette" in self.votes:
            columns |= {"silhouette": self.silhouette, "silhouette_error": self.silhouette_error}
        if self.gap is not None:
            columns |= {"gap": self.gap.gap, "gap_error": self.gap.standard_error}
        if self.stability is not None:
            columns |= {
                "stability": self.stability.mean,
                "stability_error": self.stability.standard_error,
                "stability_by_chance": self.stability.reference.mean(axis=1),
                "adjusted_rand": self.stability.adjusted_rand.mean(axis=1),
            }
        return columns

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; what does not exist is None."""
        from stylobate.report.plain_values import plain

        told: dict[str, Any] = plain(
            {
                "best": self.best,
                "confidence": self.confidence,
                "sentence": self.sentence,
                "votes": self.votes,
                "rows": len(self.rows),
                "notes": self.notes,
                "evidence": self.table(),
            }
        )
        return told

    def plot(self, axes: Any = None) -> Any:
        """Draw the evidence in four panels: `stylobate.plot.plot_n_clusters`.

        Parameters
        ----------
        axes : array of four matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        array of matplotlib Axes of shape (2, 2)
        """
        from stylobate.plot import plot_n_clusters

        return plot_n_clusters(self, axes=axes)

    def __str__(self) -> str:
        lines = [self.sentence, *self.notes]
        heads = [("k", 4), ("inertia", 11)]
        heads += [(name, 16) for name in ("silhouette", "gap", "stability") if name in self.votes]
        heads += [("by chance", 10)] * (self.stability is not None)
        lines.append("".join(f"{head:>{width}}" for head, width in heads).rstrip())
        lines += [self._line(at) for at in range(len(self.n_clusters))]
        return "\n".join(lines)

    def _line(self, at: int) -> str:
        pairs = []
        if "silhouette" in self.votes:
            pairs.append((self.silhouette[at], self.silhouette_error[at]))
        if self.gap is not None:
            pairs.append((self.gap.gap[at], self.gap.standard_error[at]))
        if self.stability is not None:
            pairs.append((self.stability.mean[at], self.stability.standard_error[at]))
        cells = [f"{self.n_clusters[at]:>4}{self.inertia[at]:>11.4g}"]
        cells += [
            f"{f'{value:.3f} ± {error:.3f}' if np.isfinite(value) else '–':>16}"
            for value, error in pairs
        ]
        if self.stability is not None:
            cells.append(f"{self.stability.reference[at].mean():>10.3f}")
        return "".join(cells)

    __repr__ = __str__
