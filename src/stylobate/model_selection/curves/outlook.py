"""What more rows would bring, by the power law of a learning curve, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stylobate.inference.comparisons.paired import corrected_interval
from stylobate.model_selection.curves.power_law import PowerLaw
from stylobate.model_selection.curves.text import between, shown_at

if TYPE_CHECKING:
    from stylobate.model_selection.curves.learning_curve import LearningCurve

_FARTHEST = 10.0  # times the rows seen: beyond, no curve of a few sizes tells
_NARROWEST = 3.0  # times from the smallest to the largest size


_SMALL = 0.05  # of what is missing to a perfect score: gains below are not worth rows


@dataclass(frozen=True)
class Outlook:
    """What more (or fewer) rows would bring, by the power law of a learning curve.

    Attributes
    ----------
    n : float
        Number of training rows.
    score : float
        The score there, as the scorer gives it (more is better).
    low, high : float
        Its interval; NaN for one fold.
    gain : float
        Score there minus score at the most rows known.
    gain_low, gain_high : float
        The gain's own interval: what is common to all sizes, such as easy test rows, is not in it.
    verdict : {"gain", "flat", "falling", "unclear", "too far", "known"}
        "gain": more rows would help; "flat": they would not change the score by more than its
        noise; "falling": scores got worse with more rows; "unclear": the curve is too noisy to
        say; "too far": beyond ten times the rows known; "known": within the sizes of the curve.
    sentence : str
        All this in words.
    """

    n: float
    score: float
    low: float
    high: float
    gain: float
    gain_low: float
    gain_high: float
    verdict: str
    sentence: str

    @property
    def reliable(self) -> bool:
        """Whether the curve says something about that number of rows."""
        return self.verdict in ("gain", "flat", "known")

    def __str__(self) -> str:
        return self.sentence


def outlook(curve: LearningCurve, law: PowerLaw, n: float, confidence: float) -> Outlook:
    """The score at n rows by a law, and what may be said of it."""
    ends = law.error_interval(n, confidence)
    gain, gains = law.gain(n), law.gain_interval(n, level=confidence)
    best = np.inf if curve.score.perfect is None else curve.score.perfect
    low, high = -float(ends[1][0]), min(-float(ends[0][0]), best)
    verdict = _verdict(curve, law, n, confidence)
    sentence = _sentence(curve, law, n, gain, gains, verdict, confidence)
    return Outlook(n, -float(law.error(n)), low, high, gain, *gains, verdict, sentence)


def _verdict(curve: LearningCurve, law: PowerLaw, n: float, confidence: float) -> str:
    smallest, largest = float(curve.train_sizes.min()), float(curve.train_sizes.max())
    if n <= largest:
        return "known"
    if n > _FARTHEST * largest * (1 + 1e-9):
        return "too far"
    low, high = law.gain_interval(n, level=confidence)
    if not len(law.samples) or largest < _NARROWEST * smallest or _misses(law, n):
        return "unclear"
    # what would be told as a gain of nothing is none
    nothing = max(0.01 * (high - low), 1e-6 * abs(float(law.error(largest))))
    if law.gain(n) > nothing and (low > 0.0 or _rises(curve, confidence)):
        return "gain"
    if high <= nothing:
        return "falling" if _falls(curve) else "flat"
    mean, *ends = corrected_interval(curve.test_scores[-1], curve.test_to_train, confidence)
    missing = np.inf if curve.score.perfect is None else curve.score.perfect - mean
    return "flat" if high < min(0.5 * (ends[1] - ends[0]), _SMALL * missing) else "unclear"


def _rises(curve: LearningCurve, confidence: float) -> bool:
    """Whether scores rise over the last fourfold of the rows: slopes of the folds, one-sided t."""
    sizes = curve.train_sizes.astype(np.float64)
    end = sizes >= min(sizes.max() / 4.0, np.partition(sizes, -2)[-2])
    x = np.log(sizes[end])
    slopes = np.polyfit(x - x.mean(), curve.test_scores[end], 1)[0]
    shared = curve.test_to_train * sizes[end].mean() / sizes.max()  # smaller parts overlap less
    return corrected_interval(slopes, shared, max(2.0 * confidence - 1.0, 0.5))[1] > 0.0


def _falls(curve: LearningCurve) -> bool:
    """Whether scores end lower than they began by more than their standard error.

    A power law never falls: of such scores it makes a constant without any uncertainty.
    """
    change = curve.test_scores[-1] - curve.test_scores[0]
    if len(change) < 2:
        return bool(change.mean() < 0.0)
    return bool(change.mean() < -change.std(ddof=1) / np.sqrt(len(change)))


def _misses(law: PowerLaw, n: float) -> bool:
    """Whether the law leaves the last score by more than noise, and by much of what it promises."""
    return abs(law.misfit_ratio) > 3.0 and abs(law.misfit) > 0.5 * abs(law.gain(n))


def _sentence(
    curve: LearningCurve,
    law: PowerLaw,
    n: float,
    gain: float,
    gains: tuple[float, float],
    verdict: str,
    confidence: float,
) -> str:
    label, sign = curve.score.label, curve.score.sign
    nothing = 1e-6 * abs(float(law.error(law.largest)))  # rounding is told as nothing
    gain, low, high = (0.0 if abs(each) < nothing else each for each in (gain, *gains))
    gains = (low, high)
    width = gains[1] - gains[0]
    now, then = (shown_at(sign * -float(law.error(m)), width) for m in (law.largest, n))
    rows = f"{n:.0f} row{'' if n == 1 else 's'}"
    if verdict == "known":
        return f"{rows} are within the sizes scored: {label} is about {then}."
    more = f"{n / law.largest:.3g}× the data ({rows})"
    if verdict == "too far":
        return (
            f"{more} are too far from the {law.largest:.0f} rows scored to say; the curve tells up "
            f"to about {_FARTHEST * law.largest:.0f}."
        )
    level = f"{100 * confidence:.4g}% interval {between(gains, width)}"
    if verdict == "gain":
        return (
            f"{more} would bring {label} from {now} to {then}, a {'gain' if sign > 0 else 'fall'} "
            f"of {shown_at(gain, width)} ({level})."
        )
    if verdict == "falling":
        first, last = (
            shown_at(float(curve.score.shown(scores.mean())), float(scores.std()))
            for scores in (curve.test_scores[0], curve.test_scores[-1])
        )
        return (
            f"The scores got worse with more rows ({label} {first} at {curve.train_sizes[0]} rows, "
            f"{last} at {curve.train_sizes[-1]}): what {more} would bring cannot be said. Shuffle "
            "the rows if they come in an order, and try a simpler model."
        )
    if verdict == "flat":
        return (
            f"The curve is flat: {more} would change {label} from {now} by "
            f"{shown_at(gain, width)} ({level}), less than its noise."
        )
    if _misses(law, n):
        seen = shown_at(float(curve.score.shown(curve.test_scores[-1].mean())), width)
        return (
            f"The scores do not follow a power law ({label} at {law.largest:.0f} rows would be "
            f"{now} and is {seen}): what {more} would bring cannot be said."
        )
    return _unclear(curve, law, more, now, shown_at(gains[1], width))


def _unclear(curve: LearningCurve, law: PowerLaw, more: str, now: str, most: str) -> str:
    """Why nothing can be said."""
    sizes = curve.train_sizes
    if not len(law.samples):
        return f"One split has no interval: whether {more} would help cannot be said."
    if law.largest < _NARROWEST * sizes.min():
        return (
            f"The sizes scored, {sizes.min()} to {sizes.max()} rows, are too close to each other "
            f"to say what {more} would bring."
        )
    return (
        f"The curve is too noisy to say what {more} would bring: {curve.score.label} is {now} now, "
        f"and could get better by as much as {most}, or not at all."
    )
