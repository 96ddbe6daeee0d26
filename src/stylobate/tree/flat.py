"""`Tree`: one fitted tree as plain arrays, and `FlatForest`: trees packed for prediction."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

LEAF = -1  # in children_left and children_right
UNDEFINED = -2  # feature and threshold of a leaf
_BLOCK_CELLS = 1 << 22  # of a sparse table that are dense at once


@dataclass(frozen=True, eq=False)
class Tree:
    r"""A binary tree as equal-length arrays under scikit-learn's names, children after parents.

    Node i sends a row left if :math:`x_f \le t` (f = ``feature[i]``, t = ``threshold[i]``), or,
    for a split by categories, if the bit of the row's code is set.

    Parameters
    ----------
    children_left, children_right : int32 arrays of shape (n_nodes,)
        Numbers of the children; -1 in leaves.
    feature : int32 array of shape (n_nodes,)
        The column split; -2 in leaves.
    threshold : float64 array of shape (n_nodes,)
        Rows with x <= threshold go left; -2 in leaves, NaN where categories decide.
    missing_go_to_left : uint8 array of shape (n_nodes,)
        Where NaN (and categories never seen) goes.
    impurity : float64 array of shape (n_nodes,)
        Of the training rows in the node.
    n_node_samples : int64 array of shape (n_nodes,)
        How many there are.
    weighted_n_node_samples : float64 array of shape (n_nodes,)
        Sum of their weights.
    value : float64 array of shape (n_nodes, n_outputs, n_classes or 1)
        Class fractions, or means (medians for absolute errors).
    category_start : int32 array of shape (n_nodes,)
        -1 for a split by threshold; else ``categories[start]`` is the number of words of the split
        and the words follow it.
    categories : uint32 array
        Word counts and words of all splits by categories; bit c % 32 of word c // 32 is set if
        code c goes left.
    n_features : int, default=0
        Columns of the rows it was grown from; 0 if nobody said.

    Examples
    --------
    >>> stump = Tree.of(
    ...     children_left=[1, -1, -1], children_right=[2, -1, -1], feature=[0, -2, -2],
    ...     threshold=[0.5, -2, -2], value=[[[1.5]], [[1.0]], [[2.0]]], n_features=1,
    ... )
    >>> stump.predict(np.array([[0.2], [0.7]]))
    array([[[1.]],
    <BLANKLINE>
           [[2.]]])

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees.
    """

    children_left: NDArray[np.int32]
    children_right: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: Array
    missing_go_to_left: NDArray[np.uint8]
    impurity: Array
    n_node_samples: NDArray[np.int64]
    weighted_n_node_samples: Array
    value: Array
    category_start: NDArray[np.int32]
    categories: NDArray[np.uint32]
    n_features: int = 0

    @classmethod
    def of(
        cls, *, children_left: Any, children_right: Any, feature: Any, threshold: Any, value: Any,
        missing_go_to_left: Any = None, impurity: Any = None, n_node_samples: Any = None,
        weighted_n_node_samples: Any = None, category_start: Any = None, categories: Any = None,
        n_features: int = 0,
    ) -> Tree:  # fmt: skip
        """A tree of array-likes, converted and with what is left out filled in."""
        n = len(children_left)

        def column(given: Any, dtype: Any, otherwise: float) -> Any:
            values = np.full(n, otherwise) if given is None else given
            return np.ascontiguousarray(values, dtype=dtype)

        weights = n_node_samples if weighted_n_node_samples is None else weighted_n_node_samples
        return cls(
            column(children_left, np.int32, LEAF),
            column(children_right, np.int32, LEAF),
            column(feature, np.int32, UNDEFINED),
            column(threshold, np.float64, UNDEFINED),
            column(missing_go_to_left, np.uint8, 0),
            column(impurity, np.float64, 0.0),
            column(n_node_samples, np.int64, 0),
            column(weights, np.float64, 0.0),
            np.ascontiguousarray(value, dtype=np.float64),
            column(category_start, np.int32, -1),
            np.ascontiguousarray([] if categories is None else categories, dtype=np.uint32),
            n_features,
        )

    @property
    def node_count(self) -> int:
        """Number of nodes."""
        return len(self.children_left)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int((self.children_left == LEAF).sum())

    @property
    def n_outputs(self) -> int:
        """Number of targets."""
        return int(self.value.shape[1])

    @property
    def n_classes(self) -> NDArray[np.intp]:
        """Classes of each output (the most any has); 1 for regression."""
        return np.full(self.n_outputs, self.value.shape[2], dtype=np.intp)

    @property
    def max_n_classes(self) -> int:
        """The most classes an output has."""
        return int(self.value.shape[2])

    @property
    def depths(self) -> NDArray[np.int64]:
        """How many splits lie above each node."""
        depth = np.zeros(self.node_count, dtype=np.int64)
        for node in np.flatnonzero(self.children_left != LEAF):  # parents come first
            depth[self.children_left[node]] = depth[self.children_right[node]] = depth[node] + 1
        return depth

    @property
    def max_depth(self) -> int:
        """The most splits between the root and a leaf."""
        return int(self.depths.max(initial=0))

    def left_categories(self, node: int) -> NDArray[np.int64] | None:
        """The codes a split sends left; None for a split by threshold or a leaf."""
        start = int(self.category_start[node])
        if start < 0:
            return None
        words = self.categories[start + 1 : start + 1 + int(self.categories[start])]
        bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little")
        return np.flatnonzero(bits)

    def _check_loaded(self) -> None:
        """Refuse arrays out of a file that make no tree."""
        from stylobate.tree.loaded import check_tree

        check_tree(self)

    def predict(self, X: Any) -> Array:
        """The value of each row's leaf, of shape (n, n_outputs, n_classes)."""
        flat = FlatForest.of((self,), X.shape[1])
        sums = np.concatenate([flat.add(block) for block in blocks_of(X)])
        return sums.reshape(X.shape[0], *self.value.shape[1:])

    def apply(self, X: Any) -> NDArray[np.int64]:
        """The number of each row's leaf; rows may be a sparse array."""
        flat = FlatForest.of((self,), X.shape[1])
        return np.concatenate([flat.apply(block)[:, 0] for block in blocks_of(X)])

    def decision_path(self, X: Any) -> csr_array[Any]:
        """Ones for the nodes each row passes, of shape (n, node_count)."""
        from scipy.sparse import vstack

        flat = FlatForest.of((self,), X.shape[1])
        parts = [flat.decision_path(block) for block in blocks_of(X)]
        return parts[0] if len(parts) == 1 else vstack(parts, format="csr")

    def compute_feature_importances(self, normalize: bool = True) -> Array:
        """The decrease of impurity each column brought, by default as shares of 1."""
        splits = np.flatnonzero(self.children_left != LEAF)
        held = self.weighted_n_node_samples * self.impurity
        gained = held[splits] - held[self.children_left[splits]] - held[self.children_right[splits]]
        width = self.n_features or int(self.feature.max(initial=0)) + 1
        sums = np.bincount(self.feature[splits], weights=gained, minlength=width)
        sums = sums / self.weighted_n_node_samples[0]
        total = sums.sum()
        return np.asarray(sums / total if normalize and total > 0.0 else sums)


