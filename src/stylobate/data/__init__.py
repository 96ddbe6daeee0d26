"""The only door in: whatever the caller passed becomes a checked, typed `Table`."""

from __future__ import annotations

from stylobate.data.labels import read_labels
from stylobate.data.origin import Origin
from stylobate.data.output import wrap_output
from stylobate.data.table import Table, read_table
from stylobate.data.weights import read_weights

__all__ = [
    "Origin",
    "Table",
    "read_labels",
    "read_table",
    "read_weights",
    "wrap_output",
]
