"""Folds of rows that come in batches: those `KFold` gives, moments and errors by passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np

from stylobate.arrays import Array
from stylobate.data import Table
from stylobate.exceptions import InvalidDataError
from stylobate.linear_model.shared.coefficient_path import CoefficientPath
from stylobate.statistics import Moments, Source, TriangularFactor
from stylobate.statistics.parts import PartStatistics
from stylobate.statistics.rows import counted


def folds_by_order(cv: Any) -> bool:
    """Whether ``cv`` stands for folds of rows that follow each other, which batches can tell.

    Examples
    --------
    >>> folds_by_order(None), folds_by_order(3), folds_by_order([([0], [1])])
    (True, True, False)
    """
    return cv is None or isinstance(cv, Integral)


@dataclass(frozen=True, slots=True, eq=False)
class StreamFolds:
    """The moments of folds of consecutive rows, in the sizes `KFold` gives them.

    Where the number of rows is not known a pass counts them; one more collects the moments.

    Parameters
    ----------
    source : Source
    parts : list of slices
        The rows of each fold.
    known : PartStatistics
        Their moments.
    """

    source: Source
    parts: list[slice]
    known: PartStatistics[Moments]

    @classmethod
    def of(cls, source: Source, n_folds: int, owner: str, *, fewest: int = 1) -> Self:
        """Read the folds; refuses one with fewer than `fewest` rows of positive weight."""
        n_rows = source.count_rows()
        require_rows(n_rows, n_folds, owner)
        sizes = np.full(n_folds, n_rows // n_folds)
        sizes[: n_rows % n_folds] += 1
        ends = np.cumsum(sizes).tolist()
        parts = [slice(end - size, end) for end, size in zip(ends, sizes.tolist(), strict=True)]
        atoms = source.compute_parts(Moments, parts)
        for k, atom in enumerate(atoms):
            if atom.n_rows < fewest:
                raise InvalidDataError(
                    f"{owner}: fold {k} of the cross-validation has {atom.n_rows} rows of positive "
                    f"weight, and its score needs {fewest}; use fewer folds."
                )
        owners = [(np.arange(n_folds) == k).astype(np.intp) for k in range(n_folds)]
        return cls(source, parts, PartStatistics(atoms, owners, complete=True))

    @property
    def trains(self) -> list[Moments]:
        """Of the rows outside each fold."""
        return [train for train, _ in self.known.parts]

    @property
    def tests(self) -> Sequence[Moments]:
        """Of each fold."""
        return self.known.atoms

    def squared_errors(self, path: CoefficientPath, fold: int) -> Array:
        """Σ ω (y − ŷ)² in a fold (alphas × targets): from its moments, else by one more pass."""
        found = path.squared_errors(self.tests[fold])
        if found is not None:
            return found
        return self.source.compute_parts(PathErrors(path), [self.parts[fold]])[0].squares

    def training_factor(self, fold: int) -> TriangularFactor:
        """Of the rows outside a fold, which has the digits their moments have lost: a pass."""
        others = [part for k, part in enumerate(self.parts) if k != fold]
        factors = self.source.compute_parts(TriangularFactor, others)
        return reduce(TriangularFactor.merge, factors)


def require_rows(n_rows: int, n_folds: int, owner: str) -> None:
    """Refuse more folds than rows."""
    if n_rows < n_folds:
        fewer = f" or fewer folds (cv={n_rows})" if n_rows > 1 else ""
        raise InvalidDataError(
            f"{owner}: {n_folds} folds need at least {n_folds} rows, got n_samples={n_rows}; give "
            f"more rows{fewer}."
        )


@dataclass(frozen=True, slots=True, eq=False)
class PathErrors:
    """A recipe: squared errors of the models of a path."""

    path: CoefficientPath

    def of(self, table: Table) -> SquaredErrorSums:
        """Of the rows of a table."""
        table = counted(table)
        assert table.y is not None
        squares = (self.path.predict(table.x) - table.y) ** 2
        w = np.ones(table.n_rows) if table.weights is None else table.weights
        return SquaredErrorSums(np.einsum("n,ant->at", w, squares))


@dataclass(frozen=True, slots=True, eq=False)
class SquaredErrorSums:
    """Σ ω (y − ŷ)² (alphas × targets)."""

    squares: Array
    subtractable: ClassVar[bool] = False

    def merge(self, other: Self) -> Self:
        """Of both parts' rows."""
        return type(self)(self.squares + other.squares)

    def column_lengths(self) -> Array:
        return np.zeros(0)

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.squares).all())
