"""How much of a profile fits on a page, and where its variables are found on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stylobate.report import Html, name, tag

FULL = 60  # columns up to which bars say their counts and cards are drawn before they are opened
MOST = 5000  # columns that have a row and a card; a page of more would not open
DENSE = 500  # columns up to which densities and long lists of values are drawn


@dataclass(frozen=True)
class Room:
    """What the number of columns leaves room for.

    Parameters
    ----------
    places : mapping of str to int
        Where each variable's card is; of columns with one name, the first.
    detailed : bool
        Whether bars say their counts, and cards are part of the page before they are opened.
    values : int
        Most frequent values shown.
    densities : bool
        Whether density lines are drawn.
    date : str or None
        When the profile was made.
    """

    places: Mapping[str, int]
    detailed: bool
    values: int
    densities: bool
    date: str | None = None

    @classmethod
    def of(cls, profile: Mapping[str, Any], date: str | None) -> Room:
        """The room that a profile leaves."""
        listed = profile.get("variables") or []
        places: dict[str, int] = {}
        for at, variable in enumerate(listed[:MOST]):
            places.setdefault(str(variable.get("name")), at)
        few = len(listed) <= DENSE
        return cls(places, len(listed) <= FULL, 12 if few else 5, few, date)

    def link(self, variable: Any, length: int = 40) -> Html:
        """The name of a variable, leading to its card."""
        place = self.places.get(str(variable))
        shown = name(variable, length)
        return shown if place is None else tag("a", shown, href=f"#v-{place}")

    def links(self, variables: Any, most: int = 8) -> list[Html | str]:
        """Names of several variables, the first few of them, in a row."""
        listed = list(variables or [])
        parts: list[Html | str] = []
        for variable in listed[:most]:
            parts += [", " if parts else "", self.link(variable)]
        if len(listed) > most:
            parts.append(f" and {len(listed) - most:,} more")
        return parts
