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
from stylobate.preprocessing.table.text import TextMemory
from stylobate.study.results import Task

_MOST_BYTES = 1_500_000_000  # of encoded folds kept in memory
_OPTIONS: dict[str, dict[str, Any]] = {
    "scaled": {"scale": True, "text": "svd"},
    "words": {"scale": True, "text": "tfidf"},
    "plain": {"text": "svd"},
    "codes": {"categories": "codes", "text": "svd"},
    "ordinal": {"categories": "codes", "text": "svd"},
}
_TARGETS: dict[Task, str] = {
    "regression": "continuous",
    "binary": "binary",
    "multiclass": "multiclass",
}


def make_encoder(encoding: Encoding, kinds: Any, task: Task) -> TableEncoder | None:
    """The encoder of a kind of design; None where models take the table as it is.

    It gives arrays whatever it is given, so that models learn and predict from the same.
    """
    if encoding == "table":
        return None
    made = TableEncoder(kinds=kinds, many="both", target_type=_TARGETS[task], **_OPTIONS[encoding])
    return made.set_output(transform="default")


def as_design(x: Any) -> Any:
    """What an encoder gives as an array, dense or sparse by rows."""
    return x.tocsr() if hasattr(x, "tocsr") else np.asarray(x)


def _below(first: Any, second: Any) -> Any:
    if not hasattr(first, "tocsr"):
        return np.concatenate([first, second])
    from scipy.sparse import csr_array, vstack

    return csr_array(vstack([first, second], format="csr"))


def _size(x: Any) -> int:
    """Bytes of a design."""
    return int(getattr(getattr(x, "data", x), "nbytes", 0))


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
    task : {"binary", "multiclass", "regression"}
        What the targets are.
    """

    def __init__(
        self,
        table: ColumnTable,
        schema: Schema,
        y: NDArray[Any],
        folds: list[tuple[NDArray[np.intp], NDArray[np.intp]]],
        task: Task,
    ) -> None:
        self.task = task
        self.table, self.schema, self.y, self.folds = table, schema, y, folds
        self._kept: dict[tuple[str, int], EncodedFold] = {}
        self._bytes = 0
        self._due: dict[tuple[str, int], float] = {}
        self._texts: dict[int, TextMemory] = {}

    def fold(self, encoding: Encoding, number: int) -> EncodedFold:
        """One fold in one encoding."""
        if encoding == "ordinal":  # the same numbers, of which less is told
            return replace(self.fold("codes", number), extra={})
        key = (encoding, number)
        if key not in self._kept:
            made = self._make(encoding, number)
            size = _size(made.x)
            if self._bytes + size > _MOST_BYTES:
                return made
            self._kept[key] = made
            self._bytes += size
        return self._kept[key]

    def blank(self, number: int) -> EncodedFold:
        """One fold with nothing to learn from but the targets."""
        train, test = self.folds[number]
        y = np.concatenate([self.y[train], self.y[test]])
        return EncodedFold(np.zeros((len(y), 1)), y, len(train), {})

    def release(self) -> None:
        """Let go of what is kept: nothing more will be fitted to folds."""
        self._kept.clear()
        self._texts.clear()
        self._bytes = 0

    def seconds_due(self, encoding: Encoding, number: int) -> float:
        """What encoding a fold took, since it was last asked: who comes first pays for all."""
        return self._due.pop(("codes" if encoding == "ordinal" else encoding, number), 0.0)

    def _make(self, encoding: Encoding, number: int) -> EncodedFold:
        train, test = self.folds[number]
        started = perf_counter()
        y = np.concatenate([self.y[train], self.y[test]])
        extra: dict[str, Any] = {}
        encoder = make_encoder(encoding, self.schema, self.task)
        if encoder is None:
            x: Any = self.table[np.concatenate([train, test])]
        else:
            # the words of a fold are the same in all encodings
            vars(encoder)["_texts"] = self._texts.setdefault(number, TextMemory())
            first = as_design(encoder.fit_transform(self.table[train], self.y[train]))
            x = _below(first, as_design(encoder.transform(self.table[test])))
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
