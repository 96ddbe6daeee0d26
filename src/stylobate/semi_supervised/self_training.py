"""`SelfTrainingClassifier`: a classifier that believes its own surest answers."""

from __future__ import annotations

import warnings
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Options, clone
from stylobate.base.availability import available_if
from stylobate.base.classes import refuse_one_weighted_class
from stylobate.base.delegation import inner_has
from stylobate.data import read_weights
from stylobate.data.indexing import indexable, take_rows
from stylobate.data.words import user_stacklevel
from stylobate.decision.around import ClassifierAround
from stylobate.exceptions import StylobateWarning, joined
from stylobate.model_selection.validation.data import Data
from stylobate.semi_supervised.partial_labels import UNLABELLED, read_partial_labels
from stylobate.splits.splitter import count_rows

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class SelfTrainingClassifier(ClassifierAround):
    """Any probabilistic classifier, which labels rows it is sure of and learns from them again.

    Each round fits the classifier to the rows that have a label, and gives labels to those of the
    others whose largest probability is above `threshold` (or to the `k_best` surest). Probabilities
    had better be calibrated: a classifier that is too sure confirms its own mistakes.

    Parameters
    ----------
    estimator : classifier with `predict_proba`
        A clone is fitted in each round.
    threshold : float in [0, 1), default=0.75
        Above which probability an answer becomes a label, with ``criterion="threshold"``.
    criterion : {"threshold", "k_best"}, default="threshold"
        Which answers become labels.
    k_best : int in [1, inf), default=10
        How many do in each round, with ``criterion="k_best"``; of equal ones the first rows.
    max_iter : int in [0, inf) or None, default=10
        Rounds at most; None: until nothing changes.
    verbose : bool or int, default=False
        Whether to print a line for each round.

    Attributes
    ----------
    estimator_ : classifier
        The fitted one.
    classes_ : array of shape (n_classes,)
        Its labels.
    transduction_ : array of shape (n,)
        The labels of the last fit; -1 for rows that got none.
    labeled_iter_ : array of shape (n,)
        The round in which each row got its label: 0 if it had one, -1 if it never got one.
    n_iter_ : int
        Rounds made.
    termination_condition_ : {"max_iter", "no_change", "all_labeled"}
        Why it ended.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.naive_bayes import GaussianNB
    >>> from stylobate.semi_supervised import SelfTrainingClassifier
    >>> x = np.array([[0.0], [0.5], [1.0], [1.5], [5.0], [5.5], [6.0], [6.5]])
    >>> y = np.array([0, 0, -1, -1, -1, -1, 1, 1])
    >>> model = SelfTrainingClassifier(GaussianNB()).fit(x, y)
    >>> model.transduction_, model.termination_condition_
    (array([0, 0, 0, 0, 1, 1, 1, 1]), 'all_labeled')

    References
    ----------
    Yarowsky (1995), Unsupervised word sense disambiguation rivaling supervised methods, ACL.
    """

    if TYPE_CHECKING:
        transduction_: NDArray[Any]
        labeled_iter_: NDArray[np.int64]
        n_iter_: int
        termination_condition_: str

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        threshold: Annotated[float, Interval(0, 1, closed="left")] = 0.75,
        criterion: Annotated[str, Options("threshold", "k_best")] = "threshold",
        k_best: Annotated[int, Interval(1, inf)] = 10,
        max_iter: Annotated[int, Interval(0, inf)] | None = 10,
        verbose: Annotated[int, Interval(0, inf)] | bool = False,
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.criterion = criterion
        self.k_best = k_best
        self.max_iter = max_iter
        self.verbose = verbose

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Fit, label, and fit again.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, with a label and without.
        y : array-like of shape (n,)
            Labels; -1 for rows without one. With text for labels, objects: text and the number -1.
        **fit_params : object
            More arguments for the estimator's `fit`; those with an entry for each row are split.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._read(X, reset=True, check_finite="deferred", y_required=False)
        rows, owner = indexable(X), type(self).__name__
        labels, _, codes = read_partial_labels(y, owner=owner, n_rows=count_rows(rows))
        weights = read_weights(fit_params.get("sample_weight"), len(codes), owner=owner)
        known = codes != UNLABELLED
        refuse_one_weighted_class(codes[known], None if weights is None else weights[known], owner)
        data = Data.of(rows, labels, None, fit_params)
        self.transduction_ = labels.copy()
        self.labeled_iter_ = np.where(known, 0, -1)
        self._warn_of(int((self.labeled_iter_ < 0).sum()))
        self._rounds(data)
        self._fit_labelled(data)
        self._remember_inner()
        return self

    def _warn_of(self, without: int) -> None:
        """What is odd about the number of rows without a label."""
        text = ""
        if not without:
            text = "y contains no unlabeled samples; the classifier alone would do."
        elif self.criterion == "k_best" and self.k_best > without:
            text = (
                f"k_best is larger than the amount of unlabeled samples ({without}). All "
                "unlabeled samples will be labeled in the first iteration."
            )
        if text:
            warnings.warn(text, joined(StylobateWarning), stacklevel=user_stacklevel())

    def _rounds(self, data: Data) -> None:
        """Rounds until all rows have a label, none gets one, or there were enough."""
        most = inf if self.max_iter is None else self.max_iter
        self.n_iter_, self.termination_condition_ = 0, "max_iter"
        while (self.labeled_iter_ < 0).any() and self.n_iter_ < most:
            self.n_iter_ += 1
            self._fit_labelled(data)
            left = np.flatnonzero(self.labeled_iter_ < 0)
            chances = np.asarray(self.estimator_.predict_proba(take_rows(data.x, left)))
            sure = self._sure(chances.max(axis=1))
            if not len(sure):
                self.termination_condition_ = "no_change"
                return
            chosen = left[sure]
            self.transduction_[chosen] = self.classes_[chances[sure].argmax(axis=1)]
            self.labeled_iter_[chosen] = self.n_iter_
            if self.verbose:
                print(f"End of iteration {self.n_iter_}, added {len(chosen)} new labels.")
        if (self.labeled_iter_ >= 0).all():
            self.termination_condition_ = "all_labeled"

    def _fit_labelled(self, data: Data) -> None:
        known = np.flatnonzero(self.labeled_iter_ >= 0)
        self.estimator_ = clone(self.estimator)
        self.estimator_.fit(
            take_rows(data.x, known), self.transduction_[known], **data.chosen_params(known)
        )

    def _sure(self, largest: Array) -> NDArray[np.intp]:
        """Which answers become labels."""
        if self.criterion == "threshold":
            return np.flatnonzero(largest > self.threshold)
        return np.argsort(-largest, kind="stable")[: self.k_best]

    @available_if(inner_has("predict"), "as the estimator inside has none")
    def predict(self, X: Any) -> Any:
        """The estimator's label for each row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        return self._inner().predict(X)

    @available_if(inner_has("_formula"), "as the estimator inside has none")
    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.export import formula_of

        found: Answer = formula_of(self._inner(), columns)
        return found
