"""Statistics of the folds of a stream: one pass over it, whatever is fitted from them then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from stylobate.base import clone
from stylobate.base.learning import LearnsFromStatistic, defined_below
from stylobate.config import get_config
from stylobate.data import Table
from stylobate.exceptions import StylobateError
from stylobate.model_selection.fits.fold_statistics import FoldStatistics
from stylobate.model_selection.fits.task import Outcome, Task
from stylobate.model_selection.validation.stream_data import (
    StreamData,
    StreamSplit,
    fold_numbers,
)
from stylobate.sources import StreamSource, source_of
from stylobate.sources.together import SeveralStatistics
from stylobate.statistics.parts import PartStatistics

_MANY = 1 << 40  # rows that a stream of unknown length is taken to have until it is read


class StreamFoldStatistics(FoldStatistics):
    """The statistics of the training and test parts of each split of a stream.

    Parameters
    ----------
    task : Task
    source : StreamSource
        The rows, through the estimator's door.
    splits : sequence of pairs of StreamPart
    recipe : Recipe
    """

    def __init__(
        self, task: Task, source: StreamSource, splits: Sequence[StreamSplit], recipe: Any
    ) -> None:
        self.source = source
        # weighted scores do not follow from the statistics, which score rows without weights
        self.sums_suffice = not task.weighted_scores or source.first.weights is None
        super().__init__(task, source.first, splits, None, recipe)  # type: ignore[arg-type]

    @classmethod
    def of_stream(
        cls, estimator: Any, task: Task, data: StreamData, splits: Sequence[StreamSplit]
    ) -> Self | None:
        """The statistics, or None where the estimator has to be fitted to each part."""
        if get_config()["cross_validation"] == "refit":
            return None
        if not isinstance(estimator, LearnsFromStatistic) or estimator._needs_rows:
            return None
        if defined_below(type(estimator), "fit", "_learn"):  # a subclass that does something else
            return None
        twin = clone(estimator)
        twin._check_parameters()
        source: Any = source_of(data.stream, twin._batch_reader(), type(estimator).__name__)
        recipe = twin._part_recipe(_of_length(source.first, data.stream.length or _MANY))
        if recipe is None:
            return None
        return cls(task, source, splits, recipe)

    def _collected(self, sizes: Any) -> tuple[Any, Any, Any]:
        splits: Any = self.splits
        numbers, count = fold_numbers(splits), len(splits)
        plain: list[Any] = [None] * count
        weighted = self.table.weights is not None

        recipe = _WithAndWithout(self.recipe) if weighted else self.recipe
        atoms: list[Any] = self.source.compute_numbered(recipe, numbers, count)
        if weighted:
            plain = [None if each is None else each.parts[1] for each in atoms]
            atoms = [None if each is None else each.parts[0] for each in atoms]
        trainings, tests = _divided(atoms)
        scored = trainings
        if weighted:
            scored, tests = _divided(plain)
        counts = [np.sum(atom.n_rows) for atom in atoms if atom is not None]  # of all classes
        self.table = _of_length(self.table, int(np.sum(counts)))
        return trainings, tests, scored

    def _score_rows(self, outcome: Outcome, model: Any, split: int, size: int) -> None:
        """Leave the fitted model to a pass that scores all of them."""
        outcome.estimator = model

    def _run_together(self, estimators: Sequence[Any]) -> list[Outcome | None] | None:
        alone = self.sums_suffice and self.task.predictions is None
        return super()._run_together(estimators) if alone else None

    def _score_sums(self, outcome: Outcome, model: Any, split: int, size: int) -> bool:
        if not self.sums_suffice or not super()._score_sums(outcome, model, split, size):
            return False
        if self.task.predictions is not None:  # which a later pass makes
            outcome.estimator = model
        return True


@dataclass(frozen=True, slots=True, eq=False)
class _WithAndWithout:
    """A recipe: a statistic with the weights of the rows, and without them, as scores ask for."""

    recipe: Any

    def of(self, table: Table) -> SeveralStatistics:
        """Both, of a table."""
        bare = replace(table, weights=None)
        return SeveralStatistics((self.recipe.of(table), self.recipe.of(bare)))


def _divided(atoms: Sequence[Any]) -> tuple[list[list[Any]], list[Any]]:
    """Statistics of all folds but one, and of that one, for each fold."""
    if any(atom is None for atom in atoms):
        raise StylobateError("a fold without rows")
    return PartStatistics.of_folds(atoms).growing()


def _of_length(table: Table, n_rows: int) -> Table:
    """A table of the same columns and so many rows of which nothing is held: their shape."""
    if table.is_sparse:
        from scipy.sparse import csc_array

        x: Any = csc_array((n_rows, table.n_features))
    else:
        x = np.broadcast_to(np.zeros(1), (n_rows, table.n_features))
    y = None if table.y is None else np.broadcast_to(np.zeros(1), (n_rows, table.y.shape[1]))
    return replace(table, x=x, y=y, weights=None, finite=True)
