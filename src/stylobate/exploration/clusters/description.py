"""`describe_clusters`: from a table to its clusters, how sure they are, and what each is."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.data.kinds.schema import Kind, Schema
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.chosen_columns import FILLED, ChosenColumns, choose_columns
from stylobate.exploration.clusters.certainty import certainty_of
from stylobate.exploration.clusters.methods import (
    FIT_ROWS,
    TITLES,
    ClusterCount,
    Method,
    choose_method,
    encoder_for,
    fit,
)
from stylobate.exploration.clusters.pictures import picture_of
from stylobate.exploration.clusters.profiles import effects_of, profiles_of
from stylobate.exploration.clusters.report import NOISE, ClusterReport
from stylobate.exploration.clusters.traits import is_amount
from stylobate.exploration.columns import columns_of
from stylobate.exploration.draws import check_draw
from stylobate.exploration.progress import Listener, listener_of
from stylobate.exploration.rows import Scanned, scan
from stylobate.pipeline import Pipeline

_LEAST_ROWS = 4
_SAME_GROUPS = 0.9  # adjusted Rand index with a column, from which on it makes the clusters


def describe_clusters(
    table: Any,
    n_clusters: int | str = "auto",
    *,
    method: str = "auto",
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    schema: Schema | Mapping[str, Kind] | None = None,
    sample: int = 50_000,
    random_state: int = 0,
    progress: Listener | bool | None = None,
) -> ClusterReport:
    """Find groups of rows that are alike, and say how many, how sure, and what sets each apart.

    Kinds of columns are respected: tables of numbers are standardised, tables with categories are
    compared by Gower's dissimilarity; identifiers, constants, sentences and categories that almost
    every row has for itself take no part. Each cluster is told by the few columns that distinguish
    it most: by the difference of means in standard deviations, or by the ratio of shares.

    Parameters
    ----------
    table : path, str, Relation, data frame, dictionary of columns or array
        A file or whatever else `stylobate.read` takes; frames and arrays.
    n_clusters : "auto" or int >= 1, default="auto"
        How many clusters; "auto" by `stylobate.cluster.select_n_clusters` among 1 to 10 (for a
        mixture by BIC; HDBSCAN finds the number itself).
    method : {"auto", "kmeans", "kmedoids", "gmm", "hdbscan", "ward"}, default="auto"
        "auto": k-medoids with Gower's dissimilarity where there are categories, else k-means.
    columns : sequence of str, default=None
        Columns to compare rows by; None for all that can.
    drop : sequence of str, default=()
        Columns to leave out.
    schema : Schema or mapping from name to kind, default=None
        What columns are, where that is not what their values look like.
    sample : int >= 4, default=50000
        Rows that clusters are learnt from and described by, at most; the model gives all others
        theirs.
    random_state : int, default=0
        Seed of all draws.
    progress : callable, bool or None, default=None
        Told what is being done, the steps done and those in all; None shows rows being read in
        terminals.

    Returns
    -------
    ClusterReport
        Prints; `to_html`, `to_json`, `labels`, `model` give the rest.

    Examples
    --------
    >>> from stylobate.exploration import describe_clusters
    >>> found = describe_clusters("iris", 2, columns=["petal length (cm)", "petal width (cm)"])
    >>> found.n_clusters, sorted(each.size for each in found)
    (2, [50, 100])
    """
    _check(n_clusters, method, sample, random_state)
    tell = listener_of(progress)
    tell("reading", 0, 0)
    scanned = scan(table, sample, random_state, None if progress is None else False)
    if scanned.sample.n_rows < _LEAST_ROWS:
        few = (
            f"has {scanned.rows} row{'s' * (scanned.rows != 1)}" if scanned.rows else "has no rows"
        )
        raise InvalidDataError(
            f"{scanned.source} {few}: clusters need {_LEAST_ROWS} at least to tell them apart."
        )
    chosen = choose_columns(scanned, columns_of(scanned, schema), columns, drop)
    search = _Search(scanned, chosen, choose_method(method, chosen), random_state, tell)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what matters is said in the notes
        return search.report(n_clusters)


@dataclass(frozen=True, eq=False)
class _Search:
    """The steps from columns to a report."""

    scanned: Scanned
    columns: ChosenColumns
    method: Method
    seed: int
    tell: Listener

    def report(self, asked: int | str) -> ClusterReport:
        encoder = self.method.encoder
        x = np.asarray(encoder.fit_transform(self.columns.table), dtype=np.float64)
        different = len(np.unique(x, axis=0))
        count = self._count(x, asked, different)
        self.tell("clustering", 0, 0)
        model, labels, notes = self._fitted(x, count.k)
        self.tell("describing", 0, 0)
        certainty, measure = certainty_of(model, x)
        certainty = np.where(labels == NOISE, 0.0, certainty)
        design = x
        if self.method.name == "kmedoids":
            plane = encoder_for("kmeans", self.columns.schema)
            design = np.asarray(plane.fit_transform(self.columns.table), dtype=np.float64)
        picture = picture_of(design, x, labels, self.method.metric, self.seed)
        numbers = self.scanned.row_numbers
        clusters = profiles_of(self.columns, design, labels, picture, numbers)
        return ClusterReport(
            source=self.scanned.source,
            rows=self.scanned.rows,
            used_rows=len(x),
            columns={each.column.name: each.column.kind for each in self.columns.cells},
            left_out=self.columns.left_out,
            method=self.method.name,
            method_reason=self.method.reason,
            sentence=self._sentence(count, labels),
            confidence=count.confidence,
            evidence=count.evidence,
            clusters=clusters,
            effects=effects_of(self.columns, labels, clusters),
            notes=(*self.scanned.notes, *self._notes(), *notes, *self._repeated(labels)),
            model=Pipeline([("encode", encoder), ("cluster", model)]),
            labels=labels,
            certainty=certainty,
            certainty_measure=measure,
            row_numbers=numbers,
            picture=picture,
        )

    def _count(self, x: Array, asked: int | str, different: int) -> ClusterCount:
        if isinstance(asked, str):
            if different == 1:
                return ClusterCount(1, "One cluster is enough: all rows are alike.", "high")
            self.tell("counting clusters", 0, 0)
            return self.method.count(x, self.seed, self._fits)
        if self.method.name == "hdbscan":
            raise InvalidParameterError(
                "describe_clusters: HDBSCAN finds the number of clusters itself; leave n_clusters "
                "out, or choose another method."
            )
        if asked > different:
            verb = "is one" if different == 1 else f"are {different}"
            raise InvalidParameterError(
                f"describe_clusters: there {verb} different row{'s' * (different != 1)} in the "
                f"columns used, too few for n_clusters={asked}."
            )
        return ClusterCount(asked, f"{_clusters(asked)}, as asked for.", None)

    def _fits(self, done: int, total: int, what: str) -> None:
        self.tell(f"counting clusters: {what}", done, total)

    def _fitted(self, x: Array, k: int | None) -> tuple[Any, Indices, list[str]]:
        """The model, the labels of all rows at hand, and a note if it saw some of them only."""
        most = FIT_ROWS[self.method.name]
        if len(x) <= most:
            return *fit(self.method, x, k, self.seed), []
        rows = np.sort(np.random.default_rng(self.seed).permutation(len(x))[:most])
        model, _ = fit(self.method, x[rows], k, self.seed)
        labels = np.asarray(model.predict(x), dtype=np.intp)
        title = TITLES[self.method.name]
        return model, labels, [f"{title} was fitted to {most:,} rows; the others were predicted"]

    def _sentence(self, count: ClusterCount, labels: Indices) -> str:
        if count.k is not None:
            return count.sentence
        found = len(np.unique(labels[labels != NOISE]))
        noise = float((labels == NOISE).mean())
        said = f"HDBSCAN finds {_clusters(found)}" if found else "HDBSCAN finds no dense cluster"
        return f"{said}; {noise:.0%} of the rows belong to none."

    def _notes(self) -> list[str]:
        notes = []
        if not self.scanned.is_whole:
            notes.append(
                f"clusters were learnt from {self.scanned.sample.n_rows:,} of "
                f"{self.scanned.rows:,} rows, drawn at random"
            )
        if self.method.name == "gmm" and not self.columns.is_continuous:
            notes.append(
                "categories and steps are no normal distributions: of such columns the evidence of "
                "a mixture of Gaussians is too strong"
            )
        gowers = self.method.name == "kmedoids"
        how = "two rows are compared by the columns that both have" if gowers else FILLED
        notes += self.columns.missing_notes(how)
        return notes

    def _repeated(self, labels: Indices) -> list[str]:
        """Columns whose categories are the clusters."""
        from stylobate.metrics import adjusted_rand_score

        return [
            f"the clusters are almost those of {each.column.name}: leave it out to see whether the "
            "other columns tell them apart"
            for each in self.columns.cells
            if not is_amount(each)
            and len(self.columns.cells) > 1
            and adjusted_rand_score(each.codes, labels) >= _SAME_GROUPS
        ]


def _clusters(count: int) -> str:
    return "one cluster" if count == 1 else f"{count} clusters"


def _check(n_clusters: Any, method: Any, sample: Any, random_state: Any) -> None:
    whole = isinstance(n_clusters, int | np.integer) and not isinstance(n_clusters, bool)
    if n_clusters != "auto" and not (whole and n_clusters >= 1):
        raise InvalidParameterError(
            f"describe_clusters: n_clusters must be 'auto' or a whole number from 1 on, got "
            f"{n_clusters!r}."
        )
    check_draw("describe_clusters", sample, random_state, _LEAST_ROWS)
