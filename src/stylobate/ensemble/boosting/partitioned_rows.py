"""Rows of a partition as boosting sees them: bins, scores so far, and the nodes of a growing tree.

What is kept between passes is a memory of what could be computed again from the rows and the trees
so far: a partition that moves to another process gives the same numbers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.data.streams import Batch
from stylobate.ensemble.boosting.objective import BoostingLoss
from stylobate.losses import Multinomial

if TYPE_CHECKING:
    from stylobate.ensemble.boosting.model import HistGradientBoostingBase

MISSING = 255  # the place of missing values in a histogram's column
KEPT_FITS = 2  # whose rows are remembered, the latest ones
BITS = 40  # of a gradient at most

_kept: OrderedDict[str, dict[int, PartitionRows]] = OrderedDict()


class NodeSplit(NamedTuple):
    """A node whose rows go to two others, by the bin of a feature."""

    node: int
    feature: int
    bin: int
    missing_left: bool
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class GrownTree:
    """A finished tree by bins: splits, parents first, and the step of every leaf."""

    splits: tuple[NodeSplit, ...]
    steps: dict[int, float]


@dataclass(frozen=True, slots=True, eq=False)
class BoostingPlan:
    """All that the rows of a partition have to know of a fit.

    Parameters
    ----------
    token : str
        Of the fit.
    model : estimator
        Whose door reads the rows.
    loss : Loss or Multinomial
    edges : tuple of arrays
        Of the bins of every column.
    baseline : array of shape (outputs,)
    trees : tuple of tuples of GrownTree
        Of the iterations so far, one for each output.
    """

    token: str
    model: HistGradientBoostingBase
    loss: BoostingLoss
    edges: tuple[Array, ...]
    baseline: Array
    trees: tuple[tuple[GrownTree, ...], ...] = ()

    def rows(self, batch: Batch, first: int) -> PartitionRows:
        """The rows with the scores of all trees so far, remembered or made anew."""
        kept = _kept.setdefault(self.token, {})
        _kept.move_to_end(self.token)
        while len(_kept) > KEPT_FITS:
            _kept.popitem(last=False)
        rows = kept.get(first)
        if rows is None or rows.done > len(self.trees) or len(rows.y) != batch.n_rows:
            rows = kept[first] = PartitionRows.of(self, batch)
        for trees in self.trees[rows.done :]:
            rows.add(trees)
        return rows

    def facts(self, batch: Batch, first: int) -> Array:
        """Loss, weight, number of rows, and of each output the largest gradient and Hessian."""
        rows = self.rows(batch, first)
        g, h, value = rows.derivatives(self.loss)
        largest = np.column_stack([np.abs(g).max(axis=1), h.max(axis=1)]).ravel()
        return np.array([value, rows.weight, len(rows.y), *largest])


def merged_facts(one: Array, other: Array) -> Array:
    """Of both parts' rows."""
    return np.concatenate([one[:3] + other[:3], np.maximum(one[3:], other[3:])])


@dataclass(frozen=True, slots=True, eq=False)
class HistogramsAt:
    """Histograms of some nodes of a growing tree, as whole numbers: free of order, so exact.

    Parameters
    ----------
    plan : BoostingPlan
    output : int
        Which of the outputs the tree is grown for.
    splits : tuple of NodeSplit
        Of the growing tree, parents first.
    wanted : tuple of int
        Nodes.
    units : (float, float)
        Powers of two that one step of a gradient and of a Hessian is worth.
    """

    plan: BoostingPlan
    output: int
    splits: tuple[NodeSplit, ...]
    wanted: tuple[int, ...]
    units: tuple[float, float]

    def __call__(self, batch: Batch, first: int) -> NDArray[np.float64]:
        """Sums of gradients, of Hessians and counts: (wanted, 3, features, 256)."""
        rows = self.plan.rows(batch, first)
        rows.route(self.splits, self.output)
        gradients, hessians, _ = rows.derivatives(self.plan.loss)
        g, h = gradients[self.output], hessians[self.output]
        whole = np.rint(g / self.units[0]), np.rint(h / self.units[1])
        out = np.zeros((len(self.wanted), 3, len(rows.bins), MISSING + 1))
        for sums, node in zip(out, self.wanted, strict=True):
            own = rows.nodes[node]
            parts = [each if len(own) == len(g) else each[own] for each in whole]
            for j, column in enumerate(rows.bins):
                bins = column if len(own) == len(g) else column[own]
                for sum_, part in zip(sums, parts, strict=False):
                    sum_[j] = np.bincount(bins, part, MISSING + 1)
                sums[2, j] = np.bincount(bins, minlength=MISSING + 1)
        return out


