r"""Moments of a join from the tables it is made of, without its rows.

Given a row r of a table, what hangs below it in different branches is independent: the joined rows
with r are all combinations. With :math:`W_s` the weight of all joined rows that contain row s of
table T, :math:`\mu_s` the mean of the columns of T and of all tables below among them, and
:math:`m_{k(s)}` the mean of :math:`\mu` over the rows of T with the key of s (for the root: over
all rows), the scatter of the join is

.. math:: S = \sum_T \sum_{s \in T} W_s (\mu_s - m_{k(s)})(\mu_s - m_{k(s)})^\top,

by the law of total covariance, applied down the tree. Everything is centred before it is squared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array, Indices, Integers, Mask
from stylobate.data import Table
from stylobate.engines.windows import MOST_ROWS
from stylobate.joins.assembly import JoinedRows
from stylobate.joins.layout import Gatherer
from stylobate.joins.prepared import FactBatch
from stylobate.joins.tree import JoinTree, grouped_mean
from stylobate.statistics import Moments
from stylobate.statistics.moments.residuals import LinearModel, ResidualMoments

if TYPE_CHECKING:
    from stylobate.joins.stream import JoinStream


def factorised_moments(stream: JoinStream, *, targets: bool) -> Moments:
    """The moments of a join's columns, features first, key by key.

    Parameters
    ----------
    stream : JoinStream
        Whose weights, if any, are a column of the facts.
    targets : bool
        Whether the targets' columns are wanted.
    """
    layout = stream.layout if targets else replace(stream.layout, target=())
    return _KeyedPass(stream, layout).moments()


def factorised_residuals(stream: JoinStream, model: LinearModel) -> ResidualMoments:
    """What is left of a join's rows at a linear model, key by key.

    The residual is a sum over tables of what each contributes, so its means by key add up like
    those of a column.
    """
    p = len(stream.layout.features)
    combination = np.concatenate([-model.coef, np.eye(model.coef.shape[1])])
    found = _KeyedPass(stream, stream.layout, combination).moments()
    q = len(combination)
    mean = found.mean[q:] - model.intercept
    scatter, weight = found.scatter, found.weight
    squares = np.diag(scatter)[q:] + weight * mean**2
    products = scatter[:p, q:] + weight * np.outer(found.mean[:p], mean)
    return ResidualMoments(squares, weight * mean, products)


def factorised_parts(stream: JoinStream, parts: Sequence[slice], *, targets: bool) -> list[Moments]:
    """The moments of the joined rows of several runs of facts, key by key."""
    layout = stream.layout if targets else replace(stream.layout, target=())
    found = _KeyedPass(stream, layout)
    return [found.moments(part) for part in parts]


def factorised_classes(
    stream: JoinStream, place: int, codes: Integers, count: int
) -> list[Moments | None]:
    """The moments of the joined rows of each class, key by key; None where a class has no rows.

    Parameters
    ----------
    stream : JoinStream
    place : int
        The table that the classes are a column of.
    codes : array of shape (n,)
        The class of each of its rows; of a joined table with one more for no match. -1 is none.
    count : int
        How many classes there are.
    """
    layout = replace(stream.layout, target=())
    found: list[Moments | None] = []
    shared: _KeyedPass | None = None
    for k in range(count):
        chosen = place, codes == k
        if shared is None or not shared.tree.is_root(place):
            shared = _KeyedPass(stream, layout, chosen=chosen)
        shared.chosen = chosen
        moments = shared.moments()
        found.append(moments if moments.n_rows else None)
    return found


@dataclass(frozen=True, slots=True, eq=False)
class RowWeights:
    """What every row of the tables weighs in a join.

    Parameters
    ----------
    n_rows : int
        Joined rows of positive weight.
    weight : float
        Their sum of weights.
    tables : dict of int to array of shape (n + 1,)
        Of each table, 0 the facts, the weight of all joined rows that contain each of its rows; the
        last one is that of joined rows without a match (0 of the facts).
    """

    n_rows: int
    weight: float
    tables: dict[int, Array]


def factorised_weights(
    stream: JoinStream, place: int, codes: Integers, count: int
) -> list[RowWeights]:
    """What every row of every table weighs in the joined rows of each class, key by key.

    Sums over the joined rows of functions of one table's columns, such as counts of categories,
    are sums over the table with these weights. Parameters are those of `factorised_classes`.
    """
    layout = replace(stream.layout, features=(), names=(), target=())
    found = []
    for k in range(count):
        one = _KeyedPass(stream, layout, chosen=(place, codes == k))
        one.weigh()
        moments = one.moments()
        weight = float(one.row_weights[0].sum())
        found.append(RowWeights(moments.n_rows, weight, one.row_weights))
    return found


class _Branch:
    """A table of the tree: of each row the weight and means of what it joins with below.

    Parameters
    ----------
    weights : array of shape (n + 1,)
        Joined rows below each row; the last one stands for no match.
    means : array of shape (n + 1, columns)
    by_key : (array of shape (keys + 1,), array of shape (keys + 1, columns))
        The same of all rows of a key together.
    """

    def __init__(self, weights: Array, means: Array, by_key: tuple[Array, Array]) -> None:
        self.weights, self.means = weights, means
        self.key_weights, self.key_means = by_key
        self.arriving = np.zeros(len(self.key_weights))  # weight of joined rows with each key


class _KeyedPass:
    """One computation of moments: up the tree, over the root, and down again.

    Parameters
    ----------
    stream : JoinStream
    layout : Layout
    combination : array of shape (columns, t), optional
        Further columns that are linear combinations of all.
    chosen : (int, array of bool), optional
        A table and which of its rows count (with one more element for no match); all by default.
    """

    def __init__(
        self,
        stream: JoinStream,
        layout: Any,
        combination: Array | None = None,
        chosen: tuple[int, Mask] | None = None,
    ) -> None:
        self.chosen = chosen
        self.prepared, self.layout = stream.prepared, layout
        self.tree = JoinTree(self.prepared)
        self.places = (*layout.features, *layout.target)
        self.own, self.columns = self.tree.own(layout), self.tree.subtree(layout)
        q = len(self.places)
        self.combination = np.zeros((q, 0)) if combination is None else combination
        self.shift = np.zeros(q)
        self.branches: dict[int, _Branch] = {}
        self._shifted = False
        self.row_weights: dict[int, Array] = {}
        for k in reversed(range(len(self.prepared.links))):
            if k not in self.tree.bag:
                self.branches[k] = self._branch(k)

    def weigh(self) -> None:
        """Have what every row of the tables weighs be added up on the way, in `row_weights`."""
        sizes = [self.prepared.n_facts, *(link.n_rows for link in self.prepared.links)]
        self.row_weights = {place: np.zeros(n + 1) for place, n in enumerate(sizes)}

    def moments(self, facts: slice | None = None) -> Moments:
        """The moments of all columns and, after them, the combinations; of some facts or all."""
        links = range(len(self.prepared.links))
        for branch in self.branches.values():
            branch.arriving[:] = 0.0
        found, rows, log_weight = self._root(facts)
        scatter = found.scatter.copy()
        for k in links:
            if k not in self.tree.bag:
                self._down(k, scatter)
        shift = np.concatenate([self.shift, self.shift @ self.combination])
        n_targets = len(self.layout.target)
        return Moments(rows, found.weight, found.mean + shift, scatter, n_targets, log_weight)

    # --- up the tree ------------------------------------------------------------------------------

    def _branch(self, k: int) -> _Branch:
        link, place = self.prepared.links[k], k + 1
        columns = self.columns[place]
        means = np.zeros((link.n_rows + 1, len(columns) + self.combination.shape[1]))
        for j in self.own[place]:
            values = self.prepared.column(*self.places[j]).astype(np.float64)
            middle = values[:-1].mean()
            self.shift[j] = middle if np.isfinite(middle) else 0.0
            means[:, columns.index(j)] = values - self.shift[j]
        self._combine(means, columns, self.own[place])
        weights = np.ones(link.n_rows + 1)
        if self.chosen is not None and self.chosen[0] == place:
            weights *= self.chosen[1]
        for c in self.tree.below(place):
            codes = self.prepared.dimension_codes[c][0]
            assert codes is not None
            self._hang(c, codes, columns, means, weights)
        return _Branch(weights, means, self._by_key(k, weights, means))

    def _by_key(self, k: int, weights: Array, means: Array) -> tuple[Array, Array]:
        link = self.prepared.links[k]
        codes = link.index.codes
        there = np.flatnonzero(codes >= 0)
        size = link.index.size
        total, mean = grouped_mean(codes[there], size, weights[there], means[there])
        left = link.edge.how == "left"  # rows without a match join with the row of no match
        total = np.append(total, weights[-1] if left else 0.0)
        return total, np.concatenate([mean, means[-1:] if left else np.zeros_like(means[-1:])])

    def _combine(self, means: Array, columns: list[int], own: list[int]) -> None:
        """Add what a table's own columns contribute to the combinations."""
        if self.combination.shape[1]:
            where = [columns.index(j) for j in own]
            means[:, len(columns) :] += means[:, where] @ self.combination[own]

    def _hang(self, c: int, codes: Any, columns: list[int], means: Array, weights: Array) -> None:
        """Take in the means of a branch below, by the codes of its key."""
        branch, theirs = self.branches[c], self.columns[c + 1]
        weights *= branch.key_weights[codes]
        found = branch.key_means[codes]
        means[:, [columns.index(j) for j in theirs]] = found[:, : len(theirs)]
        means[:, len(columns) :] += found[:, len(theirs) :]

    # --- the root ---------------------------------------------------------------------------------

    def _root(self, wanted: slice | None) -> tuple[Moments, int, float]:
        total: Moments | None = None
        rows, log_weight = 0, 0.0
        for facts, part in self._root_rows(wanted):
            means, counts, own = self._root_means(facts, part)
            weights = counts if own is None else counts * own
            self._weigh_root(facts, part, weights)
            found = Moments.of(Table(means, weights=weights))
            total = found if total is None else total.merge(found)
            if own is None:
                rows += round(float(counts.sum()))
                continue
            there = own > 0
            rows += round(float(counts[there].sum()))
            log_weight += float(counts[there] @ np.log(own[there]))
        if total is None:  # no row of a class; joins and folds without rows are refused
            return Moments.of(Table(np.zeros((1, self._width)), weights=np.zeros(1))), 0, 0.0
        return total, rows, log_weight

    def _root_rows(self, wanted: slice | None) -> Iterator[tuple[FactBatch, JoinedRows]]:
        for facts in self.prepared.fact_batches(self.layout.fact_columns()):
            for part in self.tree.root.assemble(facts.codes, facts.n_rows, MOST_ROWS):
                kept = part
                if wanted is not None:
                    numbers = _numbers(facts, kept)
                    kept = kept.where((numbers >= wanted.start) & (numbers < wanted.stop))
                if self.chosen is not None and self.tree.is_root(self.chosen[0]):
                    place, mask = self.chosen
                    kept = kept.where(mask[_rows_of(place, facts, kept)])
                if kept.count:
                    yield facts, kept

    def _weigh_root(self, facts: FactBatch, part: JoinedRows, weights: Array) -> None:
        for place, total in self.row_weights.items():
            if self.tree.is_root(place):
                total += np.bincount(_rows_of(place, facts, part), weights, len(total))

    @property
    def _width(self) -> int:
        """Columns of the root, with the combinations."""
        return len(self.columns[0]) + int(self.combination.shape[1])

    def _root_means(self, facts: FactBatch, rows: JoinedRows) -> tuple[Array, Array, Array | None]:
        """Means given each row of the root, how many joined rows it has, and its own weight."""
        columns, cells = self.columns[0], Gatherer(self.prepared, facts, rows)
        means = np.zeros((rows.count, self._width))
        for j in self.own[0]:
            values = cells.column(self.places[j])
            if not self._shifted:
                middle = float(np.mean(values, dtype=np.float64))
                self.shift[j] = middle if np.isfinite(middle) else 0.0
            np.subtract(values, self.shift[j], out=means[:, j])
        self._shifted = True
        self._combine(means, columns, self.own[0])
        counts = np.ones(rows.count)
        arriving: list[tuple[int, Any]] = []
        for c in self.tree.below(0):
            codes = self.tree.root.codes_of(c, rows, facts.codes[c])
            self._hang(c, codes, columns, means, counts)
            arriving.append((c, codes))
        weight = self.layout.weight
        own = None if weight is None else cells.column(weight).astype(np.float64)
        for c, codes in arriving:
            self._arrive(c, codes, counts if own is None else counts * own)
        return means, counts, own

    # --- and down again ---------------------------------------------------------------------------

    def _arrive(self, c: int, codes: Any, weights: Array) -> None:
        """Add the weight of joined rows to the keys they have; the last one is no match."""
        branch = self.branches[c]
        size = len(branch.arriving)
        branch.arriving += np.bincount(np.where(codes < 0, size - 1, codes), weights, size)

    def _down(self, k: int, scatter: Array) -> None:
        """Add the scatter of a table's rows about the means of their keys."""
        link, branch, place = self.prepared.links[k], self.branches[k], k + 1
        codes = link.index.codes
        share = branch.arriving / np.where(branch.key_weights > 0, branch.key_weights, 1.0)
        weights = branch.weights * np.append(np.where(codes < 0, 0.0, share[codes]), share[-1])
        if self.row_weights:
            self.row_weights[place] = weights
        if link.most > 1:
            q = len(self.places)
            extra = range(q, q + self.combination.shape[1])
            where = np.array([*self.columns[place], *extra], dtype=np.intp)
            scatter[np.ix_(where, where)] += self._within(codes, weights, branch)
        for c in self.tree.below(place):
            known = self.prepared.dimension_codes[c][0]
            self._arrive(c, known, weights)

    def _within(self, codes: Any, weights: Array, branch: _Branch) -> Array:
        total: Moments | None = None
        for start in range(0, len(codes), MOST_ROWS):
            here = slice(start, min(start + MOST_ROWS, len(codes)))
            apart = branch.means[here] - branch.key_means[codes[here]]
            found = Moments.of(Table(apart, weights=weights[here]))
            total = found if total is None else total.merge(found)
        assert total is not None
        return total.scatter


def _numbers(facts: FactBatch, rows: JoinedRows) -> Indices:
    """The numbers among all facts of those that some joined rows are of."""
    within = np.arange(rows.count) if rows.facts is None else rows.facts
    return within + facts.first


def _rows_of(place: int, facts: FactBatch, rows: JoinedRows) -> Indices:
    """The rows of a table of the root that some joined rows are of, by their numbers."""
    found = rows.of(place) if place else _numbers(facts, rows)
    assert found is not None  # tables of the root are followed
    return found
