"""From folds and locked rows to the one verdict of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stylobate.report import number
from stylobate.study.results import LeaderRow, ScoreAnswer, StudyResult, StudyVerdict, StudyWarning

_ALPHA = 0.025  # of one side
_NEAR_PERFECT = 0.99
_PERFECT_IS_ONE = ("roc_auc", "accuracy", "balanced_accuracy", "r2")
_FLEXIBLE = 40  # simplicity from which on a family is more than a line


def conclude(result: StudyResult) -> StudyResult:
    """The result with its verdict, and with warnings and leaderboard that agree with it.

    The test is of paired differences between the chosen model and the baseline: those of the folds
    (corrected for training parts that overlap, and for having chosen the best of several families)
    and those of the locked rows are independent, so their normal scores are added, weighted by the
    roots of the numbers of rows (Stouffer). What the locked rows alone can tell is told: they are
    asked once, about one model, while folds may be too few or too different to say anything.

    References
    ----------
    Stouffer et al. (1949), The American soldier; Nadeau & Bengio (2003).
    """
    verdict = _verdict(result)
    warnings = [each for each in result.warnings if each.topic != "baseline"]
    if verdict.answer == "hardly":
        warnings.append(StudyWarning("baseline", _no_better(result), None, True))
    elif verdict.answer == "not answered":
        warnings.append(StudyWarning("time", verdict.words, None, True))
    rows = tuple(_agreeing(row, verdict) for row in result.leaderboard)
    baseline = next((row for row in rows if row.is_baseline), None)
    return replace(
        result, verdict=verdict, warnings=tuple(warnings), leaderboard=rows, baseline=baseline
    )


def _verdict(result: StudyResult) -> StudyVerdict:
    tried = [f for f in result.families if f.name != "baseline" and f.best is not None]
    untried = [f.title for f in result.families if f.status == "left out" and f.candidates]
    if not tried:
        why = "every model failed" if not untried else "there was no time for any model"
        return StudyVerdict(
            "not answered", None, f"Not answered: {why}; allow more time (--time) and run it again."
        )
    chosen = next((row for row in result.leaderboard if row.is_chosen), None)
    if chosen is None or result.holdout is None or chosen.is_baseline:
        return _without_gain(result, None)
    found = result.holdout.against_baseline
    assert found is not None
    together, alone = _combined(result, chosen), found.p_value
    p = min(together, alone)
    if found.gain <= 0 or not p < _ALPHA:
        return _without_gain(result, p)
    leaks = suspects(result)
    perfect = _near_perfect(result)
    if leaks and perfect is not None:
        said = (
            f"{number(perfect.value, 4)} {perfect.label} is too good: probably a leak, by "
            f"{', '.join(leaks[:3])}. If it is not known when predictions are made, leave it out "
            f"(--drop {leaks[0]!r})."
        )
        return StudyVerdict("too good", p, said)
    how = "folds and locked rows agree"
    if not alone < _ALPHA:
        how = "by folds and locked rows together (the locked rows alone are too few to tell)"
    elif not together < _ALPHA:
        how = "by the locked rows (the folds differ too much among each other to tell)"
    words = f"{chosen.title} is better than the baseline: {how}."
    if leaks:
        words += f" It uses {', '.join(leaks[:3])}, which may not be known beforehand."
    return StudyVerdict("yes", p, words)


def suspects(result: StudyResult) -> list[str]:
    """Columns that take part and look like leaks."""
    used = {each.name for each in result.data.columns if each.use == "feature"}
    found = [w.column for w in result.warnings if w.topic == "leakage" and w.column in used]
    return [name for name in dict.fromkeys(found) if name is not None]


def _near_perfect(result: StudyResult) -> ScoreAnswer | None:
    """A score of the locked rows that is nearly perfect, the study's own first."""
    assert result.holdout is not None
    known = [each for each in result.holdout.scores if each.name in _PERFECT_IS_ONE]
    return next((each for each in known if each.value >= _NEAR_PERFECT), None)


def _without_gain(result: StudyResult, p: float | None) -> StudyVerdict:
    """No gain was found: the columns say too little, or what might have found it had no time."""
    untried = [f for f in result.families if f.status == "left out" and f.candidates]
    tried = [f for f in result.families if f.name != "baseline" and f.best is not None]
    listed = ", ".join(f.title for f in untried)
    bends = [f for f in (*tried, *untried) if f.simplicity >= _FLEXIBLE]
    if bends and all(f in untried for f in bends):
        return StudyVerdict(
            "not answered", p,
            f"Not answered: there was time for {', '.join(f.title for f in tried)} alone, which "
            f"cannot be told from the baseline, and for nothing that bends ({listed}); allow more "
            "time (--time) and run it again.",
        )  # fmt: skip
    more = f" Not tried for want of time: {listed}." if untried else ""
    return StudyVerdict("hardly", p, f"{_no_better(result)}{more}")


def _no_better(result: StudyResult) -> str:
    return (
        "No model is clearly better than the baseline, which ignores all columns: do not rely on "
        "predictions."
    )


def _combined(result: StudyResult, chosen: LeaderRow) -> float:
    """The p-value of no gain over the baseline, of the folds and the locked rows together."""
    from scipy.special import ndtr, ndtri  # scipy.stats would take a second to load

    holdout = result.holdout
    assert holdout is not None
    assert holdout.against_baseline is not None
    parts = [(holdout.against_baseline.p_value, holdout.rows)]
    plain = next((row for row in result.leaderboard if row.is_baseline), None)
    if plain is not None:
        p = _of_folds(result, chosen.scores, plain.scores)
        compared = sum(not row.is_baseline for row in result.leaderboard)
        parts.append((_of_several(p, compared), result.split.training_rows))
    weights = np.sqrt([float(rows) for _, rows in parts])
    scores = -ndtri(np.clip([p for p, _ in parts], 1e-12, 1 - 1e-12))
    return float(ndtr(-np.sum(weights * scores) / np.sqrt(np.sum(weights**2))))


def _of_several(p: float, compared: int) -> float:
    """A p-value for the best of several models (Bonferroni).

    Having been chosen takes a gain its weight, and no more: what is left is no evidence (0.5),
    never evidence of a loss, which only a p-value of more than that is.

    >>> _of_several(0.01, 10), _of_several(0.2, 10), _of_several(0.9, 10)
    (0.1, 0.5, 0.9)
    """
    return p if p >= 0.5 else min(0.5, max(compared, 1) * p)


def _of_folds(result: StudyResult, own: Sequence[float], plain: Sequence[float]) -> float:
    from stylobate.inference.comparisons.paired import corrected_resampled_t_test

    sign = 1 if result.question.metric.greater_is_better else -1
    folds = result.split.folds
    ratio = 1 / max(folds - 1, 1)
    test = corrected_resampled_t_test(
        sign * np.array(own), sign * np.array(plain), test_to_train=ratio
    )
    return test.p / 2 if test.details["difference"] > 0 else 1 - test.p / 2


def _agreeing(row: LeaderRow, verdict: StudyVerdict) -> LeaderRow:
    """The baseline's row says what the verdict does, which more rows than the folds were asked."""
    if not row.is_baseline or row.difference is None or row.verdict in ("failed", "not tested"):
        return row
    better = verdict.answer in ("yes", "too good")
    return replace(row, verdict="worse" if better else "within noise")
