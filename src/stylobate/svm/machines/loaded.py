"""Whether support vectors, coefficients and intercepts out of a file belong together."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.data.sparse import is_sparse
from stylobate.exceptions import ModelFileError


def check_machine(model: Any) -> None:
    """Refuse a machine whose parts are not of the same support vectors.

    Raises
    ------
    ModelFileError
    """
    state = vars(model)
    support, counts = state.get("support_"), state.get("_n_support")
    if not _whole(support) or not _whole(counts) or (counts < 0).any():
        _refuse(model, "support vectors that are not counted")
    classes = state.get("classes_")
    k = len(classes) if isinstance(classes, np.ndarray) else 0
    if len(counts) != (k or 1) or counts.sum() != len(support):
        _refuse(model, f"{len(support)} support vectors where {counts.tolist()[:5]} are counted")
    shape = state.get("shape_fit_")
    if not isinstance(shape, tuple) or not shape or not all(type(size) is int for size in shape):
        _refuse(model, "no shape of its points")
    if len(support) and not (support.min() >= 0 and support.max() < shape[0]):
        _refuse(model, f"support vectors that are none of its {shape[0]} points")
    rows = (k - 1) if k else 1
    _check_numbers(model, "dual_coef_", state.get("dual_coef_"), (rows, len(support)))
    intercept = state.get("intercept_")
    wanted = (k * (k - 1) // 2 if k else 1,)
    _check_numbers(model, "intercept_", intercept, wanted)
    _check_points(model, len(support))
    if not isinstance(state.get("_sparse"), bool | np.bool_):
        _refuse(model, "points of no kind")
    gamma = state.get("_gamma")
    if not isinstance(gamma, float | int | np.number) or not 0 <= gamma < np.inf:
        _refuse(model, f"_gamma={str(gamma)[:50]}")


def _check_points(model: Any, count: int) -> None:
    state = vars(model)
    if "_fit_points" in state or model._tags().pairwise:
        return
    width = state.get("n_features_in_")
    _check_numbers(model, "support_vectors_", state.get("support_vectors_"), (count, width))
    if is_sparse(state["support_vectors_"]) != bool(state.get("_sparse")):
        _refuse(model, "support vectors of another kind than its points")


def _check_numbers(model: Any, name: str, values: Any, shape: tuple[Any, ...]) -> None:
    found: tuple[Any, ...] = getattr(values, "shape", ())
    if not isinstance(values, np.ndarray) and not is_sparse(values):
        _refuse(model, f"{name} that is no array")
    if found != shape:
        _refuse(model, f"{name} of shape {found}, where {shape} is needed")
    if values.dtype.kind != "f":
        _refuse(model, f"{name} of type {values.dtype}")
    entries = values.data if is_sparse(values) else values
    if not np.isfinite(entries).all():
        _refuse(model, f"{name} that are not finite")


def _whole(values: Any) -> bool:
    return isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iu"


def _refuse(model: Any, words: str) -> None:
    raise ModelFileError(f"The {type(model).__name__} of the file has {words}.")
