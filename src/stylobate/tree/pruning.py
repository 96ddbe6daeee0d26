"""Cost-complexity pruning: trees between the whole one and its root."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.tree.flat import LEAF, UNDEFINED, Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class PruningPath:
    r"""The trees of minimal :math:`R(T) + \alpha |T|` for growing α.

    Attributes
    ----------
    ccp_alphas : array of shape (n_trees,)
        The α from which on each tree is the best, increasing.
    impurities : array of shape (n_trees,)
        R: the weighted impurity of its leaves.
    n_leaves : array of shape (n_trees,)
        \|T\|: how many leaves it has.

    Examples
    --------
    >>> from stylobate.tree import DecisionTreeRegressor
    >>> X, y = [[1.0], [2.0], [4.0]], [1, 2, 9]
    >>> path = DecisionTreeRegressor().cost_complexity_pruning_path(X, y)
    >>> path.n_leaves.tolist(), path["impurities"].round(3).tolist()
    ([3, 2, 1], [0.0, 0.167, 12.667])
    """

    ccp_alphas: Array
    impurities: Array
    n_leaves: NDArray[np.int64]

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def keys(self) -> tuple[str, ...]:
        """Names of the arrays."""
        return ("ccp_alphas", "impurities", "n_leaves")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Impurity against α, as steps."""
        from stylobate.plot import plot_pruning_path

        return plot_pruning_path(self, ax=ax)


def _risks(tree: Tree) -> Array:
    risks = tree.impurity * tree.weighted_n_node_samples / tree.weighted_n_node_samples[0]
    return np.asarray(risks)


def pruning_path(tree: Tree) -> PruningPath:
    """All trees pruning passes, from the whole one to the root alone.

    Parameters
    ----------
    tree : Tree
        A grown tree.

    Returns
    -------
    PruningPath
    """
    risks = _risks(tree)
    leaves = tree.children_left == LEAF
    nodes, alphas, left_over = _core.weakest_links(tree.children_left, tree.children_right, risks)
    counts = [int(leaves.sum())]
    gone = np.zeros(tree.node_count, dtype=bool)
    size = _subtree_ends(tree)
    ending = leaves.copy()
    for node in nodes.tolist():
        inside = slice(node, int(size[node]))
        lost = int((ending[inside] & ~gone[inside]).sum())
        gone[node + 1 : int(size[node])] = True
        ending[node] = True
        counts.append(counts[-1] - lost + 1)
    return PruningPath(
        np.append(0.0, alphas), np.append(risks[leaves].sum(), left_over), np.array(counts)
    )


def _subtree_ends(tree: Tree) -> NDArray[np.int64]:
    """For each node of a tree in preorder, one more than the last node below it."""
    ends = np.arange(1, tree.node_count + 1)
    for node in range(tree.node_count - 1, -1, -1):
        if tree.children_left[node] != LEAF:
            ends[node] = ends[tree.children_right[node]]
    return ends


def prune(tree: Tree, ccp_alpha: float) -> Tree:
    """The smallest tree of least R(T) + ccp_alpha·|T|.

    Parameters
    ----------
    tree : Tree
        A grown tree in preorder.
    ccp_alpha : float in [0, inf)
        The price of a leaf; 0 leaves the tree as it is.

    Returns
    -------
    Tree

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, chapter 3.
    """
    if ccp_alpha <= 0.0:
        return tree
    nodes, alphas, _ = _core.weakest_links(tree.children_left, tree.children_right, _risks(tree))
    # penalties do not fall along the path but for rounding
    reached = np.flatnonzero(np.maximum.accumulate(alphas) > ccp_alpha)
    cut = nodes[: reached[0]] if len(reached) else nodes
    if not len(cut):
        return tree
    kept = np.ones(tree.node_count, dtype=bool)
    ends = _subtree_ends(tree)
    for node in cut.tolist():
        kept[node + 1 : int(ends[node])] = False
    return _without(tree, kept, cut)


def _without(tree: Tree, kept: NDArray[np.bool_], leaves: NDArray[np.int64]) -> Tree:
    number = (np.cumsum(kept) - 1).astype(np.int32)
    changed: dict[str, Any] = {}
    for name, blank in (
        ("children_left", LEAF), ("children_right", LEAF), ("feature", UNDEFINED),
        ("threshold", UNDEFINED), ("missing_go_to_left", 0), ("category_start", -1),
    ):  # fmt: skip
        changed[name] = getattr(tree, name).copy()
        changed[name][leaves] = blank
    for name in ("children_left", "children_right"):
        old = changed[name]
        changed[name] = np.where(old == LEAF, LEAF, number[old]).astype(np.int32)
    for name in ("impurity", "n_node_samples", "weighted_n_node_samples", "value"):
        changed[name] = getattr(tree, name)
    return replace(tree, **{name: array[kept] for name, array in changed.items()})
