"""The axis of a parameter's values, shared by pictures of curves over them."""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.plot.shared.texts import plain, plain_all

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def parameter_axis(ax: Axes, name: str, values: Any) -> Any:
    """Where to draw each value, on a log scale if values are multiples; labels the axis."""
    numeric = all(isinstance(v, Real) and not isinstance(v, bool) for v in values)
    if not numeric:
        at = np.arange(len(values))
        ax.set_xticks(at, plain_all(values, 20))
        ax.set_xlabel(plain(name))
        return at
    at = np.array(values, dtype=np.float64)
    steps = np.diff(at)
    if len(at) > 2 and (at > 0).all() and np.ptp(np.abs(steps)) > 0.5 * np.abs(steps).max():
        ax.set_xscale("log")
        ax.set_xlabel(f"{plain(name)} (log scale)")
    else:
        ax.set_xlabel(plain(name))
    return at
