"""Scripts written for scikit-learn, with their imports swapped: what changes, and what stays."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.migration.comparison import Comparison, compare_runs
    from stylobate.migration.script import Migration, migrate

__all__ = ["Comparison", "Migration", "compare_runs", "migrate"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Comparison": "comparison",
        "Migration": "script",
        "compare_runs": "comparison",
        "migrate": "script",
    },
)
