"""Which rows are locked away, and how the others take turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)
from stylobate.study.question.question import Asked
from stylobate.study.results import SplitPlan
from stylobate.study.table.large import LargeTable
from stylobate.study.table.table import StudyTable


@dataclass(frozen=True, eq=False)
class Division:
    """The rows of a question, by their position in `Asked.rows`.

    Attributes
    ----------
    training, holdout : array of int
        Positions of the rows to learn from, and of the locked ones.
    folds : list of (train, test)
        Positions within `training`, those to learn from in an order drawn at random.
    groups : array or None
        The group of each position of `Asked.rows`.
    plan : SplitPlan
    """

    training: Indices
    holdout: Indices
    folds: list[tuple[Indices, Indices]]
    groups: NDArray[Any] | None
    plan: SplitPlan


def divide(table: StudyTable, asked: Asked, *, holdout: float, cv: int, seed: int) -> Division:
    """Lock a hold-out away and make the folds of the rest."""
    _check(holdout, cv)
    question = asked.question
    if question.time_column is not None:
        return _in_time(table, asked, holdout, cv, seed)
    if question.group is not None:
        return _by_group(table, asked, holdout, cv, seed)
    if table.large is not None:
        return _by_hash(table.large, asked, cv, seed)
    classes = question.task != "regression"
    folds = _folds_possible(asked, cv)
    maker: Any = StratifiedShuffleSplit if classes else ShuffleSplit
    n_rows = len(asked.y)
    size = max(round(holdout * n_rows), len(asked.labels), 2)
    strata = _strata(asked)
    training, locked = _one(maker(1, test_size=size, random_state=seed), strata, None)
    splitter: Any = StratifiedKFold if classes else KFold
    pairs = splitter(folds, shuffle=True, random_state=seed).split(
        np.zeros((len(training), 1)), strata[training]
    )
    kind = "stratified" if classes else "shuffled"
    how = (
        f"{len(locked)} rows drawn at random are locked away; the other {len(training)} take turns "
        f"in {folds} folds"
    )
    why = "each part has the classes in the same shares" if classes else "the rows have no order"
    plan = SplitPlan(kind, len(training), len(locked), folds, seed, f"{how}.", f"{why}.")
    return Division(training, locked, _listed(pairs, seed), None, plan)


def _by_hash(large: LargeTable, asked: Asked, cv: int, seed: int) -> Division:
    """Rows of a sample: those are locked away that the hash of the whole table locks away."""
    locked = large.locked_in_sample[asked.rows]
    training, held = np.flatnonzero(~locked), np.flatnonzero(locked)
    classes = asked.question.task != "regression"
    folds = _folds_possible(asked, cv)
    splitter: Any = StratifiedKFold if classes else KFold
    pairs = splitter(folds, shuffle=True, random_state=seed).split(
        np.zeros((len(training), 1)), _strata(asked)[training]
    )
    how = (
        f"Of {large.n_rows:,} rows {len(asked.y):,} are searched, drawn by a hash of their "
        f"numbers; another hash locks {len(held):,} of these away, and the other "
        f"{len(training):,} take turns in {folds} folds."
    )
    why = "the table is larger than the memory it may take, and a row's part never changes."
    plan = SplitPlan("hashed", len(training), len(held), folds, seed, how, why)
    return _checked(Division(training, held, _listed(pairs, seed), None, plan), asked, "a hash")


def _strata(asked: Asked) -> NDArray[Any]:
    """The targets; of two classes the same codes whichever is the positive one.

    Else the rows locked away would change with it, and be known before they are asked.
    """
    if asked.question.task == "binary" and asked.labels[0] > asked.labels[1]:
        return 1 - asked.y
    return asked.y


def _by_group(table: StudyTable, asked: Asked, holdout: float, cv: int, seed: int) -> Division:
    from stylobate.data.coding import code_column

    name = str(asked.question.group)
    groups = code_column(table.columns[name][asked.rows]).codes
    count = len(np.unique(groups))
    if count < 4:
        raise InvalidDataError(
            f"The column {name!r} has {count} group(s) in the rows with a target; a study that "
            "keeps groups together needs 4 or more."
        )
    maker = GroupShuffleSplit(1, test_size=holdout, random_state=seed)
    training, locked = _one(maker, asked.y, groups)
    left = len(np.unique(groups[training]))
    folds = min(cv, left)
    classes = asked.question.task != "regression"
    splitter: Any = (
        StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
        if classes
        else GroupKFold(folds, shuffle=True, random_state=seed)
    )
    strata = _strata(asked)[training]
    pairs = splitter.split(np.zeros((len(training), 1)), strata, groups[training])
    how = (
        f"{count - left} of {count} groups of {name} ({len(locked)} rows) are locked away; the "
        f"other {left} take turns in {folds} folds."
    )
    why = f"rows of the same {name} are never on both sides of a split."
    plan = SplitPlan("grouped", len(training), len(locked), folds, seed, how, why)
    found = Division(training, locked, _listed(pairs, seed), groups, plan)
    return _checked(found, asked, name)


def _in_time(table: StudyTable, asked: Asked, holdout: float, cv: int, seed: int) -> Division:
    name = str(asked.question.time_column)
    order = np.argsort(_moments(table, asked, name), kind="stable")
    size = max(round(holdout * len(order)), 2)
    training, locked = order[:-size], order[-size:]
    folds = min(cv, max(len(training) // 5 - 1, 2))
    pairs = TimeSeriesSplit(folds).split(np.zeros((len(training), 1)))
    how = (
        f"the last {len(locked)} rows by {name} are locked away; of the other {len(training)} each "
        f"of {folds} folds is predicted from the rows before it."
    )
    why = "what comes later must not help to predict what came before."
    plan = SplitPlan("in time", len(training), len(locked), folds, seed, how, why)
    return _checked(Division(training, locked, _listed(pairs, seed), None, plan), asked, name)


def _moments(table: StudyTable, asked: Asked, name: str) -> NDArray[Any]:
    """Something that sorts by time."""
    from stylobate.preprocessing.dates import moments_of
    from stylobate.preprocessing.table_parts import numbers_of

    column, values = table.schema[name], table.columns[name][asked.rows]
    if column.kind == "datetime":
        found: NDArray[Any] = moments_of(values, column.notation)
        gone = np.isnat(found)
    else:
        found = numbers_of(values)
        gone = np.isnan(found)
    if gone.any():
        raise InvalidDataError(
            f"time_column={name!r} is missing or no date in {int(gone.sum())} rows; rows can only "
            "be put in order if each has one."
        )
    return found


def _checked(found: Division, asked: Asked, name: str) -> Division:
    """Refuse folds in whose training part a class is missing."""
    if asked.question.task == "regression":
        return found
    y = asked.y[found.training]
    for train, _ in found.folds:
        absent = np.setdiff1d(np.arange(len(asked.labels)), y[train])
        if len(absent):
            raise InvalidDataError(
                f"Split by {name!r}, the class {str(asked.labels[absent[0]])!r} is missing from a "
                "training part; use fewer folds (cv), another column, or leave it out."
            )
    return found


def _one(splitter: Any, y: Any, groups: Any) -> tuple[Indices, Indices]:
    train, test = next(iter(splitter.split(np.zeros((len(y), 1)), y, groups)))
    return np.sort(train), np.sort(test)


def _listed(pairs: Any, seed: int) -> list[tuple[Indices, Indices]]:
    return [
        (np.asarray(train)[drawn_order(len(train), seed)], np.asarray(test))
        for train, test in pairs
    ]


def drawn_order(n_rows: int, seed: int) -> Indices:
    """The order in which models are given rows.

    Files come sorted, and a model that takes the first of equals (of neighbours that are equally
    near) would take the rows of one end.
    """
    return np.random.default_rng(seed).permutation(n_rows)


def _folds_possible(asked: Asked, cv: int) -> int:
    """No more folds than the rarest class has rows left."""
    if asked.question.task == "regression":
        return cv
    rarest = int(np.bincount(asked.y.astype(np.intp)).min())
    return max(2, min(cv, rarest - max(1, round(0.2 * rarest))))


def _check(holdout: float, cv: int) -> None:
    if isinstance(cv, bool) or not isinstance(cv, int | np.integer) or not 2 <= cv <= 50:
        raise InvalidParameterError(f"cv={cv!r} must be a whole number of folds from 2 to 50.")
    if isinstance(holdout, bool) or not isinstance(holdout, int | float) or not 0 < holdout < 0.9:
        raise InvalidParameterError(
            f"holdout={holdout!r} must be the share of the rows to lock away, such as 0.2: above "
            "0 and below 0.9."
        )
