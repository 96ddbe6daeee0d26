"""Charts as inline SVG: coloured by the page's style, so they follow light, dark and print."""

from __future__ import annotations

from .bars import Bar, bars
from .curves import Axes, Curve, cloud, curves
from .distribution import Box, histogram
from .groups import clouds, effect_grid, silhouettes
from .heat import heat_map, similar_together
from .intervals import Estimate, Lane
from .lines import Point, band
from .patterns import Pattern, patterns
from .small import interval_mark, share_bar, spark_bars, spark_line
from .stacked import HUES, key, overlay, stacked_bar
from .tree import Node, tree

__all__ = [
    "HUES",
    "Axes",
    "Bar",
    "Box",
    "Curve",
    "Estimate",
    "Lane",
    "Node",
    "Pattern",
    "Point",
    "band",
    "bars",
    "cloud",
    "clouds",
    "curves",
    "effect_grid",
    "heat_map",
    "histogram",
    "interval_mark",
    "key",
    "overlay",
    "patterns",
    "share_bar",
    "silhouettes",
    "similar_together",
    "spark_bars",
    "spark_line",
    "stacked_bar",
    "tree",
]
