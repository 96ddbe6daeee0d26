"""`AdaBoostRegressor`: AdaBoost.R2."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from stylobate.base import RandomState, RegressorMixin
from stylobate.base.availability import available_if
from stylobate.base.scoring import r_squared
from stylobate.data.columns import Columns
from stylobate.ensemble.boosting_by_weights import (
    Count,
    Model,
    Rate,
    Round,
    WeightBoostingBase,
)
from stylobate.ensemble.draws import Draw
from stylobate.ensemble.members import member, members_have, part_of
from stylobate.ensemble.targets import read_one_target

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

    Array = NDArray[np.float64]

_HALF = 0.5  # of the weight: a member that loses more is of no use


class AdaBoostRegressor(RegressorMixin, WeightBoostingBase):
    r"""Regressions fitted one after the other, each to rows drawn by the losses of those before.

    With the loss Lᵢ ∈ [0, 1] of row i, its weighted mean L̄ and learning rate ν,

    .. math:: \beta_m = \frac{\bar L}{1 - \bar L}, \qquad
              w_i \leftarrow w_i\,\beta_m^{\nu(1 - L_i)}, \qquad
              \hat f(x) = \text{median of } \hat f_m(x) \text{ weighted by } \nu\ln\tfrac1{\beta_m}

    Boosting ends early with a member without error, or one whose mean loss reaches one half.

    Parameters
    ----------
    estimator : regressor or None, default=None
        What is boosted; None is a `DecisionTreeRegressor` of depth 3.
    n_estimators : int in [1, inf), default=50
        Most members.
    learning_rate : float in (0, inf), default=1.0
        ν.
    loss : {"linear", "square", "exponential"}, default="linear"
        L of e = |error| / largest: e, e² or 1 − exp(−e).
    random_state : int, RandomState, Generator or None, default=None
        The rows of each member and its own ``random_state`` are drawn from it; the same seed draws
        the same rows in scikit-learn.

    Attributes
    ----------
    estimator_ : regressor
        What is boosted.
    estimators_ : list of regressors
        The members, in their order.
    estimator_weights_, estimator_errors_ : array of shape (n_estimators,)
        ν ln 1/β and L̄; 0 and 1 for members that were not needed.
    feature_importances_ : array of shape (n_features,)
        The members' importances, weighted, if they have some.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.ensemble import AdaBoostRegressor
    >>> from stylobate.neighbors import KNeighborsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = AdaBoostRegressor(KNeighborsRegressor(), n_estimators=10, random_state=0)
    >>> bool(model.fit(X, y).score(X, y) > 0.5)
    True

    References
    ----------
    Drucker (1997), Improving regressors using boosting techniques, ICML.
    """

    def __init__(
        self,
        estimator: Model = None,
        *,
        n_estimators: Count = 50,
        learning_rate: Rate = 1.0,
        loss: Literal["linear", "square", "exponential"] = "linear",
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.loss = loss
        self.random_state = random_state

    def _default(self) -> Any:
        from stylobate.tree import DecisionTreeRegressor

        return DecisionTreeRegressor(max_depth=3)

    def _read_y(self, y: Any, n_rows: int) -> NDArray[Any]:
        return read_one_target(y, n_rows, type(self).__name__)

    def _round(
        self, columns: Columns, y: NDArray[Any], weights: Array, stream: Any, *, last: bool
    ) -> Round | None:
        model = member(self.estimator_, stream)
        n = columns.n_rows
        rows = Draw(n, n, replace=True, weights=weights).numbers(stream)
        model.fit(part_of(columns, rows, None), y[rows])
        counted = weights > 0
        losses = self._losses(np.abs(model.predict(columns.native) - y)[counted])
        error = float((weights[counted] * losses).sum())
        if error <= 0.0:
            return Round(model, 1.0, 0.0, weights)
        if error >= _HALF:
            if not self.estimators_:  # better than no model at all
                self.estimators_.append(model)
            return None
        beta = error / (1.0 - error)
        if not last:
            weights = weights.copy()
            weights[counted] *= beta ** (self.learning_rate * (1.0 - losses))
        return Round(model, self.learning_rate * log(1.0 / beta), error, weights)

    def _losses(self, errors: Array) -> Array:
        largest = errors.max()
        shares = errors / largest if largest != 0 else errors
        if self.loss == "square":
            return np.asarray(shares**2)
        if self.loss == "exponential":
            return np.asarray(1.0 - np.exp(-shares))
        return shares

    def _medians(self, predictions: Array) -> Array:
        """Weighted medians of the first members' predictions, of shape (members, n)."""
        order = np.argsort(predictions, axis=0)
        mass = np.cumsum(self.estimator_weights_[order], axis=0)
        place = np.argmax(mass >= _HALF * mass[-1], axis=0)
        columns = np.arange(predictions.shape[1])
        return np.asarray(predictions[order[place, columns], columns])

    def _predictions(self, X: Any) -> Array:
        x = self._rows(X)
        return np.array([each.predict(x) for each in self.estimators_])

    def predict(self, X: Any) -> Array:
        """The weighted median of the members' predictions.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return self._medians(self._predictions(X))

    @available_if(members_have("_formula"), "whose members have none")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.ensembles import weighted_median
        from stylobate.formula.export import formula_of
        from stylobate.formula.expressions import Answer

        pairs = list(self._pairs())
        values = [formula_of(model, columns).predictions[0] for model, _ in pairs]
        return Answer((weighted_median(values, [weight for _, weight in pairs]),))

    def staged_predict(self, X: Any) -> Iterator[Array]:
        """`predict` after each member.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Yields
        ------
        array of shape (n,)
        """
        predictions = self._predictions(X)
        for count in range(1, len(predictions) + 1):
            yield self._medians(predictions[:count])

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """R² after each member.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            What they really are.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Yields
        ------
        float
        """
        from stylobate.data import read_weights

        owner = type(self).__name__
        predictions = self._predictions(X)
        truth = read_one_target(y, predictions.shape[1], owner)[:, np.newaxis]
        weights = read_weights(sample_weight, len(truth), owner=owner)
        for count in range(1, len(predictions) + 1):
            yield r_squared(truth, self._medians(predictions[:count])[:, np.newaxis], weights)
