"""K-fold splits, and what ``cv=`` may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


class KFold:
    """K parts of nearly equal size, each once the test part.

    Parameters
    ----------
    n_splits : int >= 2, default=5
        Number of parts.
    shuffle : bool, default=False
        Whether to deal the rows out at random instead of in order.
    random_state : int, RandomState or None, default=None
        Seed, when shuffling.

    Examples
    --------
    >>> import numpy as np
    >>> [test.tolist() for train, test in KFold(3).split(np.zeros((7, 1)))]
    [[0, 1, 2], [3, 4], [5, 6]]
    """

    def __init__(
        self, n_splits: int = 5, *, shuffle: bool = False, random_state: Any = None
    ) -> None:
        if not _is_integer(n_splits) or n_splits < 2:
            raise InvalidParameterError(
                f"KFold: n_splits must be an integer of at least 2, got {n_splits!r}."
            )
        if random_state is not None and not shuffle:
            raise InvalidParameterError(
                "KFold: random_state has no effect without shuffle=True; set it, or leave "
                "random_state out."
            )
        self.n_splits = int(n_splits)
        self.shuffle = shuffle
        self.random_state = random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of the training and the test part of each split."""
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        if n < self.n_splits:
            raise InvalidParameterError(
                f"KFold: cannot make {self.n_splits} parts of {n} rows; n_splits may be at most "
                f"{n}."
            )
        order = np.arange(n)
        if self.shuffle:
            _generator(self.random_state).shuffle(order)
        sizes = np.full(self.n_splits, n // self.n_splits)
        sizes[: n % self.n_splits] += 1
        inside = np.zeros(n, dtype=bool)
        for part in np.split(order, np.cumsum(sizes)[:-1]):
            inside[:] = False
            inside[part] = True
            yield np.flatnonzero(~inside), np.flatnonzero(inside)

    def __repr__(self) -> str:
        return (
            f"KFold(n_splits={self.n_splits}, shuffle={self.shuffle}, "
            f"random_state={self.random_state})"
        )


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _generator(random_state: Any) -> np.random.RandomState:
    if isinstance(random_state, np.random.RandomState):
        return random_state
    return np.random.RandomState(random_state)  # the same folds as scikit-learn's for a seed


def splits_of(cv: Any, X: Any, y: Any = None) -> list[Split]:
    """The splits that ``cv`` stands for: a number of folds, a splitter, or pairs of row numbers.

    >>> len(splits_of(4, np.zeros((8, 1))))
    4
    """
    if _is_integer(cv):
        return list(KFold(int(cv)).split(X))
    if hasattr(cv, "split") and not isinstance(cv, str):
        return [(np.asarray(a), np.asarray(b)) for a, b in cv.split(X, y)]
    if isinstance(cv, Iterable) and not isinstance(cv, str):
        return [(np.asarray(a), np.asarray(b)) for a, b in cv]
    raise InvalidParameterError(
        f"cv must be a number of folds, a splitter with a split method, or an iterable of "
        f"(train, test) row numbers, got {cv!r}."
    )
