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
class TimesOf:
    """Ours may take at most ``times`` as long as the contender ``of``, who need not answer."""

    of: str
    times: float

    def check(self, bout: Bout) -> Verdict:
        """Compare best times; see the class."""
        goal = f"≤ {self.times:g} x {self.of}"
        ours = bout.ours
        other = next((e for e in bout.entries if e.name == self.of and e.best), None)
        if ours is None or not ours.counts or ours.best is None:
            return Verdict(goal, "ours has no time that counts", False)
        if other is None or other.best is None:
            return Verdict(goal, "nobody to compare with", None)
        ratio = ours.best / other.best
        return Verdict(goal, f"reached {ratio:.2f}", ratio <= self.times)


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


@dataclass(frozen=True)
class AsGood:
    """None of our named scores is worse than a package's, beyond the noise of the folds.

    The scores of both are of the same folds, so their differences d are paired. Ours is worse if
    the mean of d lies below −``least`` and below the corrected resampled t interval
    t₀.₉₇₅ √((1/k + 1/(k − 1)) var d) of k folds (Nadeau & Bengio 2003).

    Parameters
    ----------
    than : str
        The package.
    least : float, default=0.002
        Differences up to this do not matter.
    """

    than: str
    least: float = 0.002

    def check(self, bout: Bout) -> Verdict:
        """Compare name by name; see the class."""
        goal = f"each score as good as {self.than}'s"
        ours = bout.ours
        other = next((e for e in bout.entries if e.package == self.than and e.evidence), None)
        if ours is None or other is None or not ours.evidence:
            return Verdict(goal, "nobody to compare with", None)
        worse, names = [], sorted(set(ours.evidence) & set(other.evidence))
        for name in names:
            apart = [a - b for a, b in zip(ours.evidence[name], other.evidence[name], strict=True)]
            mean = sum(apart) / len(apart)
            if mean < -max(self.least, noise(apart)):
                worse.append(f"{name} by {-mean:.2g}")
        absent = sorted(set(other.evidence) - set(ours.evidence))
        worse += [f"{name} is missing" for name in absent]
        text = f"worse: {', '.join(worse)}" if worse else f"all {len(names)} are"
        return Verdict(goal, text, not worse)


def noise(apart: list[float]) -> float:
    """Half the width of the corrected resampled t interval of differences over k folds.

    >>> round(noise([0.01, -0.01, 0.02, 0.0, -0.02]), 4)
    0.0294
    """
    from math import sqrt
    from statistics import variance

    from scipy.stats import t

    k = len(apart)
    return float(t.ppf(0.975, k - 1) * sqrt((1 / k + 1 / (k - 1)) * variance(apart)))
