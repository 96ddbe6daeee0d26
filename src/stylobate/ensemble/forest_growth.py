"""Growing the trees of a forest: which rows each sees, and which way of growing is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.tree.flat import Tree
from stylobate.tree.growing import Growth, compressed_columns, tree_columns

_RANKED = ("gini", "entropy", "squared_error")
_CELLS = 1 << 28  # of a sparse table whose ranks, 5 bytes each, are made dense
_FEW_OF = 3  # columns: up to this part of them, sorting ranks in each node beats sorted lists


@dataclass(frozen=True, eq=False)
class ForestRows:
    """What all trees of a forest are grown from.

    Parameters
    ----------
    x : array or sparse array of shape (n, p)
        Numbers and codes of categories; NaN is missing.
    target : array of shape (n, n_outputs)
        Class numbers, or numbers.
    n_classes : tuple of int
        Of each output; empty for numbers.
    categories : int32 array of shape (p,)
        Number of categories of each column, 0 for numbers.
    draws : int
        Rows drawn for each tree with replacement; 0: each tree sees all rows.
    weights : array of shape (n,) or None
        With draws, how likely a row is drawn; without, how much it counts.
    balanced : bool
        Weigh classes by the inverse of their share of the rows drawn.
    """

    x: Any
    target: NDArray[Any]
    n_classes: tuple[int, ...]
    categories: NDArray[np.int32]
    draws: int = 0
    weights: Array | None = None
    balanced: bool = False

    @property
    def total_weight(self) -> float:
        """Of the rows of a tree."""
        if self.draws:
            return float(self.draws)
        return float(self.x.shape[0] if self.weights is None else self.weights.sum())

    def ranks_do(self, growth: Growth) -> bool:
        """Whether trees grow fastest by sorting ranks in each node."""
        return (
            growth.criterion in _RANKED
            and not growth.random_splits
            and growth.monotone is None
            and growth.max_leaf_nodes == 0
            and self.target.shape[1] == 1
            and not self.categories.any()
            and (growth.max_features * _FEW_OF <= self.x.shape[1] or self._are_counted(growth))
            and (isinstance(self.x, np.ndarray) or self.x.shape[0] * self.x.shape[1] <= _CELLS)
        )

    def _are_counted(self, growth: Growth) -> bool:
        """Whether draws of two classes are all a split needs: cheap for any number of columns."""
        return (
            growth.criterion == "gini"
            and self.n_classes == (2,)
            and (self.draws > 0 or self.weights is None)
            and growth.min_weight_leaf == 0
        )

    def grower(self, growth: Growth) -> Any:
        """A function from seeds to trees; columns are sorted once."""
        return _by_ranks(self, growth) if self.ranks_do(growth) else _exact(self, growth)


def cumulative_chances(weights: Array | None) -> Array | None:
    """Running sums of the rows' chances to be drawn, up to 1; None where all are equal.

    >>> cumulative_chances(np.array([1.0, 0.0, 3.0]))
    array([0.25, 0.25, 1.  ])
    """
    if weights is None:
        return None
    sums = np.cumsum(weights / weights.sum())
    return np.asarray(sums / sums[-1])


def drawn(n_rows: int, draws: int, seed: int, chances: Array | None) -> NDArray[np.uint32]:
    """How often each row is drawn for the tree of a seed; ones if none are drawn.

    >>> drawn(4, 4, 0, None).tolist()
    [2, 1, 0, 1]
    """
    if not draws:
        return np.ones(n_rows, dtype=np.uint32)
    return _core.drawn_counts(n_rows, draws, seed, chances)


def _by_ranks(rows: ForestRows, growth: Growth) -> Any:
    if isinstance(rows.x, np.ndarray):
        columns = _core.RankedColumns(rows.x)
    else:
        columns = _core.RankedColumns(*compressed_columns(rows.x), rows.x.shape[0])
    classes = rows.n_classes[0] if rows.n_classes else 0
    kind = np.int32 if classes else np.float64
    target: Any = np.ascontiguousarray(rows.target[:, 0], dtype=kind)
    chances = cumulative_chances(rows.weights) if rows.draws else None

    def grow(seeds: Sequence[int]) -> list[Tree]:
        grown = columns.grow(
            classes=classes,
            labels=target if classes else None,
            numbers=None if classes else target,
            weights=None if rows.draws else rows.weights,
            seeds=list(seeds),
            draws=rows.draws,
            balanced=rows.balanced,
            cumulative=chances,
            criterion=growth.criterion,
            max_features=growth.max_features,
            max_depth=growth.max_depth or 0,
            min_samples_split=growth.min_samples_split,
            min_samples_leaf=growth.min_samples_leaf,
            min_weight_leaf=growth.min_weight_leaf,
            min_impurity_decrease=growth.min_impurity_decrease,
        )
        return [Tree(**arrays, n_features=rows.x.shape[1]) for arrays in grown]

    return grow


def _exact(rows: ForestRows, growth: Growth) -> Any:
    options = growth.options()
    columns = tree_columns(rows.x, rows.categories, options)
    weights = None if rows.draws else rows.weights
    chances = cumulative_chances(rows.weights) if rows.draws else None
    kind = np.int32 if rows.n_classes else np.float64
    target: Any = np.ascontiguousarray(rows.target, dtype=kind)

    def grow(seeds: Sequence[int]) -> list[Tree]:
        if rows.n_classes:
            grown = _core.grow_classes(
                columns, target, list(rows.n_classes), weights, options, list(seeds), rows.draws,
                rows.balanced, chances,
            )  # fmt: skip
        else:
            grown = _core.grow_numbers(
                columns, target, weights, options, list(seeds), rows.draws, chances
            )
        return [Tree(**arrays, n_features=rows.x.shape[1]) for arrays in grown]

    return grow
