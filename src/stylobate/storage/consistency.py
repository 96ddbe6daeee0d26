"""Whether the parts of a loaded estimator can belong together."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from stylobate.exceptions import ModelFileError
from stylobate.storage.names import is_estimator

# attributes with an entry for each feature along their last axis
_PER_FEATURE = (
    "_fit_X",
    "coef_",
    "data_max_",
    "data_min_",
    "feature_log_prob_",
    "lambdas_",
    "max_abs_",
    "mean_",
    "means_",
    "min_",
    "quantiles_",
    "scale_",
    "statistics_",
    "theta_",
    "var_",
    "variances_",
)
_NEVER_NAN = ("coef_", "intercept_", "class_prior_", "priors_", "theta_")
_NUMBERS = "biuf"


def check_state(built: Any) -> None:
    """Refuse an estimator (or a value that checks itself) whose parts contradict each other.

    Classes say more by a method ``_check_loaded``, for example that the children of a tree exist.

    Raises
    ------
    ModelFileError
    """
    if is_estimator(type(built)):
        _check_features(built)
        _check_numbers(built)
        _check_classes(built)
        _check_members(built)
    own = getattr(built, "_check_loaded", None)
    if own is not None:
        own()


def _refuse(built: Any, words: str) -> None:
    raise ModelFileError(f"The {type(built).__name__} of the file {words}.")


def _check_features(built: Any) -> None:
    state = vars(built)
    for name in ("n_features_in_", "_n_features_out"):
        count = state.get(name, 0)
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        if not whole or not 0 <= count < 2**63:
            _refuse(built, f"claims {name}={str(count)[:50]}")
    count = state.get("n_features_in_")
    if count is None:
        return
    names = state.get("feature_names_in_")
    if names is not None and (
        not isinstance(names, np.ndarray)
        or names.shape != (count,)
        or not all(isinstance(name, str) for name in names)
    ):
        _refuse(built, f"has no name for each of its {count} features")
    if built._tags().pairwise:
        return
    for name in _PER_FEATURE:
        array = state.get(name)
        if isinstance(array, np.ndarray) and array.ndim and array.shape[-1] != count:
            _refuse(built, f"has {name} of shape {array.shape} for {count} features")


def _check_numbers(built: Any) -> None:
    for name in _NEVER_NAN:
        array = vars(built).get(name)
        if isinstance(array, str | list | dict) or array is None:
            continue
        numbers = np.asarray(array)
        if numbers.dtype.kind not in _NUMBERS:
            _refuse(built, f"has {name} that are no numbers")
        if numbers.dtype.kind == "f" and np.isnan(numbers).any():
            _refuse(built, f"has NaN in {name}")


def _check_classes(built: Any) -> None:
    classifier = import_module("stylobate.base.mixins").ClassifierMixin
    state = vars(built)
    classes = state.get("classes_")
    if classes is None or not isinstance(built, classifier) or isinstance(classes, list):
        return
    if not isinstance(classes, np.ndarray) or classes.ndim != 1 or not len(classes):
        _refuse(built, "has no list of classes")
    labels = classes.tolist()
    if any(isinstance(label, list | dict | set) for label in labels):
        _refuse(built, "has classes that are lists")
    if len(set(labels)) < len(labels):
        _refuse(built, "names a class twice")
    coef = state.get("coef_")
    if isinstance(coef, np.ndarray) and coef.ndim == 2:
        rows = 1 if len(classes) == 2 else len(classes)
        if len(coef) not in (rows, len(classes), len(classes) - 1, 1):
            _refuse(built, f"has {len(coef)} rows of coef_ for {len(classes)} classes")


def _check_members(built: Any) -> None:
    """Whether the models a model asks are models, and read columns there are."""
    state = vars(built)
    waiting = [state.get("estimators_")]
    while waiting:
        for each in _listed(waiting.pop()):
            if isinstance(each, list | tuple | np.ndarray) and len(each):
                waiting.append(each)
            elif each not in ("drop", None) and not is_estimator(type(each)):
                _refuse(built, "has members that are no estimators")
    weights = state.get("estimator_weights_")
    if weights is not None and len(weights) < len(_listed(state.get("estimators_"))):
        _refuse(built, "has members without a weight")
    count = state.get("n_features_in_")
    for columns in _listed(state.get("estimators_features_")):
        if not isinstance(columns, np.ndarray) or columns.dtype.kind not in "iu":
            _refuse(built, "has members that read no columns")
        if count is not None and not (
            0 <= columns.min(initial=0) <= columns.max(initial=0) < count
        ):
            _refuse(built, "has members that read columns there are not")


def _listed(value: Any) -> Any:
    return value if isinstance(value, list | tuple | np.ndarray) else ()
