"""Small values of columns in memory, each of them what one picture draws."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.exploration.views.bars import BarsView, bars_view
    from stylobate.exploration.views.boxes import BoxView, box_views
    from stylobate.exploration.views.correlations import CorrelationView, correlation_view
    from stylobate.exploration.views.distributions import DistributionView, distribution_view
    from stylobate.exploration.views.missing import MissingView, missing_view
    from stylobate.exploration.views.pairs import PairsView, pairs_view
    from stylobate.exploration.views.scatters import ScatterView, scatter_view
    from stylobate.exploration.views.target_cells import TargetCellsView, target_cells_view
    from stylobate.exploration.views.targets import TargetView, target_view

__all__ = [
    "BarsView",
    "BoxView",
    "CorrelationView",
    "DistributionView",
    "MissingView",
    "PairsView",
    "ScatterView",
    "TargetCellsView",
    "TargetView",
    "bars_view",
    "box_views",
    "correlation_view",
    "distribution_view",
    "missing_view",
    "pairs_view",
    "scatter_view",
    "target_cells_view",
    "target_view",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "BarsView": "bars",
        "BoxView": "boxes",
        "CorrelationView": "correlations",
        "DistributionView": "distributions",
        "MissingView": "missing",
        "PairsView": "pairs",
        "ScatterView": "scatters",
        "TargetCellsView": "target_cells",
        "TargetView": "targets",
        "bars_view": "bars",
        "box_views": "boxes",
        "correlation_view": "correlations",
        "distribution_view": "distributions",
        "missing_view": "missing",
        "pairs_view": "pairs",
        "scatter_view": "scatters",
        "target_cells_view": "target_cells",
        "target_view": "targets",
    },
)
