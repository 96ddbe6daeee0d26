"""What a split at random would have claimed of the chosen model, where another one is right."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Indices
from stylobate.report import number
from stylobate.splits import KFold, StratifiedKFold
from stylobate.study.question.question import Asked
from stylobate.study.results import LeaderRow, RandomSplit, SplitPlan
from stylobate.study.search.encoding import FoldEncodings
from stylobate.study.search.families import Family, Setting
from stylobate.study.search.fold_fits import run_fold, scored
from stylobate.study.search.store import StudyStore
from stylobate.study.table.division import drawn_order

_FACT = "claim of a random split"
_ASKS = {
    "in time": "later rows from earlier ones",
    "grouped": "rows of others than those it learnt from",
    "repeats together": "rows that are no repetition of those it learnt from",
}


def claim_of_random_split(
    asked: Asked,
    family: Family,
    setting: Setting,
    encodings: FoldEncodings,
    row: LeaderRow,
    plan: SplitPlan,
    folds: int,
    store: StudyStore,
) -> RandomSplit | None:
    """Cross-validate the chosen setting on training rows drawn at random, and put it in words.

    Parameters
    ----------
    asked, family, setting
    encodings : FoldEncodings
        Of the study's own folds.
    row : LeaderRow
        The chosen setting by these.
    plan : SplitPlan
    folds : int
        How many folds of the random split to fit at most.
    store : StudyStore
        Keeps the scores.

    Returns
    -------
    RandomSplit or None
        None where the study's split is random itself, or a fit failed.
    """
    if plan.kind not in _ASKS:
        return None
    name = f"{_FACT}: {setting.key}"
    if name not in store.facts:
        store.remember(name, _scores(asked, family, setting, encodings, plan, folds))
    scores = store.facts[name]
    if not scores:
        return None
    claimed = asked.sign * float(np.mean(scores))
    return RandomSplit(claimed, len(scores), row.mean, _words(asked, claimed, row, plan))


def _scores(
    asked: Asked,
    family: Family,
    setting: Setting,
    encodings: FoldEncodings,
    plan: SplitPlan,
    folds: int,
) -> list[float]:
    maker: Any = KFold if asked.question.task == "regression" else StratifiedKFold
    y = encodings.y
    pairs = list(
        maker(plan.folds, shuffle=True, random_state=plan.seed).split(np.zeros((len(y), 1)), y)
    )
    learnt, tested = (max(len(fold[side]) for fold in encodings.folds) for side in (0, 1))
    drawn = [  # no more rows than the study's own folds have
        (_some(train, learnt, plan.seed), _some(test, tested, plan.seed))
        for train, test in pairs[: max(folds, 1)]
    ]
    fresh = FoldEncodings(encodings.table, encodings.schema, y, drawn, encodings.task)
    found = []
    for place in range(len(drawn)):
        (outcome,) = run_fold(asked, family, [setting], fresh.fold(family.encoding, place))
        fresh.release()
        score = scored(outcome, 0.0).score
        if score is None:
            return []
        found.append(score)
    return found


def _some(rows: Indices, most: int, seed: int) -> Indices:
    """At most so many of the rows, in an order drawn at random."""
    return np.asarray(rows)[drawn_order(len(rows), seed)][:most]


def _words(asked: Asked, claimed: float, row: LeaderRow, plan: SplitPlan) -> str:
    metric, fair = asked.question.metric, row.mean
    better = asked.sign * (claimed - fair) > 0
    said = (
        f"Rows drawn at random would have claimed {metric.label} {number(claimed, 3)} of "
        f"{row.title}; predicting {_ASKS[plan.kind]} it is {number(fair, 3)}"
    )
    return f"{said}." if better else f"{said}, so nothing would have been claimed too much."
