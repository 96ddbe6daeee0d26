"""Labels and probabilities from scores of each class, made block by block while rows are read."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import NumericalError

if TYPE_CHECKING:
    from stylobate.data import Table


class Answer(IntEnum):
    """What is made of the scores; the core knows these numbers."""

    CLASSES = 0
    SCORES = 1
    LOG_PROBABILITIES = 2
    PROBABILITIES = 3


class ScoresClasses:
    """`predict`, `predict_proba` and `predict_log_proba` of classifiers with a score per class.

    The score of a class is its log prior plus the log likelihood of the row, up to a constant;
    probabilities are their softmax, computed relative to the largest, so that hundreds of columns
    neither overflow nor underflow. Answers are in double precision whatever X is: in single
    precision a logarithm would be known to fewer digits than the probability next to 1 needs.
    Subclasses write `_scores`.
    """

    classes_: NDArray[Any]

    if TYPE_CHECKING:

        def _check_fitted(self) -> None: ...
        def _read(
            self,
            X: Any,
            y: Any = None,
            sample_weight: Any = None,
            *,
            reset: bool,
            **door_options: Any,
        ) -> Table: ...

    def _scores(self, table: Table, answer: Answer) -> tuple[NDArray[Any], bool]:
        """The answer, and whether the highest score of every row is finite.

        Not declared abstract: a class may write `_answer` instead, and is no less whole for it.
        """
        raise NotImplementedError

    def _answer(self, X: Any, answer: Answer) -> NDArray[Any]:
        self._check_fitted()
        # a score of a row that is not finite is not finite: the rows need no search beforehand
        table = self._read(X, reset=False, check_finite="deferred")
        found, finite = self._scores(table, answer)
        if not finite:
            table.refuse_nonfinite()
            if answer is not Answer.SCORES:
                raise NumericalError(
                    f"{type(self).__name__}: a row of X is so far from every class that its "
                    "squared distance exceeds what double precision can hold; scale its columns."
                )
        return found

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of every row: the class with the highest posterior probability.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        codes = self._answer(X, Answer.CLASSES)
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Posterior probabilities of the classes.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
            In the order of ``classes_``; rows sum to 1.
        """
        return self._answer(X, Answer.PROBABILITIES)

    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """Logarithms of the posterior probabilities, accurate where these underflow.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        return self._answer(X, Answer.LOG_PROBABILITIES)


def answer_from(scores: Array, answer: Answer) -> tuple[NDArray[Any], bool]:
    """What is asked for, of scores that are at hand.

    >>> answer_from(np.array([[0.0, np.log(3.0)]]), Answer.PROBABILITIES)[0]
    array([[0.25, 0.75]])
    """
    top = scores.max(axis=1, keepdims=True)
    finite = bool(np.isfinite(top).all())
    if answer is Answer.CLASSES:
        return np.asarray(scores.argmax(axis=1)), finite
    if answer is Answer.SCORES or not finite:
        return scores, finite
    relative = scores - top
    shares = np.exp(relative)
    total = shares.sum(axis=1, keepdims=True)
    if answer is Answer.PROBABILITIES:
        return shares / total, finite
    return relative - np.log(total), finite
