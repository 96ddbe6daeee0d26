"""Members fitted to random rows and columns: what bagged classifiers and regressors share."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, HasMethods, Interval, RandomState, Tags, clone
from stylobate.base.delegation import tags_of
from stylobate.base.jobs import finished_jobs, run_jobs
from stylobate.base.randomness import stream_of
from stylobate.data.columns import Columns
from stylobate.data.indexing import take_rows
from stylobate.data.weights import read_weights
from stylobate.data.words import user_stacklevel
from stylobate.ensemble.draws import Draw, columns_to_draw, left_out, rows_to_draw
from stylobate.ensemble.members import (
    LARGEST_SEED,
    member,
    part_of,
    read_rows,
    takes_weights,
)
from stylobate.exceptions import InvalidParameterError, StylobateWarning
from stylobate.model_selection.fits.progress import progress_of

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression

    Array = NDArray[np.float64]
    Rows = NDArray[np.intp]

Model = Annotated[Any, HasMethods("fit", "predict")] | None
Count = Annotated[int, Interval(1, inf)]
Share = Annotated[int, Interval(1, inf)] | Annotated[float, Interval(0, 1, closed="right")]

_TOGETHER = 8  # members whose predictions one call adds up; fixed, so that sums are the same bits


class BaggingBase(BaseEstimator):
    """A list of members, each fitted to rows and columns drawn from a seed of its own."""

    if TYPE_CHECKING:
        estimator_: Any
        estimators_: list[Any]
        estimators_features_: list[Rows]

    def __init__(
        self,
        estimator: Model = None,
        n_estimators: Count = 10,
        *,
        max_samples: Share | None = None,
        max_features: Share = 1.0,
        bootstrap: bool = True,
        bootstrap_features: bool = False,
        oob_score: bool = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
        verbose: Annotated[int, Interval(0, inf)] | bool = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.bootstrap_features = bootstrap_features
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @abstractmethod
    def _default(self) -> Any:
        """What is bagged if nothing else is given."""

    @abstractmethod
    def _read_y(self, y: Any, n_rows: int) -> NDArray[Any]:
        """The target the members learn."""

    @abstractmethod
    def _score_left_out(self, columns: Columns, y: NDArray[Any]) -> None:
        """Predict each row by the members that have not seen it."""

    def _inner(self) -> Any:
        return self._default() if self.estimator is None else self.estimator

    def _tags(self) -> Tags:
        inner = tags_of(self._inner())
        return super()._tags().but(sparse=inner.sparse, allow_nan=inner.allow_nan)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit every member to its rows and columns.

        Members whose `fit` takes weights get all rows, each with the number of times it was drawn;
        others get the rows themselves.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; what they may hold is the members' business.
        y : array-like of shape (n,) or, for regressors that take it, (n, n_targets)
            Target.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights: how likely each row is drawn.
        **fit_params : object
            More arguments for the members' `fit`.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns = read_rows(self, X, reset=True)
        target = self._read_y(y, columns.n_rows)
        weights = read_weights(sample_weight, columns.n_rows, owner=type(self).__name__)
        self._plan(columns, weights)
        new = self._new_seeds()
        if len(new):
            self._grow(columns, target, new, fit_params)
            if self.oob_score:
                self._score_left_out(columns, target)
        return self

    def _plan(self, columns: Columns, weights: Array | None) -> None:
        """Settle what is drawn, and refuse what cannot be."""
        name = type(self).__name__
        count = rows_to_draw(columns.n_rows, self.max_samples, weights, name)
        features = columns_to_draw(columns.n_columns, self.max_features)
        if not self.bootstrap and count > columns.n_rows:
            raise InvalidParameterError(
                f"{name}: Effective max_samples={count} must be <= n_samples={columns.n_rows} to "
                "be able to sample without replacement."
            )
        if features > columns.n_columns:
            raise InvalidParameterError(
                f"{name}: max_features must be <= n_features, got {features} of "
                f"{columns.n_columns}."
            )
        if self.oob_score and (not self.bootstrap or self.warm_start):
            wanted = "bootstrap=True" if not self.bootstrap else "warm_start=False"
            raise InvalidParameterError(f"{name}: Out of bag estimation only available if {wanted}")
        if weights is not None and not self.bootstrap:
            warnings.warn(
                f"When fitting {name} with sample_weight it is recommended to use bootstrap=True, "
                f"got {self.bootstrap}.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        self._n_samples = columns.n_rows
        self._max_samples, self._max_features = count, features
        self._sample_weight = weights
        self.estimator_ = clone(self._inner())

    def _new_seeds(self) -> NDArray[np.int64]:
        """A seed for each member to be fitted; after a warm start, those of the ones to come."""
        stream = stream_of(self.random_state)
        fitted = vars(self).get("estimators_", []) if self.warm_start else []
        if len(fitted) > self.n_estimators:
            raise InvalidParameterError(
                f"{type(self).__name__}: n_estimators={self.n_estimators} must be larger or equal "
                f"to len(estimators_)={len(fitted)} when warm_start==True"
            )
        for name in ("oob_score_", "oob_decision_function_", "oob_prediction_"):
            vars(self).pop(name, None)
        if not fitted:
            self.estimators_, self.estimators_features_ = [], []
            self._seeds = np.zeros(0, dtype=np.int64)
        elif len(fitted) == self.n_estimators:
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        seeds = stream.randint(LARGEST_SEED, size=self.n_estimators)
        return np.asarray(seeds[len(fitted) :], dtype=np.int64)

    def _grow(
        self,
        columns: Columns,
        y: NDArray[Any],
        seeds: NDArray[np.int64],
        fit_params: dict[str, Any],
    ) -> None:
        calls = [partial(self._fit_one, columns, y, int(seed), fit_params) for seed in seeds]
        found: dict[int, tuple[Any, Rows]] = {}
        title = f"{type(self).__name__}: {type(self.estimator_).__name__}"
        shown = {"verbose": int(self.verbose), "progress": None}
        with progress_of(title, len(calls), **shown) as progress:  # type: ignore[arg-type]
            for number, one in finished_jobs(calls, self.n_jobs, self.estimator_, "2*n_jobs"):
                found[number] = one
                progress.advance()
        made = [found[number] for number in range(len(calls))]
        self.estimators_ = [*self.estimators_, *(each for each, _ in made)]
        self.estimators_features_ = [*self.estimators_features_, *(drawn for _, drawn in made)]
        self._seeds = np.concatenate([self._seeds, seeds])

    def _draws(self, seed: int) -> tuple[Rows, Rows]:
        """The rows and the columns of the member with this seed."""
        stream = stream_of(seed)
        p = self.n_features_in_
        features = Draw(p, self._max_features, self.bootstrap_features).numbers(stream)
        rows = Draw(self._n_samples, self._max_samples, self.bootstrap, self._sample_weight)
        return rows.numbers(stream), features

    def _fit_one(
        self, columns: Columns, y: NDArray[Any], seed: int, fit_params: dict[str, Any]
    ) -> tuple[Any, Rows]:
        model = member(self.estimator_, stream_of(seed))
        rows, features = self._draws(seed)
        if takes_weights(model):
            counts = np.bincount(rows, minlength=columns.n_rows).astype(np.float64)
            x = part_of(columns, None, self._chosen(features))
            model.fit(x, y, **fit_params, sample_weight=counts)  # may return nothing
            return model, features
        x = part_of(columns, rows, self._chosen(features))
        params = {
            key: take_rows(value, rows) if np.shape(value)[:1] == (columns.n_rows,) else value
            for key, value in fit_params.items()
        }
        model.fit(x, y[rows], **params)
        return model, features

    def _chosen(self, features: Rows) -> Rows | None:
        """None where all columns are taken in order, as nearly always."""
        return features if self.bootstrap_features or len(features) != self.n_features_in_ else None

    @property
    def estimators_samples_(self) -> list[Rows]:
        """The rows drawn for each member, drawn again from its seed."""
        self._check_fitted()
        return [self._draws(int(seed))[0] for seed in self._seeds]

    def __len__(self) -> int:
        return len(vars(self).get("estimators_", []))

    def __getitem__(self, place: Any) -> Any:
        return self.estimators_[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(vars(self).get("estimators_", []))

    def _members(self) -> list[tuple[Any, Rows | None]]:
        return [
            (one, self._chosen(features))
            for one, features in zip(self.estimators_, self.estimators_features_, strict=True)
        ]

    def _over_members(
        self, X: Any, ask: Callable[[Any, Any], Array], add: Callable[[Array, Array], Array]
    ) -> Array:
        """What all members say about the rows, added up in their order."""
        self._check_fitted()
        columns = read_rows(self, X, reset=False)
        members = self._members()
        calls = [
            partial(_added, columns, members[start : start + _TOGETHER], ask, add)
            for start in range(0, len(members), _TOGETHER)
        ]
        first, *rest = run_jobs(calls, self.n_jobs, self.estimator_, "2*n_jobs")
        for each in rest:
            first = add(first, each)
        return first

    def _answers(self, columns: list[Expression]) -> list[Answer]:
        """The formulas of the members."""
        from stylobate.formula.export import formula_of

        return [
            formula_of(one, columns if at is None else [columns[j] for j in at])
            for one, at in self._members()
        ]

    def _left_out(self, columns: Columns) -> Iterator[tuple[Any, Rows, Any]]:
        """Each member, the rows it has not seen, and those rows with its columns."""
        for (one, features), seen in zip(self._members(), self.estimators_samples_, strict=True):
            rows = left_out(seen, columns.n_rows)
            if len(rows):
                yield one, rows, part_of(columns, rows, features)

    def _warn_seen_by_all(self, never: NDArray[np.bool_]) -> None:
        if never.any():
            warnings.warn(
                "Some inputs do not have OOB scores. This probably means too few estimators were "
                "used to compute any reliable oob estimates.",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )


def _added(
    columns: Columns,
    members: list[tuple[Any, Any]],
    ask: Callable[[Any, Any], Array],
    add: Callable[[Array, Array], Array],
) -> Array:
    answers = (ask(one, part_of(columns, None, features)) for one, features in members)
    total = next(answers)
    for each in answers:
        total = add(total, each)
    return total
