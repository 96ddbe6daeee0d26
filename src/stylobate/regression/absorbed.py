"""Least squares beside absorbed factors: equal to the fit with a column per level, without them."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.design.frame import Frame
from stylobate.exceptions import InvalidDataError
from stylobate.optimize.absorption import Absorption


@dataclass(frozen=True, eq=False)
class AbsorbedFactor:
    """A factor that is swept out: its levels and their effects.

    Effects of several factors are known up to constants that are added to one and taken from
    another; their sum is what predictions use.

    Parameters
    ----------
    column : str
    levels : (G,) array
    effects : (G,) array
    n_single : int
        Levels of one row, which that row fits exactly.
    """

    column: str
    levels: Any
    effects: Array
    n_single: int

    def of(self, frame: Frame) -> Array:
        """The effect of each row's level; an unseen one is refused."""
        values = _labels(frame, self.column)
        if values.dtype.kind != self.levels.dtype.kind and "U" in (
            values.dtype.kind,
            self.levels.dtype.kind,
        ):
            values = values.astype(self.levels.dtype)
        place = np.minimum(np.searchsorted(self.levels, values), len(self.levels) - 1)
        strange = self.levels[place] != values
        if strange.any():
            row = int(np.argmax(strange))
            label = str(values[row])
            near = get_close_matches(label, [str(v) for v in self.levels[:10_000]], 1)
            meant = f"; did you mean {near[0]!r}?" if near else "."
            raise InvalidDataError(
                f"{frame.owner}: row {row} of the absorbed factor {self.column!r} is {label!r}, a "
                f"level the fit did not see{meant}"
            )
        return np.asarray(self.effects[place])


def _labels(frame: Frame, column: str) -> Any:
    values = frame.column(column)
    array = values if isinstance(values, np.ndarray) else values.to_numpy()
    if array.dtype.kind in "iubUM":
        return array
    if array.dtype.kind == "f":
        return array
    labels = frame.labels(column)
    return np.array([str(each) for each in labels.tolist()])


def factor_codes(
    frame: Frame, columns: list[str], kept: Indices
) -> tuple[list[Any], list[Indices]]:
    """Levels and codes of each factor in the rows that are kept."""
    levels, codes = [], []
    for column in columns:
        values = _labels(frame, column)[kept]
        found, numbers = _numbered(values)
        levels.append(found)
        codes.append(numbers)
    return levels, codes


def _numbered(values: Any) -> tuple[Any, Indices]:
    """The different values in order, and the number of each row's; whole numbers by counting."""
    if values.dtype.kind in "iuf" and len(values):
        low, high = values.min(), values.max()
        if np.isfinite([low, high]).all() and float(high) - float(low) < 4 * len(values) + 1000:
            place = (values - low).astype(np.intp)
            if values.dtype.kind != "f" or (place + low == values).all():
                seen = np.zeros(int(place.max()) + 1, dtype=bool)
                seen[place] = True
                number = np.cumsum(seen) - 1
                found = (np.flatnonzero(seen) + low).astype(values.dtype)
                return found, number[place]
    found, numbers = np.unique(values, return_inverse=True)
    return found, numbers.astype(np.intp).reshape(-1)


@dataclass(frozen=True, eq=False)
class AbsorbedFit:
    """What is left of a design and a target when factors are swept out.

    Parameters
    ----------
    x, y : arrays
        Residuals of the columns and of the target on the factors.
    absorption : Absorption
    effects : list of arrays
        Of the levels on every column, and on the target last; in the order of the absorption.
    levels : list of arrays
    columns : list of str
    """

    x: Array
    y: Array
    absorption: Absorption
    effects: list[Array]
    levels: list[Any]
    columns: list[str]

    @classmethod
    def of(
        cls,
        frame: Frame,
        columns: list[str],
        kept: Indices,
        x: Array,
        y: Array,
        weights: Array | None,
    ) -> AbsorbedFit:
        """Sweep."""
        levels, codes = factor_codes(frame, columns, kept)
        if weights is not None and (weights == 0).any():
            raise InvalidDataError(
                "model: rows of zero weight cannot be absorbed; leave them out of the table."
            )
        absorption = Absorption(tuple(codes), weights)
        together = np.empty((len(y), x.shape[1] + 1), order="F")
        together[:, :-1], together[:, -1] = x, y
        swept, effects = absorption.swept(together)
        left, length = (
            np.array([np.linalg.norm(column) for column in each.T]) for each in (swept[:, :-1], x)
        )
        swept[:, :-1][:, left <= 1e-9 * length] = 0.0  # constant within the levels
        return cls(swept[:, :-1], swept[:, -1], absorption, effects, levels, columns)

    def factors(self, coef: Array) -> tuple[AbsorbedFactor, ...]:
        """The levels' effects on what the columns leave of the target."""
        made: dict[int, AbsorbedFactor] = {}
        for j, each in zip(self.absorption.order, self.effects, strict=True):
            effect = each[:, -1] - each[:, :-1] @ coef
            counts = np.bincount(self.absorption.codes[j])
            made[j] = AbsorbedFactor(
                self.columns[j], self.levels[j], effect, int(np.count_nonzero(counts == 1))
            )
        return tuple(made[j] for j in range(len(self.columns)))


def levels_within_groups(frame: Frame, columns: list[str], kept: Indices, groups: Any) -> int:
    """Parameters of the absorbed factors whose levels each lie within one group of rows.

    Parameters
    ----------
    frame : Frame
    columns : list of str
        The absorbed factors.
    kept : indices
        The rows of the fit.
    groups : array of labels of these rows, or two of them
    """
    ways = groups if isinstance(groups, tuple) else (groups,)
    marks = [np.unique(np.asarray(way), return_inverse=True)[1].reshape(-1) for way in ways]
    codes = factor_codes(frame, columns, kept)[1]
    within = [each for each in codes if any(_lies_within(each, mark) for mark in marks)]
    return Absorption(tuple(within), None).rank - 1 if within else 0


def _lies_within(codes: Indices, groups: Indices) -> bool:
    """Whether rows of one level are all of one group."""
    first = np.zeros(int(codes.max()) + 1, dtype=np.intp)
    first[codes] = groups
    return bool((first[codes] == groups).all())
