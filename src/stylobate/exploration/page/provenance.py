"""Where the page comes from, so that it can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stylobate.report import Child, Html, duration, facts, name, number, section, shortened, tag

from .room import Room


def provenance(profile: Mapping[str, Any], room: Room) -> Html:
    """Source, reader's notes, version, date and seed."""
    sampled = profile.get("sampled_rows")
    pairs: list[tuple[Child, Child]] = [
        ("Source", name(profile.get("source") or "–", 200)),
        ("Stylobate", str(profile.get("stylobate") or "–")),
        ("Took", duration(profile.get("seconds"))),
        ("Sample", "none: all rows were used" if sampled is None else f"{number(sampled)} rows"),
    ]
    if date := room.date or profile.get("date"):
        pairs.append(("Made", str(date)))
    if profile.get("seed") is not None:
        pairs.append(("Seed", number(profile["seed"])))
    notes = profile.get("notes") or []
    return section(
        "provenance",
        "Provenance",
        facts(pairs),
        tag("h3", "What the reader did") if notes else None,
        tag("ul", (tag("li", shortened(str(note), 2000)) for note in notes), class_="notes")
        if notes
        else None,
    )
