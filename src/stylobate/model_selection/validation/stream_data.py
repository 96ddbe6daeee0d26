"""Rows of a stream as cross-validation takes them, and the parts that its splits are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from stylobate.arrays import Indices, Mask
from stylobate.base import BaseEstimator
from stylobate.base.routing import routing_enabled
from stylobate.data.streams import Stream, is_stream, open_rows
from stylobate.data.streams.collection import collect
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.model_selection.validation.data import Data
from stylobate.splits.hashed import HashKFold, hashed_folds, hashed_share

_CHUNK = 1 << 20  # rows whose hashes are counted at once


@dataclass(frozen=True)
class StreamPart:
    """The rows of a stream that one side of a split is, told by their numbers.

    Parameters
    ----------
    folds : HashKFold
    fold : int
        The split.
    training : bool
        Whether these are the training rows.
    n_rows : int
        Of the whole stream.
    share : float
        How much of the part is meant, drawn by another hash of the row's number.
    seed : int
        Of that hash.
    stop : int, optional
        The number of the first row that is too late to belong to the part.
    """

    folds: HashKFold
    fold: int
    training: bool
    n_rows: int
    share: float = 1.0
    seed: int = 0
    stop: int | None = None

    dtype = np.dtype(np.intp)  # rows are counted one by one, as numbers are, not as a mask

    def __call__(self, first: int, count: int) -> Mask:
        """Which of some consecutive rows belong to the part, as `Stream.where` asks for it."""
        inside = self.folds.folds_of(first, count) == self.fold
        mask = np.asarray((inside != self.training) & self.drawn(first, count))
        if self.stop is not None:
            mask[max(self.stop - first, 0) :] = False
        return mask

    def drawn(self, first: int, count: int) -> Mask:
        """Which of some consecutive rows belong to the share that is meant."""
        return hashed_share(first, count, self.seed, self.share)

    def __len__(self) -> int:
        starts = range(0, self.n_rows, _CHUNK)
        return sum(int(self(k, min(_CHUNK, self.n_rows - k)).sum()) for k in starts)

    def first_rows(self, sizes: Sequence[int]) -> list[StreamPart]:
        """The first so many rows of the part, for each of some increasing numbers of them."""
        stops: list[int] = []
        seen = 0
        for start in range(0, self.n_rows, _CHUNK):
            rows = np.flatnonzero(self(start, min(_CHUNK, self.n_rows - start)))
            while len(stops) < len(sizes) and sizes[len(stops)] <= seen + len(rows):
                stops.append(start + int(rows[sizes[len(stops)] - seen - 1]) + 1)
            seen += len(rows)
        stops += [self.n_rows] * (len(sizes) - len(stops))  # a part with fewer rows
        return [replace(self, stop=stop) for stop in stops]


StreamSplit = tuple[StreamPart, StreamPart]


@dataclass(frozen=True)
class StreamData:
    """Rows that are passed over: what `Data` is for rows in memory."""

    stream: Stream
    owner: str
    params: dict[str, Any] = field(default_factory=dict)
    x: Any = None
    y: Any = None
    groups: Any = None

    @property
    def n_rows(self) -> int:
        """How many rows there are; where nobody has said so, one pass counts them."""
        return self.stream.count()

    def splitter(self, cv: Any, estimator: Any) -> HashKFold:
        """The folds that ``cv`` stands for: a number of them, or the splitter itself."""
        folds: HashKFold = self.stream.by_entity(hashed_folds(cv, self.owner))
        return folds

    def splits(self, cv: Any) -> list[StreamSplit]:
        """The parts of each split; refuses a fold without rows."""
        folds, share, seed = cv, 1.0, 0
        if not isinstance(cv, HashKFold):  # a share of the rows of another's splits
            folds, share, seed = cv.splitter, cv.share, cv.seed
        n = self.n_rows
        found = [
            (
                StreamPart(folds, k, True, n, share, seed),
                StreamPart(folds, k, False, n, share, seed),
            )
            for k in range(folds.n_splits)
        ]
        empty = next((k for k, (_, test) in enumerate(found) if n < _CHUNK and not len(test)), None)
        if empty is not None:
            raise InvalidParameterError(
                f"{self.owner}: of {n} rows none falls into part {empty} of {folds.n_splits}; use "
                "fewer folds."
            )
        return found

    def rows_of(self, part: StreamPart) -> Stream:
        """The stream of a part's rows."""
        return self.stream.where(part)

    def targets(self) -> Iterator[Any]:
        """The targets, batch by batch."""
        return (batch.y for batch in self.stream.without_features())


