"""A fitted forest of scikit-learn's as an ONNX tree ensemble."""

from __future__ import annotations

from typing import Any

import numpy as np


def onnx_session(forest: Any, threads: int) -> Any:
    """A session of onnxruntime that maps float32 rows to the classes' probabilities, ``p``."""
    import onnxruntime
    from onnx import TensorProto, helper

    rows = helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, forest.n_features_in_])
    label = helper.make_tensor_value_info("label", TensorProto.INT64, [None])
    shares = helper.make_tensor_value_info("p", TensorProto.FLOAT, [None, len(forest.classes_)])
    node = helper.make_node(
        "TreeEnsembleClassifier", ["X"], ["label", "p"], domain="ai.onnx.ml",
        classlabels_int64s=list(range(len(forest.classes_))), post_transform="NONE",
        **_attributes(forest),
    )  # fmt: skip
    model = helper.make_model(
        helper.make_graph([node], "forest", [rows], [label, shares]),
        opset_imports=[helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 18)],
        ir_version=9,
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )


def _attributes(forest: Any) -> dict[str, list[Any]]:
    parts: dict[str, list[Any]] = {}
    for number, member in enumerate(forest.estimators_):
        for name, values in _tree(number, member.tree_, 1.0 / len(forest.estimators_)).items():
            parts.setdefault(name, []).append(values)
    return {name: np.concatenate(values).tolist() for name, values in parts.items()}


def _tree(number: int, tree: Any, share: float) -> dict[str, Any]:
    leaf = tree.children_left < 0
    leaves, classes = np.flatnonzero(leaf), tree.value.shape[2]
    return {
        "nodes_treeids": np.full(tree.node_count, number),
        "nodes_nodeids": np.arange(tree.node_count),
        "nodes_featureids": np.maximum(tree.feature, 0),
        "nodes_values": np.where(leaf, 0.0, tree.threshold),
        "nodes_modes": np.where(leaf, "LEAF", "BRANCH_LEQ"),
        "nodes_truenodeids": np.maximum(tree.children_left, 0),
        "nodes_falsenodeids": np.maximum(tree.children_right, 0),
        "class_treeids": np.full(len(leaves) * classes, number),
        "class_nodeids": np.repeat(leaves, classes),
        "class_ids": np.tile(np.arange(classes), len(leaves)),
        "class_weights": share * tree.value[leaves, 0].ravel(),
    }
