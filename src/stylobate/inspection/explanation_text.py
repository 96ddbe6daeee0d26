"""A prediction and its reasons in words."""

from __future__ import annotations

from math import exp
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from stylobate.inspection.explanation import RowExplanation

_LONGEST = 28  # characters of a value shown
_WIDTH = 100
_FAR = 700.0  # log-odds, beyond which odds are no numbers of double precision


def explanation_text(why: RowExplanation, most: int) -> str:
    """The prediction, the largest contributions, and how they were found."""
    order = why.order
    shown = [k for k in order[:most] if why.contributions[k] != 0.0]
    rest = [k for k in order if k not in shown]
    width = max([len(_column(why, k)) for k in shown] + [len("all other columns")])
    lines = [
        prediction_words(why),
        fill(
            f"{_capital(why.against)}: {_amount(why, why.base)}. "
            f"This row: {_amount(why, why.prediction)}, because of",
            _WIDTH,
        ),
    ]
    lines += [f"  {_column(why, k):<{width}}  {_added(why, k)}" for k in shown]
    others = float(why.contributions[rest].sum()) if rest else 0.0
    if rest and others != 0.0:
        lines.append(f"  {'all other columns':<{width}}  {others:+.4g}")
    elif rest:
        names = ", ".join(why.names[k] for k in rest[:6]) + (", …" if len(rest) > 6 else "")
        lines.append(f"  nothing from {names}")
    lines.append(f"({_capital(why.method)}.)")
    lines += [fill(note, _WIDTH) for note in why.notes]
    return "\n".join(lines)


def prediction_words(why: RowExplanation) -> str:
    """What is predicted, with its probability."""
    if why.label is None:
        return f"Predicted: {why.predicted:.6g}."
    share = why.probabilities.get(why.predicted)
    sure = "" if share is None else f" with {_percent(share)}"
    words = f"Predicted: {why.predicted}{sure}."
    if why.label != why.predicted and why.probabilities:
        words += f" ({why.label}: {_percent(why.probabilities[why.label])}.)"
    return words


def _amount(why: RowExplanation, value: float) -> str:
    if why.scale == "log-odds" and len(why.probabilities) == 2:
        return f"log-odds {value:.4g} ({_percent(_chance(value))} {why.label})"
    if why.scale == "probability":
        return f"{_percent(value)} {why.label}"
    return f"{value:.6g}" if why.label is None else f"{why.scale} {value:.4g} for {why.label}"


def _chance(odds: float) -> float:
    """The probability of some log-odds; of any size, as naive Bayes gives them.

    >>> _chance(0.0), _chance(-1e5), _chance(1e5)
    (0.5, 0.0, 1.0)
    """
    return 1.0 / (1.0 + exp(-odds)) if odds > -_FAR else 0.0


def _column(why: RowExplanation, k: int) -> str:
    value = why.values[k]
    absent = value is None or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
    if absent:
        return f"{why.names[k]} missing"
    text = f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)
    return f"{why.names[k]} = {text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}"


def _added(why: RowExplanation, k: int) -> str:
    value, error = float(why.contributions[k]), float(why.std_errors[k])
    text = f"{value:+.4g}"
    if error > 0.0:
        text += f" ± {error:.2g}"
    if why.scale == "log-odds" and len(why.probabilities) == 2 and abs(value) < 50:
        text += f"  (odds × {exp(value):.3g})" if abs(value) < _FAR else ""
    return text


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
