"""What a study tells while it runs, and what each of its stages took."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from stylobate.study.events import Event, Listener, Stage
from stylobate.study.results import LeaderRow, Timing


@dataclass
class StudyProgress:
    """Events for a listener; `stage` is the current one, `left` the seconds for the search."""

    listener: Listener | None
    timings: list[Timing] = field(default_factory=list)
    stage: Stage = "reading"
    left: float | None = None
    _since: float | None = None

    def enter(self, stage: Stage, text: str) -> None:
        """Begin a stage."""
        now = perf_counter()
        if self._since is not None:
            self.timings.append(Timing(self.stage, now - self._since))
        self.stage, self._since = stage, now
        self.tell("stage", text)

    def so_far(self) -> tuple[Timing, ...]:
        """What each stage took, the current one up to now."""
        if self._since is None:
            return tuple(self.timings)
        return (*self.timings, Timing(self.stage, perf_counter() - self._since))

    def note(self, text: str) -> None:
        """Say a sentence."""
        self.tell("note", text)

    def tell(
        self,
        kind: Any,
        text: str = "",
        done: int = 0,
        total: int = 0,
        rows: tuple[LeaderRow, ...] = (),
    ) -> None:
        """Send an event of the current stage."""
        if self.listener is not None:
            self.listener(Event(kind, self.stage, text, done, total, self.left, rows))
