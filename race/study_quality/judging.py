"""Scores of rows that nobody saw, and whether differences are more than noise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from race.study_quality.catalogue import Asked, Rows

_SHARE = 0.2  # of the rows, set apart
_DRAWS = 300
_ERRORS = 2.0  # standard errors of a difference that are noise


@dataclass
class Entry:
    """What one contender got: a score (the greater the better), the seconds, remarks."""

    score: float = float("nan")
    seconds: float = 0.0
    noise: float = float("nan")  # standard error of its difference to the first
    said: dict[str, Any] = field(default_factory=dict)
    failure: str = ""


@dataclass
class Bout:
    """One table: every contender and the baseline."""

    name: str
    traits: str
    metric: str
    rows: int
    columns: int
    entries: dict[str, Entry]
    baseline: float
    null: bool
    clear_signal: bool = False  # whether the best is better than the baseline beyond noise
    study_helps: bool | None = None  # whether the study's model is; None within noise
    below: bool = False  # whether it is worse than the baseline beyond noise

    @property
    def first_or_within(self) -> bool:
        """Whether the study's score is the best, or within noise of the best."""
        mine = self.entries["study"]
        known = [e.score for e in self.entries.values() if np.isfinite(e.score)]
        if not np.isfinite(mine.score) or not known:
            return False
        gap = max(known) - mine.score
        return bool(gap <= _ERRORS * mine.noise or gap <= 0)

    @property
    def wrong_verdict(self) -> str:
        """What the study said wrongly of its model; empty if nothing."""
        said = self.entries["study"].said.get("verdict")
        if said is None:
            return "no answer"
        if self.null:
            return "" if said == "hardly" else f"said {said}, there is nothing to learn"
        if said in ("yes", "too good") and self.below:
            return f"said {said}, it is worse than the baseline"
        if said in ("hardly", "not answered") and self.clear_signal:
            return f"said {said}, others learn"
        return ""


def set_apart(frame: Rows, asked: Asked) -> tuple[Rows, Rows]:
    """Rows to learn from and rows to be asked about: later ones, other groups, or any."""
    n_rows = len(frame)
    if asked.split == "time":
        first = n_rows - round(_SHARE * n_rows)
        return frame.iloc[:first], frame.iloc[first:].reset_index(drop=True)
    draw = np.random.default_rng(17)
    if asked.split == "group":
        names = frame[asked.by].unique()
        chosen = set(draw.permutation(names)[: round(_SHARE * len(names))].tolist())
        held = frame[asked.by].isin(chosen).to_numpy()
    else:
        held = np.zeros(n_rows, dtype=bool)
        held[draw.permutation(n_rows)[: round(_SHARE * n_rows)]] = True
    train, test = frame[~held], frame[held]
    return train.reset_index(drop=True), test.reset_index(drop=True)


def score(metric: str, y: NDArray[Any], given: NDArray[Any]) -> float:
    """The greater the better: an error is negative."""
    if metric == "rmse":
        return -float(np.sqrt(np.mean((y - given) ** 2)))
    if metric == "accuracy":
        return float(np.mean(given.argmax(axis=1) == y))
    return _area(y, given[:, 1])


def _area(y: NDArray[Any], p: NDArray[Any]) -> float:
    """The area under the ROC curve by ranks, ties counted half."""
    _, places, counts = np.unique(p, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[places]
    ones = int(y.sum())
    others = len(y) - ones
    if not ones or not others:
        return float("nan")
    return float((ranks[y == 1].sum() - ones * (ones + 1) / 2) / (ones * others))


def noise_of(
    metric: str, y: NDArray[Any], first: NDArray[Any], second: NDArray[Any], units: NDArray[Any]
) -> float:
    """The standard error of a difference of scores, by drawing units of rows again."""
    draw = np.random.default_rng(5)
    order = np.argsort(units, kind="stable")
    starts = np.flatnonzero(np.diff(units[order], prepend=units[order][0] - 1))
    blocks = np.split(order, starts[1:])
    found = []
    for _ in range(_DRAWS if len(y) < 20_000 else 60):
        rows = np.concatenate([blocks[k] for k in draw.integers(0, len(blocks), len(blocks))])
        found.append(score(metric, y[rows], first[rows]) - score(metric, y[rows], second[rows]))
    return float(np.nanstd(found))


def units_of(test: Rows, asked: Asked) -> NDArray[Any]:
    """Which rows go together: those of a group, those of a stretch of time, or none."""
    if asked.by:
        return np.asarray(np.unique(test[asked.by].astype(str), return_inverse=True)[1])
    rows = np.arange(len(test))
    if asked.split == "time":
        stretches = max(min(len(rows), 8), min(round(len(rows) ** 0.5), 200))
        return np.asarray(rows * stretches // len(rows))
    return rows if len(rows) < 20_000 else rows % 5000


def baseline_answers(metric: str, y: NDArray[Any], n_rows: int) -> NDArray[Any]:
    """What ignores all columns says: the mean, or how common classes are."""
    if metric == "rmse":
        return np.full(n_rows, y.mean())
    return np.tile(np.bincount(y.astype(int)) / len(y), (n_rows, 1))
