"""Trees as text: scikit-learn's two formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError
from stylobate.tree.flat import LEAF
from stylobate.tree.rules import condition, feature_names, require_tree


def export_text(
    decision_tree: Any,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    max_depth: int = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """The tree as indented text.

    Parameters
    ----------
    decision_tree : fitted tree
        A classifier or regressor.
    feature_names, class_names : array-like of str, optional
        By default those of the fit; without names columns are feature_0, feature_1, ….
    max_depth : int in [0, inf), default=10
        Deeper branches are cut off, and said to be.
    spacing : int in [1, inf), default=3
        Dashes of each level.
    decimals : int in [0, inf), default=2
        Digits after the point.
    show_weights : bool, default=False
        Whether leaves of a classifier show the weight of every class.

    Returns
    -------
    str

    Examples
    --------
    >>> from stylobate.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[1.0], [2.0], [3.0]], [0, 0, 1])
    >>> print(export_text(tree))
    |--- feature_0 <= 2.50
    |   |--- class: 0
    |--- feature_0 >  2.50
    |   |--- class: 1
    <BLANKLINE>
    """
    require_tree("export_text", decision_tree)
    for name, value, least in (("max_depth", max_depth, 0), ("spacing", spacing, 1),
                               ("decimals", decimals, 0)):  # fmt: skip
        if value < least:
            raise InvalidParameterError(
                f"export_text: {name} must be at least {least}, got {value!r}."
            )
    tree = decision_tree.tree_
    names = _names(decision_tree, feature_names, "feature_{}")
    heights = _heights(tree)
    lines: list[str] = []
    waiting: list[tuple[int, int, str]] = [(0, 0, "")]
    while waiting:
        node, depth, question = waiting.pop()
        step = "|" + " " * spacing
        if question:
            lines.append(f"{step * (depth - 1)}|{'-' * spacing} {question}")
        here = f"{step * depth}|{'-' * spacing} "
        if tree.children_left[node] == LEAF:
            lines.append(
                here + _leaf_text(decision_tree, node, class_names, decimals, show_weights)
            )
        elif depth > max_depth:
            lines.append(f"{here}truncated branch of depth {int(heights[node]) + 1}")
        else:
            for side in ("right", "left"):
                words = _question(decision_tree, node, side, names, decimals)
                child = getattr(tree, f"children_{side}")[node]
                waiting.append((int(child), depth + 1, words))
    return "\n".join([*lines, ""])


def _question(model: Any, node: int, side: str, names: list[str], decimals: int) -> str:
    tree = model.tree_
    threshold = float(tree.threshold[node])
    if not np.isfinite(threshold):
        return condition(model, node, side, names=names, decimals=decimals)
    name = names[int(tree.feature[node])]
    return f"{name} {'<=' if side == 'left' else '> '} {threshold:.{decimals}f}"


def _heights(tree: Any) -> NDArray[np.int64]:
    height = np.zeros(tree.node_count, dtype=np.int64)
    for node in range(tree.node_count - 1, -1, -1):  # children come after their parents
        if tree.children_left[node] != LEAF:
            height[node] = 1 + max(height[tree.children_left[node]],
                                   height[tree.children_right[node]])  # fmt: skip
    return height


def _names(model: Any, given: Any, form: str) -> list[str]:
    if given is None and not hasattr(model, "feature_names_in_"):
        return [form.format(k) for k in range(model.n_features_in_)]
    return feature_names(model, given)


def _class_names(model: Any, given: Any) -> list[str]:
    return [str(each) for each in (model.classes_ if given is None else given)]


def _leaf_text(model: Any, node: int, class_names: Any, decimals: int, weights: bool) -> str:
    tree = model.tree_
    if not hasattr(model, "classes_"):
        values = ", ".join(f"{each:.{decimals}f}" for each in tree.value[node][:, 0])
        return f"value: [{values}]"
    if model.n_outputs_ > 1:
        best = [int(np.argmax(row)) for row in tree.value[node]]
        return f"class: {[str(c[k]) for c, k in zip(model.classes_, best, strict=True)]}"
    shares = tree.value[node, 0]
    counts = shares * tree.weighted_n_node_samples[node]
    written = ", ".join(f"{each:.{decimals}f}" for each in counts)
    label = _class_names(model, class_names)[int(np.argmax(shares))]
    return f"{f'weights: [{written}] ' if weights else ''}class: {label}"


def export_graphviz(
    decision_tree: Any,
    out_file: Any = None,
    *,
    max_depth: int | None = None,
    feature_names: Any = None,
    class_names: Any = None,
    label: str = "all",
    filled: bool = False,
    leaves_parallel: bool = False,
    impurity: bool = True,
    node_ids: bool = False,
    proportion: bool = False,
    rotate: bool = False,
    rounded: bool = False,
    special_characters: bool = False,
    precision: int = 3,
    fontname: str = "helvetica",
) -> str | None:
    r"""The tree in the language of Graphviz (DOT).

    Parameters
    ----------
    decision_tree : fitted tree
        A classifier or regressor.
    out_file : str, path, file or None, default=None
        Where to write; None returns the text.
    max_depth : int or None, default=None
        Deeper nodes become "(...)".
    feature_names : array-like of str, optional
        By default those of the fit, else x[0], x[1], ….
    class_names : array-like of str, True or None, default=None
        Names of the classes; True for the labels; None writes none.
    label : {"all", "root", "none"}, default="all"
        Where the numbers get their names.
    filled, leaves_parallel, impurity, node_ids, proportion, rotate, rounded : bool
        Colours by class or value; leaves at the bottom; impurities; numbers of the nodes; shares
        instead of counts; from left to right; round corners.
    special_characters : bool, default=False
        Whether to write ≤ instead of <=.
    precision : int, default=3
        Digits after the point.
    fontname : str, default="helvetica"
        Of all texts.

    Returns
    -------
    str or None

    Examples
    --------
    >>> from stylobate.tree import DecisionTreeClassifier
    >>> tree = DecisionTreeClassifier().fit([[1.0], [2.0], [3.0]], [0, 0, 1])
    >>> print(export_graphviz(tree, impurity=False).splitlines()[3])
    0 [label="x[0] <= 2.5\nsamples = 3\nvalue = [2, 1]"] ;
    """
    from stylobate.tree.dot import Dot

    require_tree("export_graphviz", decision_tree)
    names = _names(decision_tree, feature_names, "x[{}]")
    classes = None
    if class_names is not None and hasattr(decision_tree, "classes_"):
        classes = _class_names(decision_tree, None if class_names is True else class_names)
    text = Dot(
        decision_tree, names, classes, max_depth=max_depth, label=label, filled=filled,
        leaves_parallel=leaves_parallel, impurity=impurity, node_ids=node_ids,
        proportion=proportion, rotate=rotate, rounded=rounded,
        special=special_characters, precision=precision, fontname=fontname,
    ).text()  # fmt: skip
    if out_file is None:
        return text
    if hasattr(out_file, "write"):
        out_file.write(text)
    else:
        Path(out_file).write_text(text, encoding="utf-8")
    return None
