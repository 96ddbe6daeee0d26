"""Whether arrays out of a file make trees, and trees a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import ModelFileError

if TYPE_CHECKING:
    from stylobate.tree.flat import Tree

_DTYPES = {
    "children_left": np.int32, "children_right": np.int32, "feature": np.int32,
    "threshold": np.float64, "missing_go_to_left": np.uint8, "impurity": np.float64,
    "n_node_samples": np.int64, "weighted_n_node_samples": np.float64, "category_start": np.int32,
}  # fmt: skip


def check_tree(tree: Tree) -> None:
    """Refuse arrays that make no tree: of other types, with ways back, words cut off …

    Raises
    ------
    ModelFileError
    """
    n = len(tree.children_left)
    columns = [(np.asarray(getattr(tree, name)), dtype) for name, dtype in _DTYPES.items()]
    if (
        not n
        or any(column.dtype != dtype or column.shape != (n,) for column, dtype in columns)
        or tree.value.dtype != np.float64
        or (tree.value.ndim, len(tree.value)) != (3, n)
        or not tree.value.size
        or np.isnan(tree.value).any()
        or not _is_tree(tree)
        or not _splits_exist(tree)
    ):
        raise ModelFileError("A tree of the file has nodes that do not make a tree.")


def _is_tree(tree: Tree) -> bool:
    """Whether every node but the first is a child once, after its parent."""
    left, right, own = tree.children_left, tree.children_right, np.arange(len(tree.children_left))
    inner = left >= 0
    children = np.sort(np.concatenate([left[inner], right[inner]]))
    late = bool((np.minimum(left, right) > own)[inner].all())
    return late and np.array_equal(inner, right >= 0) and np.array_equal(children, own[1:])


def _splits_exist(tree: Tree) -> bool:
    """Whether features and the words of categories are those of the table."""
    inner = tree.children_left >= 0
    feature, start, words = tree.feature[inner], tree.category_start[inner], tree.categories
    start = start[start >= 0].astype(np.int64)
    if (feature < 0).any() or (tree.n_features and (feature >= tree.n_features).any()):
        return False
    if words.dtype != np.uint32 or words.ndim != 1 or (start >= len(words)).any():
        return False
    return bool((words[start].astype(np.int64) < len(words) - start).all())


def check_trees(model: Any, trees: Any, shape: tuple[int, ...] | None = None) -> None:
    """Refuse trees that are not those of a model: of other columns, or with other values.

    Parameters
    ----------
    model : estimator
        Whose trees they are.
    trees : list of Tree
        Out of the file.
    shape : tuple of int, optional
        Of the value of a node; that of the model's targets by default.
    """
    from stylobate.tree.flat import Tree

    wanted = _value_shape(model) if shape is None else shape
    features = vars(model).get("n_features_in_")
    if not isinstance(trees, list | tuple) or not all(isinstance(each, Tree) for each in trees):
        raise ModelFileError(f"The {type(model).__name__} of the file has trees that are none.")
    for tree in trees:
        highest = int(tree.feature.max(initial=0))
        if wanted not in (None, tree.value.shape[1:]) or not _has_column(features, highest):
            raise ModelFileError(
                f"The {type(model).__name__} of the file has trees of other columns or targets."
            )


def _has_column(features: Any, column: int) -> bool:
    return features is None or column < int(features)


def _value_shape(model: Any) -> tuple[int, ...] | None:
    """Outputs, and the most classes of one; None where the model says nothing of its target."""
    classes = vars(model).get("classes_")
    if classes is None:
        outputs = vars(model).get("n_outputs_")
        return None if outputs is None else (outputs, 1)
    lists: Sequence[Any] = classes if isinstance(classes, list) else [classes]
    return len(lists), max((len(each) for each in lists), default=0)
