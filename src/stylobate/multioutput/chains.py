"""`ClassifierChain` and `RegressorChain`: each model sees the targets before it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import (
    BaseEstimator,
    ClassifierMixin,
    HasMethods,
    Interval,
    Numbers,
    Options,
    RandomState,
    RegressorMixin,
    Tags,
)
from stylobate.base.availability import available_if
from stylobate.base.composition.part_messages import timed
from stylobate.base.delegation import fitted_clone, refuse_unknown_arguments, tags_of
from stylobate.base.randomness import stream_of
from stylobate.data.sparse import is_sparse
from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.metrics.scoring.responses import METHODS, chosen_method, response
from stylobate.model_selection.validation.predictions import cross_val_predict
from stylobate.multioutput.side_by_side import models_have
from stylobate.multioutput.targets import read_label_table, read_numbers

Model = Annotated[Any, HasMethods("fit", "predict")]
Order = Annotated[Any, Numbers(0, inf)] | Annotated[Any, Options("random")] | None
Folds = (
    Annotated[int, Interval(2, inf)]
    | Annotated[Any, HasMethods("split")]
    | Annotated[Any, HasMethods("__iter__")]
    | None
)
_INSIDE = "as the estimator inside has none"


def beside(x: Any, columns: Array) -> Any:
    """X with columns to its right, sparse if X is."""
    if not is_sparse(x):
        return np.hstack([x, columns])
    from scipy import sparse

    return sparse.hstack([x, sparse.csr_array(columns)], format="csr")


class Chain(BaseEstimator):
    """Models in an order, each with the targets before it as further columns.

    They learn from the true targets, or with `cv` from predictions of them for rows outside the
    fold, which is what they will see later.
    """

    if TYPE_CHECKING:
        estimator: Any
        order: Any
        cv: Any
        random_state: Any
        verbose: bool
        estimators_: list[Any]
        order_: NDArray[np.intp]

    @abstractmethod
    def _read_targets(self, Y: Any, n_rows: int) -> Array:
        """The table of targets as numbers."""

    def _chain_method(self) -> str:
        """What is asked of a model for the models after it."""
        return "predict"

    def _tags(self) -> Tags:
        sparse = tags_of(self.estimator).sparse
        return super()._tags().but(sparse=sparse, multi_output=True, single_output=False)

    def _fit_chain(self, X: Any, Y: Any, fit_params: dict[str, Any]) -> Self:
        self._check_parameters()
        refuse_unknown_arguments(type(self).__name__, self.estimator, "fit", fit_params)
        x = self._read(X, reset=True, y_required=False).x
        targets = self._read_targets(Y, x.shape[0])
        method = self._chain_method()
        self.order_ = self._chosen_order(targets.shape[1])
        models = []
        seen = np.empty((x.shape[0], targets.shape[1]))  # what the models after see, in order
        for place, output in enumerate(self.order_.tolist()):
            message = f"({place + 1} of {targets.shape[1]}) Processing order {output}"
            given, y = beside(x, seen[:, :place]) if place else x, targets[:, output]
            with timed("Chain", message if self.verbose else None):
                models.append(fitted_clone(self.estimator, given, y, fit_params))
            if place + 1 == targets.shape[1]:
                break
            seen[:, place] = y if self.cv is None else self._unseen(given, y, method)
        self.estimators_ = models
        return self

    def _unseen(self, given: Any, y: Array, method: str) -> Array:
        """A model's answers for rows that it has not seen."""
        found = np.asarray(cross_val_predict(self.estimator, given, y, cv=self.cv, method=method))
        return found[:, 1] if found.ndim > 1 else found

    def _chosen_order(self, count: int) -> NDArray[np.intp]:
        if self.order is None:
            return np.arange(count)
        if isinstance(self.order, str):
            return np.asarray(stream_of(self.random_state).permutation(count))
        chosen = np.asarray(self.order)
        if sorted(chosen.tolist()) != list(range(count)):
            raise InvalidParameterError(
                f"{type(self).__name__}: invalid order {chosen.tolist()}; it must hold each number "
                f"from 0 to {count - 1} once."
            )
        return chosen.astype(np.intp)

    def _answers(self, X: Any, method: str) -> Array:
        """What the models answer, a column for each target, in the targets' order."""
        self._check_fitted()
        x = self._read(X, reset=False).x
        count, handed_on = len(self.estimators_), self._chain_method()
        seen, found = np.empty((x.shape[0], count)), np.empty((x.shape[0], count))
        for place, model in enumerate(self.estimators_):
            given = beside(x, seen[:, :place]) if place else x
            seen[:, place] = response(model, given, handed_on)
            said = seen[:, place] if method == handed_on else response(model, given, method)
            found[:, self.order_[place]] = said
        return found

    def predict(self, X: Any) -> Array:
        """The predictions, a column for each target.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_outputs)
        """
        return self._answers(X, "predict")

    def _check_loaded(self) -> None:
        """Refuse a file whose order is none of its models."""
        if "estimators_" not in vars(self):
            return
        models, order = self.estimators_, vars(self).get("order_")
        if (
            not isinstance(models, list)
            or not all(hasattr(each, "predict") for each in models)
            or not isinstance(order, np.ndarray)
            or order.dtype.kind not in "iu"
            or sorted(order.tolist()) != list(range(len(models)))
        ):
            raise ModelFileError(
                f"The {type(self).__name__} of the file has an order that is not one of its models."
            )


