"""What one feature says about the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stylobate.exploration.association.value import WORDS, Association
from stylobate.exploration.target.cells import GroupMean, GroupShares
from stylobate.inference.summary.text import number, p_value

Cells = tuple[GroupMean, ...] | tuple[GroupShares, ...]


@dataclass(frozen=True, slots=True, repr=False)
class ClassDistribution:
    """A numeric feature among the rows of one class: quantiles, mean and histogram counts."""

    label: Any
    n: int
    mean: float | None
    quantiles: dict[str, float]
    counts: tuple[int, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {**{name: getattr(self, name) for name in self.__slots__}, "counts": [*self.counts]}

    def __repr__(self) -> str:
        parts = ", ".join(f"{100 * float(q):g} % {number(v)}" for q, v in self.quantiles.items())
        return f"{self.label}: {parts}, {self.n} rows"


@dataclass(frozen=True, slots=True, repr=False)
class FeatureEffect:
    """What one feature alone says about the target.

    Parameters
    ----------
    name, kind : str
        The feature.
    measure : str
        "pearson", "spearman", "correlation_ratio", "cramers_v" or "auc" (the chance that a row of
        the last class has a higher value than one of the first).
    value, low, high : float or None
        The measure and its interval.
    p_value, q_value : float or None
        Of no association; adjusted for the number of features.
    explains : float
        In [0, 1], comparable between features: the share of the target's variance (numeric) or
        entropy (classes) that is gone once the feature's group is known — all its categories, bins
        of numbers or the line through them, missing values as a group of their own if they are 1 %
        or more — less what as many groups would explain by chance.
    n : int
        Rows that have both.
    groups : tuple of GroupMean or GroupShares
        The target by group of the feature.
    classes : tuple of ClassDistribution
        A numeric feature by class of the target.
    edges : tuple of float
        Of the histograms in `classes`.
    associations : tuple of Association
        All measures.
    reason : str or None
        Why there is no value.
    """

    name: str
    kind: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    p_value: float | None
    explains: float
    n: int
    groups: Cells
    classes: tuple[ClassDistribution, ...] = ()
    edges: tuple[float, ...] = ()
    associations: tuple[Association, ...] = ()
    q_value: float | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON; `table` is the target by group."""
        plain = ("name", "kind", "measure", "value", "low", "high", "p_value", "q_value")
        return {
            **{name: getattr(self, name) for name in (*plain, "explains", "n", "reason")},
            "table": [group.to_dict() for group in self.groups],
            "classes": [each.to_dict() for each in self.classes],
            "edges": [*self.edges],
            "associations": [each.to_dict() for each in self.associations],
        }

    def __repr__(self) -> str:
        if self.value is None and self.explains > 0:
            share = f"{100 * self.explains:.3g} % of the target"
            return f"{self.name} explains {share} by being missing or not; {self.reason}"
        if self.value is None:
            return f"{self.name}: nothing to say, {self.reason}"
        p = p_value(float("nan") if self.p_value is None else self.p_value)
        span = ""
        if self.low is not None and self.high is not None:
            span = f" ({number(self.low, 3)} to {number(self.high, 3)})"
        head = (
            f"{self.name} explains {100 * self.explains:.3g} % of the target: "
            f"{WORDS.get(self.measure, self.measure)} {number(self.value, 3)}{span}, "
            f"p {p if p.startswith('<') else '= ' + p}, {self.n} rows"
        )
        return "\n".join([head, *(f"  {group!r}" for group in self.groups)])
