"""How much each column matters to a forest, with the spread over its trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.tree.flat import FlatForest, Tree


@dataclass(frozen=True, eq=False)
class ForestImportances:
    r"""Importances of columns: means over the trees and how far they may be off.

    .. math:: \hat I_j = \frac1T \sum_t I_{tj}, \qquad
              \text{se}_j = \frac{\text{sd}_t(I_{tj})}{\sqrt T}

    The intervals tell how far another forest of T trees grown from the same rows may differ, not
    how far other rows would.

    Attributes
    ----------
    estimates : array of shape (n_features,)
        Mean over the trees.
    standard_errors : array of shape (n_features,)
        Of the means.
    names : tuple of str
        Of the columns.
    kind : str
        "permutation" or "impurity".
    confidence : float
        Of the intervals.

    Examples
    --------
    >>> found = ForestImportances(np.array([0.3, 0.0]), np.array([0.01, 0.01]), ("a", "b"))
    >>> found.intervals.round(2).tolist()
    [[0.28, 0.32], [-0.02, 0.02]]
    >>> print(found)
    permutation importances (95 % intervals)
    a  0.3000  [0.2804, 0.3196]
    b  0.0000  [-0.0196, 0.0196]
    """

    estimates: Array
    standard_errors: Array
    names: tuple[str, ...] = ()
    kind: str = "permutation"
    confidence: float = 0.95

    @property
    def intervals(self) -> Array:
        """Lower and upper ends, of shape (n_features, 2)."""
        from scipy.special import ndtri

        half = float(ndtri(0.5 + self.confidence / 2)) * self.standard_errors
        return np.column_stack([self.estimates - half, self.estimates + half])

    @property
    def normalised(self) -> Array:
        """The estimates as shares of their sum."""
        total = self.estimates.sum()
        return self.estimates / total if total > 0 else np.zeros_like(self.estimates)

    @property
    def order(self) -> NDArray[np.intp]:
        """Columns from the most to the least important."""
        return np.argsort(-self.estimates, kind="stable")

    def named(self, names: tuple[str, ...], confidence: float) -> ForestImportances:
        """The same with names and a confidence."""
        from stylobate.exceptions import InvalidParameterError

        if not 0.0 < confidence < 1.0:
            raise InvalidParameterError(
                f"importances: confidence must be a number in (0, 1), got {confidence!r}."
            )
        return replace(self, names=names, confidence=confidence)

    def __str__(self) -> str:
        width = max((len(name) for name in self.names), default=0)
        lines = [f"{self.kind} importances ({100 * self.confidence:g} % intervals)"]
        for j in self.order:
            low, high = self.intervals[j]
            name = self.names[j].ljust(width)
            lines.append(f"{name}  {self.estimates[j]:.4f}  [{low:.4f}, {high:.4f}]")
        return "\n".join(lines)

    def plot(self, ax: Axes | None = None, *, most: int = 20) -> Axes:
        """Points with intervals, the most important columns on top.

        Parameters
        ----------
        ax : Axes, optional
            Where to draw.
        most : int, default=20
            Columns to show.

        Returns
        -------
        Axes
        """
        from stylobate.plot import plot_forest_importances

        return plot_forest_importances(self, ax=ax, most=most)


def impurity_importances(trees: Sequence[Tree], n_features: int) -> ForestImportances:
    """Shares of the decrease of impurity in each tree; trees of one leaf have nothing to say."""
    split = [tree for tree in trees if tree.node_count > 1]
    if not split:
        zeros = np.zeros(n_features)
        return ForestImportances(zeros, zeros, kind="impurity")
    return _over_trees(np.array([tree.compute_feature_importances() for tree in split]), "impurity")


def permutation_importances(
    forest: FlatForest,
    trees: Sequence[Tree],
    x: NDArray[Any],
    counts: Iterator[NDArray[np.uint32]],
    losses: Callable[[Array, NDArray[np.intp]], Array],
    stream: np.random.RandomState,
) -> ForestImportances:
    """How much the mean loss of each tree on rows it has not seen grows by shuffling a column.

    Columns that a tree does not split on cannot matter to it.
    """
    rises = np.zeros((len(trees), x.shape[1]))
    for number, (tree, count) in enumerate(zip(trees, counts, strict=True)):
        rows = np.flatnonzero(count == 0)
        if len(rows) < 2:
            continue
        held = np.array(x[rows], dtype=np.float64)
        before = losses(forest.add(held, first=number, last=number + 1), rows).mean()
        for col in np.unique(tree.feature[tree.feature >= 0]):
            kept = held[:, col].copy()
            held[:, col] = kept[stream.permutation(len(rows))]
            after = losses(forest.add(held, first=number, last=number + 1), rows).mean()
            rises[number, col] = after - before
            held[:, col] = kept
    return _over_trees(rises, "permutation")


def _over_trees(each: Array, kind: str) -> ForestImportances:
    count = len(each)
    spread = each.std(axis=0, ddof=1) if count > 1 else np.zeros(each.shape[1])
    return ForestImportances(each.mean(axis=0), spread / np.sqrt(count), kind=kind)
