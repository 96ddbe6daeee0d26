"""One measure of one pair of columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from stylobate.inference.summary.text import number, p_value

MEASURES = ("pearson", "spearman", "mutual_information", "cramers_v", "correlation_ratio")
WORDS = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "mutual_information": "mutual information",
    "cramers_v": "Cramér's V",
    "correlation_ratio": "correlation ratio η",
    "auc": "AUC",
}


@dataclass(frozen=True, slots=True, repr=False)
class Association:
    r"""How strongly two columns go together, by one measure.

    Parameters
    ----------
    a, b : str
        The columns.
    measure : str
        "pearson", "spearman", "mutual_information" (nats), "cramers_v" or "correlation_ratio";
        the last three corrected for what chance adds.
    value : float or None
        None where it is not defined; `reason` says why.
    low, high : float or None
        Ends of the interval.
    p_value, q_value : float or None
        Of no association: alone, and adjusted for all tests of the table (Benjamini–Hochberg).
    n : int
        Rows where both columns have a value.
    exact : bool
        Whether all rows of the source were used, not a sample.
    raw : float or None
        The value before the correction.
    strength : float or None
        In [0, 1]: |value|, or for mutual information :math:`\sqrt{1-e^{-2I}}` as a share of what
        one column could know about the other, which is |ρ| of a normal pair with that information.
    reason : str or None
        Why there is no value.
    note : str or None
        What was simplified, such as rare categories put together.
    determines : tuple of str
        Which of the two columns determines the other, nearly: it explains 95 % of the other's
        entropy (categories) or variance (numbers).
    """

    a: str
    b: str
    measure: str
    value: float | None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    n: int = 0
    exact: bool = True
    q_value: float | None = None
    raw: float | None = None
    strength: float | None = None
    reason: str | None = None
    note: str | None = None
    determines: tuple[str, ...] = ()

    @property
    def mutual(self) -> bool:
        """Whether each of the two determines the other: they say nearly the same."""
        return len(self.determines) == 2

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        told = {name: getattr(self, name) for name in self.__slots__}
        return {**told, "determines": [*self.determines], "mutual": self.mutual}

    def other(self, column: str) -> str:
        """The column this is not."""
        return self.b if column == self.a else self.a

    def __repr__(self) -> str:
        pair = f"{self.a} and {self.b}: {WORDS.get(self.measure, self.measure)}"
        if self.value is None:
            return f"{pair} is not defined: {self.reason}"
        note = f" ({self.note})" if self.note else ""
        return f"{pair} {number(self.value, 3)}{_span(self)}{_chance(self)}, {self.n} rows{note}"


def _span(of: Association) -> str:
    if of.low is None or of.high is None:
        return ""
    return f" ({number(of.low, 3)} to {number(of.high, 3)})"


def _chance(of: Association) -> str:
    if of.p_value is None:
        return ""
    text = p_value(of.p_value)
    return f", p {text}" if text.startswith("<") else f", p = {text}"


def finite(value: float) -> float | None:
    """A number, or None instead of NaN and infinities."""
    value = float(value)
    return value if math.isfinite(value) else None
