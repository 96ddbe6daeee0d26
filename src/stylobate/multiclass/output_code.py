"""`OutputCodeClassifier`: error-correcting output codes."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, RandomState
from stylobate.base.delegation import remember_inner
from stylobate.base.jobs import run_jobs
from stylobate.base.randomness import stream_of
from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.metrics.pairwise.nearest import pairwise_distances_argmin
from stylobate.multiclass.binary import fit_binary, score_of
from stylobate.multiclass.many_models import ManyModels


class OutputCodeClassifier(ManyModels):
    """A random code word for each class, a model for each letter; the nearest word wins.

    A code longer than needed to tell the classes apart corrects mistakes of single models.

    Parameters
    ----------
    estimator : classifier with `decision_function` or `predict_proba`
        A clone is fitted for each letter of the code.
    code_size : float in (0, inf), default=1.5
        Letters for each class: the code has int(n_classes · code_size) in all.
    random_state : int, RandomState or None, default=None
        Seed of the code book.
    n_jobs : int or None, default=None
        Models fitted at once.

    Attributes
    ----------
    estimators_ : list of estimators
        One for each letter.
    code_book_ : array of shape (n_classes, n_letters)
        The word of each class: of 1 and −1 where the estimator has margins, else of 1 and 0.
    classes_ : array of shape (n_classes,)
        The labels, sorted.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> from stylobate.datasets import load_iris
    >>> from stylobate.linear_model import LogisticRegression
    >>> from stylobate.multiclass import OutputCodeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = OutputCodeClassifier(LogisticRegression(), code_size=4, random_state=0).fit(X, y)
    >>> len(model.estimators_), model.predict(X[:2])
    (12, array([0, 0]))

    References
    ----------
    Dietterich & Bakiri (1995), Solving multiclass learning problems via error-correcting output
    codes, JAIR 2; James & Hastie (1998), The error coding method and PICTs.
    """

    if TYPE_CHECKING:
        code_book_: Array

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit", "decision_function")]
        | Annotated[Any, HasMethods("fit", "predict_proba")],
        *,
        code_size: Annotated[float, Interval(0, inf, closed="neither")] = 1.5,
        random_state: RandomState = None,
        n_jobs: int | None = None,
    ) -> None:
        self.estimator = estimator
        self.code_size = code_size
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, **fit_params: Any) -> Self:
        """Draw the code book and fit a model for each of its letters.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,)
            Labels.
        **fit_params : object
            More arguments for the `fit` of every model, such as ``sample_weight``.

        Returns
        -------
        self
        """
        self._check_parameters()
        self.classes_, codes = self._read_labels(X, y, fit_params)
        self.code_book_ = self._drawn_book(len(self.classes_))
        letters = self.code_book_.astype(np.int64)[codes]
        calls = [
            partial(fit_binary, self.estimator, X, letters[:, k], fit_params)
            for k in range(letters.shape[1])
        ]
        self.estimators_ = run_jobs(calls, self.n_jobs, self.estimator, "2*n_jobs")
        remember_inner(self, self.estimators_[0])
        return self

    def _drawn_book(self, n_classes: int) -> Array:
        count = int(n_classes * self.code_size)
        if count < 1:
            raise InvalidParameterError(
                f"{type(self).__name__}: code_size={self.code_size!r} leaves no letter for "
                f"{n_classes} classes; it must be at least {1 / n_classes:.3g}."
            )
        drawn = stream_of(self.random_state).uniform(size=(n_classes, count))
        other = -1.0 if hasattr(self.estimator, "decision_function") else 0.0
        return np.where(drawn > 0.5, 1.0, other)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label whose code word is nearest to the scores of the models.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        scores = np.column_stack([score_of(each, X) for each in self.estimators_])
        nearest = pairwise_distances_argmin(scores.astype(np.float64), self.code_book_)
        return self.classes_[nearest]

    def _expected_models(self) -> int | None:
        book = self.code_book_
        if not isinstance(book, np.ndarray) or book.ndim != 2 or len(book) != len(self.classes_):
            raise ModelFileError(
                f"The {type(self).__name__} of the file has no code word for each class."
            )
        return int(book.shape[1])
