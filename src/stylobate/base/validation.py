"""Feature counts and names: remembered at fit, compared afterwards, in scikit-learn's words."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidDataError, StylobateWarning

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from stylobate.data import Table

_NAMES_SHOWN = 5


def remember_features(estimator: Any, table: Table) -> None:
    """Set ``n_features_in_`` and, when the columns have names, ``feature_names_in_``."""
    estimator.n_features_in_ = table.n_features
    if table.names is not None:
        estimator.feature_names_in_ = np.array(table.names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_


def compare_features(estimator: Any, table: Table) -> None:
    """Refuse a table whose columns are not those `estimator` was fitted on."""
    owner = type(estimator).__name__
    _compare_names(owner, getattr(estimator, "feature_names_in_", None), table.names)
    expected = getattr(estimator, "n_features_in_", table.n_features)
    if table.n_features != expected:
        raise InvalidDataError(
            f"X has {table.n_features} features, but {owner} is expecting {expected} features "
            "as input."
        )


def compare_frame_names(estimator: Any, X: Any) -> None:
    """Refuse a frame with other columns before its values are read: extra ones may be anything."""
    fitted = getattr(estimator, "feature_names_in_", None)
    given = getattr(X, "columns", None)
    if fitted is None or given is None or len(given) == 0:
        return
    names = list(given)
    if all(isinstance(name, str) for name in names) and names != list(fitted):
        raise InvalidDataError(_difference(list(fitted), names))


def _compare_names(
    owner: str, fitted: NDArray[np.object_] | None, given: tuple[str, ...] | None
) -> None:
    if fitted is None and given is None:
        return
    if fitted is None:
        _warn(f"X has feature names, but {owner} was fitted without feature names")
    elif given is None:
        _warn(f"X does not have valid feature names, but {owner} was fitted with feature names")
    elif list(fitted) != list(given):
        raise InvalidDataError(_difference(list(fitted), list(given)))


def _warn(message: str) -> None:
    # the caller of predict stands above: _warn, _compare_names, compare_features, _read, predict
    warnings.warn(message, StylobateWarning, stacklevel=6)


def _difference(fitted: Sequence[str], given: Sequence[str]) -> str:
    """Which names are new, missing, or only in another order."""
    message = "The feature names should match those that were passed during fit.\n"
    unseen = sorted(set(given) - set(fitted))
    missing = sorted(set(fitted) - set(given))
    if unseen:
        message += "Feature names unseen at fit time:\n" + _listed(unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n" + _listed(missing)
    if not unseen and not missing:
        message += "Feature names must be in the same order as they were in fit.\n"
    return message


def _listed(names: Sequence[str]) -> str:
    lines = [f"- {name}\n" for name in names[:_NAMES_SHOWN]]
    return "".join(lines) + ("- ...\n" if len(names) > _NAMES_SHOWN else "")


def input_names(estimator: Any, given: Any = None) -> NDArray[np.object_]:
    """Names of the input columns: those given, those seen at fit, or x0, x1 and so on."""
    seen = getattr(estimator, "feature_names_in_", None)
    count = estimator.n_features_in_
    if given is None:
        names = [f"x{index}" for index in range(count)] if seen is None else seen
        return np.array(names, dtype=object)
    names = np.asarray(given, dtype=object)
    if seen is not None and not np.array_equal(seen, names):
        raise InvalidDataError(
            "input_features is not equal to feature_names_in_: got "
            f"{list(names[:_NAMES_SHOWN])}, fitted on {list(seen[:_NAMES_SHOWN])}."
        )
    if len(names) != count:
        raise InvalidDataError(
            f"input_features should have length equal to number of features ({count}), got "
            f"{len(names)}."
        )
    return names
