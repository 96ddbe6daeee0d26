"""All of a study: its answers, the final model, what it takes to get them again."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal

from stylobate.study.results.explanation import Explanation
from stylobate.study.results.holdout import HoldoutAnswer
from stylobate.study.results.leaders import Choice, CurvePoints, FamilyTried, LeaderRow
from stylobate.study.results.question import Question
from stylobate.study.results.table import DataSummary, Reading, SplitPlan

Status = Literal["complete", "partial"]


@dataclass(frozen=True, slots=True)
class StudyWarning:
    """Something to mind: `topic` "leakage", "separability", "baseline", "time", "data", …"""

    topic: str
    text: str
    column: str | None = None
    severe: bool = False


@dataclass(frozen=True, slots=True)
class FinalModel:
    """The model refitted to all rows, the hold-out included.

    `certificate` and `solver` are what the fit says of itself; `diagnostics` its summary as text,
    `warnings` what it warned of; `file` where it is, next to the report.
    """

    rows: int
    seconds: float
    repr: str
    file: str | None
    certificate: dict[str, Any] | None
    certificate_words: str | None
    solver: str | None
    diagnostics: str | None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What it takes to get the same numbers again."""

    command: str
    seed: int
    threads: int
    fingerprint: str
    versions: dict[str, str]
    platform: str
    started: str  # ISO 8601, UTC


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds of one stage, and how many fits it made."""

    stage: str
    seconds: float
    fits: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG in the folder's ``pictures/``: its file name and what it shows."""

    file: str
    caption: str


@dataclass(frozen=True, slots=True)
class StudyResult:
    """All of a study.

    A partial study (stopped, or short of time) has every field up to where it came; what follows is
    None or empty, and `reason` says why.
    """

    status: Status
    reason: str
    question: Question
    data: DataSummary
    split: SplitPlan
    families: tuple[FamilyTried, ...] = ()
    leaderboard: tuple[LeaderRow, ...] = ()
    baseline: LeaderRow | None = None
    choice: Choice | None = None
    learning_curve: CurvePoints | None = None
    warnings: tuple[StudyWarning, ...] = ()
    holdout: HoldoutAnswer | None = None
    explanation: Explanation | None = None
    model: FinalModel | None = None
    reproduction: Reproduction | None = None
    timings: tuple[Timing, ...] = ()
    pictures: tuple[Picture, ...] = ()
    reading: Reading | None = None  # of a table larger than the memory allowed

    @property
    def leader(self) -> LeaderRow | None:
        """The best row of the leaderboard."""
        return self.leaderboard[0] if self.leaderboard else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON (strictly: no NaN, no infinities)."""
        from stylobate.report.plain_values import plain

        return {each.name: plain(getattr(self, each.name)) for each in fields(self)}
