"""What each table is worth: the chosen model fitted without it, on the same folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from stylobate.arrays import Indices
from stylobate.inference.comparisons.paired import corrected_interval, corrected_mean
from stylobate.model_selection.validation.split_sizes import test_to_train
from stylobate.study.question.question import Asked
from stylobate.study.results.relations import TableWorth, Worth
from stylobate.study.search.encoding import EncodedFold, FoldEncodings
from stylobate.study.search.families import Family, Setting
from stylobate.study.search.fold_fits import run_fold, scored
from stylobate.study.search.store import StudyStore

_LEVEL = 0.95
SPARE: tuple[Worth, ...] = ("could be left out", "better left out")
_FEWEST = 300  # training rows of a fold that are always taken


class WorthOfTables:
    """Paired differences of scores with and without tables.

    Parameters
    ----------
    asked : Asked
    family, setting
        The model.
    encodings : FoldEncodings
        Of the training rows.
    columns : mapping of str to tuple of str
        The columns that go when a table is left out.
    through : mapping of str to tuple of str
        The further tables that go with it.
    price : float
        Seconds a fit to one fold takes, about.
    budget : float
        Seconds that may be spent; folds are thinned to keep to it.
    store : StudyStore
        Keeps the scores.
    """

    def __init__(
        self,
        asked: Asked,
        family: Family,
        setting: Setting,
        encodings: FoldEncodings,
        columns: Mapping[str, tuple[str, ...]],
        through: Mapping[str, tuple[str, ...]],
        price: float,
        budget: float,
        store: StudyStore,
    ) -> None:
        self.asked, self.family, self.setting = asked, family, setting
        self.columns, self.through, self.store = columns, through, store
        n_train = min(len(train) for train, _ in encodings.folds)
        fits = (len(columns) + 2) * len(encodings.folds)
        share = budget / max(price * fits, 1e-9)
        self.rows = n_train if share >= 1.0 else max(int(share * n_train), min(_FEWEST, n_train))
        self.thinned = self.rows < n_train
        self.encodings = thinner(encodings, self.rows) if self.thinned else encodings

    def each(self) -> tuple[TableWorth, ...]:
        """Every table by itself, the most telling first."""
        found = [self._without((name,)) for name in self.columns]
        known = [each for each in found if each is not None]
        return tuple(sorted(known, key=lambda each: -each.loss))

    def together(self, each: Sequence[TableWorth]) -> TableWorth | None:
        """The most tables that can be left out at once at no loss, the least telling first.

        Two tables may say the same: each can go, but not both.
        """
        weak = [one.tables[0] for one in each if one.verdict in SPARE]
        while len(weak) > 1:
            found = self._without(tuple(weak))
            if found is not None and found.verdict in SPARE:
                return found
            weak = weak[1:]  # the most telling of them stays
        return None

    def _without(self, tables: tuple[str, ...]) -> TableWorth | None:
        base, other = self._scores(()), self._scores(tables)
        if base is None or other is None:
            return None
        apart = np.array(base) - np.array(other)
        ratio = test_to_train(self.encodings.folds)
        loss, low, high = corrected_interval(apart, ratio, _LEVEL)
        _, error = corrected_mean(apart, ratio)
        mean = self.asked.sign * float(np.mean(other))
        further = {each for name in tables for each in self.through[name]}
        also = tuple(sorted(further - {*tables}))
        return TableWorth(tables, also, mean, loss, low, high, _verdict(loss, low, high, error))

    def _scores(self, tables: tuple[str, ...]) -> list[float] | None:
        """Scores of the folds, more being better; None where a fit fails."""
        name = f"without tables: {self.setting.key}, {self.rows} rows: {', '.join(sorted(tables))}"
        if name not in self.store.facts:
            gone = {name for table in tables for name in self.columns[table]}
            self.store.remember(name, self._fit(gone))
        found = self.store.facts[name]
        return list(found) if found else None

    def _fit(self, gone: set[str]) -> list[float]:
        encodings = self.encodings
        if gone:
            kept = [name for name in encodings.table.columns if name not in gone]
            if not kept:
                return self._of_nothing()
            schema = encodings.schema
            columns = tuple(each for each in schema.columns if each.name not in gone)
            encodings = FoldEncodings(
                encodings.table.select(kept), replace(schema, columns=columns), encodings.y,
                encodings.folds, encodings.task,
            )  # fmt: skip
        found = []
        for number in range(len(encodings.folds)):
            score = self._score(encodings.fold(self.family.encoding, number))
            if gone:
                encodings.release()
            if score is None:
                return []
            found.append(score)
        return found

    def _score(self, fold: EncodedFold) -> float | None:
        (outcome,) = run_fold(self.asked, self.family, [self.setting], fold)
        return scored(outcome, 0.0).score

    def _of_nothing(self) -> list[float]:
        """Scores where no column is left: a constant to learn from."""
        folds = range(len(self.encodings.folds))
        found = [self._score(self.encodings.blank(number)) for number in folds]
        return [] if None in found else [float(each) for each in found if each is not None]


def _verdict(loss: float, low: float, high: float, error: float) -> Worth:
    if low > 0.0:
        return "earned its place"
    if high < 0.0:
        return "better left out"
    return "undecided" if loss > error else "could be left out"


def thinner(encodings: FoldEncodings, rows: int) -> FoldEncodings:
    """The same folds with so many training rows, evenly spaced, and a quarter as many others."""
    folds = [
        (_spaced(train, rows), _spaced(test, max(rows // 4, 1))) for train, test in encodings.folds
    ]
    return FoldEncodings(encodings.table, encodings.schema, encodings.y, folds, encodings.task)


def _spaced(rows: Indices, count: int) -> Indices:
    places = np.linspace(0, len(rows) - 1, min(count, len(rows))).astype(np.intp)
    return np.asarray(rows)[places]
