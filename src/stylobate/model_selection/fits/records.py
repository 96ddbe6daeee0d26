"""What became of every fit of a cross-validation or a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.model_selection.fits.task import Outcome
from stylobate.splits import Split


@dataclass(frozen=True)
class FitRecord:
    """One fit and its scores.

    Attributes
    ----------
    candidate, split : int
        Which setting of the parameters, and which split.
    n_train, n_test : int
        Rows of the parts.
    params : dict
        The setting; of a cross-validation all parameters of the estimator.
    test, train : dict of float
        Scores by name; those of the training part on request.
    fit_time, score_time : float
        Seconds.
    way : {"rows", "statistics"}
        Whether the model was fitted to its rows or to statistics of the folds.
    stored : bool
        Whether it was read from a store.
    warnings : tuple of str
        Those that the fit and its scoring raised.
    failure : str or None
        The traceback, if one of them failed.
    """

    candidate: int
    split: int
    n_train: int
    n_test: int
    params: Mapping[str, Any]
    test: Mapping[str, float]
    train: Mapping[str, float]
    fit_time: float
    score_time: float
    way: str
    stored: bool
    warnings: tuple[str, ...]
    failure: str | None

    @property
    def failed(self) -> bool:
        """Whether the fit or its scoring failed."""
        return self.failure is not None


def records_of(
    outcomes: Sequence[Outcome],
    splits: Sequence[Split],
    params: Sequence[Mapping[str, Any]],
    first: int = 0,
) -> list[FitRecord]:
    """The records of outcomes, which come candidate by candidate and there split by split.

    ``first`` is the number of the first candidate.
    """
    sizes = [(_count(train), _count(test)) for train, test in splits]
    found = []
    for number, outcome in enumerate(outcomes):
        candidate, split = divmod(number, len(splits))
        found.append(
            FitRecord(
                first + candidate,
                split,
                *sizes[split],
                params[candidate],
                outcome.test,
                outcome.train,
                outcome.fit_time,
                outcome.score_time,
                outcome.way,
                outcome.stored,
                tuple(outcome.warnings),
                outcome.failure or outcome.scoring_failure,
            )
        )
    return found


def _count(rows: Any) -> int:
    return int(np.count_nonzero(rows)) if rows.dtype == bool else len(rows)


@dataclass(frozen=True)
class Kept:
    """The outcomes of a cross-validation."""

    outcomes: Sequence[Outcome]
    splits: Sequence[Split]
    params: Mapping[str, Any]

    def records(self) -> list[FitRecord]:
        """All about each fit."""
        return records_of(self.outcomes, self.splits, [self.params])


@dataclass(frozen=True)
class LeftOut:
    """The scores of leaving out each of n rows, found without fits."""

    n: int
    fit_time: float
    score_time: float
    scores: Mapping[str, Any]
    params: Mapping[str, Any]

    def records(self) -> list[FitRecord]:
        """All about each row."""
        times = self.fit_time, self.score_time
        shared = (*times, "statistics", False, (), None)
        return [
            FitRecord(
                0,
                k,
                self.n - 1,
                1,
                self.params,
                {name: float(each[k]) for name, each in self.scores.items()},
                {},
                *shared,
            )
            for k in range(self.n)
        ]


class CrossValidated(dict[str, Any]):
    """What `cross_validate` returns: arrays by name, and ``records`` with all about each fit."""

    def __init__(self, arrays: Mapping[str, Any], kept: Kept | LeftOut) -> None:
        super().__init__(arrays)
        self._kept = kept

    @property
    def records(self) -> list[FitRecord]:
        """A record of each fit, in the order of the splits."""
        return self._kept.records()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self), self._kept)
