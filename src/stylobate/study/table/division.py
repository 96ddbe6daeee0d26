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
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
from stylobate.study.question.question import Asked
from stylobate.study.results import SplitPlan
from stylobate.study.table.large import LargeTable
from stylobate.study.table.structure import Structure
from stylobate.study.table.table import StudyTable
from stylobate.study.table.time_order import by_time

_FEW_OF_CLASS = (5, 2, 1)  # rows of a class that the first fold in time learns from, if it can
_LATEST = 0.6  # of the rows in time, that the first fold may begin after


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

    @property
    def locked_units(self) -> Indices | None:
        """Which locked rows count as one: those of a group, those of a stretch of time."""
        if self.groups is not None:
            return np.unique(self.groups[self.holdout], return_inverse=True)[1]
        if self.plan.kind != "in time":
            return None
        n_rows = len(self.holdout)  # in the order of time
        return np.arange(n_rows) * _stretches(n_rows) // n_rows


def _stretches(n_rows: int) -> int:
    """How many stretches of time rows are cut into, whose means hardly depend on each other."""
    root: int = round(float(n_rows) ** 0.5)
    return max(min(n_rows, 8), min(root, 200))


def divide(
    table: StudyTable,
    asked: Asked,
    structure: Structure,
    *,
    holdout: float,
    cv: int,
    seed: int,
) -> Division:
    """Lock a hold-out away and make the folds of the rest.

    Where what was noticed of the rows leaves too little to learn from, they are drawn at random,
    and the plan says so; what the caller asked for is refused instead.
    """
    _check(holdout, cv)
    if table.large is not None:
        return _by_hash(table.large, asked, structure, cv, seed)
    try:
        if structure.order is not None:
            return _in_time(asked, structure, holdout, cv, seed)
        if structure.groups is not None:
            return _by_group(asked, structure, holdout, cv, seed)
    except InvalidDataError as error:
        if not structure.words:
            raise
        why = _lowered(str(error).partition(";")[0].rstrip("."))
        said = f"{structure.words}, but no split by that can be made ({why})"
        said += ", so rows are drawn at random"
        return _at_random(asked, said, holdout, cv, seed)
    return _at_random(asked, "", holdout, cv, seed)


def _lowered(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:]}"


def _at_random(asked: Asked, noticed: str, holdout: float, cv: int, seed: int) -> Division:
    question = asked.question
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
    plan = SplitPlan(kind, len(training), len(locked), folds, seed, f"{how}.", f"{why}.", noticed)
    return Division(training, locked, _listed(pairs, seed), None, plan)


def _by_hash(large: LargeTable, asked: Asked, structure: Structure, cv: int, seed: int) -> Division:
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
    larger = "is larger than the memory it may take" if large.stream.here else "is on a cluster"
    why = f"the table {larger}, and a row's part never changes."
    said, here = "", large.stream.here
    if structure.words:
        said = (
            f"{structure.words}, but of a table that is sampled rows are locked away at random"
            + ("; name the column (--time-column, --group), and all rows are read" * here)
        )
    plan = SplitPlan("hashed", len(training), len(held), folds, seed, how, why, said)
    return _checked(Division(training, held, _listed(pairs, seed), None, plan), asked, "a hash")


def _strata(asked: Asked) -> NDArray[Any]:
    """The targets; of two classes the same codes whichever is the positive one.

    Else the rows locked away would change with it, and be known before they are asked.
    """
    if asked.question.task == "binary" and asked.labels[0] > asked.labels[1]:
        return 1 - asked.y
    return asked.y


def _by_group(asked: Asked, structure: Structure, holdout: float, cv: int, seed: int) -> Division:
    groups, name = structure.groups, structure.name
    assert groups is not None
    count = len(np.unique(groups))
    if count < 4:
        raise InvalidDataError(
            f"The column {name!r} has {count} group(s) in the rows with a target; a study that "
            "keeps groups together needs 4 or more."
        )
    classes = asked.question.task != "regression"
    if classes and not name and holdout <= 0.5:  # groups of a row or two can be stratified
        maker: Any = StratifiedGroupKFold(round(1 / holdout), shuffle=True, random_state=seed)
        training, locked = _one(maker, _strata(asked), groups)
    else:
        held = _groups_of_share(groups, holdout, seed)
        training, locked = np.flatnonzero(~held), np.flatnonzero(held)
    left = len(np.unique(groups[training]))
    folds = min(cv, left)
    strata = _strata(asked)[training]
    known = _drawn_names(groups[training], seed)
    splitter: Any = (
        StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
        if classes
        else GroupKFold(folds)  # as many rows in each as sizes of groups allow
    )
    pairs = splitter.split(np.zeros((len(training), 1)), strata, known)
    if name:
        how = (
            f"{count - left} of {count} groups of {name} ({len(locked)} rows) are locked away; the "
            f"other {left} take turns in {folds} folds."
        )
        why = f"rows of the same {name} are never on both sides of a split."
    else:
        how = (
            f"{len(locked)} rows are locked away; the other {len(training)} take turns in {folds} "
            "folds."
        )
        why = "rows that repeat each other are never on both sides of a split."
    kind = "grouped" if name else "repeats together"
    plan = SplitPlan(
        kind, len(training), len(locked), folds, seed, how, why, structure.words
    )  # fmt: skip
    found = Division(training, locked, _listed(pairs, seed), groups, plan)
    return _checked(found, asked, name or "rows that repeat each other")