def rows_to_validate(
    owner: str, estimator: Any, X: Any, y: Any, groups: Any, params: Any, roles: Sequence[Any]
) -> Data | StreamData:
    """What cross-validation was given: rows in memory, or a stream where the estimator takes one.

    Parameters
    ----------
    estimator : estimator, or list of estimators that all have to take it
    roles : (target, features, weight)
        Names of columns, as of `fit`.
    """
    if groups is not None and routing_enabled():
        raise InvalidParameterError(
            f"{owner}: `groups` can only be passed if metadata routing is not enabled; with it, "
            "give params={'groups': …} and let the splitter ask for them by set_split_request."
        )
    if all(each is None for each in roles) and not is_stream(X):
        return Data.of(X, y, groups, params)
    target, features, weight = roles
    if target is not None and y is not None:
        raise InvalidParameterError(
            f"{owner}: y and target={target!r} both say what to predict; give one of them."
        )
    rows = open_rows(X, owner, target=target, features=features, weight=weight)
    if rows.memory is not None:
        batch = rows.memory
        return Data.of(batch.x, batch.y if y is None else y, groups, _weighted(batch, params))
    if any(each is not None for each in (y, groups)) or params:
        raise InvalidParameterError(
            f"{owner}: rows that are read on request bring target and weights along: name their "
            "columns by target= and weight=; groups and other arguments of fit need rows in memory."
        )
    several = estimator if isinstance(estimator, list) else [estimator]
    needy = [each for each in several if not learns_from(each, rows.stream)]
    return collected_data(rows.stream, owner, needy[0]) if needy else StreamData(rows.stream, owner)


def collected_data(stream: Stream, owner: str, estimator: Any) -> Data:
    """The rows of a stream in memory, for an estimator that needs them; folds go by numbers."""
    batch = collect(stream, f"{owner} of {type(estimator).__name__}", "all rows")
    found = Data.of(batch.x, batch.y, None, _weighted(batch, None))
    return Data(found.x, found.y, None, found.params, of_stream=True)


def takes_streams(estimator: Any) -> bool:
    """Whether an estimator learns from passes over rows."""
    return isinstance(estimator, BaseEstimator) and not estimator._needs_rows


def learns_from(estimator: Any, stream: Stream) -> bool:
    """Whether an estimator learns from these rows as they are, from passes or from its shares."""
    shares = not stream.here and getattr(estimator, "_learns_in_shares", False)
    return takes_streams(estimator) or (isinstance(estimator, BaseEstimator) and shares)


def _weighted(batch: Any, params: Any) -> dict[str, Any]:
    given = dict(params or {})
    if batch.weights is not None:
        given["sample_weight"] = batch.weights
    return given


def fold_numbers(splits: Sequence[StreamSplit]) -> Any:
    """The fold of each of some consecutive rows, −1 for those that are not meant."""
    part = splits[0][1]

    def numbers(first: int, count: int) -> Indices:
        return np.where(part.drawn(first, count), part.folds.folds_of(first, count), -1)

    return numbers


def refuse_store(store: Any, owner: str) -> None:
    """Refuse to keep fits to a stream: its rows are not looked at often enough to know them."""
    if store is not None:
        raise InvalidParameterError(
            f"{owner}: store keeps fits to rows in memory; leave it out for rows that are read in "
            "batches."
        )


def refuse_few(data: StreamData) -> None:
    """Refuse a stream of less than two rows."""
    if data.n_rows < 2:
        raise InvalidDataError(
            f"{data.owner}: n_samples={data.n_rows} is too few to cross-validate; "
            f"{data.stream.name} needs at least as many rows as there are splits."
        )
