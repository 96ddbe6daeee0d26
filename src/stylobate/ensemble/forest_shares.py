"""Forests of rows on a cluster: every worker is sent all rows, as tight as they go, for some trees.

Columns, categories and the names of the classes are agreed first, by one pass. Then each partition
writes its rows as the smallest numbers that hold every value exactly, and these go from worker to
worker. The seed of a tree says which rows it draws, by their numbers, and which columns it looks
at; so the forest is that of memory to the last bit, whoever grows which trees.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.batches import first_batch
from stylobate.base.validation import remember_features
from stylobate.data import Table
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.tree.columns import CategoriesSeen
from stylobate.tree.flat import Tree

if TYPE_CHECKING:
    from stylobate.ensemble.forest_base import ForestBase

# what a fit learns of the target and of the rows as a whole
_LEARNT = (
    "classes_", "n_classes_", "n_outputs_", "_n_samples", "_n_samples_bootstrap", "_max_features",
)  # fmt: skip
_KINDS = (np.int8, np.int16, np.float32)  # tried in turn


def grow_shares(model: ForestBase, stream: Stream) -> None:
    """Fit `model` to rows that stay on their cluster."""
    owner = type(model).__name__
    model._check_parameters()
    model._check_draws()
    if model.oob_score:
        raise UnsupportedDataError(
            f"{owner}: oob_score asks all trees about all rows, and those of {stream.name} stay on "
            "their cluster; leave it out, and score other rows."
        )
    stream.keep()
    seen = stream.reduced(_Categories(owner, model.categorical_features), CategoriesSeen.merge)
    if seen is None:
        first_batch(stream, owner)  # refuses
    else:
        remember_features(model, seen.example)
        model.column_categories_ = seen.known()
    seeds = model._new_seeds()
    if not len(seeds):
        return
    plan = GrowingPlan(_without_trees(model), np.array_split(seeds, min(stream.slots, len(seeds))))
    grown = stream.shared_out(plan.packed, plan.grown, GrownShare.merge, len(plan.seeds))
    assert grown is not None  # there is a first batch
    vars(model).update(grown.learnt)
    model._sample_weight = None
    vars(model).pop("_drawn_by_weight", None)
    if grown.weighted:
        model._drawn_by_weight = True
    model._trees = [*model._trees, *grown.trees]
    model._seeds = np.concatenate([model._seeds, seeds])


def _without_trees(model: ForestBase) -> ForestBase:
    """The model as workers need it."""
    twin = copy(model)
    twin._trees, twin.verbose = [], 0
    return twin


@dataclass(frozen=True, slots=True)
class _Categories:
    """The categories of the columns of a batch."""

    owner: str
    categorical: Any

    def __call__(self, batch: Batch, first: int) -> CategoriesSeen:
        seen = CategoriesSeen(self.owner, self.categorical)
        seen.add(batch.x)
        return seen


@dataclass(frozen=True, slots=True, eq=False)
class PackedRows:
    """Some rows on their way to those who grow trees.

    Parameters
    ----------
    columns : list of arrays, or sparse array
        Numbers and codes, in types as small as hold them exactly.
    dtype : str
        What they are to be again.
    y : array
    weights : array or None
    """

    columns: Any
    dtype: str
    y: NDArray[Any]
    weights: NDArray[Any] | None


@dataclass(frozen=True, slots=True, eq=False)
class GrownShare:
    """Some of the trees, and what was learnt of the target."""

    trees: list[Tree]
    learnt: dict[str, Any]
    weighted: bool

    def merge(self, other: GrownShare) -> GrownShare:
        """These trees, and those that follow them."""
        return GrownShare([*self.trees, *other.trees], self.learnt, self.weighted)


@dataclass(frozen=True, slots=True, eq=False)
class GrowingPlan:
    """What workers have to know: the model, its columns agreed, and the seeds of each share."""

    model: ForestBase
    seeds: list[NDArray[np.int64]]

    def packed(self, batch: Batch, first: int) -> PackedRows:
        """The rows of a batch, ready to be sent."""
        if batch.y is None:
            raise InvalidDataError(f"{type(self.model).__name__}: name the target= to predict.")
        table = self.model._read_rows(batch.x, reset=False)
        columns = table.x if table.is_sparse else [tightest(column) for column in table.x.T]
        weights = self.model._row_weights(batch.weights, table.n_rows)
        y = batch.y.to_numpy() if hasattr(batch.y, "to_numpy") else np.asarray(batch.y)
        return PackedRows(columns, table.x.dtype.str, y, weights)

    def grown(self, share: int, parts: list[PackedRows]) -> GrownShare:
        """The trees of a share, of all rows."""
        model = copy(self.model)
        weights = None
        if parts[0].weights is not None:
            weights = np.concatenate([each.weights for each in parts])
        table = Table(unpacked(parts), owner=type(model).__name__)
        rows = model._learnt_rows(table, np.concatenate([each.y for each in parts]), weights)
        trees = list(model._grown(rows, self.seeds[share]))
        learnt = {name: value for name, value in vars(model).items() if name in _LEARNT}
        return GrownShare(trees, learnt, rows.weights is not None)


def tightest(column: NDArray[Any]) -> NDArray[Any]:
    """The column in the smallest type that holds each of its values exactly.

    >>> tightest(np.array([1.0, 200.0])).dtype, tightest(np.array([0.5, np.nan])).dtype
    (dtype('int16'), dtype('float32'))
    """
    with np.errstate(invalid="ignore", over="ignore"):
        for kind in _KINDS:
            small = column.astype(kind)
            if np.array_equal(small, column, equal_nan=True):
                return small
    return np.ascontiguousarray(column)


def unpacked(parts: list[PackedRows]) -> Any:
    """All rows as a table of numbers, as they were read."""
    dtype = np.result_type(*(np.dtype(each.dtype) for each in parts))
    if not isinstance(parts[0].columns, list):
        from scipy import sparse

        return sparse.vstack([each.columns for each in parts], format="csr", dtype=dtype)
    n_rows = sum(len(each.y) for each in parts)
    x = np.empty((n_rows, len(parts[0].columns)), dtype=dtype, order="F")
    for j in range(x.shape[1]):
        np.concatenate([each.columns[j] for each in parts], out=x[:, j], casting="unsafe")
    return x
