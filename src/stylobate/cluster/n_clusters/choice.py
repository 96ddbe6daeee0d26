"""From what each criterion says to one number of clusters, and how sure it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Criterion = Literal["silhouette", "gap", "elbow", "stability"]
CRITERIA: tuple[Criterion, ...] = ("silhouette", "gap", "elbow", "stability")
Confidence = Literal["high", "moderate", "low"]

_AGAINST_NULL = ("stability", "gap")  # they can say that there is one cluster only
_ORDER = ("stability", "gap", "silhouette", "elbow")  # who decides among equal votes
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
    """

    n_clusters: int
    agreeing: tuple[str, ...]
    asked: tuple[str, ...]
    reason: str

    @property
    def confidence(self) -> Confidence:
        """High if all criteria agree (two at least), moderate if most do, else low."""
        if len(self.asked) > 1 and len(self.agreeing) == len(self.asked):
            return "high"
        return "moderate" if 2 * len(self.agreeing) > len(self.asked) > 1 else "low"


def choose(votes: Mapping[str, int]) -> Choice:
    """The number most criteria say.

    One cluster is chosen if every criterion that compares with rows without clusters (gap and
    stability) says so; the silhouette and the elbow cannot say it and are not asked then. Among
    equal votes stability decides, then the gap, the silhouette, the elbow.

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
    first = next(votes[n] for n in _ORDER if n in votes and counts.get(votes[n]) == most)
    agreeing = tuple(name for name in CRITERIA if votes.get(name) == first)
    others = [f"{_TITLES[n]} says {k}" for n, k in votes.items() if n not in agreeing]
    verb = "says" if len(agreeing) == 1 else "say"
    reason = f"{_joined([_TITLES[name] for name in agreeing])} {verb} so"
    if others:
        reason += f"; {_joined(others)}"
    return Choice(first, agreeing, tuple(votes), reason)


def _joined(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
