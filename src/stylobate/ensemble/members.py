"""What ensembles of any estimators share: their members, their rows, their random streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, clone
from stylobate.base.delegation import takes_weights as takes_weights
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data.columns import Columns, read_columns
from stylobate.data.indexing import indexable, take_rows
from stylobate.data.sparse import is_sparse
from stylobate.data.table import Table

if TYPE_CHECKING:
    Stream = np.random.RandomState

LARGEST_SEED = np.iinfo(np.int32).max


def member(estimator: Any, stream: Stream) -> Any:
    """A clone whose ``random_state``, and those of all estimators inside it, are drawn.

    >>> from stylobate.base.randomness import stream_of
    >>> from stylobate.linear_model import SGDClassifier
    >>> member(SGDClassifier(), stream_of(0)).random_state
    209652396
    """
    twin = clone(estimator)
    names = (key for key in sorted(twin.get_params(deep=True)))
    seeds = {
        key: int(stream.randint(LARGEST_SEED))
        for key in names
        if key == "random_state" or key.endswith("__random_state")
    }
    if seeds:
        twin.set_params(**seeds)
    return twin


def read_rows(estimator: BaseEstimator, X: Any, *, reset: bool) -> Columns:
    """Rows in the container they came in, for members that look at them themselves.

    Names and the number of columns are remembered (`reset`) or compared.
    """
    if not reset:
        compare_frame_names(estimator, X)
    columns = read_columns(X, owner=type(estimator).__name__)
    shape = np.broadcast_to(np.float64(0), (columns.n_rows, columns.n_columns))  # no memory
    table = Table(shape, columns.names, owner=type(estimator).__name__)
    if reset:
        remember_features(estimator, table)
    else:
        compare_features(estimator, table)
    return columns


def part_of(columns: Columns, rows: NDArray[Any] | None, features: NDArray[np.intp] | None) -> Any:
    """Some rows and columns, in the same container; None is all of them."""
    chosen = columns.native if features is None else columns.take(features)
    if rows is None:
        return chosen
    taken = take_rows(indexable(chosen), rows)
    return taken.asformat(chosen.format) if is_sparse(chosen) else taken


def members_have(method: str) -> Any:
    """Whether the members (the one to be fitted, before) have a method."""
    return lambda self: hasattr(
        self.estimators_[0] if vars(self).get("estimators_") else self._inner(), method
    )
