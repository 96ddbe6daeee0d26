"""Mechanisms: from a score and what was answered before to an answer that is safe to give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

NEW_BEST = "a new best"
NO_BETTER = "no better than the best"
AS_TRAINING = "as on the training rows"
APART = "unlike the training rows, with noise"
PLAIN = "as it is"


@dataclass(frozen=True, slots=True)
class Scored:
    """What a mechanism may look at: scores of one question, more being better.

    Parameters
    ----------
    score : float
        On the hold-out.
    train_score : float or None
        On the training rows, where it is known.
    noise_against : callable
        Of earlier predictions: the standard error of the difference of the two scores.
    grain : callable
        The finest difference worth telling: 1/n of a score between 0 and 1.
    """

    score: float
    train_score: float | None
    noise_against: Callable[[Any], float]
    grain: Callable[[], float]


@dataclass(frozen=True, slots=True)
class Told:
    """What earlier answers have told.

    Parameters
    ----------
    asked : int
        Questions answered so far.
    best : float or None
        The last answer that was `NEW_BEST`.
    best_predictions : object
        The predictions it was given for.
    apart : int
        Answers that were `APART`.
    """

    asked: int = 0
    best: float | None = None
    best_predictions: Any = None
    apart: int = 0


class Mechanism(Protocol):
    """``answer(scored, told)``: the number told, and which kind of answer it is."""

    @property
    def keeps_predictions(self) -> bool:
        """Whether the best predictions are needed later on."""

    def answer(self, scored: Scored, told: Told) -> tuple[float, str]:
        """The answer to one question."""


@dataclass(frozen=True, slots=True)
class PlainScore:
    """The score itself: what leaderboards without protection tell.

    >>> PlainScore().answer(Scored(0.5172, None, lambda _: 0.1, lambda: 0.01), Told())
    (0.5172, 'as it is')
    """

    keeps_predictions: bool = False

    def answer(self, scored: Scored, told: Told) -> tuple[float, str]:
        """The score."""
        return scored.score, PLAIN


@dataclass(frozen=True, slots=True)
class Ladder:
    r"""A score is told only if it is better than the best told so far by more than a step.

    .. math:: R_t = \begin{cases} [s_t]_\eta & s_t > R_{t-1} + \eta \\ R_{t-1} & \text{else}
        \end{cases}

    where :math:`[\cdot]_\eta` rounds to multiples of η. Without a step η is the standard error of
    the difference from the best (each time anew), and scores are rounded to the grain.

    Parameters
    ----------
    step : float in (0, inf) or None
        The step η; None for the variant without parameters.

    References
    ----------
    Blum & Hardt (2015), The ladder: a reliable leaderboard for machine learning competitions.

    Examples
    --------
    >>> ladder = Ladder(step=0.05)
    >>> ladder.answer(Scored(0.71, None, lambda _: 0.1, lambda: 0.01), Told())
    (0.7..., 'a new best')
    >>> ladder.answer(Scored(0.74, None, lambda _: 0.1, lambda: 0.01), Told(1, 0.7))
    (0.7, 'no better than the best')
    """

    step: float | None = None

    @property
    def keeps_predictions(self) -> bool:
        """Whether the best predictions are needed later on."""
        return self.step is None

    def answer(self, scored: Scored, told: Told) -> tuple[float, str]:
        """A new best, or the best told before."""
        if told.best is not None and not self._improves(scored, told):
            return told.best, NO_BETTER
        return rounded(scored.score, self.step or scored.grain()), NEW_BEST

    def _improves(self, scored: Scored, told: Told) -> bool:
        assert told.best is not None
        if scored.score <= told.best:  # no step is negative
            return False
        step = self.step
        if step is None:
            step = scored.noise_against(told.best_predictions)
        return scored.score > told.best + step


@dataclass(frozen=True, slots=True)
class Thresholdout:
    r"""The training score, unless the hold-out disagrees by more than a noisy threshold.

    With :math:`\hat T = T + \mathrm{Lap}(2\sigma)`, drawn anew after every disagreement: where
    :math:`|s - s_{\text{train}}| > \hat T + \mathrm{Lap}(4\sigma)` the answer is
    :math:`s + \mathrm{Lap}(\sigma)` and costs one of the second budget, else it is
    :math:`s_{\text{train}}`, which tells nothing about the hold-out.

    Parameters
    ----------
    threshold : float in (0, inf)
        T.
    noise : float in (0, inf)
        σ.
    seed : int
        Of the noise.

    References
    ----------
    Dwork, Feldman, Hardt, Pitassi, Reingold & Roth (2015), The reusable holdout: preserving
    validity in adaptive data analysis, *Science* 349.

    Examples
    --------
    >>> asked = Scored(0.80, 0.81, lambda _: 0.1, lambda: 0.01)
    >>> Thresholdout(0.04, 0.001, seed=0).answer(asked, Told())
    (0.81, 'as on the training rows')
    """

    threshold: float
    noise: float
    seed: int
    keeps_predictions: bool = False

    def answer(self, scored: Scored, told: Told) -> tuple[float, str]:
        """The training score, or the hold-out's with noise."""
        assert scored.train_score is not None
        # from the number of the question, so that a reopened hold-out goes on as it would have
        draw = np.random.default_rng([self.seed, 1, told.asked])
        of_threshold = np.random.default_rng([self.seed, 2, told.apart])
        threshold = self.threshold + of_threshold.laplace(scale=2.0 * self.noise)
        slack, noise = draw.laplace(scale=4.0 * self.noise), draw.laplace(scale=self.noise)
        if abs(scored.score - scored.train_score) > threshold + slack:
            return scored.score + float(noise), APART
        return scored.train_score, AS_TRAINING


def rounded(value: float, grain: float) -> float:
    """To the nearest multiple.

    >>> rounded(0.62, 0.25)
    0.5
    """
    return float(np.round(value / grain) * grain) if grain > 0.0 else value
