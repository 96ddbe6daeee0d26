"""What the workloads of studies share: the tables, our study, and the script people write.

Both sides try the same families with the same settings on the same folds of the same rows, and
lock the same rows away. Our time holds all of a study (exploring, comparing, hold-out, explaining),
the script's only the searches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from race.goals import AsGood, Faster
from race.workload import Contender, Data, Size, Workload
from race.workloads._study_script import families, search, split_of
from race.workloads._study_tables import table_of

FOLDS, SEED = 5, 0


@dataclass
class Searched:
    """What one side found.

    Attributes
    ----------
    scores : dict of str to list
        Of each family, the scores of its best setting on the folds.
    seconds : dict of str to float
        What its search took.
    chosen : str
        The family that was chosen.
    test, baseline : float
        The score of the chosen model, and of the baseline, on the locked rows.
    interval : tuple or None
        Around the score of the chosen model.
    """

    scores: dict[str, list[float]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    chosen: str = ""
    test: float = np.nan
    baseline: float = np.nan
    interval: tuple[float, float] | None = None


def ours(data: Data, target: str, regression: bool) -> Searched:
    """A whole study."""
    from stylobate import Study

    names = [role.family for _, role in families(regression)]
    metric = "r2" if regression else "accuracy"
    result = Study(
        table_of(data, target, regression), target, models=names, metric=metric, time=1e6, cv=FOLDS,
        random_state=SEED,
    ).run()  # fmt: skip
    found = Searched(chosen=result.choice.family if result.choice else "")
    for family in result.families:
        best = next((c for c in family.candidates if c.key == family.best), None)
        if best is not None and family.name in names:
            found.scores[family.name] = list(best.scores)
            found.seconds[family.name] = sum(c.seconds for c in family.candidates)
    if result.holdout is not None:
        score = next(each for each in result.holdout.scores if each.name == metric)
        plain = next(each for each in result.holdout.baseline if each.name == metric)
        found.test, found.baseline = score.value, plain.value
        if score.low is not None and score.high is not None:
            found.interval = (score.low, score.high)
    return found


def sklearn(data: Data, target: str, regression: bool) -> Searched:
    """A column transformer and a grid search for each family; the best one's test score."""
    split = split_of(table_of(data, target, regression), target, regression, SEED)
    found = Searched()
    best = -np.inf
    for kind, role in families(regression):
        started = perf_counter()
        fitted = search(kind, role, split, FOLDS, SEED)
        found.seconds[role.family] = perf_counter() - started
        place = fitted.best_index_
        names = [f"split{k}_test_score" for k in range(FOLDS)]
        found.scores[role.family] = [float(fitted.cv_results_[name][place]) for name in names]
        if fitted.best_score_ > best:
            best, found.chosen = float(fitted.best_score_), role.family
            found.test = float(fitted.score(split.x_test, split.y_test))
    found.baseline = split.baseline()
    return found


def quality(found: Searched, data: Data) -> float:
    """The error of the best family (1 − accuracy, 1 − R²)."""
    return 1.0 - max(float(np.mean(scores)) for scores in found.scores.values())


def notes(found: Searched, data: Data) -> str:
    """Each family's mean score and seconds, and what the locked rows said."""
    parts = [
        f"{name} {np.mean(found.scores[name]):.4f} ({found.seconds[name]:.1f} s)"
        for name in sorted(found.scores)
    ]
    span = f" [{found.interval[0]:.4f}, {found.interval[1]:.4f}]" if found.interval else ""
    last = f"chosen {found.chosen}: locked rows {found.test:.4f}{span}"
    return ", ".join([*parts, last, f"baseline {found.baseline:.4f}"])


def study_workload(
    name: str,
    target: str,
    make: Callable[[Size, int], Data],
    *,
    small: int,
    standard: int,
    regression: bool = False,
    times: float = 1.0,
) -> Workload:
    """A race of a whole study against the script, on one table.

    Parameters
    ----------
    name, target : str
        Of the workload, and of the column to predict.
    make : callable
        ``make(size, seed)`` gives the columns.
    small, standard : int
        Rows.
    regression : bool, default=False
        Whether the target is a number.
    times : float, default=1.0
        How many times as fast ours must be.
    """
    kind = "regressors" if regression else "classifiers"
    return Workload(
        name=name,
        title=f"every family of {kind}, searched, compared and explained",
        sizes={"small": {"rows": small}, "standard": {"rows": standard}},
        make=make,
        contenders=(
            Contender("ours", "stylobate", lambda data: ours(data, target, regression), "ours"),
            Contender("sklearn n_jobs=2", "sklearn", lambda d: sklearn(d, target, regression)),
        ),
        quality=quality,
        tolerance=0.03,
        notes=notes,
        evidence=lambda found, data: found.scores,
        goals=(Faster("peers", times), AsGood("sklearn")),
    )
