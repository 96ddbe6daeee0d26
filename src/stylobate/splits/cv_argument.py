"""What ``cv=`` may be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stylobate.exceptions import InvalidParameterError
from stylobate.splits.given import GivenSplits
from stylobate.splits.kfold import KFold
from stylobate.splits.splitter import Split, is_integer
from stylobate.splits.strata import type_of_target
from stylobate.splits.stratified import StratifiedKFold


def check_cv(
    cv: Any = 5,
    y: Any = None,
    *,
    classifier: bool = False,
    shuffle: bool = False,
    random_state: Any = None,
) -> Any:
    """The splitter that ``cv`` stands for.

    Parameters
    ----------
    cv : int >= 2, splitter, iterable of (train, test) or None, default=5
        A number gives `StratifiedKFold` for a classifier whose y has classes, else `KFold`; None
        is 5; a splitter is itself.
    y : array-like of shape (n,), optional
        The target.
    classifier : bool, default=False
        Whether it is for a classifier.
    shuffle : bool, default=False
        Whether to shuffle, if cv is a number.
    random_state : int, RandomState or None, default=None
        Seed, when shuffling.

    Returns
    -------
    splitter
        With `split` and `get_n_splits`.

    Examples
    --------
    >>> check_cv(3, [0, 1, 0, 1, 0, 1], classifier=True)
    StratifiedKFold(n_splits=3, random_state=None, shuffle=False)
    """
    cv = 5 if cv is None else cv
    if is_integer(cv):
        discrete = classifier and y is not None and type_of_target(y) in ("binary", "multiclass")
        kind = StratifiedKFold if discrete else KFold
        return kind(cv, shuffle=shuffle, random_state=random_state)
    if hasattr(cv, "split") and not isinstance(cv, str):
        return cv
    if isinstance(cv, Iterable) and not isinstance(cv, str):
        return GivenSplits(cv)
    raise InvalidParameterError(
        f"cv must be a number of folds, a splitter with a split method, or an iterable of "
        f"(train, test) row numbers, got {cv!r}."
    )


def splits_of(
    cv: Any, X: Any, y: Any = None, groups: Any = None, *, classifier: bool = False
) -> list[Split]:
    """The splits that ``cv`` stands for: a number of folds, a splitter, or pairs of row numbers.

    >>> import numpy as np
    >>> len(splits_of(4, np.zeros((8, 1))))
    4
    """
    splitter = check_cv(cv, y, classifier=classifier)
    return list(GivenSplits(splitter.split(X, y, groups)).split())
