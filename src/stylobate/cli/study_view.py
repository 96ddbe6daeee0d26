"""The live view of a study: stages, progress, the leaderboard filling in."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from stylobate.cli.study_text import leaderboard_table
from stylobate.study.events import STAGES, Event, Stage
from stylobate.study.results import LeaderRow

_SPINNER = "dots"
_NARROW = 100  # characters a line, below which the bar is short
_LEADERS = 8  # lines of the leaderboard that matter more than the notes


class StudyView:
    """Shows events; in a terminal as a view that changes, elsewhere as a line for each stage.

    Parameters
    ----------
    title : str
        What is studied.
    console : rich Console, optional
        Where to; standard error by default, so that standard output holds the result alone.
    """

    def __init__(self, title: str, console: Console | None = None) -> None:
        self.title = title
        self.console = Console(stderr=True) if console is None else console
        self.started = perf_counter()
        self.stage: Stage | None = None
        self.seconds: dict[str, float] = {}
        self.notes: list[str] = []
        self.rows: tuple[LeaderRow, ...] = ()
        self.label = "score"
        self.event: Event | None = None
        self.spinner = Spinner(_SPINNER, style="cyan")
        self._since = self.started
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self.console.is_terminal and not self.console.is_dumb_terminal:
            self._live = Live(
                get_renderable=self.render, console=self.console, refresh_per_second=10,
                transient=True,
            )  # fmt: skip
            self._live.start()
        return self

    def __exit__(self, *reason: object) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, event: Event) -> None:
        """Take an event in."""
        if event.kind == "stage":
            self._begin(event)
        elif event.kind == "note":
            self.notes.append(event.text)
            if self._live is None:
                self._print(f"         {event.text}")
        elif event.kind == "leaderboard":
            self.rows = event.leaderboard
        elif event.kind == "progress":
            self.event = event

    def _begin(self, event: Event) -> None:
        now = perf_counter()
        if self.stage is not None:
            self.seconds[self.stage] = now - self._since
        self.stage, self._since, self.event = event.stage, now, event
        if self._live is None:
            self._print(f"{now - self.started:5.1f} s  {event.stage}: {event.text}")

    def _print(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def render(self) -> Group:
        """The view as it stands."""
        head = Text.assemble((self.title, "bold"), (f"   {self._elapsed()}", "dim"))
        foot = Text("Ctrl-C stops and keeps what is done.", style="dim")
        room = self.console.height - 3  # head, foot, and the line of the cursor
        stages = self._stages() if room >= len(STAGES) + 1 else self._now()
        room -= stages.row_count
        notes = self._noted(room - _LEADERS - 1)
        twice = len(self.rows) - len({row.title for row in self.rows})
        room -= len(notes) + 2 + 2 * twice  # an empty line, headings, and settings of such rows
        parts: list[Any] = [head, *notes, stages]
        if self.rows and room > 0:
            shown = self.rows if len(self.rows) <= room else self.rows[: room - 1]
            parts += [Text(), leaderboard_table(shown, self.label, self.console.width)]
            if len(shown) < len(self.rows):
                parts.append(Text(f"  … {len(self.rows) - len(shown)} more", style="dim"))
        return Group(*parts, foot)

    def _noted(self, room: int) -> list[Text]:
        """The notes, if there is room for all: of a view higher than the screen pieces stay."""
        lines = [
            line
            for note in self.notes
            for line in Text(f"  {note}", style="dim").wrap(self.console, self.console.width)
        ]
        return [*lines, Text()] if len(lines) + 1 <= room else []

    def _now(self) -> Table:
        """The current stage alone, where there is no room for all."""
        grid = Table.grid(padding=(0, 1))
        grid.add_row(self.spinner, Text(self.stage or "", style="bold cyan"), self._progress())
        return grid

    def _stages(self) -> Table:
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=2)
        grid.add_column(width=15)
        grid.add_column()
        for stage in STAGES:
            if stage == self.stage:
                grid.add_row(self.spinner, Text(stage, style="bold cyan"), self._progress())
            elif stage in self.seconds:
                took = Text(f"{self.seconds[stage]:.1f} s", style="dim")
                grid.add_row(Text("✓", style="green"), Text(stage), took)
            else:
                grid.add_row(Text("·", style="dim"), Text(stage, style="dim"), Text())
        return grid

    def _progress(self) -> Any:
        event = self.event
        if event is None:
            return Text()
        if not event.total:
            return Text(event.text, style="dim")
        line = Table.grid(padding=(0, 1))
        width = 10 if self.console.width < _NARROW else 28
        line.add_column(min_width=width, max_width=width)
        for text in (f"{event.done}/{event.total}", self._eta()):
            line.add_column(no_wrap=True, min_width=len(text))
        line.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        bar = ProgressBar(total=event.total, completed=event.done, width=width)
        line.add_row(bar, Text(f"{event.done}/{event.total}"), Text(self._eta(), style="dim"),
                     Text(event.text, style="dim"))  # fmt: skip
        return line

    def _eta(self) -> str:
        """About how long the stage will still take, by its pace and by the budget."""
        event = self.event
        if event is None or not event.done or not event.total:
            return ""
        pace = (perf_counter() - self._since) / event.done
        left = pace * (event.total - event.done)
        if event.seconds_left is not None:
            left = min(left, event.seconds_left)
        return f"about {left:.0f} s left" if left >= 1 else "about done"

    def _elapsed(self) -> str:
        seconds = int(perf_counter() - self.started)
        return f"{seconds // 60}:{seconds % 60:02d}"
