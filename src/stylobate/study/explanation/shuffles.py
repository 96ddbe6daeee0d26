"""Which columns are shuffled to see what a model relies on, and how often, in the time there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from stylobate.data.column_table import ColumnTable
from stylobate.study.search.store import StudyStore

_REPEATS, _FEWEST_REPEATS = 5, 2
_FEWEST_COLUMNS, _MOST_COLUMNS = 8, 200
_FACT = "seconds of a prediction to be explained"


@dataclass(frozen=True, slots=True)
class Shuffles:
    """Columns to shuffle, the most telling first, and how often each."""

    columns: tuple[str, ...]
    repeats: int

    def words(self, n_columns: int) -> str:
        """How it was done, for a sentence.

        >>> Shuffles(("a", "b"), 5).words(2)
        'each column shuffled 5 times'
        """
        if len(self.columns) == n_columns:
            return f"each column shuffled {self.repeats} times"
        return (
            f"the {len(self.columns)} of {n_columns:,} columns that say most alone shuffled "
            f"{self.repeats} times"
        )


def affordable_shuffles(
    pipeline: Any,
    table: ColumnTable,
    strongest: Sequence[str],
    allowed: float,
    store: StudyStore,
) -> Shuffles:
    """As many columns and repeats as fit into some seconds, by what one prediction takes.

    Parameters
    ----------
    pipeline : fitted pipeline
    table : ColumnTable
        The rows that are explained.
    strongest : sequence of str
        Columns by what they say of the target alone, the strongest first.
    allowed : float
        Seconds.
    store : StudyStore
        Keeps what a prediction took, so that a study that goes on decides alike.
    """
    if _FACT not in store.facts:
        started = perf_counter()
        pipeline.predict(table)
        store.remember(_FACT, perf_counter() - started)
    price = max(float(store.facts[_FACT]), 1e-6)
    names = list(dict.fromkeys([*(n for n in strongest if n in table.columns), *table.columns]))
    repeats = _REPEATS
    while repeats > _FEWEST_REPEATS and price * repeats * len(names) > allowed:
        repeats -= 1
    most = max(int(allowed / (price * repeats)), _FEWEST_COLUMNS)
    kept = names[: min(most, _MOST_COLUMNS)]
    if len(kept) == len(names):
        return Shuffles(table.columns, repeats)
    return Shuffles(tuple(kept), repeats)
