"""What the locked rows said."""

from __future__ import annotations

from dataclasses import dataclass

from stylobate.study.results.conformity import Conformity
from stylobate.study.results.verdict import PairedDifference


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """A score on the hold-out with its 95 % interval."""

    name: str
    label: str
    value: float
    low: float | None
    high: float | None
    greater_is_better: bool = True


@dataclass(frozen=True, slots=True)
class HoldoutAnswer:
    """What the locked rows said, asked once.

    Attributes
    ----------
    rows : int
    scores : tuple of ScoreAnswer
        The study's metric first.
    baseline : tuple of ScoreAnswer
        Of the baseline on the same rows, the study's metric only.
    words : str
        How it compares with cross-validation and the baseline.
    confusion : tuple of tuple of int
        Rows of true classes, columns of predicted ones, in the order of `Question.classes`.
    roc : tuple of (false positive rate, true positive rate)
        Of two classes.
    calibration : tuple of (predicted, observed, rows)
        Of two classes with probabilities, in bins.
    points : tuple of (actual, predicted)
        Of numbers, at most 1000 rows.
    questions : int
        How often the hold-out has been asked so far.
    mechanism : str
        How it answered.
    against_baseline : PairedDifference or None
        The gain over the baseline on the same rows.
    conformity : Conformity or None
        Margins around predictions that hold new rows as often as they say; see
        `StudyResult.predict_interval` and `predict_sets`.
    """

    rows: int
    scores: tuple[ScoreAnswer, ...]
    baseline: tuple[ScoreAnswer, ...]
    words: str
    confusion: tuple[tuple[int, ...], ...] = ()
    roc: tuple[tuple[float, float], ...] = ()
    calibration: tuple[tuple[float, float, int], ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    questions: int = 1
    mechanism: str = "plain"
    against_baseline: PairedDifference | None = None
    conformity: Conformity | None = None