class PartitionRows:
    """The rows of a partition between two passes."""

    def __init__(self, bins: list[NDArray[np.uint8]], y: Array, w: Array | None, start: Array):
        self.bins, self.y, self.w = bins, y, w
        self.scores = np.repeat(start[:, np.newaxis], len(y), axis=1)  # (outputs, n)
        self.done = 0
        self.nodes: dict[int, NDArray[np.intp]] = {}
        self.routed, self.growing = 0, 0  # splits of the tree of which output
        self._derived: tuple[Array, Array, float] | None = None

    @classmethod
    def of(cls, plan: BoostingPlan, batch: Batch) -> PartitionRows:
        """Read a batch through the model's door, and cut its columns into bins."""
        model = plan.model
        table = model._features(batch.x, reset=False)
        y = model._read_y(batch.y, table.n_rows, reset=False)
        weights = read_weights(batch.weights, table.n_rows, owner=type(model).__name__)
        none = [np.empty(0, dtype=np.uint8)] * len(plan.edges)
        binned = _core.BinnedRows(table.x, list(plan.edges), none)
        bins = []
        for j, edges in enumerate(plan.edges):
            column = np.array(binned.column(j), dtype=np.uint8)
            column[column == len(edges) + 1] = MISSING
            bins.append(column)
        return cls(bins, np.asarray(y, dtype=np.float64), weights, plan.baseline)

    @property
    def weight(self) -> float:
        return float(len(self.y)) if self.w is None else float(self.w.sum())

    def derivatives(self, loss: BoostingLoss) -> tuple[Array, Array, float]:
        """Gradients and Hessians (outputs, n) and the sum of the losses, at the scores so far."""
        if self._derived is None:
            w = 1.0 if self.w is None else self.w
            if isinstance(loss, Multinomial):
                z = np.ascontiguousarray(self.scores.T)
                value = loss.value(self.y, z)
                g = np.ascontiguousarray(loss.gradient(self.y, z).T)
                shares = g + (np.arange(len(g))[:, np.newaxis] == self.y)
                h = shares * (1.0 - shares)
            else:
                value = loss.value(self.y, self.scores[0])
                g = np.asarray(loss.gradient(self.y, self.scores[0]), dtype=np.float64)[np.newaxis]
                h = np.asarray(loss.curvature(self.y, self.scores[0]), dtype=np.float64)
            self._derived = w * g, w * np.broadcast_to(h, g.shape), float(np.sum(w * value))
        return self._derived

    def route(self, splits: Sequence[NodeSplit], output: int) -> None:
        """Send rows down the growing tree of an output, as far as that has not been done."""
        if self.routed > len(splits) or not self.nodes or self.growing != output:
            self.nodes, self.routed, self.growing = {0: np.arange(len(self.y))}, 0, output
        for split in splits[self.routed :]:
            rows = self.nodes[split.node]
            bins = self.bins[split.feature][rows]
            left = bins <= split.bin
            left[bins == MISSING] = split.missing_left
            self.nodes[split.left], self.nodes[split.right] = rows[left], rows[~left]
        self.routed = len(splits)

    def add(self, trees: Sequence[GrownTree]) -> None:
        """Add the steps of an iteration's trees to the scores."""
        for output, tree in enumerate(trees):
            self.nodes = {}
            self.route(tree.splits, output)
            for leaf, step in tree.steps.items():
                self.scores[output, self.nodes[leaf]] += step
        self.nodes, self.routed, self._derived = {}, 0, None
        self.done += 1


def without_trees(plan: BoostingPlan, trees: tuple[tuple[GrownTree, ...], ...]) -> BoostingPlan:
    """The plan with other trees."""
    return replace(plan, trees=trees)
