"""Pairs of columns that are coordinates."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from stylobate.data.kinds.schema import Column
from stylobate.data.kinds.values import Values

_LATITUDE = re.compile(r"(^|[\s_\-.,])(lat|latitude)($|[\s_\-.,])", re.IGNORECASE)
_LONGITUDE = re.compile(r"(^|[\s_\-.,])(lon|lng|long|longitude)($|[\s_\-.,])", re.IGNORECASE)
_FARTHEST_NORTH, _FARTHEST_EAST = 90.0, 360.0  # some count the longitude from 0 to 360


def pair_coordinates(found: list[Column], values: Sequence[Values]) -> list[Column]:
    """Latitude and longitude of the same name, both in range, are places."""
    numeric = {c.name: j for j, c in enumerate(found) if c.kind == "numeric" and not c.notation}
    for north, j in numeric.items():
        if not _LATITUDE.search(north) or not _within(values[j], _FARTHEST_NORTH):
            continue
        stem = _LATITUDE.sub(r"\1*\3", north).lower()
        for east, k in numeric.items():
            same = _LONGITUDE.sub(r"\1*\3", east).lower() == stem
            if same and _LONGITUDE.search(east) and _within(values[k], _FARTHEST_EAST):
                found[j], found[k] = _placed(found[j], east), _placed(found[k], north)
    return found


def _placed(column: Column, partner: str) -> Column:
    why = f"coordinates in degrees, with {partner} ({column.reason})"
    return replace(column, kind="geospatial", partner=partner, reason=why)


def _within(values: Values, limit: float) -> bool:
    return all(abs(value) <= limit for value in values.present)
