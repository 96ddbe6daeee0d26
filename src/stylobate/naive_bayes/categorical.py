"""Categorical naive Bayes."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Interval, Tags
from stylobate.base.class_scores import Answer, answer_from
from stylobate.base.constraints import Numbers
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.naive_bayes.bayes import log_of
from stylobate.naive_bayes.discrete import NEVER, DiscreteNB, refuse_negative
from stylobate.statistics import Source
from stylobate.statistics.groups.category_counts import CategoryCounts

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer as FormulaAnswer
    from stylobate.formula.expressions import Expression


_MOST_CATEGORIES = 1e7  # a table of counts has room for each of them


class CategoricalNB(DiscreteNB):
    r"""Naive Bayes for columns of categories 0, 1, …, such as `OrdinalEncoder` gives.

    .. math:: \log p(x, c) = \log \pi_c + \sum_j \log \theta_{c j x_j}, \qquad
              \theta_{cjt} = \frac{N_{cjt} + \alpha}{n_c + \alpha m_j}

    with :math:`N_{cjt}` the rows of class c whose column j is t, and :math:`m_j` the number of
    categories of column j.

    Parameters
    ----------
    alpha : float in [0, inf), default=1.0
        Count that is added to every category.
    force_alpha : bool, default=True
        Whether alpha may be less than 1e-10; False raises it to that.
    fit_prior : bool, default=True
        Whether priors are shares of the rows; False: all classes are equally probable.
    class_prior : array-like of shape (n_classes,) or None, default=None
        Prior probabilities, if they are known.
    min_categories : int in [1, inf), array-like of shape (n_features,) or None, default=None
        How many categories a column has at least; None: as many as were seen.

    Attributes
    ----------
    category_count_ : list of n_features arrays of shape (n_classes, n_categories)
        Rows (weights) of each class and category.
    class_count_ : array of shape (n_classes,)
        Rows (weights) of each class.
    class_log_prior_ : array of shape (n_classes,)
        Logarithms of the priors.
    classes_ : array of shape (n_classes,)
        Labels.
    feature_log_prob_ : list of n_features arrays of shape (n_classes, n_categories)
        log θ.
    n_categories_ : array of shape (n_features,)
        Categories of each column.
    statistic_ : CategoryCounts
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[0, 1], [0, 0], [1, 2], [1, 1]]
    >>> model = CategoricalNB().fit(X, ["a", "a", "b", "b"])
    >>> model.predict([[0, 2]]), model.n_categories_
    (array(['a'], dtype='<U1'), array([2, 3]))
    >>> model.predict([[0, 7]])
    Traceback (most recent call last):
        ...
    stylobate.exceptions.InvalidDataError: CategoricalNB: column 1 of X holds the category 7, and...
    """

    def __init__(
        self,
        *,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Annotated[Any, Numbers(-inf, inf)] | None = None,
        min_categories: Annotated[int, Interval(1, inf)]
        | Annotated[Any, Numbers(1, inf)]
        | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=False, positive_only=True, categorical=True)

    @property
    def _statistic(self) -> type[Any]:
        return CategoryCounts

    def _read(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool, **options: Any
    ) -> Table:
        # a category is a place in a table: it has to be a number before anything is counted
        table = super()._read(X, y, sample_weight, reset=reset, **options | {"check_finite": "now"})
        refuse_negative(table.x, type(self).__name__)
        highest = table.x.max(initial=0)
        if highest > _MOST_CATEGORIES:
            raise InvalidDataError(
                f"{type(self).__name__}: X holds the category {highest:g}; categories must be 0, "
                f"1, 2 … up to {_MOST_CATEGORIES:g} at most. Number them with OrdinalEncoder first."
            )
        return table

    def _solve(self, statistic: Any, source: Source) -> None:
        self._set_prior(statistic.weight)
        self.class_count_ = statistic.weight
        known = statistic.with_categories(self._least_categories())
        self.category_count_: list[Array] = known.counts
        self.n_categories_ = np.array([each.shape[1] for each in known.counts], dtype=np.int64)
        self._smooth(self._smoothing())

    def _least_categories(self) -> NDArray[np.int64]:
        if self.min_categories is None:
            return np.zeros(self.n_features_in_, dtype=np.int64)
        least = np.asarray(self.min_categories)
        if least.dtype.kind not in "iu":
            raise InvalidParameterError(
                f"{type(self).__name__}: 'min_categories' should have integral type, got "
                f"{least.dtype} instead."
            )
        if least.ndim and least.shape != (self.n_features_in_,):
            raise InvalidParameterError(
                f"{type(self).__name__}: 'min_categories' should have shape "
                f"({self.n_features_in_},) when an array-like is provided, got {least.shape} "
                "instead."
            )
        return np.broadcast_to(least, (self.n_features_in_,)).astype(np.int64)

    def _smooth(self, alpha: Any) -> None:
        logs: Any = []
        for counts in self.category_count_:
            smoothed = counts + alpha
            total = smoothed.sum(axis=1, keepdims=True)
            total[total == 0] = 1.0
            logs.append(log_of(smoothed) - np.log(total))
        self.feature_log_prob_ = logs

    def _n_free(self) -> int:
        return int((self.n_categories_ - 1).sum())

    def _formula(self, columns: list[Expression]) -> FormulaAnswer:
        from stylobate.formula.expressions import Constant, lookup
        from stylobate.formula.pieces import added, classes_by_scores

        scores = []
        for c, prior in enumerate(np.maximum(self.class_log_prior_, NEVER)):
            parts: list[Expression] = [Constant(float(prior))]
            for column, logs in zip(columns, self.feature_log_prob_, strict=True):
                known = [(float(t), max(float(log), NEVER)) for t, log in enumerate(logs[c])]
                parts.append(lookup(column, known))
            scores.append(added(parts))
        return classes_by_scores(scores, self.classes_, chances=True)

    def _scores(self, table: Table, answer: Answer) -> tuple[NDArray[Any], bool]:
        codes = table.x.astype(np.int64)
        scores = np.tile(self.class_log_prior_, (len(codes), 1))
        for j, logs in enumerate(self.feature_log_prob_):
            highest = int(codes[:, j].max(initial=-1))
            if highest >= logs.shape[1]:
                raise InvalidDataError(
                    f"{type(self).__name__}: column {j} of X holds the category {highest}, and "
                    f"fit knows 0 to {logs.shape[1] - 1} only; set min_categories to "
                    f"{highest + 1} or more, or drop such rows."
                )
            scores += logs.T[codes[:, j]]
        # categories that no class has with alpha=0: they say nothing
        scores = np.where(np.isfinite(scores.max(axis=1, keepdims=True)), scores, 0.0)
        return answer_from(scores, answer)
