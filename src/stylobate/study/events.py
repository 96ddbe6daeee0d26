"""What a study tells while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from stylobate.study.results import LeaderRow

Stage = Literal[
    "reading",
    "exploring",
    "first look",
    "tuning",
    "learning curve",
    "tables",
    "hold-out",
    "refitting",
    "explaining",
    "writing",
]
STAGES: tuple[Stage, ...] = (
    "reading",
    "exploring",
    "first look",
    "tuning",
    "learning curve",
    "tables",
    "hold-out",
    "refitting",
    "explaining",
    "writing",
)


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a study.

    Attributes
    ----------
    kind : {"stage", "progress", "leaderboard", "note", "done"}
        A stage begins; so much of it is done; the leaderboard changed; a sentence; the end.
    stage : str
        The stage it belongs to.
    text : str
        For people: what is being done, or the sentence.
    done, total : int
        Steps of the stage; total 0 where their number is unknown.
    seconds_left : float or None
        Of the search, from the recorded times.
    leaderboard : tuple of LeaderRow
        As it stands, the best first (with "leaderboard" events).
    """

    kind: Literal["stage", "progress", "leaderboard", "note", "done"]
    stage: Stage
    text: str = ""
    done: int = 0
    total: int = 0
    seconds_left: float | None = None
    leaderboard: tuple[LeaderRow, ...] = ()


Listener = Callable[[Event], None]
