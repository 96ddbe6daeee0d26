"""The table as a study finds it, and how its rows are divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ColumnNote:
    """One column: its kind, gaps, and what became of it ("feature", "target", "left out", …)."""

    name: str
    kind: str
    missing: int
    distinct: int
    use: str
    reason: str


@dataclass(frozen=True, slots=True)
class FeatureStrength:
    """How much one column alone says about the target, from 0 to 1, with the measure's words."""

    name: str
    explains: float
    measure: str
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class TargetSummary:
    """The target: counts of classes (label, rows, share), or quantiles of numbers."""

    missing: int
    classes: tuple[tuple[str, int, float], ...] = ()
    mean: float | None = None
    deviation: float | None = None
    quantiles: tuple[float, ...] = ()  # minimum, quartiles, maximum
    words: str = ""


@dataclass(frozen=True, slots=True)
class DataSummary:
    """The table: its size, its columns, and what each column alone says about the target.

    `sample` holds a few training rows, of the target and the first columns that take part.
    """

    rows: int
    columns: tuple[ColumnNote, ...]
    target: TargetSummary
    strengths: tuple[FeatureStrength, ...]
    duplicate_rows: int
    notes: tuple[str, ...] = ()  # of reading and exploring
    sample: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """Which rows train, which validate, which are locked away.

    `how` and `why` are sentences; `kind` is "stratified", "shuffled", "grouped", "in time",
    "repeats together" or, of a sample of a larger table, "hashed". `noticed` says what ties the
    rows together, where the study found it by itself. `fold_rows` is how many rows of a fold the
    search learnt from at most, where there was no time for all.
    """

    kind: str
    training_rows: int
    holdout_rows: int
    folds: int
    seed: int
    how: str
    why: str
    noticed: str = ""
    fold_rows: int | None = None


@dataclass(frozen=True, slots=True)
class RandomSplit:
    """What rows drawn at random would have claimed of the chosen model.

    Where the baseline is chosen, of the best model besides it.

    Attributes
    ----------
    score : float
        Mean over folds of rows drawn at random.
    folds : int
        How many of them there was time for.
    fair : float
        The score by the split of the study, cross-validated.
    words : str
    """

    score: float
    folds: int
    fair: float
    words: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How a table larger than the memory allowed was read.

    Attributes
    ----------
    rows : int
        Of the table.
    sampled : int
        Of them in memory.
    passes, rows_read : int
        How often the table was passed over, and how many rows that gave together.
    bytes_read : int or None
        How many bytes of files that were, where they are files.
    fitted_rows : int
        Rows the final model was fitted to.
    holdout_rows : int
        Locked rows that were read to score the model.
    holdout_scores : dict of float
        Its scores on all of them, by the names of the scorers.
    words : tuple of str
        All this in sentences.
    """

    rows: int
    sampled: int
    passes: int
    rows_read: int
    bytes_read: int | None
    fitted_rows: int
    holdout_rows: int
    holdout_scores: dict[str, float]
    words: tuple[str, ...]
