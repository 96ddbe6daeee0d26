"""From what each criterion says to one number of clusters, and how sure it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Criterion = Literal["silhouette", "gap", "elbow", "stability"]
CRITERIA: tuple[Criterion, ...] = ("silhouette", "gap", "elbow", "stability")
Confidence = Literal["high", "moderate", "low"]

CLEAR = 3.0  # standard errors above chance that count, for the best of many numbers is looked at
_AGAINST_NULL = ("stability", "gap")  # they can say that there is one cluster only
_ORDER = ("stability", "silhouette", "gap", "elbow")  # who decides among equal votes
_NEARLY_ALL = 3  # of four criteria
_TITLES = {
    "silhouette": "the silhouette",
    "gap": "the gap statistic",
    "elbow": "the elbow",
    "stability": "stability under resampling",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A number of clusters.

    Attributes
    ----------
    n_clusters : int
    agreeing, asked : tuple of str
        The criteria that say so, and all that could.
    reason : str
        Why, in words.
    runner_up : int
        The most criteria that agree on another number.
    """

    n_clusters: int
    agreeing: tuple[str, ...]
    asked: tuple[str, ...]
    reason: str
    runner_up: int = 0

    @property
    def confidence(self) -> Confidence:
        """How many criteria agree.

        High if all of two or more do, or three of four; moderate if two do and no other number has
        as many; else low.
        """
        agreeing, others = len(self.agreeing), len(self.asked) - len(self.agreeing)
        if agreeing > 1 and (others == 0 or agreeing >= _NEARLY_ALL):
            return "high"
        return "moderate" if agreeing > self.runner_up and agreeing > 1 else "low"


def choose(votes: Mapping[str, int], last: int | None = None) -> Choice:
    """The number most criteria say.

    One cluster is chosen if every criterion that compares with rows without clusters (gap and
    stability) says so; the silhouette and the elbow cannot say it and are not asked then. Among
    equal votes stability decides, then the silhouette, the gap, the elbow; but a vote for `last`,
    the largest number tried, after all others: what still rises there has not had its best.

    Examples
    --------
    >>> choose({"silhouette": 3, "gap": 3, "elbow": 2, "stability": 3}).n_clusters
    3
    >>> choose({"silhouette": 6, "gap": 1, "elbow": 4, "stability": 1}).n_clusters
    1
    """
    null = tuple(name for name in _AGAINST_NULL if name in votes)
    if not votes or (null and all(votes[name] == 1 for name in null)):
        listed = _joined([_TITLES[name] for name in null])
        return Choice(1, null, null, f"{listed} find no more than one" if listed else "")
    counts = Counter(k for k in votes.values() if k > 1)
    most = max(counts.values())
    able = [votes[name] for name in _ORDER if counts.get(votes.get(name, 0)) == most]
    first = next((k for k in able if k != last), able[0])
    agreeing = tuple(name for name in CRITERIA if votes.get(name) == first)
    others = [f"{_TITLES[n]} says {k}" for n, k in votes.items() if n not in agreeing]
    verb = "says" if len(agreeing) == 1 else "say"
    reason = f"{_joined([_TITLES[name] for name in agreeing])} {verb} so"
    if others:
        reason += f"; {_joined(others)}"
    runner_up = max((count for k, count in counts.items() if k != first), default=0)
    return Choice(first, agreeing, tuple(votes), reason, runner_up)


def _joined(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
