"""The target in one group of rows: its mean, or the shares of its classes, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from stylobate.arrays import Integers
from stylobate.exploration.association.ratio import GroupSums
from stylobate.exploration.association.value import finite
from stylobate.inference.distributions import two_sided_quantile
from stylobate.inference.summary.text import number


@dataclass(frozen=True, slots=True, repr=False)
class GroupMean:
    """The mean of a numeric target in a group, and its t interval (None with one row)."""

    group: str
    n: int
    mean: float
    low: float | None
    high: float | None
    sd: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return f"{self.group}: mean {number(self.mean)}{_span(self.low, self.high)}, {self.n} rows"


@dataclass(frozen=True, slots=True, repr=False)
class Share:
    """Rows of one class: count, share, and Wilson's interval of the share."""

    label: Any
    count: int
    share: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return (
            f"{self.label}: {_percent(self.share)} ({_percent(self.low)} to "
            f"{_percent(self.high)}), {self.count} rows"
        )


@dataclass(frozen=True, slots=True, repr=False)
class GroupShares:
    """The shares of the classes of a target in a group."""

    group: str
    n: int
    shares: tuple[Share, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        shares = [share.to_dict() for share in self.shares]
        return {"group": self.group, "n": self.n, "shares": shares}

    def __repr__(self) -> str:
        if len(self.shares) == 2:
            return f"{self.group}: {self.shares[1]!r} of {self.n}"
        parts = ", ".join(f"{s.label} {_percent(s.share)}" for s in self.shares)
        return f"{self.group}: {parts}, {self.n} rows"


def group_means(labels: Sequence[str], sums: GroupSums, level: float) -> tuple[GroupMean, ...]:
    r"""Means of groups, each with the interval :math:`\bar y_k \pm t\,s_k/\sqrt{n_k}`.

    Of its own variance: groups may differ in spread, as in Welch's test. Empty ones are left out.
    """
    found = []
    for label, n, mean, scatter in zip(
        labels, sums.n.tolist(), sums.mean.tolist(), sums.scatter.tolist(), strict=True
    ):
        if not n:
            continue
        if n == 1:
            found.append(GroupMean(label, 1, mean, None, None, None))
            continue
        sd = (scatter / (n - 1)) ** 0.5
        half = two_sided_quantile(level, n - 1) * sd / n**0.5
        found.append(GroupMean(label, n, mean, finite(mean - half), finite(mean + half), sd))
    return tuple(found)


def group_shares(
    labels: Sequence[str], counts: Integers, classes: Sequence[Any], level: float
) -> tuple[GroupShares, ...]:
    """Shares of the classes (columns of counts) in groups (rows); empty groups are left out."""
    return tuple(
        GroupShares(label, int(row.sum()), class_shares(row, classes, level))
        for label, row in zip(labels, counts, strict=True)
        if row.sum()
    )


def class_shares(counts: Integers, classes: Sequence[Any], level: float) -> tuple[Share, ...]:
    """The share of each class with Wilson's interval."""
    from stylobate.metrics.intervals.proportions import proportion_interval

    total, found = int(counts.sum()), []
    for label, count in zip(classes, counts.tolist(), strict=True):
        ends = proportion_interval(count, total, confidence=level)
        found.append(Share(label, count, count / total, ends.low, ends.high))
    return tuple(found)


def _span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({number(low)} to {number(high)})"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
