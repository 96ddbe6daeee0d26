"""What was tried, how the families compare, and which setting was chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal[
    "best", "within noise", "likely worse", "unstable", "worse", "failed", "not tested"
]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One family with one setting on all folds.

    Attributes
    ----------
    key : str
        Unique in the study, such as "ridge(alpha=1)".
    family : str
    params : dict
        The setting.
    scores : tuple of float
        One per fold, as shown; shorter than the folds if the study was stopped.
    mean, standard_error : float or None
        Of the scores; None while incomplete. The standard error is s/√K.
    seconds : float
        All fits and scores.
    status : {"done", "failed", "too slow", "stopped"}
    note : str
        Why it failed or was given up, and what the fits warned of.
    """

    key: str
    family: str
    params: dict[str, Any]
    scores: tuple[float, ...]
    mean: float | None
    standard_error: float | None
    seconds: float
    status: Literal["done", "failed", "too slow", "stopped"]
    note: str = ""


@dataclass(frozen=True, slots=True)
class FamilyTried:
    """A family of models and its settings; `best` is the key of its best one.

    `estimator` is the class with its module; `encoding` how the table was given to it;
    `status` "done", "cut short", "failed" or "left out", and `note` says why.
    """

    name: str
    title: str
    estimator: str
    simplicity: int
    encoding: str
    candidates: tuple[Candidate, ...]
    best: str | None
    status: Literal["done", "cut short", "failed", "left out"]
    note: str = ""


@dataclass(frozen=True, slots=True)
class LeaderRow:
    """A family's best setting on the leaderboard.

    Attributes
    ----------
    rank : int
        From 1; by mean score.
    key, family, title : str
    params : dict
    mean, low, high : float
        Score with its interval, corrected for overlapping training parts (Nadeau & Bengio).
    difference, difference_low, difference_high : float or None
        To the best one, as shown scores differ, with an interval adjusted as the p-value is; None
        for the best itself.
    p_value : float or None
        Paired test against the best, adjusted for the number of tests (Holm).
    verdict : {"best", "within noise", "likely worse", "unstable", "worse", "failed", "not tested"}
        "likely worse": tested by itself it would be, adjusted for the number of tests it is not.
    scores : tuple of float
        Of the folds.
    seconds : float
        All fits of this setting.
    simplicity : int
    is_baseline, is_chosen : bool
    """

    rank: int
    key: str
    family: str
    title: str
    params: dict[str, Any]
    mean: float
    low: float | None
    high: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    p_value: float | None
    verdict: Verdict
    scores: tuple[float, ...]
    seconds: float
    simplicity: int
    is_baseline: bool = False
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen setting and why; `within_noise` are the keys one standard error from the best."""

    key: str
    family: str
    title: str
    params: dict[str, Any]
    best_key: str
    within_noise: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CurvePoints:
    """Mean scores against the number of training rows; `words` says what more rows would bring."""

    sizes: tuple[int, ...]
    train: tuple[float, ...]
    train_deviation: tuple[float, ...]
    test: tuple[float, ...]
    test_deviation: tuple[float, ...]
    words: str
