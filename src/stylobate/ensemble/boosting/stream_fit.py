"""Boosting of a stream: rows are known by their bins alone, in files where they are many.

Three passes: targets and categories; the rows from which the edges of the bins are found; the bins
of all rows, one byte a cell. The trees are then grown from the bins as from those of rows in
memory, and are the same to the last bit.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array
from stylobate.base.validation import remember_features
from stylobate.data import read_weights
from stylobate.data.streams import Stream, batch_from
from stylobate.ensemble.boosting.binning import SAMPLE, Binning, bins_of_codes, code_counts
from stylobate.ensemble.boosting.fitting import (
    Data,
    iterate,
    rows_set_aside,
    sets_aside,
    stops_early,
)
from stylobate.ensemble.boosting.objective import require_target
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.losses import Multinomial
from stylobate.tree.columns import CategoriesSeen

if TYPE_CHECKING:
    from stylobate.ensemble.boosting.model import HistGradientBoostingBase

KEPT_BYTES = 1 << 28  # of bins that stay in memory; more are spilled into temporary files
STATE_BYTES = 32  # of a row and an output: score, derivatives, and these as whole numbers


def boost_stream(model: HistGradientBoostingBase, stream: Stream) -> None:
    """Fit `model` to a stream that can be passed over again."""
    owner = type(model).__name__
    if not stream.repeatable:
        raise InvalidDataError(
            f"{owner}: {stream.name} can be read only once, and boosting needs three passes. Pass "
            "a file, a list, or a function that returns a new iterator each time."
        )
    target = _first_pass(model, stream)
    loss = model._loss_value()
    require_target(loss, target.y, owner)
    model.do_early_stopping_ = stops_early(model, len(target.y), None)
    held = rows_set_aside(model, target.y) if sets_aside(model) else None
    targets = [target] if held is None else [target.take(~held), target.take(held)]
    n_rows = len(target.y)
    del target  # of many rows no more than is needed is kept
    binning = _second_pass(model, stream, held, n_rows, targets[0].weights)
    binned = _third_pass(model, stream, binning, held, n_rows)
    outputs = len(model.classes_) if isinstance(loss, Multinomial) else 1
    folder = _folder(STATE_BYTES * n_rows * outputs, owner)
    data = [
        Data(None, part.y, part.weights, rows, folder)
        for part, rows in zip(targets, binned, strict=True)
    ]
    iterate(model, loss, data[0], data[1] if len(data) > 1 else None, binning)


# --- first pass: targets, weights, categories -----------------------------------------------------


@dataclass
class _Targets:
    """Targets as they come; labels are kept as numbers of the values seen."""

    values: dict[Any, int] = field(default_factory=dict)
    codes: list[NDArray[Any]] = field(default_factory=list)  # in as few bytes as hold them
    numbers: list[Array] = field(default_factory=list)

    def add(self, y: Any, *, labels: bool) -> None:
        if not labels:
            self.numbers.append(np.asarray(y, dtype=np.float64))
            return
        seen, places = np.unique(np.asarray(y), return_inverse=True)
        known = [self.values.setdefault(value, len(self.values)) for value in seen.tolist()]
        self.codes.append(np.array(known, np.min_scalar_type(len(self.values)))[places])

    def read(self, model: HistGradientBoostingBase) -> Array:
        """The target as the core knows it; labels are sorted by those that differ alone."""
        if self.numbers:
            numbers = np.concatenate(self.numbers)
            self.numbers.clear()
            return model._read_y(numbers, len(numbers), reset=True)
        values = np.array(list(self.values))
        places = model._read_y(values, len(values), reset=True)
        codes = np.concatenate(self.codes)
        self.codes.clear()
        of_rows: Array = places[codes]
        return of_rows


def _first_pass(model: HistGradientBoostingBase, stream: Stream) -> Data:
    from stylobate.base import is_classifier

    owner, labels = type(model).__name__, is_classifier(model)
    targets = _Targets()
    weights: list[Any] = []
    seen: CategoriesSeen | None = None
    rows, n_rows = stream, 0
    if stream.targets is not None:
        first = stream.head()
        if first is not None:
            seen = CategoriesSeen(owner, model.categorical_features)
            seen.add(first.x)
            rows = stream if seen.any else stream.without_features()
    for batch in rows:
        if not batch.n_rows:
            continue
        if batch.y is None:
            raise InvalidDataError(f"{owner}: name the target= to predict.")
        if rows is stream:
            seen = CategoriesSeen(owner, model.categorical_features) if seen is None else seen
            with batch_from(n_rows, stream.name):
                seen.add(batch.x)
        n_rows += batch.n_rows
        targets.add(batch.y, labels=labels)
        if batch.weights is not None:
            weights.append(read_weights(batch.weights, batch.n_rows, owner=owner))
    if seen is None:
        raise InvalidDataError(f"{owner}: {stream.name} has no rows to learn from.")
    _remember(model, seen)
    y = targets.read(model)
    known: Array | None = np.concatenate(weights) if weights else None
    return Data(None, y, model._row_weights(y, known))


def _remember(model: HistGradientBoostingBase, seen: CategoriesSeen) -> None:
    remember_features(model, seen.example)
    columns = seen.known()
    model._columns = columns
    named = columns.counts > 0
    model.is_categorical_ = named if named.any() else None


# --- second pass: the edges of the bins -----------------------------------------------------------


def _tables(model: HistGradientBoostingBase, stream: Stream) -> Any:
    """The number of the first row of each batch, and its rows as numbers and codes."""
    first = 0
    for batch in stream:
        if batch.n_rows:
            with batch_from(first, stream.name):
                table = model._features(batch.x, reset=False)
            yield first, table
            first += batch.n_rows


def _second_pass(
    model: HistGradientBoostingBase,
    stream: Stream,
    held: NDArray[np.bool_] | None,
    n_rows: int,
    weights: Array | None,
) -> Binning:
    """The bins, from a sample of the rows to learn from: all that are not held out."""
    count = n_rows if held is None else n_rows - int(held.sum())
    chosen = np.asarray(_core.rows_of_sample(count, SAMPLE, model._random_seed))
    wanted = chosen if held is None else np.flatnonzero(~held)[chosen]
    counts = model._columns.counts.tolist()
    many = [j for j, count in enumerate(counts) if count > model.max_bins]
    seen = {j: np.zeros(counts[j], dtype=np.intp) for j in many}
    sample: NDArray[Any] | None = None
    for first, table in _tables(model, stream):
        if sample is None:
            sample = np.empty((len(wanted), table.n_features), table.x.dtype)
        here = slice(*np.searchsorted(wanted, (first, first + table.n_rows)))
        sample[here] = table.x[wanted[here] - first]
        if many:
            learnt: Any = slice(None)
            if held is not None:
                learnt = ~held[first : first + table.n_rows]
            for j in many:
                seen[j] += code_counts(table.x[learnt, j], counts[j])
    assert sample is not None
    of_sample = None if weights is None else np.ascontiguousarray(weights[chosen])
    named = [count > 0 for count in counts]
    edges = _core.find_bin_edges(sample, of_sample, named, model.max_bins, SAMPLE, 0)
    codes = [seen.get(j, np.zeros(count, dtype=np.intp)) for j, count in enumerate(counts)]
    return Binning(tuple(edges), tuple(bins_of_codes(each, model.max_bins) for each in codes))


# --- third pass: bins -----------------------------------------------------------------------------


def _third_pass(
    model: HistGradientBoostingBase,
    stream: Stream,
    binning: Binning,
    held: NDArray[np.bool_] | None,
    n_rows: int,
) -> list[_core.BinnedRows]:
    """The bins of the rows to learn from, and of those held out."""
    folder = _folder(2 * n_rows * model.n_features_in_, type(model).__name__)
    if held is None:
        whole = binning.room(n_rows, folder)
        for first, table in _tables(model, stream):
            whole.fill(table.x, first)
        return [whole]
    second_count = int(held.sum())
    binned = [binning.room(count, folder) for count in (n_rows - second_count, second_count)]
    filled = [0, 0]
    for first, table in _tables(model, stream):
        second = held[first : first + table.n_rows]
        for k, mine in enumerate((~second, second)):
            binned[k].fill(table.x[mine], filled[k])
            filled[k] += int(mine.sum())
    return binned


def _folder(size: int, owner: str) -> str:
    """Where so many bytes are spilled to; nowhere if they are few."""
    if size <= KEPT_BYTES:
        return ""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError as error:
        raise UnsupportedDataError(
            f"{owner}: there is no folder for temporary files; set TMPDIR to one."
        ) from error
