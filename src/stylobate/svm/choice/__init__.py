"""Choosing costs and widths: paths, grids, bounds."""
