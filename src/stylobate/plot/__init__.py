"""Pictures of what was computed elsewhere; nothing is computed here."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.plot.selection import plot_selection_history

__all__ = ["plot_selection_history"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "plot_selection_history": "selection",
    },
)
