"""The rules by which a value is said to lie far out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array, Indices, Mask
from stylobate.exploration.cells import Cells

AMOUNTS = ("numeric", "geospatial")
CATEGORIES = ("nominal", "ordinal", "binary")
NORMAL = 1.482602218505602  # standard deviations to a median absolute deviation of normal values
_REACH = 1.5
_SPREADS = 3.5
_RARE = 0.001
_USUAL = 5  # rows of a category that is not rare
_MOSTLY = 0.95
_LEAST_ROWS = 5
_CATEGORY_ROWS = 50
_CHANCE = 1e-4  # of a row beyond the bound of the rule "together"
_MOST_COLUMNS = 30
_FEWEST = 10  # rows for each column
_PULLED = 2.5  # spreads to which far values are pulled in


@dataclass(frozen=True)
class Found:
    """What a rule found in a column: places of rows, how far out, and words for each of them."""

    rule: str
    places: Indices
    distances: Array
    words: Callable[[int], str]


def box(cells: Cells) -> Found | None:
    """Beyond the quartiles by more than 1.5 times their distance."""
    values = _amounts(cells)
    if values is None:
        return None
    low, high = np.nanquantile(values, [0.25, 0.75])
    reach = _REACH * (high - low)
    if not reach > 0:
        return None
    places = np.flatnonzero((values < low - reach) | (values > high + reach))
    far = values[places]
    above = far > high

    def words(k: int) -> str:
        if above[k]:
            bound, side = high + reach, "above {}, the upper quartile and"
        else:
            bound, side = low - reach, "below {}, the lower quartile less"
        return f"{side.format(f'{bound:.4g}')} 1.5 times the distance of the quartiles"

    return Found("box", places, np.where(above, far - high, low - far) / reach, words)


def spread(cells: Cells) -> Found | None:
    """Further from the median than 3.5 median absolute deviations (as standard deviations)."""
    values = _amounts(cells)
    if values is None:
        return None
    middle, unit = middle_and_spread(values)
    if not unit > 0:
        return None
    away = np.abs(values - middle) / unit
    places = np.flatnonzero(away > _SPREADS)

    def words(k: int) -> str:
        times = f"{away[places[k]]:.3g} times the usual distance from the median {middle:.4g}"
        return f"{times}, more than {_SPREADS:g}"

    return Found("spread", places, away[places] / _SPREADS, words)


def rare(cells: Cells) -> Found | None:
    """A category of few rows, where the others are not."""
    present = cells.codes >= 0
    n = int(present.sum())
    if cells.column.kind not in CATEGORIES or n < _CATEGORY_ROWS:
        return None
    counts = cells.counts
    few = counts <= max(1, int(_RARE * n))
    if counts[counts >= _USUAL].sum() < _MOSTLY * n or not few.any():
        return None
    places = np.flatnonzero(present & few[cells.codes])
    each = counts[cells.codes[places]]

    def words(k: int) -> str:
        return f"in {_rows(int(each[k]))} of {n:,}, most values in many more"

    return Found("rare", places, max(1.0, _RARE * n) / each, words)


RULES: dict[str, Callable[[Cells], Found | None]] = {"box": box, "spread": spread, "rare": rare}


def together(
    cells: Sequence[Cells], alone: Mask
) -> Iterator[tuple[int, tuple[Indices, float, str]]]:
    """Rows whose numbers are ordinary one by one (not in ``alone``), but not together.

    Gives the place of each row with the columns it is most unusual in, how far out, and words.
    """
    owners, scaled = _scaled(cells)
    if len(owners) < 2:
        return
    whole = np.isfinite(scaled).all(axis=1)
    if whole.sum() < _FEWEST * len(owners):
        return
    from scipy.special import chdtri

    pulled = np.clip(scaled[whole], -_PULLED, _PULLED)
    correlation = np.corrcoef(pulled.T)
    values, vectors = np.linalg.eigh(correlation)
    kept = values > 1e-6 * values[-1]
    inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    sd = pulled.std(axis=0)
    centred = (scaled - pulled.mean(axis=0)) / sd
    parts = centred * (np.where(np.isfinite(centred), centred, 0.0) @ inverse)
    squared = parts.sum(axis=1)
    bound = float(chdtri(int(kept.sum()), _CHANCE))
    for place in np.flatnonzero(whole & ~alone & (squared > bound)):
        most = np.sort(np.argsort(-parts[place], kind="stable")[:2])
        words = (
            f"ordinary one by one, but not together: squared distance {squared[place]:.3g} from "
            f"the middle of {len(owners)} columns, where one row in 10,000 is beyond {bound:.3g}"
        )
        yield int(place), (owners[most], float(squared[place] / bound), words)


def middle_and_spread(values: Array) -> tuple[float, float]:
    """Median, and median absolute deviation as a standard deviation, of the values there are.

    >>> middle_and_spread(np.array([1.0, 2.0, 3.0, np.nan]))
    (2.0, 1.482602218505602)
    """
    middle = float(np.nanmedian(values))
    return middle, float(NORMAL * np.nanmedian(np.abs(values - middle)))


def _scaled(cells: Sequence[Cells]) -> tuple[Indices, Array]:
    """Columns of amounts in units of their spread, and which they are."""
    owners, columns = [], []
    for k, each in enumerate(cells):
        values = _amounts(each)
        if values is None:
            continue
        middle, unit = middle_and_spread(values)
        if unit > 0:
            owners.append(k)
            columns.append((values - middle) / unit)
    owners, columns = owners[:_MOST_COLUMNS], columns[:_MOST_COLUMNS]
    return np.array(owners, dtype=np.intp), np.column_stack(columns) if columns else np.empty(0)


def _amounts(cells: Cells) -> Array | None:
    """The finite numbers of a column of amounts, NaN where there is none; None for others."""
    if not cells.is_numeric or cells.column.kind not in AMOUNTS:
        return None
    values = cells.numbers()
    values = np.where(np.isfinite(values), values, np.nan)
    return values if np.isfinite(values).sum() >= _LEAST_ROWS else None


def _rows(count: int) -> str:
    return "one row" if count == 1 else f"{count} rows"
