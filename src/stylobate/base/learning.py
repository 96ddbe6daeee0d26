"""Learning from a statistic: `fit`, `partial_fit` and fits of streams, written once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base.availability import available_if
from stylobate.base.cloning import clone
from stylobate.base.estimator import BaseEstimator
from stylobate.base.residuals import ResidualSums
from stylobate.base.validation import remember_features
from stylobate.data import Table
from stylobate.data.streams import Stream
from stylobate.data.words import kind_of
from stylobate.exceptions import InvalidDataError
from stylobate.parallel import join_threadpoolctl
from stylobate.sources import KnownStatistic, MemorySource
from stylobate.statistics import Moments, Recipe, Source


class LearnsFromStatistic(BaseEstimator, ABC):
    """An estimator that needs only a statistic of the rows.

    Subclasses write `_learn(source)`: ask the source for statistics, solve, store the answer. They
    set ``statistic_`` to the statistic of kind `_statistic`, which `partial_fit` goes on from.
    Where the parameters ask for a method that needs the rows, `_needs_rows` is true, and there is
    no `fit_batches`; `partial_fit` is there where one pass is all that is asked for.
    """

    @property
    def _statistic(self) -> type[Any]:
        """The statistic that is enough to learn from."""
        return Moments

    @property
    def _needs_rows(self) -> bool:
        return False

    def _part_recipe(self, table: Table) -> Recipe[Any] | None:
        """The statistic from which fits to parts of these rows equal fits to the rows themselves.

        Cross-validation asks for it: where it is not None, the statistics of all parts are
        collected in one pass and `_learnt_from` gives the fits.
        """
        return None

    @classmethod
    def _fitted_together(cls, models: Sequence[Self], table: Table) -> list[Self] | None:
        """Clones of several estimators of this class, all fitted to the rows of a table.

        None where they share no work, or a fit would have something to say: they are then fitted
        one by one.
        """
        return None

    def _learnt_from(self, statistic: Any, table: Table) -> Self | None:
        """A clone that has learnt from the statistic of some rows of a table.

        None where the statistic lacks digits that a fit to the rows would have.
        """
        return self._twin(table, KnownStatistic(statistic, table.y_is_vector))

    def _fitted_to(self, table: Table) -> Self:
        """A clone that is fitted to the rows of a table."""
        return self._twin(table, MemorySource(table))

    def _twin(self, table: Table, source: Source) -> Self:
        twin: Self = clone(self)
        remember_features(twin, table)
        twin._learn(source)
        return twin

    def _residual_sums(self, statistic: Any) -> ResidualSums | None:
        """Sums over the residuals of rows of which only a statistic is known.

        None where they cannot be told, or not to all their digits.
        """
        return None

    @classmethod
    def _sums_of_fits(
        cls, models: Sequence[Self], trainings: Any, parts: Sequence[Any]
    ) -> tuple[NDArray[np.bool_], list[ResidualSums]] | None:
        """Sums over the residuals of every model fitted to every training statistic, all at once.

        Nobody receives these fits, so they need no certificates. None where the fits can only be
        made one by one.

        Parameters
        ----------
        models : sequence of e estimators of this class
        trainings : list of s lists of z statistics
            Of each split, one for each size of the training part.
        parts : sequence of such lists
            The statistics of rows to score, in place of each training part; a split's list may
            hold one statistic for all its sizes.

        Returns
        -------
        safe : array of shape (e, s, z)
            Whether a fit and its sums have the digits that the rows would give; where they have
            not, the sums mean nothing.
        sums : list of ResidualSums
            Of each of `parts`, in the order (e, s, z).
        """
        return None

    def _left_out_residuals(self, table: Table) -> NDArray[np.float64] | None:
        """Residuals (n × targets) of each row against a fit to all others, without refits.

        None where only the refits can tell.
        """
        return None

    @abstractmethod
    def _learn(self, source: Source) -> None:
        """Solve from the source's statistics and store the answer."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit to rows in memory.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows of numbers.
        y : array-like of shape (n,) or (n, n_targets)
            Targets.
        sample_weight : array-like of shape (n,) or float, optional
            Non-negative weights; a row of weight 0 is no row.

        Returns
        -------
        self
        """
        self._start_afresh()
        table = self._read(X, y, sample_weight, reset=True, check_finite="deferred")
        self._learn(MemorySource(table))
        return self

    @available_if(lambda self: self._tags().tier == "one pass" and not self._needs_rows)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, as if they and all rows so far had been given to `fit`.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        self
        """
        self._check_parameters()
        join_threadpoolctl()
        known = getattr(self, "statistic_", None)
        if self.__sklearn_is_fitted__() and not isinstance(known, self._statistic):
            raise InvalidDataError(
                f"{type(self).__name__}: the solver {getattr(self, 'solver_', None)!r} left no "
                f"{self._statistic.__name__} of the rows seen so far to go on from; use "
                "partial_fit from the first rows on, with the same parameters."
            )
        table = self._read(
            X,
            y,
            sample_weight,
            reset=known is None,
            check_finite="deferred",
            y_required=self._tags().requires_y,
        )
        kind: Any = self._statistic
        part: Any = MemorySource(table).compute(kind)
        whole = part if known is None else known.merge(part)
        self._learn(KnownStatistic(whole, table.y_is_vector))
        return self

    @property
    def _takes_statistic(self) -> bool:
        """Whether the statistic alone tells everything that `fit` learns."""
        tags = self._tags()
        enough = tags.tier == "one pass" and not self._needs_rows
        return enough and tags.estimator_type == "regressor"

    @available_if(lambda self: self._takes_statistic)
    def fit_statistic(self, statistic: Any) -> Self:
        """Fit to rows of which a statistic is known: merged parts, a window, rows that are fading.

        Parameters
        ----------
        statistic : object
            Of the kind that ``statistic_`` is after a fit, such as that of a `SlidingWindow` or of
            `Forgetting` (`stylobate.statistics`).

        Returns
        -------
        self
        """
        if not isinstance(statistic, self._statistic):
            raise InvalidDataError(
                f"{type(self).__name__}.fit_statistic learns from {self._statistic.__name__}, got "
                f"{kind_of(statistic)}."
            )
        self._start_afresh()
        self.n_features_in_ = statistic.n_features
        self._learn(KnownStatistic(statistic, getattr(statistic, "n_targets", 1) == 1))
        return self

    def _fit_stream(self, stream: Stream) -> Self:
        """Learn from statistics of a stream; where the rows are needed, from rows collected."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._start_afresh()
        self._learn(self._source(stream))
        return self

    def _start_afresh(self) -> None:
        """Check the parameters and drop all that an earlier fit learnt."""
        self._check_parameters()
        join_threadpoolctl()
        for name in [name for name in vars(self) if name.endswith("_") or name == "_facts"]:
            delattr(self, name)


def defined_below(kind: type, name: str, other: str) -> bool:
    """Whether a class has a method `name` from further down its line than its method `other`.

    Then `other` was written without knowing of it, and cannot stand for it.
    """
    line = kind.__mro__
    first, second = (
        next((k for k, parent in enumerate(line) if each in vars(parent)), len(line))
        for each in (name, other)
    )
    return first < second
