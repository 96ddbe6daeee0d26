"""What splitters share: their parameters, their seed, and how many rows there are."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning

Split = tuple[Indices, Indices]


class Splitter:
    """A way to split rows; subclasses write `_tests` or `split`.

    The contract is scikit-learn's: `split` gives pairs of row numbers, `get_n_splits` their count.
    """

    _by_groups = False  # whether the splits go by `groups`
    _groups_request: bool | str | None = True  # what routers pass as groups

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Number of splits."""
        return int(getattr(self, "n_splits"))  # noqa: B009 - set by the subclasses that have it

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Row numbers of the training and the test part of each split.

        Parameters
        ----------
        X : array-like of shape (n, …)
            The rows, of which only the number is looked at.
        y, groups : array-like of shape (n,), optional
            Classes and groups, for splitters that go by them.

        Returns
        -------
        iterator of (train, test)
            Pairs of arrays of row numbers.
        """
        self._tell_unused(groups)  # when asked for, not when the first split is taken
        return self._pairs(X, y, groups)

    def _pairs(self, X: Any, y: Any, groups: Any) -> Iterator[Split]:
        """The splits one after the other."""
        n = count_rows(X)
        inside, every = np.zeros(n, dtype=bool), np.arange(n)
        for test in self._tests(n, y, groups):
            if _is_run(test):
                yield np.concatenate([every[: test[0]], every[test[-1] + 1 :]]), test.copy()
                continue
            inside[:] = False
            inside[test] = True
            yield np.flatnonzero(~inside), np.flatnonzero(inside)

    def _tests(self, n: int, y: Any, groups: Any) -> Iterator[Indices]:
        """The rows of each test part."""
        raise NotImplementedError

    def _tell_unused(self, groups: Any) -> None:
        """Warn that groups are given to a splitter that does not look at them."""
        if groups is not None and not self._by_groups:
            warnings.warn(
                f"The groups parameter is ignored by {type(self).__name__}; GroupKFold, "
                "StratifiedGroupKFold, GroupShuffleSplit and LeaveOneGroupOut keep groups whole.",
                StylobateWarning,
                stacklevel=3,
            )

    def get_metadata_routing(self) -> Any:
        """scikit-learn's request object of this splitter; called by its routers."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        if self._by_groups:
            request.split.add_request(param="groups", alias=self._groups_request)
        return request

    def __repr__(self) -> str:
        names = sorted(inspect.signature(type(self).__init__).parameters)
        values = ", ".join(f"{n}={getattr(self, n)!r}" for n in names if hasattr(self, n))
        return f"{type(self).__name__}({values})"


class GroupSplitter(Splitter):
    """A splitter that keeps groups whole."""

    _by_groups = True

    def set_split_request(self, *, groups: bool | str | None = True) -> Self:
        """Say whether scikit-learn's meta-estimators pass groups to `split`, and under what name.

        Parameters
        ----------
        groups : bool, str or None, default=True
            True, False, None (refuse) or another name for them.

        Returns
        -------
        self
        """
        named = isinstance(groups, str) and groups.isidentifier()
        if not (groups is None or isinstance(groups, bool) or named):
            raise InvalidParameterError(
                f"{type(self).__name__}.set_split_request: groups must be True, False, None or "
                f"another name for them, got {groups!r}."
            )
        self._groups_request = groups
        return self


def _is_run(rows: NDArray[Any]) -> bool:
    """Whether row numbers (not a mask) are consecutive: then the others need no search."""
    if rows.dtype == bool or len(rows) == 0 or rows[-1] - rows[0] + 1 != len(rows):
        return False
    return bool((rows[1:] - rows[:-1] == 1).all())


class Folds(Splitter):
    """K parts, each once the test part."""

    def __init__(
        self, n_splits: int = 5, *, shuffle: bool = False, random_state: Any = None
    ) -> None:
        owner = type(self).__name__
        if not is_integer(n_splits) or n_splits < 2:
            raise InvalidParameterError(
                f"{owner}: n_splits must be an integer of at least 2, got {n_splits!r}."
            )
        if not isinstance(shuffle, bool):
            raise InvalidParameterError(f"{owner}: shuffle must be True or False, got {shuffle!r}.")
        if random_state is not None and not shuffle:
            raise InvalidParameterError(
                f"{owner}: random_state has no effect without shuffle=True; set it, or leave "
                "random_state out."
            )
        self.n_splits = int(n_splits)
        self.shuffle = shuffle
        self.random_state = random_state

    def _refuse_few(self, n: int, what: str = "rows") -> None:
        if n < self.n_splits:
            raise InvalidParameterError(
                f"{type(self).__name__}: cannot make {self.n_splits} parts of {n} {what}; "
                + (f"n_splits may be at most {n}." if n > 1 else "at least 2 are needed.")
            )


def is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def count_rows(X: Any) -> int:
    """The number of rows of whatever has rows."""
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape):
        return int(shape[0])
    if shape is None and hasattr(X, "__len__"):
        return len(X)
    what = type(X).__name__ + ("" if shape is None else " without dimensions")
    raise InvalidDataError(
        f"Cannot split a {what}: it has no number of rows. Pass a table with one row per sample."
    )


def generator(random_state: Any) -> np.random.RandomState:
    """NumPy's generator for a seed; the same draws as scikit-learn's."""
    if random_state is None:
        return np.random.mtrand._rand
    if isinstance(random_state, np.random.RandomState):
        return random_state
    if not is_integer(random_state):
        raise InvalidParameterError(
            f"random_state must be an integer, a numpy.random.RandomState or None, got "
            f"{random_state!r}."
        )
    return np.random.RandomState(random_state)
