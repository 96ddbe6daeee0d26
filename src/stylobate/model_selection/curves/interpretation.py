"""Advice from learning and validation curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError
from stylobate.inference.comparisons.paired import corrected_interval, corrected_resampled_t_test
from stylobate.inference.distributions import check_level
from stylobate.model_selection.curves.advice import Advice, Statement
from stylobate.model_selection.curves.learning_curve import check_complete
from stylobate.model_selection.curves.text import between, shown_at

if TYPE_CHECKING:
    from stylobate.model_selection.curves.learning_curve import LearningCurve
    from stylobate.model_selection.curves.outlook import Outlook
    from stylobate.model_selection.curves.validation_curve import ValidationCurve
    from stylobate.model_selection.validation.score_names import ScoreName

_MUCH = 0.3  # of what test scores miss of a perfect one, due to the gap: the model overfits
_GOOD = 0.9  # training scores above this share of a perfect 1 do not ask for more flexibility
_NEARLY_PERFECT = 0.95  # test scores above this have little to gain from anything
_KINDS = {"gain": "more data helps", "flat": "more data does not help"}


def learning_advice(curve: LearningCurve, confidence: float) -> Advice:
    """Under- or overfitting at the most rows, and what twice and ten times as many would bring."""
    check_level(confidence)
    check_complete(curve, "advice")
    train, test = curve.train_scores[-1], curve.test_scores[-1]
    said = [fit_statement(train, test, curve.score, curve.test_to_train, confidence)]
    try:
        law = curve.fit(confidence=confidence)
    except InvalidDataError as error:
        return Advice([*said, Statement("more data: cannot say", str(error))])
    looks = [
        curve.extrapolate(times * law.largest, confidence=confidence, law=law) for times in (2, 10)
    ]
    first = next((i for i, look in enumerate(looks) if look.verdict == "gain"), None)
    said += [_data_statement(each) for each in (looks[:1] if first is None else looks[first:])]
    return Advice(said)


def _data_statement(look: Outlook) -> Statement:
    numbers = {"n": look.n, "gain": look.gain, "low": look.gain_low, "high": look.gain_high}
    return Statement(_KINDS.get(look.verdict, "more data: cannot say"), look.sentence, numbers)


def fit_statement(
    train: Array,
    test: Array,
    score: ScoreName,
    ratio: float,
    confidence: float,
    remedy: str = "A more flexible model or better columns",
) -> Statement:
    """Whether scores of training and test parts speak of under- or overfitting."""
    if len(test) < 2:
        return Statement(
            "cannot say", "One split has no interval; under- or overfitting needs several."
        )
    gap, low, high = corrected_interval(train - test, ratio, confidence)
    # That training rows are fitted better is a one-sided question.
    sure = corrected_interval(train - test, ratio, max(2.0 * confidence - 1.0, 0.5))[1]
    on_train, on_test = float(train.mean()), float(test.mean())
    width = high - low
    missing = np.nan if score.perfect is None else score.perfect - on_test
    share = gap / missing if missing > 0.0 else (np.nan if score.perfect is None else 0.0)
    numbers = {"train": on_train, "test": on_test, "gap": gap, "gap_low": low, "gap_high": high}
    numbers |= {"gap_at_least": sure, "gap_share": float(share)}
    a, b = (shown_at(float(score.shown(v)), width) for v in (on_train, on_test))
    level = f"{100 * confidence:.4g}% interval {between((low, high), width)}"
    gap_words = f"the gap of {shown_at(gap, width)} ({level})"
    part = "" if np.isnan(share) else f" is {100 * share:.0f}% of what test rows miss of a perfect "
    part += "" if np.isnan(share) else f"{score.perfect:g}"
    large = share >= _MUCH if not np.isnan(share) else gap >= 0.1 * abs(on_test)
    near = f"{score.label} is {a} on training rows and {b} on test rows; {gap_words}{part}"
    if score.perfect == 1.0 and (on_test >= _NEARLY_PERFECT or (on_train >= _GOOD and not large)):
        return Statement("fits", f"{near}; little is missing on either.", numbers)
    if large and not sure > 0.0:
        return Statement("cannot say", f"{near}, but it is too uncertain to build on.", numbers)
    if large:
        sentence = (
            f"{score.label} is {a} on training rows and {b} on test rows; the gap of "
            f"{shown_at(gap, width)} (at least {shown_at(sure, width)} with "
            f"{100 * confidence:.4g}% confidence){part or ' is more than noise'}. A simpler or "
            "more strongly penalised model, or more rows, would help."
        )
        return Statement("overfits", sentence, numbers)
    sentence = (
        f"{near}, so the model misses on training rows nearly as much as on new ones. "
        f"{remedy} would help, unless the rest is noise."
    )
    return Statement("underfits or noise", sentence, numbers)


def validation_advice(curve: ValidationCurve, confidence: float) -> Advice:
    """Where the best value is, what is wrong on both sides, and what changing to it would bring."""
    check_level(confidence)
    check_complete(curve, "advice")
    said = [_best_statement(curve, confidence)]
    if len(curve.param_range) > 1 and curve.test_scores.shape[1] > 1:
        said += _side_statements(curve, confidence)
    best = curve.best_index
    train, test = curve.train_scores[best], curve.test_scores[best]
    remedy = "Better columns or another kind of model"
    said.append(fit_statement(train, test, curve.score, curve.test_to_train, confidence, remedy))
    return Advice(said)


def _best_statement(curve: ValidationCurve, confidence: float) -> Statement:
    best, score = curve.best_index, curve.score
    mean = float(curve.test_scores[best].mean())
    numbers, within = {"index": float(best), "test": mean}, ""
    width = np.nan
    if curve.test_scores.shape[1] > 1:
        _, low, high = corrected_interval(curve.test_scores[best], curve.test_to_train, confidence)
        width = high - low
        ends = between((float(score.shown(low)), float(score.shown(high))), width)
        within = f" ({100 * confidence:.4g}% interval {ends})"
    shown = shown_at(float(score.shown(mean)), width)
    start = f"{curve.words_for(best)} is best, {score.label} {shown} on test rows{within}"
    if best in (0, len(curve.param_range) - 1) and len(curve.param_range) > 1:
        sentence = f"{start}, and it is the end of the range: try values beyond it."
        return Statement("extend the range", sentence, numbers)
    return Statement("best", f"{start}, and it is inside the range.", numbers)


def _side_statements(curve: ValidationCurve, confidence: float) -> list[Statement]:
    """The two ends against the best: the one that fits training rows better is more flexible."""
    best = curve.best_index
    flexible, simple = curve.flexible_end, curve.simple_end
    said = []
    for end, kind, why in (
        (flexible, "overfits", "more flexible: training rows are fitted better, new ones worse"),
        (simple, "underfits", "simpler: training rows are missed as well"),
    ):
        if end == best:
            continue
        test = corrected_resampled_t_test(
            curve.test_scores[best],
            curve.test_scores[end],
            test_to_train=curve.test_to_train,
            level=confidence,
        )
        loss, low, high = (test.details[key] for key in ("difference", "low", "high"))
        trained = float((curve.train_scores[end] - curve.train_scores[best]).mean())
        numbers = {"loss": loss, "low": low, "high": high, "train_change": trained, "p": test.p}
        width = high - low
        size = f"{shown_at(loss, width)} ({100 * confidence:.4g}% interval "
        size += f"{between((low, high), width)})"
        if low > 0.0:
            change = shown_at(abs(trained), width)
            up = "better" if trained > 0.0 else "worse"
            sentence = (
                f"{curve.words_for(end)} is {why}: {curve.score.label} of test rows is worse by "
                f"{size} than at the best, of training rows {up} by {change}."
            )
            said.append(Statement(f"{kind} there", sentence, numbers))
        else:
            sentence = (
                f"{curve.words_for(end)}, the {'more flexible' if end == flexible else 'simpler'} "
                f"end, is within noise of the best: worse by {size}."
            )
            said.append(Statement("within noise", sentence, numbers))
    return [*said, *_current_statement(curve, confidence)]


def _current_statement(curve: ValidationCurve, confidence: float) -> list[Statement]:
    """Whether the value the model has now should be changed."""
    at, best = curve.current_index, curve.best_index
    if at is None or at == best:
        return []
    test = corrected_resampled_t_test(
        curve.test_scores[best],
        curve.test_scores[at],
        test_to_train=curve.test_to_train,
        level=confidence,
    )
    gain, low, high = (test.details[key] for key in ("difference", "low", "high"))
    numbers = {"gain": gain, "low": low, "high": high, "p": test.p}
    trained = (curve.train_scores[best] - curve.train_scores[at]).mean()
    kind = "more flexible" if trained > 0.0 else "simpler"
    width = high - low
    size = f"{shown_at(gain, width)} ({100 * confidence:.4g}% interval "
    size += f"{between((low, high), width)})"
    if low > 0.0:
        sentence = (
            f"A {kind} model than now would help: from {curve.words_for(at)} to "
            f"{curve.words_for(best)} {curve.score.label} of test rows gets better by {size}."
        )
        return [Statement(kind, sentence, numbers)]
    sentence = f"{curve.words_for(at)}, as it is now, is within noise of the best: worse by {size}."
    return [Statement("keep", sentence, numbers)]
