"""How far predictions were off on the locked rows: what intervals and sets of labels stand on."""

from __future__ import annotations

from dataclasses import dataclass

from stylobate.exceptions import InvalidParameterError
from stylobate.report import number

_TOLD = 0.9  # the level that words tell of


@dataclass(frozen=True, slots=True)
class Conformity:
    """Conformal margins from the locked rows.

    Attributes
    ----------
    kind : {"interval", "set"}
        Of numbers: a prediction ± the margin. Of classes: all labels whose probability is at least
        1 − the margin.
    rows : int
        Locked rows, or groups of them, that the margins come from.
    margins : tuple of (level, margin)
        A new row like the locked ones is inside with at least the probability `level`: the margin
        is the error of rank ⌈(rows + 1)·level⌉.
    grouped : bool
        Whether rows belong together, so that the worst row of each group counts.
    """

    kind: str
    rows: int
    margins: tuple[tuple[float, float], ...]
    grouped: bool = False

    def margin(self, level: float) -> float:
        """The margin of the next level that is held; refuses what so few rows cannot promise."""
        if not isinstance(level, int | float) or not 0.0 < level < 1.0:
            raise InvalidParameterError(f"level must be a number in (0, 1), got {level!r}.")
        for held, margin in self.margins:
            if held >= level - 1e-9:
                return margin
        most = f"{100 * self.margins[-1][0]:.0f} %" if self.margins else "nothing"
        raise InvalidParameterError(
            f"{self.rows} locked rows can promise {most} at most, not {100 * level:g} %; lock more "
            "rows away (holdout=…), or ask for a lower level."
        )

    @property
    def words(self) -> str:
        """What is promised for new rows, in a sentence."""
        if not self.margins:
            return ""
        held, margin = next(
            (each for each in self.margins if each[0] >= _TOLD - 1e-9), self.margins[-1]
        )
        of = f"{100 * held:.0f} % of new rows like these"
        if self.kind == "interval":
            return f"For {of} the truth is within ±{number(margin, 3)} of the prediction."
        return (
            f"For {of} the truth is among the labels with a probability of at least "
            f"{number(max(1.0 - margin, 0.0), 2)}."
        )