def _groups_of_share(groups: Indices, share: float, seed: int) -> NDArray[np.bool_]:
    """Which rows are those of some groups, drawn at random, that hold about a share of the rows.

    A group that would take more than its place is passed over: few hold most rows now and then.
    """
    sizes = np.bincount(groups)
    wanted = max(share * len(groups), 2.0)
    order = np.random.default_rng(seed).permutation(np.flatnonzero(sizes))
    chosen, rows = np.zeros(len(sizes), dtype=bool), 0
    for place in order[:-2]:  # two groups are left at least
        if rows + sizes[place] <= wanted + 0.5 * min(sizes[place], wanted):
            chosen[place] = True
            rows += int(sizes[place])
    if not chosen.any():
        chosen[np.argmin(np.where(sizes, sizes, len(groups) + 1))] = True
    return np.asarray(chosen[groups])


def _drawn_names(groups: Indices, seed: int) -> Indices:
    """The groups under other numbers, in an order drawn at random: files come sorted."""
    codes = np.unique(groups, return_inverse=True)[1]
    return np.asarray(np.random.default_rng(seed).permutation(int(codes.max()) + 1)[codes])


def _in_time(asked: Asked, structure: Structure, holdout: float, cv: int, seed: int) -> Division:
    time = structure.order
    assert time is not None
    name = ", ".join(time.names)
    order = by_time(time)
    moments = time.moments[order]
    size = max(round(holdout * len(order)), 2)
    first = _first_of_moment(moments, len(order) - size)
    training, locked = order[:first], order[first:]
    folds = min(cv, max(len(training) // 5 - 1, 2))
    classes = None if asked.question.task == "regression" else asked.y[training]
    pairs = _parts_of_time(moments[:first], folds, classes)
    how = (
        f"the last {len(locked)} rows by {name} are locked away; of the other {len(training)} each "
        f"of {folds} folds is predicted from the rows before it."
    )
    why = "what comes later must not help to predict what came before."
    plan = SplitPlan("in time", len(training), len(locked), folds, seed, how, why, structure.words)
    return _checked(Division(training, locked, _listed(pairs, seed), None, plan), asked, name)


def _first_of_moment(moments: NDArray[np.float64], place: int) -> int:
    """The first row of the same moment, so that none is on both sides; `place` if that is all."""
    found = int(np.searchsorted(moments, moments[place]))
    return found if found > 0.5 * place else place


def _parts_of_time(
    moments: NDArray[np.float64], folds: int, classes: NDArray[Any] | None
) -> list[tuple[Indices, Indices]]:
    """Parts of equal length, each after the first predicted from all rows before it.

    The first one is longer where a class comes late or seldom: models need a few rows of each.
    """
    n_rows = len(moments)
    rows = np.arange(n_rows)
    size = n_rows // (folds + 1)
    begin = n_rows - folds * size
    if classes is not None:
        late = [_all_classes_by(classes, few) for few in _FEW_OF_CLASS]
        begin = max(begin, next((each for each in late if each <= _LATEST * n_rows), 0))
    places = np.round(np.linspace(begin, n_rows, folds + 1)).astype(int)
    starts = [_first_of_moment(moments, int(place)) for place in places[:-1]]
    ends = [*starts[1:], n_rows]
    return [(rows[:a], rows[a:b]) for a, b in zip(starts, ends, strict=True) if b > a]


def _all_classes_by(classes: NDArray[Any], few: int) -> int:
    """The rows, from the first on, that hold a few of each class; of a rare one half of them."""
    found = 0
    for each in np.unique(classes):
        places = np.flatnonzero(classes == each)
        found = max(found, int(places[min(few, -(-len(places) // 2)) - 1]) + 1)
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
