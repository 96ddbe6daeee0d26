"""Maps of the rows of a table: two planes, and how far to trust them."""

from stylobate.exploration.maps.drawing import map_rows
from stylobate.exploration.maps.neighborhoods import OutlyingRow, Separation
from stylobate.exploration.maps.row_map import Component, PlaneMap, RowMap

__all__ = ["Component", "OutlyingRow", "PlaneMap", "RowMap", "Separation", "map_rows"]
