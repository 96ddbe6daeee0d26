"""Permutation importance: what the score loses when a column is shuffled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.base.jobs import run_jobs
from stylobate.data.columns import Columns, read_columns
from stylobate.data.indexing import take_rows
from stylobate.exceptions import InvalidParameterError
from stylobate.inspection.changed_tables import names_of, position_of, with_rows_of
from stylobate.inspection.importance_result import PermutationImportance
from stylobate.inspection.importance_spread import Judged, half_widths, judged
from stylobate.metrics.scoring.scorers import ManyScorers
from stylobate.metrics.scoring.scoring_argument import check_scoring
from stylobate.model_selection.validation.score_names import score_name
from stylobate.splits.splitter import generator, is_integer

_OWNER = "permutation_importance"
ONE = ""  # the name of the score when there is only one


def permutation_importance(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    scoring: Any = None,
    n_repeats: int = 5,
    n_jobs: int | None = None,
    random_state: Any = None,
    sample_weight: Any = None,
    max_samples: float = 1.0,
    groups: Mapping[str, Sequence[Any]] | None = None,
    features: Sequence[str] | None = None,
) -> PermutationImportance | dict[str, PermutationImportance]:
    r"""How much a fitted model relies on each column: the fall of its score when it is shuffled.

    .. math:: I_j = s - \frac{1}{R} \sum_{r=1}^{R} s^{(j, r)}

    Columns are those of X: of a pipeline the raw ones, so that a category counts as one whatever it
    is encoded into. Columns that say the same share their importance: shuffle them together
    (`groups`).

    Parameters
    ----------
    estimator : fitted estimator
        Ours or scikit-learn's, also a whole pipeline.
    X : array, sparse array or data frame of shape (n, p)
        Rows, best ones the model has not seen.
    y : array-like of shape (n,) or None
        What they really are.
    scoring : str, callable, list, tuple, dict or None, default=None
        A scorer, or several; None: the estimator's own `score`.
    n_repeats : int in [1, inf), default=5
        How often each column is shuffled.
    n_jobs : int or None, default=None
        Columns looked at in parallel.
    random_state : int, RandomState or None, default=None
        Seed; the shuffles are those of scikit-learn for the same seed.
    sample_weight : array-like of shape (n,), optional
        Weights of the rows in the score.
    max_samples : int or float in (0, 1], default=1.0
        Number or share of the rows used for each column.
    groups : mapping of str to columns, optional
        Columns (names or numbers) that are shuffled together, by a name for each group; columns
        in no group are shuffled alone.
    features : sequence of str, optional
        Names of the columns or groups to look at, in this order; all of them by default. Of a wide
        table those that matter may be enough.

    Returns
    -------
    PermutationImportance
        With `importances_mean`, `importances_std`, `importances` (n_features, n_repeats), intervals
        and `plot`; of several scores a dictionary of them.

    References
    ----------
    Breiman (2001), Random forests; Fisher, Rudin & Dominici (2019), All models are wrong, but many
    are useful.

    Examples
    --------
    >>> from stylobate.datasets import load_diabetes
    >>> from stylobate.linear_model import LinearRegression
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> found = permutation_importance(
    ...     LinearRegression().fit(X, y), X, y, random_state=0, groups={"blood": ["s1", "s2", "s3"]}
    ... )
    >>> [found.feature_names[k] for k in found.order[:3]]
    ['s5', 'bmi', 'blood']
    """
    if not is_integer(n_repeats) or n_repeats < 1:
        raise InvalidParameterError(
            f"{_OWNER}: n_repeats must be an integer in [1, inf), got {n_repeats!r}."
        )
    columns = read_columns(X, owner=_OWNER)
    names = names_of(columns, estimator)
    together = _chosen(features, _groups(groups, names))
    scorer = check_scoring(estimator, scoring)
    draw = generator(random_state)
    seed = int(draw.randint(np.iinfo(np.int32).max + 1))  # as scikit-learn draws it
    work = _Work(estimator, columns, y, sample_weight, scorer, scoring, int(n_repeats), seed)
    whole = work.judge(columns.native, y, sample_weight)
    rows = _sample_size(max_samples, columns.n_rows)
    calls = [partial(_shuffled, work, whole, tuple(at), rows) for at in together.values()]
    found = run_jobs(calls, n_jobs, estimator, "2*n_jobs")
    results = {name: _result(work, name, whole[name], found, tuple(together)) for name in whole}
    return results[ONE] if set(results) == {ONE} else results


@dataclass(frozen=True)
class _Work:
    """What every column is looked at with."""

    estimator: Any
    columns: Columns
    y: Any
    weights: Any
    scorer: Callable[..., Any]
    scoring: Any
    repeats: int
    seed: int

    @property
    def named(self) -> dict[str, Callable[..., Any]]:
        """The scorers by name."""
        return self.scorer.scorers if isinstance(self.scorer, ManyScorers) else {ONE: self.scorer}

    def judge(self, X: Any, y: Any, weights: Any) -> dict[str, Judged]:
        """All scores of these rows, with what the rows add to them where that is known."""
        found: dict[str, Judged] = {}
        for name, scorer in self.named.items():
            value = judged(scorer, self.estimator, X, y, weights)
            if isinstance(value, dict):  # a scorer of one's own that gives several
                return value
            found[name] = value
        return found


def _shuffled(
    work: _Work, before: dict[str, Judged], positions: tuple[int, ...], rows: int
) -> dict[str, tuple[NDArray[np.float64], float]]:
    """Of each score: its falls, one for each shuffle, and the half-width of their mean."""
    draw = np.random.RandomState(work.seed)
    columns, y, weights = work.columns, work.y, work.weights
    if rows < columns.n_rows:
        chosen = np.sort(draw.permutation(columns.n_rows)[:rows])
        columns = read_columns(take_rows(columns.native, chosen), owner=_OWNER)
        y, weights = take_rows(y, chosen), take_rows(weights, chosen)
        before = work.judge(columns.native, y, weights)
    order, after = np.arange(columns.n_rows), []
    rows_of = order.copy()
    for _ in range(work.repeats):
        draw.shuffle(order)
        rows_of = rows_of[order]  # of what is shuffled already, as scikit-learn's
        after.append(work.judge(with_rows_of(columns, positions, rows_of), y, weights))
    found = {}
    for name, first in before.items():
        others = [each[name] for each in after]
        falls = np.array([first.score - each.score for each in others])
        found[name] = falls, half_widths(first, others)
    return found


def _result(
    work: _Work, name: str, whole: Judged, found: list[dict[str, Any]], features: tuple[str, ...]
) -> PermutationImportance:
    falls = np.array([each[name][0] for each in found])
    half = np.array([each[name][1] for each in found])
    mean = falls.mean(axis=1)
    return PermutationImportance(
        importances_mean=mean,
        importances_std=falls.std(axis=1),
        importances=falls,
        importances_low=mean - half,
        importances_high=mean + half,
        feature_names=features,
        baseline_score=whole.score,
        score_label=score_name(name or work.scoring, work.estimator).label,
    )


def _chosen(features: Sequence[str] | None, together: dict[str, list[int]]) -> dict[str, list[int]]:
    """The columns and groups that are asked for."""
    if features is None:
        return together
    unknown = [name for name in features if name not in together]
    if unknown or not len(features):
        what = f"there is no {unknown[0]!r}" if unknown else "it names none"
        raise InvalidParameterError(
            f"{_OWNER}: features must name columns or groups of X, but {what}; there are "
            f"{', '.join(list(together)[:8])}{' …' * (len(together) > 8)}."
        )
    return {name: together[name] for name in features}


def _groups(groups: Any, names: list[str]) -> dict[str, list[int]]:
    """Positions that are shuffled together, each group in the place of its first column."""
    if groups is None:
        return {
            name if names.count(name) == 1 else f"{name} ({k})": [k] for k, name in enumerate(names)
        }
    if not isinstance(groups, Mapping):
        raise InvalidParameterError(
            f"{_OWNER}: groups must map a name to the columns shuffled together, got {groups!r}."
        )
    members = {
        name: [position_of(each, names, _OWNER) for each in given] for name, given in groups.items()
    }
    taken = [k for each in members.values() for k in each]
    twice = sorted({names[k] for k in taken if taken.count(k) > 1})
    if twice or not all(members.values()):
        raise InvalidParameterError(
            f"{_OWNER}: a column belongs to one group at most and a group has one column at least; "
            f"{'twice: ' + ', '.join(twice) if twice else 'a group is empty'}."
        )
    alone = {names[k]: [k] for k in range(len(names)) if k not in taken}
    return dict(sorted((alone | members).items(), key=lambda each: min(each[1])))


def _sample_size(max_samples: Any, n: int) -> int:
    if is_integer(max_samples) and 1 <= max_samples <= n:
        return int(max_samples)
    if isinstance(max_samples, float) and 0.0 < max_samples <= 1.0:
        return max(1, int(max_samples * n))
    raise InvalidParameterError(
        f"{_OWNER}: max_samples must be a share in (0, 1] or a number of rows in [1, {n}], got "
        f"{max_samples!r}."
    )
