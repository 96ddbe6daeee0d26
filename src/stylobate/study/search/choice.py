"""The one-standard-error rule over families: of models within noise of the best, the simplest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stylobate.model_selection.search.one_standard_error import simplest
from stylobate.report import number
from stylobate.study.results import Candidate, Choice, FamilyTried, LeaderRow, Metric
from stylobate.study.search.families import Family


def choose(
    families: Sequence[FamilyTried],
    known: Sequence[Family],
    leaderboard: Sequence[LeaderRow],
    metric: Metric,
) -> Choice:
    """The simplest family, and of it the simplest setting, one standard error from the best.

    A family that the paired test tells from the best is not within noise, however wide the error.
    """
    sign = 1 if metric.greater_is_better else -1
    by_name = {each.name: each for each in families}
    leader = leaderboard[0]
    best = _candidate(by_name[leader.family], leader.key)
    threshold = sign * leader.mean - float(best.standard_error or 0.0)
    near = [
        row
        for row in leaderboard
        if sign * row.mean >= threshold and row.verdict not in ("worse", "unstable")
    ]
    chosen = min(near, key=lambda row: (row.simplicity, row.rank))
    tried = by_name[chosen.family]
    done = [c for c in tried.candidates if c.status == "done"]
    means = np.array([sign * float(c.mean or 0.0) for c in done])
    within = np.flatnonzero(means >= threshold)
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
        sign * threshold,
        tuple(row.key for row in near),
        _reason(leader, chosen, setting, best, metric),
    )


def with_choice(leaderboard: Sequence[LeaderRow], choice: Choice) -> tuple[LeaderRow, ...]:
    """The rows, with the chosen setting marked; each family shows one."""
    return tuple(replace(row, is_chosen=row.key == choice.key) for row in leaderboard)


def _candidate(family: FamilyTried, key: str) -> Candidate:
    return next(each for each in family.candidates if each.key == key)


def _reason(
    leader: LeaderRow, chosen: LeaderRow, setting: Candidate, best: Candidate, metric: Metric
) -> str:
    error = float(best.standard_error or 0.0)
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
        if setting.key != leader.key:
            said += f" Of its settings {setting.key} is the simplest within that error."
        return said
    if chosen.is_baseline:
        return (
            f"The best model, {leader.title} ({metric.label} {most}), cannot be told "
            f"from the baseline ({other}): the columns say too little about the target."
        )
    mean = float(setting.mean or 0.0)
    return (
        f"{leader.title} has the best {metric.label} ({most}), but {chosen.title} "
        f"({number(mean, 4)}) is within one standard error ({number(error, 2)}) of it and simpler."
    )
