"""Gaussian naive Bayes."""

from __future__ import annotations

from math import inf, log, pi
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base import Interval, Options
from stylobate.base.class_scores import Answer
from stylobate.base.constraints import Numbers
from stylobate.base.gaussian_classes import GaussianClasses, MarginalizesMissing
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.naive_bayes.bayes import Bayes, given_priors, log_of, n_prior_parameters
from stylobate.statistics import DiagonalClassMoments, Source

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer as FormulaAnswer
    from stylobate.formula.expressions import Expression


class GaussianNB(MarginalizesMissing, Bayes):
    r"""Naive Bayes with a normal distribution for every column and class.

    .. math:: \hat y = \arg\max_c \; \log \pi_c - \frac12 \sum_j \Big( \log 2\pi\sigma_{cj}^2
              + \frac{(x_j - \theta_{cj})^2}{\sigma_{cj}^2} \Big)

    One pass over the rows gives means and variances of all classes (`DiagonalClassMoments`), so
    batches, more rows later and cross-validation cost no second look at rows already seen; rows are
    centred at their class before they are squared.

    Parameters
    ----------
    priors : array-like of shape (n_classes,) or None, default=None
        Prior probabilities, non-negative, of sum 1; None: shares of the rows.
    var_smoothing : float in [0, inf), default=1e-9
        Share of the largest variance of a column that is added to all variances.
    missing : {"refuse", "marginalize"}, default="refuse"
        What predictions do with rows that lack features (NaN): refuse them, or integrate those
        features out of the densities, which leaves the others.

    Attributes
    ----------
    class_count_ : array of shape (n_classes,)
        Rows (weights) of each class.
    class_prior_ : array of shape (n_classes,)
        Prior probabilities.
    classes_ : array of shape (n_classes,)
        Labels.
    epsilon_ : float
        What was added to the variances. Of rows that are all equal, `var_smoothing` itself.
    theta_, var_ : arrays of shape (n_classes, n_features)
        Means and variances.
    statistic_ : DiagonalClassMoments
        What was learnt from.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X = [[-1.0, -1], [-2, -1], [-3, -2], [1, 1], [2, 1], [3, 2]]
    >>> model = GaussianNB().fit(X, [1, 1, 1, 2, 2, 2])
    >>> model.predict([[-0.8, -1]]), model.theta_[0]
    (array([1]), array([-2.        , -1.33333333]))
    >>> model.set_params(missing="marginalize").predict([[float("nan"), 2.0]]), model.n_parameters_
    (array([2]), 9)

    References
    ----------
    Chan, Golub & LeVeque (1979), Updating formulae and a pairwise algorithm for computing sample
    variances, Stanford STAN-CS-79-773.
    """

    def __init__(
        self,
        *,
        priors: Annotated[Any, Numbers(-inf, inf)] | None = None,
        var_smoothing: Annotated[float, Interval(0, inf)] = 1e-9,
        missing: Annotated[str, Options("refuse", "marginalize")] = "refuse",
    ) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing
        self.missing = missing

    @property
    def _statistic(self) -> type[Any]:
        return DiagonalClassMoments

    def _solve(self, statistic: Any, source: Source) -> None:
        owner, total = type(self).__name__, statistic.weight.sum()
        if self.priors is not None:
            prior = given_priors(self.priors, len(self.classes_), owner, "priors")
            if not np.isclose(prior.sum(), 1.0):
                raise InvalidParameterError(
                    f"{owner}: the sum of the priors should be 1, got {prior.sum():g}."
                )
        else:
            prior = statistic.weight / total
        widest = float((statistic.total_scatter / total).max())
        epsilon = self.var_smoothing * (widest if widest > 0.0 else 1.0)
        divisor = np.where(statistic.weight > 0, statistic.weight, 1.0)
        var = statistic.scatter / divisor[:, None] + epsilon
        if not (var > 0).all():
            c, j = np.argwhere(~(var > 0))[0]
            raise InvalidDataError(
                f"{owner}: column {j} of X does not vary within class "
                f"{self.classes_.tolist()[c]!r}, so with var_smoothing=0 its variance there is 0; "
                "set var_smoothing to a positive number."
            )
        self.class_count_: Array = statistic.weight
        self.class_prior_: Array = prior
        self.theta_: Array = statistic.mean
        self.var_: Array = var
        self.epsilon_ = epsilon

    @property
    def n_parameters_(self) -> int:
        """Free parameters: a mean and a variance per class and column, and the priors."""
        self._check_fitted()
        return 2 * self.theta_.size + n_prior_parameters(self.class_prior_, self.priors)

    def _gaussian_classes(self) -> GaussianClasses:
        return GaussianClasses(log_of(self.class_prior_), self.theta_, self.var_)

    def _formula(self, columns: list[Expression]) -> FormulaAnswer:
        from stylobate.formula.pieces import classes_by_scores, normal_score

        scores = [
            normal_score(columns, mean, 1.0 / np.sqrt(var), log(prior) if prior > 0 else -1e300)
            for mean, var, prior in zip(self.theta_, self.var_, self.class_prior_, strict=True)
        ]
        return classes_by_scores(scores, self.classes_, chances=True)

    def _scores(self, table: Table, answer: Answer) -> tuple[NDArray[Any], bool]:
        scale = 1.0 / np.sqrt(self.var_)
        center = self.class_prior_ @ self.theta_  # near the rows: large means keep their digits
        mean = (self.theta_ - center) * scale
        columns = self.theta_.shape[1]
        bias = log_of(self.class_prior_) + np.log(scale).sum(axis=1) - 0.5 * columns * log(2 * pi)
        found, finite = _core.diagonal_scores(table.x, center, bias, scale, mean, int(answer))
        return found, finite
