"""Counts of the classes of a target, and what guessing achieves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from stylobate.exceptions import InvalidDataError
from stylobate.exploration.association.columns import CategoryColumn
from stylobate.exploration.association.tables import entropy
from stylobate.exploration.target.cells import Share, class_shares

_UNEVEN, _RARE = 0.2, 0.05  # share of the smallest class against an even split; of all rows
_FEW = 30


@dataclass(frozen=True, slots=True, repr=False)
class ClassBalance:
    """How often each class occurs.

    Parameters
    ----------
    classes : tuple of Share
        Counts and shares with Wilson's intervals, in the order of the labels.
    missing : int
        Rows without a class.
    baseline : float
        Accuracy of always naming the commonest class.
    entropy : float
        Log loss (nats) of always giving the shares.
    sentence : str
        What this means.
    """

    classes: tuple[Share, ...]
    missing: int
    baseline: float
    entropy: float
    sentence: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "classes": [share.to_dict() for share in self.classes],
            "missing": self.missing,
            "baseline": self.baseline,
            "entropy": self.entropy,
            "sentence": self.sentence,
        }

    def __repr__(self) -> str:
        lines = [f"  {share!r}" for share in self.classes[:12]]
        if len(self.classes) > 12:
            lines.append(f"  … {len(self.classes) - 12} more classes")
        return "\n".join([*lines, self.sentence])


def class_balance(target: CategoryColumn, *, level: float = 0.95) -> ClassBalance:
    """Counts, shares with intervals, and the accuracy of naming the commonest class.

    Parameters
    ----------
    target : CategoryColumn
        Classes.
    level : float in (0, 1), default=0.95
        Of the intervals.

    Returns
    -------
    ClassBalance

    Examples
    --------
    >>> from stylobate.exploration.association import category_column
    >>> class_balance(category_column("y", ["no"] * 97 + ["yes"] * 3)).baseline
    0.97
    """
    counts = target.counts()
    total = int(counts.sum())
    if not total:
        raise InvalidDataError(f"The target {target.name!r} has no value in any row.")
    shares = class_shares(counts, target.labels, level)
    baseline = float(counts.max()) / total
    return ClassBalance(
        shares, len(target) - total, baseline, entropy(counts.astype(float)), _sentence(shares)
    )


def _sentence(shares: tuple[Share, ...]) -> str:
    common = max(shares, key=lambda share: share.count)
    rare = min(shares, key=lambda share: share.count)
    guess = f"Always naming {common.label!r} is right in {100 * common.share:.3g} % of the rows"
    if len(shares) == 1:
        return f"There is only one class, {common.label!r}: nothing to learn."
    even = rare.share * len(shares)
    if rare.share < _RARE or even < _UNEVEN:
        parts = common.count / max(rare.count, 1)
        few = (
            f"; {rare.count} rows of {rare.label!r} are few to learn from"
            if rare.count < _FEW
            else ""
        )
        return (
            f"{guess}, and {rare.label!r} is {parts:.3g} times rarer: accuracy says little here, "
            f"so use balanced accuracy, precision and recall, or log loss, and stratified "
            f"splits{few}."
        )
    return f"{guess}; a model must do better."
