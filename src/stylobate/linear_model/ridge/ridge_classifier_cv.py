"""Classification by ridge regression on targets ±1, with the penalty chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, ClassifierMixin, HasMethods, Interval, Numbers, Options
from stylobate.linear_model.ridge.ridge_cv import RidgeCV
from stylobate.linear_model.shared.selection_rule import SelectionRule
from stylobate.linear_model.shared.signed_targets import SignedTargets, codes_of
from stylobate.metrics.scoring.names import SCORER_NAMES
from stylobate.splits import check_cv
from stylobate.statistics import Source

_ALPHAS = (0.1, 1.0, 10.0)
_LEARNT = (
    "alpha_", "best_score_", "cv_scores_", "cv_results_", "solver_", "solver_reason_",
    "certificate_", "trace_", "n_iter_", "intercept_",
)  # fmt: skip


class RidgeClassifierCV(SignedTargets):
    """Ridge classification that chooses its penalty, in about the time of one fit.

    The targets ±1 of `RidgeClassifier` with the three ways of `RidgeCV`: leave-one-out errors in
    closed form (``cv=None``), or folds.

    Parameters
    ----------
    alphas : array-like of numbers in [0, inf), default=(0.1, 1.0, 10.0)
        Penalties to try.
    fit_intercept : bool, default=True
        Whether to fit intercepts, which are not penalised.
    scoring : str, callable or None, default=None
        What to maximise: by a name of `stylobate.metrics.get_scorer_names`, or
        ``scorer(estimator, X, y)`` with the rows left out and an estimator that predicts these.
        None: the negative mean squared error of the targets ±1 with ``cv=None``, accuracy with
        folds.
    cv : int, splitter, iterable of (train, test) or None, default=None
        Leave-one-out (None), stratified folds, or splits of one's own.
    class_weight : mapping, "balanced" or None, default=None
        Factors of the classes' weights.
    store_cv_results : bool, default=False
        Whether to keep all leave-one-out errors in `cv_results_`.
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the best mean score; "1se" the strongest penalty within one standard error
        of it, as glmnet's ``lambda.1se``; over
        folds, or over the squared errors of the rows left out.

    Attributes
    ----------
    alpha_ : float
        The chosen penalty.
    best_score_ : float
        Its score.
    cv_scores_ : array of shape (n_alphas,) or (n_alphas, n_folds)
        Scores of all penalties.
    cv_results_ : array of shape (n, n_targets, n_alphas)
        Squared leave-one-out errors (with a scoring: the predictions), if stored.
    coef_ : array of shape (n_features,) for two classes or (n_classes, n_features)
        Coefficients; for two classes flat, as in scikit-learn.
    multilabel_ : bool
        Whether rows have several labels, each with a regression of its own.
    intercept_, classes_, solver_, solver_reason_, certificate_, trace_, n_iter_
        As of `RidgeClassifier` at the chosen penalty.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> y = X[:, 0] + 0.5 * rng.normal(size=60) > 0
    >>> RidgeClassifierCV(alphas=[0.01, 1.0, 100.0], cv=5).fit(X, y).score(X, y) > 0.8
    True

    References
    ----------
    Hastie, Tibshirani & Friedman (2009), The Elements of Statistical Learning, section 4.2.
    """

    def __init__(
        self,
        alphas: Annotated[Any, Numbers(0, inf)] | Annotated[float, Interval(0, inf)] = _ALPHAS,
        *,
        fit_intercept: bool = True,
        scoring: Annotated[str, Options(*SCORER_NAMES)] | Callable[..., Any] | None = None,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = None,
        class_weight: Annotated[str, Options("balanced")] | dict[Any, float] | None = None,
        store_cv_results: bool = False,
        selection_rule: SelectionRule = "min",
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.class_weight = class_weight
        self.store_cv_results = store_cv_results
        self.selection_rule = selection_rule

    @property
    def _needs_rows(self) -> bool:
        # scores of labels look at every row; folds are stratified
        by_rows = self.store_cv_results or self.selection_rule == "1se"
        return self.cv is not None or self.scoring is not None or by_rows

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Choose the penalty and fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,), or of zeros and ones of shape (n, n_labels)
            Labels; with several columns the labels each row has.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        return self._fit_labels(X, y, sample_weight)

    def _learn(self, source: Source) -> None:
        regression = RidgeCV(
            self.alphas,
            fit_intercept=self.fit_intercept,
            scoring=self._scorer(),
            cv=self._folds(source),
            store_cv_results=self.store_cv_results,
            selection_rule=self.selection_rule,
        )
        regression._asked_by = type(self).__name__
        regression._learn(source)
        coef = np.atleast_2d(regression.coef_)
        self.coef_: NDArray[np.float64] = coef[0] if len(coef) == 1 else coef
        for name in _LEARNT:
            if hasattr(regression, name):
                setattr(self, name, getattr(regression, name))

    def _folds(self, source: Source) -> Any:
        if self.cv is None:
            return None
        table = source.rows()
        assert table.y is not None
        if self._several:
            return list(check_cv(self.cv, table.y, classifier=False).split(table.x, table.y))
        return self._splits(table.x, codes_of(table.y))

    def _splits(self, X: Any, codes: NDArray[np.intp]) -> Any:
        """Pairs of row numbers, stratified by class where `cv` is a number."""
        return list(check_cv(self.cv, codes, classifier=True).split(X, codes))

    def _scorer(self) -> Callable[..., float] | None:
        """A score of margins and targets ±1 that asks the user's for one of labels."""
        if self.scoring is None and self.cv is None:
            return None
        from stylobate.metrics import get_scorer

        classes, wanted, several = self._labels, self.scoring, self._several

        def of_labels(margins: Any, X: Any, targets: Any, sample_weight: Any = None) -> float:
            model = Decided(margins.predict(X), classes, several)
            known = np.asarray(targets)
            truth = (known > 0).astype(np.intp) if several else classes[codes_of(known)]
            score: Any = wanted if callable(wanted) else get_scorer(wanted or "accuracy")
            given = {} if sample_weight is None else {"sample_weight": sample_weight}
            return float(score(model, X, truth, **given))

        return of_labels


class Decided(ClassifierMixin, BaseEstimator):
    """A classifier whose margins for the rows to be scored are known already.

    Parameters
    ----------
    margins : array of shape (n,) or (n, k)
        What `decision_function` returns for these n rows.
    classes : array of shape (k,)
        Labels.
    several : bool, default=False
        Whether rows have several labels, one column of margins for each.
    """

    def __init__(self, margins: Any = None, classes: Any = None, several: bool = False) -> None:
        self.margins = margins
        self.classes = classes
        self.several = several

    @property
    def classes_(self) -> Any:
        """Labels."""
        return self.classes

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def decision_function(self, X: Any) -> Any:
        """The known margins."""
        del X
        flat = self.margins.ndim == 1 or self.margins.shape[1] == 1
        return self.margins.reshape(-1) if flat else self.margins

    def predict(self, X: Any) -> NDArray[Any]:
        """The labels they decide for."""
        del X
        if self.several:
            return np.asarray(self.margins > 0, dtype=np.intp)
        labels: NDArray[Any] = self.classes[codes_of(self.margins)]
        return labels
