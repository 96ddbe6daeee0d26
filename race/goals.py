"""Goals of a workload: what must be reached, and whether it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from race.results import Bout, Entry, Verdict, seconds_text


class Goal(Protocol):
    """A statement about a finished bout."""

    def check(self, bout: Bout) -> Verdict:
        """Say whether the bout meets the goal."""
        ...


@dataclass(frozen=True)
class Faster:
    """Ours must be at least ``times`` as fast as the fastest of a group.

    ``than`` is "peers" (everyone of that kind) or a package name (its fastest entry, whatever the
    solver). A group of which nobody finished within the limit gives a lower bound.
    """

    than: str
    times: float

    def check(self, bout: Bout) -> Verdict:
        """Compare best times; see the class."""
        group = [e for e in bout.entries if e.kind == "peer" and self.than in ("peers", e.package)]
        whom = "fastest peer" if self.than == "peers" else self.than
        goal = f"x {whom} ≥ {self.times:g}"
        absent = sorted({e.package for e in group if e.status == "missing"})
        caveat = f"; not installed: {', '.join(absent)}" if absent else ""
        ours = bout.ours
        if ours is None or not ours.counts or ours.best is None:
            return Verdict(goal, "ours has no time that counts", False)
        timed = [e for e in group if e.counts and e.best is not None]
        if timed:
            rival = min(timed, key=lambda e: e.best or 0.0)
            ratio = (rival.best or 0.0) / ours.best
            return Verdict(goal, f"reached {ratio:.2f} ({rival.name}){caveat}", ratio >= self.times)
        return _bound(goal, group, ours.best, self.times, caveat)


def _bound(goal: str, group: list[Entry], ours: float, times: float, caveat: str) -> Verdict:
    """Judge a group of which nobody finished: > limit seconds is known, no more."""
    late = [e for e in group if e.status == "over limit" and e.limit is not None]
    if not late:
        return Verdict(goal, f"nobody to compare with{caveat}", None)
    ratio = min(e.limit or 0.0 for e in late) / ours
    return Verdict(
        goal, f"reached more than {ratio:.2f} (nobody finished){caveat}", ratio >= times or None
    )


@dataclass(frozen=True)
class Within:
    """Ours may take at most ``seconds`` longer than the contender named ``of``."""

    of: str
    seconds: float

    def check(self, bout: Bout) -> Verdict:
        """Compare best times; see the class."""
        goal = f"≤ {self.of} + {seconds_text(self.seconds)}"
        ours = bout.ours
        other = next((e for e in bout.entries if e.name == self.of), None)
        if ours is None or not ours.counts or ours.best is None:
            return Verdict(goal, "ours has no time that counts", False)
        if other is None or not other.counts or other.best is None:
            return Verdict(goal, f"{self.of} has no time that counts", None)
        excess = ours.best - other.best
        sign = "+" if excess >= 0 else "-"
        return Verdict(
            goal, f"reached {self.of} {sign} {seconds_text(abs(excess))}", excess <= self.seconds
        )


@dataclass(frozen=True)
class Overhead:
    """What ours adds to the solver's own time is at most ``share`` of what a package adds.

    Parameters
    ----------
    share : float
        Of the package's overhead.
    than : str
        The package.
    alone : str
        The contender that is the solver alone.
    """

    share: float
    than: str
    alone: str

    def check(self, bout: Bout) -> Verdict:
        """Compare what is left after the solver's time; see the class."""
        goal = f"overhead ≤ {self.share:.0%} of {self.than}'s"
        ours = bout.ours
        peers = [e for e in bout.entries if e.package == self.than and e.counts and e.best]
        alone = next((e for e in bout.entries if e.name == self.alone and e.best), None)
        if ours is None or not ours.counts or ours.best is None:
            return Verdict(goal, "ours has no time that counts", False)
        if not peers or alone is None or alone.best is None:
            return Verdict(goal, "nobody to compare with", None)
        added = min(e.best or 0.0 for e in peers) - alone.best
        share = (ours.best - alone.best) / added if added > 0 else float("inf")
        return Verdict(goal, f"reached {share:.1%}", share <= self.share)
