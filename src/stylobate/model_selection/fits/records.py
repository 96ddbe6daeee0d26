"""What became of every fit of a cross-validation or a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.metrics.intervals.interval import Interval
from stylobate.model_selection.fits.fingerprints import fingerprint
from stylobate.model_selection.fits.task import Outcome
from stylobate.model_selection.validation.split_sizes import test_to_train
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

    @property
    def test_to_train(self) -> float:
        """Test rows for each training row."""
        return test_to_train(self.splits)

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

    @property
    def test_to_train(self) -> float:
        """Test rows for each training row."""
        return 1.0 / (self.n - 1)

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
    """What `cross_validate` returns: arrays by name, records of the fits, intervals of scores."""

    def __init__(self, arrays: Mapping[str, Any], kept: Kept | LeftOut) -> None:
        super().__init__(arrays)
        self._kept = kept

    @property
    def records(self) -> list[FitRecord]:
        """A record of each fit, in the order of the splits."""
        return self._kept.records()

    def intervals(self, confidence: float = 0.95) -> dict[str, Interval]:
        r"""The confidence interval of each mean score: corrected resampled t.

        Scores of splits whose training parts overlap are not independent: s²/J is too small a
        variance of their mean, the smaller the more splits there are. Nadeau and Bengio's is

        .. math:: \left(\tfrac1J + \tfrac{n_2}{n_1}\right) s^2

        for J splits of :math:`n_1` training and :math:`n_2` test rows, with Student's t of J − 1
        degrees of freedom.

        Parameters
        ----------
        confidence : float in (0, 1), default=0.95

        Returns
        -------
        dict of str to Interval
            By the names of the test scores.

        References
        ----------
        Nadeau & Bengio (2003), Inference for the generalization error, *Machine Learning* 52.

        Examples
        --------
        >>> from stylobate.datasets import load_diabetes
        >>> from stylobate.linear_model import LinearRegression, Ridge
        >>> from stylobate.model_selection import cross_validate
        >>> X, y = load_diabetes(return_X_y=True)
        >>> found = cross_validate(LinearRegression(), X, y, cv=10)
        >>> print(found.intervals()["test_score"])
        0.462 (95 % interval 0.3009 to 0.623, corrected resampled t)
        >>> print(found.difference_intervals(cross_validate(Ridge(), X, y, cv=10))["test_score"])
        0.05654 (95 % interval -0.01585 to 0.1289, corrected resampled t, paired)
        """
        return {
            name: _corrected(self[name], self._kept.test_to_train, confidence, "")
            for name in self._score_names()
        }

    def difference_intervals(
        self, other: CrossValidated, confidence: float = 0.95
    ) -> dict[str, Interval]:
        """The confidence interval of this mean score less that of another model, split by split.

        Splits that are hard for both cancel. Both must be of the same rows and splits (give
        ``cv`` a splitter with a seed).

        Parameters
        ----------
        other : CrossValidated
            What `cross_validate` returned for the other model.
        confidence : float in (0, 1), default=0.95

        Returns
        -------
        dict of str to Interval
            By the names of the test scores that both have.
        """
        if not self._same_splits(other):
            raise InvalidDataError(
                "difference_intervals: the other model was validated on other splits; give both "
                "the same rows and the same cv, with a random_state if it shuffles."
            )
        ratio = self._kept.test_to_train
        return {
            name: _corrected(self[name] - other[name], ratio, confidence, ", paired")
            for name in self._score_names()
            if name in other
        }

    def _score_names(self) -> list[str]:
        return [name for name in self if name.startswith("test_")]

    def _same_splits(self, other: CrossValidated) -> bool:
        mine, theirs = self._kept, other._kept
        if isinstance(mine, LeftOut) or isinstance(theirs, LeftOut):
            return len(self["fit_time"]) == len(other["fit_time"])
        pairs = zip(mine.splits, theirs.splits, strict=False)
        return len(mine.splits) == len(theirs.splits) and all(
            _same_part(a, b) for one, two in pairs for a, b in zip(one, two, strict=True)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self), self._kept)


def _same_part(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    return fingerprint(one) == fingerprint(other)  # parts of a stream


def _corrected(scores: Any, ratio: float, confidence: float, more: str) -> Interval:
    from stylobate.inference.comparisons.paired import corrected_interval

    if not 0.0 < confidence < 1.0:
        raise InvalidParameterError(
            "confidence must be a number strictly between 0 and 1 (0.95 for 95 %), got "
            f"{confidence!r}."
        )
    found = corrected_interval(scores, ratio, confidence)
    return Interval(*found, f"corrected resampled t{more}", confidence)
