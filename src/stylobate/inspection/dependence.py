"""Partial dependence: a model's mean answer against one or several columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_weights
from stylobate.data.columns import Columns, read_columns
from stylobate.exceptions import InvalidParameterError
from stylobate.inspection.changed_tables import names_of, position_of, repeated, replaced
from stylobate.inspection.dependence_result import PartialDependence
from stylobate.inspection.grids import Axis, axis_of
from stylobate.inspection.responses import answers, method_for, output_names, scale_name
from stylobate.splits.splitter import is_integer

_OWNER = "partial_dependence"
_AT_ONCE = 20_000  # rows predicted in one call: more save nothing, and cost memory
KINDS = ("average", "individual", "both")


def partial_dependence(
    estimator: Any,
    X: Any,
    features: Any,
    *,
    sample_weight: Any = None,
    categorical_features: Any = None,
    feature_names: Any = None,
    response_method: str = "auto",
    percentiles: tuple[float, float] = (0.05, 0.95),
    grid_resolution: int = 100,
    custom_values: Mapping[Any, Any] | None = None,
    method: str = "auto",
    kind: str = "average",
) -> PartialDependence:
    r"""How a model's answers depend on one or several columns, the others as they are.

    .. math:: \bar f(v) = \frac{1}{n} \sum_{i=1}^n f(v, x_{i, -S})

    Columns are those of X: of a pipeline the raw ones. Texts, categories, truths and dates are
    recognised as categorical and keep their type.

    Parameters
    ----------
    estimator : fitted estimator
        Ours or scikit-learn's, also a whole pipeline.
    X : array, sparse array or data frame of shape (n, p)
        Rows to average over.
    features : int, str, or sequence of them
        The column, or columns whose values are combined.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows in the mean.
    categorical_features : mask of shape (p,), or sequence of int or str, optional
        Numeric columns whose values are names; others are recognised.
    feature_names : array-like of shape (p,), optional
        Names of the columns.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        What is averaged, of classifiers; "auto" takes probabilities where there are some.
    percentiles : (float, float) in [0, 1], default=(0.05, 0.95)
        Where the grid of numbers begins and ends.
    grid_resolution : int in [2, inf), default=100
        Points of the grid; columns with fewer values use these.
    custom_values : mapping, optional
        A grid of one's own by column (as named in `features`).
    method : {"auto", "brute"}, default="auto"
        "brute" predicts every row at every point of the grid; it is what "auto" does.
    kind : {"average", "individual", "both"}, default="average"
        Whether to give the mean, the curve of every row, or both.

    Returns
    -------
    PartialDependence
        With `average` (n_outputs, k₁, …), `individual` (n_outputs, n, k₁, …), `grid_values` and
        `plot`.

    References
    ----------
    Friedman (2001), Greedy function approximation: a gradient boosting machine; Goldstein et al.
    (2015), Peeking inside the black box.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> found = partial_dependence(LinearRegression().fit(X, y), X, "bmi", grid_resolution=3)
    >>> found.grid_values[0].round(3), found.average.round(1)
    (array([-0.067,  0.01 ,  0.087]), array([[117.3, 157.3, 197.4]]))
    """
    columns = read_columns(X, owner=_OWNER)
    names = _names(feature_names, columns, estimator)
    _check(percentiles, grid_resolution, method, kind, sample_weight)
    listed = [features] if isinstance(features, str | int | np.integer) else list(features)
    places = [position_of(each, names, _OWNER) for each in _unmasked(listed, len(names))]
    marked = _categorical(categorical_features, names)
    own = {position_of(k, names, _OWNER): v for k, v in (custom_values or {}).items()}
    limits = (float(percentiles[0]), float(percentiles[1]))
    axes = [
        axis_of(columns, at, names[at], at in marked, limits, int(grid_resolution), own.get(at))
        for at in places
    ]
    asked = method_for(estimator, response_method, _OWNER)
    values = _curves(estimator, columns, places, axes, asked)
    weights = read_weights(sample_weight, columns.n_rows, owner=_OWNER)
    found = PartialDependence(grid_values=[axis.values for axis in axes])
    if kind != "average":
        found["individual"] = values
    if kind != "individual":
        found["average"] = np.average(values, axis=1, weights=weights)
    return found.describe(
        feature_names=[axis.name for axis in axes],
        categorical=[axis.categorical for axis in axes],
        output_names=output_names(estimator, asked, len(values)),
        scale=scale_name(estimator, asked),
    )


def _curves(
    estimator: Any, columns: Columns, places: list[int], axes: Sequence[Axis], method: str
) -> Array:
    """The answers of every output and row at every point of the grid."""
    shape = tuple(len(axis.values) for axis in axes)
    points = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), -1).reshape(-1, len(axes))
    n, each = columns.n_rows, max(1, _AT_ONCE // columns.n_rows)
    parts = []
    for start in range(0, len(points), each):
        batch = points[start : start + each]
        rows = repeated(columns, len(batch), _OWNER)
        new = {
            at: axis.column(columns, at, np.repeat(batch[:, k], n))
            for k, (at, axis) in enumerate(zip(places, axes, strict=True))
        }
        told = answers(estimator, replaced(rows, new), method)
        parts.append(told.reshape(len(batch), n, -1))
    whole = np.concatenate(parts)  # points, rows, outputs
    return np.moveaxis(whole, (2, 1, 0), (0, 1, 2)).reshape(whole.shape[2], n, *shape)


def _names(given: Any, columns: Columns, estimator: Any) -> list[str]:
    if given is None:
        return names_of(columns, estimator)
    names = [str(name) for name in given]
    if len(names) != columns.n_columns or len(set(names)) < len(names):
        raise InvalidParameterError(
            f"{_OWNER}: feature_names should not contain duplicates and needs one name for each of "
            f"the {columns.n_columns} columns, got {len(names)}."
        )
    return names


def _unmasked(features: list[Any], count: int) -> list[Any]:
    if features and all(isinstance(each, bool | np.bool_) for each in features):
        if len(features) != count:
            raise InvalidParameterError(
                f"{_OWNER}: a mask of features needs one entry for each of the {count} columns, "
                f"got {len(features)}."
            )
        return list(np.flatnonzero(features))
    if not features:
        raise InvalidParameterError(f"{_OWNER}: features is empty; name one column at least.")
    return features


def _categorical(given: Any, names: list[str]) -> set[int]:
    if given is None:
        return set()
    listed = np.asarray(given).tolist()
    if listed and all(isinstance(each, bool) for each in listed):
        if len(listed) != len(names):
            raise InvalidParameterError(
                f"{_OWNER}: When `categorical_features` is a boolean array-like, the array should "
                f"be of shape (n_features,). Got {len(listed)} elements while `X` contains "
                f"{len(names)} features."
            )
        return set(np.flatnonzero(listed).tolist())
    return {position_of(each, names, _OWNER) for each in listed}


def _check(percentiles: Any, resolution: Any, method: str, kind: str, weights: Any) -> None:
    if not isinstance(percentiles, Iterable) or len(tuple(percentiles)) != 2:
        raise InvalidParameterError(
            f"{_OWNER}: percentiles must be a sequence of 2 elements, got {percentiles!r}."
        )
    low, high = percentiles
    if not 0 <= low < high <= 1:
        raise InvalidParameterError(
            f"{_OWNER}: percentiles values must be in [0, 1], the first strictly less than the "
            f"second, got {percentiles!r}."
        )
    if not is_integer(resolution) or resolution <= 1:
        raise InvalidParameterError(
            f"{_OWNER}: grid_resolution must be strictly greater than 1, got {resolution!r}."
        )
    if method not in ("auto", "brute"):
        raise InvalidParameterError(
            f"{_OWNER}: method must be 'auto' or 'brute', got {method!r}: the mean over the rows "
            "is computed as it is defined, for every model."
        )
    if kind not in KINDS:
        raise InvalidParameterError(
            f"{_OWNER}: kind must be one of {', '.join(KINDS)}, got {kind!r}."
        )