_packed: weakref.WeakKeyDictionary[Tree, list[FlatForest]] = weakref.WeakKeyDictionary()


class FlatForest:
    """Trees packed for prediction; sums over trees are taken in their order on any thread count.

    It is no part of a fitted model: `FlatForest.of` packs trees when first asked and remembers the
    answer for as long as the trees live.

    Parameters
    ----------
    trees : sequence of Tree
        At least one; their values have one shape.
    n_features : int
        Columns of the rows to come.

    Examples
    --------
    >>> stump = Tree.of(
    ...     children_left=[1, -1, -1], children_right=[2, -1, -1], feature=[0, -2, -2],
    ...     threshold=[0.5, -2, -2], value=[[[1.5]], [[1.0]], [[2.0]]], n_features=1,
    ... )
    >>> FlatForest.of([stump, stump], 1).add(np.array([[0.2], [0.7]])).tolist()
    [[2.0], [4.0]]
    """

    def __init__(self, trees: Sequence[Tree], n_features: int) -> None:
        self._core = _core.FlatForest(list(trees), n_features)
        self._of = tuple(map(id, trees))
        self.n_features = n_features
        self.node_offsets = np.cumsum([0, *(tree.node_count for tree in trees)])

    @classmethod
    def of(cls, trees: Sequence[Tree], n_features: int) -> FlatForest:
        """The packed form of these trees, from memory if they were packed before."""
        known = _packed.setdefault(trees[0], [])
        identity = tuple(map(id, trees))
        for forest in known:
            if forest._of == identity and forest.n_features == n_features:
                return forest
        forest = cls(trees, n_features)
        known[:] = [forest, *known[:1]]  # of the same first tree: itself, and a forest it is in
        return forest

    def add(
        self,
        X: NDArray[Any],
        *,
        first: int = 0,
        last: int | None = None,
        columns: NDArray[np.int32] | None = None,
        n_columns: int | None = None,
    ) -> Array:
        """Sums of the leaves' values over trees first … last - 1.

        Parameters
        ----------
        X : float64 or float32 array of shape (n, n_features)
            Rows; NaN is missing.
        first, last : int
            Which trees; all by default.
        columns : int32 array of shape (n_trees,), optional
            Where each tree's values start in the answer; 0 by default.
        n_columns : int, optional
            Columns of the answer; by default as many as a value has numbers.

        Returns
        -------
        float64 array of shape (n, n_columns)
        """
        width = self._core.width if n_columns is None else n_columns
        return self._core.add(_numbers(X), first, last, columns, width)

    def apply(self, X: NDArray[Any]) -> NDArray[np.int64]:
        """Leaf of every row in every tree, of shape (n, n_trees)."""
        return self._core.leaves(_numbers(X))

    def decision_path(self, X: NDArray[Any]) -> csr_array[Any]:
        """Ones for the nodes each row passes; the nodes of tree t start at ``node_offsets[t]``."""
        from scipy.sparse import csr_array

        offsets, nodes = self._core.paths(_numbers(X))
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_array((ones, nodes, offsets), shape=(len(X), int(self.node_offsets[-1])))


