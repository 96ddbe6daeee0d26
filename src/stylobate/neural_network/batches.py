"""Batches a network is trained on: of rows in memory in random order, or of a stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.classes import class_weights
from stylobate.data.streams import is_stream, open_rows
from stylobate.data.weights import read_weights
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network.layers.layer import Rows
from stylobate.neural_network.training_loss import TrainingLoss

if TYPE_CHECKING:
    from stylobate.neural_network.network import Network

FINGERPRINT_ROWS = 256
Examples = tuple[Rows, NDArray[Any], NDArray[np.float64] | None]  # x, y and weights


def read_examples(
    network: Network,
    loss: TrainingLoss,
    x: Any,
    y: Any,
    sample_weight: Any = None,
    class_weight: Any = None,
) -> Examples:
    """Rows, targets and weights of rows, checked; class weights are factors of the latter."""
    rows = network._rows(x)
    targets = loss.targets(y, len(rows))
    weights = read_weights(sample_weight, len(rows), owner="Network")
    if class_weight is None:
        return rows, targets, weights
    if not loss.classes:
        raise InvalidParameterError(
            "Network: class_weight needs classes: use loss='cross_entropy', or sample_weight."
        )
    factors = class_weights(
        class_weight, np.arange(loss.classes), targets, owner="Network", sample_weight=weights
    )[targets]
    return rows, targets, factors if weights is None else weights * factors


class RowBatches:
    """Rows in memory, in a new random order every epoch.

    Parameters
    ----------
    examples : tuple
        Rows, targets and weights (or None).
    batch : int in [1, inf)
        Rows in a batch; the last one of an epoch may have less.
    """

    def __init__(self, examples: Examples, batch: int) -> None:
        self.examples, self.batch = examples, batch
        size = (min(batch, len(examples[0])), examples[0].shape[1])
        self._rows = np.empty(size, dtype=examples[0].dtype)  # kept for all batches

    def fingerprint(self) -> str:
        """A hash of shapes, types and some hundred rows: tells other data at little cost."""
        n = len(self.examples[0])
        some = np.unique(np.linspace(0, n - 1, min(n, FINGERPRINT_ROWS)).astype(np.int64))
        found = sha256()
        for part in self.examples:
            if part is not None:
                found.update(f"{part.shape} {part.dtype.str};".encode())
                found.update(np.ascontiguousarray(part[some]).tobytes())
        return found.hexdigest()

    def epoch(self, draw: np.random.Generator) -> Iterator[Examples]:
        """The batches of one epoch; each is valid until the next."""
        x, y, weights = self.examples
        order = draw.permutation(len(x))
        for first in range(0, len(order), self.batch):
            rows = order[first : first + self.batch]
            some = np.take(x, rows, axis=0, out=self._rows[: len(rows)], mode="clip")
            yield some, y[rows], None if weights is None else weights[rows]


class StreamBatches:
    """Batches of a stream as they come, cut where they are longer than the method's.

    Parameters
    ----------
    network : Network
    loss : TrainingLoss
    source : iterable of (x, y) or (x, y, sample_weight), or rows that are read on request
        Anything that can be passed over again: a list, a function that returns an iterator, a
        file or relation with a `target`.
    batch : int in [1, inf)
    target : str or list of str, optional
        The column to predict, where rows have named columns.
    class_weight : mapping, optional
    """

    def __init__(
        self,
        network: Network,
        loss: TrainingLoss,
        source: Any,
        batch: int,
        target: Any = None,
        class_weight: Any = None,
    ) -> None:
        if class_weight is not None and not isinstance(class_weight, Mapping):
            raise InvalidParameterError(
                "Network: class_weight='balanced' needs all rows; of a stream of batches give a "
                "mapping from class number to weight."
            )
        given = source
        if target is None and _holds_batches(source):
            given = lambda: iter(source)  # noqa: E731
        found = open_rows(given, "Network", target=target)
        if found.stream is None and target is None:
            raise InvalidDataError(
                "Network: y is missing; give y, or batches: an iterable of (x, y) that can be "
                "passed over again."
            )
        self._whole, self._stream = found.memory, found.stream
        self.network, self.loss, self.batch = network, loss, batch
        self.class_weight = class_weight

    def fingerprint(self) -> str:
        """Nothing: a stream is not read before it is needed."""
        return ""

    def epoch(self, draw: np.random.Generator) -> Iterator[Examples]:
        """The batches of one pass over the stream."""
        none = True
        for number, given in enumerate([self._whole] if self._stream is None else self._stream):
            assert given is not None
            try:
                x, y, weights = read_examples(
                    self.network, self.loss, given.x, given.y, given.weights, self.class_weight
                )
            except InvalidDataError as error:
                said = str(error).removeprefix("Network: ")
                raise InvalidDataError(f"Network: batch {number}: {said}") from error
            none = False
            for first in range(0, len(x), self.batch):
                part = slice(first, first + self.batch)
                yield x[part], y[part], None if weights is None else weights[part]
        if none:
            raise InvalidDataError("Network: the stream of batches is empty; give at least one.")


def _holds_batches(source: Any) -> bool:
    """Lists of tuples, and things to iterate over again that are no tables, such as loaders."""
    if isinstance(source, list | tuple):
        return all(isinstance(batch, tuple) for batch in source)
    again = isinstance(source, Iterable) and not isinstance(source, Iterator | str | PathLike)
    return again and not hasattr(source, "shape") and not is_stream(source)
