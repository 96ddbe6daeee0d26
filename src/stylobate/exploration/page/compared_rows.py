"""Pages about rows that are compared by some columns: their title and their sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stylobate.report import Html, document, number, shortened, tag


@dataclass(frozen=True, slots=True)
class Compared:
    """Where rows come from, how many there are, and how many columns compare them."""

    source: str
    rows: int
    columns: int

    def document(
        self,
        title: str,
        lead: str,
        sections: Sequence[tuple[str, str, Html | None]],
        scripts: tuple[str, ...] = (),
    ) -> str:
        """The page of those sections that there are.

        Parameters
        ----------
        title, lead : str
            Words before the source, and before the number of rows.
        sections : sequence of (str, str, Html or None)
            Name in links, title, content.
        scripts : tuple of str, default=()
            Of the page.

        Returns
        -------
        str
            HTML.
        """
        shown = [(name, head, content) for name, head, content in sections if content]
        plural = "s" * (self.columns != 1)
        shape = f"{number(self.rows)} rows, compared by {self.columns:,} column{plural}"
        return document(
            f"{title} {shortened(self.source, 120)}",
            [content for _, _, content in shown],
            subtitle=[f"{lead}: ", tag("strong", shape)],
            links=[(name, head) for name, head, _ in shown],
            scripts=scripts,
        )
