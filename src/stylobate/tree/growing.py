"""From checked data and plain options to grown trees: the estimators' way into the core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.tree.flat import Tree


@dataclass(frozen=True)
class Growth:
    """How trees are grown, every parameter resolved for the data at hand.

    Parameters
    ----------
    criterion : str
        "gini", "entropy", "misclassification", "squared_error", "absolute_error" or "poisson".
    random_splits : bool, default=False
        Thresholds drawn at random instead of the best.
    max_depth : int or None, default=None
        Most splits above a leaf.
    min_samples_split, min_samples_leaf : int
        Fewest rows of a node that is split, and of a leaf.
    min_weight_leaf : float, default=0
        Least weight of a leaf.
    max_features : int, default=0
        Columns looked at for a split; 0 for all.
    max_leaf_nodes : int, default=0
        Leaves at most, the best splits first; 0 for any number.
    min_impurity_decrease : float, default=0
        What a split must bring, as a share of all rows.
    monotone : tuple of int or None, default=None
        Sign of the dependence on every column, 0 for any.

    Examples
    --------
    >>> x, y = np.arange(4.0)[:, None], np.array([0.0, 0.0, 1.0, 1.0])
    >>> (tree,) = grow_numbers(x, y[:, None], growth=Growth("squared_error"), seeds=[0])
    >>> tree.threshold.tolist()
    [1.5, -2.0, -2.0]
    """

    criterion: str
    random_splits: bool = False
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    max_features: int = 0
    max_leaf_nodes: int = 0
    min_impurity_decrease: float = 0.0
    monotone: tuple[int, ...] | None = None

    def options(self) -> _core.GrowthOptions:
        """The same for the core."""
        signs = None if self.monotone is None else np.array(self.monotone, dtype=np.int8)
        return _core.GrowthOptions(
            criterion=self.criterion,
            random_splits=self.random_splits,
            max_depth=self.max_depth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_weight_leaf=self.min_weight_leaf,
            max_features=self.max_features,
            max_leaf_nodes=self.max_leaf_nodes,
            min_impurity_decrease=self.min_impurity_decrease,
            monotone=signs,
        )


def resolve_growth(
    model: Any,
    criterion: str,
    n_rows: int,
    n_features: int,
    total_weight: float,
    monotone: tuple[int, ...] | None,
) -> Growth:
    """The growth an estimator's parameters ask for, given the size of its data.

    Parameters
    ----------
    model : estimator
        With scikit-learn's parameters of trees; `splitter` "random" or a missing one count.
    criterion : str
        Name in the core.
    n_rows, n_features : int
        Shape of X.
    total_weight : float
        Sum of the weights of the rows.
    monotone : tuple of int or None
        Signs, checked.
    """
    least = model.min_samples_leaf
    least = least if isinstance(least, int | np.integer) else ceil(least * n_rows)
    split = model.min_samples_split
    split = split if isinstance(split, int | np.integer) else max(2, ceil(split * n_rows))
    return Growth(
        criterion,
        random_splits=getattr(model, "splitter", "best") == "random",
        max_depth=None if model.max_depth is None else int(model.max_depth),
        min_samples_split=int(max(split, 2 * least)),
        min_samples_leaf=int(least),
        min_weight_leaf=float(model.min_weight_fraction_leaf) * total_weight,
        max_features=features_asked(model.max_features, n_features),
        max_leaf_nodes=int(model.max_leaf_nodes or 0),
        min_impurity_decrease=float(model.min_impurity_decrease),
        monotone=monotone,
    )


def features_asked(max_features: Any, n_features: int) -> int:
    """How many columns `max_features` means.

    >>> [features_asked(each, 30) for each in (None, "sqrt", "log2", 0.5, 7)]
    [30, 5, 4, 15, 7]
    """
    if max_features is None:
        return n_features
    if isinstance(max_features, str):
        return max(1, int(sqrt(n_features) if max_features == "sqrt" else log2(n_features)))
    if isinstance(max_features, int | np.integer):
        return min(int(max_features), n_features)
    return max(1, int(max_features * n_features))


def grow_classes(
    x: Any,
    codes: NDArray[np.int64],
    n_classes: Sequence[int],
    *,
    growth: Growth,
    seeds: Sequence[int],
    weights: Array | None = None,
    categories: NDArray[np.int32] | None = None,
    draws: int = 0,
    balanced: bool = False,
) -> list[Tree]:
    """One classification tree for each seed.

    Parameters
    ----------
    x : array or sparse array of shape (n, p)
        Numbers and codes of categories; NaN is missing.
    codes : int array of shape (n, n_outputs)
        Class numbers.
    n_classes : sequence of int
        Of each output.
    growth : Growth
        How.
    seeds : sequence of int
        Tree t depends on its seed, not on the other trees.
    weights : float array of shape (n,), optional
        Of the rows; rows of weight 0 are left out.
    categories : int32 array of shape (p,), optional
        Number of categories of each column, 0 for numbers.
    draws : int, default=0
        Rows drawn with replacement for each tree (see `drawn_counts`); 0 for all rows.
    balanced : bool, default=False
        Weigh classes by the inverse of their frequency among the rows drawn.

    Returns
    -------
    list of Tree
    """
    options = growth.options()
    columns = tree_columns(x, categories, options)
    labels = np.ascontiguousarray(codes, dtype=np.int32)
    grown = _core.grow_classes(
        columns, labels, list(n_classes), weights, options, list(seeds), draws, balanced
    )
    return [Tree(**arrays, n_features=x.shape[1]) for arrays in grown]


def grow_numbers(
    x: Any,
    y: Array,
    *,
    growth: Growth,
    seeds: Sequence[int],
    weights: Array | None = None,
    categories: NDArray[np.int32] | None = None,
    draws: int = 0,
) -> list[Tree]:
    """One regression tree for each seed; y of shape (n, n_outputs), the rest as `grow_classes`."""
    options = growth.options()
    columns = tree_columns(x, categories, options)
    target = np.ascontiguousarray(y, dtype=np.float64)
    grown = _core.grow_numbers(columns, target, weights, options, list(seeds), draws)
    return [Tree(**arrays, n_features=x.shape[1]) for arrays in grown]


def drawn_counts(n_rows: int, draws: int, seed: int) -> NDArray[np.uint32]:
    """How often each row is drawn for the tree of a seed; rows never drawn are out of its bag.

    >>> counts = drawn_counts(100, 100, seed=1)
    >>> int(counts.sum()), bool((counts == 0).any())
    (100, True)
    """
    return _core.drawn_counts(n_rows, draws, seed)


def tree_columns(
    x: Any, categories: NDArray[np.int32] | None, options: _core.GrowthOptions
) -> _core.TreeColumns:
    """Columns made ready for growing; of a sparse table only what is stored takes memory.

    >>> from scipy.sparse import csr_array
    >>> x, y = csr_array([[0.0], [0.0], [3.0]]), np.array([[1.0], [1.0], [2.0]])
    >>> (tree,) = grow_numbers(x, y, growth=Growth("squared_error"), seeds=[0])
    >>> tree.threshold.tolist()
    [1.5, -2.0, -2.0]
    """
    if isinstance(x, np.ndarray):
        counts = None if categories is None or not categories.any() else categories
        return _core.TreeColumns(np.asarray(x, dtype=np.float64), counts, options)
    return _core.TreeColumns(*compressed_columns(x), x.shape[0])


def compressed_columns(
    x: Any,
) -> tuple[Array, NDArray[np.int32], NDArray[np.int32]]:
    """Values, rows and offsets of the columns of a canonical sparse array.

    >>> from scipy.sparse import csr_array
    >>> [part.tolist() for part in compressed_columns(csr_array([[0.0, 2.0], [1.0, 3.0]]))]
    [[1.0, 2.0, 3.0], [1, 0, 1], [0, 1, 3]]
    """
    columns = x.tocsc()
    if columns.nnz > np.iinfo(np.int32).max:
        raise InvalidDataError(
            f"X holds {columns.nnz} entries; trees take sparse tables of at most 2147483647."
        )
    return (
        np.asarray(columns.data, dtype=np.float64),
        np.asarray(columns.indices, dtype=np.int32),
        np.asarray(columns.indptr, dtype=np.int32),
    )
