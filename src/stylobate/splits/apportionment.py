"""Whole numbers of rows in proportion to shares: of all rows, and of every class at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Integers


def apportion(total: int, shares: Any) -> Integers:
    """Whole numbers in proportion to shares, adding up to the total: largest remainders go up.

    >>> apportion(10, [0.6, 0.2, 0.2]).tolist(), apportion(7, [0.6, 0.2, 0.2]).tolist()
    ([6, 2, 2], [4, 2, 1])
    """
    exact = np.asarray(shares, dtype=np.float64) * total
    whole = np.floor(exact + 1e-9).astype(np.int64)
    missing = round(float(exact.sum())) - int(whole.sum())
    whole[np.argsort(whole - exact, kind="stable")[:missing]] += 1
    return whole


def apportion_table(rows: Integers, columns: Integers) -> Integers:
    """Whole numbers nᵢⱼ that add up to both margins, each less than 1 from rowsᵢ·columnsⱼ/total.

    Starting from the exact shares, amounts are moved around cycles of fractional cells until one
    of them is whole; every cycle leaves all margins as they are (controlled rounding).

    Parameters
    ----------
    rows, columns : arrays of int, shapes (r,) and (c,)
        Margins of equal sum.

    Returns
    -------
    array of int of shape (r, c)

    Examples
    --------
    >>> apportion_table(np.array([5, 3]), np.array([4, 2, 2])).tolist()
    [[3, 1, 1], [1, 1, 1]]

    References
    ----------
    Cox (1987), A constructive procedure for unbiased controlled rounding, JASA 82.
    """
    total = int(rows.sum())
    # in units of 1/total every amount is a whole number: nothing is rounded on the way
    exact = [[int(a) * int(b) for b in columns] for a in rows]
    whole = np.array([[cell // total for cell in row] for row in exact], dtype=np.int64)
    left = [[cell % total for cell in row] for row in exact]
    open_rows = [{i for i, row in enumerate(left) if row[j]} for j in range(len(columns))]
    for i in range(len(left)):
        while any(left[i]):
            _move(left, open_rows, _cycle(left, open_rows, i), whole, total)
    return whole


def _cycle(left: list[list[int]], open_rows: list[set[int]], row: int) -> list[tuple[int, int]]:
    """Fractional cells, alternately in one row and in one column, back to the first.

    Margins are whole, so a row or column with one fractional cell has another.
    """
    cells: list[tuple[int, int]] = []
    rows, columns = {row: 0}, {-1: 0}  # how many cells lay behind when each was entered
    column = -1
    while True:
        column = next(j for j, part in enumerate(left[row]) if part and j != column)
        cells.append((row, column))
        if column in columns:
            return cells[columns[column] :]
        columns[column] = len(cells)
        row = next(i for i in open_rows[column] if i != row)
        cells.append((row, column))
        if row in rows:
            return cells[rows[row] :]
        rows[row] = len(cells)


def _move(
    left: list[list[int]],
    open_rows: list[set[int]],
    cycle: list[tuple[int, int]],
    whole: Integers,
    total: int,
) -> None:
    """Add to every other cell and take from the rest, as much as makes the first one whole."""
    up, down = cycle[::2], cycle[1::2]
    amount = min(min(total - left[i][j] for i, j in up), min(left[i][j] for i, j in down))
    for cells, sign in ((up, 1), (down, -1)):
        for i, j in cells:
            left[i][j] += sign * amount
            if left[i][j] == total:
                whole[i, j] += 1
                left[i][j] = 0
            if left[i][j] == 0:
                open_rows[j].discard(i)
