"""What sets a cluster apart from the other rows, by effect sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stylobate.arrays import Array, Mask
from stylobate.exploration.cells import Cells
from stylobate.exploration.clusters.report import DIFFERENCE, RATIO, Trait
from stylobate.exploration.summaries.values import value_text
from stylobate.report import fixed, number, percent

MOST = 5  # traits of a cluster that are told
LEAST = 0.5  # effect from which on a column sets a cluster apart: a medium one in Cohen's words
_CATEGORIES = 50  # of a column, the commonest, that are looked at
_LIMIT = 10.0  # the effect where a column is constant on both sides, and has no scale
_DAY = 86_400e6  # microseconds


def traits_of(cells: Sequence[Cells], inside: Mask) -> tuple[Trait, ...]:
    """All differences between some rows and the others, the strongest first.

    Parameters
    ----------
    cells : sequence of Cells
        The columns.
    inside : array of bool
        Which rows are meant.
    """
    if not inside.any() or inside.all():
        return ()
    found = [trait for each in cells for trait in _of_column(each, inside)]
    return tuple(sorted(found, key=lambda trait: -abs(trait.effect)))


def _of_column(cells: Cells, inside: Mask) -> list[Trait]:
    found = [_amount(cells, inside)] if is_amount(cells) else _shares(cells, inside)
    gone = cells.codes < 0
    if gone.any():
        found.append(_share(cells.column.name, None, "is missing", gone, inside))
    return [trait for trait in found if trait is not None]


def is_amount(cells: Cells) -> bool:
    """Whether means of a column say something: numbers that are no codes, and moments."""
    return cells.is_temporal or (
        cells.is_numeric and cells.column.kind not in ("nominal", "binary")
    )


def amounts(cells: Cells) -> Array:
    """A column of numbers or moments (in days) as numbers; NaN where missing."""
    if cells.is_temporal:
        days = cells.values.astype("M8[us]").astype(np.int64) / _DAY
        return np.asarray(np.append(days, np.nan)[cells.codes])
    return cells.numbers()


def standardized_difference(a: Array, b: Array) -> float:
    r"""Cohen's d, the difference of two means in pooled standard deviations.

    .. math:: d = \frac{\bar a - \bar b}{s}, \qquad
              s^2 = \frac{(n_a - 1) s_a^2 + (n_b - 1) s_b^2}{n_a + n_b - 2}

    >>> round(standardized_difference(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])), 3)
    -3.0
    """
    if not len(a) or not len(b):
        return 0.0
    difference = float(a.mean() - b.mean())
    scatter = float(((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum())
    spread = np.sqrt(scatter / max(len(a) + len(b) - 2, 1))
    if spread <= 1e-12 * max(abs(a.mean()), abs(b.mean())):
        return float(np.sign(difference)) * _LIMIT if difference else 0.0
    return difference / float(spread)


def share_difference(a: float, b: float) -> float:
    r"""Cohen's h of two shares, on the scale of d: :math:`2 \arcsin\sqrt a - 2 \arcsin\sqrt b`.

    >>> round(share_difference(0.5, 0.25), 3), share_difference(0.3, 0.3)
    (0.524, 0.0)
    """
    return float(2.0 * np.arcsin(np.sqrt(a)) - 2.0 * np.arcsin(np.sqrt(b)))


def _amount(cells: Cells, inside: Mask) -> Trait | None:
    values = amounts(cells)
    known = np.isfinite(values)
    a, b = values[known & inside], values[known & ~inside]
    if not len(a) or not len(b):
        return None
    effect = standardized_difference(a, b)
    one, other = float(a.mean()), float(b.mean())
    shown = [_moment(each) if cells.is_temporal else number(each, 3) for each in (one, other)]
    late, early = ("later", "earlier") if cells.is_temporal else ("higher", "lower")
    name = cells.column.name
    size = fixed(effect, 1)
    words = f"{late if effect > 0 else early} {name}: {shown[0]} against {shown[1]} (d = {size})"
    return Trait(name, None, DIFFERENCE, effect, one, other, None, words)


def _moment(days: float) -> str:
    return str(np.datetime64(int(days * _DAY), "us").astype("M8[D]"))


def _shares(cells: Cells, inside: Mask) -> list[Trait | None]:
    counts = cells.counts
    common = np.argsort(-counts, kind="stable")[:_CATEGORIES]
    name = cells.column.name
    made = []
    for at in common.tolist():
        value = value_text(cells.values[at])
        made.append(_share(name, value, f"is {value}", cells.codes == at, inside))
    return made


def _share(name: str, value: str | None, says: str, rows: Mask, inside: Mask) -> Trait | None:
    one, other = float(rows[inside].mean()), float(rows[~inside].mean())
    ratio = one / other if other else None
    shown = f"{percent(one)} against {percent(other)}"
    if ratio is None:
        shown += ", nowhere else" if one else ""
    else:
        shown += f", × {number(ratio, 2)}" if ratio else ", only elsewhere"
    effect = share_difference(one, other)
    return Trait(name, value, RATIO, effect, one, other, ratio, f"{name} {says}: {shown}")


def worth_telling(traits: Sequence[Trait]) -> tuple[Trait, ...]:
    """The strongest traits, at most two of a column.

    A category that a cluster has less of is told only where there is none it has more of, for it
    follows; and that cells are not missing is not worth a word.
    """
    strong = [trait for trait in traits if abs(trait.effect) >= LEAST]
    more = {trait.column for trait in strong if trait.effect > 0}
    kept: list[Trait] = []
    columns: dict[str, int] = {}
    for trait in strong:
        lacks = trait.measure == RATIO and trait.effect < 0
        follows = lacks and (trait.value is None or trait.column in more)
        if follows or columns.get(trait.column, 0) > 1 or len(kept) == MOST:
            continue
        columns[trait.column] = columns.get(trait.column, 0) + 1
        kept.append(trait)
    return tuple(kept)
