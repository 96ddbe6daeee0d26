"""A flat tree as the attributes of ONNX's operation for trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import numpy_helper


def tree_attributes(tree: Any, place: NDArray[np.intp]) -> dict[str, Any]:
    """What ``TreeEnsembleRegressor`` wants to know of a tree to tell the number of a row's leaf.

    Parameters
    ----------
    tree : Tree
        Without splits by categories.
    place : array of int
        The column of the operation's input that each feature is.
    """
    count = len(tree.children_left)
    leaf = np.asarray(tree.children_left) < 0
    nodes, leaves = list(range(count)), np.flatnonzero(leaf)
    feature = np.where(leaf, 0, place[np.where(leaf, 0, tree.feature)])
    threshold = np.where(leaf, 0.0, tree.threshold)
    weights = np.arange(len(leaves), dtype=np.float64)
    return {
        "nodes_treeids": [0] * count,
        "nodes_nodeids": nodes,
        "nodes_modes": ["LEAF" if each else "BRANCH_LEQ" for each in leaf],
        "nodes_featureids": feature.tolist(),
        "nodes_values_as_tensor": numpy_helper.from_array(threshold),
        "nodes_truenodeids": np.where(leaf, 0, tree.children_left).tolist(),
        "nodes_falsenodeids": np.where(leaf, 0, tree.children_right).tolist(),
        "nodes_missing_value_tracks_true": np.asarray(tree.missing_go_to_left, int).tolist(),
        "target_treeids": [0] * len(leaves),
        "target_nodeids": leaves.tolist(),
        "target_ids": [0] * len(leaves),
        "target_weights_as_tensor": numpy_helper.from_array(weights),
        "n_targets": 1,
        "post_transform": "NONE",
    }
