"""Bernoulli naive Bayes."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval
from stylobate.base.constraints import Numbers
from stylobate.data import Table
from stylobate.naive_bayes.bayes import log_of
from stylobate.naive_bayes.discrete import DiscreteNB

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer as FormulaAnswer
    from stylobate.formula.expressions import Expression


_LOG_TINY = float(np.log(np.finfo(np.float64).tiny))  # stands for log 0, so that sums keep digits


class BernoulliNB(DiscreteNB):
    r"""Naive Bayes for columns that are 0 or 1; absence counts as well as presence.

    .. math:: \log p(x, c) = \log \pi_c + \sum_j x_j \log \theta_{cj} + (1 - x_j)
              \log (1 - \theta_{cj}), \qquad \theta_{cj} = \frac{N_{cj} + \alpha_j}{n_c + 2\alpha_j}

    Parameters
    ----------
    alpha : float in [0, inf) or array-like of shape (n_features,), default=1.0
        Count that is added to ones and to zeros.
    force_alpha : bool, default=True
        Whether alpha may be less than 1e-10; False raises it to that.
    binarize : float in [0, inf) or None, default=0.0
        Numbers above it are 1, others 0; None: X holds zeros and ones already.
    fit_prior : bool, default=True
        Whether priors are shares of the rows; False: all classes are equally probable.
    class_prior : array-like of shape (n_classes,) or None, default=None
        Prior probabilities, if they are known.

    Attributes
    ----------
    class_count_ : array of shape (n_classes,)
        Rows (weights) of each class.
    class_log_prior_ : array of shape (n_classes,)
        Logarithms of the priors.
    classes_ : array of shape (n_classes,)
        Labels.
    feature_count_, feature_log_prob_ : arrays of shape (n_classes, n_features)
        Ones in each column, and log θ.
    statistic_ : ClassSums
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[1, 0], [1, 1], [0, 1], [0, 0]]
    >>> model = BernoulliNB().fit(X, ["a", "a", "b", "b"])
    >>> model.predict_proba([[1, 0]])
    array([[0.75, 0.25]])

    References
    ----------
    McCallum & Nigam (1998), A comparison of event models for naive Bayes text classification.
    """

    def __init__(
        self,
        *,
        alpha: Annotated[float, Interval(0, inf)] | Annotated[Any, Numbers(0, inf)] = 1.0,
        force_alpha: bool = True,
        binarize: Annotated[float, Interval(0, inf)] | None = 0.0,
        fit_prior: bool = True,
        class_prior: Annotated[Any, Numbers(-inf, inf)] | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _read(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool, **options: Any
    ) -> Table:
        # comparing with the threshold would turn NaN into 0: it is searched for first
        options["check_finite"] = "now"
        table = super()._read(X, y, sample_weight, reset=reset, **options)
        if self.binarize is None:
            return table
        if not table.is_sparse:
            return replace(table, x=(table.x > self.binarize).astype(table.x.dtype))
        x = table.x.copy()
        x.data = (x.data > self.binarize).astype(x.dtype)
        x.eliminate_zeros()
        return replace(table, x=x)

    def _smooth(self, alpha: Any) -> None:
        ones = self.feature_count_ + alpha
        all_rows = self.class_count_[:, np.newaxis] + 2.0 * np.atleast_1d(alpha)
        all_rows = np.broadcast_to(np.where(all_rows > 0, all_rows, 1.0), ones.shape)
        self.feature_log_prob_ = log_of(ones) - np.log(all_rows)
        self._log_zero: Array = log_of(np.maximum(all_rows - ones, 0.0)) - np.log(all_rows)

    def _n_free(self) -> int:
        return int(self.feature_log_prob_.shape[1])

    def _formula(self, columns: list[Expression]) -> FormulaAnswer:
        from stylobate.formula.pieces import above

        if self.binarize is None:
            return super()._formula(columns)
        return super()._formula([above(each, float(self.binarize)) for each in columns])

    @property
    def _linear(self) -> tuple[Array, Array]:
        one = np.maximum(self.feature_log_prob_, _LOG_TINY)
        zero = np.maximum(self._log_zero, _LOG_TINY)
        return one - zero, self.class_log_prior_ + zero.sum(axis=1)
