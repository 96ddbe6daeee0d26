"""`BaggingClassifier`: the mean of classifiers fitted to random rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import ClassifierMixin, read_classes
from stylobate.base.availability import available_if
from stylobate.base.scoring import accuracy
from stylobate.data.columns import Columns
from stylobate.ensemble.bagging import BaggingBase
from stylobate.ensemble.members import members_have
from stylobate.ensemble.votes import class_probabilities, log_probabilities

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class BaggingClassifier(ClassifierMixin, BaggingBase):
    r"""The mean of classifiers, each fitted to rows (and columns) drawn at random.

    .. math:: \hat p(c \mid x) = \frac1B \sum_{b=1}^B \hat p_b(c \mid x)

    Averaging keeps the bias of one member and takes away the part of its variance that differs
    from draw to draw. Members without `predict_proba` vote.

    Parameters
    ----------
    estimator : classifier or None, default=None
        What is bagged; None is a `DecisionTreeClassifier`.
    n_estimators : int in [1, inf), default=10
        Members B.
    max_samples : int in [1, inf), float in (0, 1] or None, default=None
        Rows to draw for each member: a number, a share, or as many as there are.
    max_features : int in [1, inf) or float in (0, 1], default=1.0
        Columns to draw for each member: a number or a share.
    bootstrap : bool, default=True
        Whether a row may be drawn several times.
    bootstrap_features : bool, default=False
        Whether a column may be drawn several times.
    oob_score : bool, default=False
        Whether to predict each row by the members that have not seen it.
    warm_start : bool, default=False
        Whether `fit` keeps the members there are and adds what is missing to `n_estimators`.
    n_jobs : int or None, default=None
        Members fitted at once; the model is the same for any number.
    random_state : int, RandomState, Generator or None, default=None
        One seed for each member is drawn from it, and from that its columns, its rows, and its
        own ``random_state``; the same seed draws the same rows in scikit-learn.
    verbose : int in [0, inf) or bool, default=0
        From 1 on, progress is shown in terminals and notebooks.

    Attributes
    ----------
    estimator_ : classifier
        What is bagged.
    estimators_ : list of classifiers
        The members, fitted to class numbers 0, 1, …
    estimators_samples_, estimators_features_ : list of arrays
        The rows and columns of each member.
    classes_, n_classes_ : array of shape (n_classes,), int
        The labels, sorted, and how many.
    oob_score_ : float
        Accuracy on rows left out, if `oob_score`.
    oob_decision_function_ : array of shape (n, n_classes)
        The probabilities behind it; NaN for rows that every member has seen.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> from stylobate.ensemble import BaggingClassifier
    >>> from stylobate.neighbors import KNeighborsClassifier
    >>> X, y = load_penguins(return_X_y=True, as_frame=True)
    >>> X = X[["bill_length_mm", "bill_depth_mm"]].fillna(0)
    >>> model = BaggingClassifier(KNeighborsClassifier(1), 20, oob_score=True, random_state=0)
    >>> bool(model.fit(X, y).oob_score_ > 0.93)
    True

    References
    ----------
    Breiman (1996), Bagging predictors, Machine Learning 24.
    """

    def _default(self) -> Any:
        from stylobate.tree import DecisionTreeClassifier

        return DecisionTreeClassifier()

    def _read_y(self, y: Any, n_rows: int) -> NDArray[Any]:
        owner = type(self).__name__
        self.classes_, codes = read_classes(y, owner=owner, n_rows=n_rows, least=1)
        self.n_classes_ = len(self.classes_)
        return codes

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the highest mean probability for each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        best = np.argmax(self.predict_proba(X), axis=1)
        return np.asarray(self.classes_[best])

    def predict_proba(self, X: Any) -> Array:
        """The mean of the members' probabilities, or their votes.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        self._check_fitted()
        ask = partial(class_probabilities, n_classes=self.n_classes_)
        return self._over_members(X, ask, np.add) / len(self.estimators_)

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithms of `predict_proba`, exact where probabilities are tiny.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        self._check_fitted()
        if not hasattr(self.estimators_[0], "predict_log_proba"):
            with np.errstate(divide="ignore"):
                return np.asarray(np.log(self.predict_proba(X)))
        ask = partial(log_probabilities, n_classes=self.n_classes_)
        total = self._over_members(X, ask, np.logaddexp)
        return np.asarray(total - np.log(len(self.estimators_)))

    @available_if(members_have("decision_function"), "whose members have none")
    def decision_function(self, X: Any) -> Array:
        """The mean of the members' margins.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_classes)
        """
        self._check_fitted()
        total = self._over_members(X, lambda one, x: one.decision_function(x), np.add)
        return np.asarray(total / len(self.estimators_))

    @available_if(members_have("_formula"), "whose members have none")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.ensembles import mean_of_classes

        return mean_of_classes(self._answers(columns), range(self.n_classes_), self.classes_)

    def _score_left_out(self, columns: Columns, y: NDArray[Any]) -> None:
        votes = np.zeros((columns.n_rows, self.n_classes_))
        for one, rows, x in self._left_out(columns):
            votes[rows] += class_probabilities(one, x, n_classes=self.n_classes_)
        total = votes.sum(axis=1)
        self._warn_seen_by_all(total == 0)
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = votes / total[:, np.newaxis]
        self.oob_score_ = accuracy(y, np.argmax(votes, axis=1))
