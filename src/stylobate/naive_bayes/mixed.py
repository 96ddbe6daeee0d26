"""Naive Bayes with a model of its own for every column."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import ClassifierMixin, Interval, Options, Tags
from stylobate.base.class_scores import Answer, ScoresClasses, answer_from
from stylobate.base.constraints import Numbers
from stylobate.base.study_role import StudyRole
from stylobate.base.validation import compare_features, remember_features
from stylobate.data import read_labels, read_weights
from stylobate.data.indexing import take_rows
from stylobate.data.kinds.inference import schema_of
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns, refuse_infinite
from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.naive_bayes.bayes import given_priors, log_of, n_prior_parameters
from stylobate.naive_bayes.explanation import Explanation
from stylobate.naive_bayes.mixed_streams import LearnsMixedStreams
from stylobate.naive_bayes.reading import (
    MODELS,
    chosen_models,
    coded,
    learnt,
    plain_numbers,
    seen_in,
)

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer as FormulaAnswer
    from stylobate.formula.expressions import Expression


class NaiveBayes(ScoresClasses, ClassifierMixin, LearnsMixedStreams):
    r"""Naive Bayes on a data frame: every column has its own model, and missing values are skipped.

    .. math:: p(c \mid x) \propto \pi_c \prod_{j: x_j \text{ observed}} p(x_j \mid c)

    Columns are independent within a class, so a value that is missing simply leaves the product, in
    learning and in prediction; nothing is imputed and nothing needs encoding. A category that was
    never seen leaves it too: it favours no class.

    Parameters
    ----------
    models : dict from column to model, one model, or None, default=None
        "gaussian", "categorical", "bernoulli" (two values), "multinomial" (all such columns are
        counts that share one distribution), "poisson" (counts), "kde" (kernel density), or
        "ignore". Columns not named are modelled by their kind: numbers are Gaussian, two values
        Bernoulli, categories and steps categorical; identifiers, dates, sentences and constants
        are ignored. Columns without names are called ``x0``, ``x1``, …
    priors : array-like of shape (n_classes,) or None, default=None
        Prior probabilities, of sum 1; None: shares of the rows.
    alpha : float in [0, inf), default=1.0
        Count that is added to every category, and rows added to every rate of counts.
    var_smoothing : float in [0, inf), default=1e-9
        Share of a column's variance that is added to its variance in each class.
    bandwidth : "scott", "silverman" or float in (0, inf), default="scott"
        Width of the kernels of "kde", by rule or in units of the column.

    Attributes
    ----------
    classes_ : array of shape (n_classes,)
        Labels.
    class_count_ : array of shape (n_classes,)
        Rows (weights) of each class.
    class_prior_ : array of shape (n_classes,)
        Prior probabilities.
    models_ : dict from column to str
        The model of each column.
    features_ : list of n_features models, None where a column is ignored
        With what they learnt.
    schema_ : Schema
        What each column is, and why.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({
    ...     "height": [1.1, 1.3, None, 4.8, 5.2, 5.5, 1.2, 5.0],
    ...     "coat": ["stripes", "stripes", "stripes", "spots", "spots", None, "plain", "spots"],
    ... })
    >>> y = ["zebra"] * 3 + ["giraffe"] * 3 + ["zebra", "giraffe"]
    >>> model = NaiveBayes().fit(X, y)
    >>> model.models_
    {'height': 'gaussian', 'coat': 'categorical'}
    >>> model.predict(pd.DataFrame({"height": [None, 1.0], "coat": ["spots", None]}))
    array(['giraffe', 'zebra'], dtype='<U7')
    """

    _study_role = StudyRole("naive_bayes", "Naive Bayes", 9, encoding="table", max_columns=1_000)

    def __init__(
        self,
        *,
        models: dict[str, str] | Annotated[str, Options(*MODELS)] | None = None,
        priors: Annotated[Any, Numbers(-inf, inf)] | None = None,
        alpha: Annotated[float, Interval(0, inf)] = 1.0,
        var_smoothing: Annotated[float, Interval(0, inf)] = 1e-9,
        bandwidth: Annotated[str, Options("scott", "silverman")]
        | Annotated[float, Interval(0, inf, "neither")] = "scott",
    ) -> None:
        self.models = models
        self.priors = priors
        self.alpha = alpha
        self.var_smoothing = var_smoothing
        self.bandwidth = bandwidth

    def _tags(self) -> Tags:
        models = self.models.values() if isinstance(self.models, dict) else [self.models]
        # kernel densities keep every value
        tier = "all rows" if "kde" in models else "several passes"
        return super()._tags().but(allow_nan=True, categorical=True, tier=tier)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the model of every column.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Columns of any kind; NaN, None and the like are missing.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        self._check_parameters()
        owner = type(self).__name__
        columns = self._columns(X)
        classes, codes = read_labels(y, owner=owner, n_rows=columns.n_rows)
        weights = read_weights(sample_weight, columns.n_rows, owner=owner)
        if weights is not None and not weights.all():
            kept = np.flatnonzero(weights)
            return self.fit(take_rows(X, kept), classes[codes[kept]], weights[kept])
        remember_features(self, columns)  # type: ignore[arg-type]  # knows names and their number
        count = np.bincount(codes, weights=weights, minlength=len(classes)).astype(np.float64)
        prior = self._prior(count)
        self.schema_ = schema_of(columns)
        self.models_ = chosen_models(self.schema_, self.models, owner)
        self.features_ = learnt(self, seen_in(self, columns, codes, weights, len(classes)))
        self.classes_, self.class_count_, self.class_prior_ = classes, count, prior
        return self

    def _check_loaded(self) -> None:
        """Refuse models of columns of a file that are not of the columns or of the classes."""
        if "features_" not in vars(self):
            return
        models, count = self.features_, len(self.classes_)
        shapes: dict[str, tuple[int, ...]] = {"mean": (count,), "variance": (count,)}
        sound = isinstance(models, list) and len(models) == self.n_features_in_
        sound = sound and isinstance(self.models_, dict) and len(self.models_) == len(models)
        for model in models if sound else []:
            if hasattr(model, "log_share") and hasattr(model, "categories"):
                shapes["log_share"] = (count, len(model.categories))
            sound &= model is None or hasattr(model, "log_density")
            sound &= all(
                np.shape(getattr(model, name)) == shape
                for name, shape in shapes.items()
                if hasattr(model, name)
            )
        if not sound:
            raise ModelFileError("The NaiveBayes of the file has models of other columns.")

    def _prior(self, count: Array) -> Array:
        if self.priors is None:
            return np.asarray(count / count.sum())
        prior = given_priors(self.priors, len(count), type(self).__name__, "priors")
        if not np.isclose(prior.sum(), 1.0):
            raise InvalidParameterError(
                f"{type(self).__name__}: the sum of the priors should be 1, got {prior.sum():g}."
            )
        return prior

    def _columns(self, X: Any) -> MixedColumns:
        owner = type(self).__name__
        columns = read_mixed_columns(X, owner=owner)
        refuse_infinite(columns, owner)
        return columns

    def _answer(self, X: Any, answer: Answer) -> NDArray[Any]:
        self._check_fitted()
        columns = self._columns(X)
        compare_features(self, columns)  # type: ignore[arg-type]  # knows names and their number
        scores = np.tile(log_of(self.class_prior_), (columns.n_rows, 1))
        for j in range(columns.n_features):
            if self.features_[j] is not None:
                scores += self._contribution(columns, j)
        return answer_from(_settled(scores), answer)[0]

    def _contribution(self, columns: MixedColumns, j: int) -> Array:
        """Log p(xⱼ | c) of every row (n × k); 0 where nothing is observed."""
        name = list(self.models_)[j]
        known = plain_numbers(columns, j, self.models_[name])
        if known is not None:
            logs = self.features_[j].log_density(known).T
            return np.asarray(np.nan_to_num(logs, copy=False, nan=0.0, neginf=-inf))
        values, codes = coded(columns, j, self.schema_[name], self.models_[name])
        logs = self.features_[j].log_density(values)
        padded = np.column_stack([logs, np.zeros(len(logs))]).T
        return np.asarray(np.nan_to_num(padded, nan=0.0, neginf=-inf)[codes])

    def _formula(self, columns: list[Expression]) -> FormulaAnswer:
        from stylobate.formula.expressions import Constant
        from stylobate.formula.pieces import added, classes_by_scores
        from stylobate.naive_bayes.formulas import contributions

        parts: list[list[Expression]] = [
            [Constant(max(float(log), -1e300))] for log in log_of(self.class_prior_)
        ]
        for column, name, feature in zip(columns, self.models_, self.features_, strict=True):
            if feature is not None:
                for part, each in zip(
                    parts, contributions(feature, column, self.schema_[name]), strict=True
                ):
                    part.append(each)
        return classes_by_scores([added(part) for part in parts], self.classes_, chances=True)

    @property
    def n_parameters_(self) -> int:
        """Free parameters of all columns' models and of the priors.

        Shares that sum to 1 are one less than they are many; a kernel density has the values it
        was learnt from, so that their number grows with the rows.
        """
        self._check_fitted()
        shared = "multinomial" in self.models_.values()  # one distribution over several columns
        total = sum(each.n_parameters for each in self.features_) - shared * len(self.classes_)
        return int(total) + n_prior_parameters(self.class_prior_, self.priors)

    def predict_joint_log_proba(self, X: Any) -> Array:
        """Log p(x, y) of every row and class: log prior plus log likelihoods of what is observed.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        return self._answer(X, Answer.SCORES)

    def explain(self, X: Any) -> Explanation:
        """What each column adds to the score of each class.

        Parameters
        ----------
        X : data frame or array-like of shape (n, n_features)
            Rows.

        Returns
        -------
        Explanation
            Prints its first row as a table.
        """
        self._check_fitted()
        columns = self._columns(X)
        compare_features(self, columns)  # type: ignore[arg-type]  # knows names and their number
        parts = np.zeros((columns.n_rows, columns.n_features, len(self.classes_)))
        for j in range(columns.n_features):
            if self.features_[j] is not None:
                parts[:, j] = self._contribution(columns, j)
        return Explanation(self.classes_, tuple(self.models_), log_of(self.class_prior_), parts)


def _settled(scores: Array) -> Array:
    """Rows that every class excludes (alpha=0, or beyond all range) favour none."""
    none = ~np.isfinite(scores.max(axis=1))
    if none.any():
        scores[none] = 0.0
    return scores
