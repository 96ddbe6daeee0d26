"""Classifiers of two classes with a threshold of one's own choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import HasMethods, Options, Tags, clone
from stylobate.base.constraints import Number
from stylobate.decision.around import MayBeFittedBefore, read_rows
from stylobate.exceptions import FormulaError, InvalidDataError, InvalidParameterError
from stylobate.metrics.scoring.responses import chosen_method, response
from stylobate.model_selection.threshold.scores import labels_at
from stylobate.splits.strata import type_of_target

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

ResponseMethod = Literal["auto", "predict_proba", "decision_function"]


def methods_of(response_method: str) -> str | tuple[str, ...]:
    """What to ask of the estimator, in order of preference."""
    return ("predict_proba", "decision_function") if response_method == "auto" else response_method


def read_two_classes(
    X: Any, y: Any, owner: str, fit_params: dict[str, Any]
) -> tuple[Any, NDArray[Any]]:
    """Rows and labels, refused if there are not exactly two classes."""
    rows, labels = read_rows(X, y, owner, fit_params)
    kind = type_of_target(labels)
    if kind != "binary":
        raise InvalidDataError(
            f"{owner}: Only binary classification is supported. The type of the target is {kind}: "
            f"y has {len(np.unique(labels))} classes; use CostSensitiveClassifier for several."
        )
    return rows, labels


def formula_at(
    inner: Any,
    columns: list[Expression],
    method: str,
    threshold: float,
    classes: Any,
    positive: Any,
) -> Answer:
    """The formula of a classifier whose positive class begins at a probability."""
    from stylobate.formula.export import formula_of
    from stylobate.formula.expressions import Answer, Choice, Constant

    found = formula_of(inner, columns)
    if method != "predict_proba":
        raise FormulaError(
            "A threshold of margins has no formula in SQL or ONNX; use probabilities."
        )
    labels = np.asarray(classes).tolist()
    place = 1 if positive is None else labels.index(positive)
    pair = (found.classes[place], found.classes[1 - place])
    choice = Choice((found.probabilities[place], Constant(float(threshold))), pair)
    return Answer((choice,), found.probabilities, found.classes)


class FixedThresholdClassifier(MayBeFittedBefore):
    """A classifier of two classes that decides by a given threshold.

    Parameters
    ----------
    estimator : classifier with `predict_proba` or `decision_function`
        Fitted or not.
    threshold : float or "auto", default="auto"
        Rows that score at least this are positive; "auto": 0.5 for probabilities, 0 for margins.
    pos_label : label or None, default=None
        The positive class; None: the second.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        The score; "auto": probabilities if the estimator has them.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.linear_model import LogisticRegression
    >>> from stylobate.model_selection import FixedThresholdClassifier
    >>> x, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 0, 1, 1]
    >>> FixedThresholdClassifier(LogisticRegression(), threshold=0.2).fit(x, y).predict(x)
    array([0, 1, 1, 1])
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit", "predict_proba")]
        | Annotated[Any, HasMethods("fit", "decision_function")],
        *,
        threshold: Annotated[Any, Number()] | Annotated[Any, Options("auto")] = "auto",
        pos_label: Annotated[Any, Number()] | str | bool | None = None,
        response_method: ResponseMethod = "auto",
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.pos_label = pos_label
        self.response_method = response_method

    def _tags(self) -> Tags:
        return super()._tags().but(multi_class=False)

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit a clone of the estimator.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels of two classes.
        **fit_params : object
            More arguments for the estimator's `fit`.

        Returns
        -------
        self
        """
        self._check_parameters()
        name = type(self).__name__
        labels = np.unique(read_two_classes(X, y, name, fit_params)[1]).tolist()
        if self.pos_label is not None and self.pos_label not in labels:
            raise InvalidParameterError(
                f"{name}: pos_label={self.pos_label!r} is not a valid label: It should be one of "
                f"{labels}."
            )
        self.estimator_ = clone(self.estimator).fit(X, y, **fit_params)
        self._remember_inner()
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of every row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        inner = self._inner()
        methods = methods_of(self.response_method)
        scores = response(inner, X, methods, self.pos_label)
        threshold = self.threshold
        if threshold == "auto":
            threshold = 0.5 if chosen_method(inner, methods) == "predict_proba" else 0.0
        return labels_at(scores, threshold, self.classes_, self.pos_label)

    def _formula(self, columns: list[Expression]) -> Answer:
        inner = self._inner()
        method = chosen_method(inner, methods_of(self.response_method))
        threshold = 0.5 if self.threshold == "auto" else float(self.threshold)
        return formula_at(inner, columns, method, threshold, self.classes_, self.pos_label)
