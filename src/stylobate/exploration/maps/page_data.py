"""Points and cells of a map as one compressed block of bytes, which the page's script unpacks.

The block is: the length of a header (four bytes), the header (JSON), arrays. An array lies in
planes of bytes, the first byte of every number before the second, which compresses better. All is
deflated and written in base64, so that nothing a cell holds can be markup.
"""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.exploration.cells import Cells
from stylobate.exploration.clusters.traits import amounts, is_amount
from stylobate.exploration.summaries.values import value_text
from stylobate.report import shortened, visible

if TYPE_CHECKING:
    from stylobate.exploration.maps.row_map import PlaneMap, RowMap

MOST_COLUMNS = 60
_MOST_CELLS = 4_000_000  # of all columns on the page
_LONGEST = 80  # characters of a text
_MOST_CHARACTERS = 1_500_000  # of all different texts of a column
_MANTISSA = 16  # bits that numbers keep where they are not written exactly: almost five digits
_EXACT = 20_000  # rows up to which all numbers are exact; of more, fractions may be rounded
_STEPS = 65_535  # of coordinates


def shown_columns(found: RowMap) -> list[Cells]:
    """The columns that are on the page: of wide tables those rows are compared by come first."""
    room = max(min(MOST_COLUMNS, _MOST_CELLS // max(found.used_rows, 1)), 6)
    target = found.separation.target if found.separation else None

    def place(cells: Cells) -> int:
        name = cells.column.name
        return 0 if name in (found.color, target) else 1 if name in found.columns else 2

    kept = sorted(found.cells, key=place)[:room]
    return [each for each in found.cells if each in kept]


def packed(found: RowMap) -> str:
    """The block of a page."""
    block = _Block()
    header = {
        "rows": block.add(found.row_numbers.astype(np.uint32) + np.uint32(1)),
        "maps": [_plane(each, block) for each in found.maps],
        "columns": [_column(each, block) for each in shown_columns(found)],
        "color": found.color,
        "names": _names(found),
    }
    text = json.dumps(header, ensure_ascii=True, allow_nan=False).encode()
    whole = b"".join([len(text).to_bytes(4, "little"), text, *block.parts])
    return base64.b64encode(zlib.compress(whole, 6)).decode()


def _names(found: RowMap) -> list[str] | None:
    """What the points are called, where they have names."""
    for each in found.cells:
        if each.column.name == found.names:
            texts = _texts([value_text(value) for value in each.values])
            return [texts[code] for code in each.codes.tolist()]
    return None


class _Block:
    """Arrays one after the other; `add` returns where one is."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self._end = 0

    def add(self, values: NDArray[Any]) -> dict[str, Any]:
        """Append an array."""
        flat = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<"))
        size = flat.dtype.itemsize
        planes = flat.view(np.uint8).reshape(len(flat), size).T.tobytes() if len(flat) else b""
        told = {"at": self._end, "length": len(flat), "type": f"{flat.dtype.kind}{size}"}
        self.parts.append(planes)
        self._end += len(planes)
        return told


def _plane(plane: PlaneMap, block: _Block) -> dict[str, Any]:
    """Coordinates on one scale for both directions, in the middle of the unit square."""
    points = plane.points
    low, high = points.min(axis=0), points.max(axis=0)
    span = float((high - low).max()) or 1.0
    unit = (points - (low + high) / 2.0) / span + 0.5
    steps = np.round(np.clip(unit, 0.0, 1.0) * _STEPS).astype(np.uint16)
    kept = np.round(plane.kept_by_row * 250).astype(np.uint8)
    return {
        "name": plane.name,
        "x": block.add(steps[:, 0]),
        "y": block.add(steps[:, 1]),
        "kept": block.add(kept),
    }


def _column(cells: Cells, block: _Block) -> dict[str, Any]:
    name = shortened(visible(cells.column.name), _LONGEST)
    if not is_amount(cells):
        labels = _texts([value_text(each) for each in cells.values])
        return {
            "name": name, "type": "category", "labels": labels,
            "codes": block.add(_codes(cells.codes, len(labels))),
        }  # fmt: skip
    kind = "date" if cells.is_temporal else "number"
    codes = _codes(cells.codes, len(cells.values))
    fraction = kind == "number" and bool((cells.values != np.trunc(cells.values)).any())
    if fraction and len(codes) > _EXACT and codes.nbytes + 8 * len(cells.values) > 4 * len(codes):
        return {"name": name, "type": kind, "values": block.add(_rounded(amounts(cells)))}
    by_code = amounts(Cells(cells.column, cells.values, np.arange(len(cells.values))))
    return {"name": name, "type": kind, "codes": block.add(codes), "values": block.add(by_code)}


def _codes(codes: Indices, count: int) -> NDArray[Any]:
    """Codes in as few bytes as they need; the largest number is for what is missing."""
    kind = np.uint8 if count < 255 else np.uint16 if count < 65_535 else np.uint32
    return np.where(codes < 0, np.iinfo(kind).max, codes).astype(kind)


def _rounded(values: Array) -> NDArray[np.float32]:
    """Single precision with a short mantissa, whose last byte then costs nothing."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    drop = 23 - _MANTISSA
    bits = single.view(np.uint32).astype(np.uint64) + np.uint64(1 << (drop - 1))
    kept = (bits & ~np.uint64((1 << drop) - 1)).astype(np.uint32).view(np.float32)
    return np.where(np.isfinite(single) & np.isfinite(kept), kept, single)


def _texts(texts: list[str]) -> list[str]:
    """Texts with invisible characters shown, no longer than there is room for."""
    length = min(_LONGEST, max(_MOST_CHARACTERS // max(len(texts), 1), 12))
    return [shortened(visible(text[: 4 * _LONGEST]), length) for text in texts]
