"""Who summarises what a picture was given raw.

Pictures draw values that other layers computed. A picture that is given columns instead asks the
layer that owns the value for it, by name and when it is drawn: this table is the one place that
knows them, and no module of `plot` imports from a layer above.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from importlib import import_module
from typing import Any

_HOMES = {
    "bars_view": "stylobate.exploration.views",
    "box_views": "stylobate.exploration.views",
    "correlation_view": "stylobate.exploration.views",
    "distribution_view": "stylobate.exploration.views",
    "missing_view": "stylobate.exploration.views",
    "pairs_view": "stylobate.exploration.views",
    "regression_band": "stylobate.inference",
    "residual_view": "stylobate.inference",
    "residual_view_of": "stylobate.inference",
    "scatter_view": "stylobate.exploration.views",
    "target_cells_view": "stylobate.exploration.views",
    "target_view": "stylobate.exploration.views",
}


def is_summary(thing: Any, *names: str) -> bool:
    """Whether this is a value to draw, with these attributes, and not a table or a vector.

    A table may have columns of any name, so attributes alone do not tell.
    """
    return is_dataclass(thing) and all(hasattr(thing, name) for name in names)


def summarise(name: str, *arguments: Any, **options: Any) -> Any:
    """What the summariser of this name makes of the arguments.

    >>> summarise("bars_view", ["a", "b", "a"]).labels
    ('a', 'b')
    """
    return getattr(import_module(_HOMES[name]), name)(*arguments, **options)
