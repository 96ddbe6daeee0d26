"""Classifiers that learn from a statistic of each class: labels, `partial_fit` with classes."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base.availability import available_if
from stylobate.base.classes import agreed_classes
from stylobate.base.learning import LearnsFromStatistic
from stylobate.base.mixins import ClassifierMixin
from stylobate.base.tags import Tags
from stylobate.data import Table, read_labels
from stylobate.exceptions import InvalidDataError
from stylobate.statistics import Recipe, Source


class LearnsFromClasses(ClassifierMixin, LearnsFromStatistic):
    """`LearnsFromStatistic` for labels: the statistic knows its classes and merges them.

    Subclasses write `_solve(statistic, source)` for a statistic of kind `_statistic`, which has
    `classes`, `n_rows`, `of_classes` and `present`.
    """

    classes_: NDArray[Any]
    _least_classes = 1

    def _tags(self) -> Tags:
        return super()._tags().but(tier="one pass")

    @property
    def _takes_statistic(self) -> bool:
        return not self._needs_rows

    @abstractmethod
    def _solve(self, statistic: Any, source: Source) -> None:
        """Store the answer; ``classes_`` is set before."""

    def _read(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool, **options: Any
    ) -> Table:
        if y is None:
            return super()._read(X, None, sample_weight, reset=reset, **options)
        options |= {"y_required": False}
        table = super()._read(X, None, sample_weight, reset=reset, **options)
        classes, codes = read_labels(y, owner=type(self).__name__, n_rows=table.n_rows)
        announced = getattr(self, "_announced", None)
        if announced is not None and not (known := np.isin(classes, announced)).all():
            raise InvalidDataError(
                f"{type(self).__name__}: the target label(s) {classes[~known].tolist()!r} in y do "
                f"not exist in the initial classes {announced.tolist()!r}."
            )
        column = codes.astype(np.float64)[:, np.newaxis]
        return replace(table, y=column, y_is_vector=True, classes=classes)

    def _start_afresh(self) -> None:
        super()._start_afresh()
        self._announced: NDArray[Any] | None = None

    def _part_recipe(self, table: Table) -> Recipe[Any] | None:
        kind: Any = self._statistic
        return None if self._needs_rows else kind

    def _statistic_for(self, source: Source) -> Any:
        """The statistic to ask a source for; less than `_statistic` where rows are at hand."""
        return self._statistic

    def _learn(self, source: Source) -> None:
        statistic = source.compute(self._statistic_for(source))
        announced = getattr(self, "_announced", None)
        known = statistic.present() if announced is None else statistic.of_classes(announced)
        seen = known.classes[known.n_rows > 0]
        if len(seen) < self._least_classes:
            raise InvalidDataError(
                f"{type(self).__name__} needs samples of at least {self._least_classes} classes in "
                f"the data, but the data contains only one class: {seen.tolist()[0]!r}."
            )
        self.classes_ = known.classes
        self._solve(known, source)
        self.statistic_ = known

    @available_if(lambda self: not self._needs_rows)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from more rows, as if they and all rows so far had been given to `fit`.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        classes : array-like of shape (n_classes,), optional
            All labels there will be; needed in the first call.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._announced = self._agreed(classes)
        super().partial_fit(X, y, sample_weight)
        return self

    def _agreed(self, classes: Any) -> NDArray[Any]:
        """The classes of the first call; refuses others later."""
        return agreed_classes(getattr(self, "classes_", None), classes, type(self).__name__)
