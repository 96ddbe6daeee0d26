"""Whether the parts of a loaded estimator can belong together."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from stylobate.exceptions import ModelFileError, StylobateError
from stylobate.storage.names import is_estimator
from stylobate.storage.requirements import missing
from stylobate.storage.shapes import misshapen

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
_MOST_NAMES = 1 << 24  # columns of `transform`: each has a name where a frame is asked for


def check_state(built: Any) -> None:
    """Refuse an estimator (or a value that checks itself) whose parts contradict each other.

    Classes say more by a method ``_check_loaded``, for example that the children of a tree exist.

    Raises
    ------
    ModelFileError
    """
    lost = missing(built)
    if lost:
        _refuse(built, f"lacks {', '.join(lost)}, which it had learnt")
    if is_estimator(type(built)):
        _check_features(built)
        _check_numbers(built)
        _check_classes(built)
        _check_linear(built)
        _check_members(built)
        _check_steps(built)
        _check_held(built)
        _check_parameters(built)
    words = misshapen(built)
    if words:
        _refuse(built, words)
    own = getattr(built, "_check_loaded", None)
    if own is not None:
        own()


def _refuse(built: Any, words: str) -> None:
    raise ModelFileError(f"The {type(built).__name__} of the file {words}.")


def _check_features(built: Any) -> None:
    state = vars(built)
    for name, most in {"n_features_in_": 2**63 - 1, "_n_features_out": _MOST_NAMES}.items():
        count = state.get(name, 0)
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        if not whole or not 0 <= count <= most:
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
        if isinstance(array, str | list | dict) or array is None or hasattr(array, "tocsr"):
            continue
        if not isinstance(array, np.ndarray | np.number | int | float):
            _refuse(built, f"has {name} that is a {type(array).__name__} and no number")
        numbers = np.asarray(array)
        if numbers.dtype.kind not in _NUMBERS:
            _refuse(built, f"has {name} that are no numbers")
        if numbers.dtype.kind == "f" and np.isnan(numbers).any():
            _refuse(built, f"has NaN in {name}")


def _check_classes(built: Any) -> None:
    state = vars(built)
    classes = state.get("classes_")
    labels_only = type(built).__name__ in ("LabelEncoder", "LabelBinarizer")
    if labels_only and "classes_" in state and np.ndim(classes) != 1:
        _refuse(built, "has no list of classes")
    if "classes_" not in state or not _is_classifier(built):
        return
    if isinstance(classes, list) and all(isinstance(each, np.ndarray) for each in classes):
        return  # of several outputs
    if not isinstance(classes, np.ndarray) or classes.ndim != 1 or not len(classes):
        _refuse(built, "has no list of classes")
    labels = classes.tolist()
    if any(isinstance(label, list | dict | set | tuple) for label in labels):
        _refuse(built, "has classes that are lists")
    if len(set(labels)) < len(labels):
        _refuse(built, "names a class twice")
    count = state.get("n_classes_", len(labels))
    if not isinstance(count, int | np.integer) or count != len(labels):
        _refuse(built, f"has n_classes_={str(count)[:50]} for {len(labels)} classes")


def _check_linear(built: Any) -> None:
    """Whether coefficients, intercepts and classes are of the same sums."""
    state = vars(built)
    coef, intercept = state.get("coef_"), state.get("intercept_")
    if "coef_" in state and coef is None:
        _refuse(built, "has no coef_")
    if coef is None or "intercept_" not in state or "n_features_in_" not in state:
        return
    if not isinstance(coef, np.ndarray | np.matrix) and not hasattr(coef, "tocsr"):
        _refuse(built, f"has coef_ that is a {type(coef).__name__} and no array")
    sums = coef.shape[0] if coef.ndim == 2 else 1
    if not isinstance(intercept, np.ndarray | np.number | int | float):
        _refuse(built, "has intercept_ that is no number")
    offsets = np.asarray(intercept)
    if offsets.dtype.kind not in _NUMBERS:
        _refuse(built, "has intercept_ that is no number")
    if coef.ndim not in (1, 2) or (offsets.ndim and offsets.shape != (sums,)):
        _refuse(built, f"has intercept_ of shape {offsets.shape} for coef_ of shape {coef.shape}")
    classes = state.get("classes_")
    if isinstance(classes, np.ndarray) and _is_classifier(built):
        count = len(classes)
        if count < 2 or sums not in (count, 1 if count == 2 else count):
            _refuse(built, f"has {sums} rows of coef_ for {count} classes")


# what a model has once it is fitted; chains of models have learnt nothing of their own
_ONLY_FITTED = ("n_features_in_", "classes_", "vocabulary_", "steps", "transformer_list")


def _check_parameters(built: Any) -> None:
    """Whether what was fitted could have been fitted with these parameters."""
    fitted = any(name in _ONLY_FITTED or name.endswith("_") for name in vars(built))
    check = getattr(built, "_check_parameters", None)
    if not fitted or check is None:
        return
    seed = vars(built).get("random_state")
    if isinstance(seed, int) and not 0 <= seed < 2**32:
        _refuse(built, f"has random_state={str(seed)[:50]}, which must be in [0, 2**32)")
    try:
        check()
    except (StylobateError, TypeError, ValueError) as error:
        _refuse(built, f"has a parameter it does not take ({str(error).rstrip('.')})")


def _is_step(value: Any) -> bool:
    words = isinstance(value, str) and value in ("passthrough", "drop")
    return value is None or words or is_estimator(type(value))


def _check_steps(built: Any) -> None:
    """Whether a chain of models is a list of names and models."""
    for name in ("steps", "transformer_list"):
        steps = vars(built).get(name)
        if steps is None or isinstance(steps, np.ndarray):
            continue
        pairs: Any = steps if isinstance(steps, list | tuple) else [None]
        for each in pairs:
            pair = isinstance(each, list | tuple) and len(each) == 2 and isinstance(each[0], str)
            if not pair or not _is_step(each[1]):
                _refuse(built, f"has {name} that are no pairs of a name and an estimator")


def _check_members(built: Any) -> None:
    """Whether the models a model asks are models, and read columns there are."""
    state = vars(built)
    if not isinstance(state.get("estimators_", []), list | tuple | np.ndarray):
        _refuse(built, "has members that are no estimators")
    waiting = [state.get("estimators_")]
    classes = state.get("classes_")
    while waiting:
        for each in _listed(waiting.pop()):
            if isinstance(each, list | tuple | np.ndarray) and len(each):
                waiting.append(each)
            elif each not in ("drop", None) and not is_estimator(type(each)):
                _refuse(built, "has members that are no estimators")
            elif _more_classes(each, classes):
                _refuse(built, "has members of more classes than it has itself")
    last = state.get("final_estimator_")
    if last is not None and isinstance(classes, np.ndarray):
        codes: Any = vars(last).get("classes_") if is_estimator(type(last)) else None
        if not np.array_equal(codes, np.arange(len(classes))) and not np.array_equal(
            codes, classes
        ):
            _refuse(built, "has a final_estimator_ of other classes")
    named = state.get("estimators")
    if isinstance(named, list) and not all(
        isinstance(each, list | tuple) and len(each) == 2 and isinstance(each[0], str)
        for each in named
    ):
        _refuse(built, "has estimators that are no pairs of a name and an estimator")
    if state.get("estimator_weights_", 0) is None or state.get("estimators_features_", 0) is None:
        _refuse(built, "has members of which nothing is known")
    weights = state.get("estimator_weights_")
    if weights is not None and len(weights) < len(_listed(state.get("estimators_"))):
        _refuse(built, "has members without a weight")
    count = state.get("n_features_in_")
    read = state.get("estimators_features_")
    if read is not None and not isinstance(read, list | tuple):
        _refuse(built, "has members that read no columns")
    for columns in _listed(read):
        if not isinstance(columns, np.ndarray) or columns.dtype.kind not in "iu":
            _refuse(built, "has members that read no columns")
        if count is not None and not (
            0 <= columns.min(initial=0) <= columns.max(initial=0) < count
        ):
            _refuse(built, "has members that read columns there are not")


_HELD = (
    *("best_estimator_", "estimator_", "final_estimator_", "indicator_", "initial_imputer_"),
    *("lower_estimator_", "regressor_", "scaler_", "transformer_", "upper_estimator_"),
)
_HELD_KINDS = {
    "_scaler": "StandardScaler",
    "_sums": "BumpSums",
    "_tfidf": "TfidfTransformer",
    "schema_": "Schema",
}
_NEVER_NONE = ("best_estimator_", "initial_imputer_", "lower_estimator_", "upper_estimator_")
_TRUTHS = ("sparse_output_",)
_REALS = (
    *("K_fit_all_", "_mean_distance", "a_", "b_", "degrees_of_freedom_", "doc_topic_prior_"),
    *("noise_variance_", "sample_interval_", "target_mean_"),
)
_SCALARS = ("bandwidth_", "target_scale_", "width_")


def _check_held(built: Any) -> None:
    """Whether single models are models, and single numbers numbers."""
    state = vars(built)
    for name in _HELD:
        known = state.get(name) is not None or (name in state and name in _NEVER_NONE)
        if known and not is_estimator(type(state[name])):
            _refuse(built, f"has {name} that is a {type(state[name]).__name__} and no estimator")
    searched = "cv_results_" in state and state.get("refit", False) is not False
    if searched and "best_estimator_" not in state:
        _refuse(built, "has no best_estimator_, which it had learnt")
    for name, wanted in _HELD_KINDS.items():
        found = type(state.get(name)).__name__
        if name in state and found != wanted:
            _refuse(built, f"has {name} that is a {found} and no {wanted}")
    for name in _TRUTHS:
        if not isinstance(state.get(name, True), bool | np.bool_):
            _refuse(built, f"has {name}={str(state[name])[:50]}, which must be True or False")
    for name in _REALS:
        value = state.get(name, 0.0)
        if isinstance(value, bool) or not isinstance(value, int | float | np.number | np.ndarray):
            _refuse(built, f"has {name}={str(value)[:50]}, which must be a number")
    for name in _SCALARS:
        value = state.get(name, 1.0)
        number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if not number or not value > 0:
            _refuse(built, f"has {name}={str(value)[:50]}, which must be a number above 0")


def _listed(value: Any) -> Any:
    return value if isinstance(value, list | tuple | np.ndarray) else ()


def _more_classes(member: Any, classes: Any) -> bool:
    own: Any = vars(member).get("classes_") if is_estimator(type(member)) else None
    both = isinstance(own, np.ndarray) and isinstance(classes, np.ndarray)
    return both and len(own) > len(classes)


def _is_classifier(built: Any) -> bool:
    return isinstance(built, import_module("stylobate.base.mixins").ClassifierMixin)
