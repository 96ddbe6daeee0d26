"""Whether rows, index and targets out of a file belong together."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.distances import Function, Gower, Metric
from stylobate.exceptions import ModelFileError
from stylobate.neighbors.indexes.brute import check_measures

_PER_ROW = ("_y", "_reach", "_density")


def check_neighbours(model: Any) -> None:
    """Refuse neighbours of which rows, targets and index are not the same ones.

    The index is asked for one neighbour of one row, which looks at all of its parts, unless it
    measures by a function.

    Raises
    ------
    ModelFileError
    """
    state = vars(model)
    rows: Any = state.get("_fit_X")
    count = state.get("n_samples_fit_")
    shape: tuple[Any, ...] = getattr(rows, "shape", ())
    if len(shape) != 2 or not shape[0] or count != shape[0] or _width(model) != shape[1]:
        _refuse(model, f"rows of shape {shape} for {count} rows of {_width(model)} features")
    if rows.dtype.kind not in "biuf":
        _refuse(model, f"rows of type {rows.dtype}")
    if getattr(getattr(model._index, "rows", None), "shape", ()) != shape:
        _refuse(model, "an index of other rows")
    for name in _PER_ROW:
        values = state.get(name)
        if name in state and (
            not isinstance(values, np.ndarray)
            or values.ndim not in (1, 2)
            or values.dtype.kind not in "biuf"
            or len(values) != count
            or not values.size
        ):
            _refuse(model, f"{name} of shape {np.shape(values)} for {count} rows")
    wanted = state.get("n_neighbors_", 1)
    if isinstance(wanted, bool) or not isinstance(wanted, int | np.integer) or wanted < 1:
        _refuse(model, f"n_neighbors_={str(wanted)[:50]}")
    if "classes_" in state and "_y" in state:
        _check_labels(model)
    _ask(model)


def _width(model: Any) -> Any:
    return vars(model).get("n_features_in_")


def _check_labels(model: Any) -> None:
    codes, several = model._y, vars(model).get("outputs_2d_")
    classes = model.classes_ if several else [model.classes_]
    if (
        codes.dtype.kind != "i"
        or codes.ndim != 2
        or not isinstance(classes, list)
        or not all(isinstance(each, np.ndarray) for each in classes)
        or codes.shape[1] != len(classes)
        or (codes < 0).any()
        or (codes >= [len(each) for each in classes]).any()
    ):
        _refuse(model, "labels that are none of its classes")


def _ask(model: Any) -> None:
    metric = getattr(model._index, "metric", None)
    if isinstance(metric, Metric):
        check_measures(metric, model._fit_X.shape[1])
        _check_mixed(model, metric)
    if isinstance(metric, Function) or (isinstance(metric, Gower) and metric.f is not None):
        return  # a function that a file names is first called by who asks the model
    first = model._fit_X[:1]
    try:
        _, found = model._index.query(first, 1)
    except Exception as error:
        _refuse(model, f"an index whose parts do not fit together ({error})")
    if found.min() < 0 or found.max() >= model._fit_X.shape[0]:
        _refuse(model, "an index of other rows")


def _check_mixed(model: Any, metric: Metric) -> None:
    """Whether queries become numbers by the columns that the index measures."""
    reading = vars(model).get("_metric", metric)
    mixed = isinstance(metric, Gower) or isinstance(reading, Gower)
    if mixed and (reading != metric or len(metric.columns) != model._fit_X.shape[1]):  # type: ignore[attr-defined]
        _refuse(model, "rows that were read by another metric")


def _refuse(model: Any, what: str) -> None:
    raise ModelFileError(f"The {type(model).__name__} of the file has {what.rstrip('.')}.")
