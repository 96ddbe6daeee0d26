"""Trees in words: conditions, rules, and the way of one row."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from stylobate.base.validation import input_names
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.tree.flat import LEAF, Tree

_SHOWN = 6  # categories that are listed


def feature_names(model: Any, given: Any = None) -> list[str]:
    """Names of the columns: those given, those of the fit, or x0, x1 and so on."""
    if given is None:
        return [str(name) for name in input_names(model)]
    names = [str(name) for name in given]
    count = getattr(model, "n_features_in_", len(names))
    if len(names) != count:
        raise InvalidDataError(
            f"feature_names must contain {count} elements, got {len(names)}; give one for each "
            "column."
        )
    return names


def _categories_of(model: Any, feature: int) -> Any:
    known = getattr(model, "column_categories_", None)
    return None if known is None else known.of[feature]


def condition(
    model: Any, node: int, side: str, *, names: list[str], decimals: int = 3
) -> str:  # fmt: skip
    """What sends a row to one side of a node: ``x0 <= 2.5``, ``city in {Oslo, Rome}``.

    Of the categories only those are listed that reach the node, and "or missing" is said on the
    side that rows without one take.

    Parameters
    ----------
    model : fitted tree
        With ``tree_``.
    node : int
        A split.
    side : {"left", "right"}
        Which child.
    names : list of str
        Of the columns.
    decimals : int, default=3
        Digits after the point.

    Returns
    -------
    str
    """
    tree: Tree = model.tree_
    feature = int(tree.feature[node])
    name = names[feature]
    chosen = getattr(tree, "left_categories", lambda _: None)(node)
    if chosen is None:
        threshold = float(tree.threshold[node])
        if np.isinf(threshold):
            return f"{name} is {'known' if side == 'left' else 'missing'}"
        step = f"{name} {'<=' if side == 'left' else '>'} {number(threshold, decimals)}"
        return step + _or_missing(tree, node, side) * _knows_missing(tree, feature)
    labels = _categories_of(model, feature)
    left = set(chosen.tolist())
    count = len(labels) if labels is not None else max(left, default=0) + 1
    reach = _reaching(tree, node, count)
    codes = [code for code in reach if (code in left) == (side == "left")]
    shown = [str(code if labels is None else labels[code]) for code in codes[:_SHOWN]]
    more = f", … {len(codes) - _SHOWN} more" if len(codes) > _SHOWN else ""
    missing = _or_missing(tree, node, side)
    if not codes:
        return f"{name} is {'missing or new' if missing else 'new'}"
    return f"{name} in {{{', '.join(shown)}{more}}}{missing}"


def _or_missing(tree: Tree, node: int, side: str) -> str:
    """What to add on the side that rows without a value take."""
    return " or missing" if bool(tree.missing_go_to_left[node]) == (side == "left") else ""


def _knows_missing(tree: Tree, feature: int) -> bool:
    """Whether some split of a column of numbers sets the missing ones apart.

    Where none does there may have been none at all, and where they would go is left unsaid.
    """
    return bool(np.isinf(tree.threshold[tree.feature == feature]).any())


def _reaching(tree: Tree, node: int, count: int) -> list[int]:
    """The codes of a node's column that the questions above it have let through."""
    parents, feature = _parents(tree), tree.feature[node]
    codes = set(range(count))
    while node > 0:
        child, node = node, int(parents[node])
        chosen = tree.left_categories(node) if tree.feature[node] == feature else None
        if chosen is not None:
            came_left = tree.children_left[node] == child
            codes = codes & set(chosen.tolist()) if came_left else codes - set(chosen.tolist())
    return sorted(codes)


_known_parents: WeakKeyDictionary[Tree, NDArray[np.int64]] = WeakKeyDictionary()


def _parents(tree: Tree) -> NDArray[np.int64]:
    """The parent of every node, found once for a tree."""
    if tree not in _known_parents:
        parents = np.zeros(tree.node_count, dtype=np.int64)
        inner = np.flatnonzero(tree.children_left != LEAF)
        parents[tree.children_left[inner]] = parents[tree.children_right[inner]] = inner
        _known_parents[tree] = parents
    return _known_parents[tree]


def number(value: float, decimals: int) -> str:
    """A number without needless zeros.

    >>> number(2.5, 3), number(-0.00001, 3), number(123456.0, 2)
    ('2.5', '-1e-05', '123456')
    """
    rounded = f"{value:.{decimals}f}"
    if value != 0.0 and float(rounded) == 0.0:
        return f"{value:.{max(decimals, 1)}g}"
    return rounded.rstrip("0").rstrip(".") if "." in rounded else rounded


