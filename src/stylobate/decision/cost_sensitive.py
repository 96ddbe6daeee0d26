"""A classifier that decides by expected cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import HasMethods, Numbers, clone
from stylobate.base.availability import available_if
from stylobate.base.delegation import inner_has
from stylobate.decision.around import ClassifierAround, read_rows
from stylobate.decision.costs import CostMatrix, as_cost_matrix
from stylobate.decision.decisions import mean_cost, read_probabilities
from stylobate.exceptions import ModelFileError

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class CostSensitiveClassifier(ClassifierAround):
    """Any probabilistic classifier, deciding for the least expected cost.

    Predicts argminⱼ Σᵢ p(i | x) cᵢⱼ; the probabilities are those of the estimator, which had better
    be good ones.

    Parameters
    ----------
    estimator : classifier with `predict_proba`
        Where the probabilities come from; a clone is fitted.
    cost : CostMatrix, array-like of shape (n_classes, n_classes) or None, default=None
        ``cost[i, j]``: what deciding j costs when the truth is i, in the sorted order of the
        classes; a `CostMatrix` with labels may have more decisions than classes, such as to refuse.
        None: every mistake costs 1.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one.
    cost_ : CostMatrix
        The costs, with a row for each class.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.decision import CostSensitiveClassifier
    >>> from stylobate.linear_model import LogisticRegression
    >>> x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), ["ok", "ok", "faulty", "faulty"]
    >>> careful = CostSensitiveClassifier(LogisticRegression(), cost=[[0, 3], [1, 0]]).fit(x, y)
    >>> careful.predict([[0.0], [0.5], [3.0]])  # sorted: "faulty", "ok"
    array(['ok', 'faulty', 'faulty'], dtype='<U6')

    References
    ----------
    Elkan (2001), The foundations of cost-sensitive learning, IJCAI.
    """

    if TYPE_CHECKING:
        cost_: CostMatrix

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit", "predict_proba")],
        cost: Annotated[Any, Numbers(ndim=2)] | None = None,
    ) -> None:
        self.estimator = estimator
        self.cost = cost

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit a clone of the estimator.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.
        **fit_params : object
            More arguments for the estimator's `fit`.

        Returns
        -------
        self
        """
        self._check_parameters()
        name = type(self).__name__
        _, labels = read_rows(X, y, name, fit_params)
        cost = as_cost_matrix(self.cost, np.unique(labels), name)
        self.estimator_ = clone(self.estimator).fit(X, y, **fit_params)
        self.cost_ = cost
        self._remember_inner()
        return self

    def _check_loaded(self) -> None:
        """Refuse costs of a file that are not those of the classes."""
        costs = getattr(vars(self).get("cost_"), "costs", None)
        inner = vars(self).get("estimator_", self.estimator)
        classes = getattr(inner, "classes_", None)
        if "cost_" in vars(self) and (
            not isinstance(costs, np.ndarray)
            or costs.dtype.kind != "f"
            or costs.ndim != 2
            or (classes is not None and len(costs) != len(classes))
        ):
            raise ModelFileError(
                "The CostSensitiveClassifier of the file has no costs for each of its classes."
            )

    def predict(self, X: Any) -> NDArray[Any]:
        """The decision of least expected cost for each row; the first of equal ones.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        probabilities = read_probabilities(self._inner().predict_proba(X), type(self).__name__)
        places = (probabilities @ self.cost_.costs).argmin(axis=1)
        return np.asarray(self._decisions()[places])

    def _decisions(self) -> NDArray[Any]:
        same = self.cost_.decisions.tolist() == np.asarray(self.classes_).tolist()
        return np.asarray(self.classes_ if same else self.cost_.decisions)

    @available_if(inner_has("_formula"), "as the estimator inside has none")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.export import formula_of
        from stylobate.formula.expressions import Answer, Choice, Linear, Named, plain

        found: Answer = formula_of(self._inner(), columns)
        saved = tuple(
            Named("saved", Linear(found.probabilities, tuple(float(-each) for each in column)))
            for column in self.cost_.costs.T
        )
        labels = tuple(plain(each) for each in self._decisions())
        return Answer((Choice(saved, labels),), found.probabilities, found.classes)

    def mean_cost(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """What the decisions for X cost on average, given the true labels."""
        return mean_cost(y, self.predict(X), self.cost_, sample_weight=sample_weight)
