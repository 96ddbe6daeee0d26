"""K folds, several times over with other shuffles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stylobate.exceptions import InvalidParameterError
from stylobate.splits.kfold import KFold
from stylobate.splits.splitter import Folds, Split, Splitter, generator, is_integer
from stylobate.splits.stratified import StratifiedKFold


class RepeatedFolds(Splitter):
    """Shuffled folds of one kind, drawn anew for each repetition."""

    _kind: type[Folds]

    def __init__(self, *, n_splits: int = 5, n_repeats: int = 10, random_state: Any = None) -> None:
        name = type(self).__name__
        if not is_integer(n_repeats) or n_repeats < 1:
            raise InvalidParameterError(
                f"{name}: n_repeats must be an integer of at least 1, got {n_repeats!r}."
            )
        if not is_integer(n_splits) or n_splits < 2:
            raise InvalidParameterError(
                f"{name}: n_splits must be an integer of at least 2, got {n_splits!r}."
            )
        self.n_splits = int(n_splits)
        self.n_repeats = int(n_repeats)
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits: folds times repetitions."""
        return self.n_splits * self.n_repeats

    def _pairs(self, X: Any, y: Any, groups: Any) -> Iterator[Split]:
        """Row numbers of the training and the test part of each split."""
        draw = generator(self.random_state)
        for _ in range(self.n_repeats):
            yield from self._kind(self.n_splits, shuffle=True, random_state=draw).split(X, y)


class RepeatedKFold(RepeatedFolds):
    """Shuffled K folds, several times over: the mean of more splits varies less.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of parts.
    n_repeats : int >= 1, default=10
        Number of repetitions.
    random_state : int, RandomState or None, default=None
        Seed.

    Examples
    --------
    >>> import numpy as np
    >>> splitter = RepeatedKFold(n_splits=2, n_repeats=3, random_state=0)
    >>> [len(test) for train, test in splitter.split(np.zeros((5, 1)))]
    [3, 2, 3, 2, 3, 2]
    """

    _kind = KFold


class RepeatedStratifiedKFold(RepeatedFolds):
    """Shuffled stratified K folds, several times over.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of parts.
    n_repeats : int >= 1, default=10
        Number of repetitions.
    random_state : int, RandomState or None, default=None
        Seed.

    Examples
    --------
    >>> import numpy as np
    >>> RepeatedStratifiedKFold(n_splits=2, n_repeats=2).get_n_splits()
    4
    """

    _kind = StratifiedKFold
