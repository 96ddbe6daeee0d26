"""Ridge regression with the penalty chosen by cross-validation, in about the time of one fit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import HasMethods, Interval, Numbers, Options, Tags
from stylobate.base.tags import Tier
from stylobate.data import Table
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model.least_squares.request import LinearRequest
from stylobate.linear_model.least_squares.solution import solve
from stylobate.linear_model.ridge.fold_scores import fold_scores, stream_scores
from stylobate.linear_model.ridge.leave_one_out import PenalisedFactors, Spectrum, smoother
from stylobate.linear_model.shared.regressor import LinearRegressor
from stylobate.linear_model.shared.row_scores import (
    FROM_MOMENTS,
    best_penalty,
    score_predictions,
)
from stylobate.linear_model.shared.selection_rule import SelectionRule, chosen_setting
from stylobate.linear_model.shared.stream_folds import StreamFolds, folds_by_order
from stylobate.metrics.scoring.names import SCORER_NAMES
from stylobate.splits import splits_of
from stylobate.statistics import Moments, Source, refuse_out_of_range, rows_at_hand

Choice = tuple[Any, Any, Moments | None]  # penalty, its score, moments of all rows if at hand
_ALPHAS = (0.1, 1.0, 10.0)


class RidgeCV(LinearRegressor):
    r"""Ridge regression that chooses its penalty.

    Three ways, none of which fits a model per row or goes over the rows once per penalty:

    - ``cv=None``: leave-one-out errors :math:`r_i / (1 - h_i)`, equal to those of refits without
      each row. Where a row has leverage one (possible at penalty 0) its error is not defined and
      counts as infinite, so that such a penalty is never chosen;
    - ``cv="gcv"``: generalised cross-validation :math:`n\,\mathrm{rss}/(n - \mathrm{df})^2`, from
      the moments alone: a rotation-invariant stand-in for leave-one-out, infinite where
      :math:`\mathrm{df} = n`;
    - a number of folds or a splitter: the moments of each fold are collected in one pass; training
      moments are those of the other folds merged, validation errors quadratic forms of the fold's.
      Where that would lose too many digits (columns nearly dependent in a training part, more
      columns than rows, errors tiny next to the targets) the fold's rows are used instead.

    Streams: "gcv" takes one pass, leave-one-out three, a number of folds two and one that counts
    the rows where their number is not known; these folds are those of rows in memory.

    Parameters
    ----------
    alphas : array-like of numbers in [0, inf), default=(0.1, 1.0, 10.0)
        Penalties to try.
    fit_intercept : bool, default=True
        Whether to fit an intercept, which is not penalised.
    scoring : str, callable or None, default=None
        What to maximise: a name among `stylobate.metrics.get_scorer_names`, or
        ``scorer(estimator, X, y)`` with the rows left out and an estimator that predicts these;
        with weights and ``sample_weight`` if the scorer takes it.
        None: the negative mean squared error with ``cv=None`` and "gcv", R² with folds.
    cv : int, splitter, iterable of (train, test), "gcv" or None, default=None
        How to choose, see above.
    gcv_mode : {"auto", "svd", "eigen"} or None, default=None
        For compatibility; the way is chosen by shape.
    store_cv_results : bool, default=False
        Whether to keep all leave-one-out errors in `cv_results_`.
    alpha_per_target : bool, default=False
        Whether to choose a penalty for each target (leave-one-out and "gcv" only).
    selection_rule : {"min", "1se"}, default="min"
        "min" takes the best mean score; "1se" the strongest penalty within one standard error
        of it, as glmnet's ``lambda.1se``; over
        folds, or over the squared errors of the rows left out.

    Attributes
    ----------
    alpha_ : float or array of shape (n_targets,)
        The chosen penalty.
    best_score_ : float or array of shape (n_targets,)
        Its score.
    cv_scores_ : array of shape (n_alphas,) or (n_alphas, n_folds)
        Scores of all penalties.
    cv_results_ : array of shape (n, n_alphas) or (n, n_targets, n_alphas)
        Squared leave-one-out errors (with a scoring: the predictions), if stored.
    coef_, intercept_, solver_, solver_reason_, certificate_, trace_, n_iter_, statistic_
        As of `Ridge` at the chosen penalty.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> y = X @ [1.0, 0.0, -1.0] + rng.normal(size=60)
    >>> RidgeCV(alphas=[0.01, 1.0, 100.0], cv=5).fit(X, y).alpha_
    1.0

    References
    ----------
    Golub, Heath & Wahba (1979), Generalized cross-validation as a method for choosing a good ridge
    parameter, Technometrics 21.
    """

    _flat_single_target = True

    _asked_by: str | None = None  # a classifier that has its penalty chosen here, to sign errors

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
        gcv_mode: Annotated[str, Options("auto", "svd", "eigen")] | None = None,
        store_cv_results: bool = False,
        alpha_per_target: bool = False,
        selection_rule: SelectionRule = "min",
    ) -> None:
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.scoring = scoring
        self.cv = cv
        self.gcv_mode = gcv_mode
        self.store_cv_results = store_cv_results
        self.alpha_per_target = alpha_per_target
        self.selection_rule = selection_rule

    def _tags(self) -> Tags:
        tier: Tier = "one pass" if self._generalized else "several passes"
        return super()._tags().but(tier="all rows" if self._needs_rows else tier)

    @property
    def _generalized(self) -> bool:
        """Whether the penalty is chosen by generalised cross-validation."""
        return isinstance(self.cv, str) and self.cv == "gcv"

    @property
    def _cautious(self) -> bool:
        return bool(self.selection_rule == "1se")

    @property
    def _needs_rows(self) -> bool:
        if self._generalized:
            return False
        if self.cv is None:
            return self.scoring is not None or self.store_cv_results or self._cautious
        by_name = self.scoring is None or self.scoring in FROM_MOMENTS
        return not (by_name and folds_by_order(self.cv))

    def _learn(self, source: Source) -> None:
        alphas = np.atleast_1d(np.asarray(self.alphas, dtype=float))
        self._refuse_unsuitable()
        if source.capabilities.rows_in_memory:
            _refuse_unseen(source.rows())
            self._warn_of_mode(source.rows())
        choose = self._choose_by_folds if self.cv is not None else self._choose_by_leaving_out
        best, score, moments = (self._choose_by_gcv if self._generalized else choose)(
            source, alphas
        )
        request = LinearRequest(self._owner, best, self.fit_intercept)
        self._store(solve(source, request, moments), source, request)
        self.alpha_, self.best_score_ = best, score

    @property
    def _owner(self) -> str:
        return self._asked_by or type(self).__name__

    def _refuse_unsuitable(self) -> None:
        name = self._owner
        if self.cv is not None and not self._generalized:
            for which in ("store_cv_results", "alpha_per_target"):
                if getattr(self, which):
                    raise InvalidParameterError(
                        f"{name}: {which}=True needs leave-one-out; leave out cv (cv=None)."
                    )
        if self._generalized and (self.scoring is not None or self.store_cv_results):
            raise InvalidParameterError(
                f"{name}: cv='gcv' is itself the score and has no errors per row; leave out "
                "scoring and store_cv_results, or use cv=None."
            )
        if self._cautious and (self._generalized or (self.cv is None and self.scoring)):
            raise InvalidParameterError(
                f"{name}: selection_rule='1se' asks how scores differ between folds or rows, which "
                "cv='gcv' and a scoring of all rows left out do not say; give a number of folds "
                "(cv=10)."
            )

    def _warn_of_mode(self, table: Table) -> None:
        """Tell of a mode that scikit-learn gives up; the answer here does not depend on it."""
        if self.gcv_mode == "svd" and self.cv is None and table.is_sparse:
            warnings.warn(
                f"{self._owner}: The 'svd' mode is not supported for sparse X, and an error in "
                "scikit-learn 1.11. Here the way is chosen by shape; leave out gcv_mode.",
                FutureWarning,
                stacklevel=user_stacklevel(),
            )

    def _choose_by_folds(self, source: Source, alphas: Array) -> Choice:
        scoring = "r2" if self.scoring is None else self.scoring
        if not source.capabilities.rows_in_memory:
            fewest = 2 if scoring == "r2" else 1
            count: Any = self.cv
            folds = StreamFolds.of(source, int(count), self._owner, fewest=fewest)
            self.cv_scores_ = stream_scores(folds, alphas, scoring, intercept=self.fit_intercept)
            return *self._best_of_folds(alphas), folds.known.whole
        table = source.rows()
        splits = splits_of(self.cv, table.x, table.y)
        self.cv_scores_, moments = fold_scores(
            source, splits, alphas, scoring, intercept=self.fit_intercept
        )
        return *self._best_of_folds(alphas), moments

    def _best_of_folds(self, alphas: Array) -> tuple[float, float]:
        mean = self.cv_scores_.mean(axis=1)
        if not self._cautious:
            return best_penalty(mean, alphas)
        at = chosen_setting(-self.cv_scores_, alphas, "1se")
        return float(alphas[at]), float(mean[at])

    def _choose_by_gcv(self, source: Source, alphas: Array) -> Choice:
        moments = source.compute(Moments)
        spectrum = smoother(moments, alphas, intercept=self.fit_intercept)
        scores = -spectrum.generalized_errors(moments, alphas)
        return *self._best_of(scores, alphas, moments.n_rows), moments

    def _choose_by_leaving_out(self, source: Source, alphas: Array) -> Choice:
        table, moments = rows_at_hand(source), None
        if table is not None and table.n_features > table.n_rows:
            spectrum: Spectrum | PenalisedFactors = Spectrum.of_rows(
                table, alphas, intercept=self.fit_intercept
            )
        else:
            moments = source.compute(Moments)
            spectrum = smoother(moments, alphas, intercept=self.fit_intercept)
        if self.scoring is None and not self.store_cv_results and not self._cautious:
            found = spectrum.left_out_squares(source, alphas)
            scores = -found.squares / found.n_rows
        else:
            errors = np.concatenate([e for _, e in spectrum.leave_one_out(source, alphas)])
            scores = self._score_errors(source.rows(), errors)
            if self._cautious:
                return *self._simplest_of(errors, source.rows(), scores, alphas), moments
        return *self._best_of(scores, alphas, spectrum.n_rows), moments

    def _simplest_of(
        self, errors: Array, table: Table, scores: Array, alphas: Array
    ) -> tuple[Any, Any]:
        """The strongest penalty within the noise of the best, by the errors of the rows."""
        best, _ = self._best_of(scores, alphas, len(errors))
        squares = errors**2  # rows × alphas × targets
        if table.weights is not None:
            squares = squares * table.weights[:, None, None]
        if np.ndim(best) == 0:
            at = chosen_setting(squares.mean(axis=2).T, alphas, "1se")
            return float(alphas[at]), float(self.cv_scores_[at])
        found = [chosen_setting(squares[:, :, t].T, alphas, "1se") for t in range(squares.shape[2])]
        return alphas[found], self.cv_scores_[found, np.arange(len(found))]

    def _score_errors(self, table: Table, errors: Array) -> Array:
        """Scores (alphas × targets, or alphas × 1) of leave-one-out residuals."""
        assert table.y is not None
        if self.scoring is None:
            kept = errors**2 if table.weights is None else table.weights[:, None, None] * errors**2
            scores = np.asarray(-kept.mean(axis=0))
        else:
            kept = table.y[:, None, :] - errors  # the predictions
            scores = score_predictions(self.scoring, table, kept, per_target=self.alpha_per_target)
        if self.store_cv_results:
            per_target = kept.transpose(0, 2, 1)
            self.cv_results_ = per_target[:, 0] if table.y_is_vector else per_target
        return scores

    def _best_of(self, scores: Array, alphas: Array, n_rows: int) -> tuple[Any, Any]:
        """The penalty of the highest score and that score, for all targets together or each."""
        each = self.alpha_per_target and scores.shape[1] > 1
        self.cv_scores_ = scores if each else scores.mean(axis=1)
        best, score = best_penalty(self.cv_scores_, alphas)
        # the first of rows that come one by one is met whatever the penalty: there is no choice yet
        alone = n_rows == 1 and self.fit_intercept and self._generalized
        if np.isneginf(score).any() and not alone:
            rows = "the only row (1 sample)" if n_rows == 1 else f"at least one of {n_rows} rows"
            raise InvalidDataError(
                f"{self._owner}: at none of the alphas is there an error to go by, as the "
                f"fit meets {rows} whatever its target (leverage 1). "
                "Give a larger penalty, more rows, or choose by folds (cv=5)."
            )
        return best, score


def _refuse_unseen(table: Table) -> None:
    """Refuse what no statistic looks at: rows of wide tables, and rows of weight zero."""
    weightless = table.weights is not None and not table.weights.all()
    if table.n_features > table.n_rows or weightless:
        table.refuse_nonfinite()
        refuse_out_of_range(replace(table, weights=None))
