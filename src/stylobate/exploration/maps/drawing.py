"""`map_rows`: from a table to two maps of its rows."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.data.kinds.schema import Kind, Schema
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.cells import Cells
from stylobate.exploration.chosen_columns import (
    FILLED,
    ChosenColumns,
    check_names,
    choose_columns,
)
from stylobate.exploration.columns import columns_of
from stylobate.exploration.draws import check_draw, check_whole
from stylobate.exploration.maps.coloring import naming_column, telling_column
from stylobate.exploration.maps.distance_table import distances_of, placed_rows
from stylobate.exploration.maps.embedding import (
    TITLES,
    MethodName,
    choose_embedding,
    most_perplexity,
    neighbour_embedding,
)
from stylobate.exploration.maps.encoding import EncodedRows, encode_rows
from stylobate.exploration.maps.neighborhoods import nearest_rows, outlying_rows, separation_of
from stylobate.exploration.maps.row_map import Component, PlaneMap, RowMap
from stylobate.exploration.maps.trust import kept_by_row, quality_of
from stylobate.exploration.progress import Listener, listener_of
from stylobate.exploration.rows import Scanned, scan

_OWNER = "map_rows"
_LEAST_ROWS = 5
_MOST_AXES = 50  # principal components that rows are compared by, where there are more columns
_TOLD = 4  # components that are told
_HEAVY = 6  # weights of a component that are told
_PLANE = "distances on the plane are those of the table as far as two directions hold them"
_DISTANCES = (
    "the table holds the distances between its own rows (square, symmetric, zeros on its "
    "diagonal), and they were placed by classical scaling;"
)
_NEAR = "near rows are alike; distances between groups, their sizes and gaps mean little"


def map_rows(
    data: Any,
    *,
    target: str | None = None,
    color: str | None = None,
    method: str = "auto",
    n_neighbors: int = 15,
    perplexity: float = 30.0,
    scale: bool = True,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] = (),
    schema: Schema | Mapping[str, Kind] | None = None,
    sample: int = 100_000,
    random_state: int = 0,
    progress: Listener | bool | None = None,
) -> RowMap:
    """Draw the rows of a table as points: rows that are alike lie near each other.

    Two maps side by side: the plane of the first two principal components, which keeps large
    distances, and a neighbour embedding, which keeps near rows near. Each says how far to trust it.
    Kinds of columns are respected: numbers, moments and ranks are scaled by median and quartiles,
    categories become ones, texts their leading topics; identifiers and constants take no part.
    A square, symmetric table with zeros on its diagonal is taken as the distances between its own
    rows, and the first map is classical scaling of them.

    Parameters
    ----------
    data : path, str, Relation, data frame, dictionary of columns or array
        A file or whatever else `stylobate.read` takes; frames and arrays.
    target : str, default=None
        A column that takes no part; it colours the maps, and how far neighbours agree in it is
        measured.
    color : str, default=None
        The column that colours the maps at first; None for the target, or else the one in which
        neighbours on the maps agree most.
    method : {"auto", "pca", "tsne", "umap"}, default="auto"
        The second map. "auto": t-SNE for up to 20,000 rows, else UMAP. "pca": the third and fourth
        principal component.
    n_neighbors : int >= 2, default=15
        Neighbours that UMAP keeps and that trust is measured by.
    perplexity : float >= 1, default=30
        About how many neighbours t-SNE keeps; at most a third of the rows.
    scale : bool, default=True
        Whether columns count alike; False for columns in one unit, such as pixels.
    columns : sequence of str, default=None
        Columns to compare rows by; None for all that can.
    drop : sequence of str, default=()
        Columns to leave out.
    schema : Schema or mapping from name to kind, default=None
        What columns are, where that is not what their values look like.
    sample : int >= 5, default=100000
        Rows on the maps at most; of more, so many drawn at random.
    random_state : int, default=0
        Seed of all draws.
    progress : callable, bool or None, default=None
        Told what is being done, the steps done and those in all; None shows rows being read in
        terminals.

    Returns
    -------
    RowMap
        Prints; `maps`, `to_html`, `plot` give the rest.

    Examples
    --------
    >>> from stylobate import map_rows
    >>> found = map_rows("iris", target="species", method="pca")
    >>> found.maps[0].points.shape, [round(each.share, 2) for each in found.components[:2]]
    ((150, 2), [0.73, 0.23])

    References
    ----------
    Wattenberg, Viégas & Johnson (2016), How to use t-SNE effectively, Distill.
    """
    check_draw(_OWNER, sample, random_state, _LEAST_ROWS)
    check_whole(_OWNER, "n_neighbors", n_neighbors, 2)
    _check_perplexity(perplexity)
    choose_embedding(method, 0)
    tell = listener_of(progress)
    tell("reading", 0, 0)
    scanned = scan(data, sample, random_state, None if progress is None else False)
    if scanned.sample.n_rows < _LEAST_ROWS:
        raise InvalidDataError(
            f"{scanned.source} has {scanned.rows or 'no'} row{'s' * (scanned.rows != 1)}: a map "
            f"needs {_LEAST_ROWS} at least."
        )
    cells = tuple(columns_of(scanned, schema))
    names = [each.column.name for each in cells]
    for option, given in (("target", target), ("color", color)):
        check_names(_OWNER, option, names, () if given is None else (given,))
    without = (*drop, *(() if target is None else (target,)))
    distances = distances_of(scanned, cells, columns, without)
    no_use: Sequence[str] = ("constant", "identifier")
    if distances is not None:
        columns, no_use = list(distances), ()
    chosen = choose_columns(scanned, cells, columns, without, _OWNER, no_use)
    if target is not None:
        chosen.left_out[target] = "the target"
    request = _Request(target, color or target, n_neighbors, perplexity, scale, random_state)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what matters is said in the notes
        return _Drawing(scanned, cells, chosen, distances, request, tell).row_map(method)


def _check_perplexity(perplexity: Any) -> None:
    number = isinstance(perplexity, int | float | np.number) and not isinstance(perplexity, bool)
    if not number or not 1.0 <= perplexity < np.inf:
        raise InvalidParameterError(
            f"{_OWNER}: perplexity must be a number from 1 on, got {perplexity!r}."
        )


@dataclass(frozen=True, slots=True)
class _Request:
    """What was asked for."""

    target: str | None
    color: str | None
    n_neighbors: int
    perplexity: float
    scale: bool
    seed: int


@dataclass(frozen=True, eq=False)
class _Drawing:
    """The steps from columns to maps."""

    scanned: Scanned
    cells: tuple[Cells, ...]
    chosen: ChosenColumns
    distances: dict[str, Array] | None  # of a table of distances between its rows: the columns
    asked: _Request
    tell: Listener

    def row_map(self, wanted: str) -> RowMap:
        self.tell("comparing rows", 0, 0)
        encoded, verdict = self._encoded()
        model, scores = _principal(encoded.matrix, self.asked.seed)
        rows = scores if encoded.matrix.shape[1] > _MOST_AXES else encoded.matrix
        k = _measurable(self.asked.n_neighbors, len(rows))
        distances, near = nearest_rows(rows, k)
        method, reason = choose_embedding(wanted, len(rows))
        self.tell(f"drawing by {TITLES[method]}", 0, 0)
        other = self._embedded(rows, scores, method)
        self.tell("measuring trust", 0, 0)
        told = self.chosen.cells if verdict is None else ()  # columns that say what rows are like
        first = "PCA" if verdict is None else "Classical scaling"
        planes, nearby = self._measured(rows, distances[:, -1], scores, other, method, k, first)
        target = next((c for c in self.cells if c.column.name == self.asked.target), None)
        numbers = self.scanned.row_numbers
        return RowMap(
            source=self.scanned.source,
            rows=self.scanned.rows,
            used_rows=len(rows),
            row_numbers=numbers,
            columns={each.column.name: each.column.kind for each in self.chosen.cells},
            left_out=self.chosen.left_out,
            method=method,
            method_reason=reason,
            maps=planes,
            components=_components(model, encoded) if told else (),
            outliers=outlying_rows(encoded, told, distances, near, numbers),
            separation=None if target is None else separation_of(target, near, nearby),
            color=self.asked.color or telling_column(told, nearby),
            notes=(
                *self.scanned.notes,
                *self._notes(encoded, model, verdict),
                *self._fewer(len(rows), method),
            ),
            cells=self.cells,
            names=naming_column(self.cells),
        )

    def _encoded(self) -> tuple[EncodedRows, str | None]:
        """Rows as points; of a table of distances also how Euclidean they are."""
        if self.distances is not None:
            return placed_rows(np.column_stack(list(self.distances.values())))
        scale, seed = self.asked.scale, self.asked.seed
        return encode_rows(self.chosen.cells, scale=scale, seed=seed), None

    def _embedded(self, rows: Array, scores: Array, method: MethodName) -> Array:
        if method == "pca":
            padded = np.column_stack([scores, np.zeros((len(scores), 4))])
            return padded[:, 2:4]
        return neighbour_embedding(
            rows,
            method,
            n_neighbors=self.asked.n_neighbors,
            perplexity=self.asked.perplexity,
            seed=self.asked.seed,
        )

    def _measured(
        self,
        rows: Array,
        reach: Array,
        scores: Array,
        other: Array,
        method: MethodName,
        k: int,
        first: str,
    ) -> tuple[tuple[PlaneMap, PlaneMap], dict[str, Indices]]:
        """Both maps with the trust in them, and the nearest rows on each."""
        plane = np.column_stack([scores, np.zeros(len(scores))])[:, :2]
        titles = (first, f"{first} 3 and 4" if method == "pca" else TITLES[method])
        axes = (("component 1", "component 2"), ("component 3", "component 4"))
        meanings = (_PLANE, _PLANE if method == "pca" else _NEAR)
        made, nearby = [], {}
        for at, points in enumerate((plane, other)):
            near = nearest_rows(points, k)[1]
            nearby[titles[at]] = near
            trustworthiness, correlation = quality_of(rows, points, k, self.asked.seed)
            made.append(
                PlaneMap(
                    name=titles[at],
                    points=points,
                    axes=axes[at] if at == 0 or method == "pca" else ("", ""),
                    n_neighbors=k,
                    kept_by_row=kept_by_row(rows, reach, near),
                    trustworthiness=trustworthiness,
                    distance_correlation=correlation,
                    meaning=meanings[at],
                )
            )
        return (made[0], made[1]), nearby

    def _fewer(self, n: int, method: MethodName) -> list[str]:
        """What was asked for and is more than there are rows for."""
        notes = []
        most = most_perplexity(n)
        if method == "tsne" and self.asked.perplexity > most:
            notes.append(
                f"the perplexity of {self.asked.perplexity:g} is more than {n:,} rows allow; t-SNE "
                f"took {most:.3g}, a third of them"
            )
        k = _measurable(self.asked.n_neighbors, n)
        if self.asked.n_neighbors > k:
            notes.append(
                f"{self.asked.n_neighbors:,} neighbours are too many of {n:,} rows: trust is "
                f"measured by the {k} nearest, about a quarter of them"
            )
        return notes

    def _notes(self, encoded: EncodedRows, model: Any, verdict: str | None) -> list[str]:
        notes = [] if verdict is None else [f"{_DISTANCES} {verdict[:1].lower()}{verdict[1:-1]}"]
        if not self.scanned.is_whole:
            notes.append(
                f"the maps show {self.scanned.sample.n_rows:,} of {self.scanned.rows:,} rows, "
                "drawn at random"
            )
        notes += self.chosen.missing_notes(FILLED)
        if encoded.pulled:
            some = ", ".join(encoded.pulled[:4]) + (" …" if len(encoded.pulled) > 4 else "")
            notes.append(
                f"numbers more than three spreads from the median were pulled in ({some}), so that "
                "a few cells do not decide the maps"
            )
        if encoded.matrix.shape[1] > _MOST_AXES:
            share = float(np.sum(model.explained_variance_ratio_))
            notes.append(
                f"rows were compared by the first {_MOST_AXES} principal components of "
                f"{encoded.matrix.shape[1]:,} encoded columns, {share:.0%} of their variance"
            )
        return notes


def _measurable(neighbors: int, n: int) -> int:
    """Of a few rows so many neighbours that chance does not find most of them."""
    return min(neighbors, max(n // 4, 2))


def _principal(matrix: Array, seed: int) -> tuple[Any, Array]:
    """The leading principal components, and the scores of the rows."""
    from stylobate.decomposition import PCA

    count = min(*matrix.shape, _MOST_AXES)
    model = PCA(count, random_state=seed)
    return model, np.asarray(model.fit_transform(matrix), dtype=np.float64)


def _components(model: Any, encoded: EncodedRows) -> tuple[Component, ...]:
    """What the first components are made of."""
    made = []
    shares = np.nan_to_num(np.asarray(model.explained_variance_ratio_, dtype=np.float64))
    for share, weights in zip(shares[:_TOLD], model.components_[:_TOLD], strict=True):
        heavy = np.argsort(-np.abs(weights), kind="stable")[:_HEAVY]
        least = 0.3 * float(np.abs(weights).max())
        told = {encoded.names[j]: float(weights[j]) for j in heavy if abs(weights[j]) >= least}
        made.append(Component(float(share), told))
    return tuple(made)
