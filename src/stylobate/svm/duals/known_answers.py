"""A classifier whose decisions for the rows to be scored are known already."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, ClassifierMixin
from stylobate.exceptions import InvalidDataError
from stylobate.kernels.kernel import count_of


class KnownAnswers(ClassifierMixin, BaseEstimator):
    """What scorers are given for a machine of a fold.

    Parameters
    ----------
    classes : array of shape (k,)
        All labels.
    labels : array of shape (n,)
        What `predict` returns for these n rows.
    decisions : array of shape (n,) or (n, k)
        What `decision_function` returns.
    """

    def __init__(self, classes: Any = None, labels: Any = None, decisions: Any = None) -> None:
        self.classes = classes
        self.labels = labels
        self.decisions = decisions

    @property
    def classes_(self) -> NDArray[Any]:
        """All labels."""
        return np.asarray(self.classes)

    def predict(self, X: Any) -> NDArray[Any]:
        """The known labels."""
        self._check_count(X)
        return np.asarray(self.labels)

    def decision_function(self, X: Any) -> Array:
        """The known decisions."""
        self._check_count(X)
        return np.asarray(self.decisions)

    def _check_count(self, X: Any) -> None:
        if count_of(X) != len(self.labels):
            raise InvalidDataError(
                f"The scorer asked for answers for {count_of(X)} rows; cross-validation has those "
                f"of the {len(self.labels)} rows it was given, and of no others."
            )
