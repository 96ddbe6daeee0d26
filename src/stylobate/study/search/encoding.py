"""Tables as models want them: encoded once for each fold and shared by all of its models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.study_role import Encoding
from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema
from stylobate.preprocessing import TableEncoder

_MOST_BYTES = 1_500_000_000  # of encoded folds kept in memory
_OPTIONS: dict[str, dict[str, Any]] = {
    "scaled": {"scale": True},
    "plain": {},
    "codes": {"categories": "codes"},
    "ordinal": {"categories": "codes"},
}


def make_encoder(encoding: Encoding, kinds: Any) -> TableEncoder | None:
    """The encoder of a kind of design; None where models take the table as it is.

    It gives arrays whatever it is given, so that models learn and predict from the same.
    """
    if encoding == "table":
        return None
    return TableEncoder(kinds=kinds, **_OPTIONS[encoding]).set_output(transform="default")


@dataclass(frozen=True, eq=False)
class EncodedFold:
    """A fold's rows, training part first: ``x[:n_train]`` and the rest.

    `extra` is what a model may be told of the columns.
    """

    x: Any
    y: NDArray[Any]
    n_train: int
    extra: dict[str, Any]

    @property
    def split(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Numbers of the training and of the test rows."""
        n_rows = len(self.y)
        return np.arange(self.n_train), np.arange(self.n_train, n_rows)


class FoldEncodings:
    """The folds of the training rows in every encoding asked for.

    Each encoder is fitted to the training part of its fold alone. The kinds of the columns are
    those of all training rows: they say how to read a column, and know nothing of the target.

    Parameters
    ----------
    table : ColumnTable
        Features of the training rows.
    schema : Schema
        What they are.
    y : array
        Their targets.
    folds : list of (train, test)
    """

    def __init__(
        self,
        table: ColumnTable,
        schema: Schema,
        y: NDArray[Any],
        folds: list[tuple[NDArray[np.intp], NDArray[np.intp]]],
    ) -> None:
        self.table, self.schema, self.y, self.folds = table, schema, y, folds
        self._kept: dict[tuple[str, int], EncodedFold] = {}
        self._bytes = 0
        self._due: dict[tuple[str, int], float] = {}

    def fold(self, encoding: Encoding, number: int) -> EncodedFold:
        """One fold in one encoding."""
        if encoding == "ordinal":  # the same numbers, of which less is told
            return replace(self.fold("codes", number), extra={})
        key = (encoding, number)
        if key not in self._kept:
            made = self._make(encoding, number)
            size = getattr(made.x, "nbytes", 0)
            if self._bytes + size > _MOST_BYTES:
                return made
            self._kept[key] = made
            self._bytes += size
        return self._kept[key]

    def release(self) -> None:
        """Let go of what is kept: nothing more will be fitted to folds."""
        self._kept.clear()
        self._bytes = 0

    def seconds_due(self, encoding: Encoding, number: int) -> float:
        """What encoding a fold took, since it was last asked: who comes first pays for all."""
        return self._due.pop(("codes" if encoding == "ordinal" else encoding, number), 0.0)

    def _make(self, encoding: Encoding, number: int) -> EncodedFold:
        train, test = self.folds[number]
        started = perf_counter()
        y = np.concatenate([self.y[train], self.y[test]])
        extra: dict[str, Any] = {}
        encoder = make_encoder(encoding, self.schema)
        if encoder is None:
            x: Any = self.table[np.concatenate([train, test])]
        else:
            first = np.asarray(encoder.fit_transform(self.table[train]))
            x = np.concatenate([first, np.asarray(encoder.transform(self.table[test]))])
            extra = extra_of(encoder, encoding)
        key = (encoding, number)
        self._due[key] = self._due.get(key, 0.0) + perf_counter() - started
        return EncodedFold(x, y, len(train), extra)


def extra_of(encoder: TableEncoder, encoding: Encoding) -> dict[str, Any]:
    """What models may be told of the encoded columns, by the names of their parameters."""
    if encoding != "codes":
        return {}
    places = np.flatnonzero(encoder.categorical_)
    return {"categorical_features": places.tolist() or None}
