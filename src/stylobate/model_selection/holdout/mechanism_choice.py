"""Which mechanism answers, and whether what it needs is there."""

from __future__ import annotations

from stylobate.exceptions import InvalidParameterError
from stylobate.model_selection.holdout.judge import Judge
from stylobate.model_selection.holdout.mechanisms import (
    Ladder,
    Mechanism,
    PlainScore,
    Thresholdout,
)

_THRESHOLD, _NOISE = 0.04, 0.01  # of Dwork et al.'s experiments, for scores between 0 and 1


def chosen(
    mechanism: str,
    judge: Judge,
    step: float | None,
    threshold: float | None,
    noise: float | None,
    seed: int,
) -> Mechanism:
    """The mechanism of this name; refuses early what it could not work with."""
    if mechanism == "plain":
        return PlainScore()
    if mechanism == "ladder":
        if step is None and not judge.by_rows:
            raise InvalidParameterError(
                "Holdout: the ladder without step= compares models row by row, and scoring="
                f"{judge.scorer!r} gives one number only; pass step=…."
            )
        return Ladder(step)
    if judge.name.perfect != 1.0 and (threshold is None or noise is None):
        raise InvalidParameterError(
            f"Holdout: threshold and noise are in units of the {judge.name.label}, which is not "
            "between 0 and 1; pass both."
        )
    return Thresholdout(threshold or _THRESHOLD, noise or _NOISE, seed)
