"""The one-standard-error rule over families: of models within noise of the best, the simplest.

The error is that of paired differences to the best, fold by fold: folds differ in difficulty (those
in time also in size), which moves all models alike and says nothing of which is better. Where few
folds tell little, much would pass as noise: what is chosen also keeps nearly all that the best one
gains on the baseline, unless it is the baseline itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stylobate.model_selection.search.one_standard_error import simplest
from stylobate.report import number
from stylobate.study.results import Candidate, Choice, FamilyTried, LeaderRow, Metric
from stylobate.study.search.families import ENSEMBLE, Family

_GIVEN_UP = 0.05  # of the best model's gain on the baseline, that a simpler one may lose


def choose(
    families: Sequence[FamilyTried],
    known: Sequence[Family],
    leaderboard: Sequence[LeaderRow],
    metric: Metric,
) -> Choice:
    """The simplest family, and of it the simplest setting, one standard error from the best.

    Both keep 95 % of the best one's gain on the baseline, which is judged by the error alone.
    A family that the paired test tells from the best is not within noise, however wide the error.
    An ensemble is more than its parts only if the test tells it from the best of them.
    """
    sign = 1 if metric.greater_is_better else -1
    by_name = {each.name: each for each in families}
    leader = _leader(leaderboard)
    best = _candidate(by_name[leader.family], leader.key)
    plain = next((row.mean for row in leaderboard if row.is_baseline), None)
    near = [
        row
        for row in leaderboard
        if row.rank >= leader.rank
        and within_error(row.scores, best.scores, sign)
        and (row.is_baseline or keeps_gain(row.mean, leader.mean, plain, sign))
        and row.verdict not in ("worse", "unstable")
    ]
    chosen = min(near, key=lambda row: (row.simplicity, row.rank))
    tried = by_name[chosen.family]
    done = [c for c in tried.candidates if c.status == "done"]
    means = np.array([sign * float(c.mean or 0.0) for c in done])
    within = np.flatnonzero(
        [
            within_error(c.scores, best.scores, sign)
            and (chosen.is_baseline or keeps_gain(float(c.mean or 0.0), leader.mean, plain, sign))
            for c in done
        ]
    )
    family = next(each for each in known if each.name == chosen.family)
    model = family.model(family.settings[0])
    place = simplest([c.params for c in done], means, within, model, None)
    setting = done[place]
    return Choice(
        setting.key,
        chosen.family,
        chosen.title,
        setting.params,
        leader.key,
        tuple(row.key for row in near),
        _reason(leader, chosen, setting, best, metric, _given_up(leaderboard, chosen, best, sign))
        + _price(leaderboard, chosen),
    )


def _leader(leaderboard: Sequence[LeaderRow]) -> LeaderRow:
    """The best row; an ensemble only where the test tells the best single model from it."""
    first = leaderboard[0]
    if first.family != ENSEMBLE or len(leaderboard) == 1:
        return first
    second = leaderboard[1]
    return first if second.verdict in ("worse", "likely worse") else second


def within_error(scores: Sequence[float], best: Sequence[float], sign: int) -> bool:
    """Whether scores are at most one standard error of the paired differences below the best.

    >>> within_error([405, 300, 510], [347, 250, 450], -1)  # worse in every fold, by much the same
    False
    >>> within_error([0.81, 0.79, 0.80], [0.80, 0.81, 0.80], 1)
    True
    """
    behind = sign * (np.asarray(best, dtype=np.float64) - np.asarray(scores, dtype=np.float64))
    error = float(np.std(behind, ddof=1) / np.sqrt(len(behind))) if len(behind) > 1 else 0.0
    return bool(behind.mean() <= error)


def keeps_gain(mean: float, best: float, plain: float | None, sign: int) -> bool:
    """Whether a score keeps nearly all that the best gains on the baseline.

    >>> keeps_gain(0.89, 0.90, 0.50, 1), keeps_gain(0.85, 0.90, 0.50, 1)
    (True, False)
    """
    if plain is None:
        return True
    return sign * (best - mean) <= _GIVEN_UP * max(sign * (best - plain), 0.0)


def with_choice(leaderboard: Sequence[LeaderRow], choice: Choice) -> tuple[LeaderRow, ...]:
    """The rows, with the chosen setting marked; each family shows one."""
    return tuple(replace(row, is_chosen=row.key == choice.key) for row in leaderboard)


def _price(leaderboard: Sequence[LeaderRow], chosen: LeaderRow) -> str:
    """What an ensemble costs, where it is chosen, or why it is not."""
    average = next((row for row in leaderboard if row.family == ENSEMBLE), None)
    if average is None:
        return ""
    if average.key == chosen.key:
        single = next(row for row in leaderboard if row.family != ENSEMBLE)
        times = average.seconds / max(single.seconds, 1e-9)
        return (
            f" It is better than the best single model beyond noise; the price: about {times:.2g} "
            f"times the work of {single.title}, and no single formula or list of coefficients."
        )
    if average.rank == 1:
        return (
            f" The average of the best families ({number(average.mean, 4)}) is not better beyond "
            "noise, and takes several models."
        )
    return ""


def _candidate(family: FamilyTried, key: str) -> Candidate:
    return next(each for each in family.candidates if each.key == key)


def _given_up(
    leaderboard: Sequence[LeaderRow], chosen: LeaderRow, best: Candidate, sign: int
) -> LeaderRow | None:
    """The best of the simpler models within one standard error, which would lose too much."""
    simpler = (row for row in leaderboard if row.simplicity < chosen.simplicity)
    close = (row for row in simpler if within_error(row.scores, best.scores, sign))
    return next((row for row in close if row.verdict not in ("worse", "unstable")), None)


def _reason(
    leader: LeaderRow,
    chosen: LeaderRow,
    setting: Candidate,
    best: Candidate,
    metric: Metric,
    given_up: LeaderRow | None,
) -> str:
    most, other = number(leader.mean, 4), number(chosen.mean, 4)
    if leader.is_baseline:
        return (
            f"No model has a better {metric.label} than the baseline ({most}), which "
            "ignores all columns: they say too little about the target."
        )
    if chosen.family == leader.family:
        said = (
            f"{leader.title} has the best {metric.label} ({most}), and no simpler model "
            "comes within one standard error of it."
        )
        if given_up is not None:
            said = (
                f"{leader.title} has the best {metric.label} ({most}). {given_up.title} "
                f"({number(given_up.mean, 4)}) is simpler and within one standard error, but gives "
                f"up more than {100 * _GIVEN_UP:.0f} % of its gain on the baseline."
            )
        if setting.key != leader.key:
            said += f" Of its settings {setting.key} is the simplest within that error."
        return said
    if chosen.is_baseline:
        return (
            f"The best model, {leader.title} ({metric.label} {most}), cannot be told "
            f"from the baseline ({other}): the columns say too little about the target."
        )
    mean = float(setting.mean or 0.0)
    behind = np.array(best.scores) - np.array(setting.scores)
    error = float(np.std(behind, ddof=1) / np.sqrt(len(behind)))
    return (
        f"{leader.title} has the best {metric.label} ({most}), but {chosen.title} "
        f"({number(mean, 4)}) is within one standard error ({number(error, 2)}) of it, fold by "
        "fold, and simpler."
    )
