"""What naive Bayes classifiers of counts share: smoothing, priors, linear scores."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base import Tags
from stylobate.base.class_scores import Answer, answer_from
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning
from stylobate.naive_bayes.bayes import Bayes, given_priors, log_of
from stylobate.statistics import ClassSums, Source

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer as FormulaAnswer
    from stylobate.formula.expressions import Expression


_LEAST_ALPHA = 1e-10
NEVER = -1e300  # stands for log 0 in products, where 0·∞ would be no number


class DiscreteNB(Bayes):
    """Scores that are linear in the counts; subclasses write `_smooth` and say how to score."""

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, poor_score=True)

    @property
    def _statistic(self) -> type[Any]:
        return ClassSums

    @abstractmethod
    def _smooth(self, alpha: Any) -> None:
        """Set ``feature_log_prob_`` from ``feature_count_`` and ``class_count_``."""

    def _solve(self, statistic: Any, source: Source) -> None:
        self._set_prior(statistic.weight)
        self.class_count_: Array = statistic.weight
        self.feature_count_: Array = statistic.sums
        self._smooth(self._smoothing())

    def _set_prior(self, weight: Array) -> None:
        count = len(self.classes_)
        if self.class_prior is not None:
            owner = type(self).__name__
            self.class_log_prior_ = log_of(
                given_priors(self.class_prior, count, owner, "class_prior")
            )
        elif self.fit_prior:
            self.class_log_prior_ = log_of(weight) - np.log(weight.sum())
        else:
            self.class_log_prior_ = np.full(count, -np.log(count))

    def _smoothing(self) -> Any:
        """alpha, checked against the columns, and raised where it is too small unless forced."""
        alpha = np.asarray(self.alpha, dtype=np.float64)
        if alpha.ndim and alpha.shape != (self.n_features_in_,):
            raise InvalidParameterError(
                f"{type(self).__name__}: when alpha is an array, it should contain `n_features` "
                f"numbers: got {len(alpha)} elements instead of {self.n_features_in_}."
            )
        if alpha.min() < _LEAST_ALPHA and not self.force_alpha:
            warnings.warn(
                "alpha too small will result in numeric errors, setting alpha = "
                f"{_LEAST_ALPHA:.1e}. Use `force_alpha=True` to keep alpha unchanged.",
                StylobateWarning,
                stacklevel=5,
            )
            return np.maximum(alpha, _LEAST_ALPHA)
        return alpha

    @property
    def _linear(self) -> tuple[Array, Array]:
        """Weights (classes × columns) and biases of the scores."""
        return self.feature_log_prob_, self.class_log_prior_

    feature_log_prob_: Array

    @property
    def n_parameters_(self) -> int:
        """Free parameters: the probabilities of each class that follow from no others."""
        self._check_fitted()
        learnt = self.class_prior is None and self.fit_prior
        return self._n_free() * len(self.classes_) + (len(self.classes_) - 1 if learnt else 0)

    def _n_free(self) -> int:
        """Free probabilities of one class; of shares that sum to 1 all but one."""
        return int(self.feature_log_prob_.shape[1]) - 1

    def _formula(self, columns: list[Expression]) -> FormulaAnswer:
        from stylobate.formula.pieces import classes_by_scores, weighted

        weights, bias = self._linear
        scores = [
            weighted(columns, np.maximum(row, NEVER), b)
            for row, b in zip(weights, np.maximum(bias, NEVER), strict=True)
        ]
        return classes_by_scores(scores, self.classes_, chances=True)

    def _scores(self, table: Table, answer: Answer) -> tuple[NDArray[Any], bool]:
        weights, bias = self._linear
        weights = np.ascontiguousarray(np.maximum(weights, NEVER))
        impossible = bool((weights == NEVER).any())
        if not table.is_sparse and not impossible:
            center = np.zeros(weights.shape[1])
            found, finite = _core.linear_scores(table.x, center, bias, weights, int(answer))
            return found, finite
        scores = np.asarray(table.x @ weights.T, dtype=np.float64) + bias
        if impossible and answer in (Answer.SCORES, Answer.LOG_PROBABILITIES):
            # −∞ where a class excludes the row, unless every class does
            some = (scores > 0.1 * NEVER).any(axis=1, keepdims=True)
            scores = np.where((scores <= 0.1 * NEVER) & some, -np.inf, scores)
        return answer_from(scores, answer)


def refuse_negative(x: Any, owner: str) -> None:
    """Refuse negative counts; NaN is somebody else's business."""
    data = x.data if hasattr(x, "tocsr") else x
    if data.size and data.min() < 0:
        raise InvalidDataError(
            f"Negative values in data passed to {owner} (input X): the smallest is "
            f"{data.min():g}, and counts are at least 0."
        )
