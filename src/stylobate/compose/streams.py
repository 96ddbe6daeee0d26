"""A `ColumnTransformer` fitted to a stream: each transformer to the stream of its columns."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Self

from stylobate.base.batches import first_batch
from stylobate.base.composition.part_messages import speaking_of
from stylobate.base.composition.stacking import check_tables
from stylobate.base.composition.stream_fits import TrainingOutput, refuse_weights, train_part
from stylobate.base.delegation import tags_of
from stylobate.compose.assignment import Assignment, assigned, hinting_at_vectors

if TYPE_CHECKING:
    from stylobate.data.columns import Columns
    from stylobate.data.streams import Batch, Stream


class FitsColumnStreams:
    """Fits of streams, one transformer after the other, each by passes of its own."""

    if TYPE_CHECKING:
        transformers: Any
        remainder: Any
        transformer_weights: Any
        sparse_threshold: float
        sparse_output_: bool
        _check_transformers: Any
        _fresh: Any
        _found: Any
        _remember: Any
        _stack: Any
        _store: Any
        _working: Any

    def _fit_stream(self, stream: Stream) -> Self:
        self._train_on_stream(stream)
        return self

    def _train_on_stream(self, stream: Stream) -> TrainingOutput:
        """Fit every transformer; what they make of the rows they were fitted to, side by side."""
        owner = type(self).__name__
        self._check_transformers()
        refuse_weights(stream, owner)
        columns = self._columns(first_batch(stream, owner).x)
        plan = assigned(self.transformers, self.remainder, columns)
        working = [each for each in plan if each.works]
        self._remember(columns)
        self._plan = plan  # batches find their columns by it while the transformers are fitted
        fitted, outputs = [], []
        for number, each in enumerate(working):
            part = self._fresh(each)
            own = stream.map(partial(self._own_columns, number))

            def train(part: Any = part, own: Stream = own) -> TrainingOutput:
                return train_part(part, own)

            with speaking_of("transformer", each.name, part):
                outputs.append(hinting_at_vectors(train, each.columns) if each.vector else train())
            fitted.append(part)
        made = self._each(columns, outputs, 0)
        check_tables([(each.name, table) for each, table in zip(working, made, strict=True)])
        self._store(plan, fitted, made)
        self._settle_sparse(stream, outputs, made)
        return lambda x, first: self._stacked(x, outputs, first)

    def _is_measured(self, parts: list[Any]) -> bool:
        """Whether a pass has to tell if the result, of which some parts are sparse, stays so."""
        return self.sparse_threshold > 0 and any(
            getattr(part, "sparse_output", False)
            or getattr(part, "encode", None) == "onehot"
            or tags_of(part).text
            for part in parts
        )

    def _columns(self, x: Any) -> Columns:
        from stylobate.data.columns import read_columns

        return read_columns(x, owner=type(self).__name__)

    def _own_columns(self, number: int, x: Any) -> Any:
        """The columns of a transformer in a batch's features."""
        return self._own(self._columns(x), number)

    def _own(self, columns: Columns, number: int) -> Any:
        """The columns of a transformer in a batch, found by name where there are names."""
        each: Assignment = self._found(columns)[number]
        return columns.take(each.positions, vector=each.vector)

    def _each(self, columns: Columns, outputs: list[TrainingOutput], first: int) -> list[Any]:
        """What each transformer makes of its columns of a batch, times its weight."""
        from stylobate.data.stacking import times

        weights = self.transformer_weights or {}
        return [
            times(
                output(columns.take(each.positions, vector=each.vector), first),
                weights.get(each.name),
            )
            for each, output in zip(self._found(columns), outputs, strict=True)
        ]

    def _stacked(self, x: Any, outputs: list[TrainingOutput], first: int) -> Any:
        columns = self._columns(x)
        return self._stack(columns, self._each(columns, outputs, first))

    def _settle_sparse(
        self, stream: Stream, outputs: list[TrainingOutput], made: list[Any]
    ) -> None:
        """Whether the result stays sparse: of all rows, as in memory, by a pass that counts."""
        from stylobate.data.sparse import is_sparse
        from stylobate.data.stacking import stored_cells

        if not any(map(is_sparse, made)) or self.sparse_threshold == 0:
            return

        def counted(batch: Batch, first: int) -> tuple[int, int]:
            return stored_cells(self._each(self._columns(batch.x), outputs, first))

        found = stream.reduced(
            counted, lambda one, other: (one[0] + other[0], one[1] + other[1]), numbered=True
        )
        stored, cells = found or (0, 0)
        self.sparse_output_ = stored / max(cells, 1) < self.sparse_threshold
