"""`VotingClassifier` and `VotingRegressor`: several models, one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import ClassifierMixin, Numbers, RegressorMixin, read_classes
from stylobate.base.availability import available_if
from stylobate.base.validation import input_names
from stylobate.ensemble.members import read_rows
from stylobate.ensemble.named import Estimators, NamedEnsemble, members_have, names_for
from stylobate.ensemble.targets import (
    read_one_target,
    refuse_one_weighted_class,
    refuse_several_labels,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

Weights = Annotated[Any, Numbers()] | None


class _Voting(NamedEnsemble):
    """Members fitted to the same rows, and weights for their answers."""

    weights: Weights

    def _check_weights(self) -> None:
        if self.weights is not None and len(self.weights) != len(self.estimators):
            raise InvalidParameterError(
                f"{type(self).__name__}: Number of `estimators` and weights must be equal; got "
                f"{len(self.weights)} weights, {len(self.estimators)} estimators"
            )

    def _kept_weights(self) -> Array | None:
        if self.weights is None:
            return None
        named = zip(self._named_parts(), self.weights, strict=True)
        return np.array([w for (_, part), w in named if not isinstance(part, str)], dtype=float)

    def _answers(self, columns: list[Expression]) -> list[Answer]:
        """The formulas of the members."""
        from stylobate.formula.export import formula_of

        return [formula_of(each, columns) for each in self.estimators_]

    def _predictions(self, X: Any) -> NDArray[Any]:
        """A column for each member."""
        self._check_fitted()
        x = read_rows(self, X, reset=False).native
        return np.column_stack([np.asarray(each.predict(x)) for each in self.estimators_])


class VotingClassifier(ClassifierMixin, _Voting):
    r"""The class most of several classifiers choose, or the one of the highest mean probability.

    .. math:: a(x) = \arg\max_c \sum_m w_m [a_m(x) = c] \quad\text{or}\quad
              \arg\max_c \sum_m w_m\,\hat p_m(c \mid x)

    Parameters
    ----------
    estimators : list of (str, classifier)
        Clones of them are fitted; "drop" leaves one out.
    voting : {"hard", "soft"}, default="hard"
        By votes (the first of tied classes wins) or by probabilities.
    weights : array-like of shape (n_classifiers,) or None, default=None
        w, one finite number each; None: all the same.
    n_jobs : int or None, default=None
        Classifiers fitted at once.
    flatten_transform : bool, default=True
        With voting="soft", whether `transform` gives (n, n_classifiers·n_classes) or
        (n_classifiers, n, n_classes).
    verbose : bool, default=False
        Whether to print how long each fit took.

    Attributes
    ----------
    estimators_ : list of classifiers
        The fitted ones, without those dropped, fitted to class numbers 0, 1, …
    named_estimators_ : Bunch
        The same by name.
    le_ : LabelEncoder
        From labels to class numbers.
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_penguins
    >>> from stylobate.ensemble import VotingClassifier
    >>> from stylobate.naive_bayes import GaussianNB
    >>> from stylobate.neighbors import KNeighborsClassifier
    >>> X, y = load_penguins(return_X_y=True, as_frame=True)
    >>> X = X[["bill_length_mm", "bill_depth_mm"]].fillna(0)
    >>> models = [("bayes", GaussianNB()), ("nearest", KNeighborsClassifier())]
    >>> VotingClassifier(models, voting="soft").fit(X, y).predict_proba(X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    def __init__(
        self,
        estimators: Estimators,
        *,
        voting: Literal["hard", "soft"] = "hard",
        weights: Weights = None,
        n_jobs: int | None = None,
        flatten_transform: bool = True,
        verbose: bool = False,
    ) -> None:
        self.estimators = estimators
        self.voting = voting
        self.weights = weights
        self.n_jobs = n_jobs
        self.flatten_transform = flatten_transform
        self.verbose = verbose

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit a clone of each classifier.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.
        **fit_params : object
            ``sample_weight`` alone: weights of the rows, for all classifiers.

        Returns
        -------
        self
        """
        from stylobate.preprocessing import LabelEncoder

        self._check_parameters()
        kept = self._kept("classifier")
        self._check_weights()
        refuse_several_labels(y, type(self).__name__)
        columns = read_rows(self, X, reset=True)
        owner = type(self).__name__
        classes, codes = read_classes(y, owner=owner, n_rows=columns.n_rows, least=1)
        given = self._weights(fit_params, columns.n_rows)
        refuse_one_weighted_class(codes, given.weights.get("sample_weight"), owner)
        self.estimators_ = self._fitted_members(kept, columns.native, codes, given)
        self.le_ = LabelEncoder().fit(classes)
        self.classes_ = classes
        return self

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
        self._check_fitted()
        if self.voting == "soft":
            return np.asarray(self.classes_[np.argmax(self.predict_proba(X), axis=1)])
        choices = self._predictions(X).astype(np.intp)
        weights = self._kept_weights()
        votes = np.zeros((len(choices), len(self.classes_)))
        for place in range(choices.shape[1]):
            weight = 1.0 if weights is None else weights[place]
            votes[np.arange(len(choices)), choices[:, place]] += weight
        return np.asarray(self.classes_[np.argmax(votes, axis=1)])

    @available_if(members_have("_formula"), "whose members have not all got one")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.ensembles import majority, mean_of_classes

        made = majority if self.voting == "hard" else mean_of_classes
        numbers, weights = range(len(self.classes_)), self._kept_weights()
        return made(self._answers(columns), numbers, self.classes_, weights)

    def _probabilities(self, X: Any) -> Array:
        self._check_fitted()
        x = read_rows(self, X, reset=False).native
        return np.array([each.predict_proba(x) for each in self.estimators_])

    @available_if(lambda self: self.voting == "soft", "whose votes are labels")
    def predict_proba(self, X: Any) -> Array:
        """The weighted mean of the members' probabilities; with voting="soft".

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        return np.average(self._probabilities(X), axis=0, weights=self._kept_weights())

    def transform(self, X: Any) -> Any:
        """What each member says: class numbers, or probabilities with voting="soft".

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_classifiers) or (n, n_classifiers·n_classes); or array of \
shape (n_classifiers, n, n_classes)
        """
        self._check_fitted()
        columns: Any = read_rows(self, X, reset=False)
        if self.voting == "hard":
            return self._wrap(self._predictions(X), columns)
        probabilities = self._probabilities(X)
        if not self.flatten_transform:
            return probabilities
        return self._wrap(np.hstack(list(probabilities)), columns)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns `transform` returns: class, estimator and number of the class.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns, only compared with those of `fit`.

        Returns
        -------
        ndarray of str objects
        """
        self._check_fitted()
        if self.voting == "soft" and not self.flatten_transform:
            raise InvalidDataError(
                "get_feature_names_out is not supported when `voting='soft'` and "
                "`flatten_transform=False`"
            )
        input_names(self, input_features)
        names = list(self._kept_names())
        width = 1 if self.voting == "hard" else len(self.classes_)
        prefix = type(self).__name__.lower()
        if width == 1 and self.voting == "soft":  # one class: a number nevertheless
            return np.array([f"{prefix}_{name}0" for name in names], dtype=object)
        return names_for(prefix, names, [width] * len(names))


class VotingRegressor(RegressorMixin, _Voting):
    r"""The weighted mean of several regressions.

    .. math:: \hat f(x) = \frac{\sum_m w_m \hat f_m(x)}{\sum_m w_m}

    Parameters
    ----------
    estimators : list of (str, regressor)
        Clones of them are fitted; "drop" leaves one out.
    weights : array-like of shape (n_regressors,) or None, default=None
        w, one finite number each; None: all the same.
    n_jobs : int or None, default=None
        Regressors fitted at once.
    verbose : bool, default=False
        Whether to print how long each fit took.

    Attributes
    ----------
    estimators_ : list of regressors
        The fitted ones, without those dropped.
    named_estimators_ : Bunch
        The same by name.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.ensemble import VotingRegressor
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.neighbors import KNeighborsRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> models = [("line", Ridge(0.1)), ("nearest", KNeighborsRegressor(20))]
    >>> round(VotingRegressor(models).fit(X, y).score(X, y), 2)
    0.53
    """

    def __init__(
        self,
        estimators: Estimators,
        *,
        weights: Weights = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.estimators = estimators
        self.weights = weights
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit a clone of each regressor.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Target.
        **fit_params : object
            ``sample_weight`` alone: weights of the rows, for all regressors.

        Returns
        -------
        self
        """
        self._check_parameters()
        kept = self._kept("regressor")
        self._check_weights()
        columns = read_rows(self, X, reset=True)
        target = read_one_target(y, columns.n_rows, type(self).__name__)
        given = self._weights(fit_params, columns.n_rows)
        self.estimators_ = self._fitted_members(kept, columns.native, target, given)
        return self

    def predict(self, X: Any) -> Array:
        """The mean of the members' predictions.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return np.average(self._predictions(X), axis=1, weights=self._kept_weights())

    @available_if(members_have("_formula"), "whose members have not all got one")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.ensembles import mean_of_numbers

        return mean_of_numbers(self._answers(columns), self._kept_weights())

    def transform(self, X: Any) -> Any:
        """The predictions of each member.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_regressors)
        """
        self._check_fitted()
        columns: Any = read_rows(self, X, reset=False)
        return self._wrap(self._predictions(X), columns)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns `transform` returns: class and estimator.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns, only compared with those of `fit`.

        Returns
        -------
        ndarray of str objects
        """
        self._check_fitted()
        input_names(self, input_features)
        names = list(self._kept_names())
        return names_for(type(self).__name__.lower(), names, [1] * len(names))
