"""What all pictures share: axes to draw on, and colours that colour-blind readers tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

# Okabe & Ito (2008), Color universal design.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
FAINT = "#b8b8b8"


def axes_or_new(ax: Axes | None, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """The axes given, or those of a new figure outside pyplot's list: nothing is left open."""
    if ax is None:
        from matplotlib.figure import Figure

        ax = Figure(figsize=size, layout="constrained").add_subplot()
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def checked_alphas(alphas: Any, function: str) -> Array:
    """Penalties as an array, all of them positive: there is no place for 0 on a log scale."""
    checked = np.asarray(alphas, dtype=np.float64)
    if checked.ndim != 1 or not np.all(checked > 0.0):
        raise InvalidParameterError(
            f"{function}: alphas must be one-dimensional and positive, for they are drawn on a log "
            f"scale; got shape {checked.shape}"
            + (f" with {checked.min():g} as the smallest." if checked.size else ".")
        )
    return checked


def checked_names(names: Sequence[str] | None, count: int, function: str) -> list[str]:
    """A name for every column: those given, or x0, x1, …."""
    if names is None:
        return [f"x{k}" for k in range(count)]
    if len(names) != count:
        raise InvalidParameterError(
            f"{function}: names has {len(names)} entries for {count} columns; give one each."
        )
    return [str(name) for name in names]
