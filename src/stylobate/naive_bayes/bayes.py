"""What naive Bayes classifiers share: joint scores and priors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base.class_learning import LearnsFromClasses
from stylobate.base.class_scores import Answer, ScoresClasses
from stylobate.exceptions import InvalidParameterError


class Bayes(ScoresClasses, LearnsFromClasses):
    """Classifiers whose scores are joint log probabilities log p(x, y)."""

    def predict_joint_log_proba(self, X: Any) -> NDArray[Any]:
        """Log p(x, y) of every row and class, not normalised.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        return self._answer(X, Answer.SCORES)


def given_priors(priors: Any, n_classes: int, owner: str, name: str) -> Array:
    """Priors that were given, one per class; refuses another number of them, or negative ones."""
    values = np.asarray(priors, dtype=np.float64)
    if values.shape != (n_classes,):
        raise InvalidParameterError(
            f"{owner}: number of priors must match number of classes: {name} has shape "
            f"{values.shape}, and there are {n_classes} classes."
        )
    if (values < 0).any():
        raise InvalidParameterError(
            f"{owner}: priors must be non-negative, but {name} holds {values.min():g}."
        )
    return values


def n_prior_parameters(prior: Array, given: Any) -> int:
    """Priors that are free: all but one, none if they were given.

    >>> n_prior_parameters(np.array([0.2, 0.3, 0.5]), None)
    2
    """
    return len(prior) - 1 if given is None else 0


def log_of(probabilities: Array) -> Array:
    """Logarithms, −∞ of zeros without a warning."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probabilities))
