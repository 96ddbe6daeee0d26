"""`AdaBoostClassifier`: SAMME."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import ClassifierMixin, RandomState, read_classes
from stylobate.base.availability import available_if
from stylobate.base.scoring import accuracy
from stylobate.data.columns import Columns
from stylobate.ensemble.boosting_by_weights import (
    Count,
    Model,
    Rate,
    Round,
    WeightBoostingBase,
)
from stylobate.ensemble.members import member, members_have, takes_weights
from stylobate.exceptions import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

    Array = NDArray[np.float64]


class AdaBoostClassifier(ClassifierMixin, WeightBoostingBase):
    r"""Classifiers fitted one after the other, each to the rows that those before got wrong.

    With the weighted error εₘ of member m among K classes and learning rate ν,

    .. math:: \alpha_m = \nu\Big(\ln\frac{1-\varepsilon_m}{\varepsilon_m} + \ln(K-1)\Big), \qquad
              w_i \leftarrow w_i\,e^{\alpha_m [a_m(x_i) \ne y_i]}, \qquad
              a(x) = \arg\max_c \sum_m \alpha_m [a_m(x) = c]

    Boosting ends early with a member that makes no mistake, or one no better than guessing.

    Parameters
    ----------
    estimator : classifier or None, default=None
        What is boosted; its `fit` must take weights. None is a `DecisionTreeClassifier` of depth 1.
    n_estimators : int in [1, inf), default=50
        Most members.
    learning_rate : float in (0, inf), default=1.0
        ν.
    random_state : int, RandomState, Generator or None, default=None
        The members' own ``random_state`` are drawn from it.

    Attributes
    ----------
    estimator_ : classifier
        What is boosted.
    estimators_ : list of classifiers
        The members, in their order.
    estimator_weights_, estimator_errors_ : array of shape (n_estimators,)
        α and ε; 0 and 1 for members that were not needed.
    classes_, n_classes_ : array of shape (n_classes,), int
        The labels, sorted, and how many.
    feature_importances_ : array of shape (n_features,)
        The members' importances, weighted by α, if they have some.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.ensemble import AdaBoostClassifier
    >>> from stylobate.naive_bayes import GaussianNB
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [8.0], [9.0]], [0, 0, 1, 1, 0, 0]
    >>> model = AdaBoostClassifier(GaussianNB(), n_estimators=5).fit(X, y)
    >>> model.predict([[2.5], [8.5]])
    array([1, 0])

    References
    ----------
    Hastie, Rosset, Zhu & Zou (2009), Multi-class AdaBoost, Statistics and Its Interface 2.
    """

    def __init__(
        self,
        estimator: Model = None,
        *,
        n_estimators: Count = 50,
        learning_rate: Rate = 1.0,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.random_state = random_state

    def _default(self) -> Any:
        from stylobate.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(max_depth=1)

    def _read_y(self, y: Any, n_rows: int) -> NDArray[Any]:
        owner = type(self).__name__
        if not takes_weights(self._inner()):
            raise InvalidParameterError(
                f"{owner}: {type(self._inner()).__name__} doesn't support sample_weight, which "
                "boosting needs."
            )
        self.classes_, codes = read_classes(y, owner=owner, n_rows=n_rows, least=1)
        self.n_classes_ = len(self.classes_)
        return np.asarray(self.classes_[codes])

    def _round(
        self, columns: Columns, y: NDArray[Any], weights: Array, stream: Any, *, last: bool
    ) -> Round | None:
        model = member(self.estimator_, stream)
        model.fit(columns.native, y, sample_weight=weights)
        wrong = np.asarray(model.predict(columns.native)) != y
        error = float(np.average(wrong, weights=weights))
        if error <= 0.0:
            return Round(model, 1.0, 0.0, weights)
        k = self.n_classes_
        if error >= 1.0 - 1.0 / k:
            if not self.estimators_:
                raise InvalidDataError(
                    f"{type(self).__name__}: BaseClassifier in AdaBoostClassifier ensemble is "
                    "worse than random, ensemble can not be fit."
                )
            return None
        alpha = self.learning_rate * (log((1.0 - error) / error) + log(k - 1.0))
        if last:
            return Round(model, alpha, error, weights)
        with np.errstate(over="ignore"):
            return Round(model, alpha, error, weights * np.exp(alpha * wrong))

    def _votes(self, model: Any, x: Any, weight: float) -> Array:
        """The weight for the class chosen, and its negative share for each of the others."""
        chosen = np.asarray(model.predict(x))[:, np.newaxis] == self.classes_
        return np.where(chosen, weight, -weight / (self.n_classes_ - 1))

    def _staged(self, X: Any) -> Iterator[tuple[Array, float]]:
        """The sum of votes and of weights after each member."""
        x = self._rows(X)
        total, norm = np.zeros(()), 0.0
        for model, weight in self._pairs():
            total = total + self._votes(model, x, weight)
            norm += weight
            yield total, norm

    def _margins(self, votes: Array, norm: float) -> Array:
        if self.n_classes_ == 2:
            return np.asarray((votes[:, 1] - votes[:, 0]) / norm)
        return votes / norm

    def _labels(self, margins: Array) -> NDArray[Any]:
        if self.n_classes_ == 2:
            return np.asarray(self.classes_[(margins > 0).astype(np.intp)])
        return np.asarray(self.classes_[np.argmax(margins, axis=1)])

    def _shares(self, margins: Array) -> Array:
        k = self.n_classes_
        scores = np.column_stack([-margins, margins]) / 2 if k == 2 else margins / (k - 1)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def decision_function(self, X: Any) -> Array:
        """The weighted votes: positive for the second of two classes, else a column each.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_classes)
        """
        x = self._rows(X)
        if self.n_classes_ == 1:
            return np.zeros((np.shape(x)[0], 1))
        for votes, _ in self._staged(X):
            total = votes
        return self._margins(total, float(self.estimator_weights_.sum()))

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return self._labels(self.decision_function(X))

    def predict_proba(self, X: Any) -> Array:
        """Probabilities, as the logistic model of the votes has them.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        margins = self.decision_function(X)
        return np.ones((len(margins), 1)) if self.n_classes_ == 1 else self._shares(margins)

    @available_if(members_have("_formula"), "whose members have none")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.ensembles import votes
        from stylobate.formula.export import formula_of
        from stylobate.formula.expressions import Answer, Choice, Constant, Linear, Named, plain
        from stylobate.formula.pieces import classes_by_margin, softmax

        labels = tuple(plain(label) for label in self.classes_)
        if len(labels) == 1:
            return Answer((Constant(labels[0]),), (Constant(1.0),), labels)
        each = [votes(formula_of(model, columns), labels) for model, _ in self._pairs()]
        weights = np.array([weight for _, weight in self._pairs()]) / self.estimator_weights_.sum()
        others = len(labels) - 1
        # w for the class chosen and −w/(K−1) for each other one: w K/(K−1) [chosen] − w/(K−1)
        shares = weights * len(labels) / others
        constant = -float(weights.sum()) / others
        sums = [Linear(found, tuple(shares), constant) for found in zip(*each, strict=True)]
        if others == 1:
            return classes_by_margin(Linear((*sums,), (-1.0, 1.0)), labels, chances=True)
        held = tuple(Named("votes", found) for found in sums)
        powers = tuple(Linear((found,), (1.0 / others,)) for found in held)
        return Answer((Choice(held, labels),), softmax(powers), labels)

    def predict_log_proba(self, X: Any) -> Array:
        """The logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        return np.log(self.predict_proba(X))

    def staged_decision_function(self, X: Any) -> Iterator[Array]:
        """`decision_function` after each member.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Yields
        ------
        array of shape (n,) or (n, n_classes)
        """
        if self._only_class():
            yield self.decision_function(X)
            return
        for votes, norm in self._staged(X):
            yield self._margins(votes, norm)

    def _only_class(self) -> bool:
        self._check_fitted()
        return self.n_classes_ == 1

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """`predict` after each member.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Yields
        ------
        array of shape (n,)
        """
        for margins in self.staged_decision_function(X):
            yield self._labels(margins)

    def staged_predict_proba(self, X: Any) -> Iterator[Array]:
        """`predict_proba` after each member.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Yields
        ------
        array of shape (n, n_classes)
        """
        for margins in self.staged_decision_function(X):
            yield np.ones((len(margins), 1)) if self.n_classes_ == 1 else self._shares(margins)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """Accuracy after each member.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Their labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Yields
        ------
        float
        """
        from stylobate.data import read_labels, read_weights

        owner = type(self).__name__
        classes, codes = read_labels(y, owner=owner)
        weights = read_weights(sample_weight, len(codes), owner=owner)
        for labels in self.staged_predict(X):
            yield accuracy(classes[codes], labels, weights)