class ClassifierChain(ClassifierMixin, Chain):
    """Classifiers in a chain: each sees the labels of the targets before it as columns.

    So that targets that go together are predicted together.

    Parameters
    ----------
    estimator : classifier
        A clone is fitted for each target.
    order : sequence of int, "random" or None, default=None
        The order of the targets; None is that of the columns.
    cv : int in [2, inf), splitter, iterable or None, default=None
        None: models learn from the true labels before them. Otherwise from predictions for rows
        outside the fold.
    chain_method : {"predict", "predict_proba", "predict_log_proba", "decision_function"} or list, \
default="predict"
        What models see of those before them; of a list, the first that the estimator has.
    random_state : int, RandomState or None, default=None
        Seed of a random order.
    verbose : bool, default=False
        Whether to print how long each model took.

    Attributes
    ----------
    estimators_ : list of classifiers
        In the order of the chain.
    classes_ : list of arrays
        The labels of each model's target, in the order of the chain.
    order_ : array of int
        The order of the targets.
    chain_method_ : str
        What models see of those before them.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import LogisticRegression
    >>> from stylobate.multioutput import ClassifierChain
    >>> X = np.arange(6.0)[:, None]
    >>> Y = np.array([[0, 1]] * 3 + [[1, 0]] * 3)
    >>> ClassifierChain(LogisticRegression()).fit(X, Y).predict([[0.0], [5.0]])
    array([[0., 1.],
           [1., 0.]])

    References
    ----------
    Read, Pfahringer, Holmes & Frank (2009), Classifier chains for multi-label classification, ECML.
    """

    if TYPE_CHECKING:
        classes_: list[NDArray[Any]]
        chain_method_: str

    def __init__(
        self,
        estimator: Model,
        *,
        order: Order = None,
        cv: Folds = None,
        chain_method: Literal["predict", "predict_proba", "predict_log_proba", "decision_function"]
        | list[str]
        | tuple[str, ...] = "predict",
        random_state: RandomState = None,
        verbose: bool = False,
    ) -> None:
        self.estimator = estimator
        self.order = order
        self.cv = cv
        self.chain_method = chain_method
        self.random_state = random_state
        self.verbose = verbose

    def _tags(self) -> Tags:
        return super()._tags().but(multi_label=True, exempt=True)

    def _read_targets(self, Y: Any, n_rows: int) -> Array:
        table = read_label_table(Y, n_rows, type(self).__name__)
        if table.dtype.kind not in "biuf":
            raise InvalidParameterError(
                f"{type(self).__name__}: labels become columns for the models after them, so they "
                f"must be numbers, got {table.dtype}; encode them first."
            )
        return table.astype(np.float64)

    def _chain_method(self) -> str:
        if "chain_method_" in vars(self):
            return self.chain_method_
        wanted: Sequence[str] = (
            (self.chain_method,) if isinstance(self.chain_method, str) else self.chain_method
        )
        return chosen_method(self.estimator, tuple(wanted))

    def fit(self, X: Any, Y: Any, **fit_params: Any) -> Self:
        """Fit the models in their order.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        Y : array-like of shape (n, n_outputs)
            Labels, numbers.
        **fit_params : object
            More arguments for the `fit` of every model, such as ``sample_weight``.

        Returns
        -------
        self
        """
        vars(self).pop("chain_method_", None)
        self._check_parameters()
        method = self._chain_method()
        self._fit_chain(X, Y, fit_params)
        self.chain_method_ = method
        self.classes_ = [each.classes_ for each in self.estimators_]
        return self

    @available_if(models_have("predict_proba"), _INSIDE)
    def predict_proba(self, X: Any) -> Array:
        """The probability of the second class of each target.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_outputs)
        """
        return self._answers(X, "predict_proba")

    @available_if(models_have("predict_proba"), _INSIDE)
    def predict_log_proba(self, X: Any) -> Array:
        """Logarithms of the probabilities.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_outputs)
        """
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    @available_if(models_have("decision_function"), _INSIDE)
    def decision_function(self, X: Any) -> Array:
        """The margin of each target.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_outputs)
        """
        return self._answers(X, "decision_function")

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows of which all labels are right.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n, n_outputs)
            Their labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        float
            In [0, 1].
        """
        truth = read_label_table(y, None, type(self).__name__)
        right = np.all(truth == self.predict(X), axis=1)
        return float(np.average(right, weights=sample_weight))

    def _check_loaded(self) -> None:
        super()._check_loaded()
        if "estimators_" in vars(self) and vars(self).get("chain_method_") not in METHODS:
            raise ModelFileError("The ClassifierChain of the file asks its models for nothing.")


class RegressorChain(RegressorMixin, Chain):
    """Regressors in a chain: each sees the targets before it as columns.

    Parameters
    ----------
    estimator : regressor
        A clone is fitted for each target.
    order : sequence of int, "random" or None, default=None
        The order of the targets; None is that of the columns.
    cv : int in [2, inf), splitter, iterable or None, default=None
        None: models learn from the true targets before them. Otherwise from predictions for rows
        outside the fold.
    random_state : int, RandomState or None, default=None
        Seed of a random order.
    verbose : bool, default=False
        Whether to print how long each model took.

    Attributes
    ----------
    estimators_ : list of regressors
        In the order of the chain.
    order_ : array of int
        The order of the targets.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import Ridge
    >>> from stylobate.multioutput import RegressorChain
    >>> X = np.arange(6.0)[:, None]
    >>> Y = np.hstack([2 * X, -X])
    >>> RegressorChain(Ridge(1e-9)).fit(X, Y).predict([[10.0]]).round(3)
    array([[ 20., -10.]])

    References
    ----------
    Spyromitros-Xioufis et al. (2016), Multi-target regression via input space expansion, Machine
    Learning 104.
    """

    def __init__(
        self,
        estimator: Model,
        *,
        order: Order = None,
        cv: Folds = None,
        random_state: RandomState = None,
        verbose: bool = False,
    ) -> None:
        self.estimator = estimator
        self.order = order
        self.cv = cv
        self.random_state = random_state
        self.verbose = verbose

    def _read_targets(self, Y: Any, n_rows: int) -> Array:
        return read_numbers(Y, n_rows, type(self).__name__)

    def fit(self, X: Any, Y: Any, **fit_params: Any) -> Self:
        """Fit the models in their order.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        Y : array-like of shape (n, n_outputs)
            Targets.
        **fit_params : object
            More arguments for the `fit` of every model, such as ``sample_weight``.

        Returns
        -------
        self
        """
        return self._fit_chain(X, Y, fit_params)
