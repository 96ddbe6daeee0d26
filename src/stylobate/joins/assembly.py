"""Joined rows in the order of the facts, a limited number at a time, as positions in the tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from stylobate.arrays import Indices, Mask
from stylobate.joins.keys import Codes
from stylobate.joins.link import Link

FactCodes = Sequence[Sequence[Codes | None]]  # of each link, of each part of its key: of a batch


@dataclass(frozen=True, slots=True, eq=False)
class JoinedRows:
    """Some joined rows: of each the row of every table.

    Parameters
    ----------
    count : int
    facts : array of shape (count,) or None
        Rows of a batch of facts; None for the first `count` in order.
    others : tuple of arrays of shape (count,) or None
        Rows of the joined tables, one array for each link; None where a link was left out.
    """

    count: int
    facts: Indices | None = None
    others: tuple[Indices | None, ...] = ()

    def of(self, position: int) -> Indices | None:
        """The rows of a table: 0 are the facts."""
        return self.facts if position == 0 else self.others[position - 1]

    def take(self, which: Indices | slice) -> JoinedRows:
        """Some of them."""
        facts = np.arange(self.count) if self.facts is None else self.facts
        facts = facts[which]
        others = tuple(None if each is None else each[which] for each in self.others)
        return JoinedRows(len(facts), facts, others)

    def where(self, kept: Mask) -> JoinedRows:
        """Those of a mask, or all of them as they are."""
        return self if kept.all() else self.take(np.flatnonzero(kept))

    def with_other(self, rows: Indices | None) -> JoinedRows:
        """The same with the rows of one more table."""
        return JoinedRows(self.count, self.facts, (*self.others, rows))


class Assembly:
    """The links of a join, followed one after the other.

    Parameters
    ----------
    links : sequence of Link
        Each after those of the tables that point at it.
    dimension_codes : sequence of sequences of arrays or None
        Of each link and each part of its key the codes of all rows of the table that points (and
        -1 for no row), None where the facts point.
    wanted : set of int, optional
        The links to follow; all by default.
    """

    def __init__(
        self,
        links: Sequence[Link],
        dimension_codes: Sequence[Sequence[Codes | None]],
        wanted: set[int] | None = None,
    ) -> None:
        self.links, self.dimension_codes = links, dimension_codes
        self.wanted = set(range(len(links))) if wanted is None else wanted

    def assemble(self, codes: FactCodes, count: int, most: int) -> Iterator[JoinedRows]:
        """The joined rows of some facts.

        Parameters
        ----------
        codes : sequence of sequences of arrays of shape (count,) or None
            Of each link and part of its key the codes of the facts, None where others point.
        count : int
            How many facts there are.
        most : int
            How many joined rows may be given at once where keys multiply them.
        """
        return self._follow(JoinedRows(count), 0, codes, most)

    def _follow(
        self, rows: JoinedRows, k: int, codes: FactCodes, most: int
    ) -> Iterator[JoinedRows]:
        if not rows.count:
            return
        if k == len(self.links):
            yield rows
            return
        if k not in self.wanted:
            yield from self._follow(rows.with_other(None), k + 1, codes, most)
            return
        link = self.links[k]
        found = self.codes_of(k, rows, codes[k])
        if link.row_of is None:
            for part in _multiplied(rows, link, found, most):
                yield from self._follow(part, k + 1, codes, most)
            return
        matched = link.rows_of(found)
        more = rows.with_other(matched)
        if link.edge.how == "inner":
            more = more.where(matched < link.n_rows)
        yield from self._follow(more, k + 1, codes, most)

    def codes_of(self, k: int, rows: JoinedRows, facts: Sequence[Codes | None]) -> Codes:
        """The codes of a link's key in joined rows."""
        link = self.links[k]
        positions = link.parents if len(facts) > 1 else link.parents[:1]
        parts = []
        for position, of_facts, all_rows in zip(
            positions, facts, self.dimension_codes[k], strict=True
        ):
            where = rows.of(position)
            known = of_facts if all_rows is None else all_rows
            assert known is not None
            parts.append(known if where is None else known[where])
        return parts[0] if len(parts) == 1 else link.index.combine(parts)


def _multiplied(rows: JoinedRows, link: Link, codes: Codes, most: int) -> Iterator[JoinedRows]:
    """Every row once for each match, so many at a time."""
    counts = link.counts_of(codes)
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    for start, stop in pairwise([*range(0, total, most), total]):
        first = int(np.searchsorted(ends, start, side="right"))
        last = int(np.searchsorted(ends, stop, side="left"))
        places = np.arange(first, last + 1)
        begins = np.maximum(ends[places] - counts[places], start)
        which = np.repeat(places, np.minimum(ends[places], stop) - begins)
        offsets = np.arange(start, stop) - (ends - counts)[which]
        yield rows.take(which).with_other(link.member(codes[which], offsets))