def answer(model: Any, node: int, decimals: int = 3) -> str:
    """What a node predicts, and from how many rows."""
    tree: Tree = model.tree_
    rows = int(tree.n_node_samples[node])
    among = f"{rows} row{'s' if rows != 1 else ''}"
    if not hasattr(model, "classes_"):
        values = [number(float(each), decimals) for each in tree.value[node][:, 0]]
        return f"{', '.join(values)} ({among})"
    every = model.classes_ if model.n_outputs_ > 1 else [model.classes_]
    best = [int(np.argmax(shares)) for shares in tree.value[node]]
    labels = [str(classes[k]) for classes, k in zip(every, best, strict=True)]
    shares = [100.0 * float(row[k]) for row, k in zip(tree.value[node], best, strict=True)]
    percent = " and ".join(f"{number(share, 1)} %" for share in shares)
    return f"{', '.join(labels)} ({percent} of {among})"


def rules_of(model: Any, *, max_depth: int | None = None, decimals: int = 3) -> list[str]:
    """Every leaf as one sentence, from left to right.

    Parameters
    ----------
    model : fitted tree
        With ``tree_``.
    max_depth : int, optional
        Nodes this deep stand for all below them.
    decimals : int, default=3
        Digits after the point.

    Returns
    -------
    list of str

    Examples
    --------
    >>> from stylobate.tree import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1.0], [2.0], [4.0]], [1, 1, 9])
    >>> rules_of(tree)
    ['if x0 <= 3 then 1 (2 rows)', 'if x0 > 3 then 9 (1 row)']
    """
    tree: Tree = model.tree_
    names = feature_names(model)
    found: list[str] = []
    waiting: list[tuple[int, list[str]]] = [(0, [])]
    while waiting:
        node, above = waiting.pop()
        if tree.children_left[node] == LEAF or len(above) == max_depth:
            what = answer(model, node, decimals)
            found.append(f"if {' and '.join(above)} then {what}" if above else f"always {what}")
            continue
        for side, child in (("right", tree.children_right), ("left", tree.children_left)):
            step = condition(model, node, side, names=names, decimals=decimals)
            waiting.append((int(child[node]), [*above, step]))
    return found


def explain_row(model: Any, X: Any, *, decimals: int = 3) -> str:
    """The way of one row from the root to its leaf, one line for each question.

    Parameters
    ----------
    model : fitted tree
        With ``tree_``.
    X : array-like or data frame of shape (1, n_features) or (n_features,)
        The row.
    decimals : int, default=3
        Digits after the point.

    Returns
    -------
    str

    Examples
    --------
    >>> from stylobate.tree import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[1.0], [2.0], [4.0]], [1, 1, 9])
    >>> print(explain_row(tree, [3.5]))
    At the root: 3.667 (3 rows)
    x0 = 3.5, so x0 > 3: 9 (1 row)
    The prediction is 9.
    """
    if not hasattr(X, "columns") and not hasattr(X, "schema") and np.ndim(X) == 1:
        X = [X]
    table = model._read_rows(X, reset=False)
    if table.n_rows != 1:
        raise InvalidDataError(
            f"{type(model).__name__}.explain_row explains one row, but X has {table.n_rows}; pass "
            "X[[i]] or X.iloc[[i]]."
        )
    tree: Tree = model.tree_
    names = feature_names(model)
    row = model._dense(table)
    path = tree.decision_path(row).indices.tolist()
    lines = [f"At the root: {answer(model, 0, decimals)}"]
    for node, child in pairwise(path):
        side = "left" if child == tree.children_left[node] else "right"
        feature = int(tree.feature[node])
        step = condition(model, node, side, names=names, decimals=decimals)
        step = step.removesuffix(" or missing")
        value = _shown_value(model, feature, float(row[0, feature]), decimals)
        lost = np.isnan(row[0, feature])
        why = f"{names[feature]} is missing, which goes with" if lost else (
            f"{names[feature]} = {value}, so"
        )  # fmt: skip
        lines.append(f"{why} {step}: {answer(model, child, decimals)}")
    lines.append(f"The prediction is {answer(model, path[-1], decimals).split(' (')[0]}.")
    return "\n".join(lines)


def _shown_value(model: Any, feature: int, value: float, decimals: int) -> str:
    labels = _categories_of(model, feature)
    if np.isnan(value):
        return "missing"
    return number(value, decimals) if labels is None else str(labels[int(value)])


def require_tree(owner: str, model: Any) -> None:
    """Refuse what is no single fitted tree."""
    if not hasattr(type(model), "cost_complexity_pruning_path"):
        hint = (
            f"pass one of its trees, e.g. estimators_[0] of the {type(model).__name__}"
            if hasattr(model, "estimators_") or "Forest" in type(model).__name__
            else f"got {type(model).__name__}"
        )
        raise InvalidParameterError(f"{owner}: it shows a single decision tree; {hint}.")
    model._check_fitted()
