"""`BaggingRegressor`: the mean of regressions fitted to random rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import RegressorMixin, Tags
from stylobate.base.availability import available_if
from stylobate.base.delegation import tags_of
from stylobate.base.scoring import r_squared
from stylobate.data.columns import Columns
from stylobate.ensemble.bagging import BaggingBase
from stylobate.ensemble.members import members_have
from stylobate.ensemble.targets import read_targets

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class BaggingRegressor(RegressorMixin, BaggingBase):
    r"""The mean of regressions, each fitted to rows (and columns) drawn at random.

    .. math:: \hat f(x) = \frac1B \sum_{b=1}^B \hat f_b(x)

    Averaging keeps the bias of one member and takes away the part of its variance that differs
    from draw to draw.

    Parameters
    ----------
    estimator : regressor or None, default=None
        What is bagged; None is a `DecisionTreeRegressor`.
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
    estimator_ : regressor
        What is bagged.
    estimators_ : list of regressors
        The members.
    estimators_samples_, estimators_features_ : list of arrays
        The rows and columns of each member.
    oob_score_ : float
        R² on rows left out, if `oob_score`.
    oob_prediction_ : array of shape (n,) or (n, n_targets)
        The predictions behind it; 0 for rows that every member has seen.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.ensemble import BaggingRegressor
    >>> from stylobate.linear_model import Ridge
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = BaggingRegressor(Ridge(0.1), 25, oob_score=True, random_state=0).fit(X, y)
    >>> round(model.oob_score_, 2)
    0.49

    References
    ----------
    Breiman (1996), Bagging predictors, Machine Learning 24.
    """

    def _default(self) -> Any:
        from stylobate.tree import DecisionTreeRegressor

        return DecisionTreeRegressor()

    def _tags(self) -> Tags:
        return super()._tags().but(multi_output=tags_of(self._inner()).multi_output)

    def _read_y(self, y: Any, n_rows: int) -> NDArray[Any]:
        several = self._tags().multi_output
        return read_targets(y, n_rows, type(self).__name__, several=several)

    def predict(self, X: Any) -> Array:
        """The mean of the members' predictions.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_targets)
        """
        self._check_fitted()
        total = self._over_members(X, lambda one, x: np.asarray(one.predict(x)), np.add)
        return total / len(self.estimators_)

    @available_if(members_have("_formula"), "whose members have none")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.ensembles import mean_of_numbers

        return mean_of_numbers(self._answers(columns))

    def _score_left_out(self, columns: Columns, y: NDArray[Any]) -> None:
        total = np.zeros(y.shape)
        counts = np.zeros(columns.n_rows)
        for one, rows, x in self._left_out(columns):
            total[rows] += one.predict(x)
            counts[rows] += 1
        self._warn_seen_by_all(counts == 0)
        mean = (total.T / np.maximum(counts, 1)).T
        self.oob_prediction_ = mean
        self.oob_score_ = r_squared(y.reshape(len(y), -1), mean.reshape(len(y), -1))
