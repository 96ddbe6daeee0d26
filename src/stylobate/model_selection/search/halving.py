"""Successive halving: all settings with few resources, the better ones with more."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor, log
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.base import is_classifier
from stylobate.data import read_labels
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.model_selection.search.base import BaseSearchCV
from stylobate.model_selection.search.evaluation import Evaluation
from stylobate.model_selection.validation.data import Data
from stylobate.model_selection.validation.stream_data import StreamData
from stylobate.splits import HashKFold, Split
from stylobate.splits.hashed import hashed_share
from stylobate.splits.splitter import count_rows, generator, is_integer

_ROWS_PER_SPLIT = 2  # of each class, at least
_DRAWS = 1 << 32  # apart from the seeds of folds


@dataclass(frozen=True)
class PartOfRows:
    """The splits of another splitter, with a share of the rows of each part drawn at random.

    Where the splits go by a hash of the row's number the draws do too, so that those of a stream
    are those of memory; the share is then met up to chance.
    """

    splitter: Any
    share: float
    random_state: Any

    @property
    def seed(self) -> int:
        """Of the hash; another one than the folds' own."""
        return _DRAWS + (int(self.random_state) if is_integer(self.random_state) else 0)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of smaller parts."""
        drawn: Any = self._drawn
        if isinstance(self.splitter, HashKFold):
            kept = hashed_share(0, count_rows(X), self.seed, self.share)
            drawn = lambda rows: rows[kept[rows]]  # noqa: E731 - one of two ways to draw
        for train, test in self.splitter.split(X, y, groups):
            yield drawn(train), drawn(test)

    def _drawn(self, rows: Any) -> Any:
        rows = np.flatnonzero(rows) if np.asarray(rows).dtype == bool else np.asarray(rows)
        order = np.arange(len(rows))
        generator(self.random_state).shuffle(order)
        return rows[order[: int(self.share * len(rows))]]


class BaseSuccessiveHalving(BaseSearchCV):
    """Rounds of a search; subclasses say with which settings the first begins."""

    if TYPE_CHECKING:
        factor: float
        resource: str
        max_resources: Any
        min_resources: Any
        aggressive_elimination: bool
        random_state: Any

    @abstractmethod
    def _settings(self) -> list[dict[str, Any]]:
        """The settings of the first round."""

    def _prepare(self, evaluation: Evaluation) -> None:
        owner = type(self).__name__
        data, splitter = evaluation.task.data, evaluation.splitter
        if not _is_constant(splitter):
            raise InvalidParameterError(
                f"{owner}: The cv parameter must yield consistent folds across calls to split(). "
                "Set its random_state to an int, or set shuffle=False."
            )
        known = self.estimator.get_params()
        if self.resource != "n_samples" and self.resource not in known:
            raise InvalidParameterError(
                f"{owner}: Cannot use resource={self.resource} which is not supported by estimator "
                f"{type(self.estimator).__name__}; it may be 'n_samples' or one of "
                f"{', '.join(map(repr, sorted(known)))}."
            )
        if self.min_resources == "exhaust" == getattr(self, "n_candidates", None):
            raise InvalidParameterError(
                f"{owner}: n_candidates and min_resources cannot be both set to 'exhaust'."
            )
        self.min_resources_ = self._least(data, evaluation.n_splits)
        self.max_resources_ = self._most(data)
        if self.min_resources_ > self.max_resources_:
            raise InvalidDataError(
                f"{owner}: min_resources_={self.min_resources_} is greater than "
                f"max_resources_={self.max_resources_}; use more rows, fewer splits or a smaller "
                "min_resources."
            )

    def _least(self, data: Data | StreamData, n_splits: int) -> int:
        if is_integer(self.min_resources):
            return int(self.min_resources)
        if self.resource != "n_samples":
            return 1
        classes = 1
        if is_classifier(self.estimator):
            owner = type(self).__name__
            targets = data.targets() if isinstance(data, StreamData) else [data.y]
            labels = [read_labels(y, owner=owner)[0] for y in targets]
            classes = len(np.unique(np.concatenate(labels)))
        return n_splits * _ROWS_PER_SPLIT * classes

    def _most(self, data: Data | StreamData) -> int:
        if self.max_resources != "auto":
            return int(self.max_resources)
        if self.resource != "n_samples":
            raise InvalidParameterError(
                f"{type(self).__name__}: resource can only be 'n_samples' when "
                f"max_resources='auto'; say how much of {self.resource!r} there may be."
            )
        return data.n_rows

    def _run_search(self, evaluate_candidates: Evaluation) -> None:
        settings = self._settings()
        if self.resource != "n_samples" and any(self.resource in each for each in settings):
            raise InvalidParameterError(
                f"{type(self).__name__}: Cannot use parameter {self.resource} as the resource "
                "since it is part of the searched parameters."
            )
        self._plan(len(settings))
        self.n_resources_: list[int] = []
        self.n_candidates_: list[int] = []
        for number in range(self.n_iterations_):
            resources = self._resources(number)
            self.n_resources_.append(resources)
            self.n_candidates_.append(len(settings))
            settings = self._round(evaluate_candidates, number, resources, settings)
        self.n_remaining_candidates_ = len(settings)

    def _plan(self, count: int) -> None:
        """How many rounds there are."""
        required = 1 + floor(log(count, self.factor)) if count else 1
        if self.min_resources == "exhaust":
            spare = self.max_resources_ // self.factor ** (required - 1)
            self.min_resources_ = max(self.min_resources_, int(spare))
        possible = 1 + floor(log(self.max_resources_ // self.min_resources_, self.factor))
        self.n_required_iterations_, self.n_possible_iterations_ = required, possible
        self.n_iterations_ = required if self.aggressive_elimination else min(possible, required)

    def _resources(self, number: int) -> int:
        power = number
        if self.aggressive_elimination:  # the first rounds have the least, and drop settings
            power = max(0, number - self.n_required_iterations_ + self.n_possible_iterations_)
        return min(int(self.factor**power * self.min_resources_), self.max_resources_)

    def _round(
        self,
        evaluate_candidates: Evaluation,
        number: int,
        resources: int,
        settings: list[dict[str, Any]],
    ) -> list[dict[str, Any]]:
        """Evaluate settings with these resources; the better ones come last."""
        cv = None
        if self.resource == "n_samples":
            share = resources / evaluate_candidates.task.data.n_rows
            cv = PartOfRows(evaluate_candidates.splitter, share, self.random_state)
        else:
            settings = [each | {self.resource: resources} for each in settings]
        count = len(settings)
        more = {"iter": [number] * count, "n_resources": [resources] * count}
        results = evaluate_candidates(settings, cv, more_results=more)
        keep = ceil(count / self.factor)
        means = np.asarray(results["mean_test_score"])[-count:]
        worst_first = np.roll(np.argsort(means), int(np.isnan(means).sum()))  # NaN is the worst
        left = [settings[k] for k in worst_first[-keep:]]
        if self.resource == "n_samples":
            return left
        return [{k: v for k, v in each.items() if k != self.resource} for each in left]

    def _finalists(self, results: Any) -> Any:
        return np.flatnonzero(results["iter"] == np.max(results["iter"]))


def _is_constant(splitter: Any) -> bool:
    """Whether a splitter splits the same way each time."""
    seeded = is_integer(getattr(splitter, "random_state", 0))
    return seeded or not getattr(splitter, "shuffle", True)
