"""Squared errors of the elastic net along its path on the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.data.indexing import as_slice
from stylobate.linear_model.lasso.sparse_regressor import measured
from stylobate.linear_model.ridge.fold_scores import refuse_unsuitable
from stylobate.linear_model.shared.coefficient_path import CoefficientPath
from stylobate.linear_model.shared.stream_folds import StreamFolds
from stylobate.optimize import elastic_net as en
from stylobate.optimize.elastic_net.descent import descend_grams, descend_rows
from stylobate.splits import Split
from stylobate.statistics import Moments, Source
from stylobate.statistics.parts import PartStatistics

_NUMBERS = 1 << 23  # that splits solved side by side may keep in all (64 MiB), or
_COPIES = 4  # so many times those of the table


@dataclass(frozen=True, slots=True, eq=False)
class PathFolds:
    """The splits of a table, with whatever the paths of their training parts are solved from.

    With many more rows than columns: the moments of every part from one pass over the rows.
    Otherwise the rows themselves, with a row of weights per split: all splits go along the path
    together, and a reading of X serves them all.
    """

    table: Table | None
    splits: Sequence[Split]
    trains: Sequence[Moments] | None = None
    tests: Sequence[Moments] | None = None
    whole: Moments | None = None
    stream: StreamFolds | None = None

    @property
    def rows(self) -> Table:
        """The table, where the rows are in memory."""
        assert self.table is not None
        return self.table

    @classmethod
    def of_stream(cls, folds: StreamFolds) -> Self:
        """Of rows that come in batches."""
        return cls(None, [], folds.trains, folds.tests, folds.known.whole, folds)

    @classmethod
    def of(cls, source: Source, splits: Sequence[Split], *, from_moments: bool) -> Self:
        table = source.rows()
        refuse_unsuitable(table, splits, "neg_mean_squared_error")
        if not from_moments:
            return cls(table, splits)
        known = PartStatistics.of(source, Moments, splits, table.n_rows)
        trains, tests = ([parts[k] for parts in known.parts] for k in (0, 1))
        whole = source.compute(Moments) if known.whole is None else known.whole
        return cls(table, splits, trains, tests, whole)

    def problem(self, *, intercept: bool) -> en.ElasticNetProblem:
        """All rows as a problem, without penalties as yet."""
        if self.whole is not None:
            return en.ElasticNetProblem(np.array([]), moments=self.whole, intercept=intercept)
        table, measures = measured(self.rows, intercept=intercept)
        return en.ElasticNetProblem(
            np.array([]), table=table, intercept=intercept, measures=measures
        )

    def errors(self, problem: en.ElasticNetProblem) -> Array:
        """Mean squared errors (alphas × folds) of the test parts along the problem's path."""
        if self.trains is None or self.tests is None:
            return self._errors_on_rows(problem)
        paths = _gram_paths(self.trains, problem)
        columns = []
        for k, (path, test) in enumerate(zip(paths, self.tests, strict=True)):
            squares = path.squared_errors(test)
            if squares is None and self.stream is not None:
                squares = self.stream.squared_errors(path, k)
            if squares is None:
                columns.append(_row_errors(path, self.rows.take(as_slice(self.splits[k][1]))))
            else:
                columns.append(squares[:, 0] / test.weight)
        return np.column_stack(columns)

    def _errors_on_rows(self, problem: en.ElasticNetProblem) -> Array:
        """As many splits side by side as fit into a small multiple of the table's memory."""
        step = _at_once(self.rows, len(problem.alphas))
        groups = [self.splits[k : k + step] for k in range(0, len(self.splits), step)]
        return np.hstack([replace(self, splits=group)._errors_of(problem) for group in groups])

    def _errors_of(self, problem: en.ElasticNetProblem) -> Array:
        table = self.rows
        assert table.y is not None
        ones = np.ones(table.n_rows) if table.weights is None else table.weights
        counts = [np.bincount(_numbers(train), minlength=table.n_rows) for train, _ in self.splits]
        weights = np.array(counts) * ones
        y = np.ascontiguousarray(np.broadcast_to(table.y.T, weights.shape))
        totals = weights.sum(axis=1, keepdims=True)
        l1 = totals * problem.alphas * problem.l1_ratio
        l2 = totals * problem.alphas * (1.0 - problem.l1_ratio)
        coef, intercept, *_ = descend_rows(table, y, weights, l1, l2, problem)
        return np.column_stack(
            [
                _row_errors(CoefficientPath(w[:, :, None], b[:, None]), table.take(as_slice(rows)))
                for w, b, (_, rows) in zip(coef, intercept, self.splits, strict=True)
            ]
        )


def _gram_paths(trains: Sequence[Moments], problem: en.ElasticNetProblem) -> list[CoefficientPath]:
    """The paths of several training parts, side by side."""
    quadratics = [replace(problem, moments=train).quadratic() for train in trains]
    totals = np.array([[train.weight] for train in trains])
    coef, *_ = descend_grams(
        np.stack([gram for gram, _, _ in quadratics]),
        np.arange(len(trains), dtype=np.int64),
        np.concatenate([xy for _, xy, _ in quadratics]),
        np.concatenate([yy for _, _, yy in quadratics]),
        totals * problem.alphas * problem.l1_ratio,
        totals * problem.alphas * (1.0 - problem.l1_ratio),
        problem,
    )
    paths = []
    for train, w in zip(trains, coef, strict=True):
        b = train.y_mean[0] - w @ train.x_mean if problem.intercept else np.zeros(len(w))
        paths.append(CoefficientPath(w[:, :, None], b[:, None]))
    return paths


def _at_once(table: Table, penalties: int) -> int:
    """How many splits' paths may be solved side by side.

    A path keeps its coefficients and, of dense rows, a centred copy and the products of the columns
    it works on: about twice as many as there are rows at most, for no support is larger than they.
    """
    n, p = table.n_rows, table.n_features
    columns = min(p, 2 * n)
    held = penalties * p + (0 if table.is_sparse else columns * (n + columns))
    size = table.x.nnz if table.is_sparse else n * p
    return max(1, int(max(_NUMBERS, _COPIES * size) // max(held, 1)))


def _row_errors(path: CoefficientPath, test: Table) -> Array:
    assert test.y is not None
    squares = (path.predict(test.x)[:, :, 0] - test.y[:, 0]) ** 2
    return np.asarray(np.average(squares, axis=1, weights=test.weights))


def _numbers(rows: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.flatnonzero(rows) if rows.dtype == bool else rows
