"""Who answered each call of an accelerated method, and why."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a method that is accelerated.

    Attributes
    ----------
    name : str
        The class, as "Ridge".
    method : str
        The method that was called or, of a solver inside it, its name.
    shape : str
        Of the rows, as "20000×30"; empty where it is not known.
    ours : bool
        Whether Stylobate answered.
    why : str
        Why scikit-learn answered; empty where Stylobate did.
    seconds : float
        How long the answer took.
    theirs : float or None
        How long scikit-learn took for the same, if it was measured.
    difference : float or None
        The largest difference of a learnt number from scikit-learn's, relative to the largest of
        its array, if it was measured.
    """

    name: str
    method: str
    shape: str
    ours: bool
    why: str
    seconds: float
    theirs: float | None = None
    difference: float | None = None

    def __str__(self) -> str:
        who = "stylobate" if self.ours else "scikit-learn"
        text = f"{self.name}.{self.method} {self.shape:<14} {who:<12} {self.seconds:8.3f} s"
        if self.theirs is not None:
            text += f"  scikit-learn {self.theirs:.3f} s"
            text += f" ({self.theirs / max(self.seconds, 1e-9):.1f} ×)"
        if self.difference is not None:
            text += f"  differs by {self.difference:.1g}"
        return text + (f"  {self.why}" if self.why else "")


@dataclass(frozen=True, slots=True)
class Report:
    """All calls since the acceleration began.

    Attributes
    ----------
    calls : tuple of Call
        In their order; the last `KEPT` of them.
    left_out : int
        Earlier calls that are not kept.
    """

    calls: tuple[Call, ...]
    left_out: int = 0

    @property
    def answered(self) -> int:
        """Calls that Stylobate answered."""
        return sum(call.ours for call in self.calls)

    def reasons(self) -> dict[str, int]:
        """Why calls were left to scikit-learn, and how often."""
        return dict(Counter(call.why for call in self.calls if not call.ours).most_common())

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        return {
            "answered": self.answered,
            "left_out": self.left_out,
            "reasons": self.reasons(),
            "calls": [asdict(call) for call in self.calls],
        }

    def __str__(self) -> str:
        if not self.calls:
            return "No accelerated method was called."
        seconds = sum(call.seconds for call in self.calls if call.ours)
        head = (
            f"{self.answered} of {len(self.calls)} calls were answered by Stylobate, in "
            f"{seconds:.2f} s."
        )
        measured = [call for call in self.calls if call.theirs is not None]
        if measured:
            won = sum((call.theirs or 0.0) - call.seconds for call in measured)
            head += f" Of the {len(measured)} measured, {won:.2f} s were won."
        if self.left_out:
            head += f" {self.left_out} earlier calls are not kept."
        return "\n".join([head, *(f"  {call}" for call in self.calls)])


KEPT = 10_000


class Book:
    """Where calls are written down."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._left_out = 0
        self.verbose = False

    def write(self, call: Call) -> None:
        """Keep a call; tell of it if asked to."""
        if len(self._calls) >= KEPT:
            half = KEPT // 2
            self._left_out += half
            del self._calls[:half]
        self._calls.append(call)
        if self.verbose:
            print(f"[stylobate] {call}", file=sys.stderr)

    def clear(self) -> None:
        """Begin anew."""
        self._calls.clear()
        self._left_out = 0

    def report(self) -> Report:
        """What is written."""
        return Report(tuple(self._calls), self._left_out)
