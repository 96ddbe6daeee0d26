"""Boosting of rows on a cluster: trees grown from histograms that the partitions add up.

The bins are agreed first, from a mergeable sketch of every column. Gradients are rounded to whole
numbers of a unit, so that sums of them are exact and no order of adding them, and no number of
workers, changes a tree. A tree takes a pass for the units and one for every level or so: all nodes
that may be split next are looked at together, the smaller child of each, and the other one is what
is left of their parent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from math import ceil, frexp, ldexp, log2
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base.batches import first_batch
from stylobate.base.stream_labels import LabelCounts
from stylobate.base.validation import remember_features
from stylobate.data import read_weights
from stylobate.data.streams import Batch, Stream
from stylobate.ensemble.boosting.binning import SAMPLE
from stylobate.ensemble.boosting.objective import BoostingLoss
from stylobate.ensemble.boosting.partitioned_rows import (
    BITS,
    MISSING,
    BoostingPlan,
    GrownTree,
    HistogramsAt,
    NodeSplit,
    merged_facts,
)
from stylobate.ensemble.boosting.stopping import BoostingProgress
from stylobate.exceptions import UnsupportedDataError
from stylobate.losses import Logistic, Multinomial
from stylobate.statistics import GradientHistogram, QuantileSketch
from stylobate.tree.columns import CategoriesSeen
from stylobate.tree.flat import Tree

if TYPE_CHECKING:
    from stylobate.ensemble.boosting.model import HistGradientBoostingBase

SKETCH = 2048  # numbers a level of a column's sketch; exact up to twice as many rows
MEAN_BITS = 36  # of the first score: the last ones hang on the order of adding


def boost_partitions(model: HistGradientBoostingBase, stream: Stream) -> None:
    """Fit `model` to rows that stay where they are."""
    from stylobate.base import is_classifier

    owner = type(model).__name__
    head = first_batch(stream, owner)
    seen = CategoriesSeen(owner, model.categorical_features)
    seen.add(head.x)
    _refuse(model, stream, categories=seen.any)
    remember_features(model, seen.example)
    model._columns, model.is_categorical_ = seen.known(), None
    if is_classifier(model):
        labels = LabelCounts.of(stream, owner)
        model._read_y(labels.classes, len(labels.classes), reset=True)
    loss = model._loss_value()
    if not model._boosts_by_sums:
        raise UnsupportedDataError(
            f"{owner}: loss={loss.name!r} takes quantiles of the rows of every leaf, which stay on "
            "their cluster; choose 'squared_error', 'poisson' or 'gamma'."
        )
    stream.keep()
    sums = stream.reduced(partial(_first_pass, model, loss), _ColumnsSeen.merge)
    assert sums is not None  # there is a first batch
    model.baseline_ = sums.baseline(loss)
    model.trees_, model.do_early_stopping_ = [], False
    model.l2_regularization_ = float(model.l2_regularization)
    model.train_score_, model.validation_score_ = np.zeros(0), np.zeros(0)
    edges = sums.edges(model.max_bins)
    plan = BoostingPlan(uuid4().hex, model, loss, edges, model.baseline_)
    _Course(model, stream, plan, sums.missing).run()


def _refuse(model: HistGradientBoostingBase, stream: Stream, *, categories: bool) -> None:
    """Refuse settings that need more of the rows than sums."""
    asked = {
        "columns of categories": categories,
        "early_stopping=True": model.early_stopping is True,
        "max_features below 1": model.max_features < 1.0,
        "monotonic_cst": model.monotonic_cst is not None,
        "interaction_cst": model.interaction_cst is not None,
        "class_weight": getattr(model, "class_weight", None) is not None,
    }
    for what, given in asked.items():
        if given:
            raise UnsupportedDataError(
                f"{type(model).__name__}: {what} needs rows in memory or a file, and those of "
                f"{stream.name} stay on their cluster; leave it out."
            )


# --- the first pass: means and sketches -----------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _ColumnsSeen:
    """Sums of the target, and a sketch of every column.

    `total` holds the sum of weight times target, or of several classes the weight of each.
    """

    weight: float
    total: Array
    count: int
    sketches: tuple[QuantileSketch, ...]

    def merge(self, other: _ColumnsSeen) -> _ColumnsSeen:
        """Of both parts' rows."""
        pairs = zip(self.sketches, other.sketches, strict=True)
        return _ColumnsSeen(
            self.weight + other.weight,
            self.total + other.total,
            self.count + other.count,
            tuple(a.merge(b) for a, b in pairs),
        )

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which columns have missing values."""
        return np.array([each.count < self.count for each in self.sketches])

    def baseline(self, loss: BoostingLoss) -> Array:
        """The scores to start from, of the means without their last bits."""
        means = [_rounded(total / self.weight) for total in self.total.tolist()]
        if isinstance(loss, Multinomial):
            classes = np.arange(len(means))
            return loss.baseline(classes, np.array(means), n_classes=len(means))
        if isinstance(loss, Logistic):
            shares = np.array([1.0 - means[0], means[0]])
            return np.array([loss.baseline(np.array([0.0, 1.0]), shares)])
        return np.array([loss.baseline(np.array(means), None)])

    def edges(self, max_bins: int) -> tuple[Array, ...]:
        """The borders between the bins, found as in memory from what the sketches hold."""
        return tuple(_edges_of(each, max_bins) for each in self.sketches)


def _rounded(mean: float) -> float:
    fraction, exponent = frexp(mean)
    return ldexp(round(ldexp(fraction, MEAN_BITS)), exponent - MEAN_BITS)


def _edges_of(sketch: QuantileSketch, max_bins: int) -> Array:
    if not sketch.count:
        return np.zeros(0)
    keys, weights = (np.asarray(part) for part in sketch.core.sorted())
    from stylobate.statistics.sketches.sketch_keys import values_of

    points = np.asarray(values_of(keys, sketch.kind, sketch.form), dtype=np.float64)[:, None]
    given = None if sketch.is_exact else weights.astype(np.float64)
    (found,) = _core.find_bin_edges(points, given, [False], max_bins, max(SAMPLE, len(points)), 0)
    return np.asarray(found)


def _first_pass(
    model: HistGradientBoostingBase, loss: BoostingLoss, batch: Batch, first: int
) -> _ColumnsSeen:
    owner = type(model).__name__
    table = model._features(batch.x, reset=False)
    y = np.asarray(model._read_y(batch.y, table.n_rows, reset=False), dtype=np.float64)
    if not isinstance(loss, Multinomial):
        loss.require_target(y, owner)
    weights = read_weights(batch.weights, table.n_rows, owner=owner)
    sketches = [
        QuantileSketch.of(np.asarray(table.x[:, j], dtype=np.float64), k=SKETCH, seed=first + j)
        for j in range(table.n_features)
    ]
    weight = float(len(y)) if weights is None else float(weights.sum())
    if isinstance(loss, Multinomial):
        total = np.bincount(y.astype(np.intp), weights, len(model.classes_)).astype(np.float64)
    else:
        total = np.array([y.sum() if weights is None else weights @ y])
    return _ColumnsSeen(weight, total, table.n_rows, tuple(sketches))


# --- trees ----------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Node:
    """A node of a growing tree, with its histogram as whole numbers."""

    number: int
    histogram: GradientHistogram
    depth: int
    split: Any = None
    children: tuple[int, int] | None = None

    @property
    def sums(self) -> tuple[float, float, float]:
        """Gradients, Hessians and rows."""
        own = self.histogram
        return float(own.gradient[0].sum()), float(own.hessian[0].sum()), float(own.count[0].sum())


class _Course:
    """One call of `fit`."""

    def __init__(
        self,
        model: HistGradientBoostingBase,
        stream: Stream,
        plan: BoostingPlan,
        missing: NDArray[np.bool_],
    ) -> None:
        self.model, self.stream, self.plan, self.missing = model, stream, plan, missing

    def run(self) -> None:
        """Grow the trees."""
        for iteration in range(1, self.model.max_iter + 1):
            facts = self.stream.reduced(self.plan.facts, merged_facts, numbered=True)
            assert facts is not None
            found = [
                _Growth(self.model, self.stream, self.plan, output, facts, self.missing).tree()
                for output in range(len(self.plan.baseline))
            ]
            self.model.trees_.append([tree for _, tree in found])
            grown = tuple(each for each, _ in found)
            self.plan = replace(self.plan, trees=(*self.plan.trees, grown))
            progress = BoostingProgress(iteration, float(facts[0] / facts[1]), None, None)
            if self.model.callback is not None and self.model.callback(progress) is True:
                break


class _Growth:
    """A tree, grown leaf by leaf from the split of largest gain, or level by level."""

    def __init__(
        self,
        model: HistGradientBoostingBase,
        stream: Stream,
        plan: BoostingPlan,
        output: int,
        facts: Array,
        missing: NDArray[np.bool_],
    ) -> None:
        self.model, self.stream, self.plan, self.missing = model, stream, plan, missing
        self.output = output
        g, h = facts[3 + 2 * output : 5 + 2 * output]
        self.units = _unit(g, facts[2]), _unit(h, facts[2])
        self.splits: list[NodeSplit] = []
        self.nodes: dict[int, _Node] = {}

    def tree(self) -> tuple[GrownTree, Tree]:
        """The tree by bins, for the partitions, and by thresholds, for the model."""
        (root,) = self._histograms([0])
        self._enter(0, root, 0)
        leaves, chosen = [0], list[int]()
        most = self.model.max_leaf_nodes or 2**31
        while len(leaves) < most:
            able = [k for k in leaves if self.nodes[k].split is not None]
            if not able:
                break
            key = self._level_first if self.model.growth == "depth" else self._gain_first
            best = min(able, key=key)
            if self.nodes[best].children is None:
                self._look_ahead(able, most - len(leaves))
            left, right = self.nodes[best].children or (0, 0)
            leaves[leaves.index(best) : leaves.index(best) + 1] = [left, right]
            chosen.append(best)
        return self._finished(chosen, leaves)

    def _gain_first(self, k: int) -> tuple[float, int]:
        return -self.nodes[k].split.gain, k

    def _level_first(self, k: int) -> tuple[float, float]:
        return self.nodes[k].depth, -self.nodes[k].split.gain

    def _look_ahead(self, able: list[int], room: int) -> None:
        """The children of all leaves that may be split before long: one pass."""
        waiting = sorted((k for k in able if self.nodes[k].children is None), key=self._gain_first)
        small, large = [], []
        for k in waiting[:room]:
            node, split = self.nodes[k], self.nodes[k].split
            left = 1 + 2 * len(self.splits)
            node.children = (left, left + 1)
            self.splits.append(
                NodeSplit(k, split.feature, split.bin, split.missing_left, left, left + 1)
            )
            smaller = left if 2 * self._rows_left(node) <= node.sums[2] else left + 1
            small.append(smaller)
            large.append(left + (left + 1) - smaller)
        found = self._histograms(small)
        for k, one, other, histogram in zip(waiting, small, large, found, strict=False):
            depth = self.nodes[k].depth + 1
            self._enter(one, histogram, depth)
            self._enter(other, self.nodes[k].histogram.subtract(histogram), depth)

    def _rows_left(self, node: _Node) -> float:
        split, count = node.split, node.histogram.count[node.split.feature]
        return float(count[: split.bin + 1].sum() + split.missing_left * count[MISSING])

    def _histograms(self, wanted: list[int]) -> list[GradientHistogram]:
        splits = tuple(self.splits)
        recipe = HistogramsAt(self.plan, self.output, splits, tuple(wanted), self.units)
        found = self.stream.reduced(recipe, np.add, numbered=True)
        return [GradientHistogram(*sums) for sums in found]  # type: ignore[union-attr]

    def _enter(self, number: int, histogram: GradientHistogram, depth: int) -> None:
        node = self.nodes[number] = _Node(number, histogram, depth)
        if self.model.max_depth and depth >= self.model.max_depth:
            return
        in_units = GradientHistogram(
            histogram.gradient * self.units[0], histogram.hessian * self.units[1], histogram.count
        )
        node.split = in_units.best_split(
            l2=self.model.l2_regularization_, min_rows=self.model.min_samples_leaf
        )
        if node.split is not None and not self.missing[node.split.feature]:
            # a feature that was never missing sends what is missing the way most rows go
            most = 2 * self._rows_left(node) > node.sums[2]
            node.split = node.split._replace(missing_left=most)

    def _finished(self, chosen: list[int], leaves: list[int]) -> tuple[GrownTree, Tree]:
        order = [0, *(child for k in chosen for child in self.nodes[k].children or ())]
        place = {k: at for at, k in enumerate(order)}
        columns: dict[str, list[Any]] = {name: [] for name in _TREE_COLUMNS}
        steps: dict[int, float] = {}
        for k in order:
            node, inner = self.nodes[k], k in chosen
            gradient, hessian, rows = node.sums
            g, h = gradient * self.units[0], hessian * self.units[1]
            value = -g / (h + self.model.l2_regularization_ + 1e-15)
            saved = -g * value - 0.5 * value * value * h
            step = value * self.model.learning_rate
            if not inner:
                steps[k] = step
            left, right = (node.children or (0, 0)) if inner else (-1, -1)
            edges = self.plan.edges[node.split.feature] if inner else np.zeros(0)
            beyond = inner and node.split.bin >= len(edges)
            columns["children_left"].append(place[left] if inner else -1)
            columns["children_right"].append(place[right] if inner else -1)
            columns["feature"].append(node.split.feature if inner else -2)
            border = np.inf if beyond else edges[node.split.bin] if inner else -2.0
            columns["threshold"].append(border)
            columns["missing_go_to_left"].append(node.split.missing_left if inner else 0)
            columns["impurity"].append(-saved / rows if rows else 0.0)
            columns["n_node_samples"].append(rows)
            columns["value"].append([[step]])
        splits = tuple(each for each in self.splits if each.node in set(chosen))
        tree = Tree.of(**columns, n_features=self.model.n_features_in_)
        return GrownTree(splits, steps), tree


_TREE_COLUMNS = (
    "children_left", "children_right", "feature", "threshold", "missing_go_to_left", "impurity",
    "n_node_samples", "value",
)  # fmt: skip


def _unit(largest: float, rows: float) -> float:
    """The power of two whose multiples gradients become: sums of all rows stay exact."""
    if not largest > 0.0:
        return 1.0
    bits = min(BITS, 52 - ceil(log2(max(rows, 2.0))))
    return 2.0 ** (ceil(log2(largest)) - bits)
