"""The picture of a tree: what its boxes say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.tree.flat import LEAF, Tree, walk
from stylobate.tree.rules import condition, feature_names, number, require_tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LEAVES = 16  # drawn when nobody says how deep


@dataclass(frozen=True)
class NodeBox:
    """A node as `stylobate.plot.plot_tree_diagram` draws it."""

    parent: int
    depth: int
    words: tuple[str, ...]
    share: float
    color: int | None
    strength: float


def plot_tree(
    decision_tree: Any,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    label: str = "all",
    filled: bool = True,
    impurity: bool = False,
    node_ids: bool = False,
    proportion: bool = False,
    rounded: bool = True,
    precision: int = 3,
    ax: Axes | None = None,
    fontsize: float | None = None,
) -> Axes:
    """Draw a tree; of a large one, as many levels as can be read.

    Parameters
    ----------
    decision_tree : fitted tree
        A classifier or regressor.
    max_depth : int or None, default=None
        Levels drawn below the root; None for the whole tree, or what can be read of it. Where
        branches are cut off, the box says how many leaves follow.
    feature_names, class_names : array-like of str, optional
        By default those of the fit.
    label : {"all", "root", "none"}, default="all"
        Where the numbers get their names.
    filled, rounded : bool, default=True
        Whether boxes are coloured by class or value, and have round corners.
    impurity, node_ids : bool, default=False
        Whether to write impurities, and the numbers of the nodes.
    proportion : bool, default=False
        Shares of the rows instead of counts.
    precision : int, default=3
        Digits after the point.
    ax : matplotlib Axes, optional
        Where to draw; a new figure by default.
    fontsize : float, optional
        By default what fits.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> from stylobate.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
    >>> print(plot_tree(tree).texts[0].get_text())
    x0 <= 2.5
    3 rows
    a: 66.7 %
    """
    from stylobate.plot import plot_tree_diagram

    require_tree("plot_tree", decision_tree)
    boxes = boxes_of(
        decision_tree, max_depth=max_depth, names=feature_names, classes=class_names, label=label,
        impurity=impurity, node_ids=node_ids, proportion=proportion, precision=precision,
    )  # fmt: skip
    return plot_tree_diagram(boxes, fontsize=fontsize, rounded=rounded, filled=filled, ax=ax)


def boxes_of(
    model: Any, *, max_depth: int | None = None, names: Any = None, classes: Any = None,
    label: str = "all", impurity: bool = False, node_ids: bool = False, proportion: bool = False,
    precision: int = 3,
) -> list[NodeBox]:  # fmt: skip
    """The boxes of a tree, parents first and left before right."""
    tree: Tree = model.tree_
    depth_drawn = _readable_depth(tree) if max_depth is None else max_depth
    columns = feature_names(model, names)
    labels = classes if classes is not None else getattr(model, "classes_", None)
    leaves = _leaves_below(tree)
    boxes: list[NodeBox] = []
    place: dict[int, int] = {}
    parents = {int(child): node for node in range(tree.node_count)
               for child in (tree.children_left[node], tree.children_right[node])
               if child != LEAF}  # fmt: skip
    for node, depth in walk(tree):
        if depth > depth_drawn:
            continue
        words: list[str] = [f"node {node}"] if node_ids else []
        named = label == "all" or (label == "root" and node == 0)
        if tree.children_left[node] != LEAF and depth < depth_drawn:
            words.append(condition(model, node, "left", names=columns, decimals=precision))
        rows = int(tree.n_node_samples[node])
        share = rows / int(tree.n_node_samples[0])
        count = f"{number(100.0 * share, 1)} %" if proportion else f"{rows}"
        words.append(
            f"{count} rows" if named and rows != 1 else f"{count} row"[: len(count) + 4 * named]
        )
        if impurity:
            value = number(float(tree.impurity[node]), precision)
            words.append(f"{model.criterion} {value}" if named else value)
        words.append(_value_words(model, node, labels, precision))
        if tree.children_left[node] != LEAF and depth == depth_drawn:
            words.append(f"… {int(leaves[node])} leaves")
        place[node] = len(boxes)
        color, strength = _color(tree, node)
        parent = place[parents[node]] if node in parents else -1
        boxes.append(NodeBox(parent, depth, tuple(words), share, color, strength))
    return boxes


def _value_words(model: Any, node: int, labels: Any, precision: int) -> str:
    tree: Tree = model.tree_
    if labels is None:
        return ", ".join(number(float(each), precision) for each in tree.value[node][:, 0])
    every = labels if tree.n_outputs > 1 else [labels]
    words = []
    for names, shares in zip(every, tree.value[node], strict=True):
        best = int(np.argmax(shares))
        words.append(f"{names[best]}: {number(100.0 * float(shares[best]), 1)} %")
    return ", ".join(words)


def _color(tree: Tree, node: int) -> tuple[int | None, float]:
    shares = tree.value[node, 0]
    if len(shares) == 1:
        every = tree.value[:, 0, 0]
        return None, float((shares[0] - every.min()) / (float(np.ptp(every)) or 1.0))
    best, least = int(np.argmax(shares)), 1.0 / len(shares)
    return best, float((shares[best] - least) / (1.0 - least))


def _leaves_below(tree: Tree) -> np.ndarray[Any, np.dtype[np.int64]]:
    leaves = np.ones(tree.node_count, dtype=np.int64)
    for node in range(tree.node_count - 1, -1, -1):
        if tree.children_left[node] != LEAF:
            leaves[node] = leaves[tree.children_left[node]] + leaves[tree.children_right[node]]
    return leaves


def _readable_depth(tree: Tree) -> int:
    """The deepest level down to which there are few enough boxes side by side."""
    depths = tree.depths
    ends = tree.children_left == LEAF
    deepest = int(depths.max())
    for depth in range(1, deepest + 1):
        drawn = int(((depths == depth) | (ends & (depths < depth))).sum())
        if drawn > _MOST_LEAVES:
            return max(depth - 1, 1)
    return deepest
