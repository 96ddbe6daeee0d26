"""Sequential selection: add or remove one feature at a time, by cross-validated score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Mask
from stylobate.base import HasMethods, Interval, Tags, clone, is_classifier
from stylobate.base.constraints import is_number
from stylobate.base.validation import input_names
from stylobate.data import Table
from stylobate.exceptions import InvalidParameterError
from stylobate.feature_selection.fold_fits import SubsetFoldFits
from stylobate.feature_selection.greedy import GreedySearch, Judge
from stylobate.feature_selection.history import SelectionHistory
from stylobate.feature_selection.selector import FeatureSelector, tags_around
from stylobate.feature_selection.targets import with_target
from stylobate.splits import splits_of

if TYPE_CHECKING:
    from stylobate.data.streams import Batch, Stream

_FEWEST, _N_FOLDS = 2, 5  # features, and folds where none are asked for


class SequentialFeatureSelector(FeatureSelector):
    """Greedy forward, backward or floating selection by cross-validated score, for any estimator.

    At every step the feature is added (or removed) that gives the best mean score over the folds.
    For `LinearRegression` and `Ridge` scored by squared error the whole search runs on the moments
    of the folds, read once: about the cost of one fit, and the same choices as fitting every
    candidate. `solver_` and `solver_reason_` say which way it went.

    Parameters
    ----------
    estimator : estimator
        Cloned for every fit.
    n_features_to_select : "auto", int in [1, inf) or float in (0, 1], default="auto"
        How many (or which share) to keep; "auto": half of them, or with `tol` as long as the score
        gains that much.
    tol : float or None, default=None
        Least gain of a step, with ``n_features_to_select="auto"``; may be negative backward.
    direction : {"forward", "backward"}, default="forward"
        Whether to add to none or to remove from all.
    scoring : str, callable or None, default=None
        Name of a score, scorer of (estimator, X, y), or the estimator's own score.
    cv : int in [2, inf), splitter, iterable or None, default=5
        Folds; stratified for classifiers if a number.
    n_jobs : int or None, default=None
        Fits at the same time, where fits are needed.
    floating : bool, default=False
        Whether to take earlier steps back whenever that beats the best set of that size so far.

    Attributes
    ----------
    support_ : array of bool of shape (n_features,)
        Which features are selected.
    n_features_to_select_ : int
        How many are.
    history_ : SelectionHistory
        Every step: what was done, the score, each fold's, and those of all candidates.
    solver_, solver_reason_ : str
        "moments", "fits" or "moments and fits", and why.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    The score of the final step is the best of many and hence too good. To know how well a selected
    model does, put the selector and the model in a pipeline and cross-validate that.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.feature_selection import SequentialFeatureSelector
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> chosen = SequentialFeatureSelector(LinearRegression(), n_features_to_select=3).fit(X, y)
    >>> chosen.get_feature_names_out(), chosen.solver_
    (array(['bmi', 'bp', 's5'], dtype=object), 'moments')

    References
    ----------
    Pudil, Novovičová & Kittler (1994), Floating search methods in feature selection, Pattern
    Recognition Letters 15.
    """

    def __init__(
        self,
        estimator: Annotated[Any, HasMethods("fit")],
        *,
        n_features_to_select: Literal["auto"]
        | Annotated[int, Interval(1, inf)]
        | Annotated[float, Interval(0, 1, closed="neither")]
        | Literal[1.0] = "auto",  # type: ignore[valid-type]
        tol: float | None = None,
        direction: Literal["forward", "backward"] = "forward",
        scoring: str | Callable[..., Any] | None = None,
        cv: Annotated[int, Interval(2, inf)]
        | Annotated[Any, HasMethods("split")]
        | Annotated[Any, HasMethods("__iter__")]
        | None = 5,
        n_jobs: int | None = None,
        floating: bool = False,
    ) -> None:
        self.estimator = estimator
        self.n_features_to_select = n_features_to_select
        self.tol = tol
        self.direction = direction
        self.scoring = scoring
        self.cv = cv
        self.n_jobs = n_jobs
        self.floating = floating

    def _tags(self) -> Tags:
        return tags_around(super()._tags(), self.estimator)

    def fit(self, X: Any, y: Any = None, **fit_params: Any) -> Self:
        """Select features.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, of at least two features.
        y : array-like of shape (n,) or (n, n_targets), optional
            Target.
        **fit_params : object
            More arguments for the estimator's `fit`; those with one entry per row are cut to the
            rows of each fold.

        Returns
        -------
        self
        """
        self._check_parameters()
        finite = "allow-nan" if self._tags().allow_nan else "deferred"
        table, y = self._read_with_target(X, y, min_rows=2, min_features=2, check_finite=finite)
        self._target(table.n_features), self._tolerance()  # refused before anything is fitted
        self._search(self._judge(table, y, fit_params), table.n_features)
        return self

    def _search(self, judge: Judge, p: int) -> None:
        forward = self.direction == "forward"
        target, tol = self._target(p), self._tolerance()
        names = list(input_names(self))
        search = GreedySearch(judge, np.full(p, not forward), forward, self.floating, tol, names)
        search.run(target)
        self._settle(search, judge)

    def _fit_stream(self, stream: Stream) -> Self:
        """Moments of a join's folds take one pass; for what they do not tell rows are collected."""
        from stylobate.feature_selection.fold_sweeps import FoldSweeps, too_wide
        from stylobate.linear_model.shared.stream_folds import StreamFolds

        if not self._by_moments(stream):
            return super()._fit_stream(stream)
        self._check_parameters()
        read = self._door()
        source = self._source(stream, read)
        p = source.n_features
        if p < _FEWEST or too_wide(p + 1, _N_FOLDS if self.cv is None else int(self.cv)):
            return super()._fit_stream(stream)
        folds = StreamFolds.of(
            source, _N_FOLDS if self.cv is None else int(self.cv), type(self).__name__, fewest=2
        )
        estimator = clone(self.estimator)
        estimator._check_parameters()
        judge = FoldSweeps.of_moments(folds.known, estimator, self.scoring, _NoRows())
        try:
            self._search(judge, p)
        except _RowsNeededError:
            return super()._fit_stream(stream)
        return self

    def _by_moments(self, stream: Stream) -> bool:
        """Whether all scores may follow from moments of folds of rows that follow each other."""
        from stylobate.feature_selection.fold_sweeps import why_not_moments
        from stylobate.linear_model.shared.stream_folds import folds_by_order

        if not stream.remembers_moments or not folds_by_order(self.cv):
            return False
        table = Table(np.zeros((1, 1)), y=np.zeros((1, 1)))
        return why_not_moments(self.estimator, self.scoring, table, 1) is None

    def _door(self) -> Callable[[Batch], Table]:
        first = True

        def read(batch: Batch) -> Table:
            nonlocal first
            table: Table = self._read(batch.x, batch.y, reset=first, y_required=True)
            first = False
            return table

        return read

    def _target(self, n_features: int) -> int:
        """How many features to end with; scikit-learn's rules, odd ones included."""
        wanted, forward = self.n_features_to_select, self.direction == "forward"
        if isinstance(wanted, str):
            moves = n_features // 2 if self.tol is None else n_features - 1
            return moves if forward else n_features - moves
        if is_number(wanted, Integral):
            if wanted >= n_features:
                raise InvalidParameterError(
                    f"{type(self).__name__}: n_features_to_select must be < n_features = "
                    f"{n_features}, got {wanted}."
                )
            return int(wanted)
        return int(n_features * wanted)

    def _tolerance(self) -> float | None:
        if self.tol is not None and self.tol < 0 and self.direction == "forward":
            raise InvalidParameterError(
                f"{type(self).__name__}: tol must be strictly positive when doing forward "
                f"selection, got {self.tol}."
            )
        return self.tol if isinstance(self.n_features_to_select, str) else None

    def _judge(self, table: Table, y: Any, fit_params: dict[str, Any]) -> Judge:
        """Moments where they are enough, fits otherwise."""
        from stylobate.feature_selection.fold_sweeps import FoldSweeps, why_not_moments
        from stylobate.metrics import check_scoring

        splits = splits_of(self.cv, table.x, y, classifier=is_classifier(self.estimator))
        estimator = clone(self.estimator)
        scorer = check_scoring(estimator, self.scoring)
        fits = SubsetFoldFits(estimator, table.x, y, splits, scorer, self.n_jobs, fit_params)
        numeric = with_target(table, y)
        reason = why_not_moments(estimator, self.scoring, numeric, len(splits))
        if reason is None and fit_params:
            reason = f"fit was given {', '.join(sorted(fit_params))}"
        if reason is None:
            estimator._check_parameters()
            return FoldSweeps.of(numeric, splits, estimator, self.scoring, fits)
        self._reason = reason
        if not table.finite and not self._tags().allow_nan:
            table.refuse_nonfinite()
        return FitJudge(fits)

    def _settle(self, search: GreedySearch, judge: Judge) -> None:
        size = int(search.support.sum())
        better = search.best.get(size)
        self.support_: Mask = search.support if better is None else better[1]
        self.n_features_to_select_ = int(self.support_.sum())
        name = "score" if self.scoring is None else getattr(self.scoring, "__name__", self.scoring)
        self.history_ = SelectionHistory(tuple(search.steps), str(name))
        fitted = getattr(judge, "fitted", None)
        if fitted is None:
            self.solver_ = "fits"
            self.solver_reason_ = f"every candidate was fitted: {vars(self).pop('_reason')}"
        elif fitted:
            self.solver_ = "moments and fits"
            self.solver_reason_ = (
                f"{fitted} sets of features were fitted, as their columns are too nearly dependent "
                "or their errors too small for the digits of moments; the others come from the "
                "moments of the folds"
            )
        else:
            self.solver_ = "moments"
            self.solver_reason_ = "squared errors of linear models follow from the folds' moments"


@dataclass(slots=True)
class FitJudge:
    """Scores by fits alone."""

    fits: SubsetFoldFits

    def score(self, support: Mask, candidates: NDArray[np.intp]) -> NDArray[np.float64]:
        from stylobate.feature_selection.fold_sweeps import flipped

        return self.fits.score(flipped(support, candidates))


class _RowsNeededError(Exception):
    """The moments of the folds do not tell an error."""


class _NoRows:
    """What stands for fits where rows have not been collected."""

    def score(self, sets: Any) -> NDArray[np.float64]:
        raise _RowsNeededError
