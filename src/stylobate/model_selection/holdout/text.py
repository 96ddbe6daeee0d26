"""A metered hold-out in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stylobate.model_selection.holdout.metered import Holdout

_LAST = 8  # questions shown


def holdout_text(holdout: Holdout) -> str:
    """What was asked, what is left, and the last answers."""
    return "\n".join([_heading(holdout), *_questions(holdout)])


def _heading(holdout: Holdout) -> str:
    rows, name = len(holdout._judge.y), holdout._judge.name
    kept = "" if holdout._kept is holdout._public else f" ({len(holdout._kept)} for the end)"
    state = f"{holdout.asked} of {holdout.budget} questions asked"
    if holdout.mechanism == "thresholdout":
        state += f", {holdout.overfit_left} of {holdout.overfit_budget} answers may still differ"
    if holdout.closed:
        state += ", closed by its final score"
    return f"Hold-out of {rows} rows{kept}, {name.label}, {holdout.mechanism}: {state}."


def _questions(holdout: Holdout) -> list[str]:
    log = holdout.log
    hidden = len(log) - _LAST
    before = [f"… {hidden} earlier"] if hidden > 0 else []
    return [*before, *map(str, log[-_LAST:])]
