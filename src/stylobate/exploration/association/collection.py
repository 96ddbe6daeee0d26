"""All associations of a table: matrices, the strongest pairs, text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.exploration.association.value import MEASURES, Association

SHOWN = 10
_MAIN = ("cramers_v", "correlation_ratio", "spearman", "pearson")


@dataclass(frozen=True, slots=True, eq=False)
class CorrelationMap:
    """Names, their correlations as a matrix, and whose correlations they are."""

    names: tuple[str, ...]
    values: Array
    method: str


@dataclass(frozen=True, repr=False, eq=False)
class Associations:
    """How strongly every two columns go together; prints the strongest pairs.

    Parameters
    ----------
    names : tuple of str
        The columns compared.
    entries : tuple of Association
        One for every pair and measure.
    rows : int
        Rows looked at.
    level : float
        Of the intervals.
    kinds : mapping of str to str
        What each column is.
    left_out : mapping of str to str
        Columns that were not compared, and what they are.
    """

    names: tuple[str, ...]
    entries: tuple[Association, ...]
    rows: int
    level: float = 0.95
    kinds: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Association]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    @cached_property
    def _main(self) -> dict[tuple[str, str], Association]:
        """The entry that speaks for each pair: the stronger correlation, V, or η."""
        best: dict[tuple[str, str], Association] = {}
        for each in self.entries:
            if each.measure not in _MAIN or each.strength is None:
                continue
            key = (each.a, each.b) if each.a < each.b else (each.b, each.a)
            known = best.get(key)
            if known is None or each.strength > (known.strength or 0.0):
                best[key] = each
        return best

    def strongest(
        self, k: int | None = SHOWN, measure: str | None = None
    ) -> tuple[Association, ...]:
        """The k pairs of the greatest strength, each once.

        Parameters
        ----------
        k : int or None
            How many; None for all.
        measure : str, optional
            By one measure; by default the one that fits the kinds (the stronger correlation of two
            numeric columns, V, or η).
        """
        if measure is None:
            found = list(self._main.values())
        else:
            _check_measure(measure)
            found = [e for e in self.entries if e.measure == measure and e.strength is not None]
        found.sort(key=lambda e: (-(e.strength or 0.0), e.p_value or 0.0, e.a, e.b))
        return tuple(found if k is None else found[:k])

    def of(self, column: str, measure: str | None = None) -> tuple[Association, ...]:
        """The associations of one column, strongest first."""
        if column not in self.names:
            why = f" ({self.left_out[column]}: left out)" if column in self.left_out else ""
            raise InvalidParameterError(
                f"There is no column {column!r} among those compared{why}: "
                f"{', '.join(map(repr, self.names[:12]))}."
            )
        return tuple(e for e in self.strongest(None, measure) if column in (e.a, e.b))

    def hidden(self, k: int | None = SHOWN, margin: float = 0.2) -> tuple[Association, ...]:
        """Pairs whose mutual information shows more than their correlation or η does.

        A curve that rises and falls, clusters, classes of the same mean but another spread.

        Parameters
        ----------
        k : int or None
            How many at most.
        margin : float in (0, 1)
            By how much the strength by information exceeds the other.
        """
        found = []
        for each in self.strongest(None, "mutual_information"):
            key = (each.a, each.b) if each.a < each.b else (each.b, each.a)
            main = self._main.get(key)
            if main is None or main.measure == "cramers_v":
                continue  # V sees all that a table holds
            seen = main.strength or 0.0
            clear = each.q_value is not None and each.q_value < 0.01
            if clear and (each.strength or 0.0) > seen + margin:
                found.append(each)
        return tuple(found if k is None else found[:k])

    def matrix(self, measure: str | None = None) -> Array:
        """Values (strengths without a measure) as a symmetric matrix, NaN where there is none.

        Parameters
        ----------
        measure : str, optional
            One of "pearson", "spearman", "mutual_information", "cramers_v", "correlation_ratio".
        """
        place = {name: j for j, name in enumerate(self.names)}
        out = np.full((len(place), len(place)), np.nan)
        for each in self.strongest(None, measure):
            value = each.strength if measure is None else each.value
            if value is not None:
                i, j = place[each.a], place[each.b]
                out[i, j] = out[j, i] = value
        np.fill_diagonal(out, np.nan if measure == "mutual_information" else 1.0)
        return out

    def order(self, measure: str | None = None) -> tuple[str, ...]:
        """The columns such that those that go together stand together (average linkage)."""
        from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
        from scipy.spatial.distance import squareform

        if len(self.names) < 3:
            return self.names
        near = np.nan_to_num(np.abs(self.matrix(measure)), nan=0.0)
        most = near.max()
        apart = 1.0 - near / (most if most > 0 else 1.0)
        np.fill_diagonal(apart, 0.0)
        flat = squareform(apart, checks=False)
        tree = optimal_leaf_ordering(linkage(flat, "average"), flat)
        return tuple(self.names[j] for j in leaves_list(tree))

    def to_dict(self) -> list[dict[str, Any]]:
        """Plain values, for JSON: one for every pair and measure."""
        return [each.to_dict() for each in self.entries]

    def correlation_map(self, measure: str = "pearson") -> CorrelationMap:
        """The numeric columns in clustered order and their correlations, ready to be drawn."""
        if measure not in ("pearson", "spearman"):
            raise InvalidParameterError(
                f"measure must be 'pearson' or 'spearman' for a map, got {measure!r}."
            )
        known = {name for e in self.entries if e.measure == measure for name in (e.a, e.b)}
        names = tuple(name for name in self.order(measure) if name in known)
        place = [self.names.index(name) for name in names]
        return CorrelationMap(names, self.matrix(measure)[np.ix_(place, place)], measure)

    def plot(self, ax: Any = None, *, measure: str = "pearson") -> Any:
        """A map of the numeric columns, those that go together side by side; returns the axes."""
        from stylobate import plot

        return plot.plot_correlation(self.correlation_map(measure), ax=ax)

    def __repr__(self) -> str:
        from stylobate.exploration.association.text import associations_text

        return associations_text(self)


def _check_measure(measure: str) -> None:
    if measure not in MEASURES:
        raise InvalidParameterError(
            f"measure must be one of {', '.join(map(repr, MEASURES))}, got {measure!r}."
        )
