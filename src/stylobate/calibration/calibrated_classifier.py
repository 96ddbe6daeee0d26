"""A fitted classifier and what turns its scores into probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.calibration.sigmoid import SigmoidCalibration
from stylobate.calibration.temperature import TemperatureScaling
from stylobate.exceptions import InvalidDataError, ModelFileError
from stylobate.isotonic import IsotonicRegression
from stylobate.metrics.scoring.responses import chosen_method, response

Method = Literal["sigmoid", "isotonic", "temperature"]
SCORES = ("decision_function", "predict_proba")


def scores_of(estimator: Any, X: Any) -> NDArray[Any]:
    """A column of scores for each class, of two classes one; margins rather than probabilities."""
    return as_columns(response(estimator, X, SCORES), estimator)


def as_columns(scores: Any, estimator: Any) -> NDArray[Any]:
    """Scores as a matrix; refuses what is not finite."""
    values = np.asarray(scores)
    values = values.reshape(-1, 1) if values.ndim == 1 else values
    if not np.isfinite(values).all():
        raise InvalidDataError(
            f"The scores of {type(estimator).__name__} hold NaN or infinity and cannot be "
            "calibrated; scale its columns or regularise it."
        )
    return values


@dataclass(frozen=True, slots=True, eq=False)
class CalibratedClassifier:
    """A classifier, and a calibration of each class's score.

    Of several classes each is calibrated against the rest by "sigmoid" and "isotonic", and the
    probabilities are divided by their sum (equal ones, where all are 0); "temperature" is one
    scaling of all scores.

    Parameters
    ----------
    estimator : fitted classifier
    calibrators : list
        Of `SigmoidCalibration` or `IsotonicRegression`, one for each of the estimator's classes
        (one for two), or one `TemperatureScaling`.
    classes : array of shape (n_classes,)
        All labels; the estimator may know fewer.
    method : {"sigmoid", "isotonic", "temperature"}

    Examples
    --------
    >>> from stylobate.linear_model import LogisticRegression
    >>> x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 1, 0, 1])
    >>> model = LogisticRegression().fit(x, y)
    >>> found = CalibratedClassifier.fit(model, scores_of(model, x), y, model.classes_, "isotonic")
    >>> found.predict_proba(x)[:, 1]
    array([0. , 0.5, 0.5, 1. ])
    """

    estimator: Any
    calibrators: list[Any]
    classes: NDArray[Any]
    method: Method = "sigmoid"

    @classmethod
    def fit(
        cls,
        estimator: Any,
        scores: NDArray[Any],
        codes: NDArray[np.intp],
        classes: NDArray[Any],
        method: Method,
        sample_weight: Array | None = None,
    ) -> Self:
        """Calibrate a fitted classifier by scores of rows it has not seen.

        Parameters
        ----------
        estimator : fitted classifier
        scores : array of shape (n, n_columns)
            As `scores_of` gives them.
        codes : array of int, shape (n,)
            The place of each row's class among `classes`.
        classes, method
            As of the class.
        sample_weight : array of shape (n,), optional
        """
        if method == "temperature":
            table, known = _of_all_classes(estimator, scores), _known(estimator, classes)
            if len(known) != len(classes):
                raise InvalidDataError(
                    f"Temperature scaling needs scores of all {len(classes)} classes, and "
                    f"{type(estimator).__name__} was fitted to {len(known)} of them; use "
                    "stratified folds."
                )
            made: list[Any] = [TemperatureScaling.fit(table, codes, sample_weight)]
        else:
            made = [
                _of_one_class(method, scores[:, column], codes == place, sample_weight)
                for column, place in _columns(estimator, classes, scores.shape[1])
            ]
        return cls(estimator, made, classes, method)

    def predict_proba(self, X: Any) -> Array:
        """The calibrated probability of each class.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)

        Returns
        -------
        array of shape (n, n_classes)
        """
        scores = scores_of(self.estimator, X)
        if self.method == "temperature":
            return np.asarray(self.calibrators[0].predict(_of_all_classes(self.estimator, scores)))
        k = len(self.classes)
        found = np.zeros((len(scores), k))
        columns = _columns(self.estimator, self.classes, scores.shape[1])
        for (column, place), calibrator in zip(columns, self.calibrators, strict=True):
            found[:, place] = calibrator.predict(scores[:, column])
        if k == 2:
            found[:, 0] = 1.0 - found[:, 1]
            return found
        total = found.sum(axis=1, keepdims=True)
        equal = np.full_like(found, 1.0 / k)
        np.divide(found, total, out=equal, where=total != 0)
        return equal

    def _check_loaded(self) -> None:
        """Refuse calibrations of a file that do not belong to the method and the classes."""
        kinds = {
            "sigmoid": SigmoidCalibration,
            "isotonic": IsotonicRegression,
            "temperature": TemperatureScaling,
        }
        kind = kinds.get(self.method)
        sound = (
            kind is not None
            and isinstance(self.calibrators, list)
            and all(isinstance(each, kind) for each in self.calibrators)
            and 1 <= len(self.calibrators) <= len(self.classes)
            and any(hasattr(self.estimator, each) for each in SCORES)
        )
        if not sound:
            raise ModelFileError(
                "The CalibratedClassifier of the file has calibrations that do not fit its method."
            )


def _known(estimator: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Where the estimator's classes are among all."""
    return np.searchsorted(classes, np.asarray(estimator.classes_))


def _columns(estimator: Any, classes: NDArray[Any], width: int) -> list[tuple[int, int]]:
    """The class that each column of scores speaks for; of two classes the column is the second."""
    places = _known(estimator, classes).tolist()
    places = places[1:] if width == 1 and len(places) == 2 else places
    return list(enumerate(places))


def _of_all_classes(estimator: Any, scores: NDArray[Any]) -> NDArray[Any]:
    """One column of probabilities completed by the other class's."""
    probability = chosen_method(estimator, SCORES) == "predict_proba"
    return np.hstack([1 - scores, scores]) if probability and scores.shape[1] == 1 else scores


def _of_one_class(
    method: Method, scores: NDArray[Any], happened: NDArray[np.bool_], weights: Array | None
) -> Any:
    if method == "isotonic":
        events = happened.astype(np.float64)
        return IsotonicRegression(out_of_bounds="clip").fit(scores, events, weights)
    return SigmoidCalibration.fit(scores, happened, weights)
