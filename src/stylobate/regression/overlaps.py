"""Why columns of a design cannot be told apart, said of the factors: empty cells, nested levels."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np

from stylobate.arrays import Indices
from stylobate.design.design import Design
from stylobate.design.frame import Frame
from stylobate.design.syntax import written
from stylobate.design.variables import FactorVariable

_NAMED = 3


def overlaps(
    design: Design, frame: Frame, kept: Indices, absorbed: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Sentences about combinations of levels without rows, and factors that follow from others.

    Parameters
    ----------
    design : Design
    frame : Frame
        The table of the fit, of which the rows ``kept`` count.
    absorbed : tuple of str
        Columns whose levels were swept out.
    """
    codes = {name: each.codes(frame)[kept] for name, each in design.factors.items()}
    lonely = [f"{each} is in one row" for each in _levels_of_one_row(design, frame, kept)]
    same = [
        f"{name} is the same in every row"
        for name in design.columns
        if not (name in codes or frame.is_label(name)) and np.ptp(frame.numbers(name)[kept]) == 0
    ]
    swept = {name: _numbered(frame, name)[kept] for name in absorbed}
    found = (*same, *_nested(codes, swept), *_empty_cells(design, codes))
    return found or tuple(lonely[:_NAMED])


def single_rows(design: Design, frame: Frame, kept: Indices) -> tuple[str, ...]:
    """A sentence about the levels that only one row has."""
    return single_row_note(_levels_of_one_row(design, frame, kept))


def single_row_note(found: list[str]) -> tuple[str, ...]:
    """The sentence about levels, each told as "'x' of column"."""
    if not found:
        return ()
    where = "is in one row" if len(found) == 1 else "are in one row each"
    return (
        f"{_listed(found)} {where}: the fit passes through such a row, its coefficient rests on it "
        "alone, and robust standard errors cannot see its noise; merge rare levels, or leave the "
        "row out.",
    )


def _levels_of_one_row(design: Design, frame: Frame, kept: Indices) -> list[str]:
    found = []
    for name, factor in design.factors.items():
        counts = np.bincount(factor.codes(frame)[kept], minlength=len(factor.levels))
        found += [f"{factor.levels[k]!r} of {name}" for k in np.flatnonzero(counts == 1)]
    return found


def _nested(codes: dict[str, Indices], swept: dict[str, Indices]) -> tuple[str, ...]:
    """Factors each of whose levels is within one level of another."""
    said, done = [], set()
    every = {**swept, **codes}
    pairs = [*permutations(codes, 2), *((a, b) for a in codes for b in swept)]
    for follows, leads in pairs:
        if (leads, follows) in done or not _follows(codes[follows], every[leads]):
            continue
        done.add((follows, leads))
        if leads in swept:
            said.append(f"{follows} follows from {leads}, which is absorbed")
        else:
            said.append(f"{follows} follows from {leads}: each {leads} has one {follows} only")
    return tuple(said)


def _follows(codes: Indices, given: Indices) -> bool:
    """Whether rows of one level of ``given`` all have the same code."""
    pairs = np.unique(np.stack([given, codes]), axis=1)
    return bool(len(np.unique(pairs[0])) == pairs.shape[1])


def _empty_cells(design: Design, codes: dict[str, Indices]) -> tuple[str, ...]:
    """Combinations of levels in interactions that no row has."""
    said: list[str] = []
    for i in range(len(design.terms.terms)):
        factors = _factors_of(design, i)
        for pair in combinations(factors, 2):
            a, b = pair
            counts = np.zeros((len(a.levels), len(b.levels)), dtype=np.intp)
            np.add.at(counts, (codes[a.column], codes[b.column]), 1)
            empty = [
                f"{a.column}={a.levels[j]!r} and {b.column}={b.levels[k]!r}"
                for j, k in np.argwhere(counts == 0)
            ]
            if empty:
                cells = "an empty cell" if len(empty) == 1 else "empty cells"
                words = f"{cells}: no row has {' or '.join(empty[:_NAMED])}"
                more = len(empty) - _NAMED
                words += f", and {more} more combinations are empty" if more > 0 else ""
                if words not in said:
                    said.append(words)
    return tuple(said)


def _factors_of(design: Design, i: int) -> list[FactorVariable]:
    found = (design.variables[written(node)] for node in design.terms.terms[i])
    return [each for each in found if isinstance(each, FactorVariable)]


def _numbered(frame: Frame, name: str) -> Indices:
    return np.unique(frame.labels(name).astype(str), return_inverse=True)[1].reshape(-1)


def _listed(words: list[str]) -> str:
    rest = len(words) - _NAMED
    return ", ".join(words[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