def dense_blocks(x: Any) -> Iterator[NDArray[Any]]:
    """The rows of a sparse array, some at a time.

    >>> from scipy.sparse import csr_array
    >>> [block.tolist() for block in dense_blocks(csr_array([[0.0, 1.0], [2.0, 0.0]]))]
    [[[0.0, 1.0], [2.0, 0.0]]]
    """
    rows = x.tocsr()  # once: slices of compressed columns would read all of them
    size = max(1, _BLOCK_CELLS // max(x.shape[1], 1))
    for start in range(0, x.shape[0], size):
        yield rows[start : start + size].toarray()


def blocks_of(x: Any) -> Iterator[NDArray[Any]]:
    """Rows as dense blocks: one if they are dense."""
    if isinstance(x, np.ndarray):
        yield x
    else:
        yield from dense_blocks(x)


def _numbers(X: NDArray[Any]) -> NDArray[Any]:
    return X if X.dtype in (np.float64, np.float32) else X.astype(np.float64)


def walk(tree: Tree) -> Iterator[tuple[int, int]]:
    """Nodes and their depths, parents first, left before right."""
    waiting = [(0, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        if tree.children_left[node] != LEAF:
            waiting.append((int(tree.children_right[node]), depth + 1))
            waiting.append((int(tree.children_left[node]), depth + 1))
