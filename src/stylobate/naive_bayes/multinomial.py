"""Multinomial and complement naive Bayes."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval, Tags
from stylobate.base.constraints import Numbers
from stylobate.data import Table
from stylobate.naive_bayes.bayes import log_of
from stylobate.naive_bayes.discrete import DiscreteNB, refuse_negative


class CountsNB(DiscreteNB):
    """Naive Bayes of non-negative counts."""

    def _tags(self) -> Tags:
        return super()._tags().but(positive_only=True)

    def _read(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool, **options: Any
    ) -> Table:
        table = super()._read(X, y, sample_weight, reset=reset, **options)
        if y is not None:  # rows to learn from
            refuse_negative(table.x, type(self).__name__)
        return table


class MultinomialNB(CountsNB):
    r"""Naive Bayes for counts, such as those of words in texts.

    .. math:: \log p(x, c) = \log \pi_c + \sum_j x_j \log \theta_{cj} + \text{const}, \qquad
              \theta_{cj} = \frac{N_{cj} + \alpha_j}{\sum_l (N_{cl} + \alpha_l)}

    with :math:`N_{cj}` the sum of column j over the rows of class c.

    Parameters
    ----------
    alpha : float in [0, inf) or array-like of shape (n_features,), default=1.0
        Count that is added to every sum (1: Laplace, less: Lidstone).
    force_alpha : bool, default=True
        Whether alpha may be less than 1e-10; False raises it to that.
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
        Sums of the columns, and log θ.
    statistic_ : ClassSums
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[2, 1, 0], [1, 1, 0], [0, 1, 3], [0, 0, 2]]
    >>> model = MultinomialNB().fit(X, ["sport", "sport", "art", "art"])
    >>> model.predict([[1, 0, 0], [0, 1, 1]])
    array(['sport', 'art'], dtype='<U5')
    >>> np.exp(model.feature_log_prob_[0])
    array([0.11111111, 0.22222222, 0.66666667])

    References
    ----------
    Manning, Raghavan & Schütze (2008), Introduction to Information Retrieval, chapter 13.
    """

    def __init__(
        self,
        *,
        alpha: Annotated[float, Interval(0, inf)] | Annotated[Any, Numbers(0, inf)] = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Annotated[Any, Numbers(-inf, inf)] | None = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _smooth(self, alpha: Any) -> None:
        smoothed = self.feature_count_ + alpha
        total = smoothed.sum(axis=1, keepdims=True)
        total[total == 0] = 1.0  # a class without any count
        self.feature_log_prob_ = log_of(smoothed) - np.log(total)


class ComplementNB(CountsNB):
    r"""Complement naive Bayes: a class is told by what the other classes hold.

    .. math:: \hat y = \arg\max_c \sum_j x_j w_{cj}, \qquad w_{cj} = -\log
              \frac{\alpha_j + \sum_{k \ne c} N_{kj}}{\sum_l (\alpha_l + \sum_{k \ne c} N_{kl})}

    Steadier than `MultinomialNB` where classes are of very different size. The scores are no joint
    probabilities: priors play no part unless there is one class only.

    Parameters
    ----------
    alpha : float in [0, inf) or array-like of shape (n_features,), default=1.0
        Count that is added to every sum.
    force_alpha : bool, default=True
        Whether alpha may be less than 1e-10; False raises it to that.
    fit_prior : bool, default=True
        Only used where there is one class.
    class_prior : array-like of shape (n_classes,) or None, default=None
        Not used in predictions.
    norm : bool, default=False
        Whether to divide the weights of a class by their sum.

    Attributes
    ----------
    class_count_ : array of shape (n_classes,)
        Rows (weights) of each class.
    class_log_prior_ : array of shape (n_classes,)
        Logarithms of the priors.
    classes_ : array of shape (n_classes,)
        Labels.
    feature_all_ : array of shape (n_features,)
        Sums of the columns over all classes.
    feature_count_, feature_log_prob_ : arrays of shape (n_classes, n_features)
        Sums of the columns, and the weights w.
    statistic_ : ClassSums
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[2, 1, 0], [1, 1, 0], [0, 1, 3], [0, 0, 2]]
    >>> ComplementNB().fit(X, ["sport", "sport", "art", "art"]).predict([[1, 0, 0], [0, 1, 1]])
    array(['sport', 'art'], dtype='<U5')

    References
    ----------
    Rennie, Shih, Teevan & Karger (2003), Tackling the poor assumptions of naive Bayes text
    classifiers, ICML.
    """

    def __init__(
        self,
        *,
        alpha: Annotated[float, Interval(0, inf)] | Annotated[Any, Numbers(0, inf)] = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Annotated[Any, Numbers(-inf, inf)] | None = None,
        norm: bool = False,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm

    def _smooth(self, alpha: Any) -> None:
        self.feature_all_: Array = self.feature_count_.sum(axis=0)
        others = _of_other_rows(self.feature_count_) + alpha
        total = others.sum(axis=1, keepdims=True)
        total[total == 0] = 1.0  # no other class holds anything
        logs = log_of(others / total)
        self.feature_log_prob_ = logs / logs.sum(axis=1, keepdims=True) if self.norm else -logs

    @property
    def _linear(self) -> tuple[Array, Array]:
        alone = len(self.classes_) == 1
        bias = self.class_log_prior_ if alone else np.zeros(len(self.classes_))
        return np.minimum(self.feature_log_prob_, 1e300), bias


def _of_other_rows(counts: Array) -> Array:
    """For each row the sum of all others; taken from the whole, small ones would cancel.

    >>> _of_other_rows(np.array([[1.0], [2.0], [1e300]])).ravel().tolist()
    [1e+300, 1e+300, 3.0]
    """
    before, after = np.zeros_like(counts), np.zeros_like(counts)
    before[1:] = counts[:-1].cumsum(axis=0)
    after[:-1] = counts[:0:-1].cumsum(axis=0)[::-1]
    return before + after
