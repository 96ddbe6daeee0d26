"""The one-standard-error rule: of settings that cannot be told from the best, the simplest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.constraints import is_number
from stylobate.exceptions import InvalidDataError, InvalidParameterError

Simplicity = Callable[[Mapping[str, Any]], float]

# Which way a parameter of this name makes a model simpler. An estimator says it better, with an
# attribute ``_simpler_with``: {name: "larger" or "smaller"}.
LARGER = frozenset(
    {
        "alpha",
        "ccp_alpha",
        "l1_ratio",
        "lambda_",
        "min_child_weight",
        "min_impurity_decrease",
        "min_samples_leaf",
        "min_samples_split",
        "n_neighbors",
        "reg_alpha",
        "reg_lambda",
        "shrinkage",
        "smoothing",
        "var_smoothing",
        "weight_decay",
    }
)
SMALLER = frozenset(
    {
        "C",
        "degree",
        "gamma",
        "hidden_layer_sizes",
        "k",
        "max_depth",
        "max_features",
        "max_iter",
        "max_leaf_nodes",
        "max_terms",
        "n_components",
        "n_estimators",
        "n_features",
        "n_features_to_select",
        "n_knots",
        "n_nonzero_coefs",
    }
)


def standard_error(results: Mapping[str, Any], metric: str) -> NDArray[np.float64]:
    """s/√K of each setting, s the standard deviation (K − 1) of its K scores.

    >>> standard_error({"params": [{}], "split0_test_score": [1.0], "split1_test_score": [3.0]},
    ...     "score")
    array([1.])
    """
    scores = split_scores(results, metric)
    folds = scores.shape[1]
    if folds < 2:
        return np.full(len(scores), np.nan)
    with np.errstate(invalid="ignore"):
        return np.asarray(scores.std(axis=1, ddof=1) / np.sqrt(folds))


def split_scores(results: Mapping[str, Any], metric: str) -> NDArray[np.float64]:
    """Test scores (settings × splits)."""
    columns, k = [], 0
    while (name := f"split{k}_test_{metric}") in results:
        columns.append(results[name])
        k += 1
    return np.column_stack(columns)


def within_one_standard_error(
    results: Mapping[str, Any], metric: str, best: int, among: NDArray[np.intp]
) -> NDArray[np.intp]:
    """The settings whose mean is at least that of the best less its standard error."""
    means = np.asarray(results[f"mean_test_{metric}"])
    error = standard_error(results, metric)[best]
    if not np.isfinite(error):
        raise InvalidDataError(
            "rule='one_standard_error' needs two splits or more with finite scores of the best "
            f"setting, and its standard error is {error}."
        )
    return np.asarray(among[means[among] >= means[best] - error])


def simplest(
    candidates: Sequence[Mapping[str, Any]],
    means: NDArray[np.float64],
    chosen: NDArray[np.intp],
    estimator: Any,
    simplicity: Simplicity | None,
) -> int:
    """The simplest of the chosen settings; of equally simple ones the best, then the first."""
    complexity = _complexity(candidates, estimator, simplicity)
    return int(min(chosen, key=lambda k: (complexity[k], -means[k], k)))


def _complexity(
    candidates: Sequence[Mapping[str, Any]], estimator: Any, simplicity: Simplicity | None
) -> list[float]:
    """A number for each setting: smaller is simpler."""
    if simplicity is not None:
        found = [simplicity(params) for params in candidates]
        for params, value in zip(candidates, found, strict=True):
            if not is_number(value) or np.isnan(value):
                raise InvalidParameterError(
                    f"simplicity must return a number (smaller is simpler), got {value!r} for "
                    f"{dict(params)}."
                )
        return [float(value) for value in found]
    names = sorted({name for params in candidates for name in params})
    known = {name: way for name in names if (way := direction(estimator, name)) is not None}
    columns = [_places(candidates, name, way) for name, way in known.items()]
    varied = [column for column in columns if column is not None and len(set(column)) > 1]
    if not varied:  # nothing is known: those given first are the simpler ones
        return [float(k) for k in range(len(candidates))]
    return [float(sum(places)) for places in zip(*varied, strict=True)]


def direction(estimator: Any, name: str) -> str | None:
    """Whether "larger" or "smaller" values of a parameter make a model simpler; None: unknown.

    >>> from stylobate.linear_model import Ridge
    >>> direction(Ridge(), "alpha"), direction(Ridge(), "solver")
    ('larger', None)
    """
    *path, last = name.split("__")
    inner = estimator
    for step in path:
        inner = inner.get_params().get(step) if hasattr(inner, "get_params") else None
    said = getattr(inner, "_simpler_with", {})
    if last in said:
        return str(said[last])
    return "larger" if last in LARGER else "smaller" if last in SMALLER else None


def _places(candidates: Sequence[Mapping[str, Any]], name: str, way: str) -> list[float] | None:
    """The place of each setting's value among all values, from 0 (simplest) to 1; None: no order.

    Where a setting leaves the parameter out, or says None (no limit), it counts as least simple.
    """
    values = [params.get(name) for params in candidates]
    numbers = [value for value in values if value is not None]
    if not all(is_number(value) for value in numbers):
        return None
    ordered = sorted(set(numbers), reverse=way == "larger")
    last = max(len(ordered) - 1, 1)
    place = {value: k / last for k, value in enumerate(ordered)}
    return [1.0 if value is None else place[value] for value in values]
